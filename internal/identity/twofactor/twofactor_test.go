package twofactor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/standards/otp"
)

// Whatever codes come when:
//  1. a step is right at most once, and never after a later one;
//  2. a code more than one step off is never right;
//  3. after five wrong codes in a row nothing but a recovery code is looked at for a minute, and for at most fifteen;
//  4. each recovery code is right once.
func TestTryKeepsItsRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := otp.NewKey()
		codes := newRecoveryCodes()
		f := &factor{openSecret: key.Secret, openRecovery: digests(codes), enabledAt: time.Unix(1, 0)}
		now := time.Unix(1_800_000_000, 0)
		used := int64(0)
		spent := map[string]bool{}

		inARow := 0
		for range rapid.IntRange(1, 60).Draw(t, "tries") {
			now = now.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "seconds")) * time.Second)
			if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
				c := rapid.SampledFrom(codes).Draw(t, "recovery")

				got := f.try(c, now)
				if (got == recovery) == spent[c] {
					t.Fatalf("recovery code used before: %v, outcome %d", spent[c], got)
				}

				switch got {
				case recovery:
					spent[c] = true
					inARow = 0

				case wrong:
					inARow++
				}

				continue
			}

			off := rapid.Int64Range(-3, 3).Draw(t, "off")
			step := key.Step(now) + off

			wasBlocked := now.Before(f.blockedUntil)
			switch got := f.try(key.Code(step), now); got {
			case right:
				if wasBlocked || off < -1 || off > 1 || step <= used {
					t.Fatalf("a code %d steps off, used %d, blocked %v was right", off, used-step, wasBlocked)
				}

				used = step
				inARow = 0

			case wrong:
				inARow++

				if off >= -1 && off <= 1 && step > used {
					t.Fatal("a good code was wrong")
				}

				if wait := f.blockedUntil.Sub(now); inARow >= 5 && (wait < time.Minute || wait > 15*time.Minute) {
					t.Fatalf("a pause of %s after %d wrong codes", wait, inARow)
				}

			case blocked:
				if !wasBlocked || inARow < 5 {
					t.Fatalf("blocked after %d wrong codes", inARow)
				}

			default:
				t.Fatalf("outcome %d", got)
			}
		}
	})
}

func TestRecoveryCodesForgiveHowTheyAreTyped(t *testing.T) {
	want := recoveryDigest("0a1b-2c3d")
	require.NotEmpty(t, want)

	for _, c := range []string{"0A1B-2C3D", "0a1b2c3d", " 0a1b 2c3d", "oaIb-2c3d", "OalB2C3D"} {
		require.Equal(t, want, recoveryDigest(c), c)
	}

	for _, c := range []string{"", "123456", "0a1b-2c3", "0a1b-2c3u", "0a1b-2c3d-4e5f-6789", "0a1b_2c3d"} {
		require.Empty(t, recoveryDigest(c), c)
	}

	seen := map[string]bool{}
	for range 100 {
		for _, c := range newRecoveryCodes() {
			require.False(t, seen[c])
			seen[c] = true
		}
	}
}

func TestPauseGrowsAndEnds(t *testing.T) {
	var got []time.Duration
	for n := range int64(12) {
		got = append(got, pause(n))
	}

	m := time.Minute
	require.Equal(t, []time.Duration{0, 0, 0, 0, 0, m, 2 * m, 4 * m, 8 * m, 15 * m, 15 * m, 15 * m}, got)
	require.Equal(t, 15*m, pause(1<<40))
}

// P-09: a code that was used while the clock was ahead keeps nobody out once the clock is set back, by however much.
// From then on each code works once again, and none that is older than the last one.
func TestACodeFromTheFutureKeepsNobodyOut(t *testing.T) {
	for _, back := range []time.Duration{90 * time.Second, time.Hour, 72 * time.Hour} {
		key := otp.NewKey()
		f := &factor{openSecret: key.Secret, enabledAt: time.Unix(1, 0)}
		now := time.Unix(1_800_000_000, 0)

		ahead := now.Add(back)
		require.Equal(t, right, f.try(key.Code(key.Step(ahead)), ahead))
		require.Equal(t, wrong, f.try(key.Code(key.Step(ahead)), ahead))

		require.Equal(t, right, f.try(key.Code(key.Step(now)), now), back)
		require.Equal(t, wrong, f.try(key.Code(key.Step(now)), now), back)
		require.Equal(t, wrong, f.try(key.Code(key.Step(now)-1), now), back)
	}
}

// P-09: a pause that began while the clock was a day ahead does not last a day more.
func TestAPauseFromTheFutureIsNone(t *testing.T) {
	key := otp.NewKey()
	f := &factor{openSecret: key.Secret, enabledAt: time.Unix(1, 0)}
	now := time.Unix(1_800_000_000, 0)

	ahead := now.Add(24 * time.Hour)
	for range freeFailures {
		require.Equal(t, wrong, f.try("000000", ahead))
	}

	require.Equal(t, blocked, f.try(key.Code(key.Step(ahead)), ahead))
	require.Equal(t, right, f.try(key.Code(key.Step(now)), now))
}
