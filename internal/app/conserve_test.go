//go:build !nosandbox

package app_test

import (
	"fmt"
	"math/big"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

var usdc = money.Asset{Code: "USDC", Decimals: 6}

// recorder is a test that notes why it failed and fails nobody else.
type recorder struct {
	testing.TB

	said strings.Builder
}

func (r *recorder) Errorf(format string, args ...any) { fmt.Fprintf(&r.said, format, args...) }
func (r *recorder) FailNow()                          { runtime.Goexit() }
func (r *recorder) Fatalf(format string, args ...any) { r.Errorf(format, args...); r.FailNow() }

// findings is what the oracle says of the books as they are.
func findings(h *apptest.Harness) string {
	r := &recorder{TB: h.T}
	t := h.T
	h.T = r

	done := make(chan struct{})
	go func() {
		defer close(done)
		h.Oracle()
	}()
	<-done

	h.T = t

	return r.said.String()
}

// M-02: a book of which each journal sums to zero, is sealed and signed, and in which a transaction has paid more
// than it took, has taken more than it paid, or keeps something at its end, is found by the rule of conservation.
func TestTheOracleFindsABrokenBook(t *testing.T) {
	eur := money.Asset{Code: "EUR", Decimals: 2}
	wallet := func(c *apptest.Client) ledger.Account {
		return ledger.WalletAccount(world.NetworkID, c.Payer.Address.Hex())
	}
	receiver := func(c *apptest.Client) ledger.Account { return ledger.ReceiverAccount(world.NetworkID, c.Receiver) }

	for name, x := range map[string]struct {
		fiat     bool
		asset    money.Asset
		from, to func(c *apptest.Client) ledger.Account
		finds    string
	}{
		"more was pulled than paid": {false, usdc, wallet, always(ledger.TreasuryAccount(world.NetworkID)), "M-02: wallet USDC"},
		"more was paid than pulled": {false, usdc, always(ledger.TreasuryAccount(world.NetworkID)), receiver, "M-02: payee USDC"},
		"something stays on hold": {false, usdc, wallet, func(c *apptest.Client) ledger.Account {
			return ledger.HoldAccount(world.NetworkID, c.Org)
		}, "M-02"},
		"something stays under way":   {false, usdc, receiver, always(ledger.ClearingAccount(world.NetworkID)), "M-02"},
		"a fee that nobody agreed to": {false, usdc, wallet, always(ledger.IncomeAccount("commission", world.NetworkID)), "M-02: wallet USDC"},
		"fiat: more was pulled":       {true, usdc, wallet, always(ledger.FxAccount("USDC", "EUR")), "M-02: wallet USDC"},
		"fiat: more was paid": {true, eur, always(ledger.FxAccount("USDC", "EUR")), func(c *apptest.Client) ledger.Account {
			return ledger.PayeeAccount(c.Receiver)
		}, "M-02: payee EUR"},
		"fiat: something is held": {true, usdc, always(ledger.FxAccount("USDC", "EUR")), always(ledger.ConvertClearing(world.NetworkID)), "M-02: underway USDC"},
	} {
		t.Run(name, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
				c := h.Client("Ada")
				c.StaySignedIn()

				id := c.Accepted("USDC", "5.00")
				if x.fiat {
					id = c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "100.00"))
				}

				h.SettleAll()
				c.Ends(id, completed)
				require.Empty(t, findings(h))

				one := money.FromUnits(x.asset, big.NewInt(1))
				require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
					return ledger.Post(tx, ledger.Journal{
						Key:          "transaction/" + id + "/slip",
						Kind:         "slip",
						Organisation: c.Org,
						Transaction:  id,
						Postings: []ledger.Posting{
							{Account: x.from(c), Amount: one.Neg()},
							{Account: x.to(c), Amount: one},
						},
					})
				}))

				require.Contains(t, findings(h), x.finds)
			})
		})
	}
}

func always(a ledger.Account) func(*apptest.Client) ledger.Account {
	return func(*apptest.Client) ledger.Account { return a }
}
