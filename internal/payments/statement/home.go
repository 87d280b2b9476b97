package statement

import (
	"context"
	"math/big"
	"slices"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/dayrate"
	"slipway/internal/standards/cii"
)

// Home is what an invoice's fees are worth in the customer's home currency, as they stand in its book, and the VAT in them.
// Fees are charged with VAT, so it is contained in them and computed out of them.
type Home struct {
	Currency   string    `json:"currency"`
	Rate       string    `json:"rate,omitempty"` // of one token; empty: the values have several
	RateDate   string    `json:"rateDate,omitempty"`
	RateSource string    `json:"rateSource,omitempty"`
	Lines      []HomeFee `json:"lines"`
	Category   string    `json:"category"`
	Percent    string    `json:"percent"`
	Reason     string    `json:"reason,omitempty"`
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

// union are the countries of the European Union, within which a business declares the VAT of services that it gets from
// another country (Directive 2006/112/EC, articles 44 and 196).
var union = []string{
	"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
	"IE", "IT", "LT", "LU", "LV", "MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
}

// vat is how an invoice treats value added tax.
type vat struct {
	category cii.Category
	percent  string
	reason   string
}

// vatFor returns the VAT of the issuer's fees to a customer. An issuer without a rate of VAT is exempt. One with a rate
// charges it in his own country, and to consumers of the Union if he is in it; a business elsewhere in the Union
// declares it itself; everywhere else there is none. What an operator's fees really are is for his tax adviser.
func (i Issuer) vatFor(customer Business) vat {
	inUnion := func(country string) bool { return slices.Contains(union, country) }

	switch {
	case i.VATPercent == "" && i.TaxNote != "" && i.TaxID+i.VATID != "":
		return vat{cii.Exempt, "0", i.TaxNote}
	case i.VATPercent == "":
		return vat{cii.NotSubject, "0", either(i.TaxNote, "Not subject to VAT.")}
	case customer.Country == i.Country:
		return vat{cii.Standard, i.VATPercent, ""}
	case inUnion(i.Country) && inUnion(customer.Country) && customer.VATID != "":
		return vat{cii.ReverseCharge, "0", "Reverse charge: the customer is liable for the VAT."}
	case inUnion(i.Country) && inUnion(customer.Country):
		return vat{cii.Standard, i.VATPercent, ""}
	default:
		return vat{cii.NotSubject, "0", "Not subject to VAT: the customer is in another country."}
	}
}

func either(s, otherwise string) string {
	if s == "" {
		return otherwise
	}

	return s
}

// homeFor returns the parties, and the VAT between them.
func (i Issuer) homeFor(o organisation.Organisation) Home {
	customer := businessOf(o)
	tax := i.vatFor(customer)

	return Home{
		Category: string(tax.category),
		Percent:  tax.percent,
		Reason:   tax.reason,
		Seller:   i.business(),
		Buyer:    customer,
	}
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

// priced is a line with its value, in which VAT is contained.
type priced struct {
	label string
	gross money.Amount
}

// priced returns the values of one transaction's lines.
func (s source) priced(lines []Charge) []priced {
	out := make([]priced, len(lines))

	for i, l := range lines {
		worth, ok := s.worth[l.Kind]
		if !ok {
			worth = money.Zero(s.home)
		}

		out[i] = priced{l.Label, worth}
	}

	return out
}

// with returns the same parties and VAT with the values of lines. The total is their sum. VAT is computed out of the
// total and not line by line, as EN 16931 demands (BR-CO-17); the largest line takes what rounding leaves of the net sum.
func (h Home) with(in money.Asset, lines []priced) *Home {
	h.Currency = in.Code
	h.Lines = make([]HomeFee, len(lines))

	percent, ok := new(big.Rat).SetString(h.Percent)
	if !ok {
		percent = new(big.Rat) // the configuration has checked it
	}

	gross := percent.Quo(percent, big.NewRat(100, 1))
	gross.Add(gross, big.NewRat(1, 1))

	total := money.Zero(in)
	rest := money.Zero(in) // of the net sum, after its lines
	largest := 0
	parts := make([]money.Amount, len(lines))

	for i, l := range lines {
		parts[i] = without(gross, l.gross)
		total = total.Add(l.gross)
		rest = rest.Sub(parts[i])

		if parts[i].Units().CmpAbs(parts[largest].Units()) > 0 {
			largest = i
		}
	}

	net := without(gross, total)
	parts[largest] = parts[largest].Add(rest.Add(net))

	for i, l := range lines {
		h.Lines[i] = HomeFee{l.label, parts[i].String()}
	}

	h.Net = net.String()
	h.VAT = total.Sub(net).String()
	h.Total = total.String()

	return &h
}

// without returns an amount without the VAT in it; gross is the amount with VAT for each one without.
func without(gross *big.Rat, a money.Amount) money.Amount {
	if a.Sign() < 0 {
		return without(gross, a.Neg()).Neg()
	}

	return money.FromRat(a.Asset(), new(big.Rat).Quo(a.Rat(), gross), money.HalfEven)
}

// data returns the invoice as data for programs (Factur-X), or nil if something is missing that EN 16931 demands, such
// as the customer's country.
func (v Invoice) data() []byte {
	h := v.Home
	if h == nil {
		return nil
	}

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
		Category:      cii.Category(h.Category),
		Percent:       h.Percent,
		Reason:        h.Reason,
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
		out.Lines = append(out.Lines, cii.Line{Name: l.Label, Net: l.Net})
	}

	xml, err := out.Write()
	if err != nil {
		return nil // the pages are the invoice; the data are an addition
	}

	return xml
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
