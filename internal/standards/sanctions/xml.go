package sanctions

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// ReadXML reads a list in XML, whose root element shows which it is, and passes each party once.
func ReadXML(r io.Reader, each func(Party) error) (Published, error) {
	gate := &fence{from: r}
	gate.open()
	d := xml.NewDecoder(gate)

	root, err := nextElement(d, gate)
	if err != nil {
		return Published{}, fmt.Errorf("no root element: %w", err)
	}

	read := map[string]func(*xml.Decoder, *fence, xml.StartElement, func(Party) error) (Published, error){
		"sdnList":              readPlain,
		"Sanctions":            readAdvanced,
		"sanctionsData":        readEnhanced,
		"export":               readEU,
		"CONSOLIDATED_LIST":    readUN,
		"Designations":         readUK,
		"swiss-sanctions-list": readSECO,
	}[root.Name.Local]
	if read == nil {
		return Published{}, fmt.Errorf(
			"the root element is %s, which begins no sanctions list that is read",
			root.Name.Local,
		)
	}

	return read(d, gate, root, each)
}

// nextElement returns the next start element; io.EOF after the end of the enclosing one.
func nextElement(d *xml.Decoder, gate *fence) (xml.StartElement, error) {
	for {
		gate.open()

		token, err := d.Token()
		if err != nil {
			return xml.StartElement{}, err
		}

		switch t := token.(type) {
		case xml.StartElement:
			return t, nil
		case xml.Directive:
			return xml.StartElement{}, errors.New("a document type definition has no place in a list")
		}
	}
}

// elements calls each for every start element, at any depth, until the document ends. An element that each reads
// completely is not entered.
func elements(d *xml.Decoder, gate *fence, each func(e xml.StartElement) error) error {
	for {
		e, err := nextElement(d, gate)
		if errors.Is(err, io.EOF) {
			return nil
		}

		if err != nil {
			return err
		}

		gate.open()

		if err := each(e); err != nil {
			return fmt.Errorf("%s at byte %d: %w", e.Name.Local, d.InputOffset(), err)
		}
	}
}

// plainEntry is an sdnEntry of SDN.XML.
type plainEntry struct {
	UID      string   `xml:"uid"`
	First    string   `xml:"firstName"`
	Last     string   `xml:"lastName"`
	Type     string   `xml:"sdnType"`
	Programs []string `xml:"programList>program"`
	Aliases  []struct {
		Category string `xml:"category"`
		First    string `xml:"firstName"`
		Last     string `xml:"lastName"`
	} `xml:"akaList>aka"`
	Addresses []struct {
		Country string `xml:"country"`
	} `xml:"addressList>address"`
	IDs []struct {
		Type   string `xml:"idType"`
		Number string `xml:"idNumber"`
	} `xml:"idList>id"`
	Births []struct {
		Date string `xml:"dateOfBirth"`
	} `xml:"dateOfBirthList>dateOfBirthItem"`
	Places []struct {
		Place string `xml:"placeOfBirth"`
	} `xml:"placeOfBirthList>placeOfBirthItem"`
	Remarks string `xml:"remarks"`
}

func readPlain(d *xml.Decoder, gate *fence, _ xml.StartElement, each func(Party) error) (out Published, err error) {
	err = elements(d, gate, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "Publish_Date":
			var s string
			if err := d.DecodeElement(&s, &e); err != nil {
				return err
			}

			out.Date, err = time.Parse("01/02/2006", strings.TrimSpace(s)) // the Treasury writes month, day, year

			return err

		case "sdnEntry":
			var x plainEntry
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}

			p, err := x.party()
			if err != nil {
				return err
			}

			return each(p)
		}

		return nil
	})

	return out, err
}

func (x plainEntry) party() (Party, error) {
	if x.UID == "" || x.Last == "" {
		return Party{}, errors.New("has no number or no name")
	}

	p := Party{
		UID:      x.UID,
		Type:     strings.ToLower(x.Type),
		Programs: x.Programs,
		Names:    []Name{{Text: personName(x.Last, x.First)}},
	}
	for _, a := range x.Aliases {
		p.Names = append(p.Names, Name{Text: personName(a.Last, a.First), Weak: a.Category == "weak"})
	}

	for _, a := range x.Addresses {
		if a.Country != "" {
			p.Countries = append(p.Countries, a.Country)
		}
	}

	for _, id := range x.IDs {
		if err := p.addFeature(id.Type, id.Number); err != nil {
			return p, err
		}

		if !strings.HasPrefix(id.Type, marker) {
			p.addNumber(id.Type, id.Number)
		}
	}

	for _, b := range x.Births {
		add(&p.Births, b.Date)
	}

	for _, b := range x.Places {
		add(&p.Places, b.Place)
	}

	return p, nil
}

// addFeature stores the value if its type is a digital currency address.
func (p *Party) addFeature(kind, value string) error {
	currency, ok := strings.CutPrefix(strings.TrimSpace(kind), marker)
	if !ok {
		return nil
	}

	a, err := readAddress(currency + " " + value)
	if err != nil {
		return err
	}

	p.Addresses = append(p.Addresses, a)

	return nil
}

// addNumber stores the number of a document or register, with its kind.
func (p *Party) addNumber(kind, number string) {
	if number = strings.TrimSpace(number); number != "" {
		add(&p.Numbers, strings.TrimSpace(strings.TrimSpace(kind)+" "+number))
	}
}

// add adds a text that is not empty and not there yet.
func add(to *[]string, text string) {
	if text = strings.Join(strings.Fields(text), " "); text != "" && !slices.Contains(*to, text) {
		*to = append(*to, text)
	}
}

// attribute returns the value of an attribute, without regard of its namespace.
func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}

	return ""
}

// dayOf reads the day at the beginning of a time as publishers write it: 2026-11-20T14:00:00.000+01:00.
func dayOf(text string) (time.Time, error) {
	return time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))])
}

func personName(last, first string) string {
	if first == "" {
		return last
	}

	return last + ", " + first
}
