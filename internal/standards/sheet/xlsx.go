package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"math/big"
	"path"
	"strconv"
	"strings"
)

// Limits of a workbook. A part that is larger when it is unpacked is damaged, or made to fill the memory.
const (
	maxPart    = 16 << 20 // bytes of one part
	maxStrings = 200_000
	digits     = 15 // of a number, as spreadsheets show it
)

// workbook reads the first sheet of a workbook.
func (t *table) workbook(content []byte) error {
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return ErrDamaged
	}

	name, err := firstSheet(archive)
	if err != nil {
		return err
	}

	words, err := sharedStrings(archive)
	if err != nil {
		return err
	}

	return part(archive, name, func(in *xml.Decoder) error { return t.sheet(in, words) })
}

// part opens a part of a workbook for read.
func part(archive *zip.Reader, name string, read func(in *xml.Decoder) error) error {
	f, err := archive.Open(name)
	if err != nil {
		return ErrDamaged
	}

	bounded := &io.LimitedReader{R: f, N: maxPart}
	err = read(xml.NewDecoder(bounded))

	if bounded.N <= 0 || err != nil && !known(err) {
		err = ErrDamaged
	}

	return errors.Join(err, f.Close())
}

// known reports whether an error is about what is in a sheet.
func known(err error) bool {
	return errors.Is(err, ErrRows) || errors.Is(err, ErrColumns) || errors.Is(err, ErrCell)
}

// firstSheet returns the name of the part that the workbook names first.
func firstSheet(archive *zip.Reader) (string, error) {
	var book struct {
		Sheets []struct {
			Relation string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}

	var relations struct {
		All []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}

	if err := part(archive, "xl/workbook.xml", decodeInto(&book)); err != nil || len(book.Sheets) == 0 {
		return "", ErrDamaged
	}

	if err := part(archive, "xl/_rels/workbook.xml.rels", decodeInto(&relations)); err != nil {
		return "", ErrDamaged
	}

	for _, r := range relations.All {
		switch {
		case r.ID != book.Sheets[0].Relation:
		case strings.HasPrefix(r.Target, "/"):
			return strings.TrimPrefix(r.Target, "/"), nil
		default:
			return path.Join("xl", r.Target), nil
		}
	}

	return "", ErrDamaged
}

func decodeInto(v any) func(in *xml.Decoder) error {
	return func(in *xml.Decoder) error { return in.Decode(v) }
}

// richText is a text, of one piece or of several with formats of their own. What is said of its pronunciation (rPh) is
// no part of it.
type richText struct {
	Text   string `xml:"t"`
	Pieces []struct {
		Text string `xml:"t"`
	} `xml:"r"`
}

// String returns the pieces in one.
func (r richText) String() string {
	out := r.Text
	for _, p := range r.Pieces {
		out += p.Text
	}

	return out
}

// sharedStrings returns the texts that cells refer to. A workbook may have none.
func sharedStrings(archive *zip.Reader) (words []string, err error) {
	const name = "xl/sharedStrings.xml"
	if _, err := fs.Stat(archive, name); err != nil {
		return nil, nil //nolint:nilerr // there are none
	}

	err = part(archive, name, func(in *xml.Decoder) error {
		return each(in, "si", func(start xml.StartElement) error {
			var s richText

			if len(words) == maxStrings {
				return ErrDamaged
			}

			err := in.DecodeElement(&s, &start)
			words = append(words, s.String())

			return err
		})
	})

	return words, err
}

// each calls read at every element of a name, until the document ends.
func each(in *xml.Decoder, name string, read func(start xml.StartElement) error) error {
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}

		if err != nil {
			return err
		}

		if start, ok := token.(xml.StartElement); ok && start.Name.Local == name {
			if err := read(start); err != nil {
				return err
			}
		}
	}
}

// sheet reads the rows of a sheet.
func (t *table) sheet(in *xml.Decoder, words []string) error {
	line := 0

	return each(in, "row", func(start xml.StartElement) error {
		var row struct {
			Number int `xml:"r,attr"`
			Cells  []struct {
				At     string   `xml:"r,attr"`
				Type   string   `xml:"t,attr"`
				Value  string   `xml:"v"`
				Inline richText `xml:"is"`
			} `xml:"c"`
		}
		if err := in.DecodeElement(&row, &start); err != nil {
			return err
		}

		line = max(line+1, row.Number)

		var cells []string
		for _, c := range row.Cells {
			column := len(cells)
			if at := columnOf(c.At); at >= 0 {
				column = at
			}

			if column < len(cells) || column >= 1<<14 { // each column once, in order
				return ErrDamaged
			}

			cells = append(cells, make([]string, column-len(cells)+1)...)

			switch c.Type {
			case "s":
				i, err := strconv.Atoi(c.Value)
				if err != nil || i < 0 || i >= len(words) {
					return ErrDamaged
				}

				cells[column] = words[i]
			case "inlineStr":
				cells[column] = c.Inline.String()
			case "", "n":
				cells[column] = number(c.Value)
			default:
				cells[column] = c.Value
			}
		}

		return t.add(line, cells)
	})
}

// columnOf returns the column of a reference such as C7, from 0, or -1.
func columnOf(reference string) int {
	n := 0
	for _, c := range strings.TrimRight(reference, "0123456789") {
		if c < 'A' || c > 'Z' || n > 1<<14 {
			return -1
		}

		n = n*26 + int(c-'A') + 1
	}

	return n - 1
}

// number returns a stored number as a decimal with the digits that a spreadsheet shows. What is stored may have more of
// them, or an exponent: 0.30000000000000004 was entered as 0.1+0.2. Anything else is returned as it is.
func number(stored string) string {
	mantissa, exponent, scientific := strings.Cut(strings.ToUpper(stored), "E")
	size, err := strconv.Atoi(exponent)

	if scientific && (err != nil || size < -30 || size > 30) || len(mantissa) > 40 {
		return stored
	}

	if !scientific && len(strings.Trim(strings.Replace(mantissa, ".", "", 1), "-0")) <= digits {
		return stored
	}

	value, ok := new(big.Rat).SetString(stored)
	if !ok {
		return stored
	}

	// The first digit's place says how many decimals the 15 digits leave.
	whole := new(big.Int).Quo(value.Num(), value.Denom())
	places := digits - len(strings.Trim(whole.String(), "-"))

	if whole.Sign() == 0 {
		_, decimals, _ := strings.Cut(value.FloatString(40), ".")
		places = digits + len(decimals) - len(strings.TrimLeft(decimals, "0"))
	}

	out := value.FloatString(max(places, 0))
	if strings.Contains(out, ".") {
		out = strings.TrimRight(strings.TrimRight(out, "0"), ".")
	}

	return out
}
