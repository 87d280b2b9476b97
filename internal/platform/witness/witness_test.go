package witness_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/witness"
)

func open(t *testing.T, dir string) *witness.Folder {
	t.Helper()
	f, err := witness.OpenFolder(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })

	return f
}

// Records are kept by kind, replaced as a whole, and still there for the next process.
func TestRecordsAreKept(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "witness")
	f := open(t, dir)
	names, err := f.List(ctx, "epochs")
	require.NoError(t, err)
	require.Empty(t, names)

	require.NoError(t, f.Put(ctx, "epochs/2", []byte("two")))
	require.NoError(t, f.Put(ctx, "epochs/1", []byte("one")))
	require.NoError(t, f.Put(ctx, "epochs/1", []byte("uno")))
	require.NoError(t, f.Put(ctx, "payments/1.xml", []byte("bytes")))

	f = open(t, dir)
	names, err = f.List(ctx, "epochs")
	require.NoError(t, err)
	require.Equal(t, []string{"epochs/1", "epochs/2"}, names)
	content, err := f.Read(ctx, "epochs/1")
	require.NoError(t, err)
	require.Equal(t, "uno", string(content))

	require.NoError(t, f.Remove(ctx, "epochs/1"))
	require.NoError(t, f.Remove(ctx, "epochs/1"))
	_, err = f.Read(ctx, "epochs/1")
	require.ErrorIs(t, err, witness.ErrNone)
}

// What a process that died has left half is no record, and names lead nowhere else.
func TestHalfRecordsAndOtherPlacesAreNone(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	f := open(t, dir)
	require.NoError(t, f.Put(ctx, "epochs/1", []byte("one")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "epochs", "2.ABC.tmp"), []byte("tw"), 0o600))
	names, err := f.List(ctx, "epochs")
	require.NoError(t, err)
	require.Equal(t, []string{"epochs/1"}, names)

	for _, name := range []string{"", "1", "epochs/", "epochs/../1", "../epochs/1", "epochs/a/b", "epochs/.x", "epochs/1.tmp", "/epochs/1"} {
		require.Error(t, f.Put(ctx, name, nil), name)
		_, err := f.Read(ctx, name)
		require.NotErrorIs(t, err, witness.ErrNone, name)
		require.Error(t, f.Remove(ctx, name), name)
	}

	_, err = f.List(ctx, "..")
	require.Error(t, err)
}

// A folder that cannot be read is an error and never an empty one: nobody may take a lost witness for none.
func TestUnreadableFolderIsNotEmpty(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "epochs"), nil, 0o600))
	_, err := f.List(context.Background(), "epochs")
	require.Error(t, err)
}

// Two writers of one name leave the whole record of one of them.
func TestWritersDoNotMix(t *testing.T) {
	ctx := context.Background()
	f := open(t, t.TempDir())
	long := make([]byte, 100_000)
	short := []byte("short")

	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { require.NoError(t, f.Put(ctx, "epochs/1", long)) })
		wg.Go(func() { require.NoError(t, f.Put(ctx, "epochs/1", short)) })
	}

	wg.Wait()
	content, err := f.Read(ctx, "epochs/1")
	require.NoError(t, err)
	require.Contains(t, []int{len(long), len(short)}, len(content))
}
