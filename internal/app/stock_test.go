//go:build !nosandbox

package app_test

import (
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/liquidity"
)

// stocked runs a test in worlds where the house converts out of its own stock, at a market that stands still: one token
// is 0.90 EUR and 1 USD.
func stocked(t *testing.T, test func(t *testing.T, h *apptest.Harness, o apptest.Operators)) {
	t.Helper()

	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		restartWith(h, "SLIPWAY_LIQUIDITY__PROVIDER=house", "SLIPWAY_STOCK__ORGANISATION_PERCENT=50")
		m.Fix("USD", 10_000) // a restart opens the market anew
		m.Fix("EUR", 9_000)
		test(t, h, h.Operators())
	})
}

// fiatPart is an amount of fiat in a change of the stock.
func fiatPart(currency, amount string) object { return object{"asset": currency, "amount": amount} }

// tokenPart is an amount of a token on the development network.
func tokenPart(token, amount string) object {
	return object{"asset": token, "network": world.NetworkID, "amount": amount}
}

// fill has two operators assign an amount to the stock.
func fill(o apptest.Operators, reference string, part object) {
	o.Approve(o.Do("POST", "/operations/stock/changes", object{
		"kind":      "CAPITAL_IN",
		"received":  part,
		"reference": reference,
		"reason":    "Working capital.",
	}))
}

// position is what tests look at of one.
type position struct {
	Place     string `json:"place"`
	Asset     string `json:"asset"`
	Stock     string `json:"stock"`
	Capital   string `json:"capital"`
	Traded    string `json:"traded"`
	Exchanged string `json:"exchanged"`
	Expense   string `json:"expense"`
	Reserved  string `json:"reserved"`
	Free      string `json:"free"`
	ResultUSD string `json:"resultUSD"`
}

func positionOf(o apptest.Operators, place, asset string) position {
	var v struct {
		Positions []position `json:"positions"`
	}

	o.Do("GET", "/operations/stock", nil).OK(200).Into(&v)

	for _, p := range v.Positions {
		if p.Place == place && p.Asset == asset {
			return p
		}
	}

	return position{}
}

// A payment in fiat is reserved at submit, drawn once at the locked rate although the market has moved, and in the
// ledger with the house's profit.
func TestHouseConvertsAtTheLockedRate(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		restartWith(h, "SLIPWAY_LIQUIDITY__PROVIDER=house", "SLIPWAY_STOCK__SPREAD_PERCENT=1")
		m.Fix("USD", 10_000)
		m.Fix("EUR", 9_000)

		o := h.Operators()
		fill(o, "open-eur", fiatPart("EUR", "1000.00"))

		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.FiatSubmitted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "89.10"))
		require.Equal(t, "89.10", positionOf(o, "EUR", "EUR").Reserved)
		require.Equal(t, "910.90", positionOf(o, "EUR", "EUR").Free)

		c.Act(id, "accept").OK(200)
		m.Fix("EUR", 4_500)
		h.DB().Clock().Advance(time.Hour)
		require.Equal(t, "89.10", positionOf(o, "EUR", "EUR").Reserved, "an accepted quote does not lapse")

		h.SettleAll()
		c.Ends(id, completed, paid)
		require.Equal(t, "house", h.App.Config.Liquidity.Provider)

		m.Fix("EUR", 9_000)

		eur := positionOf(o, "EUR", "EUR")
		usdc := positionOf(o, world.NetworkID, "USDC")
		require.Equal(t, "910.90", eur.Stock)
		require.Equal(t, "-89.10", eur.Traded)
		require.Equal(t, "0.00", eur.Reserved)
		require.Equal(t, "100.00", usdc.Stock, "89.10 / (0.90 less 1 %)")
		require.Equal(t, "100.00", usdc.ResultUSD)

		h.Oracle()
	})
}

// What the house does not have is not promised: a quote that stock and limits do not cover is refused, one organisation
// cannot block the stock, and a lapsed quote is free again.
func TestHousePromisesOnlyWhatItHas(t *testing.T) {
	stocked(t, func(t *testing.T, h *apptest.Harness, o apptest.Operators) {
		fill(o, "open-eur", fiatPart("EUR", "1000.00"))
		c := h.Client("Ada")
		c.StaySignedIn()
		other := h.Client("Bob")
		account := c.NewBankAccount("EUR", "100")

		draft := func(c *apptest.Client, account, amount string) string {
			return c.Do("POST", "/transactions", object{
				"type":          "FIAT",
				"token":         "USDC",
				"walletAddress": c.Payer.Address.Hex(),
				"payments":      []object{c.FiatPayment(account, amount)},
			}).OK(201).ID()
		}

		c.Act(draft(c, account, "900.00"), "submit").Refused(422, "LIQUIDITY_SHORT", "/payments LIQUIDITY_SHORT")
		c.Act(draft(c, account, "501.00"), "submit").Refused(422, "LIQUIDITY_SHORT", "/payments LIQUIDITY_SHORT")

		held := draft(c, account, "400.00")
		c.Act(held, "submit").OK(200)
		c.Act(draft(c, account, "101.00"), "submit").Refused(422, "LIQUIDITY_SHORT", "/payments LIQUIDITY_SHORT")

		theirs := other.NewBankAccount("EUR", "100")
		other.Act(draft(other, theirs, "100.00"), "submit").OK(200)
		require.Equal(t, "500.00", positionOf(o, "EUR", "EUR").Reserved)

		c.Do("DELETE", "/transactions/"+held, nil).OK(200)
		require.Equal(t, "100.00", positionOf(o, "EUR", "EUR").Reserved, "a deleted quote is free")

		h.DB().Clock().Advance(time.Hour)
		require.Equal(t, "0.00", positionOf(o, "EUR", "EUR").Reserved, "a lapsed one, too")
		h.Oracle()
	})
}

// The stock is enough for two of three payments: of submits at the same moment, two are promised it.
func TestStockIsPromisedOnce(t *testing.T) {
	stocked(t, func(t *testing.T, h *apptest.Harness, o apptest.Operators) {
		fill(o, "open-eur", fiatPart("EUR", "100.00"))

		names := []string{"Ada", "Bob", "Cyd"}
		ids := make([]string, len(names))
		tokens := make([]string, len(names))

		for i, name := range names {
			c := h.Client(name)
			ids[i] = c.Do("POST", "/transactions", fiatBody(
				c,
				payout(c, c.NewBankAccount("EUR", "100"), "50.00", "EUR"),
			)).OK(201).ID()
			tokens[i] = c.TokenAhead(0)
		}

		var wait sync.WaitGroup

		codes := make([]string, len(names))
		for i := range codes {
			wait.Go(func() {
				codes[i] = h.Do(h.App, "POST", "/transactions/"+ids[i]+"/submit", tokens[i], nil).Code()
			})
		}

		wait.Wait()
		slices.Sort(codes)
		require.Equal(t, []string{"", "", "LIQUIDITY_SHORT"}, codes)
		require.Equal(t, "100.00", positionOf(o, "EUR", "EUR").Reserved)
		require.Equal(t, "0.00", positionOf(o, "EUR", "EUR").Free)
		h.Oracle()
	})
}

// A deposit is priced and reserved when it is here. Without enough tokens it waits, and goes on when there are.
func TestHouseDeliversOutOfItsTokens(t *testing.T) {
	stocked(t, func(t *testing.T, h *apptest.Harness, o apptest.Operators) {
		for range 3 {
			lookAtHouse(h) // the treasury's opening entry
		}

		fill(o, "open-usdc", tokenPart("USDC", "5000"))

		c := h.Client("Ada")
		c.StaySignedIn()
		id, reference := c.OnrampSubmitted("USDC", "EUR", "1800.00")

		o.Approve(o.Do("POST", "/operations/stock/changes", object{
			"kind":      "CAPITAL_OUT",
			"given":     tokenPart("USDC", "4000"),
			"reference": "moved",
			"reason":    "Needed elsewhere.",
		}))
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "1800.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("the deposit waits", func() bool {
			return c.Read(id).Settlement == "ON_HOLD"
		})
		require.Zero(t, h.Count("SELECT count(*) FROM effects WHERE word = 'convert'"))

		fill(o, "again", tokenPart("USDC", "4000"))
		h.BankUntil("the tokens are delivered", func() bool {
			h.DB().Clock().Advance(time.Minute)
			return c.Read(id).Status == completed
		})

		usdc := positionOf(o, world.NetworkID, "USDC")
		require.Equal(t, "0.00", usdc.Reserved)
		require.Equal(t, "-1996.007984", usdc.Traded, "1800 / (0.90 plus 0.2 %)")
		require.Equal(t, "1800.00", positionOf(o, "EUR", "EUR").Stock)
		h.Oracle()
	})
}

// A payment that the bank refuses brings the fiat back into the stock, and takes the tokens out at the locked rate.
func TestRefusedPaymentReversesTheStock(t *testing.T) {
	stocked(t, func(t *testing.T, h *apptest.Harness, o apptest.Operators) {
		fill(o, "open-eur", fiatPart("EUR", "1000.00"))

		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "002"), "90.00"))

		h.SettleAll()
		require.Equal(t, transaction.StatusFailed, c.Read(id).Status)

		eur := positionOf(o, "EUR", "EUR")
		require.Equal(t, "1000.00", eur.Stock)
		require.Equal(t, "0.00", eur.Reserved)
		require.Equal(t, "0.00", positionOf(o, world.NetworkID, "USDC").Stock)
		h.Oracle()
	})
}

// A deposit that its bank takes back before its tokens have left leaves the stock as it was: nobody has paid for them.
func TestATakenBackDepositReversesTheStock(t *testing.T) {
	stocked(t, func(t *testing.T, h *apptest.Harness, o apptest.Operators) {
		for range 3 {
			lookAtHouse(h) // the treasury's opening entry
		}

		fill(o, "open-usdc", tokenPart("USDC", "5000"))
		h.Approve(h.World.Token("USDC"), h.World.Treasury, big.NewInt(1)) // so the tokens wait

		c := h.Client("Ada")
		c.StaySignedIn()
		id, reference := c.OnrampSubmitted("USDC", "EUR", "1800.00")
		refs := h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "1800.00", Reference: reference, Sender: c.Name()})
		h.BankUntil("it is converted and waits", func() bool {
			return h.Count(
				"SELECT count(*) FROM effects WHERE word <> 'convert' AND state = 'WANTED' AND info <> ''",
			) == 1
		})
		require.Equal(t, "1800.00", positionOf(o, "EUR", "EUR").Stock)

		h.Control(banksim.Control{Op: "reverse", Entry: refs[0]})
		h.BankUntil("it is taken back", func() bool { return c.Read(id).Status == transaction.StatusFailed })

		require.Equal(t, "0.00", positionOf(o, "EUR", "EUR").Stock)

		usdc := positionOf(o, world.NetworkID, "USDC")
		require.Equal(t, "5000.00", usdc.Stock)
		require.Equal(t, "0.00", usdc.Traded)
		h.Oracle()
	})
}

// The process ends between reserving and drawing: the next one draws, once, and whoever asks again gets the same
// answer.
func TestRestartDrawsOnce(t *testing.T) {
	stocked(t, func(t *testing.T, h *apptest.Harness, o apptest.Operators) {
		fill(o, "open-eur", fiatPart("EUR", "1000.00"))

		c := h.Client("Ada")
		c.StaySignedIn()
		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "90.00"))
		key := effect.ConversionOf(id, "EUR").String()

		_, err := h.App.Stock.Look(t.Context(), key)
		require.ErrorIs(t, err, liquidity.ErrNoOrder)

		h.Restart()
		require.Equal(t, "90.00", positionOf(o, "EUR", "EUR").Reserved)
		h.SettleAll()
		c.Ends(id, completed, paid)

		first, err := h.App.Stock.Look(t.Context(), key)
		require.NoError(t, err)
		require.Equal(t, liquidity.Filled, first.Status)

		order := liquidity.Order{
			Key:          key,
			Sell:         "USDC",
			SellDecimals: 6,
			Buy:          "EUR",
			BuyDecimals:  2,
			BuyUnits:     big.NewInt(9_000),
			Network:      world.NetworkID,
		}
		again, err := h.App.Stock.Place(t.Context(), order)
		require.NoError(t, err)
		require.Equal(t, first, again)

		order.BuyUnits = big.NewInt(9_001)
		_, err = h.App.Stock.Place(t.Context(), order)
		require.ErrorIs(t, err, liquidity.ErrKeyTaken)

		order.Key += "/2"
		refused, err := h.App.Stock.Place(t.Context(), order)
		require.NoError(t, err)
		require.Equal(t, liquidity.Rejected, refused.Status, "nothing is reserved for it")

		require.Equal(t, "910.00", positionOf(o, "EUR", "EUR").Stock)
		require.Equal(t, "0.00", positionOf(o, "EUR", "EUR").Reserved)
		h.Oracle()
	})
}

// One operator changes nothing; a change is recorded once; what is promised to customers cannot be taken, also when it
// was not promised yet as the first operator asked.
func TestStockIsChangedByTwo(t *testing.T) {
	stocked(t, func(t *testing.T, h *apptest.Harness, o apptest.Operators) {
		change := func(kind string, more object) apptest.Answer {
			return o.Do("POST", "/operations/stock/changes", with(object{
				"kind":   kind,
				"reason": "As agreed.",
			}, more))
		}

		h.Exec("UPDATE users SET language = 'fr' WHERE id = ?", o.Second.User)
		asked := change("CAPITAL_IN", object{"received": fiatPart("EUR", "1000.00"), "reference": "one"})
		require.Equal(
			t,
			"The house's stock: the owners bring in 1000.00 EUR. Reference one. As agreed.",
			o.Approval(asked.OK(202).ID()).Summary,
		)
		require.Contains(
			t,
			strings.Join(strings.Fields(o.Mails(o.Second.Email)[0]), " "),
			"Stock de l’exploitant : les propriétaires apportent 1 000,00 EUR. Référence one. As agreed.",
		)
		o.Do("POST", "/operations/approvals/"+asked.OK(202).ID()+"/decision", object{
			"decision": "APPROVED",
			"comment":  "Mine.",
		}).Refused(403, "SECOND_PERSON_REQUIRED")
		require.Empty(t, positionOf(o, "EUR", "EUR").Stock)
		require.Equal(t, "APPROVED", o.Approve(asked).Status)
		change("CAPITAL_IN", object{"received": fiatPart("EUR", "1000.00"), "reference": "one"}).
			Refused(409, "STOCK_CHANGE_RECORDED")

		take := change("CAPITAL_OUT", object{"given": fiatPart("EUR", "900.00"), "reference": "two"})
		c := h.Client("Ada")
		c.StaySignedIn()
		c.FiatSubmitted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "200.00"))
		o.Decide(take, "APPROVED").Refused(409, "APPROVAL_OVERTAKEN")
		change("CAPITAL_OUT", object{"given": fiatPart("EUR", "900.00"), "reference": "three"}).
			Refused(409, "STOCK_NOT_COVERED")

		change("CAPITAL_IN", object{"received": tokenPart("USDC", "90000000000"), "reference": "four"}).
			Refused(409, "STOCK_NOT_COVERED")
		change("CAPITAL_IN", object{"given": fiatPart("EUR", "1.00"), "reference": "five"}).
			Refused(422, "VALIDATION", "/received REQUIRED", "/given NOT_ALLOWED")
		change("EXCHANGED", object{
			"received":  fiatPart("GBP", "80.00"),
			"given":     fiatPart("XYZ", "90.00"),
			"fees":      []object{fiatPart("EUR", "0.001")},
			"reference": "six",
		}).Refused(422, "VALIDATION", "/given/asset CURRENCY_UNKNOWN", "/fees/0/amount AMOUNT_INVALID")

		o.Approve(change("EXCHANGED", object{
			"received":  fiatPart("GBP", "80.00"),
			"given":     fiatPart("EUR", "88.00"),
			"fees":      []object{fiatPart("EUR", "1.00")},
			"reference": "seven",
		}))

		eur := positionOf(o, "EUR", "EUR")
		require.Equal(t, []string{"911.00", "1000.00", "-88.00", "-1.00"}, []string{
			eur.Stock,
			eur.Capital,
			eur.Exchanged,
			eur.Expense,
		})
		require.Equal(t, "80.00", positionOf(o, "GBP", "GBP").Stock)
		h.Oracle()
	})
}
