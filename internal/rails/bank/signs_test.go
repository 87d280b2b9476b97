package bank_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// B-14: a payment file that left shows that the database is old: in the folder to the bank, in its folder done, or by the
// copy outside. After the reading it is known and shows nothing.
func TestAFileThatLeftShowsThatTheDatabaseIsOld(t *testing.T) {
	for _, c := range []struct {
		name string
		lost func(w *world)
	}{
		{"at the bank", func(w *world) { require.NoError(t, os.RemoveAll(filepath.Join(filepath.Dir(w.out), "witness"))) }},
		{"done", func(w *world) {
			require.NoError(t, os.RemoveAll(filepath.Join(filepath.Dir(w.out), "witness")))
			require.NoError(t, os.MkdirAll(filepath.Join(w.out, "done"), 0o700))

			for _, name := range files(t, w.out) {
				require.NoError(t, os.Rename(filepath.Join(w.out, name), filepath.Join(w.out, "done", name)))
			}
		}},
		{"the copy", func(w *world) { w.bankTakes() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			dbtest.Each(t, func(t *testing.T, d *db.DB) {
				w, _ := restored(t, d, func(w *world) {
					w.plan(pay(0), pay(1))
					w.work()

					none, err := w.rail.Signs(t.Context())
					require.NoError(t, err)
					require.Empty(t, none, "it knows what it has sent")
					c.lost(w)
				}, pay(0), pay(1))

				signs, err := w.rail.Signs(t.Context())
				require.NoError(t, err)
				require.Len(t, signs, 1)
				require.Contains(t, signs[0], "SLW")

				w.reread()
				signs, err = w.rail.Signs(t.Context())
				require.NoError(t, err)
				require.Empty(t, signs)
			})
		})
	}
}
