package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/config"
	"slipway/internal/platform/db"
	"slipway/internal/schema"
)

// examined returns what was found, by part.
func examined(t *testing.T, path string) map[string]Finding {
	t.Helper()

	c, err := config.Load(config.Source{File: path})
	require.NoError(t, err)

	out := map[string]Finding{}
	for _, f := range Examine(t.Context(), c, schema.Files()) {
		out[f.Part] = f
		require.Equal(t, f.State == Fine, f.Do == "", "%+v", f)
	}

	return out
}

// snapshot returns every file of a folder with its content and time.
func snapshot(t *testing.T, dir string) string {
	t.Helper()

	var b strings.Builder

	require.NoError(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}

		info, err := e.Info()
		fmt.Fprintln(&b, path, info.Size(), info.ModTime())

		return err
	}))

	return b.String()
}

// A deployment that was just set up lacks its tables, and nothing once they are there. Looking changes nothing.
func TestDoctorOfASoundDeployment(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	_, err := run(t, dir, Answers{}, "")
	require.NoError(t, err)

	before := snapshot(t, dir)
	require.Equal(t, Wrong, examined(t, path)["database"].State)
	require.Contains(t, examined(t, path)["database"].Do, "slipway migrate")
	require.Equal(t, before, snapshot(t, dir))

	c, err := config.Load(config.Source{File: path})
	require.NoError(t, err)
	d, err := db.Open(context.Background(), db.Config{URL: c.DatabaseURL()})
	require.NoError(t, err)
	_, err = d.Migrate(context.Background(), schema.Files())
	require.NoError(t, err)
	require.NoError(t, d.Close())

	for part, f := range examined(t, path) {
		require.NotEqual(t, Wrong, f.State, "%s: %s", part, f.Found)
	}

	require.Equal(t, Fine, examined(t, path)["schema"].State)
}

// Every part that is wrong is named, and what mends it; one that cannot be looked at hides no other.
func TestDoctorNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list.txt")
	require.NoError(t, os.WriteFile(list, []byte("name: Nobody\n"), 0o600))

	long := time.Now().Add(-8 * 24 * time.Hour)
	require.NoError(t, os.Chtimes(list, long, long))

	path := filepath.Join(dir, FileName)
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, `mode = "test"
data_dir = %q

[chain.signer]
kind = "keystore"
keystore_file = %q
password = "a long enough password"

[mail]
host = "127.0.0.1"
port = 1
security = "none"
from = "no-reply@example.org"

[screening]
list_files = [%q, %q]

[bank]
channel = "folder"
to_bank = %q
from_bank = %q

[[house_account]]
id = "eur"
currency = "EUR"
country = "DE"
iban = "DE89370400440532013000"
bic = "COBADEFFXXX"
holder = "Example GmbH"
rails = ["SEPA"]

[[network]]
id = "seven"
chain_id = 77001
rpc_urls = ["http://127.0.0.1:1"]
treasury = "0x31F1b7C22BF70250D4e29de6549D1b351dB82660"
`, filepath.Join(dir, "nowhere"), filepath.Join(dir, "missing.json"), list, filepath.Join(dir, "gone.txt"),
		filepath.Join(dir, "out"), dir), 0o600))

	found := examined(t, path)
	for part, state := range map[string]State{
		"settings":              Wrong,
		"disk":                  Wrong,
		"database":              Wrong,
		"signing key":           Wrong,
		"network seven, node 1": Wrong,
		"network seven":         Watch,
		"mail":                  Wrong,
		"list list.txt":         Watch,
		"list gone.txt":         Wrong,
	} {
		require.Equal(t, state, found[part].State, "%s: %+v", part, found[part])
	}

	require.NotContains(t, found, "network seven, router", "no node answers")
	require.Contains(t, found["list list.txt"].Found, "8 days")
	require.NoDirExists(t, filepath.Join(dir, "out"))
}
