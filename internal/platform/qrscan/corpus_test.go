package qrscan_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/standards/qrbill"
)

// bills are the corpus' documents and the texts of their codes, as other decoders read them.
func bills(t testing.TB) (folder string, texts map[string][]string) {
	t.Helper()

	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = "../../../../shared/fixtures"
	}

	folder = filepath.Join(dir, "swiss_qr_bill")

	raw, err := os.ReadFile(filepath.Join(folder, "decoded_texts.json"))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	var all map[string]struct{ Codes []struct{ Text string } }
	require.NoError(t, json.Unmarshal(raw, &all))

	texts = map[string][]string{}
	for name, d := range all {
		texts[name] = []string{}
		for _, c := range d.Codes {
			texts[name] = append(texts[name], c.Text)
		}
	}

	return folder, texts
}

// All documents of the corpus read exactly as other decoders read them, those without a code say nothing.
func TestCorpusBillsReadRight(t *testing.T) {
	folder, want := bills(t)

	looked := 0
	for name, texts := range want {
		document, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			continue // of the part that is not here
		}

		looked++

		got := []string{}
		for _, c := range read(t, document) {
			got = append(got, c.Text)
		}

		require.Equal(t, texts, got, name)

		for _, text := range got {
			if qrbill.Is(text) {
				_, err = qrbill.Parse(text)
				require.NoError(t, err, name)
			}
		}
	}

	require.Greater(t, looked, 60)
	t.Logf("%d documents", looked)
}
