//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// N-09: a payment that is made again under its Idempotency-Key after a new sign-in, from an older session or from
// another replica is the first one: create, submit and accept give their first answers, and one transaction is paid.
func TestKeyIsThePersonsInEverySessionAndReplica(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		replica := h.Start()

		sessions := []string{c.Token}
		for range 2 {
			c.Login()
			sessions = append(sessions, c.Token)
		}

		repeat := func(path string, body any) apptest.Answer {
			t.Helper()
			first := h.Do(h.App, "POST", path, sessions[0], body, apptest.Key("once"))
			require.Less(t, first.Status, 300, first.Raw)

			for _, token := range sessions {
				for _, a := range []apptest.Answer{
					h.Do(h.App, "POST", path, token, body, apptest.Key("once")),
					h.Do(replica, "POST", path, token, body, apptest.Key("once")),
				} {
					require.Equal(t, first.Raw, a.OK(first.Status).Raw)
					require.Equal(t, "true", a.Header.Get("Idempotent-Replayed"))
				}
			}

			return first
		}

		id := repeat("/transactions", c.Body("USDC", c.Payment(c.Payee, "5.00"))).ID()
		repeat("/transactions/"+id+"/submit", nil)
		repeat("/transactions/"+id+"/accept", nil)

		h.Settle()
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM transactions"))
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM transactions WHERE status = 'COMPLETED'"))
		h.Oracle()
	})
}
