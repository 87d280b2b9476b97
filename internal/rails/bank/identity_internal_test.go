package bank

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Only a file under our whole name is one that was handed over: others may lie in the same folder.
func TestMessageOfTakesOurNamesOnly(t *testing.T) {
	message := messageID("eur", "sepa", []string{"a", "b"})
	name := formats()[0].FileName(message)

	got, ours := messageOf(name)
	require.True(t, ours)
	require.Equal(t, message, got)

	for _, other := range []string{
		strings.TrimPrefix(name, "pain001-"),
		strings.TrimSuffix(name, ".xml"),
		"pain008-" + strings.TrimPrefix(name, "pain001-"),
		"pain001-.xml",
		name + ".tmp",
		"",
	} {
		_, ours := messageOf(other)
		require.False(t, ours, other)
	}
}
