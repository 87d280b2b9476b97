//go:build !nosandbox

package app_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/app/world"
)

// shown returns a record as it is shown.
func shown(c *apptest.Client, path string) (record object) {
	c.Do("GET", path, nil).OK(200).Into(&record)
	return record
}

// Every record can be sent back where a request names it, as its own operation shows it and as answers embed it. With
// any of its members changed nobody knows which record is meant, and nothing is stored.
func TestAReferenceThatContradictsItsRecordIsRefused(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		account := c.NewBankAccount("EUR", "000")
		wallet := c.ProveWallet(c.Receiver, h.Account("Alice's wallet"))

		fiat := func(members object) object {
			return with(c.Body("USDC", with(c.FiatPayment(account, "12.50"), members)), object{"type": "FIAT"})
		}
		crypto := func(members object) object {
			stored := object{"walletAddress": nil, "walletType": nil, "network": nil, "wallet": wallet}
			return c.Body("USDC", with(with(c.Payment(c.Payee, "1.00"), stored), members))
		}
		payable := func(members object) object {
			return with(object{
				"name":            "Rent",
				"type":            "FIAT",
				"status":          "DRAFT",
				"amount":          "1200.00",
				"reason":          "December",
				"receiver":        c.Receiver,
				"bankAccount":     account,
				"currencyIsoCode": "EUR",
			}, members)
		}

		for _, to := range []struct {
			path, at, member, record string
			body                     func(object) object
		}{
			{"/transactions", "/payments/0", "bankAccount", "/bank-accounts/" + account, fiat},
			{"/transactions", "/payments/0", "receiver", "/receivers/" + c.Receiver, fiat},
			{"/transactions", "/payments/0", "wallet", "/wallets/" + wallet, crypto},
			{"/payables", "", "bankAccount", "/bank-accounts/" + account, payable},
			{"/payables", "", "receiver", "/receivers/" + c.Receiver, payable},
		} {
			record := shown(c, to.record)
			c.Do("POST", to.path, to.body(object{to.member: record})).OK(201)

			before := h.Count("SELECT COUNT(*) FROM " + to.path[1:])

			for _, name := range slices.Sorted(maps.Keys(record)) {
				if text, is := record[name].(string); name != "_id" && is {
					said := with(record, object{name: text + "x"})
					c.Do("POST", to.path, to.body(object{to.member: said})).
						Refused(422, "REFERENCE_MISMATCH", to.at+"/"+to.member+"/"+name+" REFERENCE_MISMATCH")
				}
			}

			require.Equal(t, before, h.Count("SELECT COUNT(*) FROM "+to.path[1:]))
		}

		id := c.Do("POST", "/transactions", fiat(nil)).OK(201).ID()
		embedded := shown(c, "/transactions/"+id)["payments"].([]any)[0].(object)
		again := fiat(object{"receiver": embedded["receiver"], "bankAccount": embedded["bankAccount"]})
		c.Do("PUT", "/transactions/"+id, again).OK(200)

		iban := object{"_id": account, "iban": "DE02120300000000202051"}
		c.Do("PUT", "/transactions/"+id, fiat(object{"bankAccount": iban})).
			Refused(422, "REFERENCE_MISMATCH", "/payments/0/bankAccount/iban REFERENCE_MISMATCH")

		bill := c.Do("POST", "/payables", payable(nil)).OK(201).ID()
		c.Do("PATCH", "/payables/"+bill, object{"bankAccount": iban, "receiver": c.Receiver}).
			Refused(422, "REFERENCE_MISMATCH", "/bankAccount/iban REFERENCE_MISMATCH")

		other := h.Client("Bob")
		c.Do("POST", "/transactions", fiat(object{"receiver": shown(other, "/receivers/"+other.Receiver)})).OK(422)
	})
}

// The same where a country, a currency, a token, a pair or a network is named.
func TestReferencesToFixedRecordsAreCompared(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		account := func(members object) apptest.Answer {
			return c.Do("POST", "/bank-accounts", with(object{
				"receiver":    c.Receiver,
				"bankCountry": "DE",
				"currency":    "EUR",
				"iban":        "DE89370400440532013000",
				"bicSwift":    "COBADEFFXXX",
			}, members))
		}

		made := shown(c, "/bank-accounts/"+account(nil).OK(201).ID())
		account(object{
			"bankCountry": made["bankCountry"],
			"currency":    made["currency"],
			"iban":        "DE02120300000000202051",
		})
		account(object{"currency": object{"_id": "EUR", "isoCode": "USD"}}).
			Refused(422, "REFERENCE_MISMATCH", "/currency/isoCode REFERENCE_MISMATCH")
		account(object{"bankCountry": object{"_id": "DE", "name": "France"}}).
			Refused(422, "REFERENCE_MISMATCH", "/bankCountry/name REFERENCE_MISMATCH")

		network := shown(c, "/networks/"+world.NetworkID)
		wallet := object{
			"address":  h.Account("Alice's wallet").Address.Hex(),
			"receiver": c.Receiver,
			"network":  with(network, object{"name": "Elsewhere"}),
		}
		c.Do("POST", "/wallets", wallet).
			Refused(422, "REFERENCE_MISMATCH", "/network/name REFERENCE_MISMATCH")
		c.Do("POST", "/wallets", with(wallet, object{"network": network})).OK(201)

		for _, member := range []string{"defaultToken", "homeCurrency"} {
			c.Do("PATCH", "/organisations/"+c.Org, object{member: object{"_id": "x", "isoCode": "y"}}).OK(422)
		}

		token := object{"_id": "USDC", "isoCode": "DAI"}
		c.Do("PATCH", "/organisations/"+c.Org, object{"defaultToken": token}).
			Refused(422, "REFERENCE_MISMATCH", "/defaultToken/isoCode REFERENCE_MISMATCH")
	})
}
