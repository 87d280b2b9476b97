//go:build !nosandbox

package apptest

import (
	"context"
	"math/big"
	"strings"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// conserved checks M-02 of one transaction: pulled is what was paid, the fees, what was given back and what is held,
// in base units of each asset, and nothing is held at its end. What moved is taken from the records of payments,
// payouts and sendings, and compared with the postings of the transaction's journals; the fees are what is left.
func (o *oracle) conserved(t transaction.Transaction) {
	o.h.T.Helper()

	lines, err := ledger.OfTransaction(context.Background(), o.h.DB(), t.ID)
	require.NoError(o.h.T, err)

	posted := map[string]*big.Int{} // by class and asset

	for _, l := range lines {
		units, ok := new(big.Int).SetString(l.Units, 10)
		require.True(o.h.T, ok)

		add(posted, classOf(l.Account)+" "+l.Asset, units)
	}

	want := map[string]*big.Int{}
	o.wantPulled(t, want)
	o.wantPaid(t, want)
	o.wantHeld(t, want)

	for key, units := range posted {
		class, asset, _ := strings.Cut(key, " ")
		if class == "wallet" || class == "reserved" || class == "payee" || class == "kept" ||
			class == "underway" && (t.Type != transaction.TypeOnramp || asset == t.Token) {
			add(want, key, new(big.Int))

			require.Equal(
				o.h.T,
				want[key].String(),
				units.String(),
				"M-02: %s of %s, which is %s %s",
				key,
				t.ID,
				t.Status,
				t.Settlement,
			)
		}

		if class == "fee" {
			require.GreaterOrEqual(o.h.T, units.Sign(), 0, "M-02: fees of %s", t.ID)
		}
	}

	for key, units := range want {
		if units.Sign() != 0 {
			require.NotNil(o.h.T, posted[key], "M-02: %s of %s is not in its journals", key, t.ID)
		}
	}
}

// classOf is what an account is to the conservation of a transaction.
func classOf(account string) string {
	first, _, _ := strings.Cut(account, "/")

	switch first {
	case "receiver", "payee":
		return "payee"
	case "hold", "clearing":
		return "underway"
	case "held":
		return "kept"
	case "income", "tax":
		return "fee"
	}

	return first
}

// wantPulled adds what is gone from the transaction's wallet, less what was given back to it, and what is reserved
// there.
func (o *oracle) wantPulled(t transaction.Transaction, want map[string]*big.Int) {
	o.h.T.Helper()

	gone := new(big.Int)
	pulled := o.posted(t.ID, "pulled")

	switch {
	case pulled:
		gone.Set(t.Debit)
	case t.Type == transaction.TypeCrypto:
		for _, p := range t.Payments {
			if p.Outcome == transaction.PaymentCompleted {
				gone.Add(gone, p.Units)
			}
		}
	}

	live := t.Status == transaction.StatusProcess || t.Status == transaction.StatusReleased
	if live && !pulled && t.Type != transaction.TypeOnramp {
		want["reserved "+t.Token] = new(big.Int).Neg(t.Debit)
	}

	for _, s := range o.sendings(t.ID) {
		if s.state == "FINAL" {
			gone.Sub(gone, o.number(s.units))
		}
	}

	want["wallet "+t.Token] = gone.Neg(gone)
}

// wantPaid adds what the payees have.
func (o *oracle) wantPaid(t transaction.Transaction, want map[string]*big.Int) {
	o.h.T.Helper()

	if t.Type == transaction.TypeCrypto {
		for _, p := range t.Payments {
			if p.Outcome == transaction.PaymentCompleted {
				add(want, "payee "+t.Token, p.Units)
			}
		}

		return
	}

	for _, x := range o.units("SELECT currency, units FROM bank_payouts WHERE key LIKE 'transaction/" + t.ID + "/payout/%' AND state IN ('BOOKED', 'RETURNED')") {
		add(want, "payee "+x.asset, x.n)
	}

	for _, of := range []string{"units", "charges"} {
		for _, x := range o.units("SELECT currency, " + of + " FROM payout_returns WHERE transaction_id = '" + t.ID + "'") {
			add(want, "payee "+x.asset, new(big.Int).Neg(x.n))
		}
	}
}

// wantHeld adds what is kept for the organisation, and what is under way: nothing, once the transaction has ended and
// nothing came back.
func (o *oracle) wantHeld(t transaction.Transaction, want map[string]*big.Int) {
	o.h.T.Helper()

	for _, query := range []string{
		"SELECT asset, units FROM effects WHERE word <> 'convert' AND transaction_id = '" + t.ID + "' AND state IN " +
			"('WANTED', 'PLANNED', 'REFUSED', 'DOUBTFUL')",
		"SELECT currency, units FROM payout_returns WHERE transaction_id = '" + t.ID + "' AND state = 'RECEIVED'",
		"SELECT currency, units FROM bank_payouts WHERE key LIKE 'transaction/" + t.ID + "/payout/%' AND state NOT IN ('BOOKED', 'REJECTED', 'RETURNED')",
	} {
		for _, x := range o.units(query) {
			add(want, "underway "+x.asset, x.n)
		}
	}

	for _, query := range []string{
		"SELECT asset, units FROM effects WHERE transaction_id = '" + t.ID + "' AND state = 'KEPT'",
		"SELECT currency, units FROM payout_returns WHERE transaction_id = '" + t.ID + "' AND state = 'HELD'",
	} {
		for _, x := range o.units(query) {
			add(want, "kept "+x.asset, x.n)
		}
	}

	live := t.Status == transaction.StatusProcess || t.Status == transaction.StatusReleased
	pulls := t.Type == transaction.TypeCrypto ||
		t.Type == transaction.TypeFiat && !o.posted(t.ID, "convert") && len(o.sendings(t.ID)) == 0

	if live && pulls {
		add(want, "underway "+t.Token, t.Debit)
	}
}

// amountLine is an amount of a row.
type amountLine struct {
	asset, units string
	n            *big.Int
}

// units reads amounts by a query that names their asset and base units.
func (o *oracle) units(query string) []amountLine {
	o.h.T.Helper()

	out, err := db.Select(context.Background(), o.h.DB(), func(l *amountLine) []any {
		return []any{&l.asset, &l.units}
	}, query)
	require.NoError(o.h.T, err)

	for i := range out {
		out[i].n = o.number(out[i].units)
	}

	return out
}

func (o *oracle) number(text string) *big.Int {
	o.h.T.Helper()

	n, ok := new(big.Int).SetString(text, 10)
	require.True(o.h.T, ok, text)

	return n
}
