package clamd_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/clamd"
)

// ClamAV's own daemon, with one signature of ours, finds it at the end of a large content, calls the rest clean, and
// what is longer than it takes is an error and never clean. (L-01)
func TestRealDaemon(t *testing.T) {
	daemon := parts.Need(t, "clamd")[0]
	dir := parts.Dir(t)
	port := parts.Port(t)

	const canary = "slipway malware canary"
	parts.File(t, dir, "ours.ndb", "Slipway.Canary:0:*:"+hex.EncodeToString([]byte(canary))+"\n")
	config := parts.File(t, dir, "clamd.conf", fmt.Sprintf(
		"Foreground yes\nDatabaseDirectory %s\nTCPSocket %d\nTCPAddr 127.0.0.1\nStreamMaxLength 4M\n", dir, port))
	parts.Start(t, port, daemon, "--config-file="+config)

	client, err := clamd.New(parts.Address(port), 0)
	require.NoError(t, err)

	clean := bytes.Repeat([]byte("a harmless line of an invoice\n"), 100_000)

	found, err := client.Scan(t.Context(), bytes.NewReader(clean))
	require.NoError(t, err)
	require.Empty(t, found)

	found, err = client.Scan(t.Context(), bytes.NewReader(append(clean, canary...)))
	require.NoError(t, err)
	require.Equal(t, "Slipway.Canary.UNOFFICIAL", found)

	found, err = client.Scan(t.Context(), strings.NewReader(""))
	require.NoError(t, err)
	require.Empty(t, found)

	_, err = client.Scan(t.Context(), bytes.NewReader(bytes.Repeat(clean, 2)))
	require.Error(t, err, "longer than the daemon takes")
}
