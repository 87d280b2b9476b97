package parts

import (
	_ "embed"
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed datev.mjs
var datevScript string

// DATEV returns what a checker of others finds wrong in a batch of bookings for DATEV, and how many bookings it has
// seen. It skips as Need does.
func DATEV(t testing.TB, batch string) (rows int, findings []string) {
	t.Helper()

	node := Need(t, "node")[0]
	module := Module(t, "@seamless-engineering/datev-extf")
	dir := t.TempDir()

	text, err := exec.Command(
		node,
		File(t, dir, "datev.mjs", datevScript),
		module,
		File(t, dir, "EXTF_batch.csv", batch),
	).
		CombinedOutput()
	require.NoError(t, err, string(text))

	var out struct {
		Rows     int      `json:"rows"`
		Findings []string `json:"findings"`
	}
	require.NoError(t, json.Unmarshal(text, &out), string(text))

	return out.Rows, out.Findings
}
