package statement

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/quote"
	"slipway/internal/standards/cii"
)

// Home is what an invoice's fees are worth in the customer's home currency, as they stand in its book, and the VAT in
// them. How they are taxed was fixed with the price, and the VAT is a line of the book like the fee itself: nothing is
// computed here.
type Home struct {
	Currency   string    `json:"currency"`
	Rate       string    `json:"rate,omitempty"` // of one token; empty: the values have several
	RateDate   string    `json:"rateDate,omitempty"`
	RateSource string    `json:"rateSource,omitempty"`
	Lines      []HomeFee `json:"lines"`
	Taxes      []HomeTax `json:"taxes"` // at least one; several if what a month's fees are taxed by was changed in it
	Net        string    `json:"net"`
	VAT        string    `json:"vat"`
	Total      string    `json:"total"`
	Seller     Business  `json:"seller"`
	Buyer      Business  `json:"buyer"`
}

// HomeFee is one line, without VAT.
type HomeFee struct {
	Label string `json:"label"`
	Net   string `json:"net"`
	Tax   int    `json:"tax,omitempty"` // which of Home.Taxes it has
}

// HomeTax is the VAT of the fees that are taxed alike.
type HomeTax struct {
	Category string `json:"category"`
	Percent  string `json:"percent"`
	Reason   string `json:"reason,omitempty"` // why there is none
	Net      string `json:"net"`
	VAT      string `json:"vat"`
}

// Business is a party to an invoice, as data.
type Business struct {
	Name         string `json:"name"`
	Street       string `json:"street,omitempty"`
	PostCode     string `json:"postCode,omitempty"`
	Town         string `json:"town,omitempty"`
	Country      string `json:"country,omitempty"`
	Registration string `json:"registration,omitempty"`
	TaxNumber    string `json:"taxNumber,omitempty"`
	VATID        string `json:"vatId,omitempty"`
}

func (i Issuer) business() Business {
	return Business{
		Name:         i.Name,
		Street:       i.Street,
		PostCode:     i.PostCode,
		Town:         i.Town,
		Country:      i.Country,
		Registration: i.Registration,
		TaxNumber:    i.TaxID,
		VATID:        i.VATID,
	}
}

func businessOf(o organisation.Organisation) Business {
	return Business{
		Name:         o.Name,
		Street:       o.AddressLine1,
		PostCode:     o.PostCode,
		Town:         o.City,
		Country:      o.Country,
		Registration: o.RegistrationNumber,
		TaxNumber:    o.TaxID,
		VATID:        o.VATID,
	}
}

// Seller returns the issuer as the VAT of his fees depends on him.
func (i Issuer) Seller() quote.Seller {
	return quote.Seller{
		Country:    i.Country,
		VATPercent: i.VATPercent,
		TaxNote:    i.TaxNote,
		Numbered:   i.TaxID+i.VATID != "",
	}
}

func either(s, otherwise string) string {
	if s == "" {
		return otherwise
	}

	return s
}

// homeFor returns the parties.
func (i Issuer) homeFor(o organisation.Organisation) Home {
	return Home{Seller: i.business(), Buyer: businessOf(o)}
}

// homeOf returns the value of an invoice in the home currency, or nil if the token had no rate on the day of supply.
func (s source) homeOf(lines []Charge) *Home {
	rate, ok := s.day.Rate(s.t.Token, s.home.Code)
	if !ok {
		return nil
	}

	out := s.issuer.homeFor(s.org).with(s.home, s.priced(lines))
	out.Rate = rate.FloatString(6)
	out.RateDate = s.day.Date.Format(time.DateOnly)
	out.RateSource = s.day.Source

	return out
}

// priced is a line with its value, without VAT and of VAT.
type priced struct {
	label    string
	net, vat money.Amount
	tax      quote.Tax
}

// priced returns the values of one transaction's lines. Its VAT is no line of them: it belongs to all, and is in the
// first.
func (s source) priced(lines []Charge) (out []priced) {
	worth := func(kind string) money.Amount {
		if v, ok := s.worth[kind]; ok {
			return v
		}

		return money.Zero(s.home)
	}

	for _, l := range lines {
		if l.Kind != taxKind {
			out = append(out, priced{l.Label, worth(l.Kind), money.Zero(s.home), s.tax})
		}
	}

	if len(out) == 0 { // of a few base units, which were all VAT
		out = []priced{{lines[0].Label, money.Zero(s.home), money.Zero(s.home), s.tax}}
	}

	out[0].vat = worth(taxKind)

	return out
}

// with returns the same parties with the values of lines. All totals are sums.
func (h Home) with(in money.Asset, lines []priced) *Home {
	type sums struct{ net, vat money.Amount }

	nothing := sums{money.Zero(in), money.Zero(in)}
	all := nothing
	by := map[quote.Tax]sums{}

	var taxes []quote.Tax

	add := func(s sums, l priced) sums { return sums{s.net.Add(l.net), s.vat.Add(l.vat)} }

	h.Currency = in.Code
	h.Lines = make([]HomeFee, len(lines))

	for i, l := range lines {
		all = add(all, l)

		of, known := by[l.tax]
		if !known {
			of = nothing

			taxes = append(taxes, l.tax)
		}

		h.Lines[i] = HomeFee{l.label, l.net.String(), slices.Index(taxes, l.tax)}

		by[l.tax] = add(of, l)
	}

	h.Taxes = make([]HomeTax, len(taxes))
	for i, t := range taxes {
		h.Taxes[i] = HomeTax{
			Category: string(t.Category),
			Percent:  t.Percent,
			Reason:   t.Reason,
			Net:      by[t].net.String(),
			VAT:      by[t].vat.String(),
		}
	}

	h.Net = all.net.String()
	h.VAT = all.vat.String()
	h.Total = all.net.Add(all.vat).String()

	return &h
}

// data returns the invoice as data for programs (Factur-X), or nil if something is missing that EN 16931 demands, such
// as the customer's country. What is not subject to VAT may not be with what is (BR-O-11), so such an invoice has none.
func (v Invoice) data() []byte {
	h := v.Home
	if h == nil {
		return nil
	}

	taxes, at := h.breakdown()

	out := cii.Invoice{
		Number:        v.Number,
		Credit:        v.Credit,
		Issued:        v.IssuedAt,
		Supplied:      v.SuppliedAt,
		From:          v.From,
		To:            v.To,
		Currency:      h.Currency,
		Seller:        cii.Party(h.Seller),
		Buyer:         cii.Party(h.Buyer),
		Note:          v.note(),
		Taxes:         taxes,
		Net:           h.Net,
		VAT:           h.VAT,
		Total:         h.Total,
		Paid:          h.Total,
		TransactionID: v.Transaction,
	}

	if v.Transaction != "" {
		out.Text = "Transaction " + v.Transaction
	}

	if c := v.Corrects; c != nil {
		out.Preceding = &cii.Reference{Number: c.Number, Issued: c.IssuedAt}
	}

	for _, l := range h.Lines {
		out.Lines = append(out.Lines, cii.Line{Name: l.Label, Net: l.Net, Tax: at[l.Tax]})
	}

	xml, err := out.Write()
	if err != nil {
		return nil // the pages are the invoice; the data are an addition
	}

	return xml
}

// breakdown returns the VAT as data have it, one for each category and rate, and which of them each of Taxes is. Two
// that differ in why there is no VAT are one with both reasons.
func (h *Home) breakdown() (out []cii.Tax, at []int) {
	at = make([]int, len(h.Taxes))

	for i, t := range h.Taxes {
		at[i] = slices.IndexFunc(out, func(o cii.Tax) bool {
			return string(o.Category) == t.Category && o.Percent == t.Percent
		})

		if at[i] < 0 {
			at[i] = len(out)
			out = append(out, cii.Tax{
				Category: cii.Category(t.Category),
				Percent:  t.Percent,
				Reason:   t.Reason,
				Net:      t.Net,
				VAT:      t.VAT,
			})

			continue
		}

		same := &out[at[i]]
		same.Net = added(same.Net, t.Net)
		same.VAT = added(same.VAT, t.VAT)

		if !strings.Contains(same.Reason, t.Reason) {
			same.Reason = strings.TrimSpace(same.Reason + " " + t.Reason)
		}
	}

	return out, at
}

// added returns the sum of two amounts, with as many decimals as they have.
func added(a, b string) string {
	x, _ := new(big.Rat).SetString(a)
	y, _ := new(big.Rat).SetString(b)

	if x == nil || y == nil {
		return "" // no amount: the rules refuse it
	}

	_, decimals, _ := strings.Cut(a, ".")

	return x.Add(x, y).FloatString(len(decimals))
}

// taxes returns the function that returns how a transaction's fees are taxed: as was fixed with its price, or, where
// nothing was priced, as a fee of now would be.
func (s *Service) taxes(
	ctx context.Context, o organisation.Organisation, transactions []string,
) (func(transaction string) quote.Tax, error) {
	fixed, err := s.Taxes(ctx, s.DB, transactions)
	if err != nil {
		return nil, fmt.Errorf("tax of fees of %s: %w", o.ID, err)
	}

	now := s.Issuer.Seller().TaxFor(o.Country, o.VATID)

	return func(transaction string) quote.Tax { return cmp.Or(fixed[transaction], now) }, nil
}

// homeCurrency returns the currency of an organisation's books.
func (s *Service) homeCurrency(o organisation.Organisation) money.Asset {
	c, ok := refdata.All().Currency(either(o.HomeCurrency, s.Currency))
	if !ok {
		return money.Asset{}
	}

	return money.Asset{Code: c.Code, Decimals: c.Decimals}
}

// rates sets what the values of fees are that were charged, or given back: those in the customer's book, on their day
// there, to the cent. Of a transaction without fees it is the day on which it ended.
func (s *Service) rates(ctx context.Context, src *source, back bool) error {
	tax, err := s.taxes(ctx, src.org, []string{src.t.ID})
	if err != nil {
		return err
	}

	src.tax = tax(src.t.ID)
	src.home = s.homeCurrency(src.org)
	src.worth = map[string]money.Amount{}
	src.booked = time.Time{}
	src.day = dayrate.Day{}

	lines, err := s.Book.OfTransaction(ctx, src.t.Organisation, src.t.ID)
	if err != nil {
		return err
	}

	for _, l := range lines {
		if !bookkeeping.IsFee(l) || (l.Amount.Sign() < 0) != back {
			continue
		}

		if src.booked.IsZero() {
			src.booked = l.Day
			src.day = l.Rates
			src.home = l.Home
		}

		src.until = l.Day

		if l.Value == nil || l.Home != src.home {
			src.day = dayrate.Day{} // there is no value of all fees in one currency
			return nil
		}

		value := *l.Value
		if back {
			value = value.Neg()
		}

		kind := feeKind(l.Entry.Account)
		if sum, ok := src.worth[kind]; ok {
			value = value.Add(sum)
		}

		src.worth[kind] = value
	}

	if src.booked.IsZero() {
		src.day, err = dayrate.On(ctx, s.DB, src.ended().In(src.org.Zone()))
	}

	return err
}
