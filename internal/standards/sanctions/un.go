package sanctions

import (
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
)

// unParty is an INDIVIDUAL or ENTITY of the Security Council's consolidated list.
type unParty struct {
	ID        string `xml:"DATAID"`
	Reference string `xml:"REFERENCE_NUMBER"`
	First     string `xml:"FIRST_NAME"`
	Second    string `xml:"SECOND_NAME"`
	Third     string `xml:"THIRD_NAME"`
	Fourth    string `xml:"FOURTH_NAME"`
	Original  string `xml:"NAME_ORIGINAL_SCRIPT"`
	List      string `xml:"UN_LIST_TYPE"`

	Aliases       []unAlias `xml:"INDIVIDUAL_ALIAS"`
	OtherAliases  []unAlias `xml:"ENTITY_ALIAS"`
	Nationalities []string  `xml:"NATIONALITY>VALUE"`
	Countries     []string  `xml:"INDIVIDUAL_ADDRESS>COUNTRY"`
	Seats         []string  `xml:"ENTITY_ADDRESS>COUNTRY"`
	Births        []struct {
		Type string `xml:"TYPE_OF_DATE"`
		Date string `xml:"DATE"`
		Year string `xml:"YEAR"`
		From string `xml:"FROM_YEAR"`
		To   string `xml:"TO_YEAR"`
	} `xml:"INDIVIDUAL_DATE_OF_BIRTH"`
	Places []struct {
		City    string `xml:"CITY"`
		State   string `xml:"STATE_PROVINCE"`
		Country string `xml:"COUNTRY"`
	} `xml:"INDIVIDUAL_PLACE_OF_BIRTH"`
	Documents []struct {
		Kind   string `xml:"TYPE_OF_DOCUMENT"`
		Number string `xml:"NUMBER"`
	} `xml:"INDIVIDUAL_DOCUMENT"`
}

// unAlias is another name. Of people it is of good or low quality; of entities the quality is its kind.
type unAlias struct {
	Quality string `xml:"QUALITY"`
	Name    string `xml:"ALIAS_NAME"`
}

func readUN(d *xml.Decoder, gate *fence, root xml.StartElement, each func(Party) error) (out Published, err error) {
	if out.Date, err = dayOf(attribute(root, "dateGenerated")); err != nil {
		return out, fmt.Errorf("dateGenerated: %w", err)
	}

	err = elements(d, gate, func(e xml.StartElement) error {
		kind := map[string]string{"INDIVIDUAL": Individual, "ENTITY": Entity}[e.Name.Local]
		if kind == "" {
			return nil
		}

		var x unParty
		if err := d.DecodeElement(&x, &e); err != nil {
			return err
		}

		p, err := x.party(kind)
		if err != nil {
			return err
		}

		return each(p)
	})

	return out, err
}

func (x unParty) party(kind string) (Party, error) {
	p := Party{UID: strings.TrimSpace(x.Reference), Type: kind}
	if p.UID == "" && x.ID != "" {
		p.UID = "UN." + strings.TrimSpace(x.ID)
	}

	add(&p.Programs, x.List)
	p.addName(false, x.First, x.Second, x.Third, x.Fourth)
	p.addName(false, x.Original)

	if p.UID == "" || len(p.Names) == 0 {
		return p, errors.New("has no number or no name")
	}

	for _, a := range append(x.Aliases, x.OtherAliases...) {
		p.addName(a.Quality == "Low", a.Name)
	}

	for _, b := range x.Births {
		text := cmp.Or(strings.TrimSpace(b.Date), strings.TrimSpace(b.Year))
		if b.Type == "BETWEEN" {
			text = strings.TrimSpace(b.From) + " to " + strings.TrimSpace(b.To)
		}

		if b.Type == "APPROXIMATELY" && text != "" {
			text = "about " + text
		}

		add(&p.Births, strings.Trim(text, " to"))
	}

	for _, b := range x.Places {
		add(&p.Places, joinPlaces(b.City, b.State, b.Country))
	}

	for _, c := range append(append(x.Nationalities, x.Countries...), x.Seats...) {
		add(&p.Countries, c)
	}

	for _, i := range x.Documents {
		p.addNumber(i.Kind, i.Number)
	}

	return p, nil
}
