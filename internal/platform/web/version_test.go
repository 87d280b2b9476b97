package web

import (
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"
)

// The record of a stored answer is the same whether it is read from its ends or from the whole of it.
func TestRecordOfAStoredAnswer(t *testing.T) {
	e := &endpoint{showsRecord: true}

	for body, atEnds := range map[string]bool{
		`{"_id":"txn_1","status":"DRAFT","version":7}`:                          true,
		`{"_id":"txn_1","payments":[{"_id":"pay_1","version":2}],"version":41}`: true,
		`{"_id":"txn_1","reason":",\"version\":8}","version":3}`:                true,
		`{"_id":"txn_1","version":7,"payments":[]}`:                             false,
		`{"_id":"txn_1","version":7,"sender":{"name":"x","version":2}}`:         false,
		`{"status":"DRAFT","_id":"txn_1","version":7}`:                          false,
		`{"_id":"txn\u005f1","version":7}`:                                      false,
		`{"_id":"txn_1","version":7,"payments":[{"name":"x","version":2}]}`:     false,
		`{"_id":"txn_1","version":7,"comment":"it ends with ,\"version\":2"}`:   false,
		`{"_id":"txn_1","version":7,"comment":"it ends with ,\"version\":2}"}`:  false,
	} {
		var want storedRecord
		require.NoError(t, json.Unmarshal([]byte(body), &want))
		require.Equal(t, want, e.recordOf([]byte(body)), body)

		_, ok := recordAtEnds([]byte(body))
		require.Equal(t, atEnds, ok, body)
	}

	require.Nil(t, e.recordOf([]byte("[]")))
	require.Nil(t, (&endpoint{}).recordOf([]byte(`{"_id":"txn_1","version":7}`)))
}
