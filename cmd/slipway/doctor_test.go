//go:build !nosandbox

package main

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/setup"
)

func TestVersionSaysHowItWasBuilt(t *testing.T) {
	out, err := slip(t, "version")
	require.NoError(t, err)
	require.Contains(t, out, "slipway "+app.Version+", by "+runtime.Version())

	out, err = slip(t, "version", "-o", "json")
	require.NoError(t, err)

	var b build
	require.NoError(t, json.Unmarshal([]byte(out), &b))
	require.Equal(t, app.Version, b.Version)
	require.Equal(t, runtime.GOOS+"/"+runtime.GOARCH, b.Platform)
}

// Settings that cannot be read are named one by one, as everything else that is wrong, and the exit code says so.
func TestDoctorNamesEachUnknownSetting(t *testing.T) {
	t.Setenv("SLIPWAY_HTTP__COLOUR", "red")
	t.Setenv("SLIPWAY_BANK__SMELL", "none")

	out, err := slip(t, "doctor", "-o", "json")
	require.ErrorContains(t, err, "2 of 2 parts are wrong")

	var found []setup.Finding
	require.NoError(t, json.Unmarshal([]byte(out), &found))
	require.Len(t, found, 2)

	for _, f := range found {
		require.Equal(t, setup.Wrong, f.State)
		require.NotEmpty(t, f.Do)
	}

	_, err = slip(t, "serve")
	require.ErrorContains(t, err, "SLIPWAY_HTTP__COLOUR", "serve does not start with them")
}
