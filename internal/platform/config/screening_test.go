package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScreeningSettings(t *testing.T) {
	network := []string{
		"SLIPWAY_NETWORK__ETHEREUM__CHAIN_ID=1",
		"SLIPWAY_NETWORK__ETHEREUM__RPC_URLS=https://a.example",
	}
	c, err := Load(Source{Environ: append(network, "SLIPWAY_NETWORK__ETHEREUM__SANCTIONS_ORACLE=none")})
	require.NoError(t, err)
	require.True(t, c.Screening.Names, "names are screened unless somebody says otherwise")
	require.Equal(t, 85, c.Screening.NameReview)
	require.Equal(t, NoOracle, c.Networks[0].SanctionsOracle)

	for _, x := range [][2]string{
		{"SLIPWAY_SCREENING__NAME_REJECT=80", "nothing would ever wait"},
		{"SLIPWAY_SCREENING__NAME_REVIEW=10", "at least 50"},
		{"SLIPWAY_SCREENING__REUSE=48h", "at most"},
		{"SLIPWAY_NETWORK__ETHEREUM__SANCTIONS_ORACLE=0x12", "sanctions_oracle"},
	} {
		_, err := Load(Source{Environ: append(network, x[0])})
		require.ErrorContains(t, err, x[1])
	}
}
