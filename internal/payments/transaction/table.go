package transaction

import (
	"cmp"
	"math/big"
	"strings"
	"time"
)

// tableColumn is a column of the table that has a row for each payment.
type tableColumn struct {
	name string
	cell func(r *tableRow) string
}

// tableRow is a payment of a transaction.
type tableRow struct {
	v *View
	p *PaymentView
	n int // its position; the first row has what belongs to no payment alone
}

// tableColumns are all columns, in the order that they have when none are chosen. Fees and debit of a transaction's
// rows add up to those of the transaction.
var tableColumns = []tableColumn{
	{"date", func(r *tableRow) string { return dateOf(r.v.CreatedAt) }},
	{"acceptedOn", func(r *tableRow) string { return dateOf(r.v.AcceptedAt) }},
	{"endedOn", func(r *tableRow) string { return dateOf(r.endedAt()) }},
	{"type", func(r *tableRow) string { return string(r.v.Type) }},
	{"payee", func(r *tableRow) string { return (Payment{Snapshot: string(r.p.Receiver)}).Payee() }},
	{"account", (*tableRow).account},
	{"purpose", func(r *tableRow) string { return r.p.Reason }},
	{"reference", func(r *tableRow) string { return cmp.Or(r.p.Reference, r.v.Reference) }},
	{"amount", func(r *tableRow) string { return r.p.Amount }},
	{"currency", func(r *tableRow) string { return cmp.Or(r.p.CurrencyIsoCode, r.p.TokenIsoCode, r.v.Token) }},
	{"token", func(r *tableRow) string { return r.v.Token }},
	{"tokenAmount", (*tableRow).tokenAmount},
	{"rate", (*tableRow).rate},
	{"fee", (*tableRow).fee},
	{"debit", (*tableRow).debit},
	{"status", func(r *tableRow) string { return string(r.p.Status) }},
	{"statusInfo", func(r *tableRow) string { return cmp.Or(r.p.StatusInfo, r.v.StatusInfo) }},
	{"hash", (*tableRow).hash},
	{"endToEndId", func(r *tableRow) string { return r.bank().EndToEndID }},
	{"uetr", func(r *tableRow) string { return r.bank().UETR }},
	{"network", func(r *tableRow) string { return r.v.Network }},
	{"wallet", func(r *tableRow) string { return r.v.WalletAddress }},
	{"payable", func(r *tableRow) string { return r.p.Payable }},
	{"transaction", func(r *tableRow) string { return r.v.ID }},
	{"payment", func(r *tableRow) string { return r.p.ID }},
}

// dateOf returns the day of a time in UTC; empty: it has not come.
func dateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}

	return t.UTC().Format(time.DateOnly)
}

// endedAt returns when the transaction came to its end.
func (r *tableRow) endedAt() time.Time {
	for _, step := range r.v.Timeline {
		switch Status(step.Status) {
		case StatusCompleted, StatusFailed, StatusRejected:
			return step.At
		case StatusDraft, StatusWaiting, StatusProcess, StatusReleased:
		}
	}

	return time.Time{}
}

// account returns where the payment goes.
func (r *tableRow) account() string {
	if b := r.p.BankAccount; b != nil {
		return cmp.Or(b.IBAN, b.AccountNumber)
	}

	return cmp.Or(r.p.WalletAddress, r.v.WalletAddress)
}

// tokenAmount returns the payment in tokens, without fees.
func (r *tableRow) tokenAmount() string {
	if r.v.Type == TypeCrypto {
		return r.p.Amount
	}

	return r.p.TokenAmount
}

// rate returns fiat for one token.
func (r *tableRow) rate() string {
	if r.v.Quote != nil {
		for _, x := range r.v.Quote.Rates {
			if x.CurrencyIsoCode == r.p.CurrencyIsoCode {
				return x.Rate
			}
		}
	}

	return r.p.EstimatedRate
}

// fee returns the fees of the row, in tokens.
func (r *tableRow) fee() string {
	var amounts []string

	for _, f := range r.v.Fees {
		if f.Payment == nil && r.n == 0 || f.Payment != nil && *f.Payment == r.n {
			amounts = append(amounts, f.Amount)
		}
	}

	return added(amounts...)
}

// debit returns what leaves the wallet for the row, before anything comes back. A deposit takes nothing.
func (r *tableRow) debit() string {
	if r.v.Type == TypeOnramp {
		return ""
	}

	return added(r.tokenAmount(), r.fee())
}

// hash returns the way of the tokens on the chain: what comes back to the wallet stands behind it.
func (r *tableRow) hash() string {
	for _, c := range r.v.Chain {
		if c.TxHash != "" && c.ReplacedBy == "" {
			return c.TxHash
		}
	}

	return ""
}

// bank returns the latest that a bank has carried out of the payment.
func (r *tableRow) bank() BankEffect {
	for i := len(r.v.Bank) - 1; i >= 0; i-- {
		if r.v.Bank[i].Payment == r.p.ID {
			return r.v.Bank[i]
		}
	}

	return BankEffect{}
}

// added adds decimal texts, and has as many decimals as the longest; empty: there are none.
func added(amounts ...string) string {
	sum := new(big.Rat)
	decimals := -1

	for _, a := range amounts {
		n, ok := new(big.Rat).SetString(a)
		if !ok {
			continue
		}

		_, fraction, _ := strings.Cut(a, ".")
		decimals = max(decimals, len(fraction))
		sum.Add(sum, n)
	}

	if decimals < 0 {
		return ""
	}

	return sum.FloatString(decimals)
}
