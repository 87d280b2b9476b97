package camt

import (
	"bytes"
	"strings"
	"testing"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
)

// F-12: whatever the official schema refuses, the reader refuses or reads right. It never takes the last one of two.
func TestNothingTheSchemaRefusesIsReadWrong(t *testing.T) {
	read := func(file []byte) (string, error) {
		var k keeper

		err := Read(bytes.NewReader(file), iso20022.Limits{}, &k)
		for i := range k.heads {
			k.heads[i].CreatedAt = "" // for people
		}

		return jsonOf([]any{k.heads, k.entries, k.totals}), err
	}

	booked := func(m isotest.Mutant, got string) bool { // a status that is none books nothing
		return m.What == "no word" && strings.Contains(m.Path, "/Sts") && strings.Contains(got, `"Status": "BOKO"`)
	}
	isotest.HoldAgainstSchemas(t, []string{"camt.052", "camt.053", "camt.054"}, lists, read, booked)
}
