//go:build !nosandbox

package app_test

import (
	"encoding/csv"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/reconcile"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/bank/banksim"
)

// The books of three companies whose deposits are not what was asked for: short, over, in three parts, without a
// reference, and taken back by their bank before people have looked at them and after their tokens have gone. All come
// in December; people decide in January, at other rates. Each is compared with the bank's and the chain's own books, as
// in the year's end above, and so is the book of the house: what must be zero is, in its asset and in the home
// currency.
func TestRealBooksOfDeposits(t *testing.T) {
	programs := parts.Need(t, "hledger", "bean-check")

	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		o := h.Operators()
		o.StaySignedIn()

		usdc := h.World.Tokens[0]
		account := accountIn(h, "EUR")
		tokens := h.Balance(usdc, h.World.Treasury.Address)
		money, err := h.World.Bank.Balance(t.Context(), account)
		require.NoError(t, err)

		now := h.DB().Now()
		year := time.Date(now.Year()+1, 1, 1, 0, 0, 0, 0, time.UTC)

		if year.Sub(now) < 10*24*time.Hour { // the first day is to lie ahead
			year = year.AddDate(1, 0, 0)
		}

		var all []*depositor
		for _, x := range [][3]string{
			{"Ada", "CHF", "Europe/Zurich"},
			{"Bob", "EUR", "America/New_York"},
			{"Cho", "JPY", "Asia/Tokyo"},
		} {
			c := h.Client(x[0])
			c.StaySignedIn()
			c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"homeCurrency": x[1], "timeZone": x[2]}).OK(200)
			all = append(all, &depositor{Client: c, h: h})
		}

		until(t, h, m, year.AddDate(0, 0, -3).Add(10*time.Hour), 9_000, 8_500)

		for _, c := range all {
			c.Do("POST", "/bookkeeping/openings", apptest.Object{
				"wallet": c.Wallet,
				"token":  "USDC",
				"on":     year.AddDate(0, 0, -3).Format(time.DateOnly),
				"reason": "Begin",
			}).OK(201)

			c.short, _ = c.pays("2500.00", banksim.Short)
			c.over, _ = c.pays("2600.00", banksim.Over)
			c.split, _ = c.pays("2700.00", banksim.Split)
			c.unnamed, _ = c.pays("2800.00", banksim.NoReference)
			c.early, c.earlyEntries = c.pays("2900.00", banksim.Short)
			c.bought, c.boughtEntries = c.pays("3000.00", banksim.Exact)
		}

		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "77.00", Sender: "Nobody"})
		h.Deposit(banksim.Deposit{
			Currency:      "EUR",
			Amount:        "7.00",
			Sender:        "Somebody",
			SenderAccount: apptest.SenderAccount,
		})
		h.BankUntil("people are to decide", func() bool {
			return len(h.Suspense()) == 2+7*len(all) && all[0].done("bought") && all[1].done("bought") &&
				all[2].done("bought")
		})

		until(t, h, m, year.AddDate(0, 0, 4).Add(20*time.Hour), 9_377, 8_801)

		for _, c := range all {
			h.Control(banksim.Control{Op: "reverse", Entry: c.earlyEntries[0]})
		}

		h.BankUntil("their bank takes some back", func() bool { return len(h.Suspense()) == 2+6*len(all) })

		for _, d := range h.Suspense() {
			h.Decide(d.Entry, decisionAbout(all, d))
		}

		h.BankUntil("they are assigned and sent back", func() bool {
			ok := len(h.Suspense()) == 1
			for _, c := range all {
				ok = ok && c.done("split") && c.done("unnamed")
			}

			return ok && h.Count("SELECT count(*) FROM deposits WHERE state = 'REFUNDED'") == int64(1+2*len(all))
		})

		until(t, h, m, year.AddDate(0, 0, 7).Add(20*time.Hour), 9_211, 8_713)

		for _, c := range all {
			h.Control(banksim.Control{Op: "reverse", Entry: c.boughtEntries[0]})
		}

		h.BankUntil("what had bought tokens is owed", func() bool {
			return h.Count("SELECT count(*) FROM receivables WHERE state = 'OPEN'") == int64(len(all))
		})

		until(t, h, m, year.AddDate(0, 0, 12).Add(20*time.Hour), 9_050, 8_900)

		for _, c := range all {
			h.Deposit(c.deposit("3000.00", c.reference))
		}

		h.BankUntil("what was owed is paid", func() bool {
			return h.Count("SELECT count(*) FROM receivables WHERE state = 'OPEN'") == 0
		})
		h.SettleAll()
		until(t, h, m, year.AddDate(0, 1, 1).Add(20*time.Hour), 9_100, 8_600)

		period := "?from=" + year.AddDate(0, -1, 0).Format(time.DateOnly) + "&to=" +
			h.DB().Now().AddDate(0, 0, 1).Format(time.DateOnly) // in Tokyo it is tomorrow

		for _, c := range all {
			for _, month := range []time.Time{year.AddDate(0, -1, 0), year} {
				path := "/bookkeeping/periods/" + month.Format("2006-01") + "/close"
				c.Do("POST", path, apptest.Object{"reason": "Done"}).OK(200)
			}

			same(t, programs, standings(t, c.Client, "/bookkeeping/balances"), func(format string) string {
				return c.Do("GET", "/bookkeeping/export"+period+"&format="+format, nil).OK(200).Raw
			})

			file := c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw
			recompute(t, file, false)
			zeroAtHome(t, bookFrom(t, file))
			nothingUnderWay(t, bookFrom(t, file), nil)

			has := new(big.Rat).SetFrac(h.Balance(usdc, c.Payer.Address), big.NewInt(1_000_000))
			stands := standings(t, c.Client, "/bookkeeping/balances")
			require.Zero(t, amountOn(t, stands, "wallet", "USDC").Cmp(has))
			// 2,700 and 2,800 were paid for tokens, and 3,000 once they had been taken back
			require.Equal(t, "-8500.00", amountOn(t, stands, "sender", "EUR").FloatString(2))
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

// depositor is a company, with the transactions that its deposits were for.
type depositor struct {
	*apptest.Client

	h                                          *apptest.Harness
	short, over, split, unnamed, early, bought string
	reference                                  string   // of the one that has bought tokens
	earlyEntries, boughtEntries                []string // the bank's references
}

func (c *depositor) deposit(amount, reference string) banksim.Deposit {
	return banksim.Deposit{
		Currency:      "EUR",
		Amount:        amount,
		Sender:        c.Name(),
		SenderAccount: apptest.SenderAccount,
		Reference:     reference,
	}
}

// pays asks for a purchase and pays for it, in a way that may differ from what was asked for.
func (c *depositor) pays(amount string, kind banksim.Kind) (id string, entries []string) {
	id, c.reference = c.OnrampSubmitted("USDC", "EUR", amount)
	d := c.deposit(amount, c.reference)
	d.Kind = kind

	return id, c.h.Deposit(d)
}

func (c *depositor) done(what string) bool {
	id := map[string]string{"bought": c.bought, "split": c.split, "unnamed": c.unnamed}[what]
	return c.Read(id).Status == transaction.StatusCompleted
}

// decisionAbout is what people find out about a deposit.
func decisionAbout(all []*depositor, d reconcile.Deposit) reconcile.Decision {
	for _, c := range all {
		switch {
		case d.Transaction == c.split:
			return reconcile.Decision{Action: reconcile.ActionAssign, Transaction: c.split}
		case d.SenderName == c.Name() && d.Amount.String() == "2800.00":
			return reconcile.Decision{Action: reconcile.ActionAssign, Transaction: c.unnamed}
		}
	}

	if d.SenderName == "Nobody" {
		return reconcile.Decision{Action: reconcile.ActionHold}
	}

	return reconcile.Decision{Action: reconcile.ActionRefund}
}

// houseStands requires of the house's book, in each home currency, what is required of its customers': programs of
// others compute the same trial balance, every value follows from the lines, and what must be zero is, in its asset and
// in the home currency, but for what is named with its amount.
func houseStands(
	t *testing.T, h *apptest.Harness, programs []string, o apptest.Operators, period string, but map[string]string,
) {
	t.Helper()

	for _, currency := range []string{"EUR", "CHF", "JPY"} {
		h.App.Bookkeeping.Currency = currency

		same(t, programs, standings(t, o.Client, "/operations/books/balances"), func(format string) string {
			return o.Do("GET", "/operations/books/export"+period+"&format="+format, nil).OK(200).Raw
		})

		file := o.Do("GET", "/operations/books/entries", nil, asCSV).OK(200).Raw
		require.Contains(t, file, ","+currency+",")
		recompute(t, file, false)
		zeroAtHome(t, bookFrom(t, file))
		nothingUnderWay(t, bookFrom(t, file), but)

		if currency == "JPY" {
			pageByPage(t, o, bookFrom(t, file))
		}
	}
}

// pageByPage requires that a line has the same value on a short page, which does not have what it comes from.
func pageByPage(t *testing.T, o apptest.Operators, all []bookLine) {
	t.Helper()

	want := map[string]bookLine{}
	for _, l := range all {
		want[l.ID] = l
	}

	cursor := ""

	for {
		var p bookPage
		o.Do("GET", "/operations/books/entries?limit=11"+cursor, nil).OK(200).Into(&p)

		for _, l := range p.Results {
			if l.Debit != nil || l.Credit != nil {
				require.Equal(t, want[l.ID].Debit, l.Debit, l.ID)
				require.Equal(t, want[l.ID].Credit, l.Credit, l.ID)
				delete(want, l.ID)
			}
		}

		if p.NextCursor == nil {
			break
		}

		cursor = "&cursor=" + *p.NextCursor
	}

	require.Empty(t, want)
}

// nothingUnderWay requires that nothing stands on accounts that return to zero, but for what is named with its amount.
func nothingUnderWay(t *testing.T, lines []bookLine, but map[string]string) {
	t.Helper()

	left := map[string]*big.Rat{}

	for _, l := range lines {
		switch l.AccountKind {
		case "clearing", "hold", "reserved", "held", "suspense", "receivable":
			plus(left, l.AccountKind+" "+l.Asset, number(t, l.Amount))
		}
	}

	require.NotEmpty(t, left)

	for at, n := range left {
		want := "0.00"
		if some, ok := but[at]; ok {
			want = some
		}

		require.Equal(t, want, new(big.Rat).Abs(n).FloatString(2), at)
	}
}

// bookFrom reads the lines of a book's CSV; those without a value are left out.
func bookFrom(t *testing.T, file string) (out []bookLine) {
	t.Helper()

	rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	require.NoError(t, err)

	for _, cells := range rows[1:] {
		of := map[string]string{}
		for i, name := range rows[0] {
			of[name] = strings.TrimPrefix(cells[i], "'")
		}

		l := bookLine{
			ID:          of["_id"],
			AccountKind: of["accountKind"],
			Place:       of["place"],
			Amount:      of["amount"],
			Asset:       of["asset"],
		}

		switch debit, credit := of["debit"], of["credit"]; {
		case debit != "":
			l.Debit = &debit
		case credit != "":
			l.Credit = &credit
		default:
			continue
		}

		out = append(out, l)
	}

	return out
}
