package qrscan_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/qrscan"
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

func TestCorpusBillsReadRight(t *testing.T) {
	folder, want := bills(t)
	r := qrscan.New(qrscan.Settings{Wanted: qrbill.Is, CacheDir: os.Getenv("SLIPWAY_QRSCAN_CACHE")})
	names := []string{}
	for n := range want {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, name := range names {
		document, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Log(name, err)
			continue
		}
		t0 := time.Now()
		codes, err := r.Read(context.Background(), document)
		got := []string{}
		for _, c := range codes {
			got = append(got, c.Text)
		}
		ok := err == nil && len(got) == len(want[name])
		for i := range got {
			ok = ok && i < len(want[name]) && got[i] == want[name][i]
		}
		t.Log(time.Since(t0).Round(time.Millisecond), ok, name, err)
		if !ok {
			t.Errorf("%s: %q, %q", name, got, want[name])
		}
	}
}
