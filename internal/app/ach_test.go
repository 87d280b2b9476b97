//go:build !nosandbox

package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/rails/bank/banksim"
)

// achAccount stores an account in the United States for the person's receiver. end is its number's last digits.
func achAccount(c *apptest.Client, end string) string { return c.NewBankAccount("USD", end) }

// B-17: a payment in dollars leaves in a Nacha file, is paid when the bank books the batch, and comes back whole when
// the payee's bank returns it.
func TestAPaymentByACHIsPaidOrComesBack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		id := c.FiatAccepted("USDC",
			c.FiatPayment(achAccount(c, "100"), "200.00"),
			c.FiatPayment(achAccount(c, "200"), "300.00"),
			c.FiatPayment(achAccount(c, "300"), "50.00"))
		h.BankUntil("it is paid", func() bool { return c.Read(id).Status == transaction.StatusCompleted })

		var read struct {
			Bank []transaction.BankEffect `json:"bank"`
		}
		c.Do("GET", "/transactions/"+id, nil).OK(200).Into(&read)
		require.Len(t, read.Bank, 3)

		for _, b := range read.Bank {
			require.Len(t, b.EndToEndID, 15)
		}

		sent, err := filepath.Glob(filepath.Join(h.World.BankFolder, "archive", "*nacha-*.ach"))
		require.NoError(t, err)
		require.Len(t, sent, 1)

		content, err := os.ReadFile(sent[0])
		require.NoError(t, err)
		require.Equal(t, 1, strings.Count(string(content), read.Bank[0].EndToEndID))

		h.Control(banksim.Control{Op: "late_return", EndToEndID: h.EndToEnd(id, 2), Reason: "AC01"})
		h.BankUntil("one came back", func() bool {
			return c.Read(id).Payments[2].Status != transaction.PaymentCompleted
		})
		h.SettleAll()

		v := c.Read(id)
		require.Equal(t, transaction.PaymentCompleted, v.Payments[0].Status)
		require.Contains(t, v.Payments[2].StatusInfo, "R03")
		h.Oracle()
	})
}

// B-18: a bank's notification of change waits for two operators. Then the payee's account has the new number, and
// nothing is paid to it for a day.
func TestANotificationOfChangeIsLetInByTwoOperators(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		two := h.Operators()
		account := achAccount(c, "010")
		id := c.FiatAccepted("USDC", c.FiatPayment(account, "200.00"))
		h.SettleAll()
		require.Equal(t, transaction.StatusCompleted, c.Read(id).Status)

		all := holds(two.Client)
		require.Len(t, all, 1)
		require.Equal(t, "PAYEE_OUT_OF_DATE", all[0].Kind)
		require.Equal(t, id, all[0].Transaction)
		require.Contains(t, all[0].Why, "Right is the account number 123456000.")
		require.Len(t, all[0].Choices, 2)

		number := func() string {
			var read struct {
				Number string `json:"accountNumber"`
				Usable string `json:"usableFrom"`
			}
			c.Do("GET", "/bank-accounts/"+account, nil).OK(200).Into(&read)

			return read.Number
		}

		asked := two.Do("POST", "/operations/held/decision", object{
			"subject": all[0].Subject,
			"action":  "CORRECT",
			"reason":  "as the payee's bank says",
		})
		require.Equal(t, "123456010", number(), "one person changes nothing")

		require.Contains(t, two.Do("GET", "/operations/approvals", nil).OK(200).Raw, "123456000")

		two.Carried(asked)
		require.Equal(t, "123456000", number())
		require.Empty(t, holds(two.Client))

		next := c.Do("POST", "/transactions", fiatBody(c, payout(c, account, "1.00", "USD"))).OK(201).ID()
		c.Do("POST", "/transactions/"+next+"/submit", nil).Refused(422, "BANK_ACCOUNT_COOLING_DOWN")
		h.Oracle()
	})
}
