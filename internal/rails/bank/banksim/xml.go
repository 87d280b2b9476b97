//go:build !nosandbox

package banksim

import (
	"bytes"
	"encoding/xml"
	"math/big"
	"strings"
	"time"
)

const day = 24 * time.Hour

func dayOf(micros int64) string { return time.UnixMicro(micros).UTC().Format(time.DateOnly) }

func stamp(micros int64) string { return time.UnixMicro(micros).UTC().Format("2006-01-02T15:04:05Z") }

// document writes one message, element by element in the schema's order.
type document struct{ bytes.Buffer }

// message starts a document such as "camt.053.001.08".
func message(name string, body func(d *document)) []byte {
	d := &document{}
	d.WriteString(
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:" + name + "\">\n",
	)
	body(d)
	d.WriteString("</Document>\n")

	return d.Bytes()
}

// in writes an element around what body writes.
func (d *document) in(tag string, body func()) {
	d.WriteString("<" + tag + ">")
	body()
	d.WriteString("</" + tag + ">\n")
}

// leaf writes a value inside nested elements ("Id>IBAN"), or nothing for an empty value.
func (d *document) leaf(path, value string) {
	if value == "" {
		return
	}

	tags := strings.Split(path, ">")
	for _, t := range tags {
		d.WriteString("<" + t + ">")
	}

	_ = xml.EscapeText(d, []byte(value)) // a buffer accepts everything
	for i := len(tags) - 1; i >= 0; i-- {
		d.WriteString("</" + tags[i] + ">")
	}

	d.WriteByte('\n')
}

// amount writes an amount with its currency, without a sign.
func (d *document) amount(tag, currency string, units *big.Int) {
	d.WriteString("<" + tag + " Ccy=\"" + currency + "\">" + formatAmount(currency, units) + "</" + tag + ">\n")
}

// side writes CdtDbtInd.
func (d *document) side(credit bool) {
	if credit {
		d.leaf("CdtDbtInd", "CRDT")
		return
	}

	d.leaf("CdtDbtInd", "DBIT")
}

// accountID writes an account's identification: an IBAN if it is one.
func (d *document) accountID(tag, number string) {
	switch {
	case number == "":
	case soundIBAN(number):
		d.leaf(tag+">Id>IBAN", number)
	default:
		d.leaf(tag+">Id>Othr>Id", shortened(number, 33))
	}
}
