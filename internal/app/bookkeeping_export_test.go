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
)

// detailed is what a line of the book says besides its figures.
type detailed struct {
	Kind            string `json:"kind"`
	AccountKind     string `json:"accountKind"`
	Party           string `json:"party"`
	InvoiceNumber   string `json:"invoiceNumber"`
	Reason          string `json:"reason"`
	EndToEndID      string `json:"endToEndId"`
	TransactionHash string `json:"transactionHash"`
	BankReference   string `json:"bankReference"`
}

// exported asks for an export of today.
func exported(h *apptest.Harness, c *apptest.Client, format, more string) apptest.Answer {
	today := h.DB().Now().UTC().Format(time.DateOnly)
	return c.Do("GET", "/bookkeeping/export?from="+today+"&to="+today+"&format="+format+more, nil)
}

// 1. A line names whom it is about and what it is known by outside. 2. Each format has the values of the book's lines,
// by account. 3. The same period gives the same bytes. 4. Nobody gets what is another's. 5. What DATEV does not take is
// refused before the first byte.
func TestBookForOtherPrograms(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		other := h.Client("Bob")

		c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", "000"), "900.01"))
		h.SettleAll()
		c.Accepted("USDC", "12.500001")
		h.Settle()

		lineDetails(t, c)

		for _, format := range []string{"datev", "xero", "quickbooks", "hledger", "beancount"} {
			more := ""
			if format == "datev" {
				more = "&datevAdviser=1001&datevClient=7"
			}

			file := exported(h, c, format, more).OK(200).Raw
			require.Equal(t, file, exported(h, c, format, more).OK(200).Raw, format)
			require.NotEqual(t, file, exported(h, other, format, more).OK(200).Raw, format)
		}

		require.NotContains(t, exported(h, other, "hledger", "").OK(200).Raw, "jrn_")
		require.Equal(
			t,
			valuesOf(t, c),
			datevValues(t, exported(h, c, "datev", "&datevAdviser=1001&datevClient=7").OK(200).Raw),
		)

		exported(h, c, "", "").Refused(422, "REQUIRED", "?format REQUIRED")
		exported(h, c, "sap", "").Refused(422, "NOT_IN_ENUM", "?format NOT_IN_ENUM")
		exported(h, c, "datev", "").
			Refused(422, "VALIDATION", "?datevAdviser OUT_OF_RANGE", "?datevClient OUT_OF_RANGE")
		exported(h, c, "datev", "&datevAdviser=1001&datevClient=7&yearStart=2031-01-01").
			Refused(422, "NOT_ALLOWED", "?to NOT_ALLOWED")
		c.Do("GET", "/bookkeeping/export?format=hledger", nil).
			Refused(422, "VALIDATION", "?from REQUIRED", "?to REQUIRED")

		c.Do("PUT", "/bookkeeping/accounts", apptest.Object{
			"accounts": []apptest.Object{{"kind": "wallet", "number": "11.00", "name": "Wallets"}},
		}).OK(200)
		exported(h, c, "datev", "&datevAdviser=1001&datevClient=7").Refused(409, "BOOKKEEPING_UNFIT")
		exported(h, c, "hledger", "").OK(200)
		h.Oracle()
	})
}

// lineDetails requires that lines name the payee, and what banks and chains know a payment by.
func lineDetails(t *testing.T, c *apptest.Client) {
	t.Helper()

	var p struct {
		Results []detailed `json:"results"`
	}
	c.Do("GET", "/bookkeeping/entries?limit=200", nil).OK(200).Into(&p)

	seen := map[string]bool{}

	for _, l := range p.Results {
		require.NotEmpty(t, l.Reason, "%+v", l)

		switch l.Kind {
		case "booked":
			require.NotEmpty(t, l.Party, "%+v", l)
			require.NotEmpty(t, l.EndToEndID, "%+v", l)
			require.Empty(t, l.TransactionHash, "%+v", l)
		case "final", "pulled":
			require.Regexp(t, "^0x[0-9a-f]{64}$", l.TransactionHash)
			require.Empty(t, l.EndToEndID, "%+v", l)
		case "hold":
			require.Empty(t, l.TransactionHash+l.EndToEndID, "nothing has left yet")
		}

		seen[l.Kind] = true
	}

	require.Subset(t, seen, map[string]bool{"booked": true, "final": true, "pulled": true, "hold": true})
}

// valuesOf returns the values of the book's lines in cents, by account.
func valuesOf(t *testing.T, c *apptest.Client) map[string]string {
	t.Helper()

	sums := map[string]*big.Rat{}

	for _, l := range book(t, c, "") {
		if sums[l.Account] == nil {
			sums[l.Account] = new(big.Rat)
		}

		if l.Debit != nil {
			sums[l.Account].Add(sums[l.Account], number(t, *l.Debit))
		} else {
			sums[l.Account].Sub(sums[l.Account], number(t, *l.Credit))
		}
	}

	return textsOf(sums)
}

func textsOf(sums map[string]*big.Rat) map[string]string {
	out := map[string]string{}

	for account, sum := range sums {
		if sum.Sign() != 0 {
			out[account] = sum.FloatString(2)
		}
	}

	return out
}

func datevValues(t *testing.T, file string) map[string]string {
	t.Helper()

	r := csv.NewReader(strings.NewReader(file))
	r.Comma = ';'
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	require.NoError(t, err)

	sums := map[string]*big.Rat{}
	add := func(account string, value *big.Rat) {
		if sums[account] == nil {
			sums[account] = new(big.Rat)
		}

		sums[account].Add(sums[account], value)
	}

	for _, row := range rows[2:] {
		value := number(t, strings.ReplaceAll(row[0], ",", "."))
		add(row[6], value)
		add(row[7], new(big.Rat).Neg(value))
	}

	return textsOf(sums)
}

// standing is a row of a trial balance.
type standing struct {
	Account     string  `json:"account"`
	AccountKind string  `json:"accountKind"`
	Class       string  `json:"class"`
	Amount      string  `json:"amount"`
	Asset       string  `json:"asset"`
	Debit       *string `json:"debit"`
	Credit      *string `json:"credit"`
	Currency    string  `json:"currency"`
}

func (s standing) value(t *testing.T) *big.Rat {
	t.Helper()

	switch {
	case s.Debit != nil:
		return number(t, *s.Debit)
	case s.Credit != nil:
		return new(big.Rat).Neg(number(t, *s.Credit))
	default:
		return new(big.Rat)
	}
}

func standings(t *testing.T, c *apptest.Client, path string) (out []standing) {
	t.Helper()

	var p struct {
		Results []standing `json:"results"`
	}
	c.Do("GET", path, nil).OK(200).Into(&p)

	byAsset := map[string]*big.Rat{}
	value := new(big.Rat)

	for _, s := range p.Results {
		if byAsset[s.Asset] == nil {
			byAsset[s.Asset] = new(big.Rat)
		}

		byAsset[s.Asset].Add(byAsset[s.Asset], number(t, s.Amount))
		value.Add(value, s.value(t))
	}

	for asset, sum := range byAsset {
		require.Zero(t, sum.Sign(), "%s: %s", asset, sum)
	}

	require.Zero(t, value.Sign(), value)

	return p.Results
}

func amountOn(t *testing.T, of []standing, kind, asset string) *big.Rat {
	t.Helper()

	sum := new(big.Rat)

	for _, s := range of {
		if s.AccountKind == kind && s.Asset == asset {
			sum.Add(sum, number(t, s.Amount))
		}
	}

	return sum
}

// 1. A trial balance sums to zero, in each asset and in value, that of the house too. 2. The house's treasury has
// gained what the chain says, and its bank account has paid what the bank says. 3. Its profit is that of the balance
// sheet. 4. Before there was anything there is nothing. 5. The house's book is its operators', and has every journal.
func TestTrialBalances(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		o := h.Operators()
		usdc := h.World.Tokens[0]
		before := h.Balance(usdc, h.World.Treasury.Address)
		good := c.NewBankAccount("EUR", "000")
		gone := c.NewBankAccount("GBP", "002")

		c.FiatAccepted("USDC", c.FiatPayment(good, "900.01"), c.FiatPayment(gone, "90.00"))
		h.SettleAll()
		c.Accepted("USDC", "12.500001")
		h.Settle()

		own := standings(t, c, "/bookkeeping/balances")
		require.NotEmpty(t, own)
		require.Equal(t, "12.500001", amountOn(t, own, "receiver", "USDC").FloatString(6))
		require.Empty(t, standings(t, c, "/bookkeeping/balances?on=2020-01-01"))
		require.Empty(t, standings(t, h.Client("Bob"), "/bookkeeping/balances"))
		c.Do("GET", "/bookkeeping/balances?on=2026-02-31", nil).Refused(422, "FORMAT_INVALID", "?on FORMAT_INVALID")

		house := standings(t, o.Client, "/operations/books/balances")
		gained := new(big.Int).Sub(h.Balance(usdc, h.World.Treasury.Address), before)
		require.Equal(t, gained.String(),
			new(big.Rat).Mul(amountOn(t, house, "treasury", "USDC"), big.NewRat(1_000_000, 1)).FloatString(0))
		require.Equal(t, "-900.01", amountOn(t, house, "bank", "EUR").FloatString(2))

		var r struct {
			ProfitAndLoss []standing `json:"profitAndLoss"`
			BalanceSheet  []standing `json:"balanceSheet"`
			Profit        string     `json:"profit"`
			CarriedProfit string     `json:"carriedProfit"`
			LeftOut       []string   `json:"leftOut"`
		}
		o.Do("GET", "/operations/books/report", nil).OK(200).Into(&r)
		require.Equal(t, []string{"ETH"}, r.LeftOut, "gas has no rate")

		earned := new(big.Rat)
		for _, s := range r.ProfitAndLoss {
			require.Contains(t, []string{"INCOME", "EXPENSE"}, s.Class)
			earned.Sub(earned, s.value(t))
		}

		stands := new(big.Rat)
		for _, s := range r.BalanceSheet {
			require.Contains(t, []string{"ASSET", "LIABILITY", "EQUITY"}, s.Class)
			stands.Add(stands, s.value(t))
		}

		require.Positive(t, earned.Sign())
		require.Equal(t, r.Profit, earned.FloatString(2))
		require.Equal(t, r.CarriedProfit, stands.FloatString(2))
		o.Do("GET", "/operations/books/report?from=2030-01-01&on=2020-01-01", nil).
			Refused(422, "NOT_ALLOWED", "?on NOT_ALLOWED")

		require.NotContains(t, c.Do("GET", "/bookkeeping/entries", nil, asCSV).OK(200).Raw, "treasury")
		require.Contains(t, o.Do("GET", "/operations/books/entries", nil, asCSV).OK(200).Raw, ",treasury,")
		c.Do("GET", "/operations/books/balances", nil).Refused(403, "ROLE_REQUIRED")
		h.Oracle()
	})
}
