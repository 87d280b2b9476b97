package sanctions

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"
)

// ukHeader begins the first row of the UK Sanctions List in its comma separated form. The second row names the columns.
const ukHeader = "Report Date:"

// LooksUK reports whether the first bytes of a file are those of the UK Sanctions List in its comma separated form.
func LooksUK(head []byte) bool {
	return strings.HasPrefix(strings.TrimLeft(string(head), "\""), ukHeader)
}

// ReadUKCSV reads the UK Sanctions List in its comma separated form. A party has a row for each of its names and
// addresses; each is passed as a part of it. Rows may be shorter than the header.
func ReadUKCSV(r io.Reader, each func(Party) error) (out Published, err error) {
	var columns map[string]int

	err = records(r, strictQuotes, func(record []string) (err error) {
		switch {
		case out.Date.IsZero():
			out.Date, err = ukDate(record[0])
		case columns == nil:
			columns, err = ukColumns(record)
		default:
			var p Party
			if p, err = ukRecord(record, columns); err == nil {
				err = each(p)
			}
		}

		return err
	})
	if err == nil && columns == nil {
		err = errors.New("it breaks off before the names of the columns")
	}

	return out, err
}

func ukDate(text string) (time.Time, error) {
	date := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(text), ukHeader))

	at, err := time.Parse("2-Jan-2006", date)
	if err != nil {
		return at, fmt.Errorf("report date: %w", err)
	}

	return at, nil
}

func ukColumns(header []string) (map[string]int, error) {
	columns := columnsOf(header)
	for _, needed := range []string{"Unique ID", "Name 6", "Name type", "Designation Type"} {
		if _, ok := columns[needed]; !ok {
			return nil, fmt.Errorf("there is no column %q", needed)
		}
	}

	return columns, nil
}

func ukRecord(record []string, columns map[string]int) (Party, error) {
	field := func(name string) string {
		if i, ok := columns[name]; ok && i < len(record) {
			return strings.TrimSpace(record[i])
		}

		return ""
	}

	p := Party{UID: field("Unique ID"), Type: ukType(field("Designation Type"))}
	if p.UID == "" {
		return p, errors.New("has no number")
	}

	weak := strings.HasPrefix(strings.ToLower(field("Alias strength")), "low")
	p.addName(
		weak,
		field("Name 1"),
		field("Name 2"),
		field("Name 3"),
		field("Name 4"),
		field("Name 5"),
		field("Name 6"),
	)
	p.addName(weak, field("Name non-latin script"))
	add(&p.Programs, field("Regime Name"))

	for _, measure := range strings.Split(field("Sanctions Imposed"), "|") {
		add(&p.Programs, measure)
	}

	add(&p.Births, ukBirth(field("D.O.B")))
	add(&p.Places, joinPlaces(field("Town of birth"), field("Country of birth")))
	add(&p.Countries, field("Address Country"))

	for _, c := range strings.Split(field("Nationality(/ies)"), "|") {
		add(&p.Countries, c)
	}

	p.addNumber("Passport", field("Passport number"))
	p.addNumber("National identifier", field("National Identifier number"))
	p.addNumber("Business registration", field("Business registration number (s)"))

	return p, nil
}

func ukType(text string) string {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "individual":
		return Individual
	case "ship":
		return Vessel
	}

	return Entity
}

// ukBirth returns a date of birth as the others write it. The list writes dd/mm/yyyy, with these letters for what is
// unknown.
func ukBirth(text string) string {
	parts := strings.Split(strings.TrimSpace(text), "/")
	if len(parts) != 3 {
		return text
	}

	out := parts[2]
	if number(parts[1]) {
		out += "-" + parts[1]
		if number(parts[0]) {
			out += "-" + parts[0]
		}
	}

	return out
}

// ukDesignation is a Designation of the list in XML.
type ukDesignation struct {
	ID      string `xml:"UniqueID"`
	Type    string `xml:"IndividualEntityShip"`
	Regime  string `xml:"RegimeName"`
	Imposed string `xml:"SanctionsImposed"`
	Names   []struct {
		Type     string `xml:"NameType"`
		Strength string `xml:"AliasStrength"`
		Name1    string `xml:"Name1"`
		Name2    string `xml:"Name2"`
		Name3    string `xml:"Name3"`
		Name4    string `xml:"Name4"`
		Name5    string `xml:"Name5"`
		Name6    string `xml:"Name6"`
	} `xml:"Names>Name"`
	NonLatin      []string `xml:"NonLatinNames>NonLatinName>NameNonLatinScript"`
	Countries     []string `xml:"Addresses>Address>AddressCountry"`
	Births        []string `xml:"IndividualDetails>Individual>DOBs>DOB"`
	Nationalities []string `xml:"IndividualDetails>Individual>Nationalities>Nationality"`
	Passports     []string `xml:"IndividualDetails>Individual>PassportDetails>Passport>PassportNumber"`
	Places        []struct {
		Town    string `xml:"TownOfBirth"`
		Country string `xml:"CountryOfBirth"`
	} `xml:"IndividualDetails>Individual>BirthDetails>Location"`
	Registrations []string `xml:"EntityDetails>Entity>BusinessRegistrationNumbers>BusinessRegistrationNumber"`
}

func readUK(d *xml.Decoder, gate *fence, _ xml.StartElement, each func(Party) error) (out Published, err error) {
	err = elements(d, gate, func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "DateGenerated":
			var s string
			if err := d.DecodeElement(&s, &e); err != nil {
				return err
			}

			out.Date, err = time.Parse("02/01/2006", strings.TrimSpace(s))

		case "Designation":
			var x ukDesignation
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}

			p, err := x.party()
			if err != nil {
				return err
			}

			return each(p)
		}

		return err
	})

	return out, err
}

func (x ukDesignation) party() (Party, error) {
	p := Party{UID: strings.TrimSpace(x.ID), Type: ukType(x.Type)}
	for _, n := range x.Names {
		weak := strings.HasPrefix(strings.ToLower(n.Strength), "low")
		p.addName(weak, n.Name1, n.Name2, n.Name3, n.Name4, n.Name5, n.Name6)
	}

	for _, n := range x.NonLatin {
		p.addName(false, n)
	}

	if p.UID == "" || len(p.Names) == 0 {
		return p, errors.New("has no number or no name")
	}

	add(&p.Programs, x.Regime)

	for _, measure := range strings.Split(x.Imposed, "|") {
		add(&p.Programs, measure)
	}

	for _, b := range x.Births {
		add(&p.Births, ukBirth(b))
	}

	for _, b := range x.Places {
		add(&p.Places, joinPlaces(b.Town, b.Country))
	}

	for _, c := range append(x.Nationalities, x.Countries...) {
		add(&p.Countries, c)
	}

	for _, n := range x.Passports {
		p.addNumber("Passport", n)
	}

	for _, n := range x.Registrations {
		p.addNumber("Business registration", n)
	}

	return p, nil
}
