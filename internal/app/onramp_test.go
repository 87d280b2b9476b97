//go:build !nosandbox

package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/standards/creditorref"
)

func onrampBody(c *apptest.Client, amount, currency string) object {
	return object{
		"type":           "ONRAMP",
		"token":          "USDC",
		"walletAddress":  c.Payer.Address.Hex(),
		"amountCurrency": currency,
		"payments":       []object{{"type": "ONRAMP", "receiver": c.Self, "amount": amount}},
	}
}

// details are what a depositor is told.
type details struct {
	IBAN              string `json:"iban"`
	CurrencyIsoCode   string `json:"currencyIsoCode"`
	Amount            string `json:"amount"`
	Reference         string `json:"reference"`
	CreditorReference string `json:"creditorReference"`
	QRReference       string `json:"qrReference"`
	Instructions      string `json:"instructions"`
}

// Every refusal of an ONRAMP body with its field and code, all at once.
func TestRefusedOnrampBodies(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		body := onrampBody(c, "2000.00", "EUR")
		good := body["payments"].([]object)[0]
		payment := func(members object) object { return with(body, object{"payments": []object{with(good, members)}}) }

		now := h.DB().Now().UTC()
		ended := now.Add(-36 * time.Hour).Format(time.DateOnly)
		distant := now.AddDate(2, 0, 0).Format(time.RFC3339)
		day := "/payments/0/expectedTransferDate"
		stranger := other.Payer.Address.Hex()

		for _, x := range []struct {
			name string
			body object
			want []string
		}{
			{"no currency", with(body, object{"amountCurrency": nil}), []string{"/amountCurrency REQUIRED"}},
			{
				"unknown currency",
				with(body, object{"amountCurrency": "cur_abc"}),
				[]string{"/amountCurrency CURRENCY_UNKNOWN"},
			},
			{
				"currency without an account",
				with(body, object{"amountCurrency": "JPY"}),
				[]string{"/amountCurrency CURRENCY_NOT_ONRAMPABLE"},
			},
			{
				"below the minimum",
				payment(object{"amount": "899.99"}),
				[]string{"/payments/0/amount AMOUNT_BELOW_MINIMUM"},
			},
			{"three decimals", payment(object{"amount": "2000.001"}), []string{"/payments/0/amount AMOUNT_PRECISION"}},
			{"two payments", with(body, object{"payments": []object{good, good}}), []string{"/payments TOO_MANY_ITEMS"}},
			{
				"a day that has ended everywhere",
				payment(object{"expectedTransferDate": ended}),
				[]string{day + " OUT_OF_RANGE"},
			},
			{"a day of another age", payment(object{"expectedTransferDate": distant}), []string{day + " OUT_OF_RANGE"}},
			{"no day", payment(object{"expectedTransferDate": "tomorrow"}), []string{day + " FORMAT_INVALID"}},
			{
				"fields of others",
				payment(object{
					"bankingFeesOption": "OUR",
					"bankAccount":       "x",
					"tokenIsoCode":      "EURC",
					"estimatedRate":     "1",
				}),
				[]string{
					"/payments/0/bankingFeesOption NOT_ALLOWED",
					"/payments/0/bankAccount NOT_ALLOWED",
					"/payments/0/tokenIsoCode NOT_ALLOWED",
					"/payments/0/estimatedRate NOT_ALLOWED",
				},
			},
			{
				"receiver of another organisation",
				payment(object{"receiver": other.Self}),
				[]string{"/payments/0/receiver RECEIVER_UNKNOWN"},
			},
			{
				"wallet of another organisation",
				with(body, object{"walletAddress": stranger}),
				[]string{"/walletAddress PAYER_WALLET_UNUSABLE"},
			},
			{
				"all at once",
				with(payment(object{"amount": "1", "expectedTransferDate": "x"}), object{"token": nil}),
				[]string{"/token REQUIRED", "/payments/0/amount AMOUNT_BELOW_MINIMUM", day + " FORMAT_INVALID"},
			},
		} {
			a := c.Do("POST", "/transactions", x.body)
			require.Equal(t, 422, a.Status, "%s: %s", x.name, a.Raw)
			require.ElementsMatch(t, x.want, a.Fields(), "%s: %s", x.name, a.Raw)
		}

		// The date of somebody eleven hours behind UTC. Twelve would be accepted too, but for a test that passes noon.
		west := now.Add(-11 * time.Hour).Format(time.DateOnly)
		c.Do("POST", "/transactions", payment(object{"expectedTransferDate": west})).OK(201)

		for _, currency := range []string{"cur_eur", "EUR"} {
			v := read(c, c.Do("POST", "/transactions", with(body, object{"amountCurrency": currency})).OK(201).ID())
			require.Equal(t, "cur_eur", v.AmountCurrency)
			require.Equal(t, "2000.00", v.Sums.FiatIn.Amount)
		}

		m.Down(true)
		c.Do("POST", "/transactions", body).Refused(503, "RATE_UNAVAILABLE")

		pending := h.Person("Pen")
		pending.Do("POST", "/transactions", onrampBody(c, "2000.00", "EUR")).Refused(403, "ORG_NOT_APPROVED")
	})
}

// What is offered: the minimum is about 1,000 dollars' worth in each currency; a currency without a rate has none.
func TestOnrampOffer(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")

		var least struct {
			Amount      string `json:"amount"`
			Currency    string `json:"currency"`
			PerCurrency []struct {
				Currency string `json:"currencyIsoCode"`
				Amount   string `json:"amount"`
			} `json:"perCurrency"`
		}
		c.Do("GET", "/transactions/min-onramp-amount", nil).OK(200).Into(&least)
		require.Equal(t, "1000.00", least.Amount)
		require.Equal(t, "USD", least.Currency)

		per := map[string]string{}
		for _, x := range least.PerCurrency {
			per[x.Currency] = x.Amount
		}

		var offered []struct {
			ID        string `json:"_id"`
			IsoCode   string `json:"isoCode"`
			MinAmount string `json:"minAmount"`
		}
		c.Do("GET", "/transactions/onramp-currencies", nil).OK(200).Into(&offered)
		require.Len(t, offered, len(per))

		for _, x := range offered {
			require.Equal(t, "cur_"+strings.ToLower(x.IsoCode), x.ID)
			require.Equal(t, per[x.IsoCode], x.MinAmount)
		}

		require.Contains(t, per, "EUR")
		m.Down(true)
		c.Do("GET", "/transactions/onramp-currencies", nil).OK(200).Into(&offered)
		require.Len(t, offered, len(per))
	})
}

// An on-ramp on its way to the deposit: what the depositor is told, and what is refused in each state.
func TestOnrampUntilTheDeposit(t *testing.T) {
	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		c := h.Client("Ada")
		id := c.Do("POST", "/transactions", onrampBody(c, "2000.00", "EUR")).OK(201).ID()
		path := "/transactions/" + id
		c.Do("GET", path+"/bank-details", nil).Refused(409, "TX_NOT_SUBMITTED")
		c.Do("POST", path+"/check-allowance", nil).Refused(409, "TX_NOT_FOR_TYPE")
		c.Do("POST", path+"/accept", nil).Refused(409, "TX_NOT_FOR_TYPE")
		c.Do("POST", path+"/validate", nil).OK(200)
		c.Do("PUT", path, onrampBody(c, "2500.00", "EUR")).OK(200)
		c.Do("POST", path+"/submit", object{"sender": "Ada AG"}).OK(200)
		c.Do("POST", path+"/submit", nil).Refused(409, "TX_NOT_DRAFT")
		c.Do("PUT", path, onrampBody(c, "2000.00", "EUR")).Refused(409, "TX_NOT_DRAFT")
		c.Do("POST", path+"/accept", nil).Refused(409, "TX_NOT_FOR_TYPE")
		v := read(c, id)
		require.Equal(t, transaction.StatusWaiting, v.Status)
		require.Equal(t, "AWAITING_DEPOSIT", v.Settlement)
		require.ElementsMatch(t, []string{"bank-details", "delete"}, v.AllowedActions)

		var d details
		c.Do("GET", path+"/bank-details", nil).OK(200).Into(&d)
		require.Equal(t, "2500.00", d.Amount)
		require.Equal(t, "EUR", d.CurrencyIsoCode)
		require.NotEmpty(t, d.IBAN)
		require.Contains(t, d.Instructions, "Ada AG")
		reference, ok := creditorref.ParseDeposit(d.Reference)
		require.True(t, ok, d.Reference)
		structured, ok := creditorref.ValidRF(d.CreditorReference)
		require.True(t, ok)
		require.True(t, strings.HasSuffix(structured, reference), "the structured form carries the same reference")
		require.Empty(t, d.QRReference)
		named, err := transaction.OnrampsByReference(t.Context(), h.DB(), []string{reference, "NOBODYS0"})
		require.NoError(t, err)
		require.Len(t, named, 1)
		found := named[reference]
		require.Equal(t, id, found.ID)
		require.Equal(t, "Ada AG", found.Sender)
		require.Equal(t, "2500.00 EUR", found.Deposit().String()+" "+found.AmountCurrency)
		require.Len(t, list(c, "&searchTerm="+d.Reference).Results, 1)
		house, err := found.HouseAccount()
		require.NoError(t, err)
		require.Equal(t, d.IBAN, house.IBAN)

		c.Do("DELETE", path, nil).OK(200)
		c.Do("GET", path+"/bank-details", nil).Refused(404, "NOT_FOUND")
		named, err = transaction.OnrampsByReference(t.Context(), h.DB(), []string{reference})
		require.NoError(t, err)
		require.Empty(t, named, "D-07: a deposit after the deletion finds nobody")

		swiss := c.Do("POST", "/transactions", onrampBody(c, "2000.00", "CHF")).OK(201).ID()
		c.Do("POST", "/transactions/"+swiss+"/submit", nil).OK(200)
		d = details{}
		c.Do("GET", "/transactions/"+swiss+"/bank-details", nil).OK(200).Into(&d)
		require.NotEqual(t, creditorref.Show(reference), d.Reference)
		mine, _ := creditorref.ParseDeposit(d.Reference)
		inside, ok := creditorref.DepositOfQRR(d.QRReference)
		require.True(t, ok)
		require.Equal(t, mine, inside)
		require.Empty(t, d.CreditorReference)
	})
}
