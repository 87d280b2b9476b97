//go:build !nosandbox

package app_test

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/rails/liquidity"
	"slipway/internal/rails/liquidity/liquiditysim"
	"slipway/internal/rails/rates"
)

// desk is simulated providers of liquidity by name, whose books outlive the service.
type desk struct {
	servers map[string]*liquiditysim.Server
	clients map[string]liquidity.Provider
}

func (m *desk) open(name string, c *clock.Clock, prices rates.Source) (liquidity.Provider, io.Closer, error) {
	if m.clients[name] == nil {
		client, server, err := app.SimulatedLiquidity("", c, prices)
		if err != nil {
			return nil, nil, err
		}

		m.clients[name] = client
		m.servers[name] = server
	}

	return m.clients[name], nil, nil
}

// bought returns what the orders of a provider buy; none for one that was never opened.
func (m *desk) bought(name string) []string {
	out := []string{}

	if s := m.servers[name]; s != nil {
		for _, o := range s.Orders() {
			out = append(out, o.Buy.Asset)
		}
	}

	return out
}

// traded runs a test in worlds with a desk.
func traded(t *testing.T, test func(t *testing.T, h *apptest.Harness, m *desk)) {
	t.Helper()

	apptest.EachURL(t, func(t *testing.T, url string) {
		m := &desk{servers: map[string]*liquiditysim.Server{}, clients: map[string]liquidity.Provider{}}
		h := apptest.New(t, apptest.Config{Tune: func(out *app.Outside) { out.Banking.Liquidity = m.open }}, url)
		test(t, h, m)
	})
}

// restartWith restarts the service with other settings.
func restartWith(h *apptest.Harness, environ ...string) {
	h.Environ = environ
	h.Restart()
}

func askedOf(t *testing.T, h *apptest.Harness, transactionID string) string {
	t.Helper()

	name, err := db.Value[string](
		t.Context(),
		h.DB(),
		"SELECT provider FROM effects WHERE word = 'convert' AND transaction_id = ?",
		transactionID,
	)
	require.NoError(t, err)

	return name
}

// Two providers at the same time: each carries out the orders of its own currencies, once, and none of the other's.
func TestTwoProvidersSwapTheirOwnCurrencies(t *testing.T) {
	traded(t, func(t *testing.T, h *apptest.Harness, m *desk) {
		restartWith(h,
			"SLIPWAY_LIQUIDITY_PROVIDER__STERLING__PROVIDER=simulator",
			"SLIPWAY_LIQUIDITY_PROVIDER__STERLING__CURRENCIES=GBP",
		)

		c := h.Client("Ada")
		id := c.FiatAccepted(
			"USDC",
			c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"),
			c.FiatPayment(c.NewBankAccount("GBP", "100"), "200.00"),
		)

		h.SettleAll()
		c.Ends(id, completed, paid, paid)
		require.Equal(t, []string{"EUR"}, m.bought("main"))
		require.Equal(t, []string{"GBP"}, m.bought("sterling"))

		h.Oracle()
	})
}

// A provider is replaced while an order is open with it: the order stays with the one that has it, new ones go to the
// new provider, and each order is carried out once.
func TestOpenOrderStaysWithItsProvider(t *testing.T) {
	traded(t, func(t *testing.T, h *apptest.Harness, m *desk) {
		c := h.Client("Ada")
		c.StaySignedIn()
		account := c.NewBankAccount("EUR", "100")

		m.servers["main"].Steer(liquiditysim.Hold, 0)
		before := c.FiatAccepted("USDC", c.FiatPayment(account, "100.00"))
		h.BankUntil("the order is accepted", func() bool { return len(m.bought("main")) == 1 })

		restartWith(h,
			"SLIPWAY_LIQUIDITY__NAME=second",
			"SLIPWAY_LIQUIDITY_PROVIDER__MAIN__PROVIDER=simulator",
		)

		after := c.FiatAccepted("USDC", c.FiatPayment(account, "70.00"))
		h.BankUntil("the new order is paid", func() bool { return c.Read(after).Status == completed })
		require.Equal(t, transaction.StatusProcess, c.Read(before).Status)
		h.Oracle()

		m.servers["main"].Steer(liquiditysim.Normal, 0)
		h.BankUntil("the old order is paid", func() bool {
			h.DB().Clock().Advance(time.Minute) // past the pause of a job that waits
			return c.Read(before).Status == completed
		})

		require.Equal(t, []string{"EUR"}, m.bought("main"))
		require.Equal(t, []string{"EUR"}, m.bought("second"))
		require.Equal(t, "main", askedOf(t, h, before))
		require.Equal(t, "second", askedOf(t, h, after))

		h.Oracle()
	})
}

// A provider has taken an order, its answer is lost, and it is gone from the configuration: nobody else is asked, and
// nothing is given back, until it is there again.
func TestOrderOfAMissingProviderIsUnknown(t *testing.T) {
	traded(t, func(t *testing.T, h *apptest.Harness, m *desk) {
		c := h.Client("Ada")
		c.StaySignedIn()

		m.servers["main"].Steer(liquiditysim.Drop, 0)
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
		h.BankUntil("the order is taken", func() bool { return len(m.bought("main")) == 1 })
		m.servers["main"].Steer(liquiditysim.Normal, 0)

		restartWith(h, "SLIPWAY_LIQUIDITY__NAME=second")

		for range 20 {
			h.DB().Clock().Advance(time.Minute)
			h.BankRound()
		}

		require.Equal(t, "UNCERTAIN", c.Read(id).Settlement)
		require.Equal(t, transaction.PaymentUnknown, c.Read(id).Payments[0].Status)
		require.Empty(t, m.bought("second"))
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word <> 'convert'"))
		h.Oracle()

		restartWith(h)
		h.BankUntil("the order is paid", func() bool {
			h.DB().Clock().Advance(time.Minute)
			return c.Read(id).Status == completed
		})

		require.Equal(t, []string{"EUR"}, m.bought("main"))
		require.Empty(t, m.bought("second"))

		h.Oracle()
	})
}
