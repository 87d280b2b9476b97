package camt

import (
	"encoding/xml"
	"io"
	"time"
	"unicode/utf8"

	"slipway/internal/standards/iso20022"
)

// The longest texts of the elements that are written (ISO 20022 types Max34Text and so on).
const (
	maxAccount    = 34
	maxReference  = 35
	maxName       = 70
	maxRemittance = 140
	maxInfo       = 500
)

// Own is the account of a statement that is written. ID is not an IBAN; Place says what ID alone does not.
type Own struct {
	ID, Issuer, Currency, Name, Place, Owner string
}

// OwnEntry is an entry that is written. Amount is without a sign.
type OwnEntry struct {
	Reference   string // unique on the account
	Amount      iso20022.Amount
	Credit      bool
	Booked      time.Time // day
	Valued      time.Time // day
	Code        string    // what happened, as a word of the issuer's own
	Transaction string
	Remittance  string
	Info        string
}

// Writer writes one message camt.053.001.08 with statements of accounts, an entry after another, without holding them.
// The calls follow the message: Begin, Entry …, End, again Begin …, Close. Texts that are longer than their element are
// cut. The first error is kept, and Close returns it.
type Writer struct {
	xml *xml.Encoder
	out io.Writer
	id  string
	err error
}

// NewWriter begins a message.
func NewWriter(out io.Writer, id, issuer string, made time.Time) *Writer {
	w := &Writer{xml: xml.NewEncoder(out), out: out, id: id}

	_, w.err = io.WriteString(out, xml.Header)
	w.open("Document", xml.Attr{
		Name:  xml.Name{Local: "xmlns"},
		Value: "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08",
	})
	w.open("BkToCstmrStmt")
	w.open("GrpHdr")
	w.leaf(cut(id, maxReference), "MsgId")
	w.leaf(stampText(made), "CreDtTm")
	w.leaf(cut(issuer, maxInfo), "AddtlInf")
	w.close("GrpHdr")

	return w
}

// Begin begins the statement of an account: from a day to another, both included, with the signed balances before and
// after them.
func (w *Writer) Begin(id string, made, from, to time.Time, a Own, opening, closing SignedAmount) {
	w.open("Stmt")
	w.leaf(cut(id, maxReference), "Id")
	w.leaf(stampText(made), "CreDtTm")
	w.open("FrToDt")
	w.leaf(dayText(from)+"T00:00:00Z", "FrDtTm")
	w.leaf(dayText(to)+"T23:59:59Z", "ToDtTm")
	w.close("FrToDt")

	w.open("Acct")
	w.open("Id")
	w.open("Othr")
	w.leaf(cut(a.ID, maxAccount), "Id")
	w.leaf(cut(a.Issuer, maxReference), "Issr")
	w.close("Othr")
	w.close("Id")
	w.leaf(a.Currency, "Ccy")
	w.leaf(cut(a.Name, maxName), "Nm")
	w.leaf(a.Place, "Prxy", "Id")
	w.leaf(cut(a.Owner, maxName), "Ownr", "Nm")
	w.close("Acct")

	w.balance("OPBD", a.Currency, opening, from)
	w.balance("CLBD", a.Currency, closing, to)
}

// SignedAmount is a balance. Its text has no sign.
type SignedAmount struct {
	Value    string
	Negative bool
}

func (w *Writer) balance(kind, currency string, b SignedAmount, on time.Time) {
	w.open("Bal")
	w.leaf(kind, "Tp", "CdOrPrtry", "Cd")
	w.amount(iso20022.Amount{Value: b.Value, Currency: currency})
	w.side(!b.Negative)
	w.leaf(dayText(on), "Dt", "Dt")
	w.close("Bal")
}

// Entry writes a booked entry of the statement.
func (w *Writer) Entry(e OwnEntry) {
	w.open("Ntry")
	w.leaf(cut(e.Reference, maxReference), "NtryRef")
	w.amount(e.Amount)
	w.side(e.Credit)
	w.leaf("BOOK", "Sts", "Cd")
	w.leaf(dayText(e.Booked), "BookgDt", "Dt")
	w.leaf(dayText(e.Valued), "ValDt", "Dt")
	w.leaf(cut(e.Code, maxReference), "BkTxCd", "Prtry", "Cd")

	w.open("NtryDtls")
	w.open("TxDtls")
	w.leaf(cut(e.Transaction, maxReference), "Refs", "TxId")
	w.amount(e.Amount)
	w.side(e.Credit)
	w.leaf(cut(e.Remittance, maxRemittance), "RmtInf", "Ustrd")
	w.close("TxDtls")
	w.close("NtryDtls")

	w.leaf(cut(e.Info, maxInfo), "AddtlNtryInf")
	w.close("Ntry")
}

// End ends the statement.
func (w *Writer) End() { w.close("Stmt") }

// Close ends the message and returns the first error of all.
func (w *Writer) Close() error {
	w.close("BkToCstmrStmt")
	w.close("Document")

	if w.err == nil {
		w.err = w.xml.Flush()
	}

	return w.err
}

func (w *Writer) token(t xml.Token) {
	if w.err == nil {
		w.err = w.xml.EncodeToken(t)
	}
}

func (w *Writer) open(name string, attr ...xml.Attr) {
	w.token(xml.StartElement{Name: xml.Name{Local: name}, Attr: attr})
}

func (w *Writer) close(name string) { w.token(xml.EndElement{Name: xml.Name{Local: name}}) }

// leaf writes a text inside nested elements. An empty text writes nothing.
func (w *Writer) leaf(text string, path ...string) {
	if text == "" {
		return
	}

	for _, name := range path {
		w.open(name)
	}

	w.token(xml.CharData(text))

	for i := range path {
		w.close(path[len(path)-1-i])
	}
}

func (w *Writer) amount(a iso20022.Amount) {
	w.open("Amt", xml.Attr{Name: xml.Name{Local: "Ccy"}, Value: a.Currency})
	w.token(xml.CharData(a.Value))
	w.close("Amt")
}

func (w *Writer) side(credit bool) {
	if credit {
		w.leaf("CRDT", "CdtDbtInd")
		return
	}

	w.leaf("DBIT", "CdtDbtInd")
}

func dayText(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func stampText(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05Z") }

// cut returns at most so many characters of a text.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}

	return string([]rune(s)[:most])
}
