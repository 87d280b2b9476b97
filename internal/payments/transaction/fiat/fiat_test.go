//go:build !nosandbox

package fiat_test

import (
	"maps"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/transactiontest"
)

type object = transactiontest.Object

// Every member of a payment that is wrong is named, with what is wrong with it.
func TestPaymentsThatAreRefused(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		const currency = "/currencyIsoCode"

		for name, x := range map[string]struct {
			members object
			at      string
			code    fault.Code
		}{
			"no receiver":           {object{"receiver": "rcv_01jd3v8e5m7k2q9w4x6y8z0abc"}, "/receiver", fault.ReceiverUnknown},
			"no bank account":       {object{"bankAccount": nil}, "/bankAccount", fault.Required},
			"another's account":     {object{"receiver": w.Self(w.Token)}, "/bankAccount", fault.BankAccountUnknown},
			"another currency":      {object{"currencyIsoCode": "GBP"}, currency, fault.CurrencyMismatch},
			"no currency":           {object{"bankAccount": nil, "currencyIsoCode": "EUX"}, currency, fault.CurrencyUnknown},
			"more than cents":       {object{"amount": "1.001"}, "/amount", fault.AmountPrecision},
			"more than SEPA takes":  {object{"amount": "1000000000.00"}, "/amount", fault.AmountTooLarge},
			"an estimate of zero":   {object{"estimatedRate": "0.0"}, "/estimatedRate", fault.FormatInvalid},
			"an estimate far off":   {object{"estimatedRate": "1.2"}, "/estimatedRate", fault.EstimateOff},
			"a reference mistyped":  {object{"reference": "RF19539007547034"}, "/reference", fault.CreditorReference},
			"a wallet":              {object{"wallet": w.Wallet}, "/wallet", fault.NotAllowed},
			"a day of the transfer": {object{"expectedTransferDate": "2026-11-30"}, "/expectedTransferDate", fault.NotAllowed},
		} {
			t.Run(name, func(t *testing.T) {
				body := transactiontest.With(w.Fiat("90.00"), x.members)
				w.Send("POST", "/transactions", body).Refused(422, x.code, "/payments/0"+x.at)
			})
		}

		body := transactiontest.Merge(w.Fiat("90.00"), object{"amountCurrency": "EUR"})
		w.Send("POST", "/transactions", body).Refused(422, fault.NotAllowed, "/amountCurrency")

		body = transactiontest.Merge(w.Fiat("90.00"), object{"walletAddress": "0x" + strings.Repeat("1", 40)})
		w.Send("POST", "/transactions", body).Refused(422, fault.PayerWallet, "/walletAddress")
	})
}

// One fault of each stage: all are named at once, the price of what is sound among them.
func TestFaultsOfAllStagesAreNamedAtOnce(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		sound := w.Fiat("90.00")["payments"].([]object)[0]
		body := w.Fiat("90.00")
		body["typo"] = true
		body["payments"] = []object{
			transactiontest.Merge(maps.Clone(sound), object{"reason": strings.Repeat("x", 501), "amount": "1.001"}),
			transactiontest.Merge(maps.Clone(sound), object{"receiver": 7, "bankingFeesOption": "NONE"}),
			transactiontest.Merge(maps.Clone(sound), object{"bankAccount": "bac_nobody"}),
			transactiontest.Merge(maps.Clone(sound), object{"estimatedRate": "1.2"}),
		}
		require.ElementsMatch(t, []string{
			"/typo UNKNOWN_FIELD",
			"/payments/0/reason TOO_LONG",
			"/payments/0/amount AMOUNT_PRECISION",
			"/payments/1/receiver TYPE_MISMATCH",
			"/payments/1/bankingFeesOption NOT_IN_ENUM",
			"/payments/2/bankAccount BANK_ACCOUNT_UNKNOWN",
			"/payments/3/estimatedRate ESTIMATED_RATE_OUT_OF_TOLERANCE",
		}, w.Send("POST", "/transactions", body).Status(400).Faults())
	})
}

// What an answer shows can be sent back, and changes nothing.
func TestPayoutCanBeSentBack(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		w.SentBackIsNoChange(w.Draft(transactiontest.With(w.Fiat("90.00"), object{"estimatedRate": "0.9"})))
	})
}

// What is locked is what is shown and paid: the price, the receiver, the bank account and the treasury.
func TestSubmitLocksPriceAndAccount(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(transactiontest.With(w.Fiat("900.00"), object{"estimatedRate": "0.9"}))
		draft := w.Read(id)
		require.Equal(t, "1000.50", draft.Text("totals.tokenDebit"), "at 0.90 euros, and half a dollar for the network")

		a := w.Post(id, "validate").Status(200)
		require.Equal(t, "1000.50", a.Text("totals.tokenDebit"))

		w.Rate("USDC", "EUR", 895, 1000) // within the tolerance of the estimate
		a = w.Post(id, "submit").Status(200)
		require.Equal(t, "QUOTED", a.Text("settlementStatus"))
		require.Greater(t, a.Text("totals.tokenDebit"), "1005")

		locked, err := transaction.ByID(t.Context(), w.DB, id)
		require.NoError(t, err)
		require.True(t, locked.ContentUnchanged())

		network := big.NewInt(500_000) // half a dollar
		require.Equal(t, locked.Debit, network.Add(network, locked.Payments[0].Units), "the payment has its new price")

		changed := object{
			"bankCountry": "FR",
			"iban":        "FR1420041010050500013M02606",
			"bicSwift":    "PSSTFRPPLIL",
		}
		w.Send("PATCH", "/bank-accounts/"+w.Account, changed).Status(200)
		account, err := locked.Payments[0].Account()
		require.NoError(t, err)
		require.Equal(t, "DE89370400440532013000", account.IBAN, "F-09")

		v := w.Read(id)
		payment := v.List("payments")[0].(map[string]any)
		require.Equal(t, "DE89370400440532013000", payment["bankAccount"].(map[string]any)["iban"])
		require.Equal(t, "SHA", payment["bankingFeesOption"])
		require.Contains(t, v.List("allowedActions"), "accept")
	})
}

// Nothing is accepted at a price that its caller has not seen: an expired quote is replaced, and the refusal shows it.
func TestExpiredQuoteIsReplacedAndRefused(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Submitted(w.Fiat("900.00"))
		before, err := transaction.ByID(t.Context(), w.DB, id)
		require.NoError(t, err)

		w.Advance(quote.Lifetime + time.Second)
		w.Rate("USDC", "EUR", 80, 100)
		w.Post(id, "accept").Refused(409, fault.QuoteExpired, "")
		require.Empty(t, w.Settled())

		after, err := transaction.ByID(t.Context(), w.DB, id)
		require.NoError(t, err)
		require.Equal(t, transaction.StatusWaiting, after.Status)
		require.Equal(t, before.Version+1, after.Version)
		require.Equal(t, "1125.50", after.DebitAmount().String())
		require.True(t, after.ContentUnchanged())

		w.Send("POST", "/transactions/"+id+"/accept", nil).Status(200)
		require.Equal(t, []string{id}, w.Settled())
	})
}

// Of two callers who find an expired quote, the slower one is shown the price that the faster one has locked.
func TestExpiredQuoteIsReplacedOnce(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Submitted(w.Fiat("900.00"))
		before, err := transaction.ByID(t.Context(), w.DB, id)
		require.NoError(t, err)

		w.Advance(quote.Lifetime + time.Second)
		w.Rate("USDC", "EUR", 80, 100)

		w.Market.Asked = func() {
			w.Market.Asked = nil
			w.Post(id, "accept").Refused(409, fault.QuoteExpired, "")
		}
		w.Post(id, "accept").Refused(409, fault.QuoteExpired, "")

		after, err := transaction.ByID(t.Context(), w.DB, id)
		require.NoError(t, err)
		require.Equal(t, before.Version+1, after.Version)
		require.Empty(t, w.Settled())
	})
}

// Only who could accept makes a new price.
func TestExpiredQuoteIsNotReplacedByWhoMayNotAccept(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Submitted(w.Fiat("900.00"))
		before, err := transaction.ByID(t.Context(), w.DB, id)
		require.NoError(t, err)

		w.Advance(quote.Lifetime + time.Second)
		w.Exec("UPDATE members SET user_type = 'viewer' WHERE user_id = ?", w.User)
		w.Post(id, "accept").Refused(403, fault.MemberNotAuthor, "")

		after, err := transaction.ByID(t.Context(), w.DB, id)
		require.NoError(t, err)
		require.Equal(t, before.Version, after.Version)
	})
}

// A draft may be without a price; what is submitted may not.
func TestDraftWithoutARate(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		w.Market.Down(true)
		id := w.Draft(w.Fiat("900.00"))
		w.Post(id, "validate").Refused(503, fault.RateUnavailable, "")
		w.Post(id, "submit").Refused(503, fault.RateUnavailable, "")
		w.Post(id, "check-allowance").Refused(503, fault.RateUnavailable, "")

		w.Market.Down(false)
		require.Equal(t, "1000.50", w.Post(id, "check-allowance").Status(200).Text("required"))
		w.Post(id, "submit").Status(200)
	})
}

// What no bank could carry is found before the tokens are taken.
func TestDetailsThatNoBankCarriesAreRefused(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Fiat("900.00"))
		w.Carries = func(_ transaction.Payment, rail string) map[string]string {
			return map[string]string{"reason": "it does not fit into " + rail}
		}

		w.Post(id, "validate").Refused(422, fault.FormatInvalid, "/payments/0/reason")

		w.Rails = nil
		a := w.Post(id, "validate").Status(422)
		require.Equal(t, []string{"/payments/0/bankAccount " + string(fault.BankAccountUnreachable)}, a.Faults(),
			"what no rail takes is held against no rail's file")

		w.Carries = nil
		w.Post(id, "validate").Refused(422, fault.BankAccountUnreachable, "/payments/0/bankAccount")
	})
}

// Deleting frees the wallet: another transaction can reserve all of it.
func TestDeletedTransactionReservesNothing(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		w.Node.Set(1_100_000_000, 1_100_000_000)
		id := w.Submitted(w.Fiat("900.00"))
		other := w.Draft(w.Fiat("900.00"))
		w.Post(other, "submit").Refused(422, fault.ReservationShort, "/walletAddress")

		w.Send("DELETE", "/transactions/"+id, nil).Status(200)
		w.Post(other, "submit").Status(200)
	})
}

// What is paid out is added up by currency, in the order of the payments.
func TestPayoutsAreAddedUpByCurrency(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		pounds := w.Send("POST", "/bank-accounts", object{
			"receiver":      w.Payee,
			"bankCountry":   "GB",
			"currency":      "GBP",
			"accountNumber": "31926819",
			"sortCode":      "601613",
		}).Status(201).Text("_id")

		w.Rate("USDC", "GBP", 80, 100)

		body := w.Fiat("900.00")
		first := body["payments"].([]object)[0]
		body["payments"] = []object{
			first,
			transactiontest.Merge(maps.Clone(first), object{"bankAccount": pounds, "amount": "20.00"}),
			transactiontest.Merge(maps.Clone(first), object{"amount": "0.75"}),
		}

		a := w.Read(w.Draft(body))
		require.Equal(t, []any{
			object{"currencyIsoCode": "EUR", "amount": "900.75"},
			object{"currencyIsoCode": "GBP", "amount": "20.00"},
		}, a.List("totals.fiatOut"))
	})
}
