package backup_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/backup"
	"slipway/internal/platform/secret"
)

// world is a database, which is a text here, with documents beside it, and a place for back-ups.
type world struct {
	t         *testing.T
	place     *backup.Place
	database  string
	documents string // the folder
	keys      *secret.Keyring
	now       time.Time
	copying   func() error // is called while the database is copied
}

func newWorld(t *testing.T) *world {
	t.Helper()
	place, err := backup.Open(t.TempDir())
	require.NoError(t, err)

	return &world{
		t:         t,
		place:     place,
		database:  strings.Repeat("a payment, ", 1000),
		documents: t.TempDir(),
		keys:      keyring(t, "k1"),
		now:       time.Date(2026, 12, 1, 7, 0, 0, 0, time.UTC),
		copying:   func() error { return nil },
	}
}

func keyring(t *testing.T, name string) *secret.Keyring {
	t.Helper()
	keys, err := secret.NewKeyring(secret.Key{ID: name, Bytes: []byte(strings.Repeat(name, 16))})
	require.NoError(t, err)

	return keys
}

func (w *world) document(name, content string) {
	w.t.Helper()
	path := filepath.Join(w.documents, name)
	require.NoError(w.t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(w.t, os.WriteFile(path, []byte(content), 0o600))
}

func (w *world) try() (backup.Manifest, error) {
	return w.place.Take(w.t.Context(), backup.Source{
		Engine:  "sqlite",
		Program: "1.0",
		Now:     func() time.Time { return w.now },
		State: func(context.Context) (backup.State, error) {
			return backup.State{Schema: 4, HeadSeq: 17, HeadHash: "abc"}, nil
		},
		Copy: func(_ context.Context, folder string) (string, error) {
			path := filepath.Join(folder, "copy")
			return path, errors.Join(os.WriteFile(path, []byte(w.database), 0o600), w.copying())
		},
		Trees:   map[string]string{"documents": w.documents, "missing": filepath.Join(w.documents, "none")},
		Keyring: w.keys,
	})
}

func (w *world) take() backup.Manifest {
	w.t.Helper()
	m, err := w.try()
	require.NoError(w.t, err)

	return m
}

// objects returns the files that lie once.
func (w *world) objects() []string {
	w.t.Helper()
	all, err := filepath.Glob(filepath.Join(w.place.Folder(), "objects", "??", "*"))
	require.NoError(w.t, err)

	return all
}

func TestWhatIsTakenIsPutBack(t *testing.T) {
	w := newWorld(t)
	w.document("ab/invoice", "one")
	w.document("cd/invoice", "two")

	m := w.take()
	require.Equal(t, "20261201T070000Z", m.Name)
	require.Equal(t, 2, m.Count)
	require.NoError(t, m.Genuine(w.keys))

	found, err := w.place.Find("")
	require.NoError(t, err)
	require.Equal(t, m, found)
	require.NoError(t, w.place.CheckFiles(t.Context(), found))

	to := t.TempDir()
	require.NoError(t, w.place.WriteDatabase(t.Context(), found, filepath.Join(to, "new", "slipway.db")))
	text, err := os.ReadFile(filepath.Join(to, "new", "slipway.db"))
	require.NoError(t, err)
	require.Equal(t, w.database, string(text))

	for range 2 { // a second call finds what the first has put there
		n, err := w.place.PutFiles(t.Context(), found, "documents", filepath.Join(to, "documents"))
		require.NoError(t, err)
		require.Equal(t, 2, n)
	}

	text, err = os.ReadFile(filepath.Join(to, "documents", "cd", "invoice"))
	require.NoError(t, err)
	require.Equal(t, "two", string(text))

	require.ErrorContains(
		t,
		w.place.WriteDatabase(t.Context(), found, filepath.Join(to, "new", "slipway.db")),
		"is there already",
	)
	require.NoError(t, os.WriteFile(filepath.Join(to, "documents", "cd", "invoice"), []byte("own"), 0o600))
	_, err = w.place.PutFiles(t.Context(), found, "documents", filepath.Join(to, "documents"))
	require.ErrorContains(t, err, "is there already with other bytes")
}

// Nobody but the owner reads what was taken.
func TestAPlaceIsPrivate(t *testing.T) {
	w := newWorld(t)
	w.document("ab/invoice", "one")
	w.take()

	require.NoError(t, filepath.WalkDir(w.place.Folder(), func(path string, e os.DirEntry, err error) error {
		if require.NoError(t, err); path == w.place.Folder() {
			return nil // people have made it
		}

		info, err := e.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, path)

		return nil
	}))
}

func TestDocumentsLieOnce(t *testing.T) {
	w := newWorld(t)
	w.document("ab/invoice", "one")
	w.document("cd/the same", "one")
	w.take()
	require.Len(t, w.objects(), 1)

	w.now = w.now.Add(time.Hour)
	w.document("ef/more", "two")
	require.Equal(t, 3, w.take().Count)
	require.Len(t, w.objects(), 2)

	w.now = w.now.Add(time.Hour)
	w.document("ab/invoice", "ONE") // sealed anew, with as many bytes
	later := time.Now().Add(time.Minute)
	require.NoError(t, os.Chtimes(filepath.Join(w.documents, "ab", "invoice"), later, later))
	w.take()
	require.Len(t, w.objects(), 3)
}

// B-16: each byte that is not what was taken is found before anything is put back.
func TestADamagedBackupIsFound(t *testing.T) {
	w := newWorld(t)
	w.document("ab/invoice", "one")
	m := w.take()
	to := t.TempDir()

	spoil := func(path string) (mend func()) {
		good, err := os.ReadFile(path)
		require.NoError(t, err)

		bad := append([]byte{}, good...)
		bad[len(bad)/2] ^= 1
		require.NoError(t, os.WriteFile(path, bad, 0o600))

		return func() { require.NoError(t, os.WriteFile(path, good, 0o600)) }
	}

	mend := spoil(filepath.Join(w.place.Folder(), m.Name, m.Database.Name))
	require.ErrorIs(t, w.place.WriteDatabase(t.Context(), m, filepath.Join(to, "slipway.db")), backup.ErrDamaged)
	require.NoFileExists(t, filepath.Join(to, "slipway.db"))
	mend()

	mend = spoil(filepath.Join(w.place.Folder(), m.Name, m.Files.Name))
	require.ErrorIs(t, w.place.CheckFiles(t.Context(), m), backup.ErrDamaged)
	mend()

	mend = spoil(w.objects()[0])
	require.ErrorIs(t, w.place.CheckFiles(t.Context(), m), backup.ErrDamaged)
	_, err := w.place.PutFiles(t.Context(), m, "documents", filepath.Join(to, "documents"))
	require.ErrorIs(t, err, backup.ErrDamaged)
	mend()

	require.NoError(t, os.Remove(w.objects()[0]))
	require.ErrorContains(t, w.place.CheckFiles(t.Context(), m), "documents/ab/invoice")

	w.now = w.now.Add(time.Hour)
	require.NoError(t, w.place.CheckFiles(t.Context(), w.take()), "the next back-up has it again")
}

// B-16: whoever can write to the place makes no back-up that is put back: neither a manifest of his own, nor, by a list
// of files that the next back-up would take over, a document of his own.
func TestAForgedBackupIsRefused(t *testing.T) {
	w := newWorld(t)
	m := w.take()
	w.document("ab/invoice", "one")

	changed := m
	changed.HeadSeq = 99
	require.ErrorIs(t, changed.Genuine(w.keys), backup.ErrForged)
	require.ErrorIs(t, m.Genuine(keyring(t, "k2")), backup.ErrForged)

	// Signed by somebody else, with the hash of other bytes for the same file.
	attacker := *w
	attacker.keys = keyring(t, "k2")
	attacker.now = w.now.Add(time.Minute)
	path := filepath.Join(w.documents, "ab", "invoice")
	info, err := os.Stat(path)
	require.NoError(t, err)
	w.document("ab/invoice", "TWO")
	require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))
	attacker.take()
	w.document("ab/invoice", "one")
	require.NoError(t, os.Chtimes(path, info.ModTime(), info.ModTime()))

	w.now = w.now.Add(time.Hour)
	m = w.take()
	to := t.TempDir()
	_, err = w.place.PutFiles(t.Context(), m, "documents", to)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(to, "ab", "invoice"))
	require.NoError(t, err)
	require.Equal(t, "one", string(text))
}

// B-16: what is not complete has no name, and the next back-up removes it.
func TestABackupThatFailsLeavesNothing(t *testing.T) {
	w := newWorld(t)
	full := errors.New("no space left on device")
	w.copying = func() error { return full }
	_, err := w.try()
	require.ErrorIs(t, err, full)
	w.nothingIsLeft()

	// A process that is killed removes nothing.
	require.NoError(t, os.MkdirAll(filepath.Join(w.place.Folder(), "20261201T060000Z.unfinished"), 0o700))
	names, err := w.place.Names()
	require.NoError(t, err)
	require.Empty(t, names)

	w.copying = func() error { return nil }
	w.take()
	require.NoDirExists(t, filepath.Join(w.place.Folder(), "20261201T060000Z.unfinished"))

	_, err = w.try()
	require.ErrorContains(t, err, "of this second already")
}

func (w *world) nothingIsLeft() {
	w.t.Helper()
	left, err := os.ReadDir(w.place.Folder())
	require.NoError(w.t, err)
	require.Empty(w.t, left)
}

func TestOneWorksInAPlace(t *testing.T) {
	w := newWorld(t)
	release, err := w.place.Lock()
	require.NoError(t, err)

	other, err := backup.Open(w.place.Folder())
	require.NoError(t, err)
	_, err = other.Lock()
	require.ErrorIs(t, err, backup.ErrBusy)

	release()

	release, err = other.Lock()
	require.NoError(t, err)
	release()
}

// Each is kept for two days, then the first of each day, and none for longer than asked. The newest three stay for
// ever.
func TestBackupsAreThinned(t *testing.T) {
	w := newWorld(t)
	begin := w.now
	w.document("ab/old", "only in the first days")

	for range 5 * 24 {
		w.take()
		w.now = w.now.Add(time.Hour)
	}

	_, err := w.place.Thin(w.now, 30*24*time.Hour)
	require.NoError(t, err)
	names, err := w.place.Names()
	require.NoError(t, err)
	require.Len(t, names, 4+48, "the first of four days, and two days whole: %v", names)
	require.Equal(t, begin.Format("20060102T150405Z"), names[0])
	require.Equal(t, "20261202T000000Z", names[1])

	require.NoError(t, os.Remove(filepath.Join(w.documents, "ab", "old")))
	w.take()

	n, err := w.place.Clear(t.Context())
	require.NoError(t, err)
	require.Zero(t, n, "older back-ups have it")

	w.now = w.now.Add(365 * 24 * time.Hour)
	_, err = w.place.Thin(w.now, 30*24*time.Hour)
	require.NoError(t, err)
	names, err = w.place.Names()
	require.NoError(t, err)
	require.Equal(t, []string{"20261206T050000Z", "20261206T060000Z", "20261206T070000Z"}, names)

	for range 2 { // the last that have the document end
		w.take()
		w.now = w.now.Add(time.Hour)
	}

	_, err = w.place.Thin(w.now, 30*24*time.Hour)
	require.NoError(t, err)

	n, err = w.place.Clear(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Empty(t, w.objects())
}

// Back-ups that were taken while the clock was ahead count once it is there.
func TestTheNewestIsNotAheadOfTheClock(t *testing.T) {
	w := newWorld(t)
	now := w.now
	w.take()
	w.now = w.now.Add(24 * time.Hour)
	w.take()

	newest, err := w.place.Newest(now.Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, now, newest)
	newest, err = w.place.Newest(now.Add(25 * time.Hour))
	require.NoError(t, err)
	require.Equal(t, now.Add(24*time.Hour), newest)
}

// A folder that is not mounted is not made: the back-ups would lie on the disk that they are to outlive.
func TestAPlaceThatIsAwayIsNotMade(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "away")
	place, err := backup.Open(folder)
	require.NoError(t, err)

	_, err = place.Lock()
	require.ErrorContains(t, err, "mount it, or make it")
	_, err = place.Names()
	require.ErrorContains(t, err, "mount it, or make it")
	require.NoDirExists(t, folder)
}

// A name leads to no other folder.
func TestANameIsAMoment(t *testing.T) {
	w := newWorld(t)
	w.document("ab/invoice", "one")
	manifest, err := os.ReadFile(filepath.Join(w.place.Folder(), w.take().Name, "manifest.json"))
	require.NoError(t, err)

	for _, name := range []string{"..", "objects", "20261201T070000Z/..", "objects/.."} {
		require.NoError(t, os.WriteFile(filepath.Join(w.place.Folder(), name, "manifest.json"), manifest, 0o600))
		_, err := w.place.Find(name)
		require.ErrorIs(t, err, backup.ErrNone, name)
	}
}

// The copy of a database is read only once its bytes are known to be right.
func TestADatabaseIsHashedBeforeItIsRead(t *testing.T) {
	w := newWorld(t)
	m := w.take()
	path := filepath.Join(w.place.Folder(), m.Name, m.Database.Name)
	require.NoError(t, os.Truncate(path, m.Database.Bytes-1))

	err := w.place.Database(t.Context(), m, func(io.Reader) error {
		t.Error("it was read")
		return nil
	})
	require.ErrorIs(t, err, backup.ErrDamaged)
}
