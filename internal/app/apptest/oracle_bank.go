//go:build !nosandbox

package apptest

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/chain/contract"
)

// sending is what the treasury sends, a row of effects, read past the code that writes it.
type sending struct {
	key, transaction, state, units, to string
	number, attempt                    int64
}

// latest is the rail's key of a sending's latest attempt: the one that its number is of.
func (s sending) latest() string {
	if s.attempt == 1 {
		return s.key
	}

	return fmt.Sprintf("%s/%d", s.key, s.attempt)
}

func (o *oracle) sendings(id string) []sending {
	o.h.T.Helper()
	out, err := db.Select(
		context.Background(),
		o.h.DB(),
		func(s *sending) []any {
			return []any{&s.key, &s.transaction, &s.state, &s.units, &s.to, &s.number, &s.attempt}
		},
		`SELECT key, transaction_id, state, units, recipient, number, attempt
			FROM effects WHERE transaction_id = ? AND word <> 'convert' ORDER BY key`,
		id,
	)
	require.NoError(o.h.T, err)

	return out
}

// posted says whether a transaction has a journal of a kind.
func (o *oracle) posted(id, kind string) bool {
	o.h.T.Helper()
	return o.h.Count("SELECT count(*) FROM journals WHERE transaction_id = ? AND kind = ?", id, kind) > 0
}

// throughBank checks a FIAT or ONRAMP transaction, and adds to what the books must say of wallets, of what is under
// way, and of the chain.
func (o *oracle) throughBank(t transaction.Transaction) {
	o.h.T.Helper()
	o.calls(t)
	wallet := string(ledger.WalletAccount(t.Network, t.WalletAddress)) + " " + t.Token
	treasury := o.h.World.Treasury.Address.Hex()

	pulled := t.Type == transaction.TypeFiat && o.posted(t.ID, "pulled")
	if t.Type == transaction.TypeFiat &&
		(pulled || t.Status == transaction.StatusProcess || t.Status == transaction.StatusReleased) {
		if pulled {
			add(o.wallets, wallet, t.Debit)
			o.paid = append(o.paid, Moved{
				Batch: fmt.Sprint(t.Number),
				Token: t.Token,
				From:  t.WalletAddress,
				To:    treasury,
				Units: t.Debit.String(),
			})
		}

		if !o.posted(t.ID, "convert") &&
			o.h.Count("SELECT count(*) FROM effects WHERE word <> 'convert' AND transaction_id = ?", t.ID) == 0 {
			add(o.open, t.Token, t.Debit)
		}
	}

	if t.Type == transaction.TypeOnramp && !o.posted(t.ID, "convert") {
		o.waiting(t)
	}

	for _, s := range o.sendings(t.ID) {
		units, ok := new(big.Int).SetString(s.units, 10)
		require.True(o.h.T, ok)

		switch s.state {
		case "FINAL":
			add(o.wallets, string(ledger.WalletAccount(t.Network, s.to))+" "+t.Token, new(big.Int).Neg(units))
			o.paid = append(o.paid, Moved{
				Batch: fmt.Sprint(s.number),
				Token: t.Token,
				From:  treasury,
				To:    common.HexToAddress(s.to).Hex(),
				Units: s.units,
			})

		case "WANTED", "PLANNED", "REFUSED", "DOUBTFUL":
			add(o.open, t.Token, units)
		}
	}

	o.returns(t)
	o.outcomesAtBank(t)
}

// returns adds what came back of a transaction's payments and waits to be given back.
func (o *oracle) returns(t transaction.Transaction) {
	o.h.T.Helper()

	type line struct{ currency, units string }
	lines, err := db.Select(context.Background(), o.h.DB(), func(l *line) []any { return []any{&l.currency, &l.units} },
		"SELECT currency, units FROM payout_returns WHERE transaction_id = ? AND state = 'RECEIVED'", t.ID)
	require.NoError(o.h.T, err)

	for _, l := range lines {
		n, ok := new(big.Int).SetString(l.units, 10)
		require.True(o.h.T, ok)
		add(o.open, l.currency, n)
	}
}

// waiting adds the deposits of an on-ramp that are matched and not converted.
func (o *oracle) waiting(t transaction.Transaction) {
	o.h.T.Helper()
	units, err := db.Select(context.Background(), o.h.DB(), func(s *string) []any {
		return []any{s}
	}, "SELECT units FROM deposits WHERE transaction_id = ? AND state = 'MATCHED'", t.ID)
	require.NoError(o.h.T, err)

	for _, u := range units {
		n, ok := new(big.Int).SetString(u, 10)
		require.True(o.h.T, ok)
		add(o.open, t.AmountCurrency, n)
	}
}

// outcomesAtBank checks I7 of what touches a bank.
func (o *oracle) outcomesAtBank(t transaction.Transaction) {
	o.h.T.Helper()

	arrived := 0
	for _, p := range t.Payments {
		switch p.Outcome {
		case transaction.PaymentCompleted, transaction.PaymentReturned:
			arrived++
		case transaction.PaymentFailed, transaction.PaymentRefunded:
			require.NotEmpty(o.h.T, p.StatusInfo, "I7: payment %d of %s failed without a reason", p.Position, t.ID)
		default: // not at its end
		}

		if t.Status == transaction.StatusFailed {
			require.Contains(
				o.h.T,
				[]transaction.PaymentStatus{transaction.PaymentFailed, transaction.PaymentRefunded},
				p.Outcome,
				"I7: payment %d of %s",
				p.Position,
				t.ID,
			)
		}
	}

	returns := o.h.Count("SELECT count(*) FROM payout_returns WHERE transaction_id = ?", t.ID)
	if t.Status == transaction.StatusCompleted {
		require.Positive(o.h.T, int64(arrived)+returns, "I7: %s is COMPLETED and nothing arrived", t.ID)
	}
}

// calls checks I8: the pull moves the locked debit to the treasury and nothing else, and each sending of the treasury
// is what its row says.
func (o *oracle) calls(t transaction.Transaction) {
	o.h.T.Helper()

	type send struct {
		key  string
		data []byte
	}
	sends, err := db.Select(context.Background(), o.h.DB(), func(s *send) []any {
		return []any{&s.key, &s.data}
	}, "SELECT key, data FROM chain_sends WHERE object = ?", t.ID)
	require.NoError(o.h.T, err)

	rows := o.sendings(t.ID)
	for _, s := range sends {
		call, err := contract.DecodeCall(s.data)
		require.NoError(o.h.T, err)
		require.Equal(o.h.T, o.h.World.Token(t.Token).Address, call.Token, "I8 of %s", s.key)
		require.Len(o.h.T, call.Legs, 1, "I8 of %s", s.key)

		if s.key == effect.BatchOf(t.ID).String() {
			require.Equal(
				o.h.T,
				[]string{
					fmt.Sprint(t.Number),
					common.HexToAddress(t.WalletAddress).Hex(),
					o.h.World.Treasury.Address.Hex(),
					t.Debit.String(),
				},
				[]string{
					call.Number.String(),
					call.Payer.Hex(),
					call.Legs[0].To.Hex(),
					call.Legs[0].Amount.String(),
				},
				"I8 of %s",
				s.key,
			)

			continue
		}

		found := false
		for _, r := range rows {
			if s.key == r.key || strings.HasPrefix(s.key, r.key+"/") {
				found = true

				if s.key == r.latest() && r.state != "WANTED" {
					require.Equal(o.h.T, fmt.Sprint(r.number), call.Number.String(), "I8 of %s", s.key)
				}

				require.Equal(
					o.h.T,
					[]string{o.h.World.Treasury.Address.Hex(), common.HexToAddress(r.to).Hex(), r.units},
					[]string{call.Payer.Hex(), call.Legs[0].To.Hex(), call.Legs[0].Amount.String()},
					"I8 of %s",
					s.key,
				)
			}
		}

		require.True(o.h.T, found, "%s is the send of no row", s.key)
	}
}

// bank holds the books against the bank's own: payouts, entries, suspense, and the treasury against the chain.
func (o *oracle) bank() {
	o.h.T.Helper()

	if o.h.App.Bank == nil {
		return
	}

	o.payouts()
	o.entries()
	o.treasury()
}

// payouts checks M-04 and F-03 between the bank's books and ours, and adds what is under way to what must be open.
func (o *oracle) payouts() {
	o.h.T.Helper()
	t := o.h.T
	ctx := context.Background()

	type payout struct{ key, endToEnd, state, currency, units string }
	ours, err := db.Select(ctx, o.h.DB(), func(p *payout) []any {
		return []any{&p.key, &p.endToEnd, &p.state, &p.currency, &p.units}
	},
		"SELECT key, end_to_end_id, state, currency, units FROM bank_payouts")
	require.NoError(t, err)

	byID := map[string]payout{}
	for _, p := range ours {
		byID[p.endToEnd] = p
		if p.state != "BOOKED" && p.state != "REJECTED" && p.state != "RETURNED" {
			n, ok := new(big.Int).SetString(p.units, 10)
			require.True(t, ok)
			add(o.open, p.currency, n)
		}
	}

	executed := map[string]string{}
	truth, err := o.h.World.Bank.Payments(ctx)
	require.NoError(t, err)

	for _, p := range truth {
		if p.Executed == 0 {
			continue
		}

		require.Equal(t, 1, p.Executed, "F-03: %s was executed several times", p.EndToEndID)
		require.NotContains(t, executed, p.EndToEndID, "F-03: %s was executed several times", p.EndToEndID)
		own, known := byID[p.EndToEndID]
		require.True(t, known, "M-04: the bank has executed %s, which is not ours", p.EndToEndID)
		a, err := money.Parse(money.Asset{Code: p.Currency, Decimals: 2}, p.Amount)
		require.NoError(t, err)
		require.Equal(
			t,
			[]string{own.currency, own.units},
			[]string{p.Currency, a.Units().String()},
			"M-04: %s",
			own.key,
		)
		require.NotEqual(t, "REJECTED", own.state, "M-04: %s was executed and is rejected here", own.key)
		executed[p.EndToEndID] = p.State
	}

	for _, p := range ours {
		if p.state == "BOOKED" || p.state == "RETURNED" {
			require.Contains(t, executed, p.endToEnd, "M-04: %s is booked here and was not executed", p.key)
		}
	}
}

// entries checks I11 and D-05: each account of the ledger at a bank equals the entries that came, less those not
// matched yet; the suspense accounts equal what is listed.
func (o *oracle) entries() {
	o.h.T.Helper()
	booked, byDay, count := o.bookedEntries()

	for _, a := range world.HouseAccounts() {
		o.balanceAtBank(a, count[a.ID], booked[string(ledger.BankAccount(a.ID))+" "+a.Currency])
	}

	suspense := map[string]*big.Int{}

	for _, d := range o.deposits() {
		switch d.state {
		case "NEW":
			account := string(ledger.BankAccount(d.house)) + " " + d.currency
			add(booked, account, new(big.Int).Neg(d.n))
			add(byDay, account+" "+dayOf(d.booked), new(big.Int).Neg(d.n))
		case "SUSPENSE", "HELD", "ASSIGNED":
			add(suspense, string(ledger.SuspenseAccount(d.currency, d.owner))+" "+d.currency, d.n)
		}
	}

	require.Equal(o.h.T, texts(booked), texts(o.sums("bank/")), "I11: bank accounts")
	require.Equal(o.h.T, texts(byDay), texts(o.postedByDay()), "I11: bank accounts on each of the bank's days")
	require.Equal(o.h.T, texts(suspense), texts(o.sums("suspense/")), "D-05: suspense")

	if !slices.Contains(o.without, "D-08") {
		o.receivables()
	}
}

// receivables checks D-08: what the books say that organisations owe is what is listed, and what was settled of each
// receivable is what it is less.
func (o *oracle) receivables() {
	o.h.T.Helper()

	type line struct{ id, organisation, currency, units, owed, state string }
	rows, err := db.Select(context.Background(), o.h.DB(), func(l *line) []any {
		return []any{&l.id, &l.organisation, &l.currency, &l.units, &l.owed, &l.state}
	}, "SELECT id, organisation, currency, units, owed, state FROM receivables")
	require.NoError(o.h.T, err)

	owed := map[string]*big.Int{}

	for _, l := range rows {
		left := o.number(l.owed)
		require.Equal(o.h.T, l.state == "OPEN", left.Sign() > 0, "D-08: %s is %s and %s is owed", l.id, l.state, l.owed)
		add(owed, string(ledger.ReceivableAccount(l.organisation))+" "+l.currency, new(big.Int).Neg(left))

		settled := new(big.Int)
		for _, x := range o.units("SELECT means, units FROM receivable_parts WHERE receivable = '" + l.id + "'") {
			settled.Add(settled, x.n)
		}

		require.Equal(
			o.h.T,
			l.units,
			settled.Add(settled, left).String(),
			"D-08: what was settled of %s and what is owed",
			l.id,
		)
	}

	require.Equal(o.h.T, texts(owed), texts(o.sums("receivable/")), "D-08: receivables")
}

// postedByDay returns the sums of the ledger's postings to accounts at banks, by account, currency and business day.
func (o *oracle) postedByDay() map[string]*big.Int {
	o.h.T.Helper()

	type line struct{ account, asset, units, day string }

	rows, err := db.Select(context.Background(), o.h.DB(), func(l *line) []any {
		return []any{&l.account, &l.asset, &l.units, &l.day}
	}, `SELECT p.account, p.asset, p.units, j.booked_on FROM postings p JOIN journals j ON j.id = p.journal
		WHERE p.account >= 'bank/' AND p.account < 'bank0'`)
	require.NoError(o.h.T, err)

	sums := map[string]*big.Int{}
	for _, l := range rows {
		add(sums, l.account+" "+l.asset+" "+l.day, o.number(l.units))
	}

	return sums
}

func dayOf(micros int64) string { return db.Time(micros).UTC().Format(time.DateOnly) }

// bookedEntries returns the sums of the booked entries by the ledger's account and currency, the same by booking day,
// and their number by house account.
func (o *oracle) bookedEntries() (sums, byDay map[string]*big.Int, count map[string]int) {
	o.h.T.Helper()

	type entry struct {
		account, currency, units string
		credit                   bool
		booked                   int64
	}

	rows, err := db.Select(context.Background(), o.h.DB(), func(e *entry) []any {
		return []any{&e.account, &e.currency, &e.units, &e.credit, &e.booked}
	}, "SELECT account, currency, units, credit, booked_at FROM bank_entries WHERE status = 'BOOK'")
	require.NoError(o.h.T, err)

	sums = map[string]*big.Int{}
	byDay = map[string]*big.Int{}
	count = map[string]int{}

	for _, e := range rows {
		n, ok := new(big.Int).SetString(e.units, 10)
		require.True(o.h.T, ok)

		if !e.credit {
			n.Neg(n)
		}

		count[e.account]++

		account := string(ledger.BankAccount(e.account)) + " " + e.currency
		add(sums, account, n)
		add(byDay, account+" "+dayOf(e.booked), n)
	}

	return sums, byDay, count
}

// balanceAtBank compares the sum of an account's entries with the bank's own books, unless an answer of the bank is
// still on its way.
func (o *oracle) balanceAtBank(a banksim.Account, entries int, have *big.Int) {
	o.h.T.Helper()
	t := o.h.T
	ctx := context.Background()

	lines, err := o.h.World.Bank.Lines(ctx, a.ID)
	require.NoError(t, err)

	done := 0
	for _, l := range lines {
		if l.Status == "BOOK" {
			done++
		}
	}

	if done != entries {
		return
	}

	balance, err := o.h.World.Bank.Balance(ctx, a.ID)
	require.NoError(t, err)
	opening, err := money.Parse(money.Asset{Code: a.Currency, Decimals: 2}, a.Opening)
	require.NoError(t, err)

	if have == nil {
		have = new(big.Int)
	}

	moved := balance.Sub(balance, opening.Units())
	require.Equal(t, moved.String(), have.String(), "I11: entries of %s and the bank's balance", a.ID)
}

type depositLine struct {
	house, currency, units, state, owner string
	n                                    *big.Int
	booked                               int64
}

func (o *oracle) deposits() []depositLine {
	o.h.T.Helper()
	out, err := db.Select(context.Background(), o.h.DB(), func(d *depositLine) []any {
		return []any{&d.house, &d.currency, &d.units, &d.state, &d.owner, &d.booked}
	},
		"SELECT house, currency, units, state, owner, booked_at FROM deposits")
	require.NoError(o.h.T, err)

	for i := range out {
		var ok bool
		out[i].n, ok = new(big.Int).SetString(out[i].units, 10)
		require.True(o.h.T, ok)
	}

	return out
}

// sums adds the ledger's accounts that begin with a word, by account and asset.
func (o *oracle) sums(prefix string) map[string]*big.Int {
	o.h.T.Helper()

	type line struct{ account, asset, units string }
	lines, err := db.Select(context.Background(), o.h.DB(), func(l *line) []any {
		return []any{&l.account, &l.asset, &l.units}
	},
		"SELECT account, asset, units FROM postings WHERE account LIKE ?", prefix+"%")
	require.NoError(o.h.T, err)

	out := map[string]*big.Int{}
	for _, l := range lines {
		n, ok := new(big.Int).SetString(l.units, 10)
		require.True(o.h.T, ok)
		add(out, l.account+" "+l.asset, n)
	}

	return out
}

// owned adds what the house's owners had in the treasury when the books began, and moved since: no payment is the
// cause.
func (o *oracle) owned(want map[string]*big.Int) {
	o.h.T.Helper()

	type line struct{ account, asset, units string }

	lines, err := db.Select(
		context.Background(),
		o.h.DB(),
		func(l *line) []any { return []any{&l.account, &l.asset, &l.units} },
		"SELECT p.account, p.asset, p.units FROM journals j JOIN postings p ON p.journal = j.id "+
			"WHERE j.kind IN ('opening', 'movement') AND p.account LIKE 'treasury/%'",
	)
	require.NoError(o.h.T, err)

	for _, l := range lines {
		n, ok := new(big.Int).SetString(l.units, 10)
		require.True(o.h.T, ok)
		add(want, l.account+" "+l.asset, n)
	}
}

// treasury checks I11 of the house's own tokens: what the chain says has moved is what the books say, as far as it is
// final.
func (o *oracle) treasury() {
	o.h.T.Helper()
	want := map[string]*big.Int{}

	treasury := o.h.World.Treasury.Address.Hex()
	for _, m := range o.paid {
		n, ok := new(big.Int).SetString(m.Units, 10)
		require.True(o.h.T, ok)

		key := string(ledger.TreasuryAccount(world.NetworkID)) + " " + m.Token
		if m.To == treasury {
			add(want, key, n)
		}

		if m.From == treasury {
			add(want, key, new(big.Int).Neg(n))
		}
	}

	o.owned(want)
	require.Equal(o.h.T, texts(want), texts(o.sums("treasury/")), "I11: the treasury")
}
