//go:build !nosandbox

package payable_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/payments/paymentstest"
)

// An approval is recorded with its person and comment, and ends when it is taken back.
func TestApprovalIsRecordedUntilItIsTakenBack(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		id := create(ada, newPayee(ada, "Bob").crypto("1.00"))
		approval := func(a identitytest.Answer) map[string]any {
			list := objects(t, a, "approvals")
			return list[len(list)-1].(map[string]any)
		}

		a := ada.Do("POST", "/payables/"+id+"/approve", object{"comment": "As agreed"}).OK(200)
		require.Equal(t, []any{ada.User, "As agreed"}, []any{approval(a)["by"], approval(a)["comment"]})
		require.Nil(t, approval(a)["endedAt"])

		a = ada.Do("POST", "/payables/"+id+"/reopen", object{"reason": "Later"}).OK(200)
		require.Equal(t, "DRAFT", a.Text("status"))
		require.Contains(t, approval(a), "endedAt")
		require.Equal(t, "Taken back. Later", approval(a)["why"])
		ada.Do("POST", "/payables/"+id+"/reopen", nil).Refused(409, "PAYABLE_NOT_APPROVED")

		approve(ada, id).OK(200)
		require.Len(t, objects(t, read(ada, id), "approvals"), 2)
	})
}

// Who may write payables need not be allowed to approve them, and the other way round.
func TestApprovalNeedsARole(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		bob := newPayee(ada, "Bob")

		for _, x := range []struct {
			role           string
			writes, decide bool
		}{
			{"viewer", false, false},
			{"initiator", true, false},
			{"approver", false, true},
			{"admin", true, true},
		} {
			w.Run(t, x.role, func(t *testing.T) {
				ben := ada.Colleague("Ben"+x.role, x.role)
				id := create(ada, bob.crypto("1.00"))

				status := map[bool]int{true: 201, false: 403}
				ben.Do("POST", "/payables", bob.crypto("2.00")).OK(status[x.writes])

				if x.decide {
					approve(ben, id).OK(200)
					return
				}

				approve(ben, id).Refused(403, "ROLE_REQUIRED")
				statusIs(ada, id, "DRAFT", "")
			})
		}
	})
}

// Z-07: under four eyes neither who has created a payable nor who has changed it approves it, except below the limit.
func TestFourEyesNeedAPersonWhoHasNotWritten(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		ben := ada.Colleague("Ben", "authorized", "admin")
		cleo := ada.Colleague("Cleo", "initiator")
		bob := newPayee(ada, "Bob")
		ada.Policy(object{"fourEyes": true, "fourEyesLimits": []object{{"currency": "USDC", "amount": "10.00"}}})

		small := create(ada, bob.crypto("10.00"))
		large := create(ada, bob.crypto("10.000001"))
		edited := create(ben, bob.crypto("20.00"))
		clerks := create(cleo, bob.crypto("30.00"))
		ada.Do("PATCH", "/payables/"+edited, object{"amount": "21.00"}).OK(200)

		for _, x := range []struct {
			name    string
			who     *paymentstest.Member
			payable string
		}{
			{"who has created it", ada, large},
			{"who has changed it", ada, edited},
			{"who has created it before another changed it", ben, edited},
		} {
			w.Run(t, x.name, func(t *testing.T) {
				approve(x.who, x.payable).Refused(403, "SECOND_PERSON_REQUIRED")
				require.NotContains(t, texts(t, read(x.who, x.payable), "allowedActions"), "approve")
			})
		}

		approve(ada, small).OK(200)
		approve(ben, large).OK(200)
		approve(ada, clerks).OK(200)
		statusIs(ada, edited, "DRAFT", "")

		id := pay(cleo, large, clerks).OK(201).Text("_id")
		act(cleo, id, "submit").OK(200)
		act(ada, id, "accept").Refused(403, "SECOND_PERSON_REQUIRED") // she has written one of them
		act(ben, id, "accept").OK(200)
	})
}

// Of several payables each is approved or refused by itself, in the order of the request.
func TestApproveAllSaysWhatBecameOfEach(t *testing.T) {
	paymentstest.Each(t, func(t *testing.T, w *paymentstest.World) {
		ada := w.Founder("Ada")
		ada.Colleague("Ben", "admin")

		cleo := ada.Colleague("Cleo", "initiator")
		bob := newPayee(ada, "Bob")
		ada.Policy(object{"fourEyes": true})

		own := create(ada, bob.crypto("1.00"))
		clerks := create(cleo, bob.crypto("2.00"))
		done := create(cleo, bob.crypto("3.00"))
		approve(ada, done).OK(200)

		ids := []string{own, clerks, done, clerks, "pbl_nobody"}
		a := ada.Do("POST", "/payables/approve", object{"ids": ids}).OK(200)
		require.EqualValues(t, []any{1.0, 4.0}, []any{a.Body["approved"], a.Body["refused"]})

		for i, want := range []string{"SECOND_PERSON_REQUIRED", "", "PAYABLE_NOT_DRAFT", "PAYABLE_TWICE", "NOT_FOUND"} {
			outcome := a.Results()[i]
			require.Equal(t, ids[i], outcome["_id"])

			refusal, refused := outcome["error"].(map[string]any)
			require.Equal(t, want != "", refused, a.Raw)

			if refused {
				require.Equal(t, want, refusal["code"])
			}
		}

		statusIs(ada, clerks, "APPROVED", "")
		statusIs(ada, own, "DRAFT", "")
	})
}
