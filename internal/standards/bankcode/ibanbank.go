package bankcode

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"slipway/internal/standards/iban"
)

// Bank is the institution that an IBAN belongs to.
type Bank struct {
	BIC  BIC
	Name string // empty: the table has none
}

// Banks is a table from the bank's code in an IBAN to the bank. The operator supplies it: central banks publish theirs,
// and no free one has all. A nil Banks is empty. It does not change after it was read.
type Banks struct{ byCode map[bankKey]Bank }

type bankKey struct{ country, code string }

// bankHeader is the first line of the file.
var bankHeader = []string{"country", "bankCode", "bicSwift", "name"}

// ReadBanks reads a CSV file (RFC 4180, UTF-8) with the header country,bankCode,bicSwift,name. country is the first two
// letters of the IBAN, bankCode the bank's code as it stands in the IBAN, leading zeros included; name may be empty.
// Lines that begin with # are comments. An error names the line: a wrong record is not skipped, since people rely on
// the table.
func ReadBanks(r io.Reader) (*Banks, error) {
	in := csv.NewReader(r)
	in.Comment = '#'
	in.FieldsPerRecord = len(bankHeader)
	in.ReuseRecord = true

	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("table of banks: %w", err)
	}

	if !slices.Equal(header, bankHeader) {
		return nil, fmt.Errorf("table of banks: the first line is not %s", strings.Join(bankHeader, ","))
	}

	t := &Banks{byCode: map[bankKey]Bank{}}

	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}

		if err == nil {
			err = t.add(record)
		}

		if err != nil {
			line, _ := in.FieldPos(0)
			return nil, fmt.Errorf("table of banks: line %d: %w", line, err)
		}
	}
}

func (t *Banks) add(record []string) error {
	key := bankKey{strings.Clone(record[0]), strings.Clone(record[1])}

	bic, err := ParseBIC(record[2])
	if err != nil {
		return err
	}

	switch _, twice := t.byCode[key]; {
	case twice:
		return fmt.Errorf("the bank code %s of %s is there twice", key.code, key.country)
	case len(key.code) != iban.BankLength(key.country):
		return fmt.Errorf("%q is no bank code of %q: it has %d characters in an IBAN",
			key.code, key.country, iban.BankLength(key.country))
	case len(t.byCode) == maxRecords:
		return fmt.Errorf("more than %d banks", maxRecords)
	}

	t.byCode[key] = Bank{BIC: bic, Name: strings.TrimSpace(strings.Clone(record[3]))}

	return nil
}

// Lookup returns the bank that an IBAN belongs to; known is false if the table does not have it.
func (t *Banks) Lookup(x iban.IBAN) (b Bank, known bool) {
	if t == nil {
		return Bank{}, false
	}

	b, known = t.byCode[bankKey{x.Country(), x.Bank()}]

	return b, known
}
