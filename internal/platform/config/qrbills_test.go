package config

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestQRBillSettings(t *testing.T) {
	c := load(t, "", "SLIPWAY_DATA_DIR=/var/lib/slipway")
	require.Equal(t, QRBills{AtOnce: 2, Deadline: 15 * time.Second}, c.QRBills)
	require.Equal(t, "/var/lib/slipway/cache/pdfium", c.QRBillCache())
	require.Empty(t, load(t, "", "SLIPWAY_QR_BILLS__CACHE_DIR=none").QRBillCache())
	require.Equal(t, "/x", load(t, "", "SLIPWAY_QR_BILLS__CACHE_DIR=/x").QRBillCache())
	require.EqualValues(t, 512<<20, c.QRBills.Memory(1<<30), "half of the process's limit")
	require.Zero(t, c.QRBills.Memory(0))
	require.EqualValues(t, 300<<20, load(t, "", "SLIPWAY_QR_BILLS__MEMORY_MB=300").QRBills.Memory(1<<30))
	require.Contains(t, strings.Join(problems(t, "", "SLIPWAY_QR_BILLS__DEADLINE=1m"), "\n"),
		"SLIPWAY_QR_BILLS__DEADLINE: it may be at most 25s")

	for dir, wrong := range map[string]string{
		"cache":              "no full path",
		"/tmp/x":             "everybody may write",
		"/var/cache/slipway": "",
		"none":               "",
	} {
		t.Run(dir, func(t *testing.T) {
			said := strings.Join(CheckLive(load(t, "", "SLIPWAY_QR_BILLS__CACHE_DIR="+dir)), "\n")
			require.Equal(t, wrong != "", strings.Contains(said, "qr_bills.cache_dir"), "%s: %s", dir, said)
			require.Contains(t, said, wrong)
		})
	}
}
