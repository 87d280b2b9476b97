//go:build !nosandbox

package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/bank/banksim"
)

// A checker of others finds nothing wrong in the batches for DATEV of a month of all kinds: in a currency with decimals
// and in one without, with accounts, tax keys and cost centres that the organisation has set.
func TestRealDATEVOfAMonth(t *testing.T) {
	parts.Need(t, "node")
	parts.Module(t, "@seamless-engineering/datev-extf")

	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, _ *apptest.Market) {
		for name, currency := range map[string]string{"Ada": "EUR", "Cho": "JPY"} {
			c := h.Client(name)
			c.StaySignedIn()
			c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"homeCurrency": currency}).OK(200)
			c.Do("PUT", "/bookkeeping/accounts", apptest.Object{"accounts": []apptest.Object{
				{"kind": "payee", "receiverType": "INDIVIDUAL", "number": "7000", "name": "Freie Mitarbeiter"},
				{
					"kind":       "income/commission",
					"number":     "4970",
					"name":       "Gebühren",
					"taxCode":    "94",
					"costCentre": "Zürich_1",
				},
			}}).OK(200)

			for _, end := range []string{"000", "002", "004"} {
				c.FiatAccepted("USDC", c.FiatPayment(c.NewBankAccount("EUR", end), "90.01"))
			}

			h.SettleAll()
			c.Accepted("USDC", "12.500001")
			h.Settle()

			id, reference := c.OnrampSubmitted("USDC", "EUR", "2500.00")
			h.Deposit(banksim.Deposit{Currency: "EUR", Amount: "2500.00", Sender: c.Name(), Reference: reference})
			h.BankUntil("the deposit has bought tokens", func() bool { return c.Read(id).Status == completed })

			today := h.DB().Now().UTC()
			query := "?format=datev&datevAdviser=1001&datevClient=7&from=" + today.Format("2006-01") + "-01&to=" +
				today.AddDate(0, 1, -today.Day()).Format(time.DateOnly)

			rows, findings := parts.DATEV(t, c.Do("GET", "/bookkeeping/export"+query, nil).OK(200).Raw)
			require.Greater(t, rows, 20)
			require.Empty(t, findings, currency)
		}

		h.Oracle()
	})
}
