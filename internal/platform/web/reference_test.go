package web

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What a reference says of its record beside `_id` must be so: the record can be sent back as it was read, in whole or
// in part, with numbers in groups and other records by what they are known by.
func TestAReferenceSaysWhatItsRecordHolds(t *testing.T) {
	w := newWorld(t, nil)
	check := func(reference string) answer {
		return w.send(
			"POST",
			"/check",
			`{"token":"USDC","note":"","payments":[{"amount":"1","receiver":`+reference+`}]}`,
		)
	}

	for _, reference := range []string{
		`"rcv_1"`,
		`{"_id":"rcv_1"}`,
		`{"_id":"rcv_1","name":"Ada","limit":9,"active":true}`,
		`{"_id":"rcv_1","iban":"ch93 0076 2011 6238 5295 7"}`,
		`{"_id":"rcv_1","country":"CH"}`,
		`{"_id":"rcv_1","country":"ctr_ch"}`,
		`{"_id":"rcv_1","country":{"isoCode":"CH"},"places":[{"_id":"a"},{"_id":"b","isoCode":"B"}]}`,
		`{"_id":"rcv_1","name":null,"places":null,"older":null}`,
		`{"_id":"none","name":"whoever"}`, // the use case says that there is no such record
	} {
		a := check(reference)
		require.Equal(t, 200, a.Code, "%s: %s", reference, a.Body)
	}

	const at = "/payments/0/receiver"
	for reference, want := range map[string]string{
		`{"_id":"rcv_1","iban":"CH5030999000020261121"}`:                   "/iban REFERENCE_MISMATCH",
		`{"\u005fid":"rcv_1","iban":"CH5030999000020261121"}`:              "/iban REFERENCE_MISMATCH",
		`{"_id":"rcv_1","limit":8}`:                                        "/limit REFERENCE_MISMATCH",
		`{"_id":"rcv_1","active":false}`:                                   "/active REFERENCE_MISMATCH",
		`{"_id":"rcv_1","older":"x"}`:                                      "/older REFERENCE_MISMATCH",
		`{"_id":"rcv_1","name":{"_id":"x"}}`:                               "/name REFERENCE_MISMATCH",
		`{"_id":"rcv_1","country":"DE"}`:                                   "/country REFERENCE_MISMATCH",
		`{"_id":"rcv_1","country":{"_id":"ctr_ch","isoCode":"DE"}}`:        "/country/isoCode REFERENCE_MISMATCH",
		`{"_id":"rcv_1","places":[{"_id":"a"}]}`:                           "/places REFERENCE_MISMATCH",
		`{"_id":"rcv_1","places":[{"_id":"a"},{"_id":"c","isoCode":"B"}]}`: "/places/1/_id REFERENCE_MISMATCH",
		`{"_id":"rcv_1","Name":"Ada"}`:                                     "/Name UNKNOWN_FIELD",
		`{"_id":"rcv_1","country":{"_id":"ctr_ch","a/b":1}}`:               "/country/a~1b UNKNOWN_FIELD",
		`{"name":"Ada"}`: "/_id REQUIRED",
	} {
		a := check(reference)
		require.Equal(t, 422, a.Code, "%s: %s", reference, a.Body)
		require.Equal(t, []string{at + want}, a.faults(), reference)
	}

	a := w.send("POST", "/check", `{"token":"USDC","note":"","payments":[{"amount":"1","receiver":"r"}],`+
		`"partner":{"_id":"p","name":"Bo"},"others":["q",{"_id":"r","name":"Cy"}]}`)
	require.ElementsMatch(
		t,
		[]string{"/partner/name REFERENCE_MISMATCH", "/others/1/name REFERENCE_MISMATCH"},
		a.faults(),
	)
}
