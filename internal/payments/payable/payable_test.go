//go:build !nosandbox

package payable_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/payments/paymentstest"
)

// What a member may do next follows from the state, and the counts follow every move.
func TestAllowedActionsFollowTheStatus(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		ids := map[string]string{}

		for _, name := range []string{"draft", "rejected", "approved", "reserved", "paid"} {
			ids[name] = create(ada, bob.crypto("1.00"))
		}

		ada.Do("POST", "/payables/"+ids["rejected"]+"/reject", object{"reason": "Wrong supplier"}).OK(200)

		good := []string{ids["approved"], ids["reserved"], ids["paid"]}
		ada.Do("POST", "/payables/approve", object{"ids": good}).OK(200)
		pay(ada, ids["reserved"]).OK(201)
		w.Finish(accepted(ada, ids["paid"]), "COMPLETED")

		for name, want := range map[string][]string{
			"draft":    {"update", "approve", "reject", "duplicate"},
			"rejected": {"duplicate"},
			"approved": {"pay", "reopen", "duplicate"},
			"reserved": {"duplicate"},
			"paid":     {"duplicate"},
		} {
			w.Run(t, name, func(t *testing.T) {
				require.Equal(t, want, texts(t, read(ada, ids[name]), "allowedActions"))
			})
		}

		require.Equal(
			t,
			`{"DRAFT":1,"APPROVED":2,"REJECTED":1,"PAID":1,"total":5}`,
			ada.Do("GET", "/payables/counts", nil).OK(200).Raw,
		)
	})
}

// Nothing but a DRAFT is changed, rejected or approved.
func TestOnlyDraftsAreChanged(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		rejected := create(ada, bob.crypto("1.00"))
		ada.Do("POST", "/payables/"+rejected+"/reject", object{"reason": "Wrong supplier"}).OK(200)

		paid := approved(ada, bob.crypto("2.00"))
		w.Finish(accepted(ada, paid), "COMPLETED")

		for name, id := range map[string]string{
			"approved": approved(ada, bob.crypto("3.00")),
			"rejected": rejected,
			"paid":     paid,
		} {
			w.Run(t, name, func(t *testing.T) {
				before := read(ada, id).Raw
				ada.Do("PATCH", "/payables/"+id, object{"amount": "9"}).Refused(409, "PAYABLE_NOT_DRAFT")
				ada.Do("POST", "/payables/"+id+"/reject", object{"reason": "No"}).Refused(409, "PAYABLE_NOT_DRAFT")
				approve(ada, id).Refused(409, "PAYABLE_NOT_DRAFT")
				require.Equal(t, before, read(ada, id).Raw)
			})
		}
	})
}

// A change keeps what it does not name, and drops the fields of the type that a payable no longer has.
func TestChangeKeepsWhatItDoesNotName(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		account := ada.BankAccount(bob.receiver, ibanOne)
		body := bob.fiat(account, "10.00").With(object{
			"reference":           "RF18 5390 0754 7034",
			"invoiceNumber":       "RE-7",
			"expectedPaymentDate": "2026-12-24T10:00:00+02:00",
		})
		id := create(ada, body)

		a := ada.Do("PATCH", "/payables/"+id, object{"amount": "11.5"}).OK(200)
		require.Equal(t, "11.50", a.Text("amount"))
		require.Equal(t, "RF18539007547034", a.Text("reference"), "in electronic form")
		require.Equal(t, "2026-12-24", a.Text("expectedPaymentDate"))
		require.Equal(t, "RE-7", a.Text("invoiceNumber"))
		require.EqualValues(t, 2, a.Body["version"])

		a = ada.Do("PATCH", "/payables/"+id, object{
			"type":         "CRYPTO",
			"wallet":       bob.wallet,
			"tokenIsoCode": "USDT",
			"amount":       "3.5",
		}).OK(200)
		require.Equal(t, []string{"CRYPTO", "3.50"}, []string{a.Text("type"), a.Text("amount")})

		for _, gone := range []string{"bankAccount", "currencyIsoCode", "reference"} {
			require.Nil(t, a.Body[gone])
		}
	})
}

// N-04: a change that was written against an older version is refused and changes nothing.
func TestChangeOfAnOlderVersionIsRefused(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		id := create(ada, newPayee(ada, "Bob").crypto("1.00"))
		seen := func(version string) identitytest.Header {
			return identitytest.Header{Name: "If-Match", Value: `"` + version + `"`}
		}

		ada.Do("PATCH", "/payables/"+id, object{"amount": "2"}, seen("7")).Refused(412, "VERSION_MISMATCH")
		ada.Do("POST", "/payables/"+id+"/approve", nil, seen("7")).Refused(412, "VERSION_MISMATCH")
		require.EqualValues(t, 1, read(ada, id).Body["version"])

		ada.Do("PATCH", "/payables/"+id, object{"amount": "2"}, seen("1")).OK(200)
		ada.Do("POST", "/payables/"+id+"/approve", nil, seen("2")).OK(200)
	})
}

// A rejection names who has rejected and why. What was rejected can be made anew, and is then like no other.
func TestRejectionIsFinalAndHasAReason(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		id := create(ada, newPayee(ada, "Bob").crypto("1.00"))
		reject := func(reason string) identitytest.Answer {
			return ada.Do("POST", "/payables/"+id+"/reject", object{"reason": reason})
		}

		reject("  ").Refused(422, "REQUIRED", "/reason REQUIRED")
		a := reject("Wrong supplier").OK(200)
		require.Equal(t, "Wrong supplier", a.Text("rejection.reason"))
		require.Equal(t, ada.User, a.Text("rejection.by"))

		again := ada.Do("POST", "/payables/"+id+"/duplicate", nil).OK(201)
		require.Equal(t, "DRAFT", again.Text("status"))
		require.Equal(t, "1.00", again.Text("amount"))
		require.Nil(t, again.Body["rejection"])
		require.Empty(t, objects(t, again, "warnings"))
	})
}

// Z-02: another organisation's payable does not exist, whatever is asked of it.
func TestPayablesOfOthersDoNotExist(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		eve := w.Founder("Eve")
		id := approved(ada, newPayee(ada, "Bob").crypto("1.00"))

		for _, x := range []struct {
			method, path string
			body         any
		}{
			{"GET", "", nil},
			{"PATCH", "", object{"amount": "2"}},
			{"POST", "/approve", nil},
			{"POST", "/reject", object{"reason": "x"}},
			{"POST", "/duplicate", nil},
			{"POST", "/reopen", nil},
		} {
			w.Run(t, x.method+x.path, func(t *testing.T) {
				eve.Do(x.method, "/payables/"+id+x.path, x.body).Refused(404, "NOT_FOUND")
			})
		}

		pay(eve, id).Refused(422, "PAYABLE_UNKNOWN", "/payableIds/0 PAYABLE_UNKNOWN")
		require.NotContains(t, eve.Do("GET", "/payables/me", nil).OK(200).Raw, id)
		statusIs(ada, id, "APPROVED", "")
	})
}

// Payables with the same receiver, amount and number are warned of, however the number is written. Nothing is kept from
// happening.
func TestPayablesThatLookAlikeAreWarnedOf(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")
		numbered := func(amount, number string) identitytest.Answer {
			return ada.Do("POST", "/payables", bob.crypto(amount).With(object{"invoiceNumber": number})).OK(201)
		}
		alike := func(a identitytest.Answer) []any {
			warnings := objects(t, a, "warnings")
			if len(warnings) == 0 {
				return nil
			}

			require.Len(t, warnings, 1)
			warning := warnings[0].(map[string]any)
			require.Equal(t, "POSSIBLE_DUPLICATE", warning["code"])

			return warning["payables"].([]any)
		}

		first := numbered("1.00", "RE-2026/117")
		require.Empty(t, alike(first))
		require.Empty(t, alike(numbered("1.00", "RE-2026/118")))
		require.Empty(t, alike(numbered("1.01", "RE-2026/117")))

		same := numbered("1.0", "ré 2026\u2011117")
		require.Equal(t, []any{first.Text("_id")}, alike(same))
		require.Equal(t, []any{same.Text("_id")}, alike(read(ada, first.Text("_id"))))

		const ninetyOneDays = int64(91*24) * 3_600_000_000
		w.Exec("UPDATE payables SET created_at = created_at - ? WHERE id = ?", ninetyOneDays, first.Text("_id"))
		require.Empty(t, alike(read(ada, same.Text("_id"))), "after 90 days it is another invoice")
	})
}

// Every refusal of a body has its field and code, and all of them come at once.
func TestRefusedBodies(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		eve := w.Founder("Eve")
		bob := newPayee(ada, "Bob")
		carol := newPayee(ada, "Carol")
		foreign := newPayee(eve, "Dan")
		account := ada.BankAccount(bob.receiver, ibanOne)
		theirs := eve.BankAccount(foreign.receiver, ibanTwo)
		crypto := bob.crypto("1.00")
		fiat := bob.fiat(account, "10.00")

		for _, x := range []struct {
			name   string
			body   object
			change object
			want   []string
		}{
			{
				"no name, amount or reason", crypto,
				object{"name": " ", "amount": "", "reason": ""},
				[]string{"/name REQUIRED", "/amount REQUIRED", "/reason REQUIRED"},
			},
			{
				"control characters", crypto,
				object{"name": "a\u202eb", "invoiceNumber": "1\n2"},
				[]string{"/name FORMAT_INVALID", "/invoiceNumber FORMAT_INVALID"},
			},
			{
				"receiver of another organisation", crypto,
				object{"receiver": foreign.receiver},
				[]string{"/receiver RECEIVER_UNKNOWN", "/wallet WALLET_UNKNOWN"},
			},
			{"no receiver", crypto, object{"receiver": ""}, []string{"/receiver REQUIRED"}},
			{"wallet of another organisation", crypto, object{"wallet": foreign.wallet}, []string{"/wallet WALLET_UNKNOWN"}},
			{"wallet of another receiver", crypto, object{"receiver": carol.receiver}, []string{"/wallet WALLET_UNKNOWN"}},
			{
				"no wallet, no token", crypto,
				object{"wallet": "", "tokenIsoCode": ""},
				[]string{"/wallet REQUIRED", "/tokenIsoCode REQUIRED"},
			},
			{"a coin", crypto, object{"tokenIsoCode": "ETH"}, []string{"/tokenIsoCode TOKEN_UNKNOWN"}},
			{"seven decimals", crypto, object{"amount": "1.0000001"}, []string{"/amount AMOUNT_PRECISION"}},
			{"more than a payment takes", crypto, object{"amount": strings.Repeat("9", 40)}, []string{"/amount AMOUNT_TOO_LARGE"}},
			{"nothing", crypto, object{"amount": "0.00"}, []string{"/amount AMOUNT_ZERO"}},
			{
				"fields of FIAT", crypto,
				object{"bankAccount": account, "currencyIsoCode": "EUR", "reference": "RF18539007547034"},
				[]string{"/bankAccount NOT_ALLOWED", "/currencyIsoCode NOT_ALLOWED", "/reference NOT_ALLOWED"},
			},
			{
				"fields of CRYPTO", fiat,
				object{"wallet": bob.wallet, "tokenIsoCode": "USDC"},
				[]string{"/wallet NOT_ALLOWED", "/tokenIsoCode NOT_ALLOWED"},
			},
			{"account of another organisation", fiat, object{"bankAccount": theirs}, []string{"/bankAccount BANK_ACCOUNT_UNKNOWN"}},
			{"account of another receiver", fiat, object{"receiver": carol.receiver}, []string{"/bankAccount BANK_ACCOUNT_UNKNOWN"}},
			{"currency of another account", fiat, object{"currencyIsoCode": "USD"}, []string{"/currencyIsoCode CURRENCY_MISMATCH"}},
			{"three decimals of euro", fiat, object{"amount": "1.001"}, []string{"/amount AMOUNT_PRECISION"}},
			{"mistyped reference", fiat, object{"reference": "RF19539007547034"}, []string{"/reference CREDITOR_REFERENCE_INVALID"}},
			{"no date", fiat, object{"expectedPaymentDate": "soon"}, []string{"/expectedPaymentDate FORMAT_INVALID"}},
			{"a date of another age", fiat, object{"expectedPaymentDate": "0026-11-30"}, []string{"/expectedPaymentDate OUT_OF_RANGE"}},
			{"document that was not uploaded", fiat, object{"documentStorageKey": "doc_none"}, []string{"/documentStorageKey DOCUMENT_UNKNOWN"}},
			{"a status", crypto, object{"status": "APPROVED"}, []string{"/status NOT_IN_ENUM"}},
			{
				"all at once", fiat,
				object{
					"reason":          "a\nb",
					"receiver":        "x",
					"amount":          "-1",
					"bankAccount":     "",
					"currencyIsoCode": "",
					"wallet":          "x",
				},
				[]string{
					"/reason FORMAT_INVALID",
					"/receiver RECEIVER_UNKNOWN",
					"/amount AMOUNT_INVALID",
					"/bankAccount REQUIRED",
					"/currencyIsoCode REQUIRED",
					"/wallet NOT_ALLOWED",
				},
			},
		} {
			w.Run(t, x.name, func(t *testing.T) {
				a := ada.Do("POST", "/payables", x.body.With(x.change)).OK(422)
				require.ElementsMatch(t, x.want, fields(t, a), a.Raw)
			})
		}

		ada.Do("POST", "/payables", crypto.With(object{"fingerprint": "x"})).OK(422)

		id := create(ada, fiat)
		ada.Do("PATCH", "/payables/"+id, object{"amount": "1.001", "bankAccount": theirs}).Refused(
			422,
			"VALIDATION",
			"/amount AMOUNT_PRECISION",
			"/bankAccount BANK_ACCOUNT_UNKNOWN",
		)
		require.EqualValues(t, 1, read(ada, id).Body["version"])
	})
}
