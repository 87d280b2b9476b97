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
	"slipway/internal/core/day"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/standards/iso20022/isotest"
)

var asCSV = apptest.Header{Name: "Accept", Value: "text/csv"}

// bookLine is what of a line of the book the tests look at.
type bookLine struct {
	ID          string `json:"_id"`
	Journal     string `json:"journal"`
	Date        string `json:"date"`
	BookedOn    string `json:"bookedOn"`
	BookedAt    string `json:"bookedAt"`
	Event       string `json:"event"`
	Transaction string `json:"transaction"`
	Account     string `json:"account"`
	AccountKind string `json:"accountKind"`
	Place       string `json:"place"`
	TaxCode     string `json:"taxCode"`

	ReceiverType string `json:"receiverType"`

	Debit    *string `json:"debit"`
	Credit   *string `json:"credit"`
	Currency string  `json:"currency"`
	Amount   string  `json:"amount"`
	Asset    string  `json:"asset"`
	Rate     *string `json:"rate"`
	RateDate *string `json:"rateDate"`
}

type bookPage struct {
	Results    []bookLine `json:"results"`
	Total      int        `json:"total"`
	NextCursor *string    `json:"nextCursor"`
}

// book reads every line by cursor, a few on a page, so that pages end within journals.
func book(t *testing.T, c *apptest.Client, query string) (out []bookLine) {
	t.Helper()

	cursor := ""

	for {
		var p bookPage
		c.Do("GET", "/bookkeeping/entries?limit=3"+query+cursor, nil).OK(200).Into(&p)
		out = append(out, p.Results...)

		if p.NextCursor == nil {
			require.Len(t, out, p.Total)
			return out
		}

		cursor = "&cursor=" + *p.NextCursor
	}
}

func number(t *testing.T, s string) *big.Rat {
	t.Helper()

	if s == "" {
		return new(big.Rat)
	}

	r, ok := new(big.Rat).SetString(s)
	require.True(t, ok, s)

	return r
}

// 1. The lines of each journal sum to zero, in the asset and in the home currency. 2. No line is the house's. 3. CSV
// has the same lines as the list. 4. camt.053 is valid, and its balances and entries add up. 5. Nobody reads another's
// book.
func TestBookOfAnOrganisation(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		good := c.NewBankAccount("EUR", "000")
		gone := c.NewBankAccount("GBP", "002")

		id := c.FiatAccepted("USDC", c.FiatPayment(good, "900.01"), c.FiatPayment(gone, "90.00"))
		h.SettleAll()
		c.Accepted("USDC", "12.500001")
		h.Settle()

		lines := book(t, c, "")
		require.NotEmpty(t, lines)

		sums := map[string]*big.Rat{}
		add := func(key string, n *big.Rat) {
			if sums[key] == nil {
				sums[key] = new(big.Rat)
			}

			sums[key].Add(sums[key], n)
		}

		for i, l := range lines {
			require.Equal(t, "EUR", l.Currency, "the operator's, as long as the organisation has set none")
			require.Equal(t, l.Rate == nil, l.RateDate == nil, "%v", l)

			if l.Rate != nil {
				require.LessOrEqual(t, *l.RateDate, l.Date)
			}

			require.NotRegexp(t, `^(treasury|bank|position|gas|expense|equity)`, l.AccountKind)
			require.True(t, (l.Debit == nil) != (l.Credit == nil), "one side: %v", l)

			if i > 0 {
				require.Less(t, lines[i-1].Journal, l.Journal+"~", "in the order of booking")
			}

			add(l.Journal+l.Asset, number(t, l.Amount))

			if l.Debit != nil {
				add(l.Journal+l.Asset+"EUR", number(t, *l.Debit))
			} else {
				add(l.Journal+l.Asset+"EUR", new(big.Rat).Neg(number(t, *l.Credit)))
			}
		}

		for key, sum := range sums {
			require.Zero(t, sum.Sign(), "%s is %s", key, sum)
		}

		zeroAtHome(t, lines)

		file := c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw
		all, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		require.NoError(t, err)
		require.Len(t, all, len(lines)+1)
		header := []string{"_id", "journal", "date", "bookedOn", "valueOn", "bookedAt", "event", "kind", "transaction"}
		require.Equal(t, header, all[0][:9])

		for i, l := range lines {
			require.Equal(t, []string{l.ID, l.Journal, l.Date}, all[i+1][:3])
		}

		today := h.DB().Now().UTC().Format(time.DateOnly)
		require.Len(t, book(t, c, "&from="+today+"&to="+today), len(lines))
		require.Empty(t, book(t, c, "&to=2020-01-01"))
		c.Do("GET", "/bookkeeping/entries?from="+today+"&to=2020-01-01", nil).Refused(422, "NOT_ALLOWED")
		c.Do("GET", "/bookkeeping/entries?from=2026-02-31", nil).Refused(422, "FORMAT_INVALID")
		c.Do("GET", "/bookkeeping/entries?cursor=djE6eA", nil).Refused(422, "CURSOR_INVALID")

		statement := c.Do("GET", "/bookkeeping/statement?from="+today+"&to="+today, nil).OK(200)
		require.Equal(t, "application/xml", statement.Header.Get("Content-Type"))
		isotest.Valid(t, "camt.053.001.08.xsd", []byte(statement.Raw))
		adds(t, statement.Raw)
		require.Regexp(t, `<MsgId>SLW[0-9a-f]{32}</MsgId>`, statement.Raw)
		require.Contains(t, statement.Raw, "<ElctrncSeqNb>"+strings.ReplaceAll(today, "-", "")+"</ElctrncSeqNb>")
		require.Regexp(
			t,
			`Opening balance 0.00 USDC, closing balance -[0-9.]+ USDC, of what went through`,
			statement.Raw,
		)

		require.Empty(t, book(t, other, ""))
		other.Do("GET", "/bookkeeping/statement?from="+today+"&to="+today, nil).Refused(409, "BOOKKEEPING_EMPTY")
		require.NotContains(t, other.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw, id)

		mapped(t, c, other)
		h.Oracle()
	})
}

// zeroAtHome requires that what is zero in its asset is zero in the home currency, of each place of each account.
func zeroAtHome(t *testing.T, lines []bookLine) {
	t.Helper()

	amounts := map[string]*big.Rat{}
	values := map[string]*big.Rat{}
	kinds := map[string]string{}

	for _, l := range lines {
		at := l.AccountKind + " " + l.Place + " " + l.Asset
		if amounts[at] == nil {
			amounts[at] = new(big.Rat)
			values[at] = new(big.Rat)
			kinds[at] = l.AccountKind
		}

		amounts[at].Add(amounts[at], number(t, l.Amount))

		if l.Debit != nil {
			values[at].Add(values[at], number(t, *l.Debit))
		} else {
			values[at].Sub(values[at], number(t, *l.Credit))
		}
	}

	zero := 0

	for at, a := range amounts {
		if a.Sign() == 0 && kinds[at] != "wallet" && kinds[at] != "difference" && kinds[at] != "cost" {
			require.Zero(t, values[at].Sign(), "%s is zero and has %s", at, values[at].FloatString(2))

			zero++
		}
	}

	require.Positive(t, zero)
}

// What was paid on one day and comes back on another, without what banks keep of it, leaves nothing on any account that
// is zero, in a book of another currency than the payment's. What was asked for page by page is the same.
func TestAReturnOfAnotherDayLeavesNothing(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		c.StaySignedIn()
		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"homeCurrency": "CHF"}).OK(200)

		id := c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "100"), "900.01"))
		h.SettleAll()
		c.Ends(id, completed, transaction.PaymentCompleted)

		m.Fix("EUR", 9_500)
		h.Ahead(48 * time.Hour)
		h.Control(banksim.Control{
			Op:         "late_return",
			EndToEndID: h.EndToEnd(id, 0),
			Reason:     "AC04",
			Amount:     "895.00",
		})
		h.BankUntil("it came back", func() bool {
			return h.Count("SELECT count(*) FROM payout_returns WHERE transaction_id = ?", id) == 1
		})
		h.SettleAll()
		c.Ends(id, completed, transaction.PaymentRefunded)

		lines := book(t, c, "")

		days := map[string]bool{}
		for _, l := range lines {
			days[l.Date] = true
		}

		require.Greater(t, len(days), 1)
		zeroAtHome(t, lines)
		h.Oracle()
	})
}

// What is accepted is reserved in the wallet and debited once it is final on the chain, so until then it stands in no
// statement of the wallet.
func TestAStatementHasNoReservedAmounts(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.Accepted("USDC", "5.00")
		h.Settle()

		today := h.DB().Now().UTC().Format(time.DateOnly)
		path := "/bookkeeping/statement?from=" + today + "&to=" + today
		before := strings.Count(c.Do("GET", path, nil).OK(200).Raw, "<Ntry>")
		require.Equal(t, 1, before)

		id := c.Accepted("USDC", "7.00")
		require.Equal(t, before, strings.Count(c.Do("GET", path, nil).OK(200).Raw, "<Ntry>"), "it is only reserved")

		h.Settle()
		c.Ends(id, completed)
		require.Equal(t, before+1, strings.Count(c.Do("GET", path, nil).OK(200).Raw, "<Ntry>"))
		h.Oracle()
	})
}

// mapped sets the table of accounts and the home currency.
func mapped(t *testing.T, c, other *apptest.Client) {
	t.Helper()

	set := func(kind, number, name string) apptest.Object {
		return apptest.Object{"accounts": []apptest.Object{{"kind": kind, "number": number, "name": name}}}
	}

	c.Do(
		"PUT",
		"/bookkeeping/accounts",
		set("purse", "1", "x"),
	).Refused(
		422,
		"NOT_IN_ENUM",
		"/accounts/0/kind NOT_IN_ENUM",
	)
	c.Do(
		"PUT",
		"/bookkeeping/accounts",
		set("wallet", "=1", "x"),
	).Refused(
		422,
		"FORMAT_INVALID",
		"/accounts/0/number FORMAT_INVALID",
	)
	c.Do("PUT", "/bookkeeping/accounts", set("wallet", "1371", "Token wallets")).OK(200)

	finer(t, c)

	found := 0

	for _, l := range book(t, c, "") {
		if l.AccountKind == "wallet" {
			require.Equal(t, "1371", l.Account)

			found++
		} else {
			require.NotEqual(t, "1371", l.Account)
		}
	}

	require.Positive(t, found)
	require.NotContains(t, other.Do("GET", "/bookkeeping/accounts", nil).OK(200).Raw, "1371")
	c.Do("PUT", "/bookkeeping/accounts", apptest.Object{"accounts": []apptest.Object{}}).OK(200)
	require.NotContains(t, c.Do("GET", "/bookkeeping/accounts", nil).OK(200).Raw, "1371", "the proposed ones again")

	path := "/organisations/" + c.Org
	c.Do(
		"PATCH",
		path,
		apptest.Object{"homeCurrency": "XXX"},
	).Refused(
		422,
		"CURRENCY_UNKNOWN",
		"/homeCurrency CURRENCY_UNKNOWN",
	)
	c.Do("PATCH", path, apptest.Object{"vatId": "123"}).Refused(422, "FORMAT_INVALID", "/vatId FORMAT_INVALID")

	change := apptest.Object{"homeCurrency": "CHF", "vatId": "de 123456789", "taxId": "12/345"}
	got := c.Do("PATCH", path, change).OK(200).Raw
	require.Contains(t, got, `"homeCurrency":"CHF"`)
	require.Contains(t, got, `"vatId":"DE123456789"`)
	require.Contains(t, got, `"taxId":"12/345"`)

	for _, l := range book(t, c, "") {
		require.Equal(t, "CHF", l.Currency)
	}
}

// finer sets a rule for one asset, which wins over that of its kind, and takes it away again.
func finer(t *testing.T, c *apptest.Client) {
	t.Helper()

	kind := apptest.Object{"kind": "wallet", "number": "1371", "name": "Token wallets"}
	rule := apptest.Object{
		"kind":       "wallet",
		"asset":      "USDC",
		"number":     "1372",
		"name":       "Dollars",
		"taxCode":    "9",
		"costCentre": "4711",
	}
	set := func(accounts ...apptest.Object) apptest.Answer {
		return c.Do("PUT", "/bookkeeping/accounts", apptest.Object{"accounts": accounts})
	}

	set(rule, rule).Refused(422, "NOT_ALLOWED", "/accounts/1/kind NOT_ALLOWED")
	set(apptest.Object{"kind": "wallet", "asset": "XYZ", "number": "1", "name": "x"}).
		Refused(422, "NOT_IN_ENUM", "/accounts/0/asset NOT_IN_ENUM")
	require.Contains(t, set(kind, rule).OK(200).Raw, `"_id":"wallet:USDC:"`)
	require.Contains(t, c.Do("GET", "/bookkeeping/accounts", nil).OK(200).Raw, `"taxCode":"9"`)

	file := c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw
	require.Contains(t, file, ",1372,Dollars,wallet,")
	require.NotContains(t, file, ",1371,")
	require.Contains(t, file, "4711")
	set(kind).OK(200)
}

// adds requires of each statement that its opening balance and its entries add up to its closing balance.
func adds(t *testing.T, message string) {
	t.Helper()

	statements := strings.Split(message, "<Stmt>")[1:]
	require.NotEmpty(t, statements)

	amount := func(part string) *big.Rat {
		_, rest, _ := strings.Cut(part, "<Amt Ccy=\"EUR\">")
		text, _, _ := strings.Cut(rest, "</Amt>")
		n := number(t, text)

		if strings.Contains(part[:strings.Index(part, "</CdtDbtInd>")], "DBIT") {
			n.Neg(n)
		}

		return n
	}

	for _, s := range statements {
		balances := strings.Split(s, "<Bal>")
		require.Len(t, balances, 3)

		entries := strings.Split(s, "<Ntry>")[1:]
		require.NotEmpty(t, entries)

		sum := amount(balances[1])
		for _, e := range entries {
			sum.Add(sum, amount(e))
		}

		require.Zero(t, sum.Cmp(amount(balances[2])), s)
	}
}

// A deposit that the bank has booked on one day and reports on the next one counts on the first. What has no day of a
// bank counts on the day that its moment has in the organisation's time zone.
func TestBookCountsByTheDayOfTheBank(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		today := day.Of(h.DB().Now().UTC())
		tomorrow := today.AddDate(0, 0, 1)
		h.DB().Clock().Advance(tomorrow.Add(-time.Minute).Sub(h.DB().Now()))

		c := h.Client("Ada")
		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"timeZone": "Europe/Atlantis"}).
			Refused(422, "FORMAT_INVALID", "/timeZone FORMAT_INVALID")
		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"timeZone": "UTC"}).OK(200)

		_, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
		h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Reference: reference, Sender: c.Name()})
		h.DB().Clock().Advance(2 * time.Minute)
		h.BankUntil(
			"the deposit has bought tokens",
			func() bool { return h.Count("SELECT count(*) FROM transactions WHERE status = 'COMPLETED'") == 1 },
		)

		old := today.Format(time.DateOnly)
		lines := book(t, c, "&to="+old)
		deposits := 0

		for _, l := range lines {
			require.Equal(t, old, l.Date)
			require.Equal(t, old, l.BookedOn)
			require.Equal(t, tomorrow.Format(time.DateOnly), l.BookedAt[:10], "when it was posted")

			if l.Event == "Deposit received" {
				deposits++
			}
		}

		require.Equal(t, 2, deposits)

		after := book(t, c, "&from="+tomorrow.Format(time.DateOnly))
		require.NotEmpty(t, after)
		require.Len(t, book(t, c, ""), len(lines)+len(after))

		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"timeZone": "America/New_York"}).OK(200)
		require.Len(t, book(t, c, "&to="+old), len(lines)+len(after), "there it is still the day before")
		h.Oracle()
	})
}

// 1. No two organisations, and no two periods, have messages or statements of the same identification. 2. The same
// period has it again. 3. A later statement has a higher number.
func TestStatementsAreTold(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		today := h.DB().Now().UTC()
		ids := map[string]bool{}

		read := func(c *apptest.Client, to time.Time) (id, number string) {
			path := "/bookkeeping/statement?from=" + today.Format(time.DateOnly) + "&to=" + to.Format(time.DateOnly)
			raw := c.Do("GET", path, nil).OK(200).Raw
			isotest.Valid(t, "camt.053.001.08.xsd", []byte(raw))

			id = between(raw, "<MsgId>", "</MsgId>")
			require.NotEqual(t, id, between(raw, "<Stmt><Id>", "</Id>"))

			return id, between(raw, "<ElctrncSeqNb>", "</ElctrncSeqNb>")
		}

		for _, name := range []string{"Ada", "Bob"} {
			c := h.Client(name)
			c.Accepted("USDC", "1.00")
			h.Settle()

			id, number := read(c, today)
			again, _ := read(c, today)
			later, higher := read(c, today.AddDate(0, 0, 1))

			require.Equal(t, id, again)
			require.NotEqual(t, id, later)
			require.Less(t, number, higher)
			require.False(t, ids[id])

			ids[id] = true
		}
	})
}

func between(text, from, to string) string {
	_, rest, _ := strings.Cut(text, from)
	found, _, _ := strings.Cut(rest, to)

	return found
}
