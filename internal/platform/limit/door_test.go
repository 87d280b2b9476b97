package limit_test

import (
	"crypto/sha256"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
)

func door(t *testing.T, events int) *limit.Door {
	t.Helper()

	keys, err := secret.ParseKeyring(secret.NewKey("k1"))
	require.NoError(t, err)

	return limit.NewDoor(limit.Rate{Events: events, Per: time.Minute}, "test", keys)
}

// asked returns how many bits a challenge asks for.
func asked(t *testing.T, challenge string) int {
	t.Helper()

	n, err := strconv.Atoi(strings.Split(challenge, ".")[1])
	require.NoError(t, err)

	return n
}

// solved returns a proof of a challenge.
func solved(t *testing.T, challenge string) string {
	t.Helper()

	want := asked(t, challenge)
	seed := sha256.Sum256([]byte(challenge))

	for n := 0; ; n++ {
		number := strconv.Itoa(n)
		hash := sha256.Sum256(append(seed[:], number...))

		first := uint32(hash[0])<<24 | uint32(hash[1])<<16 | uint32(hash[2])<<8 | uint32(hash[3])
		if bits.LeadingZeros32(first) >= want {
			return challenge + "." + number
		}
	}
}

// A network has an eighth of what is free, whatever its addresses, and what is taken back is free again.
func TestADoorIsFairByNetwork(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	d := door(t, 16)

	require.True(t, d.Enter("203.0.113.1", now))
	require.True(t, d.Enter("203.0.113.200", now))
	require.False(t, d.Enter("203.0.113.77", now))
	require.NotEmpty(t, d.Ahead("203.0.113.77", now))
	require.Empty(t, d.Ahead("203.0.114.1", now))

	d.Leave("203.0.113.1", now)
	require.True(t, d.Enter("203.0.113.77", now))

	for i := range 14 {
		require.True(t, d.Enter(fmt.Sprintf("2001:db8:%x::1", i/2), now), i)
	}

	require.False(t, d.Enter("198.51.100.1", now), "16 in all")
	require.True(t, d.Enter("198.51.100.1", now.Add(4*time.Second)))

	var open *limit.Door

	require.True(t, open.Enter("203.0.113.1", now))
	require.True(t, open.Pay("203.0.113.1", "", now))
	require.Empty(t, open.Ahead("203.0.113.1", now))
	open.Leave("203.0.113.1", now)
}

// A proof is good once, for two minutes, from the network that was asked, at the door that has asked; and only as it
// was asked.
func TestAProofIsGoodOnceAndForWhoWasAsked(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	d := door(t, 8)
	proof := solved(t, d.Ask("203.0.113.1", now))

	require.False(t, d.Pay("203.0.114.1", proof, now))
	require.False(t, door(t, 8).Pay("203.0.113.1", proof, now), "of another key")
	require.False(t, d.Pay("203.0.113.1", proof, now.Add(2*time.Minute+time.Second)))
	require.False(t, d.Pay("203.0.113.1", proof+"0", now))

	for _, bad := range []string{
		"", ".", "......", proof[2:], "2" + proof[1:], strings.Replace(proof, "1.18.", "1.1.", 1),
		strings.Replace(proof, "1.18.", "1.x.", 1), proof + ".1", strings.Repeat("1.", 2_000),
	} {
		require.False(t, d.Pay("203.0.113.1", bad, now), bad)
	}

	require.True(t, d.Pay("203.0.113.9", proof, now))
	require.False(t, d.Pay("203.0.113.9", proof, now))
}

// The more proofs are brought, the more is asked, within bounds.
func TestWorkGrowsWithWhatIsPaid(t *testing.T) {
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	d := door(t, 5)

	least := asked(t, d.Ask("203.0.113.1", now))
	require.Equal(t, 18, least)

	for i := range 3 {
		require.True(t, d.Pay("203.0.113.1", solved(t, d.Ask("203.0.113.1", now)), now), i)
	}

	require.Equal(t, least+3, asked(t, d.Ask("198.51.100.1", now)))
	require.Equal(t, least, asked(t, d.Ask("198.51.100.1", now.Add(time.Minute))))
}
