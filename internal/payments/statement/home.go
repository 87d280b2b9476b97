package statement

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/dayrate"
	"slipway/internal/standards/cii"
)

// Home is what an invoice's fees are worth in the customer's home currency, as they stand in its book, and the VAT in them.
// Fees are charged with VAT, so it is contained in them and computed out of them.
type Home struct {
	Currency   string    `json:"currency"`
	Rate       string    `json:"rate"` // of one token
	RateDate   string    `json:"rateDate"`
	RateSource string    `json:"rateSource"`
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

// HomeFee is one kind of fee, without VAT.
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

// homeOf returns the value of an invoice in the home currency, or nil if the token had no rate on the day of supply.
func (s source) homeOf(v Invoice) *Home {
	rate, ok := s.day.Rate(s.t.Token, s.home.Code)
	if !ok {
		return nil
	}

	customer := businessOf(s.org)
	tax := s.issuer.vatFor(customer)

	out := &Home{
		Currency:   s.home.Code,
		Rate:       rate.FloatString(6),
		RateDate:   s.day.Date.Format(time.DateOnly),
		RateSource: s.day.Source,
		Category:   string(tax.category),
		Percent:    tax.percent,
		Reason:     tax.reason,
		Seller:     s.issuer.business(),
		Buyer:      customer,
	}

	percent, ok := new(big.Rat).SetString(tax.percent)
	if !ok {
		return nil // the configuration has checked it
	}

	share := percent.Quo(percent, big.NewRat(100, 1))
	gross := new(big.Rat).Add(big.NewRat(1, 1), share)
	without := func(a money.Amount) money.Amount {
		return money.FromRat(s.home, new(big.Rat).Quo(a.Rat(), gross), money.HalfEven)
	}

	total := money.Zero(s.home)
	rest := money.Zero(s.home) // of the net sum, after its lines
	largest := 0

	parts := make([]money.Amount, len(v.Lines))

	for i, l := range v.Lines {
		worth, ok := s.worth[l.Kind]
		if !ok {
			worth = money.Zero(s.home)
		}

		if worth.Sign() < 0 {
			return nil // a line of which more was given back than charged is no price
		}

		parts[i] = without(worth)
		total = total.Add(worth)
		rest = rest.Sub(parts[i])

		if parts[i].Cmp(parts[largest]) > 0 {
			largest = i
		}
	}

	net := without(total)
	parts[largest] = parts[largest].Add(rest.Add(net))

	for i, l := range v.Lines {
		out.Lines = append(out.Lines, HomeFee{l.Label, parts[i].String()})
	}

	out.Net = net.String()
	out.VAT = total.Sub(net).String()
	out.Total = total.String()

	return out
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
		Issued:        v.IssuedAt,
		Supplied:      v.SuppliedAt,
		Currency:      h.Currency,
		Seller:        cii.Party(h.Seller),
		Buyer:         cii.Party(h.Buyer),
		Note:          v.TaxNote,
		Category:      cii.Category(h.Category),
		Percent:       h.Percent,
		Reason:        h.Reason,
		Net:           h.Net,
		VAT:           h.VAT,
		Total:         h.Total,
		Paid:          h.Total,
		TransactionID: v.Transaction,
		Text:          "Transaction " + v.Transaction,
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

// rates sets what an invoice's values are: those of the fees in the customer's book, on their day there, to the cent. Of a
// transaction without fees it is the day on which it ended.
func (s *Service) rates(ctx context.Context, src *source, ended time.Time) error {
	src.home = s.homeCurrency(src.org)
	src.worth = map[string]money.Amount{}

	lines, err := s.Book.OfTransaction(ctx, src.t.Organisation, src.t.ID)
	if err != nil {
		return err
	}

	for _, l := range lines {
		if !strings.HasPrefix(l.Entry.Account, "income/") {
			continue
		}

		if src.booked.IsZero() {
			src.booked = l.Day
			src.day = l.Rates
			src.home = l.Home
		}

		if l.Value == nil || l.Home != src.home {
			src.day = dayrate.Day{} // there is no value of all fees in one currency
			return nil
		}

		kind := feeKind(l.Entry.Account)
		if sum, ok := src.worth[kind]; ok {
			src.worth[kind] = sum.Add(*l.Value)
		} else {
			src.worth[kind] = *l.Value
		}
	}

	if src.booked.IsZero() {
		src.day, err = dayrate.On(ctx, s.DB, ended.In(src.org.Zone()))
	}

	return err
}
