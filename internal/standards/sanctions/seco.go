package sanctions

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// secoTarget is a target of the complete Swiss list. Those that were taken off it stay in the file, and modifications
// repeat names that no longer count.
type secoTarget struct {
	ID         string         `xml:"ssid,attr"`
	Sets       []string       `xml:"sanctions-set-id"`
	Individual []secoIdentity `xml:"individual>identity"`
	Entity     []secoIdentity `xml:"entity>identity"`
	Object     struct {
		Type       string         `xml:"object-type,attr"`
		Identities []secoIdentity `xml:"identity"`
	} `xml:"object"`
	Modifications []struct {
		Type string `xml:"modification-type,attr"`
		On   string `xml:"effective-date,attr"`
	} `xml:"modification"`
}

type secoIdentity struct {
	Names []struct {
		Quality string     `xml:"quality,attr"`
		Parts   []secoPart `xml:"name-part"`
	} `xml:"name"`
	Births []struct {
		Day   int `xml:"day,attr"`
		Month int `xml:"month,attr"`
		Year  int `xml:"year,attr"`
	} `xml:"day-month-year"`
	Born []struct {
		Place string `xml:"place-id,attr"`
	} `xml:"place-of-birth"`
	Nationalities []string `xml:"nationality>country"`
	Addresses     []struct {
		Place string `xml:"place-id,attr"`
	} `xml:"address"`
	Documents []struct {
		Kind   string `xml:"document-type,attr"`
		Number string `xml:"number"`
	} `xml:"identification-document"`
}

// secoPart is a part of a name, in all spellings.
type secoPart struct {
	Order    int    `xml:"order,attr"`
	Value    string `xml:"value"`
	Variants []struct {
		Script string `xml:"script,attr"`
		Text   string `xml:",chardata"`
	} `xml:"spelling-variant"`
}

type secoPlace struct {
	ID       string `xml:"ssid,attr"`
	Location string `xml:"location"`
	Area     string `xml:"area"`
	Country  string `xml:"country"`
}

func readSECO(d *xml.Decoder, gate *fence, root xml.StartElement, each func(Party) error) (out Published, err error) {
	if out.Date, err = dayOf(attribute(root, "date")); err != nil {
		return out, fmt.Errorf("date: %w", err)
	}

	var (
		programs = map[string]string{} // by the number of a set
		places   = map[string]secoPlace{}
		targets  []secoTarget // places follow them
	)

	err = elements(d, gate, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "sanctions-program":
			return secoProgram(d, e, programs)

		case "target":
			var x secoTarget
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}

			if !x.delisted() {
				targets = append(targets, x)
			}

		case "place":
			var x secoPlace
			if err := d.DecodeElement(&x, &e); err != nil {
				return err
			}

			places[x.ID] = x
		}

		return nil
	})
	if err != nil {
		return out, err
	}

	for _, x := range targets {
		p, err := x.party(programs, places)
		if err == nil {
			err = each(p)
		}

		if err != nil {
			return out, fmt.Errorf("target %s: %w", x.ID, err)
		}
	}

	return out, nil
}

// secoProgram notes the programme of each set, by its English key.
func secoProgram(d *xml.Decoder, e xml.StartElement, programs map[string]string) error {
	var x struct {
		Keys []struct {
			Lang string `xml:"lang,attr"`
			Text string `xml:",chardata"`
		} `xml:"program-key"`
		Sets []struct {
			ID string `xml:"ssid,attr"`
		} `xml:"sanctions-set"`
	}
	if err := d.DecodeElement(&x, &e); err != nil {
		return err
	}

	key := ""
	for _, k := range x.Keys {
		if key == "" || k.Lang == "eng" {
			key = strings.TrimSpace(k.Text)
		}
	}

	for _, set := range x.Sets {
		programs[set.ID] = key
	}

	return nil
}

// delisted reports whether the last thing that happened to a target is that it was taken off the list.
func (x secoTarget) delisted() bool {
	last := ""
	on := ""

	for _, m := range x.Modifications {
		if m.On >= on {
			last, on = m.Type, m.On
		}
	}

	return last == "de-listed"
}

func (x secoTarget) party(programs map[string]string, places map[string]secoPlace) (Party, error) {
	p := Party{UID: "SECO." + x.ID, Type: Entity}

	switch {
	case len(x.Individual) > 0:
		p.Type = Individual
	case len(x.Object.Identities) > 0:
		p.Type = strings.ToLower(strings.TrimSpace(x.Object.Type))
	}

	for _, set := range x.Sets {
		add(&p.Programs, programs[strings.TrimSpace(set)])
	}

	for _, i := range slices.Concat(x.Individual, x.Entity, x.Object.Identities) {
		i.addTo(&p, places)
	}

	if x.ID == "" || len(p.Names) == 0 {
		return p, errors.New("has no number or no name")
	}

	return p, nil
}

func (i secoIdentity) addTo(p *Party, places map[string]secoPlace) {
	for _, n := range i.Names {
		for _, text := range spellings(n.Parts) {
			p.addName(n.Quality == "low", text)
		}
	}

	for _, b := range i.Births {
		switch {
		case b.Year == 0:
		case b.Month == 0 || b.Day == 0:
			add(&p.Births, fmt.Sprint(b.Year))
		default:
			add(&p.Births, fmt.Sprintf("%04d-%02d-%02d", b.Year, b.Month, b.Day))
		}
	}

	for _, b := range i.Born {
		at := places[b.Place]
		add(&p.Places, joinPlaces(at.Location, at.Area, at.Country))
	}

	for _, c := range i.Nationalities {
		add(&p.Countries, c)
	}

	for _, a := range i.Addresses {
		add(&p.Countries, places[a.Place].Country)
	}

	for _, document := range i.Documents {
		p.addNumber(document.Kind, document.Number)
	}
}

// spellings returns a name in all spellings of its parts: once as they are listed, and once for each script, in which a
// part that has no spelling stands as it is listed. A part with several spellings in one script gives one name for
// each.
func spellings(parts []secoPart) []string {
	slices.SortStableFunc(parts, func(a, b secoPart) int { return a.Order - b.Order })

	var scripts []string
	for _, part := range parts {
		for _, v := range part.Variants {
			if !slices.Contains(scripts, v.Script) {
				scripts = append(scripts, v.Script)
			}
		}
	}

	out := []string{joined(parts, func(p secoPart) string { return p.Value })}

	for _, script := range scripts {
		for n := 0; ; n++ {
			more := false
			name := joined(parts, func(p secoPart) string {
				spelling, has := p.in(script, n)
				more = more || has
				return spelling
			})

			if !more {
				break
			}

			out = append(out, name)
		}
	}

	return out
}

// in returns the spelling with this number in a script, and whether there is one; else the last one before it, or the
// part as it is listed.
func (p secoPart) in(script string, n int) (spelling string, has bool) {
	spelling = p.Value

	for _, v := range p.Variants {
		if v.Script != script {
			continue
		}

		spelling = v.Text
		if n == 0 {
			return spelling, true
		}

		n--
	}

	return spelling, false
}

func joined(parts []secoPart, text func(secoPart) string) string {
	words := make([]string, len(parts))
	for i, p := range parts {
		words[i] = strings.TrimSpace(text(p))
	}

	return strings.Join(words, " ")
}
