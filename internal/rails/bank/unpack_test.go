package bank_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// zipped returns a ZIP of files: name, content, name, content.
func zipped(t *testing.T, files ...string) string {
	t.Helper()

	var out bytes.Buffer
	z := zip.NewWriter(&out)

	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		require.NoError(t, err)
		_, err = w.Write([]byte(files[i+1]))
		require.NoError(t, err)
	}

	require.NoError(t, z.Close())

	return out.String()
}

// twoDays are the statements of two days that follow each other.
func twoDays() (first, second string) {
	one := stmt(deposit(1_00, "R1", "one"))
	two := stmt(deposit(2_00, "R2", "two"))
	two.id = "S2"
	two.from = "2026-11-21"
	two.to = "2026-11-21"
	two.opening = one.opening + 1_00

	return one.xml(), two.xml()
}

func TestAZIPIsItsFiles(t *testing.T) {
	first, second := twoDays()

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		inner := zipped(t, "b/2.xml", second)
		file := zipped(t, "__MACOSX/._1.xml", "junk", "a/", "", "a/1.xml", first, "inner.zip", inner)

		got := w.imported(file)
		require.Equal(t, "ZIP", got.Kind)
		require.Equal(t, 2, got.New)
		require.Equal(t, []string{"1.00 one", "2.00 two"}, w.told("credited"))

		list, err := w.rail.Inbox(t.Context(), d, "", "", 10)
		require.NoError(t, err)
		require.Len(t, list, 2)
		require.Equal(t, "2.xml in file.xml", list[0].Name)

		require.Equal(t, bank.Repeated, w.import_("again.zip", file).Outcome)
		require.Equal(t, bank.Repeated, w.import_("alone.xml", first).Outcome)
		require.Equal(t, []string{"1.00 one", "2.00 two"}, w.told("credited"))
	})
}

// One file of a ZIP that cannot be used stops none of the others, and the report is about it.
func TestABadFileOfAZIPIsNamed(t *testing.T) {
	first, second := twoDays()
	w := newWorld(t, dbtest.SQLite(t))

	got := w.import_("c53.zip", zipped(t, "1.xml", first, "2.xml", "<broken", "3.xml", second))
	require.Equal(t, bank.Quarantined, got.Outcome)
	require.True(t, strings.HasPrefix(got.Reason, "2.xml: "), got.Reason)
	require.Equal(t, []string{"1.00 one", "2.00 two"}, w.told("credited"))
}

// Nothing of a ZIP that is damaged or beyond its bounds is used.
func TestABadZIPIsRefusedWhole(t *testing.T) {
	first, second := twoDays()
	sound := zipped(t, "1.xml", first, "2.xml", second)

	locked := []byte(sound)
	locked[6] |= 1
	locked[bytes.LastIndex(locked, []byte("PK\x01\x02"))+8] |= 1

	damaged := []byte(sound)
	damaged[100] ^= 0xff

	many := make([]string, 0, 2002)
	for i := range 1001 {
		many = append(many, fmt.Sprintf("%d.xml", i), "x")
	}

	for name, file := range map[string]string{
		"cut off":      sound[:len(sound)-30],
		"damaged":      string(damaged),
		"locked":       string(locked),
		"empty":        zipped(t, "a/", ""),
		"many files":   zipped(t, many...),
		"many levels":  zipped(t, "1.zip", zipped(t, "2.zip", zipped(t, "3.xml", first))),
		"a large file": zipped(t, "1.xml", first, "bomb.xml", strings.Repeat(" ", 17<<20)),
		"large files":  zipped(t, "1.xml", first, "2.xml", strings.Repeat(" ", 9<<20), "3.xml", strings.Repeat(" ", 9<<20)),
		"large files, nested": zipped(t,
			"1.zip", zipped(t, "1.xml", strings.Repeat(" ", 9<<20)),
			"2.zip", zipped(t, "2.xml", strings.Repeat(" ", 9<<20)),
		),
		"many files, nested": zipped(t, "1.zip", zipped(t, many[:1000]...), "2.zip", zipped(t, many[1000:]...)),
	} {
		t.Run(name, func(t *testing.T) {
			w := openWorld(t, dbtest.SQLite(t), t.TempDir(), func(c *bank.Config) { c.MaxFile = 16 << 20 })
			got := w.import_(name, file)
			require.Equal(t, bank.Quarantined, got.Outcome)
			require.Equal(t, bank.CodeArchive, got.Code, got.Reason)
			require.Empty(t, w.told("credited"))
			require.Equal(t, bank.Quarantined, w.import_(name, file).Outcome)
		})
	}
}

// What is kept of a ZIP that is too large is all of it.
func TestALargeZIPIsKeptWhole(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	file := "PK\x03\x04" + strings.Repeat("x", 64<<20) + "the end"

	got := w.import_("large.zip", file)
	require.Equal(t, []string{string(bank.Quarantined), bank.CodeArchive}, []string{string(got.Outcome), got.Code})
	require.Equal(t, fmt.Sprintf("%x", sha256.Sum256([]byte(file))), got.Hash)

	f, err := bank.InboxByID(t.Context(), w.d, got.File)
	require.NoError(t, err)
	require.EqualValues(t, len(file), f.Size)
}

// A file that waits for a later one of its ZIP does not wait any more when the ZIP is done.
func TestAFileWaitsForALaterOneOfItsZIP(t *testing.T) {
	first, second := twoDays()
	zeroth := stmt(deposit(3_00, "R0", "zero"))
	zeroth.id = "S0"
	zeroth.from = "2026-11-19"
	zeroth.to = "2026-11-19"
	zeroth.opening -= 3_00

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		w.imported(zeroth.xml())

		got := w.imported(zipped(t, "1.xml", second, "2.xml", first))
		require.Equal(t, 2, got.New)
		require.Len(t, got.Files, 2)

		for _, f := range got.Files {
			require.Equal(t, bank.Imported, f.Outcome, f.Reason)
			require.Equal(t, 1, f.New)
		}

		require.Equal(t, []string{"1.00 one", "2.00 two", "3.00 zero"}, w.told("credited"))
	})
}

// After an error in the middle the report is about what was imported before it.
func TestAnErrorInAZIPReportsWhatIsDone(t *testing.T) {
	first, second := twoDays()
	w := newWorld(t, dbtest.SQLite(t))
	file := zipped(t, "1.xml", first, "2.xml", second)
	steps := 0

	ctx, cancel := context.WithCancel(t.Context())
	got, err := w.rail.Import(ctx, "days.zip", strings.NewReader(file), func(int64, int) {
		if steps++; steps == 2 {
			cancel()
		}
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, got.Files, 1)
	require.Equal(t, bank.Imported, got.Files[0].Outcome)
	require.Equal(t, 1, got.New)
}

// The names in a ZIP are its maker's: they move no cursor, and are cut between two letters.
func TestNamesInAZIPAreShownAsText(t *testing.T) {
	w := newWorld(t, dbtest.SQLite(t))
	first, second := twoDays()
	long := strings.Repeat("ü", 150)

	got := w.import_("c53.zip", zipped(t, "a\\\x1b[2K1.xml", first, "2\xff.xml", second, long, "<broken"))
	require.True(t, strings.HasPrefix(got.Reason, strings.Repeat("ü", 100)+": "), got.Reason)

	list, err := w.rail.Inbox(t.Context(), w.d, "", "", 10)
	require.NoError(t, err)
	require.Equal(
		t,
		[]string{strings.Repeat("ü", 100), "?[2K1.xml in c53.zip", "2?.xml in c53.zip"},
		[]string{list[0].Name, list[1].Name, list[2].Name},
	)
}

// What is no file of the bank's, such as a PDF that somebody has dropped there, leaves the list once two people have
// laid it aside. It cannot be booked, also if it is imported again.
func TestAFileOfSomethingElseIsLaidAside(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		two := func(action bank.Action) bank.Decision {
			return bank.Decision{Action: action, AskedBy: "ann", ApprovedBy: "bob", Note: "an invoice"}
		}
		f := w.import_("invoice.pdf", "%PDF-1.7 an invoice")
		require.Equal(t, bank.Quarantined, f.Outcome)
		require.Equal(t, []string{bank.AlertQuarantined + " " + f.File}, w.alerts())
		require.ErrorIs(t, w.rail.ResolveFile(t.Context(), f.File, two(bank.ActBook)), bank.ErrNotWaiting)

		require.NoError(t, w.rail.ResolveFile(t.Context(), f.File, two(bank.ActDrop)))
		require.Empty(t, w.alerts())
		require.ErrorIs(t, w.rail.ResolveFile(t.Context(), f.File, two(bank.ActDrop)), bank.ErrNotWaiting)

		w.import_("again.pdf", "%PDF-1.7 an invoice")
		require.Empty(t, w.alerts())
	})
}
