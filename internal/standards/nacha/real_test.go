package nacha

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/platformtest/parts"
)

// dump returns a file's entries as the library's program prints them.
func dump(f File) string {
	var b strings.Builder

	for _, batch := range f.Batches {
		for _, e := range batch.Entries {
			change, back := "", ""

			if e.Change != nil {
				change = e.Change.Code + " " + strings.TrimSpace(e.Change.Data)
			}

			if e.Return != nil {
				back = e.Return.Code + " " + e.Return.Trace
			}

			fmt.Fprintln(&b, strings.Join([]string{
				"ENTRY",
				batch.Class,
				batch.CompanyID,
				fmt.Sprint(e.Code),
				e.Routing,
				e.Account,
				fmt.Sprint(e.Cents),
				e.ID,
				e.Name,
				e.Trace,
				e.Text,
				change,
				back,
			}, "|"))
		}
	}

	return b.String()
}

// Whatever file of the corpus the library of others takes is taken here, with the same entries.
func TestRealLibraryReadsTheSame(t *testing.T) {
	program := parts.Need(t, "ach-judge")[0]
	dir := corpus(t)

	files, err := filepath.Glob(filepath.Join(dir, "ach", "*"))
	require.NoError(t, err)

	taken := 0

	for _, path := range files {
		if strings.HasSuffix(path, ".json") {
			continue
		}

		out, err := exec.CommandContext(t.Context(), program, path).Output()
		require.NoError(t, err)

		_, said, _ := strings.Cut(string(out), "\n")
		if strings.HasPrefix(said, "REFUSED") {
			continue
		}

		content, err := os.ReadFile(path)
		require.NoError(t, err)

		f, err := read(t, content)
		require.NoError(t, err, path)

		taken++

		require.Equal(t, said, dump(f), path)
	}

	require.Greater(t, taken, 30, "files that the library takes")
}
