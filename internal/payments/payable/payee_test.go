//go:build !nosandbox

package payable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/payments/paymentstest"
)

// whatever is changed about a payee after approval takes the approval back, with the reason. The payable leaves a
// draft, whose submit then names the payment. In a submitted transaction the destination is locked, so the payable
// stays; if that transaction ends without paying it, it is DRAFT.
func TestChangedPayeeTakesApprovalBack(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")

		for name, change := range map[string]func(p payee){
			"receiver": func(p payee) { ada.Do("PATCH", "/receivers/"+p.receiver, object{"lastName": "Meier"}).OK(200) },
			"wallet": func(p payee) {
				ada.Do("PATCH", "/wallets/"+p.wallet, object{"address": paymentstest.Address(p.wallet)}).OK(200)
			},
			"wallet deleted":   func(p payee) { ada.Do("DELETE", "/wallets/"+p.wallet, nil).OK(200) },
			"receiver deleted": func(p payee) { ada.Do("DELETE", "/receivers/"+p.receiver, nil).OK(200) },
		} {
			w.Run(t, name, func(t *testing.T) {
				mallory := newPayee(ada, "Mallory")
				free := approved(ada, mallory.crypto("1.00"))
				other := approved(ada, bob.crypto("2.00"))
				drafted := approved(ada, mallory.crypto("3.00"))
				locked := approved(ada, mallory.crypto("4.00"))
				draft := pay(ada, other, drafted).OK(201).Text("_id")
				submitted := pay(ada, locked).OK(201).Text("_id")
				act(ada, submitted, "submit").OK(200)
				change(mallory)

				ended := objects(t, statusIs(ada, free, "DRAFT", ""), "approvals")[0].(map[string]any)
				require.NotNil(t, ended["endedAt"])
				require.Contains(t, ended["why"], "was changed or deleted")
				pay(ada, free).Refused(422, "PAYABLE_NOT_APPROVED")

				statusIs(ada, other, "APPROVED", draft)
				statusIs(ada, drafted, "DRAFT", "")
				require.Contains(t, act(ada, draft, "submit").OK(422).Raw, `"/payments/1`)

				statusIs(ada, locked, "APPROVED", submitted)
				ada.Do("DELETE", "/transactions/"+submitted, nil).OK(200)
				ended = objects(t, statusIs(ada, locked, "DRAFT", ""), "approvals")[0].(map[string]any)
				require.Contains(t, ended["why"], submitted)
			})
		}
	})
}

// A payable that was approved anew is not the one in the old draft, even if only the payee's name has changed.
func TestApprovalAnewNeedsANewTransaction(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		eva := newPayee(ada, "Eva")
		payable := approved(ada, eva.crypto("1.00"))
		old := pay(ada, payable).OK(201).Text("_id")
		rename := func(name string) {
			ada.Do("PATCH", "/receivers/"+eva.receiver, object{"lastName": name}).OK(200)
		}

		rename("Meier")
		act(ada, old, "submit").Refused(422, "TX_PAYABLE_GONE", "/payments/0 TX_PAYABLE_GONE")
		approve(ada, payable).OK(200)
		act(ada, old, "submit").Refused(422, "TX_PAYABLE_GONE", "/payments/0 TX_PAYABLE_GONE")

		again := accepted(ada, payable)
		rename("Huber")
		w.Finish(again, "COMPLETED")
		statusIs(ada, payable, "PAID", again)
	})
}

// A bank account's number is where the money goes, so changing it takes approvals back. Its bank's name is not.
func TestChangedBankAccountTakesApprovalBack(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		account := ada.BankAccount(bob.receiver, ibanOne)
		payable := approved(ada, bob.fiat(account, "10.00"))

		ada.Do("PATCH", "/bank-accounts/"+account, object{"bankName": "Another name"}).OK(200)
		statusIs(ada, payable, "APPROVED", "")

		ada.Do("PATCH", "/bank-accounts/"+account, object{"iban": ibanTwo}).OK(200)
		statusIs(ada, payable, "DRAFT", "")

		approve(ada, payable).OK(200)
		ada.Do("DELETE", "/bank-accounts/"+account, nil).OK(200)
		statusIs(ada, payable, "DRAFT", "")
		approve(ada, payable).Refused(422, "BANK_ACCOUNT_UNKNOWN", "/bankAccount BANK_ACCOUNT_UNKNOWN")
	})
}

// The organisation's own details are not part of what was approved: they follow what was verified.
func TestOwnDetailsAreNotPartOfAnApproval(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		w.Exec("UPDATE organisations SET default_wallet = ? WHERE id = ?", ada.PayingWallet, ada.Org)

		savings, _ := ada.Wallet(ada.Self)
		payable := approved(ada, payee{ada.Self, savings}.crypto("1.00"))
		ada.Do("PATCH", "/receivers/"+ada.Self, object{"email": "office@ada.example"}).OK(200)

		id := accepted(ada, payable)
		w.Finish(id, "COMPLETED")
		statusIs(ada, payable, "PAID", id)
	})
}

// I7, I8: what has come between approval and submit past the use cases: a payment that is not its payable's, and a
// payable or payee that is not what was approved, are not submitted.
func TestSubmitComparesWithWhatWasApproved(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		mallory := newPayee(ada, "Mallory")
		account := ada.BankAccount(bob.receiver, ibanOne)
		other := ada.BankAccount(bob.receiver, ibanTwo)
		address := ada.Do("GET", "/wallets/"+bob.wallet, nil).OK(200).Text("address")
		crypto := approved(ada, bob.crypto("1.00"))
		fiat := approved(ada, bob.fiat(account, "120.00").With(object{"reference": "RF18539007547034"}))

		for _, x := range []struct{ name, payable, change, undo string }{
			{"amount", crypto, "UPDATE payments SET units = '900000000' WHERE transaction_id = ?", ""},
			{
				"payee", crypto,
				"UPDATE payments SET receiver = '" + mallory.receiver + "', wallet = '" + mallory.wallet +
					"' WHERE transaction_id = ?", "",
			},
			{"token", crypto, "UPDATE transactions SET token = 'USDT' WHERE id = ?", ""},
			{
				"address of the wallet", crypto,
				"UPDATE wallets SET address = '" + paymentstest.Address("thief") + "' WHERE id = '" + bob.wallet + "' AND ? <> ''",
				"UPDATE wallets SET address = '" + address + "' WHERE id = ?",
			},
			{
				"amount of the payable", crypto,
				"UPDATE payables SET units = '2000000' WHERE transaction_id = ?",
				"UPDATE payables SET units = '1000000' WHERE wallet = ?",
			},
			{
				"locked twice", crypto,
				"UPDATE payables SET locked = TRUE WHERE transaction_id = ?",
				"UPDATE payables SET locked = FALSE WHERE wallet = ?",
			},
			{"fiat amount", fiat, "UPDATE payment_terms SET fiat_units = '99900' WHERE transaction_id = ?", ""},
			{"bank account", fiat, "UPDATE payment_terms SET bank_account = '" + other + "' WHERE transaction_id = ?", ""},
			{"no reference", fiat, "UPDATE payment_terms SET reference = '' WHERE transaction_id = ?", ""},
			{"another reference", fiat, "UPDATE payment_terms SET reference = 'RF712348231' WHERE transaction_id = ?", ""},
		} {
			w.Run(t, x.name, func(t *testing.T) {
				id := pay(ada, x.payable).OK(201).Text("_id")
				w.Exec(x.change, id)

				a := act(ada, id, "submit").OK(422)
				require.Equal(t, []string{"/payments/0 TX_PAYABLE_GONE"}, fields(t, a), a.Raw)
				require.Equal(t, "DRAFT", ada.Do("GET", "/transactions/"+id, nil).OK(200).Text("status"))

				if x.undo != "" {
					w.Exec(x.undo, bob.wallet)
				}

				ada.Do("DELETE", "/transactions/"+id, nil).OK(200)
			})
		}

		for _, payable := range []string{crypto, fiat} {
			act(ada, pay(ada, payable).OK(201).Text("_id"), "submit").OK(200)
		}
	})
}
