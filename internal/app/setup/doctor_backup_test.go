package setup

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/backups"
	"slipway/internal/platform/backup"
)

// Back-ups that are not taken, lie with the database, are late, were never tried or are not sound are told.
func TestDoctorLooksAtBackups(t *testing.T) {
	place := t.TempDir()
	found := func(environ ...string) map[string]Finding {
		d := doctorOf(t, append([]string{"SLIPWAY_BACKUP__FOLDER=" + place}, environ...)...)
		d.backups()

		out := map[string]Finding{}
		for _, f := range d.found {
			out[f.Part] = f
		}

		return out
	}

	require.Equal(t, Watch, found("SLIPWAY_BACKUP__FOLDER=")["back-ups"].State)

	away := found("SLIPWAY_BACKUP__FOLDER=" + filepath.Join(place, "away"))["back-ups"]
	require.Equal(t, Wrong, away.State)
	require.Contains(t, away.Found, "mount it")
	require.NoDirExists(t, filepath.Join(place, "away"))

	require.Contains(t, found()["back-ups"].Found, "there is none yet")

	taken := func(before time.Duration) {
		name := time.Now().Add(-before).UTC().Format("20060102T150405Z")
		require.NoError(t, os.Mkdir(filepath.Join(place, name), 0o700))
	}

	taken(4 * time.Hour)
	require.Equal(t, Wrong, found()["back-ups"].State)
	require.Equal(t, Fine, found("SLIPWAY_BACKUP__EVERY=3h")["back-ups"].State)
	taken(time.Minute)
	require.Equal(t, Fine, found()["back-ups"].State)
	require.Contains(t, found()["back-ups, drill"].Found, "no back-up was ever tried")

	at, err := backup.Open(place)
	require.NoError(t, err)
	require.NoError(t, at.Report(backups.Drill{Name: "one", Begun: time.Now().Add(-27 * time.Hour)}))
	require.Equal(t, Watch, found()["back-ups, drill"].State)
	require.NoError(t, at.Report(backups.Drill{Name: "one", Begun: time.Now()}))
	require.Equal(t, Fine, found()["back-ups, drill"].State)
	require.NoError(t, at.Report(backups.Drill{Name: "one", Begun: time.Now(), Faults: []string{"rotten"}}))
	require.Equal(t, Wrong, found()["back-ups, drill"].State)
	require.Contains(t, found()["back-ups, drill"].Found, "rotten")

	d := doctorOf(t, "SLIPWAY_BACKUP__FOLDER="+filepath.Join(place, "data", "copies"),
		"SLIPWAY_DATA_DIR="+filepath.Join(place, "data"))
	d.backups()
	require.Contains(t, d.found[0].Found, "they lie with the database")
}
