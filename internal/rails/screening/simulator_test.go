//go:build !nosandbox

package screening_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/screening"
)

// What the sandbox lists is found in disguise too, so that an integration can try that.
func TestSimulatorReadsNamesAsListsDo(t *testing.T) {
	for _, name := range []string{
		"SANCTIONED", "sanctioned AG", "SANC\u200bTIONED", "S\u0410N\u0421TIONED", "SANC TIONED", "Final\u00adReject", "FINAL REJECT Ltd.",
	} {
		hits, err := screening.Simulator{}.Match(name, 85)
		require.NoError(t, err, name)
		require.Len(t, hits, 1, name)
		require.Equal(t, 100, hits[0].Score, name)
	}

	for _, name := range []string{"SANCTION", "Acme AG", "AG"} {
		hits, err := screening.Simulator{}.Match(name, 85)
		require.NoError(t, err)
		require.Empty(t, hits, name)
	}
}
