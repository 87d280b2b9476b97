package statement

import (
	"fmt"
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/brand"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/standards/creditorref"
)

// Issuer is the operator in whose name documents are written. Country is ISO 3166 alpha-2.
type Issuer struct {
	Name, Street, PostCode, Town, Country string
	TaxID, VATID, Registration            string
	Contact                               string
	TaxNote                               string // printed on invoices
	VATPercent                            string // of the fees, which contain it; empty: they are exempt or not taxed
}

func (i Issuer) party() Party {
	p := Party{Name: i.Name, Lines: address(i.Street, i.PostCode, i.Town, i.Country)}
	p.Lines = append(p.Lines, identifiers(i.Registration, i.TaxID, i.VATID)...)

	if i.Contact != "" {
		p.Lines = append(p.Lines, i.Contact)
	}

	return p
}

// identifiers returns the lines with the numbers of a business.
func identifiers(registration, taxID, vatID string) (lines []string) {
	for _, x := range [][2]string{
		{"Registration number ", registration},
		{"Tax number ", taxID},
		{"VAT number ", vatID},
	} {
		if x[1] != "" {
			lines = append(lines, x[0]+x[1])
		}
	}

	return lines
}

// address returns the lines of an address, with the country's name.
func address(street, postCode, town, country string) (lines []string) {
	if c, ok := refdata.All().Country(country); ok {
		country = c.Name
	}

	for _, l := range []string{street, strings.TrimSpace(postCode + " " + town), country} {
		if l != "" {
			lines = append(lines, l)
		}
	}

	return lines
}

// source is everything that a document is made from.
type source struct {
	t       transaction.Transaction
	v       transaction.View // as the caller sees it
	org     organisation.Organisation
	brand   brand.Brand
	network string // its name
	lines   []ledger.Line
	issuer  Issuer
	mark    string
	now     time.Time
	home    money.Asset // currency of the customer's books
	day     dayrate.Day // the reference rates of the day on which the fees stand in the book
	booked  time.Time   // that day, midnight UTC; zero: no fee stands there
	until   time.Time   // the last such day

	worth map[string]money.Amount // of the fees by kind, and of their VAT, as the customer's book has them; above zero
	tax   quote.Tax               // of the fees
}

func (s source) customer() Party {
	p := Party{Name: s.org.Name, Lines: address(s.org.AddressLine1, s.org.PostCode, s.org.City, s.org.Country)}
	p.Lines = append(p.Lines, identifiers(s.org.RegistrationNumber, s.org.TaxID, s.org.VATID)...)

	return p
}

// decimals returns the decimals of every asset in the transaction.
func (s source) decimals() map[string]int {
	out := map[string]int{s.t.Token: s.t.Decimals, s.t.AmountCurrency: s.t.CurrencyDecimals}
	for _, p := range s.t.Payments {
		if p.Currency != "" {
			out[p.Currency] = p.CurrencyDecimals
		}
	}

	for _, l := range s.lines { // a bank may send back another currency than it was given
		if c, ok := refdata.All().Currency(l.Asset); ok && out[l.Asset] == 0 {
			out[l.Asset] = c.Decimals
		}
	}

	return out
}

// statement returns the content of a statement. It is pure.
func (s source) statement() (Statement, error) {
	t := s.t
	v := s.v

	out := Statement{
		Mark:          s.mark,
		Issuer:        s.issuer.party(),
		Customer:      s.customer(),
		Brand:         s.brand.Name,
		Colour:        s.brand.Colour,
		Logo:          s.brand.LogoSHA256,
		Transaction:   t.ID,
		Type:          string(t.Type),
		Status:        string(t.Status),
		Settlement:    string(t.Settlement),
		Info:          v.StatusInfo,
		Token:         t.Token,
		Network:       s.network,
		WalletAddress: t.WalletAddress,
		Sender:        t.Sender,
		CreatedAt:     v.CreatedAt,
		AcceptedAt:    v.AcceptedAt,
		MadeAt:        s.now,
		Rates:         s.rates(),
	}
	if t.Reference != "" {
		out.Reference = creditorref.Show(t.Reference)
	}

	fees, err := s.fees()
	if err != nil {
		return out, err
	}

	for i := range t.Payments {
		out.Payments = append(out.Payments, s.payment(i, fees))
	}

	out.Totals = s.totals(fees)
	if out.Booked, err = booked(s.lines, s.decimals()); err != nil {
		return out, err
	}

	out.Sends = s.sends()

	if t.Type == transaction.TypeOnramp {
		for _, b := range v.Bank {
			out.Deposits = append(out.Deposits, order(b))
		}
	}

	out.Return = s.comesBack()
	out.steps(v.Timeline)
	out.Deposit, err = depositOf(t, s.issuer)

	return out, err
}

// sends returns what the chain says of the payment.
func (s source) sends() (out []Send) {
	for _, e := range s.v.Chain {
		if e.TxHash != "" {
			out = append(out, Send{
				Network: e.Network,
				Hash:    e.TxHash,
				Block:   e.BlockNumber,
				Status:  e.Status,
			})
		}
	}

	return out
}

// comesBack returns what a bank has sent back; nil: nothing.
func (s source) comesBack() *Return {
	r := s.v.Return
	if r == nil {
		return nil
	}

	return &Return{
		Payment:    r.Payment,
		Amount:     Amount{r.Amount, r.CurrencyIsoCode},
		Deducted:   Amount{r.FeesDeducted, r.CurrencyIsoCode},
		Reason:     spelled(r.Reason) + " (" + r.Scheme + " " + r.ReasonCode + ")",
		ReceivedAt: r.ReceivedAt,
	}
}

// steps adds the timeline, keeping only the first of steps that show the same state.
func (out *Statement) steps(timeline []transaction.StepView) {
	var before transaction.StepView // no step has its empty status

	for _, x := range timeline {
		same := x.Status == before.Status && x.SettlementStatus == before.SettlementStatus

		before = x

		if same {
			continue
		}

		out.Steps = append(out.Steps, Step{At: x.At, Status: x.Status, Settlement: x.SettlementStatus, Info: x.Info})
		switch transaction.Status(x.Status) {
		case transaction.StatusWaiting:
			out.SubmittedAt = firstOf(out.SubmittedAt, x.At)
		case transaction.StatusCompleted, transaction.StatusFailed, transaction.StatusRejected:
			out.EndedAt = firstOf(out.EndedAt, x.At)
		case transaction.StatusDraft, transaction.StatusProcess, transaction.StatusReleased: // under way
		}
	}
}

// ended returns when the transaction came to its end, or now.
func (s source) ended() time.Time {
	var st Statement
	st.steps(s.v.Timeline)

	return firstOf(st.EndedAt, s.now)
}

func firstOf(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}

	return a
}

func (s source) rates() (out []Rate) {
	if s.v.Quote == nil {
		return nil
	}

	for _, r := range quote.View(*s.v.Quote).Rates {
		out = append(out, Rate{
			Token:    s.t.Token,
			Currency: r.CurrencyIsoCode,
			Rate:     r.Rate,
			AsOf:     r.AsOf,
			Source:   r.Source,
		})
	}

	return out
}

// fee is one fee of the locked price.
type fee struct {
	kind     string
	amount   money.Amount
	position int
	percent  string
	of       string
}

// fees returns the fees of the locked price, parsed from the view.
func (s source) fees() ([]fee, error) {
	out := make([]fee, len(s.v.Fees))
	for i, f := range s.v.Fees {
		a, err := money.ParseOrZero(s.t.Asset(), f.Amount)
		if err != nil {
			return nil, fmt.Errorf("fee %d of %s: %w", i, s.t.ID, err)
		}

		out[i] = fee{
			kind:     f.Type,
			amount:   a,
			position: quote.Whole,
			percent:  f.Percent,
			of:       f.Of,
		}
		if f.Payment != nil {
			out[i].position = *f.Payment
		}
	}

	return out, nil
}

func (s source) payment(i int, fees []fee) Payment {
	t, x, p := s.t, s.v.Payments[i], s.t.Payments[i]

	out := Payment{
		ID:          x.ID,
		Receiver:    p.Payee(),
		Reason:      p.Reason,
		Status:      string(x.Status),
		Info:        x.StatusInfo,
		Destination: destination(x),
	}
	switch t.Type {
	case transaction.TypeCrypto:
		out.Amount = amount(t.Amount(p))
		return out
	case transaction.TypeFiat:
		out.FeesOption = x.BankingFeesOption
		out.Reference = p.Reference

	case transaction.TypeOnramp: // the reference belongs to the deposit
	}

	out.Amount = amount(p.Fiat())
	for _, r := range s.rates() {
		if r.Currency == p.Currency {
			out.Rate = r.Rate
		}
	}

	if p.Units.Sign() > 0 {
		tokens := amount(t.Amount(p))
		out.Tokens = &tokens
	}

	own := money.Zero(t.Asset())

	hasOwn := false
	for _, f := range fees {
		if f.position == p.Position {
			own = own.Add(f.amount)
			hasOwn = true
		}
	}

	if hasOwn {
		shown := amount(own)
		out.Fees = &shown
	}

	if t.Type == transaction.TypeFiat {
		for _, b := range s.v.Bank {
			if b.Payment == x.ID {
				out.Orders = append(out.Orders, order(b))
			}
		}
	}

	return out
}

func order(b transaction.BankEffect) Order {
	return Order{
		Rail:       b.Rail,
		EndToEndID: b.EndToEndID,
		UETR:       b.UETR,
		Reference:  b.ProviderRef,
		Status:     b.Status,
		Info:       b.Info,
	}
}

// destination returns the lines of a payment's destination, as far as the caller may see it.
func destination(x transaction.PaymentView) (lines []string) {
	if x.BankAccount == nil {
		return []string{x.WalletAddress}
	}

	a := x.BankAccount

	var numbers []string
	for _, n := range [][2]string{
		{"IBAN", grouped(a.IBAN)},
		{"account", a.AccountNumber},
		{"sort code", a.SortCode},
		{"routing number", a.RoutingNumber},
		{"IFSC", a.IFSC},
		{"BIC", a.BIC},
	} {
		if n[1] != "" {
			numbers = append(numbers, n[0]+" "+n[1])
		}
	}

	switch {
	case a.BankName != "":
		lines = append(lines, a.BankName+", "+a.BankCountry)
	case a.IBAN == "": // an IBAN contains the country
		lines = append(lines, "a bank in "+strings.Join(address("", "", "", a.BankCountry), ""))
	}

	return append(lines, strings.Join(numbers, " · "))
}

// grouped returns an IBAN in groups of four, as it is printed on paper (ISO 13616).
func grouped(s string) string {
	var b strings.Builder
	for i, r := range []rune(s) {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}

		b.WriteRune(r)
	}

	return b.String()
}

// feeWords name the fees, in the order of documents.
var feeWords = []struct {
	kind  quote.FeeType
	words string
}{{quote.CommissionFee, "Commission"}, {quote.BankingFee, "Banking fees"}, {quote.NetworkFee, "Network fee"}}

// totals returns the parts of the price up to its total, and then what was given back, up to the rest. Without a price
// it returns none.
func (s source) totals(fees []fee) []Sum {
	t := s.t

	tokens := money.Zero(t.Asset())
	for _, p := range t.Payments {
		tokens = tokens.Add(t.Amount(p))
	}

	var charged []Sum

	all := money.Zero(t.Asset())
	for _, w := range feeWords {
		if sum, label := sumOf(fees, w.kind, w.words, t.Asset()); sum.Sign() > 0 {
			charged = append(charged, Sum{Label: label, Amount: amount(sum)})
			all = all.Add(sum)
		}
	}

	if t.Type == transaction.TypeOnramp {
		if tokens.Sign() == 0 {
			return nil // the price is that of the day of the deposit
		}

		for i := range charged {
			charged[i].Amount.Value = "-" + charged[i].Amount.Value
		}

		out := append([]Sum{{Label: "Deposit, converted at the rate", Amount: amount(tokens.Add(all))}}, charged...)

		return append(out, Sum{Label: "Delivered to the wallet", Amount: amount(tokens), Total: true})
	}

	if tokens.Sign() == 0 {
		return nil
	}

	out := []Sum{{Label: countText(len(t.Payments)) + ", without fees", Amount: amount(tokens)}}

	rest := new(big.Int).Sub(t.Debit, tokens.Add(all).Units())
	switch {
	case len(charged) == 0 && rest.Sign() > 0:
		out = append(out, Sum{Label: "Fees, estimated", Amount: units(rest, t.Asset())})
	case len(charged) == 0:
		out = append(out, Sum{Label: "Fees", Amount: amount(all)})
	}

	out = append(out, charged...)

	out = append(out, Sum{Label: "Debit of the wallet", Amount: amount(t.DebitAmount()), Total: true})
	if back := s.refundedAmount(); back.Sign() > 0 {
		out = append(out, Sum{Label: "Given back to the wallet", Amount: amount(back.Neg())},
			Sum{Label: "Debit in the end", Amount: amount(t.DebitAmount().Sub(back)), Total: true})
	}

	return out
}

// refundedAmount returns what of an accepted debit did not leave the wallet, or came back to it, by the ledger.
func (s source) refundedAmount() money.Amount {
	back := new(big.Int)

	for _, l := range s.lines {
		n, ok := new(big.Int).SetString(l.Units, 10)
		if !ok || l.Asset != s.t.Token {
			continue
		}

		kind, _, _ := strings.Cut(l.Account, "/")
		if kind == "wallet" || kind == "reserved" || kind == "hold" && n.Sign() > 0 {
			back.Add(back, n)
		}
	}

	return money.FromUnits(s.t.Asset(), back)
}

// sumOf adds up the fees of one kind. It also returns their basis, if that is the same for all.
func sumOf(fees []fee, kind quote.FeeType, words string, asset money.Asset) (money.Amount, string) {
	sum := money.Zero(asset)
	n := 0

	basis := ""
	for _, f := range fees {
		if f.kind != string(kind) {
			continue
		}

		of := f.of
		if f.percent != "" {
			of = f.percent + " %"
		}

		if n++; n > 1 && of != basis {
			of = ""
		}

		sum = sum.Add(f.amount)
		basis = of
	}

	switch {
	case basis == "":
		return sum, words
	case n > 1 && !strings.HasSuffix(basis, "%"):
		return sum, fmt.Sprintf("%s (%d × %s)", words, n, basis)
	}

	return sum, words + " (" + basis + ")"
}

// countText returns "1 payment" or "30 payments".
func countText(n int) string {
	if n == 1 {
		return "1 payment"
	}

	return fmt.Sprintf("%d payments", n)
}
