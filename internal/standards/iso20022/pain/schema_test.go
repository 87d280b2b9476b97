package pain

import (
	"bytes"
	"fmt"
	"testing"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/isotest"
)

// F-12: whatever the official schema refuses, the reader refuses or reads right. It never takes the last one of two.
func TestNothingTheSchemaRefusesIsReadWrong(t *testing.T) {
	read := func(file []byte) (string, error) {
		out := ""
		err := Read002(bytes.NewReader(file), iso20022.Limits{}, func(s Status) error {
			s.CreatedAt = "" // for people
			out += fmt.Sprintf("%+v\n", s)
			return nil
		})

		return out, err
	}

	none := func(isotest.Mutant, string) bool { return false }
	isotest.HoldAgainstSchemas(t, []string{"pain.002"}, lists, read, none)
}
