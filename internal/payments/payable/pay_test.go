//go:build !nosandbox

package payable_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/payments/paymentstest"
	"slipway/internal/payments/transaction"
)

// N-03: payables that are paid together are reserved with the draft, in the order of the request, and PAID with their
// payments.
func TestPayablesArePaidWithTheirTransaction(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		one := approved(ada, bob.crypto("1.00"))
		two := approved(ada, bob.crypto("2.50"))

		once := identitytest.Header{Name: "Idempotency-Key", Value: "one batch"}
		body := object{"payableIds": []string{two, one}, "token": "USDC"}
		draft := ada.Do("POST", "/transactions/payables", body, once).OK(201)
		require.Equal(t, draft.Raw, ada.Do("POST", "/transactions/payables", body, once).OK(201).Raw)

		id := draft.Text("_id")
		require.Equal(t, ada.Payer, draft.Text("walletAddress"))

		for i, want := range []struct{ payable, amount string }{{two, "2.50"}, {one, "1.00"}} {
			payment := objects(t, ada.Do("GET", "/transactions/"+id, nil).OK(200), "payments")[i].(map[string]any)
			require.Equal(t, want.payable, payment["payable"])
			require.Equal(t, want.amount, payment["amount"])
			require.Equal(t, payment["_id"], statusIs(ada, want.payable, "APPROVED", id).Text("payment.paymentId"))
		}

		ada.Do("POST", "/payables/"+two+"/reopen", nil).Refused(409, "PAYABLE_RESERVED")

		reserved := []string{"/payableIds/0 PAYABLE_RESERVED", "/payableIds/1 PAYABLE_RESERVED"}
		pay(ada, one, two).Refused(422, "VALIDATION", reserved...)
		ada.Do("PUT", "/transactions/"+id, object{
			"type":          "CRYPTO",
			"token":         "USDC",
			"walletAddress": ada.Payer,
			"payments": []object{{
				"type":     "CRYPTO",
				"receiver": bob.receiver,
				"wallet":   bob.wallet,
				"amount":   "9",
				"reason":   "x",
			}},
		}).Refused(409, "TX_OF_PAYABLES")

		act(ada, id, "submit").OK(200)
		act(ada, id, "accept").OK(200)
		statusIs(ada, two, "APPROVED", id)
		w.Finish(id, transaction.PaymentCompleted, transaction.PaymentCompleted)

		for _, payable := range []string{one, two} {
			a := statusIs(ada, payable, "PAID", id)
			require.NotEmpty(t, a.Text("paidAt"))
			require.Equal(t, "COMPLETED", a.Text("payment.status"))
			pay(ada, payable).Refused(422, "PAYABLE_NOT_APPROVED", "/payableIds/0 PAYABLE_NOT_APPROVED")

			events := w.Count("SELECT count(*) FROM events WHERE object = ? AND type = 'payable.paid'", payable)
			require.EqualValues(t, 1, events)
		}
	})
}

// I7: a payable whose payment was not made is free again and still approved, however its transaction ended.
func TestPayableIsFreeWhenItsPaymentIsNotMade(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		remove := func(id string) { ada.Do("DELETE", "/transactions/"+id, nil).OK(200) }

		for name, end := range map[string]func(ids ...string){
			"its payment failed": func(ids ...string) {
				w.Finish(accepted(ada, ids...), transaction.PaymentFailed, transaction.PaymentCompleted)
			},
			"the transaction failed": func(ids ...string) {
				w.Finish(accepted(ada, ids...), transaction.PaymentFailed, transaction.PaymentFailed)
			},
			"the draft was deleted": func(ids ...string) { remove(pay(ada, ids...).OK(201).Text("_id")) },
			"it was deleted after submit": func(ids ...string) {
				id := pay(ada, ids...).OK(201).Text("_id")
				act(ada, id, "submit").OK(200)
				remove(id)
			},
		} {
			w.Run(t, name, func(t *testing.T) {
				payable := approved(ada, bob.crypto("1.00"))
				end(payable, approved(ada, bob.crypto("2.00")))
				statusIs(ada, payable, "APPROVED", "")
				require.Contains(t, texts(t, read(ada, payable), "allowedActions"), "pay")

				again := accepted(ada, payable)
				w.Finish(again, transaction.PaymentCompleted)
				statusIs(ada, payable, "PAID", again)
				require.EqualValues(
					t,
					2,
					w.Count("SELECT count(*) FROM payable_reservations WHERE payable = ?", payable),
					"every attempt is on record",
				)
			})
		}
	})
}

// Everything that cannot be paid is named at its place in the request, at once.
func TestPayNamesWhatCannotBePaid(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		eve := w.Founder("Eve")
		bob := newPayee(ada, "Bob")
		good := approved(ada, bob.crypto("1.00"))
		dai := approved(ada, bob.crypto("1.00").With(object{"tokenIsoCode": "DAI"}))
		fiat := approved(ada, bob.fiat(ada.BankAccount(bob.receiver, ibanOne), "10.00"))
		draft := create(ada, bob.crypto("2.00"))
		theirs := approved(eve, newPayee(eve, "Dan").crypto("1.00"))
		reserved := approved(ada, bob.crypto("3.00"))
		pay(ada, reserved).OK(201)

		for _, x := range []struct {
			name string
			ids  []string
			want []string
		}{
			{"a draft", []string{draft}, []string{"/payableIds/0 PAYABLE_NOT_APPROVED"}},
			{"of another organisation", []string{theirs}, []string{"/payableIds/0 PAYABLE_UNKNOWN"}},
			{"of nobody", []string{good, "pbl_nobody"}, []string{"/payableIds/1 PAYABLE_UNKNOWN"}},
			{"one twice", []string{good, draft, good}, []string{"/payableIds/1 PAYABLE_NOT_APPROVED", "/payableIds/2 PAYABLE_TWICE"}},
			{"two types", []string{good, fiat}, []string{"/payableIds/1 PAYABLE_TYPE_MIXED"}},
			{"two tokens", []string{good, dai}, []string{"/payableIds/1 TOKEN_SWAP_UNAVAILABLE"}},
			{"reserved", []string{reserved}, []string{"/payableIds/0 PAYABLE_RESERVED"}},
		} {
			w.Run(t, x.name, func(t *testing.T) {
				a := pay(ada, x.ids...).OK(422)
				require.Equal(t, x.want, fields(t, a), a.Raw)
			})
		}

		for n, ids := range map[string][]string{"none": {}, "too many": make([]string, 31)} {
			w.Run(t, n, func(t *testing.T) { pay(ada, ids...).OK(422) })
		}

		statusIs(ada, good, "APPROVED", "")
	})
}

// Payables are paid from the default wallet; without one from the wallet that holds the sum, else from the oldest
// proven one. The interface asks for no more than the payables and the token, so which one it is is told and never
// asked.
func TestPayFindsThePayingWallet(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		payable := approved(ada, bob.crypto("1.00"))
		setDefault := func(walletID, token string) {
			const set = "UPDATE organisations SET default_wallet = ?, default_token = ? WHERE id = ?"
			w.Exec(set, walletID, token, ada.Org)
		}
		paidFrom := func(token string) string {
			body := object{"payableIds": []string{payable}, "token": token}
			a := ada.Do("POST", "/transactions/payables", body).OK(201)
			ada.Do("DELETE", "/transactions/"+a.Text("_id"), nil).OK(200)

			return a.Text("walletAddress")
		}
		ada.Do("POST", "/transactions/payables", object{"payableIds": []string{payable}}).Refused(
			422,
			"REQUIRED",
			"/token REQUIRED",
		)
		require.Equal(t, ada.Payer, paidFrom("USDC"))

		second, address := ada.Wallet(ada.Self)
		require.Equal(t, ada.Payer, paidFrom("USDC"), "both hold it: the older one")

		setDefault(second, "USDC")
		require.Equal(t, address, paidFrom("USDC"))
		require.Equal(t, address, paidFrom(""), "the default token, too")

		setDefault("", "")
		w.Node.Empty(common.HexToAddress(ada.Payer))
		w.DB.Clock().Advance(time.Minute) // the chain's last answer is old
		require.Equal(t, address, paidFrom("USDC"), "the one that holds the sum")

		w.Node.Empty(common.HexToAddress(address))
		w.DB.Clock().Advance(time.Minute)
		require.Equal(t, ada.Payer, paidFrom("USDC"), "none does: the older one")

		setDefault(second, "USDC")
		ada.Do("DELETE", "/wallets/"+second, nil).OK(200)
		require.Equal(t, ada.Payer, paidFrom("USDC"), "the default one is deleted")

		w.Exec("UPDATE wallets SET ownership_status = 'REVOKED' WHERE organisation = ?", ada.Org)
		pay(ada, payable).Refused(422, "DEFAULT_WALLET_MISSING")
	})
}
