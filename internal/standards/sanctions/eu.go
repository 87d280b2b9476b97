package sanctions

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

// euEntity is a sanctionEntity of the European Union's list in its form 1.1.
type euEntity struct {
	Reference string `xml:"euReferenceNumber,attr"` // some have none
	ID        string `xml:"logicalId,attr"`
	Type      struct {
		Code string `xml:"code,attr"`
	} `xml:"subjectType"`
	Regulations []struct {
		Programme string `xml:"programme,attr"`
	} `xml:"regulation"`
	Names []struct {
		Whole  string   `xml:"wholeName,attr"`
		First  string   `xml:"firstName,attr"`
		Middle string   `xml:"middleName,attr"`
		Last   string   `xml:"lastName,attr"`
		Strong string   `xml:"strong,attr"`
		Remark []string `xml:"remark"`
	} `xml:"nameAlias"`
	Births []struct {
		Date    string `xml:"birthdate,attr"`
		Year    string `xml:"year,attr"`
		Circa   bool   `xml:"circa,attr"`
		Place   string `xml:"place,attr"`
		City    string `xml:"city,attr"`
		Country string `xml:"countryDescription,attr"`
	} `xml:"birthdate"`
	Citizenships []euCountry `xml:"citizenship"`
	Addresses    []euCountry `xml:"address"`
	Documents    []struct {
		Number string `xml:"number,attr"`
		Latin  string `xml:"latinNumber,attr"`
		Kind   string `xml:"identificationTypeDescription,attr"`
	} `xml:"identification"`
}

// euCountry is anything that has a country.
type euCountry struct {
	Country string `xml:"countryDescription,attr"`
}

// unknownCountry is what the list writes for a country that nobody knows.
const unknownCountry = "UNKNOWN"

func readEU(d *xml.Decoder, gate *fence, root xml.StartElement, each func(Party) error) (out Published, err error) {
	if out.Date, err = dayOf(attribute(root, "generationDate")); err != nil {
		return out, fmt.Errorf("generationDate: %w", err)
	}

	err = elements(d, gate, func(e xml.StartElement) error {
		if e.Name.Local != "sanctionEntity" {
			return nil
		}

		var x euEntity
		if err := d.DecodeElement(&x, &e); err != nil {
			return err
		}

		p, err := x.party()
		if err != nil {
			return err
		}

		return each(p)
	})

	return out, err
}

func (x euEntity) party() (Party, error) {
	if x.ID == "" && x.Reference == "" {
		return Party{}, errors.New("has no number")
	}

	p := Party{UID: cmp.Or(strings.TrimSpace(x.Reference), "EU."+x.ID), Type: Entity}
	if x.Type.Code == "person" {
		p.Type = Individual
	}

	for _, r := range x.Regulations {
		add(&p.Programs, r.Programme)
	}

	for _, n := range x.Names {
		weak := n.Strong == "false" || strings.Contains(strings.ToLower(strings.Join(n.Remark, " ")), "low quality")
		p.addName(weak, cmp.Or(strings.TrimSpace(n.Whole), strings.Join([]string{n.First, n.Middle, n.Last}, " ")))
	}

	if len(p.Names) == 0 {
		return p, fmt.Errorf("%s has no name", p.UID)
	}

	for _, b := range x.Births {
		text := cmp.Or(b.Date, b.Year)
		if b.Circa && text != "" {
			text = "about " + text
		}

		add(&p.Births, text)
		add(&p.Places, joinPlaces(b.Place, b.City, b.Country))
	}

	for _, c := range append(x.Citizenships, x.Addresses...) {
		if c.Country != unknownCountry {
			add(&p.Countries, c.Country)
		}
	}

	for _, i := range x.Documents {
		p.addNumber(i.Kind, cmp.Or(i.Latin, i.Number))
	}

	return p, nil
}

// joinPlaces returns the parts of a place that are known, with commas between.
func joinPlaces(parts ...string) string {
	var known []string
	for _, part := range parts {
		if part != unknownCountry {
			add(&known, part)
		}
	}

	return strings.Join(known, ", ")
}
