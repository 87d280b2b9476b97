package bank_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// endless gives a beginning and then the same piece for ever, counting what was read and the most memory that was in
// use meanwhile.
type endless struct {
	begin io.Reader
	piece []byte
	at    int
	read  int64
	reads int
	peak  uint64
}

func (e *endless) Read(p []byte) (int, error) {
	if e.reads++; e.reads%500 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		e.peak = max(e.peak, m.HeapInuse)
	}

	n, err := e.begin.Read(p)
	if errors.Is(err, io.EOF) {
		n = copy(p, e.piece[e.at:])
		err = nil
		e.at = (e.at + n) % len(e.piece)
	}

	e.read += int64(n)

	return n, err
}

// D-10: files without end, however they are made, are refused after a bounded number of bytes and in bounded memory,
// and nothing of them is booked.
func TestEndlessFilesAreRefusedInBoundedMemory(t *testing.T) {
	head, tail, _ := strings.Cut(stmt(deposit(1_00, "R1", "one")).xml(), "<Ntry>")

	one := "<Ntry>" + tail[:strings.Index(tail, "</Ntry>")] + "</Ntry>"
	for name, c := range map[string]struct {
		begin, piece, code string
		most               int64 // bytes read
	}{
		"entries":            {head, one, "FILE_TOO_LARGE", 49 << 20},
		"depth":              {"", "<a>", "TOO_DEEP", 17 << 20},
		"depth in an entry":  {head + "<Ntry>", "<a>", "TOO_DEEP", 17 << 20},
		"one tag":            {head + "<Ntry><", "x", "TOKEN_TOO_LONG", 17 << 20},
		"one value":          {head + "<Ntry><NtryRef>", "x", "TOKEN_TOO_LONG", 17 << 20},
		"white space":        {head, " ", "TOO_LONG_WITHOUT_RECORD", 40 << 20},
		"details":            {head + `<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><NtryDtls>`, "<TxDtls><Refs/></TxDtls>", "TOO_MANY_DETAILS", 17 << 20},
		"nothing but zeros":  {"", "\x00", "", 17 << 20},
		"entities":           {`<!DOCTYPE a [<!ENTITY b "`, "bbbb", "DTD_FORBIDDEN", 17 << 20},
		"wide characters":    {"\xff\xfe<\x00D\x00", "o\x00", "TOKEN_TOO_LONG", 17 << 20},
		"report without end": {`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.10"><CstmrPmtStsRpt>`, "<x/>", "", 48 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			w := openWorld(t, dbtest.SQLite(t), t.TempDir(), func(c *bank.Config) { c.MaxFile = 32 << 20 })
			runtime.GC()

			var before runtime.MemStats
			runtime.ReadMemStats(&before)
			e := &endless{begin: strings.NewReader(c.begin), piece: bytes.Repeat([]byte(c.piece), 64)}
			report, err := w.rail.Import(context.Background(), name, e, nil)
			require.NoError(t, err)
			require.Equal(t, bank.Quarantined, report.Outcome)

			if c.code != "" {
				require.Equal(t, c.code, report.Code, report.Reason)
			}

			require.Less(t, e.read, c.most)

			if e.peak > before.HeapInuse {
				require.Less(t, e.peak-before.HeapInuse, uint64(64<<20), "bytes of memory beyond what was there before")
			}

			n, err := db.Value[int64](context.Background(), w.d, "SELECT count(*) FROM bank_entries")
			require.NoError(t, err)
			require.Zero(t, n)
			require.Len(t, files(t, filepath.Join(w.dir, "archive")), 1, "what was read is kept, and no temporary file")
		})
	}
}

// A source that fails in the middle says nothing of the file: nothing is recorded, and the next time it is read anew.
func TestASourceThatFailsIsNoBadFile(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	text := stmt(deposit(1_00, "R1", "one")).xml()
	_, err := w.rail.Import(context.Background(), "a", io.MultiReader(strings.NewReader(text[:500]), failing{}), nil)
	require.ErrorIs(t, err, errCut)

	list, err := w.rail.Inbox(context.Background(), w.d, "", "", 0)
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, files(t, filepath.Join(w.dir, "archive")))

	w.imported(text)
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errCut }

// A bad file in the inbox does not keep the others from being taken.
func TestABadFileDoesNotStopTheOthers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		for name, text := range map[string]string{
			"a.xml": "<bad",
			"b.xml": stmt(deposit(1_00, "R1", "one")).xml(),
			"c.xml": "",
			"d.txt": "hello",
		} {
			require.NoError(t, os.WriteFile(filepath.Join(w.in, name), []byte(text), 0o600))
		}

		w.work()
		require.Equal(t, []string{"1.00 one"}, w.told("credited"))
		require.Empty(t, files(t, w.in))
		require.Len(t, files(t, filepath.Join(w.in, "done")), 4)
	})
}

// The progress that Import tells of ends at the whole file.
func TestImportTellsItsProgress(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))

	var entries []entry
	for i := range 4500 {
		entries = append(entries, deposit(int64(i+1), "", "x"))
	}

	text := stmt(entries...).xml()

	var (
		steps []int
		last  int64
	)
	report, err := w.rail.Import(
		context.Background(),
		"big.xml",
		strings.NewReader(text),
		func(read int64, entries int) {
			require.GreaterOrEqual(t, read, last)
			last = read

			steps = append(steps, entries)
		},
	)
	require.NoError(t, err)
	require.Equal(t, 4500, report.New)
	require.Equal(t, []int{2000, 4000, 4500}, steps)
	require.EqualValues(t, len(text), last)
}
