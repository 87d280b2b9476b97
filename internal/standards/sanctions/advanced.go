package sanctions

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"time"
)

// advancedParty is a DistinctParty of SDN_ADVANCED.XML (the Advanced Sanctions Data Model), with what screening needs.
// Types are numbers, which the reference sets at the beginning of the file define.
type advancedParty struct {
	Profiles []struct {
		ID         string `xml:"ID,attr"`
		SubType    string `xml:"PartySubTypeID,attr"`
		Identities []struct {
			Aliases []struct {
				LowQuality bool `xml:"LowQuality,attr"`
				Names      []struct {
					Parts []string `xml:"DocumentedNamePart>NamePartValue"`
				} `xml:"DocumentedName"`
			} `xml:"Alias"`
		} `xml:"Identity"`
		Features []struct {
			Type   string   `xml:"FeatureTypeID,attr"`
			Values []string `xml:"FeatureVersion>VersionDetail"`
		} `xml:"Feature"`
	} `xml:"Profile"`
}

// reference is an entry of a reference set: the meaning of a number.
type reference struct {
	ID   string `xml:"ID,attr"`
	Text string `xml:",chardata"`
}

// explained holds the required reference sets: of features only those that are digital currency addresses.
type explained struct{ features, types map[string]string }

func readAdvanced(d *xml.Decoder, gate *fence, _ xml.StartElement, each func(Party) error) (out Published, err error) {
	sets := explained{map[string]string{}, map[string]string{}}

	err = elements(d, gate, func(e xml.StartElement) (err error) {
		switch e.Name.Local {
		case "DateOfIssue":
			out.Date, err = readDate(d, e)

		case "FeatureType", "PartySubType":
			var r reference
			if err := d.DecodeElement(&r, &e); err != nil {
				return err
			}

			sets.add(e.Name.Local, r)

		case "DistinctParty":
			var x advancedParty
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}

			return x.parties(sets, each)
		}

		return err
	})
	if err == nil && len(sets.features) == 0 {
		err = errors.New("its reference sets name no digital currency address: no address in it could be recognised")
	}

	return out, err
}

func (s explained) add(set string, r reference) {
	text := strings.TrimSpace(r.Text)
	switch {
	case set == "PartySubType":
		s.types[r.ID] = strings.ToLower(text)
	case strings.HasPrefix(text, marker):
		s.features[r.ID] = text
	}
}

func readDate(d *xml.Decoder, e xml.StartElement) (time.Time, error) {
	var x struct{ Year, Month, Day int }
	if err := d.DecodeElement(&x, &e); err != nil {
		return time.Time{}, err
	}

	day := time.Date(x.Year, time.Month(x.Month), x.Day, 0, 0, 0, 0, time.UTC)
	if day.Day() != x.Day || int(day.Month()) != x.Month || day.Year() < 1990 {
		return time.Time{}, fmt.Errorf("%d-%d-%d is not a date", x.Year, x.Month, x.Day)
	}

	return day, nil
}

func (x advancedParty) parties(sets explained, each func(Party) error) error {
	for _, profile := range x.Profiles {
		p := Party{UID: profile.ID, Type: sets.types[profile.SubType]}
		if p.UID == "" {
			return errors.New("has no number")
		}

		for _, identity := range profile.Identities {
			for _, alias := range identity.Aliases {
				for _, name := range alias.Names {
					if text := strings.Join(name.Parts, " "); strings.TrimSpace(text) != "" {
						p.Names = append(p.Names, Name{Text: text, Weak: alias.LowQuality})
					}
				}
			}
		}

		for _, feature := range profile.Features {
			for _, value := range feature.Values {
				if err := p.addFeature(sets.features[feature.Type], value); err != nil {
					return err
				}
			}
		}

		if err := each(p); err != nil {
			return err
		}
	}

	return nil
}
