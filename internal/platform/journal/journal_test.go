//go:build !nosandbox

package journal_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/journal"
)

type line struct{ N int }

// reader is one owner of a journal with what it was given.
type reader struct {
	t *testing.T
	j *journal.Journal[line]
	n []int
}

func open(t *testing.T, path string) *reader {
	j, err := journal.Open[line](path)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, j.Close()) })

	return &reader{t: t, j: j}
}

func (r *reader) alone(work func() error) error {
	return r.j.Alone(func(l line) { r.n = append(r.n, l.N) }, work)
}

func (r *reader) write(n int) {
	r.t.Helper()
	require.NoError(r.t, r.alone(func() error { return r.j.Write(line{n}) }))
}

func TestTwoOwnersSeeEachOthersLinesInOneOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "books", "lines.jsonl")
	a := open(t, path)
	b := open(t, path)
	a.write(1)
	b.write(2)
	a.write(3)
	c := open(t, path)
	nothing := func() error { return nil }
	require.NoError(t, b.alone(nothing))
	require.NoError(t, c.alone(nothing))
	require.Equal(t, []int{2}, a.n, "what it wrote itself it is not given")
	require.Equal(t, []int{1, 3}, b.n)
	require.Equal(t, []int{1, 2, 3}, c.n)

	no := errors.New("no")
	require.ErrorIs(t, a.alone(func() error { return no }), no)
}

func TestHalfALineIsCutOffAndADamagedOneIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lines.jsonl")
	open(t, path).write(1)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(whole, `{"N":`...), 0o600))

	open(t, path).write(2)
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "{\"N\":1}\n{\"N\":2}\n", string(raw))
	require.NoError(t, os.WriteFile(path, append([]byte("x"), raw...), 0o600))
	require.ErrorContains(t, open(t, path).alone(func() error { return nil }), path)
}

func TestJournalWithoutAPathKeepsNothing(t *testing.T) {
	r := open(t, "")
	r.write(1)
	require.NoError(t, r.alone(func() error { return nil }))
	require.Empty(t, r.n)
}
