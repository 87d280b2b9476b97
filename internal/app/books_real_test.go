//go:build !nosandbox

package app_test

import (
	"encoding/csv"
	"math/big"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/bank/banksim"
)

// Programs of others read the books of a month of all kinds: payments on the chain, to bank accounts that pay, refuse
// and send back, and a deposit that buys tokens. 1. Neither program finds anything wrong. 2. hledger has the same trial
// balance as the service, in the asset and in value, the customer's and the house's. 3. The house's treasury and bank
// account are what the chain's and the bank's own books have gained.
func TestRealBooksOfAMonth(t *testing.T) {
	programs := parts.Need(t, "hledger", "bean-check")

	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		o := h.Operators()
		usdc := h.World.Tokens[0]
		tokens := h.Balance(usdc, h.World.Treasury.Address)
		account := accountIn(h, "EUR")
		money, err := h.World.Bank.Balance(t.Context(), account)
		require.NoError(t, err)

		for _, end := range []string{"000", "002", "004"} {
			c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", end), "90.01"))
		}

		h.SettleAll()
		c.Accepted("USDC", "12.500001")
		h.Settle()

		_, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Sender: c.Name(), Reference: reference})
		h.BankUntil("the deposit has bought tokens", func() bool {
			return h.Count("SELECT count(*) FROM transactions WHERE type = 'ONRAMP' AND status = 'COMPLETED'") == 1
		})

		today := h.DB().Now().UTC()
		period := "?from=" + today.AddDate(0, -1, 0).Format(time.DateOnly) + "&to=" + today.Format(time.DateOnly)

		same(t, programs, standings(t, c, "/bookkeeping/balances"), func(format string) string {
			return c.Do("GET", "/bookkeeping/export"+period+"&format="+format, nil).OK(200).Raw
		})

		house := standings(t, o.Client, "/operations/books/balances")
		same(t, programs, house, func(format string) string {
			return o.Do("GET", "/operations/books/export"+period+"&format="+format, nil).OK(200).Raw
		})

		gained := new(big.Int).Sub(h.Balance(usdc, h.World.Treasury.Address), tokens)
		require.Zero(t, amountOn(t, house, "treasury", "USDC").Cmp(new(big.Rat).SetFrac(gained, big.NewInt(1_000_000))))

		now, err := h.World.Bank.Balance(t.Context(), account)
		require.NoError(t, err)
		require.Zero(t, amountOn(t, house, "bank", "EUR").
			Cmp(new(big.Rat).SetFrac(new(big.Int).Sub(now, money), big.NewInt(100))))
		h.Oracle()
	})
}

func accountIn(h *apptest.Harness, currency string) string {
	for _, a := range h.World.Bank.Accounts() {
		if a.Currency == currency {
			return a.ID
		}
	}

	return ""
}

// same requires that beancount takes an export without an error, and that hledger computes the same trial balance of it
// as the service, for each account and asset, and in value.
func same(t *testing.T, programs []string, of []standing, export func(format string) string) {
	t.Helper()

	dir := t.TempDir()
	run := func(program string, args ...string) string {
		out, err := exec.Command(program, args...).CombinedOutput()
		require.NoError(t, err, string(out))

		return string(out)
	}

	require.Empty(t, run(programs[1], parts.File(t, dir, "book.beancount", export("beancount"))))

	file := parts.File(t, dir, "book.journal", export("hledger"))
	run(programs[0], "-f", file, "check", "--strict")

	home := of[0].Currency

	hledger := func(more ...string) map[string]*big.Rat {
		args := append([]string{"-f", file, "balance", "--flat", "--no-total", "--layout=bare", "-O", "csv"}, more...)
		rows, err := csv.NewReader(strings.NewReader(run(programs[0], args...))).ReadAll()
		require.NoError(t, err)

		out := map[string]*big.Rat{}

		for _, row := range rows[1:] {
			_, name, _ := strings.Cut(row[0], ":")
			account, _, _ := strings.Cut(name, " ")
			plus(out, account+" "+row[1], number(t, row[2]))
		}

		return out
	}

	amounts := map[string]*big.Rat{}
	values := map[string]*big.Rat{}
	turnover := new(big.Rat)

	for _, s := range of {
		if s.Asset != home {
			plus(amounts, s.Account+" "+s.Asset, number(t, s.Amount))
		}

		plus(values, s.Account+" "+home, s.value(t))
		turnover.Add(turnover, new(big.Rat).Abs(s.value(t)))
	}

	require.Positive(t, turnover.Sign())

	// by asset; what is in the home currency is its value
	compare(t, amounts, hledger(), func(at string) bool { return !strings.HasSuffix(at, " "+home) })

	// in value
	compare(t, values, hledger("--cost"), func(at string) bool { return strings.HasSuffix(at, " "+home) })
}

func plus(sums map[string]*big.Rat, at string, n *big.Rat) {
	if sums[at] == nil {
		sums[at] = new(big.Rat)
	}

	sums[at].Add(sums[at], n)
}

// compare requires that two trial balances are the same, as far as they are asked for.
func compare(t *testing.T, want, got map[string]*big.Rat, asked func(at string) bool) {
	t.Helper()

	for at, n := range got {
		if asked(at) && n.Sign() != 0 {
			require.NotNil(t, want[at], at)
			require.Equal(t, want[at].FloatString(18), n.FloatString(18), at)
		}
	}

	for at, n := range want {
		if n.Sign() != 0 {
			require.NotNil(t, got[at], at)
			require.Equal(t, n.FloatString(18), got[at].FloatString(18), at)
		}
	}
}

// The books of three companies in three currencies and time zones over a year's end: the wallets begin with what the
// chain says; tokens are paid, sold, refused, sent back, and bought by deposits that the bank books on 31 December and
// reports on the next day; payments come back in the next year; both months are closed. 1. Neither program finds
// anything wrong, and hledger has the service's trial balances, in the asset and in value. 2. What is zero in its asset
// is zero in the home currency, in the house's book too, and nothing is under way. 3. The wallet is what the chain
// says, the house's treasury and bank too. 4. Every value follows from the lines. 5. A closed month has the same bytes
// after everything that comes later.
func TestRealBooksOverAYearsEnd(t *testing.T) {
	programs := parts.Need(t, "hledger", "bean-check")

	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		o := h.Operators()
		o.StaySignedIn()
		usdc := h.World.Tokens[0]
		tokens := h.Balance(usdc, h.World.Treasury.Address)
		account := accountIn(h, "EUR")
		money, err := h.World.Bank.Balance(t.Context(), account)
		require.NoError(t, err)

		now := h.DB().Now()
		year := time.Date(now.Year()+1, 1, 1, 0, 0, 0, 0, time.UTC)

		if year.Sub(now) < 10*24*time.Hour { // the first day is to lie ahead
			year = year.AddDate(1, 0, 0)
		}

		type company struct {
			*apptest.Client
			sold, december string
		}

		var all []*company

		for _, x := range [][3]string{
			{"Ada", "CHF", "Europe/Zurich"},
			{"Bob", "EUR", "America/New_York"},
			{"Cho", "JPY", "Asia/Tokyo"},
		} {
			c := h.Client(x[0])
			c.StaySignedIn()
			c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"homeCurrency": x[1], "timeZone": x[2]}).OK(200)
			c.Do("PUT", "/bookkeeping/settings", apptest.Object{
				"costMethod":        "FIFO",
				"feesInCost":        true,
				"revalueTokens":     true,
				"revalueCurrencies": true,
			}).OK(200)
			all = append(all, &company{Client: c})
		}

		until(t, h, m, year.AddDate(0, 0, -3).Add(10*time.Hour), 9_000, 8_500)

		for _, c := range all {
			c.Do("POST", "/bookkeeping/openings", apptest.Object{
				"wallet": c.Wallet,
				"token":  "USDC",
				"on":     year.AddDate(0, 0, -3).Format(time.DateOnly),
				"reason": "Begin",
			}).OK(201)
			c.Accepted("USDC", "12.500001")

			c.sold = c.FiatAccepted(
				"USDC",
				c.FiatPayment(c.NewBankAccount("EUR", "000"), "90.01"),
				c.FiatPayment(
					c.NewBankAccount("EUR", "002"),
					"90.02",
				),
				c.FiatPayment(c.NewBankAccount("EUR", "004"), "90.03"),
			)
		}

		h.SettleAll()
		until(t, h, m, year.Add(-2*time.Minute), 9_211, 8_713)

		for _, c := range all {
			_, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
			h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Sender: c.Name(), Reference: reference})
		}

		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "77.00", Sender: "Nobody"})
		until(t, h, m, year.Add(2*time.Minute), 9_211, 8_713)
		h.BankUntil("the deposits have bought tokens", func() bool {
			return h.Count("SELECT count(*) FROM transactions WHERE type = 'ONRAMP' AND status = 'COMPLETED'") == 3
		})

		until(t, h, m, year.AddDate(0, 0, 4).Add(20*time.Hour), 9_377, 8_801)

		returns := h.Count("SELECT count(*) FROM payout_returns")
		for _, c := range all {
			h.Control(
				banksim.Control{Op: "late_return", EndToEndID: h.EndToEnd(c.sold, 0), Reason: "AC04", Amount: "85.01"},
			)
		}

		h.BankUntil(
			"they came back",
			func() bool { return h.Count("SELECT count(*) FROM payout_returns") == returns+3 },
		)
		h.SettleAll()
		until(t, h, m, year.AddDate(0, 1, 1).Add(20*time.Hour), 9_100, 8_600)

		december := "from=" + year.AddDate(
			0,
			-1,
			0,
		).Format(
			time.DateOnly,
		) + "&to=" + year.AddDate(
			0,
			0,
			-1,
		).Format(
			time.DateOnly,
		)
		closing := func(c *company, month time.Time) {
			c.Do(
				"POST",
				"/bookkeeping/periods/"+month.Format("2006-01")+"/close",
				apptest.Object{"reason": "Done"},
			).OK(
				200,
			)
		}
		bytes := func(c *company) string {
			return c.Do(
				"GET",
				"/bookkeeping/balances?on="+year.AddDate(0, 0, -1).Format(time.DateOnly),
				nil,
				asCSV,
			).OK(
				200,
			).Raw +
				c.Do(
					"GET",
					"/bookkeeping/export?format=hledger&"+december,
					nil,
				).OK(
					200,
				).Raw
		}

		for _, c := range all {
			closing(c, year.AddDate(0, -1, 0))
			c.december = bytes(c)
			require.Contains(t, c.december, "Deposit received", "the bank has booked it in December")

			closing(c, year)
			c.Accepted("USDC", "7.000001")
		}

		h.Settle()

		period := "?from=" + year.AddDate(0, -1, 0).Format(time.DateOnly) + "&to=" +
			h.DB().Now().AddDate(0, 0, 1).Format(time.DateOnly) // in Tokyo it is tomorrow

		for _, c := range all {
			require.Equal(t, c.december, bytes(c))
			same(t, programs, standings(t, c.Client, "/bookkeeping/balances"), func(format string) string {
				return c.Do("GET", "/bookkeeping/export"+period+"&format="+format, nil).OK(200).Raw
			})
			recompute(t, c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw, false)
			zeroAtHome(t, book(t, c.Client, ""))

			has := new(big.Rat).SetFrac(h.Balance(usdc, c.Payer.Address), big.NewInt(1_000_000))
			require.Zero(t, amountOn(t, standings(t, c.Client, "/bookkeeping/balances"), "wallet", "USDC").Cmp(has))
		}

		houseStands(t, h, programs, o, period, map[string]string{"suspense EUR": "77.00"})

		house := standings(t, o.Client, "/operations/books/balances")
		gained := new(big.Int).Sub(h.Balance(usdc, h.World.Treasury.Address), tokens)
		require.Zero(t, amountOn(t, house, "treasury", "USDC").Cmp(new(big.Rat).SetFrac(gained, big.NewInt(1_000_000))))

		later, err := h.World.Bank.Balance(t.Context(), account)
		require.NoError(t, err)
		require.Zero(t, amountOn(t, house, "bank", "EUR").
			Cmp(new(big.Rat).SetFrac(new(big.Int).Sub(later, money), big.NewInt(100))))
		h.Oracle()
	})
}
