package sanctions

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

// enhancedEntity is an entity of SDN_ENHANCED.XML, with what screening needs. Unlike the advanced form it writes words
// where that has numbers.
type enhancedEntity struct {
	ID       string   `xml:"id,attr"`
	Type     string   `xml:"generalInfo>entityType"`
	Programs []string `xml:"sanctionsPrograms>sanctionsProgram"`
	Names    []struct {
		Weak         bool `xml:"isLowQuality"`
		Translations []struct {
			Full  string   `xml:"formattedFullName"`
			Parts []string `xml:"nameParts>namePart>value"`
		} `xml:"translations>translation"`
	} `xml:"names>name"`
	Countries []string `xml:"addresses>address>country"`
	Features  []struct {
		Type  string `xml:"type"`
		Value string `xml:"value"`
		Refer string `xml:"valueRefId"`
	} `xml:"features>feature"`
	Documents []struct {
		Type   string `xml:"type"`
		Number string `xml:"documentNumber"`
	} `xml:"identityDocuments>identityDocument"`
}

func readEnhanced(d *xml.Decoder, gate *fence, _ xml.StartElement, each func(Party) error) (out Published, err error) {
	meanings := map[string]string{} // of numbers for which a feature has no words

	err = elements(d, gate, func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "dataAsOf":
			var s string
			if err := d.DecodeElement(&s, &e); err != nil {
				return err
			}

			out.Date, err = dayOf(strings.TrimSpace(s))

		case "referenceValue":
			var x struct {
				ID    string `xml:"refId,attr"`
				Value string `xml:"value"`
			}
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}

			meanings[x.ID] = x.Value

		case "entity":
			var x enhancedEntity
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}

			p, err := x.party(meanings)
			if err != nil {
				return err
			}

			return each(p)
		}

		return err
	})

	return out, err
}

func (x enhancedEntity) party(meanings map[string]string) (Party, error) {
	p := Party{UID: x.ID, Type: strings.ToLower(strings.TrimSpace(x.Type)), Programs: x.Programs}

	for _, n := range x.Names {
		for _, t := range n.Translations {
			text := t.Full
			if strings.TrimSpace(text) == "" {
				text = strings.Join(t.Parts, " ")
			}

			p.addName(n.Weak, text)
		}
	}

	if p.UID == "" || len(p.Names) == 0 {
		return p, errors.New("has no number or no name")
	}

	for _, c := range x.Countries {
		add(&p.Countries, c)
	}

	for _, f := range x.Features {
		if f.Value == "" {
			f.Value = meanings[f.Refer]
		}

		switch f.Type {
		case "Birthdate":
			add(&p.Births, f.Value)
		case "Place of Birth":
			add(&p.Places, f.Value)
		default:
			if err := p.addFeature(f.Type, f.Value); err != nil {
				return p, fmt.Errorf("entity %s: %w", x.ID, err)
			}
		}
	}

	for _, document := range x.Documents {
		p.addNumber(document.Type, document.Number)
	}

	return p, nil
}

// addName adds a name of these parts that is not there yet.
func (p *Party) addName(weak bool, parts ...string) {
	text := strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	if text == "" {
		return
	}

	for i := range p.Names {
		if p.Names[i].Text == text {
			p.Names[i].Weak = p.Names[i].Weak && weak
			return
		}
	}

	p.Names = append(p.Names, Name{Text: text, Weak: weak})
}
