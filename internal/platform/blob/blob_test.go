package blob

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// staged gives a file on its way in.
func staged(t *testing.T, s *Stage, content string) *Staged {
	t.Helper()
	f, err := s.Create()
	require.NoError(t, err)
	_, err = io.WriteString(f, content)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Discard()) })

	return f
}

// conforms holds a store against what Store promises.
func conforms(t *testing.T, s Store, stage *Stage) {
	ctx := context.Background()
	require.NoError(t, s.Check(ctx))
	name := NewName()
	_, err := s.Open(ctx, name)
	require.ErrorIs(t, err, ErrNone)
	require.NoError(t, s.Delete(ctx, name), "what is not there is gone")

	content := strings.Repeat("content ", 100_000)
	f := staged(t, stage, content)
	require.EqualValues(t, len(content), f.Size())
	require.NoError(t, s.Put(ctx, name, f))
	require.NoError(t, s.Put(ctx, name, f), "a second call")

	for range 2 {
		in, err := s.Open(ctx, name)
		require.NoError(t, err)
		got, err := io.ReadAll(in)
		require.NoError(t, errors.Join(err, in.Close()))
		require.Equal(t, content, string(got))
	}

	empty := NewName()
	require.NoError(t, s.Put(ctx, empty, staged(t, stage, "")))
	in, err := s.Open(ctx, empty)
	require.NoError(t, err)
	got, err := io.ReadAll(in)
	require.NoError(t, errors.Join(err, in.Close()))
	require.Empty(t, got)

	require.NoError(t, s.Delete(ctx, name))
	require.NoError(t, s.Delete(ctx, name))
	_, err = s.Open(ctx, name)
	require.ErrorIs(t, err, ErrNone)
	// L-04
	for _, bad := range []string{"", "../" + name, name[1:], strings.ToUpper(name[:31]) + "G", name + "/x", "/etc/passwd", strings.Repeat(".", 32)} {
		_, err := s.Open(ctx, bad)
		require.ErrorIs(t, err, errName, bad)
		require.ErrorIs(t, s.Put(ctx, bad, f), errName, bad)
		require.ErrorIs(t, s.Delete(ctx, bad), errName, bad)
	}
}

func TestFolderKeepsItsPromises(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "documents")
	folder, err := OpenFolder(dir)

	require.NoError(t, err)
	defer func() { require.NoError(t, folder.Close()) }()
	stage, err := NewStage(dir)
	require.NoError(t, err)
	conforms(t, folder, stage)
	require.NoError(t, filepath.WalkDir(dir, func(name string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}

		info, err := e.Info()
		require.Zero(t, info.Mode().Perm()&0o077, "%s is for nobody else", name)

		return err
	}))
}

func TestFolderIsLeftByNoLink(t *testing.T) { // L-04
	dir := t.TempDir()
	outside := t.TempDir()
	folder, err := OpenFolder(dir)

	require.NoError(t, err)
	defer func() { require.NoError(t, folder.Close()) }()
	name := NewName()
	require.NoError(t, os.WriteFile(filepath.Join(outside, name), []byte("secret"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, name[:2])))
	_, err = folder.Open(context.Background(), name)
	require.Error(t, err)
}

func TestDiskThatIsFullLeavesNothing(t *testing.T) { // P-08
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("this system has no /dev/full")
	}

	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	f := &Staged{file: full}
	_, err = io.Copy(f, strings.NewReader("content"))
	require.Error(t, err)
	require.NoError(t, full.Close())
}

func TestSweepRemovesWhatWasLeftBehindAndNothingElse(t *testing.T) { // P-08
	dir := t.TempDir()
	stage, err := NewStage(dir)
	require.NoError(t, err)
	old := filepath.Join(dir, incoming, "in-1")
	fresh := filepath.Join(dir, incoming, "in-2")
	other := filepath.Join(dir, incoming, "notes")

	now := time.Now()
	for _, name := range []string{old, fresh, other} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
		require.NoError(t, os.Chtimes(name, now, now.Add(-2*time.Hour)))
	}

	require.NoError(t, os.Chtimes(fresh, now, now))
	n, err := stage.Sweep(context.Background(), now.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoFileExists(t, old)
	require.FileExists(t, fresh)
	require.FileExists(t, other)
}

func sealed(key []byte, content []byte) []byte {
	var b bytes.Buffer

	s, err := Seal(&b, key)
	if err == nil {
		_, err = io.Copy(s, iotest.HalfReader(bytes.NewReader(content)))
	}

	if err = errors.Join(err, s.Close()); err != nil {
		panic(err)
	}

	return b.Bytes()
}

func unsealed(key, content []byte) ([]byte, error) {
	o, err := Unseal(bytes.NewReader(content), key)
	if err != nil {
		return nil, err
	}

	return io.ReadAll(o)
}

//  1. What was sealed opens to the same, whatever its length. 2. Changed, cut off, lengthened, reordered, or with
//     another key, it does not
//
// open, and nothing of a chunk that is wrong is given out.
func TestSealedContentOpensUntouchedAlone(t *testing.T) { // C-02
	const full = chunk + 16

	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 2*chunk + 7}).Draw(t, "length")
		content := bytes.Repeat([]byte{rapid.Byte().Draw(t, "byte")}, n)
		key := NewKey()
		s := sealed(key, content)

		got, err := unsealed(key, s)
		if err != nil || !bytes.Equal(got, content) {
			t.Fatalf("%d bytes came back as %d: %v", n, len(got), err)
		}

		i := rapid.IntRange(0, len(s)-1).Draw(t, "at")
		changed := bytes.Clone(s)

		changed[i] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		for what, other := range map[string][]byte{
			"changed": changed,
			"cut off": s[:i],
			"longer":  append(bytes.Clone(s), 0),
		} {
			got, err := unsealed(key, other)
			if !errors.Is(err, ErrForged) || !bytes.HasPrefix(content, got) {
				t.Fatalf("%s at %d: %d bytes, %v", what, i, len(got), err)
			}
		}

		if _, err := unsealed(NewKey(), s); !errors.Is(err, ErrForged) {
			t.Fatalf("another key: %v", err)
		}

		if n > chunk {
			swapped := append(append(bytes.Clone(s[full:]), s[:full]...), 0)
			if _, err := unsealed(key, swapped[:len(s)]); !errors.Is(err, ErrForged) {
				t.Fatalf("another order: %v", err)
			}

			if _, err := unsealed(key, s[:full]); !errors.Is(err, ErrForged) {
				t.Fatalf("whole chunks cut off: %v", err)
			}
		}
	})

	_, err := Seal(io.Discard, []byte("short"))
	require.Error(t, err)

	broken := errors.New("disk")
	o, err := Unseal(io.MultiReader(bytes.NewReader(make([]byte, 50)), iotest.ErrReader(broken)), NewKey())
	require.NoError(t, err)

	_, err = io.ReadAll(o)
	require.ErrorIs(t, err, broken, "a disk that fails has forged nothing")
}
