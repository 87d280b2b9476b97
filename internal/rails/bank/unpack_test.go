package bank_test

import (
	"archive/zip"
	"bytes"
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
