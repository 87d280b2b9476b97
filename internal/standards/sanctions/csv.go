package sanctions

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// null is how the Treasury's comma separated files write an empty value.
const null = "-0-"

// tradeHeader begins the first row of the Consolidated Screening List. The Treasury's files have no header.
const tradeHeader = "_id"

// ReadCSV reads a comma separated file and passes each record as a part of a party. The columns of each record show
// which file it is: the Treasury's have no header.
func ReadCSV(r io.Reader, each func(Party) error) error {
	var columns map[string]int

	// The Treasury does not double the quotes within its fields.
	return records(r, lazyQuotes, func(record []string) error {
		if len(record) == 1 && strings.Trim(record[0], "\x1a \r\n") == "" {
			return nil // the Treasury ends its files with a control-Z
		}

		if columns == nil && strings.TrimPrefix(record[0], "\ufeff") == tradeHeader {
			columns = columnsOf(record)
			return nil
		}

		p, err := readRecord(record, columns)
		if err != nil {
			return err
		}

		return each(p)
	})
}

// quoting says how quotes within the fields of a file are read.
type quoting bool

const (
	strictQuotes quoting = false
	lazyQuotes   quoting = true // a quote within a field may stand for itself
)

// records passes each record of a comma separated file, which may have any number of fields. An error names the line.
// Files are in UTF-8: a name in another encoding would be found by nobody.
func records(r io.Reader, quotes quoting, each func([]string) error) error {
	gate := &fence{from: r}
	reader := csv.NewReader(gate)
	reader.FieldsPerRecord = -1
	reader.LazyQuotes = bool(quotes)

	for {
		gate.open()

		record, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}

		if err != nil {
			return err
		}

		for i, field := range record {
			if !utf8.ValidString(field) {
				line, _ := reader.FieldPos(i)
				return fmt.Errorf("line %d: is not in UTF-8: %q", line, short(field))
			}
		}

		if err := each(record); err != nil {
			line, _ := reader.FieldPos(0)
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// columnsOf returns the place of each column that a header names.
func columnsOf(header []string) map[string]int {
	out := map[string]int{}
	for i, name := range header {
		out[strings.TrimSpace(name)] = i
	}

	return out
}

// readRecord distinguishes the files by their columns (the Treasury's data specification): ALT.CSV has five and ADD.CSV
// six, the first two of them numbers; SDN_COMMENTS.CSV has two; SDN.CSV twelve.
func readRecord(record []string, columns map[string]int) (Party, error) {
	if columns != nil {
		return tradeRecord(record, columns)
	}

	fields := make([]string, len(record))
	for i, f := range record {
		if f = strings.TrimSpace(f); f != null {
			fields[i] = f
		}
	}

	if !number(fields[0]) {
		return Party{}, fmt.Errorf("does not begin with the number of a party: %q", short(fields[0]))
	}

	p := Party{UID: fields[0]}

	second := len(fields) > 1 && number(fields[1])
	switch {
	case len(fields) == 2:
		p.More = fields[1]
	case len(fields) == 5 && second:
		p.Names = append(p.Names, Name{Text: fields[3]})

	case len(fields) == 6 && second:
		if fields[4] != "" {
			p.Countries = []string{fields[4]}
		}

	case len(fields) > 4:
		return mainRecord(p, fields)
	default:
		return p, fmt.Errorf("has %d columns, unlike the Treasury's files", len(fields))
	}

	return p, nil
}

// mainRecord reads a record of SDN.CSV: number, name, type, programs, …, remarks.
func mainRecord(p Party, fields []string) (_ Party, err error) {
	if fields[1] == "" {
		return p, errors.New("has no name")
	}

	p.Names = []Name{{Text: fields[1]}}
	p.Type = strings.ToLower(fields[2])

	p.Programs = strings.Split(fields[3], "] [")
	if p.Type == "" {
		p.Type = Entity
	}

	var aliases []Name
	p.Addresses, aliases, p.Cut, err = Remarks(fields[len(fields)-1])
	p.Names = append(p.Names, aliases...)
	p.AddFacts(strings.TrimSuffix(fields[len(fields)-1], p.Cut))

	return p, err
}

// AddFacts stores what remarks say of a birth and of documents: the comma separated files have no columns for them.
func (p *Party) AddFacts(remarks string) {
	for _, item := range strings.Split(strings.TrimSuffix(strings.TrimSpace(remarks), "."), ";") {
		item = strings.TrimPrefix(strings.TrimSpace(item), "alt. ")

		kind, rest, _ := strings.Cut(item, " ")
		switch kind {
		case "DOB":
			add(&p.Births, rest)
		case "POB":
			add(&p.Places, rest)
		case "Passport", "SSN", "National", "Registration", "Tax", "Business", "Company", "V.A.T.", "Identification":
			add(&p.Numbers, item)
		}
	}
}

// tradeRecord reads a record of the Consolidated Screening List by its header's names.
func tradeRecord(record []string, columns map[string]int) (p Party, err error) {
	field := func(name string) string {
		i, ok := columns[name]
		if !ok || i >= len(record) {
			return ""
		}

		return record[i]
	}
	if p.UID = field("entity_number"); p.UID == "" {
		p.UID = field(tradeHeader)
	}

	if p.Type = strings.ToLower(field("type")); p.Type == "" {
		p.Type = Entity
	}

	if p.UID == "" || field("name") == "" {
		return p, errors.New("has no number or no name")
	}

	p.Names = []Name{{Text: field("name")}}
	for _, alias := range split(field("alt_names"), ";") {
		p.Names = append(p.Names, Name{Text: alias})
	}

	p.Programs = split(field("programs"), ";")
	for _, item := range split(field("ids"), ";") { // type, number, country
		if _, rest, ok := strings.Cut(item, marker); ok {
			a, err := readAddress(strings.ReplaceAll(rest, ",", " "))
			if err != nil {
				return p, err
			}

			p.Addresses = append(p.Addresses, a)
		}
	}

	return p, nil
}

// split returns the non-empty parts.
func split(s, separator string) (out []string) {
	for _, part := range strings.Split(s, separator) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}

	return out
}

func number(s string) bool {
	if s == "" || len(s) > 10 {
		return false
	}

	return strings.Trim(s, "0123456789") == ""
}
