//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"unicode/utf16"
)

// depth is how deep the hostile file of kind depth nests.
const depth = 200_000

// hostile writes a file that harms a careless reader. Each file contains a credit of a million that was never made
// (D-10).
func (b *Bank) hostile(ctx context.Context, t *sql.Tx, kind string) error {
	if len(b.config.Accounts) == 0 {
		return fault("kind", "needs an account at the bank.")
	}

	a := b.config.Accounts[0]
	e := entry{
		id:      999_999_999,
		account: a,
		units:   mustUnits("100000000"),
		credit:  true,
		status:  statusBooked,
		at:      b.now(),
		code:    "PMNT/RCDT/DMCT",
		details: []detail{{Units: "100000000", Debtor: "Nobody", Texts: []string{"hostile"}}},
	}
	good := string(message("camt.054.001.08", func(d *document) {
		d.in("BkToCstmrDbtCdtNtfctn", func() {
			d.leaf("GrpHdr>MsgId", "hostile")
			d.in("Ntfctn", func() {
				d.leaf("Id", "hostile")
				d.house(a, format{version: V08})
				d.entry(e, format{version: V08})
			})
		})
	}))

	body, err := spoil(kind, good)
	if err != nil {
		return err
	}

	return b.answer(ctx, t, "hostile", kind, func(string) []byte { return body })
}

// spoil makes a valid document harmful in one way.
func spoil(kind, good string) ([]byte, error) {
	_, rest, _ := strings.Cut(good, "?>")

	head := `<?xml version="1.0" encoding="UTF-8"?>`
	switch kind {
	case "dtd":
		return []byte(head + "\n<!DOCTYPE Document SYSTEM \"file:///etc/passwd\">" + rest), nil
	case "entities":
		return []byte(head + laughs() + strings.Replace(rest, "hostile", "&l9;", 1)), nil
	case "depth":
		return []byte(head + strings.Repeat("<a>", depth) + strings.Repeat("</a>", depth)), nil
	case "truncated":
		return []byte(good[:len(good)*3/4]), nil

	case "namespace":
		return []byte(
			strings.Replace(good, "urn:iso:std:iso:20022:tech:xsd:camt.054.001.08", "urn:example:not:a:bank", 1),
		), nil

	case "trailing":
		return []byte(good + "<Document/>"), nil

	case "utf16":
		out := []byte{0xff, 0xfe}
		for _, u := range utf16.Encode([]rune(strings.Replace(good, "UTF-8", "UTF-16", 1))) {
			out = append(out, byte(u), byte(u>>8))
		}

		return out, nil

	case "binary":
		return append([]byte{0x1f, 0x8b, 0x08, 0x00}, []byte(good)...), nil // claims to be compressed
	}

	return nil, fault("kind", "must be dtd, entities, depth, truncated, namespace, trailing, utf16 or binary.")
}

// laughs declares entities that would expand to a thousand million times their size.
func laughs() string {
	var s strings.Builder
	s.WriteString("\n<!DOCTYPE Document [<!ENTITY l0 \"ha\">")

	for i := 1; i < 10; i++ {
		fmt.Fprintf(&s, "<!ENTITY l%d \"%s\">", i, strings.Repeat(fmt.Sprintf("&l%d;", i-1), 10))
	}

	s.WriteString("]>")

	return s.String()
}
