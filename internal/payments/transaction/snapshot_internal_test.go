package transaction

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/directory/receiver"
)

// TestPayeeIsTheNameThatWasLocked gives receivers names of any characters, also such as look like a field of the copy,
// and reads them back from it.
func TestPayeeIsTheNameThatWasLocked(t *testing.T) {
	name := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[a-z"\\:{}<&]{0,8}`),
		rapid.SampledFrom([]string{`","legalName":"Mallory`, `\`, `\"`, `Zoë "Zo" Müller`, `address":{`}),
	)

	rapid.Check(t, func(t *rapid.T) {
		r := receiver.Receiver{
			ID:        "rcv_1",
			FirstName: name.Draw(t, "first"),
			LastName:  name.Draw(t, "last"),
			LegalName: name.Draw(t, "legal"),
		}
		r.Address.City = name.Draw(t, "city")

		want := strings.TrimSpace(r.LegalName)
		if want == "" {
			want = strings.TrimSpace(r.FirstName + " " + r.LastName)
		}

		require.Equal(t, want, Payment{Snapshot: snapshotOf(r).text()}.Payee())
		require.Equal(t, want, Payment{Snapshot: CreditorSnapshot(r)}.Payee())
	})

	require.Empty(t, Payment{}.Payee())
}
