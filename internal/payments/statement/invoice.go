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

// Invoice is the content of an invoice: what the operator has charged an organisation for one transaction. It was paid
// when it was charged.
type Invoice struct {
	Number      string    `json:"number"`
	Issuer      Party     `json:"issuer"`
	TaxNote     string    `json:"taxNote,omitempty"`
	Mark        string    `json:"mark,omitempty"` // above every page
	Customer    Party     `json:"customer"`
	Brand       string    `json:"brand,omitempty"`  // by which the customer is known
	Colour      string    `json:"colour,omitempty"` // of the customer's brand, #rrggbb
	Logo        string    `json:"logo,omitempty"`   // SHA-256 of its logo
	IssuedAt    time.Time `json:"issuedAt"`
	SuppliedAt  time.Time `json:"suppliedAt"` // day on which the fees stand in the customer's book, or when it ended
	Transaction string    `json:"transaction"`
	Type        string    `json:"type"`
	Reference   string    `json:"reference,omitempty"`
	Network     string    `json:"network"`
	Token       string    `json:"token"`
	Value       []Amount  `json:"value"` // of the payments, by asset
	Rates       []Rate    `json:"rates,omitempty"`
	Lines       []Charge  `json:"lines"`
	Total       Charge    `json:"total"`
	Home        *Home     `json:"home,omitempty"` // absent: the token had no reference rate
}

// Charge is one kind of fee: what was charged, what was given back for payments that were not made, and the rest.
type Charge struct {
	Kind    string `json:"kind,omitempty"` // of fee; empty: the total, or none
	Label   string `json:"label"`
	Charged Amount `json:"charged"`
	Back    Amount `json:"back"` // not positive
	Net     Amount `json:"net"`
}

// invoice returns the content of an invoice without its number, from what the ledger shows as earned. It refuses a
// transaction whose cost may still change. It is pure.
func (s source) invoice() (Invoice, error) {
	if err := s.checkInvoiceable(); err != nil {
		return Invoice{}, err
	}

	st, err := s.statement()
	if err != nil {
		return Invoice{}, err
	}

	out := Invoice{
		Mark:        st.Mark,
		Issuer:      st.Issuer,
		TaxNote:     s.issuer.TaxNote,
		Customer:    st.Customer,
		Brand:       st.Brand,
		Colour:      st.Colour,
		Logo:        st.Logo,
		IssuedAt:    s.now,
		SuppliedAt:  firstOf(s.booked, st.EndedAt),
		Transaction: st.Transaction,
		Type:        st.Type,
		Reference:   st.Reference,
		Network:     st.Network,
		Token:       st.Token,
		Rates:       st.Rates,
		Value:       s.value(),
	}
	if out.Lines, out.Total, err = s.charges(); err != nil {
		return out, err
	}

	out.Home = s.homeOf(out)

	return out, nil
}

// checkInvoiceable refuses if the operator cannot issue invoices, or if the cost may still change.
func (s source) checkInvoiceable() error {
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

// charges returns a line for each kind of fee that the ledger shows as earned, and their sum. Of a transaction that has
// cost nothing, such as CRYPTO without a commission, it returns one line over nothing.
func (s source) charges() (lines []Charge, total Charge, err error) {
	charged, back, err := income(s.lines)
	if err != nil {
		return nil, total, err
	}

	fees, err := s.fees()
	if err != nil {
		return nil, total, err
	}

	sum := new(big.Int)
	returned := new(big.Int)

	for _, w := range feeWords {
		kind := strings.ToLower(string(w.kind))
		if charged[kind] == nil {
			continue
		}

		_, label := sumOf(fees, w.kind, w.words, s.t.Asset())
		line := s.charge(label, charged[kind], back[kind])
		line.Kind = kind
		lines = append(lines, line)
		sum.Add(sum, charged[kind])

		if back[kind] != nil {
			returned.Add(returned, back[kind])
		}

		delete(charged, kind)
		delete(back, kind)
	}

	if len(charged)+len(back) > 0 {
		return nil, total, fmt.Errorf("%s has earned fees of unknown kinds: %v %v", s.t.ID, charged, back)
	}

	if len(lines) == 0 { // an invoice has a line at least (EN 16931, BR-16)
		lines = append(lines, s.charge("Carrying out the transaction", new(big.Int), nil))
	}

	return lines, s.charge("Total", sum, returned), nil
}

func (s source) charge(label string, charged, back *big.Int) Charge {
	if back == nil {
		back = new(big.Int)
	}

	return Charge{
		Label:   label,
		Charged: units(charged, s.t.Asset()),
		Back:    units(back, s.t.Asset()),
		Net:     units(new(big.Int).Add(charged, back), s.t.Asset()),
	}
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

// invoiceNumber returns an invoice's number as text: the year, and its place in it.
func invoiceNumber(year, number int64) string { return fmt.Sprintf("%d-%06d", year, number) }
