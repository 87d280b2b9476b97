//go:build !nosandbox

package banksim

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// orderMessage is the namespace of a payment file.
const orderMessage = "pain.001.001.09"

// maxOrder limits the size of a payment file.
const maxOrder = 64 << 20

// order is a payment file with the fields that this bank needs.
type order struct {
	XMLName xml.Name    `xml:"urn:iso:std:iso:20022:tech:xsd:pain.001.001.09 Document"`
	Header  orderHeader `xml:"CstmrCdtTrfInitn>GrpHdr"`
	Blocks  []block     `xml:"CstmrCdtTrfInitn>PmtInf"`
}

type orderHeader struct {
	MsgID   string `xml:"MsgId"`
	Created string `xml:"CreDtTm"`
	Count   string `xml:"NbOfTxs"`
	Sum     string `xml:"CtrlSum"`
}

type block struct {
	ID        string     `xml:"PmtInfId"`
	Method    string     `xml:"PmtMtd"`
	Batch     string     `xml:"BtchBookg"`
	Count     string     `xml:"NbOfTxs"`
	Sum       string     `xml:"CtrlSum"`
	Service   string     `xml:"PmtTpInf>SvcLvl>Cd"`
	Local     string     `xml:"PmtTpInf>LclInstrm>Cd"`
	Date      string     `xml:"ReqdExctnDt>Dt"`
	DateTime  string     `xml:"ReqdExctnDt>DtTm"`
	DebtorIB  string     `xml:"DbtrAcct>Id>IBAN"`
	DebtorNo  string     `xml:"DbtrAcct>Id>Othr>Id"`
	Currency  string     `xml:"DbtrAcct>Ccy"`
	Charges   string     `xml:"ChrgBr"`
	Transfers []transfer `xml:"CdtTrfTxInf"`
}

type transfer struct {
	InstrID    string `xml:"PmtId>InstrId"`
	EndToEndID string `xml:"PmtId>EndToEndId"`
	UETR       string `xml:"PmtId>UETR"`
	Amount     struct {
		Currency string `xml:"Ccy,attr"`
		Text     string `xml:",chardata"`
	} `xml:"Amt>InstdAmt"`
	Charges  string   `xml:"ChrgBr"`
	AgentBIC string   `xml:"CdtrAgt>FinInstnId>BICFI"`
	AgentNo  string   `xml:"CdtrAgt>FinInstnId>ClrSysMmbId>MmbId"`
	Creditor string   `xml:"Cdtr>Nm"`
	IBAN     string   `xml:"CdtrAcct>Id>IBAN"`
	Number   string   `xml:"CdtrAcct>Id>Othr>Id"`
	Texts    []string `xml:"RmtInf>Ustrd"`
	Ref      string   `xml:"RmtInf>Strd>CdtrRefInf>Ref"`
	ACH      *ach     `xml:"-"` // of a Nacha file
}

// refusal is why a file, a block or a payment is not executed: a code of ISO's external status reasons, and a text.
type refusal struct{ code, text string }

// Error returns code and text.
func (r *refusal) Error() string { return r.code + ": " + r.text }

func refuse(code, format string, args ...any) *refusal {
	return &refusal{code, fmt.Sprintf(format, args...)}
}

// readOrder parses a payment file and checks it. With a refusal, the order may still have the MsgId.
func readOrder(raw []byte) (*order, error) {
	if len(raw) > maxOrder {
		return &order{}, refuse("FF01", "the file is larger than %d bytes", maxOrder)
	}

	if isNacha(raw) {
		return readNacha(raw)
	}

	o := &order{}

	d := xml.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(o); err != nil {
		return o, refuse("FF01", "not a %s: %s", orderMessage, shortened(err.Error(), 60))
	}

	for {
		rest, err := d.Token()
		if errors.Is(err, io.EOF) {
			return o, o.check()
		}

		if blank, is := rest.(xml.CharData); err != nil || !is || len(bytes.TrimSpace(blank)) > 0 {
			return o, refuse("FF01", "something follows the document")
		}
	}
}

// check compares the file's counts, sums and identifiers with its content.
func (o *order) check() error {
	if o.Header.MsgID == "" || len(o.Header.MsgID) > 35 {
		return refuse("FF01", "MsgId is missing or too long")
	}

	if _, err := time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(cutFraction(o.Header.Created), "Z")); err != nil {
		return refuse("DT01", "CreDtTm %q", shortened(o.Header.Created, 30))
	}

	var all []string
	blocks := map[string]bool{}

	ends := map[string]bool{}
	for _, p := range o.Blocks {
		if p.ID == "" || len(p.ID) > 35 || blocks[p.ID] {
			return refuse("DU02", "PmtInfId %q is missing, too long or used twice", shortened(p.ID, 40))
		}

		blocks[p.ID] = true

		amounts := p.amounts()
		if err := checkTotals(p.Count, p.Sum, amounts, false); err != nil {
			return err
		}

		all = append(all, amounts...)

		for _, t := range p.Transfers {
			if t.EndToEndID == "" || len(t.EndToEndID) > 35 || ends[t.EndToEndID] {
				return refuse("DU04", "EndToEndId %q is missing, too long or used twice", shortened(t.EndToEndID, 40))
			}

			ends[t.EndToEndID] = true
		}
	}

	if len(all) == 0 {
		return refuse("FF01", "there is no payment in it")
	}

	return checkTotals(o.Header.Count, o.Header.Sum, all, true)
}

// cutFraction removes the fraction of seconds and a zone from a time.
func cutFraction(s string) string {
	if i := strings.IndexAny(s, ".+"); i > 0 {
		return s[:i]
	}

	return s
}

// checkTotals compares the number and the plain sum of the amounts. Only the group's number is mandatory.
func checkTotals(count, sum string, amounts []string, group bool) error {
	if n, err := strconv.Atoi(count); (count != "" || group) && (err != nil || n != len(amounts)) {
		return refuse("AM18", "NbOfTxs is %q, there are %d", shortened(count, 20), len(amounts))
	}

	if sum == "" {
		return nil
	}

	is, err := plainSum(amounts)
	if err != nil {
		return refuse("FF01", "%s", shortened(err.Error(), 80))
	}

	if stated, err := plain(sum); err != nil || stated.Cmp(is) != 0 {
		return refuse("AM10", "CtrlSum is %q, the sum is %s", shortened(sum, 30), is.FloatString(5))
	}

	return nil
}

func (p block) amounts() []string {
	out := make([]string, len(p.Transfers))
	for i, t := range p.Transfers {
		out[i] = t.Amount.Text
	}

	return out
}

// payment is what the books store of a transfer, to answer later.
type payment struct {
	MsgID, PmtInfID, InstrID, EndToEndID, UETR string
	Currency                                   string
	Creditor, CreditorAccount, CreditorAgent   string
	CreditorHasIBAN                            bool
	Texts                                      []string
	Reference                                  string
	Charges                                    string
	Service                                    string
	Batch                                      bool
	Amount                                     string `json:",omitempty"`
	ACH                                        *ach   `json:",omitempty"` // of a Nacha file
}

func (o *order) payment(p block, t transfer) payment {
	out := payment{
		MsgID:           o.Header.MsgID,
		PmtInfID:        p.ID,
		InstrID:         t.InstrID,
		EndToEndID:      t.EndToEndID,
		UETR:            t.UETR,
		Currency:        t.Amount.Currency,
		Creditor:        t.Creditor,
		CreditorAccount: t.IBAN,
		CreditorHasIBAN: t.IBAN != "",
		CreditorAgent:   t.AgentBIC,
		Texts:           t.Texts,
		Reference:       t.Ref,
		Charges:         t.Charges,
		Service:         p.Service,
		Batch:           p.Batch == "true" || p.Batch == "1",
		Amount:          t.Amount.Text,
		ACH:             t.ACH,
	}
	if out.CreditorAccount == "" {
		out.CreditorAccount = t.Number
	}

	if out.CreditorAgent == "" {
		out.CreditorAgent = t.AgentNo
	}

	if out.Charges == "" {
		out.Charges = p.Charges
	}

	return out
}

// uetr is the form of a unique end-to-end transaction reference: a lower-case UUID, version 4.
var uetr = regexp.MustCompile(`^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$`)

// checkTransfer checks what this bank requires of every payment.
func checkTransfer(t transfer, account Account) *refusal {
	switch {
	case t.Amount.Currency != account.Currency:
		return refuse(
			"AM03",
			"the account is in %s, the payment in %s",
			account.Currency,
			shortened(t.Amount.Currency, 10),
		)

	case t.Creditor == "" || len([]rune(t.Creditor)) > 140:
		return refuse("BE22", "the creditor's name is missing or too long")
	case t.IBAN == "" && t.Number == "":
		return refuse("AC01", "the creditor's account is missing")
	case t.IBAN != "" && !soundIBAN(t.IBAN):
		return refuse("AC01", "the creditor's IBAN is wrong")
	case t.IBAN == "" && t.AgentBIC == "" && t.AgentNo == "":
		return refuse("RC04", "the creditor's bank is missing")
	case t.UETR != "" && !uetr.MatchString(t.UETR):
		return refuse("NARR", "the UETR is no UUID of version 4")
	case len(t.InstrID) > 35:
		return refuse("NARR", "InstrId is too long")
	case t.Ref != "" && len(t.Texts) > 0:
		return refuse("NARR", "remittance information is either structured or not")
	}

	for _, text := range t.Texts {
		if len([]rune(text)) > 140 {
			return refuse("NARR", "remittance information is longer than 140 characters")
		}
	}

	if units, err := parseAmount(t.Amount.Currency, t.Amount.Text); err != nil || units.Sign() <= 0 {
		return refuse("AM12", "the amount is %q", shortened(t.Amount.Text, 30))
	}

	return nil
}

// soundIBAN checks an IBAN's check digits (ISO 7064, mod 97-10).
func soundIBAN(iban string) bool {
	if len(iban) < 15 || len(iban) > 34 {
		return false
	}

	rest := 0
	for _, c := range []byte(iban[4:] + iban[:4]) {
		switch {
		case c >= '0' && c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			rest = (rest*100 + int(c-'A') + 10) % 97
		default:
			return false
		}
	}

	return rest == 1
}

// shortened truncates a text from outside.
func shortened(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}

	return s
}
