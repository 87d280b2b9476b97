package reconcile

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/standards/creditorref"
)

var eur = money.Asset{Code: "EUR", Decimals: 2}

func units(n int64) money.Amount { return money.FromUnits(eur, big.NewInt(n)) }

var day = time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)

// awaited is a transaction that waits for 1,000.00 EUR from ACME on the house's account.
func awaited() Awaited {
	t := transaction.Transaction{
		ID:           "txn_1",
		Organisation: "org_1",
		Type:         transaction.TypeOnramp,
		Status:       transaction.StatusWaiting,
		Settlement:   transaction.SettlementAwaiting,
	}
	t.AmountCurrency = "EUR"
	t.CurrencyDecimals = 2
	t.FiatUnits = big.NewInt(100_000)
	t.ExpiresAt = day.Add(48 * time.Hour)

	return Awaited{T: t, House: "hse_eur", Senders: Senders{
		Names:    []string{"ACME Société Générale"},
		Accounts: []string{"DE89 3704 0044 0532 0130 00"},
	}}
}

func deposit() Deposit {
	return Deposit{
		Entry:      "ent_1",
		House:      "hse_eur",
		Amount:     units(100_000),
		SenderName: "ACME SOCIETE GENERALE",
		BookedAt:   day,
	}
}

// D-04, D-05, D-06, D-07: the one case that matches, and every way in which a deposit is not it. Nothing inexact is
// ever matched.
func TestDecide(t *testing.T) {
	change := func(f func(d *Deposit, a *Awaited)) (Deposit, []Awaited) {
		d := deposit()
		a := awaited()
		f(&d, &a)

		return d, []Awaited{a}
	}
	for name, c := range map[string]struct {
		change func(d *Deposit, a *Awaited)
		want   Reason
	}{
		"exact": {func(*Deposit, *Awaited) {}, ""},
		"by account, under no name": {func(d *Deposit, _ *Awaited) {
			d.SenderName = ""
			d.SenderAccount = "DE89370400440532013000"
		}, ""},
		"after an inexact one": {func(_ *Deposit, a *Awaited) { a.T.Settlement = transaction.SettlementMismatch }, ""},
		"one cent under":       {func(d *Deposit, _ *Awaited) { d.Amount = units(99_999) }, ReasonUnder},
		"shortened by 15.00":   {func(d *Deposit, _ *Awaited) { d.Amount = units(98_500) }, ReasonUnder},
		"one cent over":        {func(d *Deposit, _ *Awaited) { d.Amount = units(100_001) }, ReasonOver},
		"the same number of francs": {func(d *Deposit, _ *Awaited) {
			d.Amount = money.FromUnits(money.Asset{Code: "CHF", Decimals: 2}, big.NewInt(100_000))
		}, ReasonCurrency},
		"another sender": {func(d *Deposit, _ *Awaited) { d.SenderName = "ACME Societe" }, ReasonSender},
		"nobody named":   {func(d *Deposit, _ *Awaited) { d.SenderName = "" }, ReasonSender},
		"an account of nobody known": {func(d *Deposit, _ *Awaited) {
			d.SenderName = ""
			d.SenderAccount = "DE02120300000000202051"
		}, ReasonSender},
		"to another account of ours": {func(d *Deposit, _ *Awaited) { d.House = "hse_other" }, ReasonAccount},
		"before submit": {func(_ *Deposit, a *Awaited) {
			a.T.Status = transaction.StatusDraft
			a.T.Settlement = transaction.SettlementIdle
		}, ReasonNotOpen},
		"a second one": {func(_ *Deposit, a *Awaited) {
			a.T.Status = transaction.StatusProcess
			a.T.Settlement = transaction.SettlementReceived
		}, ReasonNotOpen},
		"after COMPLETED": {func(_ *Deposit, a *Awaited) {
			a.T.Status = transaction.StatusCompleted
			a.T.Settlement = transaction.SettlementSettled
		}, ReasonNotOpen},
		"after FAILED": {func(_ *Deposit, a *Awaited) {
			a.T.Status = transaction.StatusFailed
			a.T.Settlement = transaction.SettlementIdle
		}, ReasonNotOpen},
		"too late":            {func(d *Deposit, a *Awaited) { d.BookedAt = a.T.ExpiresAt }, ReasonNotOpen},
		"a FIAT transaction":  {func(_ *Deposit, a *Awaited) { a.T.Type = transaction.TypeFiat }, ReasonNotOpen},
		"of a debtor of ours": {func(_ *Deposit, a *Awaited) { a.Blocked = true }, ReasonBlocked},
		"what is owed":        {func(d *Deposit, a *Awaited) { a.owe(d.Amount) }, ""},
		"what is owed, in parts": {func(d *Deposit, a *Awaited) {
			a.owe(units(1))
			a.owe(d.Amount.Sub(units(1)))
		}, ""},
		"less than is owed": {func(d *Deposit, a *Awaited) { a.owe(d.Amount.Add(units(1))) }, ReasonUnder},
		"more than is owed": {func(d *Deposit, a *Awaited) { a.owe(d.Amount.Sub(units(1))) }, ReasonOver},
		"what is owed, by a stranger": {func(d *Deposit, a *Awaited) {
			a.owe(d.Amount)
			d.SenderName = "x"
		}, ReasonSender},
		"what is owed, elsewhere": {func(d *Deposit, a *Awaited) {
			a.owe(d.Amount)
			d.House = "another"
		}, ReasonAccount},
		"wrong in several ways": {func(d *Deposit, _ *Awaited) {
			d.Amount = units(1)
			d.SenderName = "x"
		}, ReasonUnder},
	} {
		t.Run(name, func(t *testing.T) {
			d, named := change(c.change)
			v := Decide(d, 1, named)
			require.Equal(t, c.want, v.Reason)
			require.Equal(t, c.want == "", v.Match)
			require.Equal(t, "txn_1", v.Transaction)
		})
	}

	other := awaited()
	other.T.ID = "txn_2"
	require.Equal(t, Verdict{Reason: ReasonNoReference}, Decide(deposit(), 0, nil))
	require.Equal(t, Verdict{Reason: ReasonUnknown}, Decide(deposit(), 2, nil))
	require.Equal(t, Verdict{Reason: ReasonSeveral}, Decide(deposit(), 2, []Awaited{awaited(), other}))
}

// owe has the organisation of a transaction that has ended owe an amount under its reference.
func (a *Awaited) owe(amount money.Amount) {
	a.T.Status = transaction.StatusCompleted
	a.T.Settlement = transaction.SettlementReturned
	a.Blocked = true
	a.Owed = append(a.Owed, receivable.Receivable{
		ID:           "ent_" + amount.String(),
		Organisation: a.T.Organisation,
		Transaction:  a.T.ID,
		Amount:       amount,
		Owed:         amount,
	})
}

// D-11: each form of sender. Only the organisation itself is one; what submit declares narrows that and never widens
// it.
func TestOnlyTheOrganisationItselfIsASender(t *testing.T) {
	const own, foreign = "DE89 3704 0044 0532 0130 00", "DE02120300000000202051"
	untold := Senders{Names: []string{"ACME AG", "Ada Lovelace"}}
	told := Senders{Names: untold.Names, Accounts: []string{own}}
	declared := func(s Senders, who string) Senders {
		s.Declared = who
		return s
	}

	for name, c := range map[string]struct {
		senders       Senders
		name, account string
		want          bool
	}{
		"nobody named":               {told, "", "", false},
		"its name":                   {told, "acme ag", "", true},
		"its second name":            {told, "ADA LOVELACE", "", true},
		"its name, its account":      {told, "ACME AG", "DE89370400440532013000", true},
		"its account without a name": {told, "", own, true},
		"its name, another account although one was told": {told, "ACME AG", foreign, false},
		"its name, an account, none was told":             {untold, "ACME AG", foreign, true},
		"an account without a name, none was told":        {untold, "", foreign, false},
		"another name": {told, "Mallory Ltd", "", false},
		"another name from an account told as its own": {told, "Mallory Ltd", own, false},
		"a longer name":                                       {told, "ACME AG Mallory", "", false},
		"its name as a bank writes it":                        {told, "A.C.M.E.  Ag", own, true},
		"its name with what nobody sees":                      {told, "Ac\u200bme A\u00adG", own, true},
		"another name that was declared":                      {declared(told, "Mallory Ltd"), "Mallory Ltd", "", false},
		"another account that was declared":                   {declared(untold, foreign), "Mallory Ltd", foreign, false},
		"a declared account without a name":                   {declared(untold, foreign), "", foreign, false},
		"its name, declared":                                  {declared(told, "Acme AG"), "ACME AG", own, true},
		"its account, declared":                               {declared(told, own), "ACME AG", own, true},
		"its name, another of its names was declared":         {declared(told, "Ada Lovelace"), "ACME AG", "", false},
		"its name, somebody else was declared":                {declared(told, "Mallory Ltd"), "ACME AG", own, false},
		"its name, an account was declared and the bank says": {declared(untold, own), "ACME AG", foreign, false},
	} {
		d := deposit()
		d.SenderName = c.name
		d.SenderAccount = c.account
		require.Equal(t, c.want, c.senders.include(d), name)
	}
}

func TestAccountsAsPeopleWriteThem(t *testing.T) {
	require.Empty(t, foldAccount("12345"), "too short to be an account")
	require.Empty(t, foldAccount("ACME LTD"), "a name is no account")
}

// D-08, F-11: a reversal takes back the deposit that it names by the bank's reference, by a reference of ours, or by
// one of the sender's with the sender's account; never by the amount, never by free text that two senders write
// alike, and never one that was booked after it.
func TestTakenBack(t *testing.T) {
	const anna, bert = "AT611904300234573201", "DE89370400440532013000"
	own := creditorref.Deposit([5]byte{1, 2, 3, 4, 5})
	one := deposit()
	two := deposit()
	one.BankRef = "R1"
	one.Texts = []string{"RENT", "E2E-1", own}
	one.SenderAccount = anna
	two.Entry = "ent_2"
	two.BankRef = "R2"
	two.Texts = []string{"RENT", "E2E-2"}
	two.SenderAccount = bert
	again := two
	again.Entry = "ent_3"
	again.SenderAccount = anna
	day := one.BookedAt

	both := []Deposit{one, two}
	for name, c := range map[string]struct {
		x    Debit
		like []Deposit
		want string
	}{
		"by the bank's reference": {Debit{BankRef: "R2", Texts: []string{own}}, both, "ent_2"},
		"by one that the bank used again": {Debit{
			BankRef:       "R2",
			SenderAccount: anna,
		}, []Deposit{two, again}, "ent_3"},
		"by one of several":              {Debit{BankRef: "R2"}, []Deposit{two, again}, ""},
		"of another sender":              {Debit{BankRef: "R2", SenderAccount: anna}, both, ""},
		"by our reference":               {Debit{BankRef: "R9", Texts: []string{"STORNO " + own}}, both, "ent_1"},
		"by the sender's reference":      {Debit{References: []string{"E2E-2"}, SenderAccount: bert}, both, "ent_2"},
		"by a reference of another":      {Debit{References: []string{"E2E-2"}, SenderAccount: anna}, both, ""},
		"by a reference of nobody known": {Debit{References: []string{"E2E-2"}}, both, ""},
		"by free text of the only one":   {Debit{Texts: []string{"RENT"}, SenderAccount: bert}, []Deposit{two}, ""},
		"by the amount alone":            {Debit{BankRef: "R9"}, []Deposit{one}, ""},
		"by an empty text": {Debit{Texts: []string{""}}, []Deposit{{
			Entry: "x",
			Texts: []string{""},
		}}, ""},
		"of nothing":                        {Debit{BankRef: "R1"}, nil, ""},
		"before the deposit itself":         {Debit{BankRef: "R1", BookedAt: day.AddDate(0, 0, -1)}, both, ""},
		"by the bank's reference next year": {Debit{BankRef: "R1", BookedAt: day.AddDate(1, 0, 0)}, both, "ent_1"},
	} {
		if c.x.BookedAt.IsZero() {
			c.x.BookedAt = day
		}

		d, ok := reversedDeposit(c.x, c.like)
		require.Equal(t, c.want != "", ok, name)

		if ok {
			require.Equal(t, c.want, d.Entry, name)
		}
	}
}

// D-04: a hundred thousand texts as people and banks write them. Each has the reference of one transaction that
// waits, whole or damaged, or none, among other digits and words. No text is ever matched to another transaction than
// the one whose reference was put in.
func TestHundredThousandTextsAndNoFalseMatch(t *testing.T) {
	seed := uint64(20260310)
	r := rand.New(rand.NewPCG(seed, 1))
	open := map[string]string{} // reference to transaction

	var refs []string
	for i := range 20_000 {
		var bits [5]byte
		for j := range bits {
			bits[j] = byte(r.Uint32())
		}

		ref := creditorref.Deposit(bits)
		if _, twice := open[ref]; !twice {
			open[ref] = fmt.Sprint("txn_", i)
			refs = append(refs, ref)
		}
	}

	found := 0
	lost := 0
	matched := 0
	mended := 0

	wrong := 0
	for range 100_000 {
		ref := refs[r.IntN(len(refs))]
		text, whole := disturb(r, ref)
		d := deposit()
		d.Texts = []string{text}

		var named []Awaited

		got := References(d.Texts)
		for _, x := range got {
			if id, ok := open[x]; ok {
				a := awaited()
				a.T.ID = id
				named = append(named, a)
			}
		}

		v := Decide(d, len(got), named)
		switch {
		case v.Match && v.Transaction != open[ref]:
			wrong++
			t.Errorf("seed %d: %q was matched to %s, not to %s (%s)", seed, text, v.Transaction, open[ref], ref)
		case v.Match && !whole:
			mended++ // the character before or after it was the missing one
		case v.Match:
			matched++
		case whole:
			lost++
		}

		if whole {
			found++
		}

		if wrong > 5 {
			t.FailNow()
		}
	}

	t.Logf(
		"%d texts carried a whole reference: %d matched, %d left to people; %d of the others matched their own",
		found,
		matched,
		lost,
		mended,
	)
	require.Greater(t, matched*100, found*95, "what is written properly is found")
}

// disturb writes a text around a reference. whole says whether the reference can still be read as it is.
func disturb(r *rand.Rand, ref string) (text string, whole bool) {
	const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	words := []string{
		"RECHNUNG",
		"INVOICE 4711",
		"/RFB/",
		"VIELEN DANK",
		"REF",
		"KUNDE 88120",
		"payment for",
		"EREF+",
		"SVWZ+",
		"14.03.2026",
		"order 2026-03",
	}
	b := []byte(ref)

	whole = true
	switch r.IntN(10) {
	case 0: // one character is another one
		i := r.IntN(len(b))

		was := b[i]
		for b[i] == was {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}

		whole = false

	case 1: // one is missing
		i := r.IntN(len(b))
		b = append(b[:i:i], b[i+1:]...)
		whole = false

	case 2: // two neighbours changed places
		i := r.IntN(len(b) - 1)
		if b[i] == b[i+1] {
			break
		}

		b[i], b[i+1] = b[i+1], b[i]
		whole = false

	case 3: // none at all
		b = []byte(words[r.IntN(len(words))])
		whole = false
	}

	s := string(b)
	switch r.IntN(6) {
	case 0:
		s = strings.ToLower(s)

	case 1:
		if len(s) == 8 {
			s = s[:4] + "-" + s[4:]
		}

	case 2:
		if len(s) == 8 {
			s = s[:4] + " " + s[4:]
		}

	case 3:
		s = strings.NewReplacer("0", "O", "1", "I").Replace(s)
	}

	parts := []string{s}
	for range r.IntN(3) {
		w := words[r.IntN(len(words))]
		if r.IntN(2) == 0 {
			parts = append(parts, w)
		} else {
			parts = append([]string{w}, parts...)
		}
	}

	return strings.Join(parts, " "), whole
}
