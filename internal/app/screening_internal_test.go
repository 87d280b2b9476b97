package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/config"
)

// A live deployment does not start with names switched on and nobody to find, and asks on each chain the oracle that
// is published for it, the one that is configured, or none.
func TestLiveScreening(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list.txt")

	c := &config.Config{
		Screening: config.Screening{ListFiles: []string{list}, Names: true},
		Networks: []config.Network{
			{ID: "ethereum", ChainID: 1},
			{ID: "gnosis", ChainID: 100},
			{ID: "base", ChainID: 8453, SanctionsOracle: config.NoOracle},
			{ID: "polygon", ChainID: 137, SanctionsOracle: "0x1111111111111111111111111111111111111111"},
		},
	}

	write := func(text string) { require.NoError(t, os.WriteFile(list, []byte(text), 0o600)) }
	write("")
	_, err := screeningOf(c)
	require.ErrorContains(t, err, "neither an address nor a name")

	write("0x098B716B8Aaf21512996dC57EB0615e2383E2f96\n")
	_, err = screeningOf(c)
	require.ErrorContains(t, err, "screening.names is true")

	c.Screening.Names = false
	s, err := screeningOf(c)
	require.NoError(t, err)
	require.Nil(t, s.Names)

	c.Screening.Names = true
	write("name: Acme Works\n")
	s, err = screeningOf(c)
	require.NoError(t, err)
	require.NotNil(t, s.Names)

	require.Equal(t, map[string]string{
		"net_ethereum": "0x40C57923924B5c5c5455c48D93317139ADDaC8fb",
		"net_gnosis":   "",
		"net_polygon":  "0x1111111111111111111111111111111111111111",
	}, s.Oracles)

	tool, err := LiveTool(c)
	require.NoError(t, err)
	require.NotNil(t, tool.Screening.Names, "who settles a deposit is told who is listed")
	require.Empty(t, tool.Screening.Oracles)
}
