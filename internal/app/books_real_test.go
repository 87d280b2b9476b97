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

	// by asset
	want := map[string]string{}
	got := map[string]*big.Rat{}

	for _, s := range of {
		if n := number(t, s.Amount); n.Sign() != 0 {
			want[s.Account+" "+s.Asset] = n.FloatString(18)
		}
	}

	hledger := func(more ...string) [][]string {
		args := append([]string{"-f", file, "balance", "--flat", "--no-total", "--layout=bare", "-O", "csv"}, more...)
		rows, err := csv.NewReader(strings.NewReader(run(programs[0], args...))).ReadAll()
		require.NoError(t, err)

		return rows[1:]
	}

	for _, row := range hledger() {
		_, name, _ := strings.Cut(row[0], ":")
		account, _, _ := strings.Cut(name, " ")
		key := account + " " + row[1]

		if got[key] == nil {
			got[key] = new(big.Rat)
		}

		got[key].Add(got[key], number(t, row[2]))
	}

	for key, n := range got {
		if n.Sign() == 0 {
			continue
		}

		require.Equal(t, want[key], n.FloatString(18), key)
		delete(want, key)
	}

	require.Empty(t, want)

	// in value
	value := new(big.Rat)
	for _, s := range of {
		if v := s.value(t); v.Sign() > 0 {
			value.Add(value, v)
		}
	}

	require.Positive(t, value.Sign())

	total := new(big.Rat)
	for _, row := range hledger("--cost") {
		if row[1] == "EUR" {
			total.Add(total, number(t, row[2]))
		}
	}

	require.Zero(t, total.Sign(), "the values sum to zero there, too")
}
