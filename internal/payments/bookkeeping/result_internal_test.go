package bookkeeping

import (
	"fmt"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/standards/ecb"
)

var (
	homeCHF = money.Asset{Code: "CHF", Decimals: 2}
	euro    = money.Asset{Code: "EUR", Decimals: 2}
)

// posting returns a line of a journal, with its value at a rate of Swiss francs for a euro.
func posting(journal int, account ledger.Account, memo string, cents int64, rate *big.Rat) Line {
	l := Line{Amount: money.FromUnits(euro, big.NewInt(cents)), Home: homeCHF, Rate: rate, Rates: dayrate.Day{}}
	l.Journal = fmt.Sprintf("jrn_%03d", journal)
	l.At = time.Unix(int64(journal), 0)
	l.Entry.Account = string(account)
	l.Asset = euro.Code
	l.Memo = memo
	v := scaled(money.FromUnits(homeCHF, l.Amount.Units()), rate)
	l.Value = &v

	return l
}

func of(transaction string, lines ...Line) []Line {
	for i := range lines {
		lines[i].Transaction = transaction
	}

	return lines
}

// sums returns the amounts and the values of lines by account.
func sums(lines []Line) (amounts, values map[string]money.Amount) {
	amounts = map[string]money.Amount{}
	values = map[string]money.Amount{}

	for _, l := range lines {
		at := l.Entry.Account
		if _, ok := amounts[at]; !ok {
			amounts[at] = money.Zero(euro)
			values[at] = money.Zero(homeCHF)
		}

		amounts[at] = amounts[at].Add(l.Amount)
		values[at] = values[at].Add(*l.Value)
	}

	return amounts, values
}

// A payment of one day that comes back on another, without what banks keep of it: nothing is left on the payee, nor of
// what was under way.
func TestAReturnLeavesNothingOnItsCreditor(t *testing.T) {
	day1 := big.NewRat(93, 100)
	day2 := big.NewRat(97, 100)
	payee := ledger.PayeeAccount("rcv")
	clearing := ledger.BankClearing("SEPA")
	fx := ledger.FxAccount("USDC", "EUR")

	lines := of("txn",
		posting(1, fx, "p", -100_01, day1), posting(1, clearing, "p", 100_01, day1),
		posting(2, clearing, "p", -100_01, day2), posting(2, payee, "p", 100_01, day2),
		posting(3, payee, "p", -95_00, day2), posting(3, ledger.ReturnClearing("EUR"), "p", 95_00, day2),
		posting(3, payee, "p", -5_01, day2), posting(3, ledger.ChargesAccount("EUR"), "p", 5_01, day2),
		posting(4, ledger.ReturnClearing("EUR"), "p", -95_00, day2), posting(4, fx, "p", 95_00, day2),
	)
	carry(lines, newCosts())

	_, values := sums(lines)
	require.Equal(t, "0.00", values[string(payee)].String())
	require.Equal(t, "0.00", values[string(clearing)].String())
	require.Equal(t, "0.00", values[string(ledger.ReturnClearing("EUR"))].String())
	require.Equal(t, "-"+values[string(ledger.ChargesAccount("EUR"))].String(), values[string(fx)].String())
	require.Equal(t, "4.66", values[string(ledger.ChargesAccount("EUR"))].String(), "at the rate of the payment")
	require.Nil(t, lines[3].Rate, "its value is not that of the day")
}

// A claim that is paid on another day: the change of the rate is a result, in the journal that closes the claim.
func TestAClaimPaidLaterIsAResult(t *testing.T) {
	owed := ledger.ReceivableAccount("org")
	suspense := ledger.SuspenseAccount("EUR", "org")
	result := ledger.OwedDifference("EUR")
	day1 := big.NewRat(93, 100)
	day2 := big.NewRat(97, 100)

	lines := of(
		"txn",
		posting(1, owed, "claim", -100_00, day1),
		posting(1, ledger.SenderAccount("EUR"), "d", 100_00, day1),
	)
	lines = append(lines,
		posting(2, suspense, "e", 100_00, day2), posting(2, ledger.SenderAccount("EUR"), "e", -100_00, day2),
		posting(3, suspense, "e", -100_00, day2), posting(3, result, "e", 100_00, day2),
		posting(3, result, "e", -100_00, day2), posting(3, owed, "claim", 100_00, day2))
	carry(lines, newCosts())

	_, values := sums(lines)
	require.Equal(t, "0.00", values[string(owed)].String())
	require.Equal(t, "0.00", values[string(suspense)].String())
	require.Equal(t, "4.00", values[string(result)].String())
}

// An open position is closed on another day than that on which it was opened: nothing is left of it, and what covers
// the customer has the value of the order. What is undone opens it again, until the provider takes it back. What the
// house has got and given keeps the rates of its days, and the result is where the customer's money was converted.
func TestAnOpenPositionIsClosedAtItsValue(t *testing.T) {
	order := effect.ConversionOf("txn", "EUR").String()
	day1 := big.NewRat(93, 100)
	day2 := big.NewRat(97, 100)
	day3 := big.NewRat(101, 100)

	open := ledger.OpenAccount("USDC", "EUR")
	covered := ledger.CoveredAccount("USDC", "EUR")
	provider := ledger.ProviderAccount("main", "EUR")
	clearing := ledger.BankClearing("SEPA")
	fx := ledger.FxAccount("USDC", "EUR")

	lines := []Line{posting(1, provider, "txn", 100_00, day1), posting(1, open, "txn", -100_00, day1)}
	lines = append(lines, of("txn",
		posting(2, fx, "p", 100_00, day2), posting(2, clearing, "p", -100_00, day2),
		posting(2, open, "p", 100_00, day2), posting(2, covered, "p", -100_00, day2),
		posting(3, clearing, "p", 100_00, day3), posting(3, fx, "p", -100_00, day3),
		posting(3, open, "p", -100_00, day3), posting(3, covered, "p", 100_00, day3))...)
	lines = append(lines, posting(4, provider, order, -100_00, day3), posting(4, open, order, 100_00, day3))
	carry(lines, newCosts())

	amounts, values := sums(lines)
	require.Zero(t, amounts[string(open)].Sign())
	require.Equal(t, "0.00", values[string(open)].String())
	require.Equal(t, "0.00", values[string(clearing)].String())
	require.Equal(t, "0.00", values[string(fx)].String())
	require.Equal(t, "8.00", values[string(covered)].String(), "93 of the order, 101 of the day on which it was undone")
	require.Equal(t, "-8.00", values[string(provider)].String())

	for journal, rest := range journalRests(lines) {
		require.Zero(t, rest.Sign(), journal)
	}
}

// An order of a provider is of no transaction, and its tokens have the decimals of their network, as the conversion
// that closes its position has them. Stock that moves from network to network has those of each.
func TestATokenHasTheDecimalsOfItsNetwork(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec("INSERT INTO token_addresses (network, token, address, decimals, symbol) VALUES " +
				"('net_other', 'USDC', '0xab', 18, 'USDC'), ('net_six', 'USDC', '0xcd', 6, 'USDC')")

			return err
		}))

		entries := []ledger.Entry{
			{Journal: "jrn_1", Account: "provider/main/net_other", Asset: "USDC", Units: "1"},
			{
				Journal: "jrn_1",
				Account: "open/USDC-EUR",
				Asset:   "USDC",
				Units:   "-1",
				Memo:    "txn",
			},
			{Journal: "jrn_1", Account: "provider/main/EUR", Asset: "EUR", Units: "1"},
			{Journal: "jrn_2", Account: "treasury/net_gone", Asset: "USDC", Units: "1"},
			{Journal: "jrn_4", Account: "stock/net_other", Asset: "USDC", Units: "-1"},
			{Journal: "jrn_4", Account: "stock/net_six", Asset: "USDC", Units: "1"},
			{
				Journal:     "jrn_3",
				Account:     "wallet/net_other/0xab",
				Asset:       "USDC",
				Units:       "1",
				Transaction: "txn_none",
			},
		}
		known, err := decimalsIn(t.Context(), d, entries)
		require.NoError(t, err)
		require.NotContains(t, known, "jrn_3 USDC", "a transaction's token has the transaction's decimals")

		var got []int
		for _, e := range entries {
			got = append(got, decimalsOf(known)(e))
		}

		require.Equal(t, []int{18, 18, 2, 6, 18, 6, 6}, got)
	})

	// amounts that cannot be added are of two things
	wide := posting(1, ledger.OpenAccount("USDC", "EUR"), "txn", 100, big.NewRat(1, 1))
	wide.Amount = money.FromUnits(money.Asset{Code: "EUR", Decimals: 4}, big.NewInt(100))
	lines := []Line{wide, posting(2, ledger.OpenAccount("USDC", "EUR"), "txn", -100, big.NewRat(1, 1))}
	carry(lines, newCosts())
	require.Equal(t, "-1.00", lines[1].Value.String())
}

// A journal has lines of the customer and of the house. What is rounded in the ones is no business of the others: each
// book sums to zero.
func TestTheHousesLinesSumToZeroByThemselves(t *testing.T) {
	payee, bank := ledger.PayeeAccount("rcv"), ledger.Account("bank/main/EUR")
	half := big.NewRat(1, 2) // a cent is rounded to nothing, and two are one
	day := dayrate.Day{Day: ecb.Day{Date: time.Unix(0, 0), Rates: map[string]*big.Rat{"CHF": half}}}

	lines := append(
		of(
			"txn",
			posting(1, "fx/USDC-EUR", "p", -1_00, big.NewRat(9, 10)),
			posting(1, payee, "p", 1_00, big.NewRat(9, 10)),
		),
		posting(2, "fx/USDC-EUR", "q", 1_01, half),
		posting(2, bank, "", 1, half),
		posting(2, payee, "q", -2, half),
		posting(2, bank, "", 1, half),
		of("txn", posting(2, payee, "p", -99, half))[0],
		posting(2, bank, "", -2, half),
	)
	for i := range lines[2:] {
		lines[2+i].Rates = day
	}

	zero := func(lines []Line) {
		t.Helper()

		for _, house := range []bool{false, true} {
			of := slices.DeleteFunc(
				slices.Clone(lines),
				func(l Line) bool { return ledger.House(l.Entry.Account) != house },
			)
			require.Equal(t, "0.00", journalRests(of)["jrn_002"].String(), "house: %t", house)
		}
	}

	value(lines[2:])
	zero(lines)
	carry(lines, newCosts())
	zero(lines)
	require.Equal(t, "-0.89", lines[6].Value.String(), "at which it came")
}

func journalRests(lines []Line) map[string]money.Amount {
	out := map[string]money.Amount{}

	for _, l := range lines {
		if _, ok := out[l.Journal]; !ok {
			out[l.Journal] = money.Zero(homeCHF)
		}

		out[l.Journal] = out[l.Journal].Add(*l.Value)
	}

	return out
}

// Where the value of a line may come from: its transaction; of a deposit, what stood in its owner's suspense; of an
// open position, the order that has opened it.
func TestSourcesOfALine(t *testing.T) {
	order := effect.ConversionOf("txn_1", "EUR")

	for name, x := range map[string]struct {
		entry ledger.Entry
		want  ledger.Sources
	}{
		"a payment": {
			ledger.Entry{Transaction: "txn_1", Account: "payee/rcv_1", Memo: "pay_1"},
			ledger.Sources{Transactions: []string{"txn_1"}},
		},
		"a deposit of nobody's": {
			ledger.Entry{Account: "suspense/EUR", Memo: "eur/ent_1"},
			ledger.Sources{Accounts: []string{"suspense/EUR"}, Memos: []string{"eur/ent_1"}},
		},
		"a claim": {
			ledger.Entry{Transaction: "txn_1", Account: "receivable/org_1", Memo: "rcb_1"},
			ledger.Sources{
				Transactions: []string{"txn_1"},
				Accounts:     []string{"receivable/org_1"},
				Memos:        []string{"rcb_1"},
			},
		},
		"a deposit that goes back": {
			ledger.Entry{Account: "clearing/bank/SEPA", Asset: "EUR", Organisation: "org_1", Memo: "eur/ent_1"},
			ledger.Sources{Accounts: []string{"suspense/EUR/org_1"}, Memos: []string{"eur/ent_1"}},
		},
		"a conversion": {
			ledger.Entry{Transaction: "txn_1", Account: "open/USDC-EUR", Memo: "pay_1"},
			ledger.Sources{
				Transactions: []string{"txn_1"},
				Keys: []string{
					chart.TradedKey(effect.ConversionOf("txn_1", "USDC")),
					chart.TradedKey(order),
				},
			},
		},
		"what a provider takes back": {
			ledger.Entry{Account: "open/EUR-USDC", Memo: order.String()},
			ledger.Sources{
				Transactions: []string{"txn_1"},
				Keys: []string{
					chart.TradedKey(order),
					chart.TradedKey(effect.ConversionOf("txn_1", "USDC")),
				},
			},
		},
	} {
		var got ledger.Sources

		asked := map[string]bool{}
		addSources(&got, x.entry, asked)
		addSources(&got, x.entry, asked)
		require.Equal(t, x.want, got, name)
	}
}

// Whatever moves between accounts, at whatever rates: 1. each journal sums to zero in the home currency. 2. What is
// zero in its asset is zero in the home currency.
func TestWhatIsZeroInItsAssetIsZeroInTheHomeCurrency(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		places := []ledger.Account{
			ledger.ConvertClearing(
				"EUR",
			),
			ledger.BankClearing("SEPA"),
			ledger.HeldAccount("EUR", "org"),
			ledger.PayeeAccount("r"),
		}
		source := ledger.FxAccount("USDC", "EUR")
		have := map[ledger.Account]int64{}

		var lines []Line

		move := func(from, to ledger.Account, cents int64) {
			n := len(lines)
			rate := big.NewRat(rapid.Int64Range(80, 120).Draw(r, "rate"), 100)
			lines = append(lines, of("txn", posting(n, from, "p", -cents, rate), posting(n, to, "p", cents, rate))...)
			have[from] -= cents
			have[to] += cents
		}

		for range rapid.IntRange(1, 12).Draw(r, "moves") {
			from := rapid.SampledFrom(append(places, source)).Draw(r, "from")
			to := rapid.SampledFrom(places).Draw(r, "to")

			switch {
			case from == source:
				move(from, to, rapid.Int64Range(1, 1_000_00).Draw(r, "cents"))
			case from != to && have[from] > 0:
				move(from, to, rapid.Int64Range(1, have[from]).Draw(r, "part"))
			}
		}

		for _, p := range places {
			if have[p] > 0 {
				move(p, source, have[p])
			}
		}

		carry(lines, newCosts())

		for i := 0; i < len(lines); i += 2 {
			require.Zero(r, lines[i].Value.Add(*lines[i+1].Value).Sign(), "journal %s", lines[i].Journal)
		}

		amounts, values := sums(lines)
		for at, a := range amounts {
			if a.Sign() == 0 {
				require.Zero(r, values[at].Sign(), "%s has %s", at, values[at])
			}
		}
	})
}
