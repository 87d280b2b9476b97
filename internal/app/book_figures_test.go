//go:build !nosandbox

package app_test

import (
	"encoding/csv"
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/core/day"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/banksim"
)

// reader computes every value of a book anew, from its lines as CSV alone. It knows the rules of the guide, and nothing
// of the service.
type reader struct {
	t        *testing.T
	average  bool
	house    bool // it buys no tokens by the accounts of customers
	decimals int
	held     map[string]*holding // by account, place, item and asset
	rows     []row               // in the order of posting
	lots     map[string][]*readLot
	seen     map[string]int // how many values came from what
}

type holding struct{ units, value *big.Rat }

type readLot struct {
	line        string
	units, cost *big.Rat
}

// row is a line, by the names of its columns.
type row map[string]string

func (r row) amount(t *testing.T) *big.Rat { return number(t, strings.TrimPrefix(r["amount"], "'")) }

func (r row) value(t *testing.T) *big.Rat {
	if r["debit"] != "" {
		return number(t, strings.TrimPrefix(r["debit"], "'"))
	}

	return new(big.Rat).Neg(number(t, strings.TrimPrefix(r["credit"], "'")))
}

// recompute reads a book and requires of every line that its value follows from the rest. It returns how many values
// came from what.
func recompute(t *testing.T, file string, average bool) map[string]int {
	t.Helper()

	all, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	require.NoError(t, err)

	var rows []row

	for _, cells := range all[1:] {
		one := row{}
		for k, name := range all[0] {
			one[name] = cells[k]
		}

		if one["debit"]+one["credit"] != "" { // gas has no value in the house's book
			rows = append(rows, one)
		}
	}

	r := &reader{
		t:        t,
		average:  average,
		house:    slices.ContainsFunc(rows, func(x row) bool { return x["accountKind"] == "treasury" }),
		decimals: 2,
		held:     map[string]*holding{},
		rows:     slices.Clone(rows),
		lots:     map[string][]*readLot{},
		seen:     map[string]int{},
	}
	if rows[0]["currency"] == "JPY" {
		r.decimals = 0
	}

	r.eachJournal(rows, r.journal)

	// a month after the other, and its opening balances first
	slices.SortStableFunc(rows, func(a, b row) int {
		key := func(r row) string {
			if r["kind"] == "opened" {
				return r["date"][:7] + "0"
			}

			return r["date"][:7] + "1"
		}

		return strings.Compare(key(a), key(b))
	})

	r.eachJournal(rows, r.wallets)

	return r.seen
}

func (r *reader) eachJournal(rows []row, do func([]row)) {
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(x row) bool { return x["journal"] != rows[0]["journal"] })
		if n < 0 {
			n = len(rows)
		}

		do(rows[:n])
		rows = rows[n:]
	}
}

// wallets follows the lots of a journal's wallets.
func (r *reader) wallets(rows []row) {
	for _, x := range rows {
		if x["valuedBy"] == "LOTS" {
			require.Equal(r.t, r.fromLots(x).FloatString(r.decimals), x.value(r.t).FloatString(r.decimals), x["_id"])
		}
	}

	for _, x := range rows {
		if x["accountKind"] == "wallet" && x["kind"] != "revaluation" && x["valuedBy"] != "LOTS" {
			r.brought(x) // below zero, if the book has not seen the wallet get it
		}
	}
}

func (r *reader) brought(x row) {
	one := &readLot{x["_id"], x.amount(r.t), x.value(r.t)}
	if all := r.lots[place(x)]; r.average && len(all) > 0 {
		one.units = new(big.Rat).Add(one.units, all[0].units)
		one.cost = new(big.Rat).Add(one.cost, all[0].cost)
		r.lots[place(x)] = nil
	}

	r.lots[place(x)] = append(r.lots[place(x)], one)
}

func (r *reader) journal(rows []row) {
	total := new(big.Rat)

	for i, x := range rows {
		want := r.valueOf(rows, i)
		got := x.value(r.t)
		require.Equal(r.t, want.FloatString(r.decimals), got.FloatString(r.decimals),
			"%s %s on %s %s, %s %s", x["_id"], x["valuedBy"], x["accountKind"], x["place"], x["amount"], x["asset"])

		total.Add(total, got)
		r.seen[x["valuedBy"]]++
	}

	require.Zero(r.t, total.Sign(), rows[0]["journal"])

	for _, x := range rows {
		r.keep(x)
	}
}

func place(x row) string { return x["accountKind"] + " " + x["place"] + " " + x["asset"] }

// keep notes what a line has brought to its account, or taken from it.
func (r *reader) keep(x row) {
	amount, value := x.amount(r.t), x.value(r.t)

	if x["kind"] == "revaluation" {
		return
	}

	at := place(x) + " " + x["item"]
	if r.held[at] == nil {
		r.held[at] = &holding{new(big.Rat), new(big.Rat)}
	}

	r.held[at].units.Add(r.held[at].units, amount)
	r.held[at].value.Add(r.held[at].value, value)
}

func (r *reader) valueOf(rows []row, i int) *big.Rat {
	x := rows[i]
	amount := x.amount(r.t)

	switch x["valuedBy"] {
	case "RATE":
		return r.atRate(x, amount)
	case "LOTS":
		return x.value(r.t) // see wallets
	case "COST":
		return new(big.Rat)
	case "ACCOUNT":
		h := r.held[place(x)+" "+x["item"]]
		require.NotNil(r.t, h, x["_id"])

		part := new(big.Rat).Quo(amount, h.units) // below zero
		if part.Cmp(big.NewRat(-1, 1)) >= 0 {
			return r.round(part.Mul(part, h.value))
		}

		return new(big.Rat).Sub(r.atRate(x, new(big.Rat).Add(amount, h.units)), h.value)
	case "JOURNAL":
		rest := new(big.Rat)

		for k, other := range rows {
			if k != i && other["asset"] == x["asset"] {
				rest.Sub(rest, other.value(r.t))
			}
		}

		return rest
	case "COUNTER":
		return r.counter(rows, i)
	case "REVALUATION":
		if i%2 == 0 { // the value of the month's end, and the reversal takes that away
			if x["date"][8:] != "01" {
				return r.atRate(x, amount)
			}

			return x.value(r.t)
		}

		if x["accountKind"] == "unrealised" || x["date"][8:] == "01" {
			return x.value(r.t)
		}

		stood := new(big.Rat)

		for _, other := range r.rows {
			if place(other) == place(x) && other["date"] <= x["date"] && other["journal"] != x["journal"] {
				stood.Sub(stood, other.value(r.t))
			}
		}

		return stood
	}

	require.Fail(r.t, "unknown", x["valuedBy"])

	return nil
}

// counter is the line beside it, or the money that was paid for what was bought.
func (r *reader) counter(rows []row, i int) *big.Rat {
	x := rows[i]

	if x["accountKind"] == "fx" && x.amount(r.t).Sign() < 0 && !r.house {
		paid := new(big.Rat)

		for _, other := range rows {
			if other["place"] == x["place"] && other["accountKind"] == "fx" && other["asset"] != x["asset"] {
				paid.Sub(paid, other.value(r.t))
			}
		}

		return paid
	}

	for _, k := range []int{i + 1, i - 1} {
		if k >= 0 && k < len(rows) && rows[k]["asset"] == x["asset"] && rows[k]["valuedBy"] != "COUNTER" &&
			new(big.Rat).Add(rows[k].amount(r.t), x.amount(r.t)).Sign() == 0 {
			return new(big.Rat).Neg(rows[k].value(r.t))
		}
	}

	require.Fail(r.t, "no line beside it", x["_id"])

	return nil
}

// atRate is an amount at the two published rates.
func (r *reader) atRate(x row, amount *big.Rat) *big.Rat {
	if x["countsAs"] == x["currency"] {
		return r.round(amount)
	}

	rate := new(big.Rat).Quo(number(r.t, x["homePerEuro"]), number(r.t, x["assetPerEuro"]))

	return r.round(rate.Mul(rate, amount))
}

// fromLots takes an amount from the lots and requires that the line names the same ones.
func (r *reader) fromLots(x row) *big.Rat {
	var named []struct {
		Line, Amount, Cost string
	}
	require.NoError(r.t, json.Unmarshal([]byte(x["lots"]), &named))

	left := new(big.Rat).Neg(x.amount(r.t))
	out := new(big.Rat)

	for _, n := range named {
		lot := r.lots[place(x)][0]
		require.Equal(r.t, lot.line, n.Line)

		units, cost := lot.units, lot.cost
		if new(big.Rat).Abs(left).Cmp(new(big.Rat).Abs(units)) < 0 {
			units = left
			cost = r.round(new(big.Rat).Mul(lot.cost, new(big.Rat).Quo(units, lot.units)))
			r.lots[place(x)][0] = &readLot{
				lot.line,
				new(big.Rat).Sub(lot.units, units),
				new(big.Rat).Sub(lot.cost, cost),
			}
		} else {
			r.lots[place(x)] = r.lots[place(x)][1:]
		}

		require.Zero(r.t, number(r.t, n.Amount).Cmp(units), x["_id"])
		require.Zero(r.t, number(r.t, n.Cost).Cmp(cost), x["_id"])

		left = new(big.Rat).Sub(left, units)
		out.Sub(out, cost)
	}

	require.Zero(r.t, left.Sign(), "the lots are enough")

	return out
}

// round rounds half to even.
func (r *reader) round(n *big.Rat) *big.Rat {
	scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(r.decimals)), nil))
	scaled := new(big.Rat).Mul(n, scale)
	whole, rest := new(big.Int).QuoRem(new(big.Int).Abs(scaled.Num()), scaled.Denom(), new(big.Int))

	switch twice := new(big.Int).Lsh(rest, 1).Cmp(scaled.Denom()); {
	case twice > 0, twice == 0 && whole.Bit(0) == 1:
		whole.Add(whole, big.NewInt(1))
	}

	if scaled.Sign() < 0 {
		whole.Neg(whole)
	}

	return new(big.Rat).Quo(new(big.Rat).SetInt(whole), scale)
}

// until moves the clocks of the service and of the chain to a time, at which wallets are screened and a token has some
// rates, in ten-thousandths.
func until(t *testing.T, h *apptest.Harness, m *apptest.Market, at time.Time, euros, francs int64) {
	t.Helper()

	by := at.Sub(h.DB().Now())
	before := h.App
	h.Ahead(by)
	h.Stop(before)

	m.Fix("USD", 10_000)
	m.Fix("GBP", 8_000)
	m.Fix("JPY", 1_500_000)
	m.Fix("EUR", euros)
	m.Fix("CHF", francs)

	require.NoError(t, h.World.Chain.AdjustTime(by))
	h.Exec("UPDATE wallets SET screened_at = ?", db.Micros(h.DB().Now())) // screening is for a day
}

// Every value of a book follows from its lines alone, to the cent: the wallet begins with what the chain says, tokens
// are bought, paid away, sold, refused and sent back on days of different rates, and a month ends. A purchase costs
// what was paid for it.
func TestEveryFigureFollowsFromTheExport(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		for _, method := range []string{"FIFO", "AVERAGE"} {
			name := "Ada " + strconv.Itoa(len(method))
			c := h.Client(name)
			c.StaySignedIn()
			c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"homeCurrency": "CHF", "timeZone": "UTC"}).OK(200)
			c.Do("PUT", "/bookkeeping/settings", apptest.Object{
				"costMethod": method, "feesInCost": true, "revalueTokens": true, "revalueCurrencies": true,
			}).OK(200)

			begin := day.Of(h.DB().Now().UTC()).AddDate(0, 0, 1)
			until(t, h, m, begin.Add(2*time.Hour), 9_000, 8_500)
			c.Do("POST", "/bookkeeping/openings", apptest.Object{
				"wallet": c.Wallet, "token": "USDC", "on": begin.Format(time.DateOnly), "reason": "The book begins",
			}).OK(201)
			c.Accepted("USDC", "12.500001")
			h.Settle()

			until(t, h, m, begin.AddDate(0, 0, 1).Add(20*time.Hour), 9_211, 8_713)

			id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
			h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Sender: c.Name(), Reference: reference})
			h.BankUntil("the deposit has bought tokens", func() bool { return c.Read(id).Status == completed })

			sold := c.FiatAccepted(
				"USDC",
				c.FiatPayment(
					c.NewBankAccount("EUR", "100"),
					"900.01",
				),
				c.FiatPayment(c.NewBankAccount("GBP", "002"), "90.00"),
			)
			h.SettleAll()
			c.Ends(sold, completed, transaction.PaymentCompleted, transaction.PaymentRefunded)

			until(t, h, m, begin.AddDate(0, 0, 3).Add(20*time.Hour), 9_377, 8_801)
			h.Control(
				banksim.Control{Op: "late_return", EndToEndID: h.EndToEnd(sold, 0), Reason: "AC04", Amount: "895.00"},
			)
			h.BankUntil("it came back", func() bool {
				return h.Count("SELECT count(*) FROM payout_returns WHERE transaction_id = ?", sold) == 1
			})
			h.SettleAll()
			c.Ends(sold, completed, transaction.PaymentRefunded, transaction.PaymentRefunded)
			c.Accepted("USDC", "33.333333")
			h.Settle()

			next := begin.AddDate(0, 0, 4)
			next = time.Date(next.Year(), next.Month()+1, 2, 20, 0, 0, 0, time.UTC)
			until(t, h, m, next, 9_377, 8_801)

			last := next.AddDate(0, 0, -2)
			for month := begin.AddDate(0, 0, 1-begin.Day()); month.Before(last); month = month.AddDate(0, 1, 0) {
				c.Do(
					"POST",
					"/bookkeeping/periods/"+month.Format("2006-01")+"/close",
					apptest.Object{"reason": "Done"},
				).OK(
					200,
				)
			}

			c.Accepted("USDC", "1.01")
			h.Settle()

			file := c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw
			seen := recompute(t, file, method == "AVERAGE")

			for _, basis := range []string{"RATE", "LOTS", "ACCOUNT", "COUNTER", "JOURNAL", "COST", "REVALUATION"} {
				require.Positive(t, seen[basis], "%s: %v", basis, seen)
			}
		}

		h.Oracle()
	})
}
