package screening_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/rails/screening"
)

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))

	return path
}

func status(t *testing.T, p screening.Provider, address string) screening.Status {
	t.Helper()
	r, err := p.Screen(context.Background(), "net_x", address)
	require.NoError(t, err)

	return r.Status
}
