package slipway_test

import (
	"encoding/json"
	"slipway-client"
	"testing"
)

func TestADecimalKeepsItsDigits(t *testing.T) {
	for _, good := range []string{"0", "1.50", "-0.000000000000000001", "123456789012345678901234567890.12"} {
		d, err := slipway.ParseDecimal(good)
		check(t, err)

		raw, err := json.Marshal(d)
		check(t, err)
		equal(t, `"`+good+`"`, string(raw))

		var back slipway.Decimal
		check(t, json.Unmarshal(raw, &back))
		equal(t, d, back)
	}

	for _, bad := range []string{"", "1e3", "1,5", ".5", "5.", "+1", " 1", "NaN", "0x1"} {
		if _, err := slipway.ParseDecimal(bad); err == nil {
			t.Error(bad)
		}

		if raw, err := json.Marshal(slipway.Decimal(bad)); err == nil {
			t.Errorf("%s was sent as %s", bad, raw)
		}
	}

	var d slipway.Decimal
	if err := json.Unmarshal([]byte(`1.5`), &d); err == nil {
		t.Error("a number was read")
	}

	check(t, json.Unmarshal([]byte(`null`), &d))
	equal(t, "", string(d))
	equal(t, 0, slipway.Decimal("1.5").Cmp("1.50"))
	equal(t, -1, slipway.Decimal("0.1").Cmp("0.11"))
	equal(
		t,
		"3/10",
		new(slipway.Decimal("0.1")).Rat().Add(slipway.Decimal("0.1").Rat(), slipway.Decimal("0.2").Rat()).String(),
	)
}

// In a PATCH absent keeps, null removes, and an empty text is a value.
func TestAPatchTellsAbsentFromNull(t *testing.T) {
	for want, body := range map[string]slipway.ChangeWebhookEndpointRequest{
		`{}`:                      {},
		`{"description":null}`:    {Description: slipway.Null[string]()},
		`{"description":""}`:      {Description: slipway.Set("")},
		`{"isEnabled":false}`:     {IsEnabled: new(false)},
		`{"description":"new x"}`: {Description: slipway.Set("new x")},
	} {
		raw, err := json.Marshal(body)
		check(t, err)
		equal(t, want, string(raw))
	}
}

// What is empty in a body that makes something is left out, so that the service's own choice holds.
func TestABodyLeavesOutWhatIsEmpty(t *testing.T) {
	raw, err := json.Marshal(slipway.TransactionInput{
		Type:     "CRYPTO",
		Payments: []slipway.TransactionPaymentInput{{Type: "CRYPTO", Receiver: "rcv_1", Amount: "1.50"}},
	})
	check(t, err)
	equal(t, `{"payments":[{"amount":"1.50","receiver":"rcv_1","type":"CRYPTO"}],"type":"CRYPTO"}`, string(raw))
}
