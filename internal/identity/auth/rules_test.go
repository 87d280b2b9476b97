package auth

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSessionEndsByItselfAndByRevocation(t *testing.T) {
	now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	require.True(t, session{expires: now.Add(time.Microsecond)}.usable(now))
	require.False(t, session{expires: now}.usable(now))
	require.False(t, session{expires: now.Add(time.Hour), revokedAt: now}.usable(now))
}

func TestProductionHashCost(t *testing.T) {
	p := Params()
	require.EqualValues(t, 19*1024, p.Memory)
	require.EqualValues(t, 2, p.Iterations)
	require.EqualValues(t, 1, p.Parallelism)
	require.GreaterOrEqual(t, p.SaltLength, uint32(16))
}

// Whatever refreshes come, from whom and when:
//  1. a session is one line: two tokens of it can never both be rotated without the session ending when the older
//     line comes back;
//  2. a token older than the newest but one ends the session, always;
//  3. nobody but the address that got the newest generation repeats the token before it, and only within the grace.
func TestRotationIsOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		s := session{generation: 1, rotatedAt: now, rotatedSource: "a"}

		held := map[int64]bool{1: true}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			now = now.Add(time.Duration(rapid.IntRange(0, 15).Draw(t, "seconds")) * time.Second)
			g := rapid.Int64Range(1, s.generation).Draw(t, "generation")

			from := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "from")
			switch got := s.next(g, from, now); got {
			case rotate:
				if g != s.generation {
					t.Fatalf("generation %d rotated a session at %d", g, s.generation)
				}

				s.generation = s.generation + 1
				s.siblings = 0
				s.rotatedAt = now
				s.rotatedSource = from
				held[s.generation] = true

			case repeat, tooMany:
				if g != s.generation-1 || from != s.rotatedSource || now.Sub(s.rotatedAt) >= RefreshGrace ||
					(got == tooMany) != (s.siblings >= maxSiblings) {
					t.Fatalf("generation %d repeated a session at %d", g, s.generation)
				}

				s.siblings++

			case revoke:
				if g == s.generation {
					t.Fatal("the newest token ended its session")
				}

				return
			}
		}
	})
}

// Whoever has no account waits as long as whoever has one, and gets in with nothing.
func TestHashOfNobodyCostsWhatAHashCosts(t *testing.T) {
	for _, p := range []argon2id.Params{Params(), {
		Memory:      64,
		Iterations:  1,
		Parallelism: 1,
		SaltLength:  16,
		KeyLength:   32,
	}} {
		h := newHasher(p)
		got, salt, key, err := argon2id.DecodeHash(h.dummy)
		require.NoError(t, err)
		require.Equal(t, p, *got)
		require.Len(t, salt, int(p.SaltLength))
		require.Len(t, key, int(p.KeyLength))
		require.NotEqual(t, newHasher(p).dummy, h.dummy)
	}

	h := newHasher(argon2id.Params{
		Memory:      64,
		Iterations:  1,
		Parallelism: 1,
		SaltLength:  16,
		KeyLength:   32,
	})
	for _, password := range []string{"", "nobody has this password"} {
		ok, err := h.matches(t.Context(), password, "")
		require.NoError(t, err)
		require.False(t, ok)
	}
}

// The reference implementation's strings: what is damaged, of another kind, or too dear is an error and never a panic
// or a match.
func TestStoredHashesAreNotBelievedBlindly(t *testing.T) {
	h := newHasher(argon2id.Params{
		Memory:      64,
		Iterations:  1,
		Parallelism: 1,
		SaltLength:  16,
		KeyLength:   32,
	})

	var bad []struct{ Encoded string }
	for _, name := range []string{"phc_invalid.json", "phc_strings.json"} {
		raw, err := os.ReadFile(filepath.Join(os.Getenv("SLIPWAY_FIXTURES"), "auth_crypto", "argon2", name))
		if err != nil {
			t.Log("the published strings are not here: " + err.Error())
			continue
		}

		var list []struct{ Type, Encoded string }
		require.NoError(t, json.Unmarshal(raw, &list))

		for _, c := range list {
			if c.Type != "Argon2_id" {
				bad = append(bad, struct{ Encoded string }{c.Encoded})
			}
		}
	}

	for _, s := range []string{
		"$", "$argon2id$", "$argon2id$v=19$m=65536,t=2,p=1$$", "$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"$argon2id$v=19$m=64,t=4000000,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "$argon2id$v=19$m=64,t=1,p=0$c29tZXNhbHRzb21lc2FsdA$AAAA", "plain",
	} {
		bad = append(bad, struct{ Encoded string }{s})
	}

	for _, c := range bad {
		ok, err := h.matches(context.Background(), "password", c.Encoded)
		require.False(t, ok, c.Encoded)
		require.Error(t, err, c.Encoded)
	}
}
