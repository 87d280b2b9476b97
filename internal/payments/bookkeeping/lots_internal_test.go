package bookkeeping

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
)

// wallets is a wallet whose lines are followed. Its token is counted in cents, and has a rate in Swiss francs.
type wallets struct {
	method Method
	costs  *costs
	lines  []Line
}

const base = "net_1"

var ownWallet = ledger.WalletAccount(base, "0xab")

// post values a journal of a transaction and keeps its lines.
func (w *wallets) post(lines ...Line) []Line {
	n := len(w.lines)
	w.costs.due = map[string]bool{}

	for i := range lines {
		lines[i].Journal = lines[0].Journal
		lines[i].Line = int64(i)
		lines[i].Settings = Settings{Method: w.method, FeesInCost: true}
		w.costs.due[lines[i].Position()] = isWallet(lines[i].Entry.Account)
	}

	w.lines = append(w.lines, lines...)
	carry(w.lines, w.costs)

	return w.lines[n:]
}

func (w *wallets) gets(rate *big.Rat, cents int64) []Line {
	n := len(w.lines)

	return w.post(of("in"+string(rune('a'+n)),
		posting(n, ownWallet, "", cents, rate), posting(n, ledger.OpeningAccount(base), "", -cents, rate))...)
}

func (w *wallets) pays(rate *big.Rat, cents int64) []Line {
	n := len(w.lines)

	return w.post(of("out"+string(rune('a'+n)),
		posting(n, ownWallet, "p", -cents, rate), posting(n, ledger.ReceiverAccount(base, "r"), "p", cents, rate),
		posting(n, ledger.DisposalDifference(base), "", cents, rate),
		posting(n, ledger.DisposalDifference(base), "", -cents, rate))...)
}

// 100 at 0.90 and 100 at 1.00, of which 150 are paid when one is worth 1.10: first in, first out they have cost 140.00,
// on average 142.50. The rest is a gain, and what is left has the rest of the cost.
func TestWhatIsPaidLeavesAtWhatItHasCost(t *testing.T) {
	for method, want := range map[Method][3]string{
		FIFO:    {"-140.00", "-25.00", "50.00"},
		Average: {"-142.50", "-22.50", "47.50"},
	} {
		w := &wallets{method: method, costs: newCosts()}
		w.gets(big.NewRat(9, 10), 100_00)
		w.gets(big.NewRat(1, 1), 100_00)
		out := w.pays(big.NewRat(11, 10), 150_00)

		require.Equal(t, want[0], out[0].Value.String(), method)
		require.Equal(t, ByLots, out[0].By)
		require.Equal(t, "165.00", out[1].Value.String(), "the receiver has what it is worth")
		require.Equal(t, want[1], out[2].Value.Add(*out[3].Value).String(), "a gain is a credit")

		_, values := sums(w.lines)
		require.Equal(t, want[2], values[string(ownWallet)].String())

		// the last of them takes what is left
		w.pays(big.NewRat(2, 1), 50_00)

		_, values = sums(w.lines)
		require.Zero(t, values[string(ownWallet)].Sign(), method)
	}
}

func TestALotLeavesNothingOfItsRounding(t *testing.T) {
	w := &wallets{method: FIFO, costs: newCosts()}
	w.gets(big.NewRat(1, 3), 1_00) // 0.33

	for range 3 {
		w.pays(big.NewRat(1, 3), 33)
	}

	out := w.pays(big.NewRat(1, 3), 1)
	require.Equal(t, "0.00", out[0].Value.Add(money.Zero(homeCHF)).String())

	_, values := sums(w.lines)
	require.Zero(t, values[string(ownWallet)].Sign())
	require.Len(t, out[0].Taken, 1)
	require.Equal(t, "1", out[0].Taken[0].Units)
}

// Tokens that are bought make up for those that were paid before the book had seen any, and bring their own price. What
// it differs from the value at which the others left is cost of the next lot: a delivery is no sale, and has no result.
func TestWhatIsBoughtMakesUpForWhatWasPaid(t *testing.T) {
	for _, method := range []Method{FIFO, Average} {
		w := &wallets{method: method, costs: newCosts()}
		w.pays(big.NewRat(9, 10), 10_00)

		bought := w.gets(big.NewRat(12, 10), 10_00)
		require.Equal(t, "12.00", bought[0].Value.String(), "its price")

		amounts, values := sums(w.lines)
		require.Zero(t, amounts[string(ownWallet)].Sign())
		require.Equal(t, "3.00", values[string(ownWallet)].String(), "without tokens, until the next lot")

		w.gets(big.NewRat(12, 10), 10_00)
		require.Equal(t, "-15.00", w.pays(big.NewRat(2, 1), 10_00)[0].Value.String())

		_, values = sums(w.lines)
		require.Equal(t, "0.00", values[string(ownWallet)].String(), method)
	}
}

// Whatever comes and goes, also more than there is: 1. each journal sums to zero. 2. The lots are worth what is on the
// account. 3. A wallet without tokens is worth nothing but what the next lot takes over. 4. What is stored gives the
// same again.
func TestLotsAreWorthWhatIsOnTheAccount(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		w := &wallets{method: rapid.SampledFrom([]Method{FIFO, Average, ""}).Draw(r, "method"), costs: newCosts()}

		for range rapid.IntRange(1, 12).Draw(r, "journals") {
			rate := big.NewRat(rapid.Int64Range(1, 300).Draw(r, "rate"), 100)
			cents := rapid.Int64Range(1, 1000).Draw(r, "cents")

			var lines []Line
			if rapid.Bool().Draw(r, "in") {
				lines = w.gets(rate, cents)
			} else {
				lines = w.pays(rate, cents)
			}

			sum := money.Zero(homeCHF)
			for _, l := range lines {
				sum = sum.Add(*l.Value)
			}

			require.Zero(r, sum.Sign())

			if rapid.IntRange(0, 3).Draw(r, "again") == 0 {
				stored := w.costs.state()
				known := w.costs.known
				w.costs = newCosts()
				w.costs.known = known
				require.NoError(r, w.costs.load(stored))
			}
		}

		amounts, values := sums(w.lines)
		units := money.Zero(euro)
		worth := money.Zero(homeCHF)

		for _, s := range w.costs.stacks {
			worth = worth.Add(s.residue)

			for _, l := range s.lots {
				units = units.Add(l.units)
				worth = worth.Add(l.value)
			}
		}

		require.Equal(r, amounts[string(ownWallet)].String(), units.String())
		require.Equal(r, values[string(ownWallet)].String(), worth.String())
	})
}
