package transaction

import (
	"slices"

	"slipway/internal/core/money"
)

// Outcome is what has become of a transaction's payments so far. A transaction can be COMPLETED although some of its
// payments were not made.
type Outcome struct {
	Payments  int
	Paid      Share
	Failed    Share // not made, or sent back by a bank
	GivenBack Share // of the failed ones: their tokens are back in the wallet, or never left it
}

// Share is some of a transaction's payments: how many, and what they come to in each currency or token.
type Share struct {
	Count int
	Sums  []money.Amount
}

// OutcomeView is what has become of the payments so far.
type OutcomeView struct {
	Paid      ShareView `json:"paid" doc:"their receivers have them"`
	Failed    ShareView `json:"failed" doc:"not made, or sent back by a bank; also beside a transaction that is COMPLETED"`
	GivenBack ShareView `json:"givenBack" doc:"of the failed ones, those whose tokens are back in the wallet or never left it"`
}

// ShareView is some of the payments.
type ShareView struct {
	Count int       `json:"count" doc:"number of payments"`
	Sums  []SumView `json:"sums" nullable:"false" doc:"what they come to, by currency or token"`
}

// SumView is an amount of a currency or a token.
type SumView struct {
	Amount string `json:"amount"`
	Asset  string `json:"asset" doc:"ISO 4217 code, or the token"`
}

// Outcome returns what has become of the payments so far.
func (t *Transaction) Outcome() Outcome {
	out := Outcome{Payments: len(t.Payments)}

	for i := range t.Payments {
		p := &t.Payments[i]

		switch status := t.PaymentStatus(p.Outcome); status {
		case PaymentCompleted:
			out.Paid.add(t.paid(p))

		case PaymentFailed, PaymentReturned, PaymentRefunded, PaymentCancelled:
			out.Failed.add(t.paid(p))

			if status == PaymentRefunded || t.keptTokens(status) {
				out.GivenBack.add(t.paid(p))
			}

		case PaymentDraft, PaymentLocked, PaymentProcess, PaymentSent, PaymentUnknown: // open
		}
	}

	return out
}

// keptTokens reports whether what a payment would have cost has never left the wallet: on a chain a payment that fails
// takes nothing, and what is cancelled was not tried.
func (t *Transaction) keptTokens(status PaymentStatus) bool {
	return status == PaymentCancelled || t.Type == TypeCrypto
}

// paid returns what a payment's receiver gets; of ONRAMP, what is deposited.
func (t *Transaction) paid(p *Payment) money.Amount {
	switch t.Type {
	case TypeFiat:
		return p.Fiat()
	case TypeOnramp:
		return t.Deposit()
	case TypeCrypto:
	}

	return t.Amount(*p)
}

func (s *Share) add(a money.Amount) {
	s.Count++

	i := slices.IndexFunc(s.Sums, func(sum money.Amount) bool { return sum.Asset() == a.Asset() })
	if i < 0 {
		s.Sums = append(s.Sums, a)
	} else {
		s.Sums[i] = s.Sums[i].Add(a)
	}
}

func (o Outcome) view() OutcomeView {
	return OutcomeView{Paid: o.Paid.view(), Failed: o.Failed.view(), GivenBack: o.GivenBack.view()}
}

func (s Share) view() ShareView {
	v := ShareView{Count: s.Count, Sums: make([]SumView, len(s.Sums))}
	for i, sum := range s.Sums {
		v.Sums[i] = SumView{Amount: sum.String(), Asset: sum.Asset().Code}
	}

	return v
}
