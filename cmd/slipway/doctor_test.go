//go:build !nosandbox

package main

import (
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
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
