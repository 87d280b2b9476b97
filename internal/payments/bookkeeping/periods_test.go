package bookkeeping_test

import (
	"context"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/payments/bookkeeping"
	"slipway/internal/payments/dayrate"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/standards/ecb"
)

// press publishes the rates that a test says.
type press struct{ days []ecb.Day }

func (p *press) Name() string { return "press" }

func (p *press) Days(context.Context) ([]ecb.Day, error) { return p.days, nil }

func (p *press) publish(d time.Time, dollars string) {
	rate, _ := new(big.Rat).SetString(dollars)
	p.days = append([]ecb.Day{{Date: d, Rates: map[string]*big.Rat{"USD": rate, "CHF": big.NewRat(15, 16)}}}, p.days...)
}

// desk is an organisation with a book.
type desk struct {
	*identitytest.World

	books      *bookkeeping.Service
	press      *press
	org, token string
}

// eachDesk runs a test on each database, in December 2031. The home currency is the operator's, EUR, and days are in
// UTC.
func eachDesk(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()

	dbtest.Each(t, func(t *testing.T, database *db.DB) {
		out := &desk{press: &press{}}
		nothing := func(context.Context, db.Querier, []string) (map[string]string, error) { return nil, nil }

		out.World = identitytest.NewWith(t, database, func(*auth.Config) {}, func(w *identitytest.World) {
			out.books = bookkeeping.New(bookkeeping.Deps{
				DB:        w.DB,
				Rates:     dayrate.New(w.DB, out.press),
				Approvals: w.Approvals,
				Currency:  "EUR",
				Outside:   bookkeeping.Outside{Hashes: nothing, EndToEnd: nothing, References: nothing},
			})
			out.books.Routes(w.API)
		})

		out.until(december.AddDate(0, 0, 14).Add(12 * time.Hour))

		out.org = out.Organisation(out.Someone("ada@example.org").Access)
		out.token = out.Login("ada@example.org").Access
		out.Do("PATCH", "/organisations/"+out.org, out.token, `{"timeZone":"UTC"}`).OK(200)

		test(t, out)
	})
}

var december = time.Date(2031, 12, 1, 0, 0, 0, 0, time.UTC)

// until moves the clock to a time and signs Ada in again.
func (d *desk) until(at time.Time) {
	d.DB.Clock().Advance(at.Sub(d.DB.Now()))

	if d.org != "" {
		d.token = d.Login("ada@example.org").Access
	}
}

// moved posts that tokens were set aside.
func (d *desk) moved(key, amount string, days ledger.Days) {
	d.T.Helper()
	d.movedIn("USDC", key, amount, days)
}

func (d *desk) movedIn(token, key, amount string, days ledger.Days) {
	d.T.Helper()

	a, err := money.Parse(money.Asset{Code: token, Decimals: 6}, amount)
	require.NoError(d.T, err)
	d.post(key, a, days)
}

// got posts that tokens came into the wallet.
func (d *desk) got(key, amount string, days ledger.Days) {
	d.T.Helper()

	a, err := money.Parse(money.Asset{Code: "USDC", Decimals: 6}, amount)
	require.NoError(d.T, err)
	d.post(key, a.Neg(), days)
}

func (d *desk) post(key string, a money.Amount, days ledger.Days) {
	d.T.Helper()

	require.NoError(d.T, d.DB.Write(d.T.Context(), func(tx *db.Tx) error {
		return ledger.Post(tx, ledger.Journal{
			Key:          key,
			Kind:         "hold",
			Organisation: d.org,
			Days:         days,
			Postings: []ledger.Posting{
				{Account: ledger.WalletAccount("net_1", "0xAB"), Amount: a.Neg()},
				{Account: ledger.HoldAccount("net_1", d.org), Amount: a},
			},
		})
	}))
}

func (d *desk) entries(query string) []map[string]any {
	d.T.Helper()

	return d.Do("GET", "/bookkeeping/entries?limit=100&"+query, d.token, "").OK(200).Results()
}

func (d *desk) decide(month, word string) identitytest.Answer {
	return d.Do("POST", "/bookkeeping/periods/"+month+"/"+word, d.token, `{"reason":"Reviewed"}`)
}

const inDecember = "from=2031-12-01&to=2031-12-31"

// A closed month has the same bytes after everything that comes later: rates, another table of accounts, another home
// currency, another time zone, and what a bank reports late. That counts on the first open day.
func TestAClosedMonthKeepsItsBytes(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.press.publish(december.AddDate(0, 0, 14), "1.25")
		d.moved("first", "100", ledger.Days{})

		d.until(december.AddDate(0, 0, 30).Add(20 * time.Hour))
		d.press.publish(december.AddDate(0, 0, 29), "1.20")
		d.moved("last", "90", ledger.Days{})

		d.until(december.AddDate(0, 1, 1).Add(10 * time.Hour))
		d.moved("next", "80", ledger.Days{})

		open := d.entries(inDecember)
		require.Len(t, open, 4)
		require.Equal(t, false, open[0]["isClosed"])
		require.Equal(t, false, open[0]["isProvisional"], "its day has its own rates")
		require.Equal(t, true, open[2]["isProvisional"], "those of the day may come")

		require.Equal(t, "CLOSED", d.decide("2031-12", "close").OK(200).Text("state"))

		before := d.Do("GET", "/bookkeeping/entries?"+inDecember, d.token, "").OK(200).Raw
		require.Equal(t, 4, strings.Count(before, `"isClosed":true`))
		require.Contains(t, before, `"75.00"`, "90 USDC at 1.20")

		d.press.publish(december.AddDate(0, 0, 30), "1.50")
		d.until(december.AddDate(0, 1, 4).Add(20 * time.Hour))
		d.press.publish(december.AddDate(0, 1, 1), "1.60")
		d.Do(
			"PUT",
			"/bookkeeping/accounts",
			d.token,
			`{"accounts":[{"kind":"wallet","number":"1371","name":"W"}]}`,
		).OK(
			200,
		)
		d.Do("PATCH", "/organisations/"+d.org, d.token, `{"homeCurrency":"CHF","timeZone":"Asia/Tokyo"}`).OK(200)
		d.moved("late", "70", ledger.OfBank(december.AddDate(0, 0, 30), december.AddDate(0, 0, 30)))

		require.Equal(t, before, d.Do("GET", "/bookkeeping/entries?"+inDecember, d.token, "").OK(200).Raw)

		january := d.entries("from=2032-01-01")
		require.Len(t, january, 4)
		require.Equal(t, "2032-01-02", january[0]["date"])
		require.Equal(t, "2032-01-01", january[2]["date"], "the first open day")
		require.Equal(t, "2031-12-31", january[2]["bookedOn"])

		for _, l := range january {
			require.Equal(t, "CHF", l["currency"])
			require.Equal(t, false, l["isClosed"])
		}

		require.Equal(t, "1371", january[0]["account"])
		require.Len(t, d.entries(""), 8, "no line is lost, and none is there twice")

		d.decide("2031-12", "reopen").OK(200)

		again := d.entries(inDecember)
		require.Len(t, again, 4, "the last line of the month is January's in Tokyo, and the late one is December's")
		require.Equal(t, "2031-12-31", again[2]["date"])
		require.Equal(t, "CHF", again[0]["currency"])
	})
}

// 1. What tokens have cost in a closed month stays as it was, whatever the settings are later. 2. The lots that a month
// leaves go on in the next one, in another home currency too. 3. A month that is opened again has the present settings.
func TestAClosedMonthKeepsItsCosts(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		set := func(method string) {
			d.Do("PUT", "/bookkeeping/settings", d.token, `{"costMethod":"`+method+
				`","feesInCost":true,"revalueTokens":false,"revalueCurrencies":false}`).OK(200)
		}
		d.Do("PUT", "/bookkeeping/settings", d.token,
			`{"costMethod":"LIFO","feesInCost":true,"revalueTokens":false,"revalueCurrencies":false}`).
			Refused(422, "NOT_IN_ENUM", "/costMethod NOT_IN_ENUM")
		require.Equal(t, "FIFO", d.Do("GET", "/bookkeeping/settings", d.token, "").OK(200).Text("costMethod"))

		d.press.publish(december.AddDate(0, 0, 2), "2.00")
		d.press.publish(december.AddDate(0, 0, 9), "1.60")
		d.press.publish(december.AddDate(0, 0, 15), "1.25")

		bank := func(n int) ledger.Days { on := december.AddDate(0, 0, n); return ledger.OfBank(on, on) }
		d.got("second", "100", bank(9)) // 62.50
		d.moved("pays", "50", bank(15))
		d.got("first", "100", bank(2)) // 50.00, and posted later

		cost := func(query string) (out []any) {
			for _, l := range d.entries(query) {
				if l["accountKind"] == "wallet" && l["credit"] != nil {
					out = append(out, l["credit"], l["valuedBy"])
				}
			}

			return out
		}
		require.Equal(t, []any{"31.25", "LOTS"}, cost(inDecember), "in the order of posting")

		d.press.publish(december.AddDate(0, 0, 30), "1.25")
		d.until(december.AddDate(0, 1, 2))
		d.decide("2031-12", "close").OK(200)

		before := d.Do("GET", "/bookkeeping/entries?"+inDecember, d.token, "").OK(200).Raw

		require.Equal(t, []any{"31.25", "LOTS"}, cost(inDecember))

		set("AVERAGE")
		d.moved("next", "50", ledger.Days{})
		d.moved("late", "30", bank(3))
		require.Equal(t, before, d.Do("GET", "/bookkeeping/entries?"+inDecember, d.token, "").OK(200).Raw)

		inJanuary := "from=2032-01-01&to=2032-01-31"
		require.Equal(t, []any{"31.25", "LOTS", "15.00", "LOTS"}, cost(inJanuary), "the oldest lot was there before")

		d.Do("PATCH", "/organisations/"+d.org, d.token, `{"homeCurrency":"CHF"}`).OK(200)
		require.Equal(t, "29.30", cost(inJanuary)[0], "31.25 at 15/16 francs a euro")
		require.Equal(t, before, d.Do("GET", "/bookkeeping/entries?"+inDecember, d.token, "").OK(200).Raw)
		d.Do("PATCH", "/organisations/"+d.org, d.token, `{"homeCurrency":"EUR"}`).OK(200)

		d.decide("2031-12", "reopen").OK(200)
		require.Equal(t, "31.25", cost(inDecember)[0])
		require.Len(t, cost(inDecember), 4, "what came late is December's")
	})
}

// 1. Closing a month values money in a foreign currency at the rate of its last day, and reverses that on the first of
// the next one. 2. Tokens are valued if the organisation wants that. 3. A month that is opened again has the values of
// its lines, and one that is closed again is valued anew. 4. Each journal sums to zero.
func TestAMonthEndsAtItsRates(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.Do("PATCH", "/organisations/"+d.org, d.token, `{"homeCurrency":"CHF"}`).OK(200)

		rate := func(n int, francs, dollars int64) {
			d.press.days = append([]ecb.Day{{Date: december.AddDate(0, 0, n), Rates: map[string]*big.Rat{
				"CHF": big.NewRat(francs, 100),
				"USD": big.NewRat(dollars, 100),
			}}}, d.press.days...)
		}
		rate(14, 90, 120)
		d.got("lot", "100", ledger.Days{}) // 75.00
		euros, err := money.Parse(money.Asset{Code: "EUR", Decimals: 2}, "100.00")
		require.NoError(t, err)
		require.NoError(t, d.DB.Write(t.Context(), func(tx *db.Tx) error {
			return ledger.Post(tx, ledger.Journal{
				Key:          "entry/ent_1",
				Kind:         "deposit",
				Organisation: d.org,
				Postings: []ledger.Posting{
					{Account: ledger.SuspenseAccount("EUR", d.org), Amount: euros, Memo: "eur/ent_1"},
					{Account: ledger.SenderAccount("EUR"), Amount: euros.Neg(), Memo: "eur/ent_1"},
				},
			})
		}))
		rate(30, 96, 120)
		d.until(december.AddDate(0, 1, 2))

		stands := func(on string) map[string]string {
			out := map[string]string{}

			for _, b := range d.Do("GET", "/bookkeeping/balances?on="+on, d.token, "").OK(200).Results() {
				for side, sign := range map[string]string{"debit": "", "credit": "-"} {
					if v, ok := b[side].(string); ok {
						out[b["accountKind"].(string)] = sign + v
					}
				}
			}

			return out
		}

		const last, next = "2031-12-31", "2032-01-01"

		require.Equal(t, "90.00", stands(last)["suspense"])

		d.decide("2031-12", "close").OK(200)
		require.Equal(t, "96.00", stands(last)["suspense"])
		require.Equal(t, "-6.00", stands(last)["unrealised"])
		require.Equal(t, "-90.00", stands(last)["sender"], "what was paid is paid")
		require.Equal(t, "75.00", stands(last)["wallet"], "tokens stay at cost")
		require.Equal(t, "90.00", stands(next)["suspense"])
		require.NotContains(t, stands(next), "unrealised")

		before := d.Do("GET", "/bookkeeping/entries?"+inDecember, d.token, "").OK(200).Raw

		d.decide("2031-12", "reopen").OK(200)
		require.Equal(t, "90.00", stands(last)["suspense"])
		require.Equal(t, "90.00", stands(next)["suspense"])

		d.Do("PUT", "/bookkeeping/settings", d.token,
			`{"costMethod":"FIFO","feesInCost":true,"revalueTokens":true,"revalueCurrencies":false}`).OK(200)
		d.decide("2031-12", "close").OK(200)
		require.Equal(t, "90.00", stands(last)["suspense"])
		require.Equal(t, "80.00", stands(last)["wallet"])
		require.Equal(t, "75.00", stands(next)["wallet"])
		require.NotEqual(t, before, d.Do("GET", "/bookkeeping/entries?"+inDecember, d.token, "").OK(200).Raw)

		sums := map[string]*big.Rat{}

		for _, l := range d.entries("") {
			at := l["journal"].(string)
			if sums[at] == nil {
				sums[at] = new(big.Rat)
			}

			for side, sign := range map[string]int64{"debit": 1, "credit": -1} {
				if text, ok := l[side].(string); ok {
					v, _ := new(big.Rat).SetString(text)
					sums[at].Add(sums[at], v.Mul(v, big.NewRat(sign, 1)))
				}
			}
		}

		for at, sum := range sums {
			require.Zero(t, sum.Sign(), at)
		}
	})
}

// What is booked while an export is written, and cannot stand in its file, ends the file instead of the service.
func TestAnExportEndsAtWhatCannotBeWritten(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.press.publish(december.AddDate(0, 0, 14), "1.25")
		d.moved("first", "100", ledger.Days{})

		ctx := caller.With(t.Context(), caller.Principal{Organisation: d.org})

		var writes []func(io.Writer) error

		for _, format := range []bookkeeping.Format{bookkeeping.DATEV, bookkeeping.Xero, bookkeeping.Hledger} {
			write, err := d.books.Export(ctx, bookkeeping.Order{
				Format:    format,
				From:      december,
				To:        december.AddDate(0, 0, 30),
				Adviser:   1001,
				Client:    7,
				YearStart: december.AddDate(0, -11, 0),
			})
			require.NoError(t, err)
			require.NoError(t, write(io.Discard))

			writes = append(writes, write)
		}

		d.movedIn("WETH", "second", "1", ledger.Days{})

		for _, write := range writes {
			require.ErrorContains(t, write(io.Discard), "no reference rate of WETH")
		}
	})
}

// Months are closed one after the other once they are over, and reopened from the last one back, by an admin who says
// why.
func TestMonthsAreClosedInOrder(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.decide("2031-11", "close").Refused(409, "PERIOD_OUT_OF_ORDER")

		d.moved("first", "100", ledger.Days{})
		d.decide("2031-12", "close").Refused(409, "PERIOD_NOT_OVER")
		d.decide("2031-12", "reopen").Refused(409, "PERIOD_OUT_OF_ORDER")
		d.decide("2031-13", "close").Refused(422, "FORMAT_INVALID")

		d.until(december.AddDate(0, 2, 0))
		d.decide("2032-01", "close").Refused(409, "PERIOD_OUT_OF_ORDER")
		d.Do(
			"POST",
			"/bookkeeping/periods/2031-12/close",
			d.token,
			`{"reason":" "}`,
		).Refused(
			422,
			"REQUIRED",
			"/reason REQUIRED",
		)

		d.decide("2031-12", "close").OK(200)
		d.decide("2031-12", "close").Refused(409, "PERIOD_OUT_OF_ORDER")
		d.decide("2032-01", "close").OK(200)
		d.decide("2031-12", "reopen").Refused(409, "PERIOD_OUT_OF_ORDER")

		raw := d.Do("GET", "/bookkeeping/periods", d.token, "").OK(200).Raw
		require.Equal(t, 2, strings.Count(raw, `"state":"CLOSED"`))
		require.Equal(t, 1, strings.Count(raw, `"next":"REOPEN"`))
		require.Less(t, strings.Index(raw, "2032-02"), strings.Index(raw, `"2032-01"`), "newest first")

		d.decide("2032-01", "reopen").OK(200)
		d.decide("2031-12", "reopen").OK(200)

		log := d.Do("GET", "/audit-log", d.token, "").OK(200).Raw
		require.Contains(t, log, "bookkeeping.closed")
		require.Contains(t, log, "bookkeeping.reopened")
		require.Contains(t, log, "Reviewed")

		viewer, _ := d.Member(d.token, d.org, "vic@example.org", `"viewer"`)
		d.Do(
			"POST",
			"/bookkeeping/periods/2031-12/close",
			viewer.Access,
			`{"reason":"x"}`,
		).Refused(
			403,
			"ROLE_REQUIRED",
		)
	})
}

// Under a policy of the organisation, a month is closed by two admins: one asks, another one approves.
func TestUnderAPolicyTwoCloseAMonth(t *testing.T) {
	eachDesk(t, func(t *testing.T, d *desk) {
		d.moved("first", "100", ledger.Days{})
		d.Member(d.token, d.org, "bob@example.org", `"admin"`)
		d.until(december.AddDate(0, 1, 0))
		d.Do("PUT", "/organisations/"+d.org+"/approval-policy", d.token,
			`{"fourEyes":true,"payeeApproval":false}`).OK(200)

		asked := d.decide("2031-12", "close").OK(200)
		require.Equal(t, "OPEN", asked.Text("state"))

		approval := "/approvals/" + asked.Text("pendingApproval") + "/approve"
		d.Do("POST", approval, d.token, `{}`).Refused(403, "SECOND_PERSON_REQUIRED")

		require.Contains(t, d.Do("GET", "/bookkeeping/periods", d.token, "").OK(200).Raw, `"state":"OPEN"`)

		bob := d.Login("bob@example.org").Access
		d.Do("POST", approval, bob, `{}`).OK(200)
		require.Contains(t, d.Do("GET", "/bookkeeping/periods", d.token, "").OK(200).Raw, `"state":"CLOSED"`)
	})
}
