//go:build !nosandbox

package apptest

import (
	"context"
	"strings"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/bank/banksim"
)

// BankRound lets every app and the bank do once what they can: files out, execution, answers in, and the jobs that
// follow.
func (h *Harness) BankRound() {
	h.T.Helper()
	ctx := context.Background()
	h.mu.Lock()

	var rounds []func(context.Context) error
	for a := range h.running {
		if a.Bank != nil {
			rounds = append(rounds, a.Bank.Work)
		}
	}

	h.mu.Unlock()

	for _, work := range rounds {
		require.NoError(h.T, work(ctx))
	}

	_, err := h.World.Bank.Step(ctx)
	require.NoError(h.T, err)

	for _, work := range rounds {
		require.NoError(h.T, work(ctx))
	}

	h.RunJobs()
}

// BankUntil waits for a condition while jobs run, blocks come, and the bank works.
func (h *Harness) BankUntil(what string, condition func() bool) {
	h.T.Helper()
	h.wait(what, condition, func() {
		h.BankRound()
		h.World.Chain.Mine(1)
	})
}

// SettleAll is Settle for transactions that touch the bank too. A deposit that is only waited for is not under way.
func (h *Harness) SettleAll() {
	h.T.Helper()
	h.BankUntil("every transaction has ended", func() bool { return h.Count(openStates+openBesides) == 0 })
}

// openBesides is what may still be under way of transactions that have ended by their status.
const openBesides = " OR settlement_status = 'REFUND_IN_FLIGHT' OR id IN (SELECT transaction_id " +
	"FROM payout_returns WHERE state = 'RECEIVED')"

// Kind of bank account by currency, as a client writes it. The numbers are nobody's; end is the account number's last
// three digits, by which the bank knows how a payment is to end.
func bankAccount(currency, end string) Object {
	switch currency {
	case "EUR":
		return Object{
			"bankCountry": "CH",
			"currency":    "EUR",
			"iban":        withCheck("CH", "00762011623852"+end),
			"bicSwift":    "SLWYCHZ0XXX",
		}

	case "GBP":
		return Object{"bankCountry": "GB", "currency": "GBP", "accountNumber": "31926" + end, "sortCode": "601613"}

	case "USD":
		return Object{
			"bankCountry":   "US",
			"currency":      "USD",
			"accountNumber": "123456" + end,
			"routingNumber": "021000021",
			"accountType":   "CHECKING",
		}

	case "INR":
		return Object{
			"bankCountry":   "IN",
			"currency":      "INR",
			"accountNumber": "50100012345" + end,
			"ifscCode":      "HDFC0000123",
		}
	}

	return Object{
		"bankCountry":   "AE",
		"currency":      currency,
		"accountNumber": withCheck("AE", "033123456789012"+end+"0"),
		"bicSwift":      "EBILAEADXXX",
	}
}

// withCheck puts the check digits into an IBAN (ISO 7064, mod 97-10).
func withCheck(country, bban string) string {
	digits := ""
	for _, r := range bban + country + "00" {
		if r >= 'A' {
			r -= 'A' - 10
			digits += string('0'+r/10) + string('0'+r%10)
		} else {
			digits += string(r)
		}
	}

	rest := 0
	for _, d := range digits {
		rest = (rest*10 + int(d-'0')) % 97
	}

	check := 98 - rest

	return country + string(rune('0'+check/10)) + string(rune('0'+check%10)) + bban
}

// NewBankAccount stores a bank account of the person's receiver in a currency. end is the last digits of its number:
// "000" for one that is simply paid.
func (c *Client) NewBankAccount(currency, end string) string {
	c.h.T.Helper()
	body := bankAccount(currency, end)
	body["receiver"] = c.Receiver
	id := c.Do("POST", "/bank-accounts", body).OK(201).ID()
	c.h.RunJobs()

	return id
}

// FiatPayment is an item to a stored bank account.
func (c *Client) FiatPayment(account, amount string) Object {
	return Object{
		"type":        "FIAT",
		"receiver":    c.Receiver,
		"bankAccount": account,
		"amount":      amount,
		"reason":      "Invoice 2026-118",
	}
}

// FiatSubmitted makes a FIAT transaction of these payments and submits it.
func (c *Client) FiatSubmitted(token string, payments ...Object) string {
	c.h.T.Helper()
	id := c.Do("POST", "/transactions", Object{
		"type":          "FIAT",
		"token":         token,
		"walletAddress": c.Payer.Address.Hex(),
		"payments":      payments,
	}).OK(201).ID()
	c.Act(id, "submit").OK(200)

	return id
}

// FiatAccepted submits and accepts.
func (c *Client) FiatAccepted(token string, payments ...Object) string {
	c.h.T.Helper()
	id := c.FiatSubmitted(token, payments...)
	c.Act(id, "accept").OK(200)

	return id
}

// OnrampSubmitted makes an ONRAMP transaction and gives it with the reference of its deposit.
func (c *Client) OnrampSubmitted(token, currency, amount string) (id, reference string) {
	c.h.T.Helper()
	id = c.Do("POST", "/transactions", Object{
		"type":           "ONRAMP",
		"token":          token,
		"walletAddress":  c.Payer.Address.Hex(),
		"amountCurrency": currency,
		"payments":       []Object{{"type": "ONRAMP", "receiver": c.Self, "amount": amount}},
	}).OK(201).ID()
	c.Act(id, "submit").OK(200)

	var details struct {
		Reference string `json:"reference"`
	}
	c.Do("GET", "/transactions/"+id+"/bank-details", nil).OK(200).Into(&details)
	require.NotEmpty(c.h.T, details.Reference)

	return id, details.Reference
}

// Deposit has the bank credit one of our accounts, and gives its references of the lines.
func (h *Harness) Deposit(d banksim.Deposit) []string {
	h.T.Helper()
	refs, err := h.World.Bank.Deposit(context.Background(), d)
	require.NoError(h.T, err)

	return refs
}

// Control tells the bank what to do.
func (h *Harness) Control(c banksim.Control) {
	h.T.Helper()
	require.NoError(h.T, h.World.Bank.Control(context.Background(), c))
}

// Name is how a bank writes the person's organisation.
func (c *Client) Name() string {
	local, _, _ := strings.Cut(c.Email, "@")
	return strings.ToUpper(strings.ReplaceAll(local, ".", " ")) + " AG"
}
