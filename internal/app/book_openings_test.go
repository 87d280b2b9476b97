//go:build !nosandbox

package app_test

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/core/day"
)

// A wallet pays all that it had before anybody states what it had had. Whenever that is stated it stands before the
// payments, so they leave at its cost, and nothing is left on the wallet, in tokens and in the home currency. It cannot
// come after them: in a closed month, the month has to be opened again.
func TestAnOpeningThatIsStatedAfterThePayments(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		c.StaySignedIn()
		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"homeCurrency": "CHF", "timeZone": "UTC"}).OK(200)

		begin := day.Of(h.DB().Now().UTC()).AddDate(0, 0, 1)
		until(t, h, m, begin.Add(2*time.Hour), 9_000, 8_500)
		c.Accepted("USDC", "12.500001")
		h.Settle()
		until(t, h, m, begin.AddDate(0, 0, 1).Add(20*time.Hour), 9_377, 8_100)
		c.Accepted("USDC", "7.25")
		h.Settle()

		next := time.Date(begin.Year(), begin.Month()+1, 3, 20, 0, 0, 0, time.UTC)
		until(t, h, m, next, 9_211, 8_900)

		var closed []string

		period := func(month, action string) {
			path := "/bookkeeping/periods/" + month + "/" + action
			c.Do("POST", path, apptest.Object{"reason": "Done"}).OK(200)
		}

		month := begin.AddDate(0, 0, 1-begin.Day())
		for ; month.AddDate(0, 1, 0).Before(next); month = month.AddDate(0, 1, 0) {
			closed = append(closed, month.Format("2006-01"))
			period(month.Format("2006-01"), "close")
		}

		open := func() apptest.Answer {
			return c.Do("POST", "/bookkeeping/openings", apptest.Object{
				"wallet": c.Wallet,
				"token":  "USDC",
				"on":     begin.Format(time.DateOnly),
				"amount": "19.750001",
				"reason": "It had that",
			})
		}
		open().Refused(422, "NOT_ALLOWED", "/on NOT_ALLOWED")

		for _, name := range slices.Backward(closed) {
			period(name, "reopen")
		}

		open().OK(201)
		recompute(t, c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw, false)

		for _, s := range standings(t, c, "/bookkeeping/balances") {
			require.NotEqual(t, "wallet", s.AccountKind, "neither an amount nor a value is left")
		}

		h.Oracle()
	})
}

// 1. The opening balance of a wallet is what the chain says at the last block before the day, and the block is kept.
// With it, the wallet's account is what the chain says now, whenever it is recorded. 2. It comes first in the book, and
// there is one. 3. A currency's is stated by a person, with a reason. 4. One that was wrong is taken back. 5. The
// house's book has none of it.
func TestOpeningBalances(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		c.StaySignedIn()
		other.StaySignedIn()
		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"timeZone": "UTC"}).OK(200)

		usdc := h.World.Tokens[0]
		had := h.Balance(usdc, c.Payer.Address)

		begin := day.Of(h.DB().Now().UTC()).AddDate(0, 0, 1)
		until(t, h, m, begin.Add(2*time.Hour), 9_000, 8_500)
		c.Accepted("USDC", "12.500001")
		h.Settle()

		on := begin.Format(time.DateOnly)
		open := func(c *apptest.Client, more apptest.Object) apptest.Answer {
			body := apptest.Object{"on": on, "reason": "The book begins"}
			for k, v := range more {
				body[k] = v
			}

			return c.Do("POST", "/bookkeeping/openings", body)
		}
		wallet := apptest.Object{"wallet": c.Wallet, "token": "USDC"}
		tomorrow := begin.AddDate(0, 0, 1).Format(time.DateOnly)

		open(other, wallet).Refused(404, "NOT_FOUND")
		open(c, apptest.Object{"wallet": c.ProveWallet(c.Receiver, h.Account("Alice's")), "token": "USDC"}).
			Refused(422, "NOT_ALLOWED", "/wallet NOT_ALLOWED")
		open(c, apptest.Object{"wallet": c.Wallet, "token": "USDC", "on": tomorrow}).
			Refused(422, "OUT_OF_RANGE", "/on OUT_OF_RANGE")
		open(c, apptest.Object{"currency": "EUR"}).Refused(422, "REQUIRED", "/amount REQUIRED")
		open(c, apptest.Object{}).Refused(422, "REQUIRED", "/wallet REQUIRED")
		open(
			c,
			apptest.Object{"currency": "EUR", "amount": "1,5"},
		).Refused(
			422,
			"FORMAT_INVALID",
			"/amount FORMAT_INVALID",
		)

		var o struct {
			ID        string `json:"_id"`
			Amount    string `json:"amount"`
			Source    string `json:"source"`
			Block     int64  `json:"block"`
			BlockHash string `json:"blockHash"`
		}
		open(c, wallet).OK(201).Into(&o)
		require.Equal(t, "CHAIN", o.Source)
		require.Positive(t, o.Block)
		require.Regexp(t, "^0x[0-9a-f]{64}$", o.BlockHash)
		require.Zero(t, number(t, o.Amount).Cmp(new(big.Rat).SetFrac(had, big.NewInt(1_000_000))))

		onWallet := func() *big.Rat { return amountOn(t, standings(t, c, "/bookkeeping/balances"), "wallet", "USDC") }
		now := h.Balance(usdc, c.Payer.Address)
		require.Zero(t, onWallet().Cmp(new(big.Rat).SetFrac(now, big.NewInt(1_000_000))))

		open(c, wallet).Refused(409, "OPENING_RECORDED")
		open(c, apptest.Object{"currency": "EUR", "amount": "1000.00"}).OK(201)
		require.Equal(
			t,
			"1000.00",
			amountOn(t, standings(t, c, "/bookkeeping/balances"), "sender", "EUR").FloatString(2),
		)

		house := h.Operators().Do("GET", "/operations/books/entries", nil, asCSV).OK(200).Raw
		require.NotContains(t, house, ",opened,")

		withdraw := func() apptest.Answer {
			return c.Do("POST", "/bookkeeping/openings/"+o.ID+"/withdraw", apptest.Object{"reason": "Another wallet"})
		}
		withdraw().OK(200)
		withdraw().Refused(409, "OPENING_WITHDRAWN")
		require.Equal(t, "-12.500001", onWallet().FloatString(6))
		require.Contains(t, c.Do("GET", "/bookkeeping/openings", nil).OK(200).Raw, o.ID)
		require.NotContains(t, other.Do("GET", "/bookkeeping/openings", nil).OK(200).Raw, "bop_")

		// a day later there is a line already
		h.Ahead(24 * time.Hour)
		open(c, apptest.Object{"wallet": c.Wallet, "token": "USDC", "on": tomorrow}).
			Refused(422, "NOT_ALLOWED", "/on NOT_ALLOWED")
		open(c, apptest.Object{"wallet": c.Wallet, "token": "USDC", "amount": "77"}).OK(201)
		require.Equal(t, "64.499999", onWallet().FloatString(6))
		h.Oracle()
	})
}
