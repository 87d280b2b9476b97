package camt

import (
	"fmt"
	"strconv"

	"slipway/internal/standards/iso20022"
)

// Tally adds up the entries of one statement and compares them with the bank's totals. The zero value is ready.
type Tally struct {
	entries, booked, details int
	credits, debits, all     iso20022.Sum // booked, booked, of any status
	mixed                    bool         // entries in different currencies: no sum is meaningful
	currency                 string
}

// Entries returns the number of added entries.
func (t *Tally) Entries() int { return t.entries }

// Add adds an entry.
func (t *Tally) Add(e *Entry) {
	if t.entries == 0 {
		t.currency = e.Amount.Currency
	}

	t.mixed = t.mixed || e.Amount.Currency != t.currency
	t.entries++
	t.details += len(e.Details)
	t.all.Add(e.Amount.Value)

	if e.Status != Booked {
		return
	}

	t.booked++
	if e.Credit {
		t.credits.Add(e.Amount.Value)
	} else {
		t.debits.Add(e.Amount.Value)
	}
}

// Result compares the sums with those in the statement's header.
func (t *Tally) Result(h *Header) Totals {
	out := Totals{
		Statement:     h.Number,
		Entries:       t.entries,
		Booked:        t.booked,
		Details:       t.details,
		BookedCredits: t.credits.String(),
		BookedDebits:  t.debits.String(),
	}

	find := func(code FindingCode, format string, args ...any) {
		out.Findings = append(out.Findings, Finding{code, fmt.Sprintf(format, args...)})
	}
	if n, err := strconv.Atoi(h.DeclaredCount); h.DeclaredCount != "" && (err != nil || n != t.entries) {
		find(CountDiffers, "the bank counts %.20s entries, there are %d", h.DeclaredCount, t.entries)
	}

	if t.mixed || t.entries > 0 && h.Account.Currency != "" && h.Account.Currency != t.currency {
		find(CurrencyMixed, "entries are not all in the account's currency")
		return out
	}

	if h.DeclaredSum != "" && !t.all.Equal(h.DeclaredSum) {
		find(SumDiffers, "the bank adds its entries to %s, they are %s", h.DeclaredSum, t.all.String())
	}

	if want, got, ok := t.closing(h); ok && want != got {
		find(BalanceDiffers, "the closing balance is %s, opening balance and entries make %s", want, got)
	}

	return out
}

// closing computes the closing balance from the opening balance and the booked entries. ok means that the statement has
// both balances, in one currency and with signs.
func (t *Tally) closing(h *Header) (want, got string, ok bool) {
	opening, first := h.Balance("OPBD", "PRCD")
	closing, last := h.Balance("CLBD")

	currency := opening.Amount.Currency
	if h.Kind != Statement || !first || !last || !opening.Signed || !closing.Signed {
		return "", "", false
	}

	if closing.Amount.Currency != currency || t.entries > 0 && t.currency != currency {
		return "", "", false
	}

	var is, should iso20022.Sum
	is.AddSum(&t.credits)
	is.SubSum(&t.debits)
	signed(&is, opening)
	signed(&should, closing)

	return should.String(), is.String(), true
}

func signed(s *iso20022.Sum, b Balance) {
	if b.Credit {
		s.Add(b.Amount.Value)
	} else {
		s.Sub(b.Amount.Value)
	}
}
