//go:build !nosandbox

package app_test

import (
	"encoding/hex"
	"testing"

	"github.com/ethereum/go-ethereum/accounts"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
	"slipway/internal/payments/transaction"
)

// prove signs the text that a changed wallet asks for, and has it screened.
func prove(h *apptest.Harness, c *apptest.Client, wallet string, a world.Account) {
	var w struct {
		Ownership struct {
			Message string `json:"message"`
		} `json:"ownership"`
	}

	c.Do("GET", "/wallets/"+wallet, nil).OK(200).Into(&w)
	signature, err := crypto.Sign(accounts.TextHash([]byte(w.Ownership.Message)), a.Key)
	require.NoError(h.T, err)

	signature[64] += 27

	c.Do("POST", "/wallets/"+wallet+"/verify-wallet", object{
		"message":       w.Ownership.Message,
		"signedMessage": "0x" + hex.EncodeToString(signature),
	}).OK(200)

	h.RunJobs()
}

// TestRecordsThatMovedAreLookedAtAgain (Z-06, F-09): what a draft names may be changed before it is submitted.
// Validate and submit hold it against the records as they are, and what submit has shown is what is paid, whatever
// becomes of them afterwards.
func TestRecordsThatMovedAreLookedAtAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		bob := c.NewReceiver("Bob")
		first := h.Account("first")
		second := h.Account("second")
		third := h.Account("third")
		wallet := c.ProveWallet(c.Receiver, first)
		account := c.NewBankAccount("EUR", "000")
		stored := with(c.Payment(c.Payee, "1.00"), object{
			"wallet":        wallet,
			"walletAddress": nil,
			"walletType":    nil,
			"network":       nil,
		})
		crypto := c.Do("POST", "/transactions", c.Body("USDC", stored)).OK(201).ID()
		fiat := c.Do("POST", "/transactions", object{
			"type":          "FIAT",
			"token":         "USDC",
			"walletAddress": c.Payer.Address.Hex(),
			"payments":      []object{c.FiatPayment(account, "100.00")},
		}).OK(201).ID()
		refused := func(id, field string) {
			t.Helper()
			h.Exec("UPDATE bank_accounts SET cool_until = 0") // which is another reason

			for _, what := range []string{"validate", "submit"} {
				a := c.Act(id, what).OK(422)
				require.Equal(t, []string{field}, a.Fields(), a.Raw)
			}
		}

		c.Do("PATCH", "/wallets/"+wallet, object{"address": second.Address.Hex()}).OK(200)
		refused(crypto, "/payments/0/wallet WALLET_NOT_VERIFIED")
		c.Do("PATCH", "/wallets/"+wallet, object{"receiver": bob}).OK(200)
		refused(crypto, "/payments/0/wallet WALLET_UNKNOWN") // of that receiver
		c.Do("PATCH", "/wallets/"+wallet, object{"receiver": c.Receiver}).OK(200)
		h.Fund(second)
		prove(h, c, wallet, second)

		c.Do("PATCH", "/bank-accounts/"+account, object{"receiver": bob}).OK(200)
		refused(fiat, "/payments/0/bankAccount BANK_ACCOUNT_UNKNOWN")
		c.Do("PATCH", "/bank-accounts/"+account, object{"receiver": c.Receiver, "currency": "CHF"}).OK(200)
		refused(fiat, "/payments/0/currencyIsoCode CURRENCY_MISMATCH")

		require.Contains(t, c.Act(crypto, "submit").OK(200).Raw, second.Address.Hex())
		c.Do("PATCH", "/wallets/"+wallet, object{"address": third.Address.Hex()}).OK(200)
		had := h.Balance(h.World.Token("USDC"), second.Address)
		c.Act(crypto, "accept").OK(200)
		h.Settle()
		c.Ends(crypto, transaction.StatusCompleted)
		require.Equal(
			t,
			"1000000",
			had.Sub(h.Balance(h.World.Token("USDC"), second.Address), had).String(),
			"what submit has shown is paid",
		)
	})
}
