package ofac

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ReadXML reads SDN.XML or SDN_ADVANCED.XML, depending on the root element, and passes each party once.
func ReadXML(r io.Reader, each func(Party) error) (Published, error) {
	gate := &fence{from: r}
	gate.open()
	d := xml.NewDecoder(gate)

	root, err := nextElement(d, gate)
	if err != nil {
		return Published{}, fmt.Errorf("no root element: %w", err)
	}

	switch root.Name.Local {
	case "sdnList":
		return readPlain(d, gate, each)
	case "Sanctions":
		return readAdvanced(d, gate, each)
	}

	return Published{}, fmt.Errorf("the root element is %s, neither sdnList nor Sanctions", root.Name.Local)
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
	Remarks string `xml:"remarks"`
}

func readPlain(d *xml.Decoder, gate *fence, each func(Party) error) (out Published, err error) {
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

func personName(last, first string) string {
	if first == "" {
		return last
	}

	return last + ", " + first
}
