package statement

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/payments/transaction"
)

// Kind is what a document for fees is.
type Kind string

// The kinds. All of them have their numbers in one series.
const (
	KindInvoice    Kind = "INVOICE"
	KindCreditNote Kind = "CREDIT_NOTE"
	KindCollective Kind = "COLLECTIVE"
)

// Invoice is the content of an invoice: what the operator has charged an organisation for one transaction, or for all
// of a month (month.go). It was paid when it was charged. A credit note has what was given back of one; its amounts are
// above zero like an invoice's.
type Invoice struct {
	Kind        Kind       `json:"kind"`
	Credit      bool       `json:"credit,omitzero"` // it is a credit note: of a transaction, or of a month with more given back
	Number      string     `json:"number"`
	Corrects    *Corrected `json:"corrects,omitempty"` // by a credit note
	Issuer      Party      `json:"issuer"`
	TaxNote     string     `json:"taxNote,omitempty"`
	Mark        string     `json:"mark,omitempty"` // above every page
	Customer    Party      `json:"customer"`
	Brand       string     `json:"brand,omitempty"`  // by which the customer is known
	Colour      string     `json:"colour,omitempty"` // of the customer's brand, #rrggbb
	Logo        string     `json:"logo,omitempty"`   // SHA-256 of its logo
	IssuedAt    time.Time  `json:"issuedAt"`
	SuppliedAt  time.Time  `json:"suppliedAt,omitzero"` // day on which the fees stand in the customer's book, or when it ended
	From        time.Time  `json:"from,omitzero"`       // of a credit note and a collective invoice: the days of the fees
	To          time.Time  `json:"to,omitzero"`
	Transaction string     `json:"transaction,omitempty"`
	Type        string     `json:"type,omitempty"`
	Reference   string     `json:"reference,omitempty"`
	Network     string     `json:"network,omitempty"`
	Token       string     `json:"token,omitempty"`
	Value       []Amount   `json:"value,omitempty"` // of the payments, by asset
	Rates       []Rate     `json:"rates,omitempty"`
	Lines       []Charge   `json:"lines"`
	Total       Charge     `json:"total"`          // of one transaction
	Home        *Home      `json:"home,omitempty"` // absent: the token had no reference rate
}

// Corrected names the invoice that a credit note corrects.
type Corrected struct {
	Number   string    `json:"number"`
	IssuedAt time.Time `json:"issuedAt"`
}

// Charge is what was charged for one kind of fee, or given back of it. In a collective invoice it is that of a
// transaction, and below zero for what was given back.
type Charge struct {
	Kind   string `json:"kind,omitempty"` // of fee; empty: the total, or none
	Label  string `json:"label"`
	Amount Amount `json:"amount"`
}

// invoice returns the content of an invoice without its number, from what the ledger shows as charged. It refuses a
// transaction whose cost may still change. It is pure.
func (s source) invoice() (Invoice, error) {
	if err := s.checkInvoiceable(); err != nil {
		return Invoice{}, err
	}

	st, err := s.statement()
	if err != nil {
		return Invoice{}, err
	}

	out := s.head(KindInvoice)
	out.SuppliedAt = firstOf(s.booked, st.EndedAt)
	out.Transaction = st.Transaction
	out.Type = st.Type
	out.Reference = st.Reference
	out.Network = st.Network
	out.Token = st.Token
	out.Rates = st.Rates
	out.Value = s.value()

	if out.Lines, out.Total, err = s.charges(false); err != nil {
		return out, err
	}

	if len(out.Lines) == 0 { // an invoice has a line at least (EN 16931, BR-16)
		out.Lines = []Charge{s.charge("Carrying out the transaction", new(big.Int))}
	}

	out.Home = s.homeOf(out.Lines)

	return out, nil
}

// creditNote returns the content of the credit note for what was given back of an invoice's fees, without its number.
// Parties and VAT are those of the invoice. It is pure.
func (s source) creditNote(of Invoice) (out Invoice, err error) {
	out = of
	out.Kind = KindCreditNote
	out.Credit = true
	out.Number = ""
	out.Corrects = &Corrected{Number: of.Number, IssuedAt: of.IssuedAt}
	out.SuppliedAt = time.Time{}
	out.From = s.booked
	out.To = s.until
	out.Home = nil

	if out.Lines, out.Total, err = s.charges(true); err != nil {
		return out, err
	}

	if of.Home != nil && s.day.Known() {
		out.Home = of.Home.with(s.home, s.priced(out.Lines))
		out.Home.Rate = "" // what goes back has the value at which it was charged
	}

	return out, nil
}

func (s source) nothingGivenBack() error {
	if err := s.checkInvoiceable(); err != nil {
		return err
	}

	return fault.New(
		fault.Conflict,
		fault.NothingGivenBack,
		"No fee of the transaction was given back, so there is no credit note.",
	)
}

// head returns what all documents for fees begin with.
func (s source) head(kind Kind) Invoice {
	return Invoice{
		Kind:     kind,
		Mark:     s.mark,
		Issuer:   s.issuer.party(),
		TaxNote:  s.issuer.TaxNote,
		Customer: s.customer(),
		Brand:    s.brand.Name,
		Colour:   s.brand.Colour,
		Logo:     s.brand.LogoSHA256,
		IssuedAt: s.now,
	}
}

// checkParties refuses if the operator cannot issue invoices to the customer.
func (s source) checkParties() error {
	if s.issuer.Name == "" {
		return fault.New(
			fault.Conflict,
			fault.InvoiceNoIssuer,
			"The operator of this deployment has not said in whose name invoices are written.",
		)
	}

	if s.issuer.VATPercent != "" && s.org.Country == "" { // where the customer is decides on the VAT
		return fault.New(
			fault.Conflict,
			fault.InvoiceNoCountry,
			"The VAT of the fees depends on where the organisation is, and its country (member country) is not set.",
		)
	}

	return nil
}

// checkInvoiceable refuses if the operator cannot issue invoices, or if the cost may still change.
func (s source) checkInvoiceable() error {
	if err := s.checkParties(); err != nil {
		return err
	}

	switch s.t.Status {
	case transaction.StatusCompleted, transaction.StatusFailed, transaction.StatusRejected:
		return nil
	default:
		return fault.New(
			fault.Conflict,
			fault.InvoiceTooEarly,
			"The transaction is %s; what it costs is settled when it has come to its end.",
			s.t.Status,
		)
	}
}

// charges returns a line for each kind of fee that the ledger shows as charged, or as given back, one for the VAT, and
// their sum. Of a
// transaction that has cost nothing, such as CRYPTO without a commission, it returns no line.
func (s source) charges(back bool) (lines []Charge, total Charge, err error) {
	units, err := income(s.lines, back)
	if err != nil {
		return nil, total, err
	}

	fees, err := s.fees()
	if err != nil {
		return nil, total, err
	}

	sum := new(big.Int)

	for _, w := range feeWords {
		kind := strings.ToLower(string(w.kind))
		if units[kind] == nil {
			continue
		}

		label := w.words
		if !back { // how a fee was made up says nothing of the part that goes back
			_, label = sumOf(fees, w.kind, w.words, s.t.Asset())
		}

		line := s.charge(label, units[kind])
		line.Kind = kind
		lines = append(lines, line)
		sum.Add(sum, units[kind])
		delete(units, kind)
	}

	if vat := units[taxKind]; vat != nil {
		line := s.charge("VAT, "+s.tax.Percent+" %", vat)
		line.Kind = taxKind
		lines = append(lines, line)
		sum.Add(sum, vat)
		delete(units, taxKind)
	}

	if len(units) > 0 {
		return nil, total, fmt.Errorf("%s has earned fees of unknown kinds: %v", s.t.ID, units)
	}

	return lines, s.charge("Total", sum), nil
}

func (s source) charge(label string, u *big.Int) Charge {
	return Charge{Label: label, Amount: units(u, s.t.Asset())}
}

// value returns the sums of the payments, by asset in the order of the payments.
func (s source) value() (out []Amount) {
	sums := map[string]money.Amount{}

	var order []string
	for _, p := range s.t.Payments {
		a := s.t.Amount(p)
		if s.t.Type != transaction.TypeCrypto { // only CRYPTO has no fiat amount
			a = p.Fiat()
		}

		code := a.Asset().Code
		if sum, ok := sums[code]; ok {
			sums[code] = sum.Add(a)
			continue
		}

		order = append(order, code)
		sums[code] = a
	}

	for _, code := range order {
		out = append(out, amount(sums[code]))
	}

	return out
}

// invoiceNumber returns a document's number as text: the year, and its place in it.
func invoiceNumber(year, number int64) string { return fmt.Sprintf("%d-%06d", year, number) }
