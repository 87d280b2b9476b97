//go:build !nosandbox

package app_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// TestSealingKeyIsReplacedWhilePeopleWork: a new key stands in front; everything that the old one has sealed is sealed
// anew in the background, while people write and find accounts; then the old one opens nothing that is there. The old
// one is asked for until a person says that no process seals with it any more. (C-02)
func TestSealingKeyIsReplacedWhilePeopleWork(t *testing.T) {
	first, second := secret.NewKey("k1"), secret.NewKey("k2")
	apptest.EachWith(t, apptest.Config{Keys: first}, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		c.StaySignedIn()
		throughEverything(t, h, c)
		require.NotEmpty(t, sealedWith(t, h, "k1"))

		h.Keys = first + "," + second
		old, err := h.Open()
		require.NoError(t, err)
		h.Keys = second + "," + first
		h.Restart()
		h.Keys = second
		_, err = h.Open()
		require.ErrorIs(t, err, db.ErrKeys, "the older key is needed")
		require.ErrorContains(t, err, "the key k1 is missing")

		var load sync.WaitGroup
		stop := make(chan struct{})
		load.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}

				c.NewReceiver(fmt.Sprint("Receiver", i))

				found, err := bankaccount.ByIBAN(t.Context(), h.DB(), c.Org, canaries["IBAN"])
				require.NoError(t, err)
				require.Len(t, found, 1, "it is found at every moment")
			}
		})

		require.NoError(t, h.App.Jobs.Schedule(t.Context()))

		for range 10 {
			h.World.Clock.Advance(time.Hour)
			h.RunJobs()
		}

		close(stop)
		load.Wait()
		require.Equal(t, []string{"sealing_keys.proof"}, sealedWith(t, h, "k1"), "all but what asks for the key")
		h.Oracle()

		reseal := func() (found int) {
			require.NoError(t, h.App.Reseal(t.Context(), func(_ string, n int) { found += n }))
			return found
		}

		require.NoError(t, old.DB.Rewrite(t.Context(), user.Sealed()[0], func(db.Key, []string) {}))
		require.NoError(t, old.Close())
		_, err = h.Open()
		require.ErrorContains(t, err, "the key k1 is missing", "a process that ran all along has sealed with it")
		require.NotZero(t, reseal())
		_, err = h.Open()
		require.ErrorContains(t, err, "the key k1 is missing", "a call that found something does not forget")
		require.Zero(t, reseal())

		h.Restart()

		ring, err := secret.ParseKeyring(second)
		require.NoError(t, err)
		only, err := db.Open(t.Context(), db.Config{URL: h.URL, Keys: ring})
		require.NoError(t, err)

		defer func() { require.NoError(t, only.Close()) }()

		accounts, err := bankaccount.ByIBAN(t.Context(), only, c.Org, canaries["IBAN"])
		require.NoError(t, err)
		require.Len(t, accounts, 1)
		require.Equal(t, canaries["IBAN"], accounts[0].IBAN)
	})
}

// sealedWith lists the columns and files that hold something which a key has sealed.
func sealedWith(t *testing.T, h *apptest.Harness, key string) (places []string) {
	t.Helper()

	for _, form := range []string{"s1:" + key + ":", "s1b:" + key + ":"} {
		for _, p := range placesOf(t, h, form) {
			if !strings.HasSuffix(p, ".db") && !strings.HasSuffix(p, ".db-wal") { // what SQLite has let go of
				places = append(places, p)
			}
		}
	}

	return places
}
