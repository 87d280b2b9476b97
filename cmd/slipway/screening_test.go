package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScreeningCommands(t *testing.T) {
	list := filepath.Join(t.TempDir(), "own.txt")

	require.NoError(
		t,
		os.WriteFile(list, []byte("name: BOROVKIN, Dmitriy\n0x098B716B8Aaf21512996dC57EB0615e2383E2f96\n"), 0o600),
	)

	say := func(args ...string) string {
		var out bytes.Buffer
		require.NoError(t, run(t.Context(), append([]string{"screening"}, args...), &out))
		return out.String()
	}

	require.Contains(t, say("lists", "--list", list), "1 addresses and 1 names in all")

	require.Contains(
		t,
		say("check", "--list", list, "0x098b716b8aaf21512996dc57eb0615e2383e2f96"),
		"REJECTED The address stands on a sanctions list (own.txt)",
	)

	require.Equal(t, "APPROVED\n", say("check", "--list", list, "0x1111111111111111111111111111111111111111"))
	require.Contains(t, say("check", "--list", list, "Dmitry Borovkin"), "100 of 100: in both: dmitry, borovkin")
	require.Contains(t, say("check", "--list", list, "Ada Byron"), "no listed name")
	require.NoError(t, os.WriteFile(list, []byte("oops\n"), 0o600))

	require.ErrorContains(
		t,
		run(t.Context(), []string{"screening", "lists", "--list", list}, &bytes.Buffer{}),
		"line 1",
	)
}
