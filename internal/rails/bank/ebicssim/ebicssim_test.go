//go:build !nosandbox

package ebicssim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/bank/ebicssim"
)

// The keys that a commercial client sends are taken, each once.
func TestACommercialClientSendsItsKeys(t *testing.T) {
	folder := filepath.Join(os.Getenv("SLIPWAY_FIXTURES"), "ebics/php")
	if _, err := os.Stat(filepath.Join(folder, "ini.xml")); err != nil {
		t.Skip("no request of a commercial client is read: this needs the folder SLIPWAY_FIXTURES")
	}

	h := open(t, t.TempDir())

	for _, name := range []string{"ini.xml", "hia.xml"} {
		text, err := os.ReadFile(filepath.Join(folder, name))
		require.NoError(t, err)

		out, ok := h.Answer(t.Context(), text)
		require.True(t, ok)
		require.Equal(t, 2, strings.Count(string(out), ">000000<"), string(out))

		out, _ = h.Answer(t.Context(), text)
		require.Contains(t, string(out), ">091002<", "a second time")
	}

	require.NoError(t, h.Ready("CRS04285/CRS04285"))
}

func open(t *testing.T, folder string) *ebicssim.Host {
	t.Helper()

	h, err := ebicssim.New(ebicssim.Config{
		Folder: folder,
		Host:   "CRSISOTB",
		Users:  []string{"CRS04285/CRS04285"},
		Clock:  clock.New(),
	})
	require.NoError(t, err)

	return h
}

// Nonsense gets an answer, and changes nothing.
func TestNonsenseIsAnswered(t *testing.T) {
	h := open(t, t.TempDir())

	for text, code := range map[string]string{
		"":     "091010",
		"<a>":  "091010",
		"<a/>": "091011",
		`<!DOCTYPE a><a xmlns="urn:org:ebics:H005" Version="H005"/>`:                                                   "091010",
		`<ebicsRequest xmlns="urn:org:ebics:H005" Version="H005"><header/><body/></ebicsRequest>`:                      "091011",
		`<ebicsRequest xmlns="urn:org:ebics:H003" Version="H003"/>`:                                                    "091011",
		`<ebicsHEVRequest xmlns="http://www.ebics.org/H000"><HostID>OTHER</HostID></ebicsHEVRequest>`:                  "091011",
		`<x xmlns="urn:org:ebics:H005" Version="H005"><header><static><HostID>CRSISOTB</HostID></static></header></x>`: "061002",
	} {
		out, ok := h.Answer(t.Context(), []byte(text))
		require.True(t, ok)
		require.Contains(t, string(out), ">"+code+"<", text)
	}

	require.Error(t, h.Ready("CRS04285/CRS04285"), "it has sent no keys")
	require.Error(t, h.Ready("NOBODY/NOBODY"))
}

// Keys survive a restart.
func TestTheServerStartsAgain(t *testing.T) {
	folder := t.TempDir()
	x, e := open(t, folder).Hashes("H005")

	h := open(t, folder)
	x2, e2 := h.Hashes("H005")
	require.Equal(t, x, x2)
	require.Equal(t, e, e2)

	require.NoError(t, h.NewKeys())

	x3, _ := h.Hashes("H005")
	require.NotEqual(t, x, x3)
}
