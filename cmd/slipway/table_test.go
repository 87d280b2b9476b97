package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// I-05: what a bank or a payer writes moves no cell, no line and no cursor of a table that is printed.
func TestTablesAreNotMovedByWhatStandsInThem(t *testing.T) {
	for _, cell := range []string{"a\tb", "a\nb", "a\rb", "\x1b[31mred", "\x1b]0;title\x07", "a\u202eb", "a\u2066b", "\x00", "\u0085", "\u009b31m", "a\v\fb", "\x7f"} {
		var out bytes.Buffer
		require.NoError(t, columns(&out, "name\tsum", [][]string{{cell, "1.00"}, {"second", "2.00"}}))

		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		require.Len(t, lines, 3, "%q", cell)

		for _, r := range strings.Join(lines, "") {
			require.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%U of %q", r, cell)
		}
	}
}
