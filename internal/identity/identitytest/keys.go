package identitytest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/twofactor"
	"slipway/internal/platform/secret"
)

// WithKeyInFront returns the world's second factors with a further key, which seals from now on.
func WithKeyInFront(t testing.TB, w *World, fresh secret.Text) *twofactor.Service {
	t.Helper()
	keys, err := secret.ParseKeyring(fresh + "," + w.ring)
	require.NoError(t, err)

	return twofactor.New(w.DB, keys)
}
