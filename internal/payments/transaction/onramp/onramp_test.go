//go:build !nosandbox

package onramp_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/payments/transaction/transactiontest"
	"slipway/internal/standards/creditorref"
)

type object = transactiontest.Object

// Every member of a deposit that is wrong is named, with what is wrong with it.
func TestDepositsThatAreRefused(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		ended := w.DB.Now().Add(-36 * time.Hour).Format(time.DateOnly)
		nextYear := w.DB.Now().AddDate(1, 0, 2).Format(time.DateOnly)
		day := "/payments/0/expectedTransferDate"

		for name, x := range map[string]struct {
			members, payment object
			at               string
			code             fault.Code
		}{
			"no currency":       {object{"amountCurrency": nil}, nil, "/amountCurrency", fault.Required},
			"unknown currency":  {object{"amountCurrency": "EUX"}, nil, "/amountCurrency", fault.CurrencyUnknown},
			"no account for it": {object{"amountCurrency": "GBP"}, nil, "/amountCurrency", fault.CurrencyNotOnramp},
			"two payments": {
				object{"payments": append(deposits(w), deposits(w)...)},
				nil,
				"/payments",
				fault.TooManyItems,
			},
			"no payment": {object{"payments": []object{}}, nil, "/payments", fault.TooFew},
			"unknown wallet": {
				object{"walletAddress": "0x" + strings.Repeat("1", 40)},
				nil,
				"/walletAddress",
				fault.PayerWallet,
			},
			"too little":        {nil, object{"amount": "10.00"}, "/payments/0/amount", fault.AmountBelowMinimum},
			"no receiver":       {nil, object{"receiver": "rcv_nobody"}, "/payments/0/receiver", fault.ReceiverUnknown},
			"a day that is not": {nil, object{"expectedTransferDate": "2026-02-30"}, day, fault.FormatInvalid},
			"a day of the past": {nil, object{"expectedTransferDate": ended}, day, fault.OutOfRange},
			"in a year":         {nil, object{"expectedTransferDate": nextYear}, day, fault.OutOfRange},
			"a wallet":          {nil, object{"wallet": w.Wallet}, "/payments/0/wallet", fault.NotAllowed},
			"a bank account":    {nil, object{"bankAccount": w.Account}, "/payments/0/bankAccount", fault.NotAllowed},
		} {
			t.Run(name, func(t *testing.T) {
				body := transactiontest.With(w.Deposit("2000.00", "EUR"), x.payment)
				body = transactiontest.Merge(body, x.members)
				w.Send("POST", "/transactions", body).Refused(422, x.code, x.at)
			})
		}
	})
}

// One fault of each stage: all are named at once.
func TestFaultsOfAllStagesAreNamedAtOnce(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		body := transactiontest.With(w.Deposit("10.00", "EUR"), object{
			"receiver":           "rcv_nobody",
			"documentStorageKey": strings.Repeat("x", 201),
		})
		body["typo"] = true
		require.ElementsMatch(t, []string{
			"/typo UNKNOWN_FIELD",
			"/payments/0/documentStorageKey TOO_LONG",
			"/payments/0/receiver RECEIVER_UNKNOWN",
			"/payments/0/amount AMOUNT_BELOW_MINIMUM",
		}, w.Send("POST", "/transactions", body).Status(422).Faults())
	})
}

// What an answer shows can be sent back, and changes nothing.
func TestDepositCanBeSentBack(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		body := transactiontest.With(w.Deposit("2000.00", "EUR"), object{"expectedTransferDate": nil})
		w.SentBackIsNoChange(w.Draft(body))
	})
}

// A draft shows what is deposited, and the tokens and the wallet that it becomes.
func TestDepositIsShown(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Deposit("2000.00", "EUR"))

		payment := w.Read(id).List("payments")[0].(map[string]any)
		require.Equal(t, "2000.00", payment["amount"])
		require.Equal(t, "EUR", payment["currencyIsoCode"])
		require.Equal(t, "USDC", payment["tokenIsoCode"])
		require.Equal(t, w.PayerID, payment["wallet"])
		require.Equal(t, w.Payer, payment["walletAddress"])
		require.Equal(t, "net_ethereum", payment["network"])
	})
}

func deposits(w *transactiontest.World) []object {
	return w.Deposit("2000.00", "EUR")["payments"].([]object)
}

// An organisation that is not APPROVED is told no account.
func TestOnlyApprovedOrganisationsDeposit(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Draft(w.Deposit("2000.00", "EUR"))
		w.Exec("UPDATE organisations SET onboarding_status = 'REJECTED' WHERE id = ?", w.Org)
		w.Send("POST", "/transactions", w.Deposit("2000.00", "EUR")).Refused(403, fault.OrgNotApproved, "")
		w.Post(id, "submit").Refused(403, fault.OrgNotApproved, "")
	})
}

// What a depositor is told at submit names one transaction for ever, and does not change with the house's accounts.
func TestBankDetailsAreThoseOfSubmit(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		for currency, structured := range map[string]string{"EUR": "creditorReference", "CHF": "qrReference"} {
			t.Run(currency, func(t *testing.T) {
				id := w.Draft(w.Deposit("2000.00", currency))
				w.Send("GET", "/transactions/"+id+"/bank-details", nil).Refused(409, fault.TxNotSubmitted, "")

				a := w.Send("POST", "/transactions/"+id+"/submit", object{"sender": " Ada Ltd "}).Status(200)
				require.Equal(t, "AWAITING_DEPOSIT", a.Text("settlementStatus"))
				require.Equal(t, []any{"bank-details", "delete"}, a.List("allowedActions"))

				details := w.Send("GET", "/transactions/"+id+"/bank-details", nil).Status(200)
				require.Equal(t, "2000.00", details.Text("amount"))
				require.Contains(t, details.Text("instructions"), "name (Ada Ltd), with the reference")
				require.NotEmpty(t, details.Text(structured))

				reference, ok := creditorref.ParseDeposit(details.Text("reference"))
				require.True(t, ok)

				stored, err := transaction.OnrampsByReference(t.Context(), w.DB, []string{reference})
				require.NoError(t, err)
				require.Equal(t, id, stored[reference].ID)
				require.True(t, stored[reference].ContentUnchanged())

				before := w.Deposits
				w.Deposits = nil

				again := w.Send("GET", "/transactions/"+id+"/bank-details", nil).Status(200)
				require.Equal(t, details.Raw, again.Raw)

				w.Deposits = before
			})
		}
	})
}

// The deposit is the decision: nothing is accepted, and nothing is taken from a wallet.
func TestDepositIsNotAccepted(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		id := w.Submitted(w.Deposit("2000.00", "EUR"))
		w.Post(id, "accept").Refused(409, fault.TxNotForType, "")
		w.Post(id, "check-allowance").Refused(409, fault.TxNotForType, "")

		other := w.Draft(w.Crypto("1.00"))
		a := w.Send("POST", "/transactions/"+other+"/submit", object{"sender": "Ada"})
		a.Refused(422, fault.NotAllowed, "/sender")
		w.Send("GET", "/transactions/"+other+"/bank-details", nil).Refused(409, fault.TxNotForType, "")
	})
}

// A deposit that does not come ends its transaction; one that has come, or that is announced for later, does not
// (D-07).
func TestOverdueDeposits(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		late := w.DB.Now().AddDate(0, 0, 20).Format(time.DateOnly)
		overdue := w.Submitted(w.Deposit("2000.00", "EUR"))
		announced := w.Submitted(
			transactiontest.With(w.Deposit("2000.00", "EUR"), object{"expectedTransferDate": late}),
		)
		named := w.Submitted(w.Deposit("2000.00", "EUR"))
		w.Exec("UPDATE transactions SET settlement_status = 'DEPOSIT_MISMATCH', version = 3 WHERE id = ?", named)

		expire := func() int {
			n, err := onramp.Expire(t.Context(), w.Transactions, 100)
			require.NoError(t, err)

			return n
		}

		require.Zero(t, expire())
		w.Advance(onramp.DepositLifetime + time.Hour)
		require.Equal(t, 1, expire())
		require.Zero(t, expire())

		a := w.Read(overdue)
		require.Equal(t, "FAILED", a.Text("status"))
		require.Contains(t, a.Text("statusInfo"), "No deposit")
		w.Send("GET", "/transactions/"+overdue+"/bank-details", nil).Refused(409, fault.TxNotWaiting, "")
		w.Send("DELETE", "/transactions/"+overdue, nil).Refused(409, fault.TxNotDeletable, "")

		require.Equal(t, "WAITING_ACCEPTANCE", w.Read(announced).Text("status"))
		require.Equal(t, "WAITING_ACCEPTANCE", w.Read(named).Text("status"))
		w.Send("DELETE", "/transactions/"+named, nil).Refused(409, fault.TxDepositAssigned, "")

		w.Advance(20 * 24 * time.Hour)
		require.Equal(t, 1, expire())
		require.Equal(t, "FAILED", w.Read(announced).Text("status"))
	})
}

// The smallest deposit is shown in every currency. Without rates it is refused as everything that needs one, and the
// currencies are listed all the same.
func TestSmallestDeposit(t *testing.T) {
	transactiontest.Each(t, func(t *testing.T, w *transactiontest.World) {
		a := w.Send("GET", "/transactions/min-onramp-amount", nil).Status(200)
		require.Equal(t, "1000.00", a.Text("amount"))
		require.Len(t, a.List("perCurrency"), 2)
		require.Contains(t, a.Raw, `{"currencyIsoCode":"EUR","amount":"900.00"}`)

		w.Market.Down(true)
		w.Send("GET", "/transactions/min-onramp-amount", nil).Refused(503, fault.RateUnavailable, "")
		require.Contains(t, w.Send("GET", "/transactions/onramp-currencies", nil).Status(200).Raw, `"minAmount":null`)

		w.Deposits = nil
		require.Equal(t, "[]", w.Send("GET", "/transactions/onramp-currencies", nil).Status(200).Raw)
	})
}
