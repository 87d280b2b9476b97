//go:build !nosandbox

package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/core/money"
	"slipway/internal/payments/house"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/liquidity/liquiditysim"
)

type providerDifference struct {
	Order     string   `json:"order"`
	Why       string   `json:"why"`
	Asset     string   `json:"asset"`
	Books     string   `json:"books"`
	Stated    string   `json:"stated"`
	Movements []string `json:"movements"`
}

// stated reads the providers' statements, and returns the differences that operators see.
func stated(t *testing.T, h *apptest.Harness, o apptest.Operators) (out []providerDifference) {
	t.Helper()
	require.NoError(t, h.App.House.ReadProviders(t.Context()))

	var list struct {
		Results []providerDifference `json:"results"`
	}

	o.Do("GET", "/operations/provider-differences", nil).OK(200).Into(&list)

	return list.Results
}

// standsOn returns what the house's books have towards the provider, or any other of its accounts.
func standsOn(t *testing.T, h *apptest.Harness, account ledger.Account, asset string) string {
	t.Helper()

	sum, err := ledger.BalanceOf(t.Context(), h.DB(), account, money.Asset{Code: asset})
	require.NoError(t, err)

	return sum.Units().String()
}

var (
	providerEUR  = "provider/main/EUR"
	providerUSDC = "provider/main/" + world.NetworkID + "/USDC"
)

// What the books have towards a provider is what his own statement says, order by order: what he takes back of an order
// that serves nobody closes the open position, a fee is a worse price, and what he has paid out to the owners, two
// operators book. Nothing is booked twice.
func TestTheProvidersStatementIsReconciled(t *testing.T) {
	traded(t, func(t *testing.T, h *apptest.Harness, m *desk) {
		o := h.Operators()
		c := h.Client("Ada")
		c.StaySignedIn()

		c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "100.00"))
		h.SettleAll()
		refused := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "70.00"))
		h.SettleAll()
		require.Equal(t, transaction.StatusFailed, c.Read(refused).Status)

		open := ledger.OpenAccount("USDC", "EUR")
		require.Empty(t, stated(t, h, o))
		require.Equal(t, house.Agrees, checkOf(h, providerEUR).State)
		require.Equal(t, house.Agrees, checkOf(h, providerUSDC).State)
		require.Equal(t, "-7000", standsOn(t, h, open, "EUR"), "the refusal is open")

		s := m.servers["main"]
		book := func(l liquidity.Movement) {
			t.Helper()
			require.NoError(t, s.Book(l))
		}

		for _, l := range s.Statement() {
			if !strings.Contains(l.Key, refused) {
				continue
			}

			l.Kind = liquidity.Refund
			if l.Units[0] == '-' {
				l.Units = l.Units[1:]
			} else {
				l.Units = "-" + l.Units
			}

			book(l)

			l.Kind = liquidity.Fee
			if l.Units = "-5"; l.Asset == "EUR" {
				book(l)
			}
		}

		require.Empty(t, stated(t, h, o))
		require.Empty(t, stated(t, h, o), "a second time")
		require.Equal(t, "0", standsOn(t, h, open, "EUR"))
		require.Equal(t, "0", standsOn(t, h, open, "USDC"))
		require.Equal(t, "5", standsOn(t, h, ledger.ExchangeResult("EUR"), "EUR"), "the fee")
		require.Equal(t, "9995", standsOn(t, h, ledger.ProviderAccount("main", "EUR"), "EUR"))
		require.Equal(t, house.Agrees, checkOf(h, providerEUR).State)

		book(liquidity.Movement{Kind: liquidity.Deposit, Asset: "EUR", Decimals: 2, Units: "-9995"})

		alone := stated(t, h, o)
		require.Len(t, alone, 1)
		require.Equal(t, []string{"ALONE", "0.00", "-99.95"}, []string{alone[0].Why, alone[0].Books, alone[0].Stated})
		require.Equal(t, house.Short, checkOf(h, providerEUR).State)
		require.Contains(t, checkOf(h, providerEUR).Point, "; alone "+alone[0].Movements[0])

		record := func(movement string) apptest.Answer {
			return o.Do("POST", "/operations/provider-movements", object{
				"provider": "main",
				"movement": movement,
				"reason":   "The owners have settled the week.",
			})
		}
		record("LM-none").Refused(404, "NOT_FOUND")
		record(s.Statement()[0].ID).Refused(409, "MOVEMENT_UNPROVEN")
		o.Decide(record(alone[0].Movements[0]), "APPROVED").OK(200)
		record(alone[0].Movements[0]).Refused(409, "MOVEMENT_RECORDED")

		require.Empty(t, stated(t, h, o))
		require.Equal(t, house.Agrees, checkOf(h, providerEUR).State)
		require.Equal(t, "0", standsOn(t, h, ledger.ProviderAccount("main", "EUR"), "EUR"))
		h.Oracle()
	})
}

// Whatever the provider's statement says that is not so is found, in the order that it is about and in the balance, and
// ends with the lie. Nothing is booked because of it.
func TestWhatAProviderStatesWronglyIsFound(t *testing.T) {
	traded(t, func(t *testing.T, h *apptest.Harness, m *desk) {
		o := h.Operators()
		c := h.Client("Ada")
		c.StaySignedIn()

		account := c.NewBankAccount("EUR", "000")
		c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
		h.SettleAll()
		require.Empty(t, stated(t, h, o))

		s := m.servers["main"]
		c.FiatAccepted("USDC", c.FiatPayment(account, "70.00"))
		h.SettleAll()
		s.Tell(liquiditysim.Missing)
		require.Empty(t, stated(t, h, o), "it need not be there yet")
		require.Equal(t, house.Agrees, checkOf(h, providerEUR).State)
		h.DB().Clock().Advance(25 * time.Hour)

		journals := h.Count("SELECT count(*) FROM journals")

		for _, x := range []struct {
			lie   liquiditysim.Lie
			why   string
			parts int
			state house.State
		}{
			{liquiditysim.Missing, "MISSING", 2, house.Short},
			{"", "", 0, house.Agrees},
			{liquiditysim.Missing, "RESTATED", 2, house.Short},
			{liquiditysim.Alone, "ALONE", 2, house.Excess},
			{liquiditysim.Twice, "TWICE", 2, house.Excess},
			{liquiditysim.Restated, "RESTATED", 1, house.Agrees},
			{liquiditysim.Late, "RESTATED", 2, house.Agrees},
			{"", "", 0, house.Agrees},
		} {
			s.Tell(x.lie)

			found := stated(t, h, o)
			require.Len(t, found, x.parts, "%s: %v", x.lie, found)

			for _, d := range found {
				require.Equal(t, x.why, d.Why, x.lie)
			}

			require.Equal(t, x.state, checkOf(h, providerEUR).State, x.lie)
		}

		require.Equal(t, journals, h.Count("SELECT count(*) FROM journals"))
		h.Oracle()
	})
}

// An order that was never stated as it was is found too: of another amount, or booked on a later day. What is put right
// is told still, since it was another one before.
func TestAnOrderThatIsStatedWronglyAtOnceIsFound(t *testing.T) {
	traded(t, func(t *testing.T, h *apptest.Harness, m *desk) {
		o := h.Operators()
		c := h.Client("Ada")
		account := c.NewBankAccount("EUR", "000")
		s := m.servers["main"]

		c.FiatAccepted("USDC", c.FiatPayment(account, "50.00"))
		h.SettleAll()
		s.Tell(liquiditysim.Amount)

		found := stated(t, h, o)
		require.Len(t, found, 1)
		require.Equal(t, []string{"AMOUNT", "USDC"}, []string{found[0].Why, found[0].Asset})
		require.NotEqual(t, house.Agrees, checkOf(h, providerUSDC).State)

		c.FiatAccepted("USDC", c.FiatPayment(account, "40.00"))
		h.SettleAll()
		s.Tell(liquiditysim.Late)

		whys := map[string]int{}
		for _, d := range stated(t, h, o) {
			whys[d.Why]++
		}

		require.Equal(t, map[string]int{"LATE": 2, "RESTATED": 1}, whys)

		require.Zero(t, h.Count("SELECT count(*) FROM journals WHERE key LIKE 'provider/%'"))
		h.Oracle()
	})
}
