package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/config"
	"slipway/internal/platform/secret"
)

// what the configuration says of a network has an effect: the rail gets the time between two looks, and whether
// blocks are proven.
func TestSettingsOfANetworkReachTheRail(t *testing.T) {
	n := config.Network{
		ID:               "one",
		ChainID:          7,
		RPCURLs:          []secret.Text{"https://a.example", "https://b.example"},
		MaxFeePerGasGwei: "3",
		StuckAfter:       time.Minute,
		Poll:             250 * time.Millisecond,
		FinalityDepth:    12,
	}
	rail := networkOf(n).Rail
	require.Equal(t, 250*time.Millisecond, rail.Poll)
	require.Equal(t, time.Minute, rail.StuckAfter)
	require.EqualValues(t, 12, rail.Finality.Depth)
	require.EqualValues(t, 3_000_000_000, rail.MaxFeePerGasWei.Int64())
	require.Equal(t, []string{"https://a.example", "https://b.example"}, rail.URLs)
	require.False(t, rail.SkipProof)

	n.SkipProofBecause = "its hashes are another library's"
	require.True(t, networkOf(n).Rail.SkipProof)
}
