//go:build !nosandbox

package app_test

import (
	"testing"

	"slipway/internal/app/apptest"
)

// Z-07: whoever wrote a payable has had a part in the payment of it, and whoever has only approved it has none. The
// sentence of the policy (organisation.Policy.Sentences) says so.
func TestWhoeverHasOnlyApprovedAPayableMayAcceptIt(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Northwind Trading")
		ada := c.Colleague("Ada", "authorized", "admin")
		berta := c.Colleague("Berta", "authorized", "approver")
		cleo := c.Colleague("Cleo", "authorized", "initiator")
		account := c.NewBankAccount("EUR", "000")
		c.Do("PUT", "/organisations/"+c.Org+"/approval-policy", object{
			"fourEyes": true, "payeeApproval": false, "payeeDelayHours": 0,
		}).OK(200)

		payable := ada.Do("POST", "/payables", object{
			"name":            "Letterheads",
			"type":            "FIAT",
			"amount":          "480.00",
			"currencyIsoCode": "EUR",
			"reason":          "Letterheads",
			"receiver":        c.Receiver,
			"bankAccount":     account,
		}).OK(201).ID()
		berta.Do("POST", "/payables/"+payable+"/approve", object{}).OK(200)

		paying := object{"payableIds": []string{payable}, "token": "USDC"}
		id := cleo.Do("POST", "/transactions/payables", paying).OK(201).ID()
		cleo.Act(id, "check-allowance").OK(200)
		cleo.Act(id, "submit").OK(200)

		cleo.Act(id, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
		ada.Act(id, "accept").Refused(403, "SECOND_PERSON_REQUIRED")
		berta.Act(id, "accept").OK(200)
	})
}
