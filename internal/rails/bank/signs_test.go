package bank_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// B-14: a payment file that left shows that the database is old: in the folder to the bank, in its folder done, or by
// the copy outside. After the reading it is known and shows nothing.
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

// B-14: a file of the bank's that the archive has and the database does not know shows that it is old, unless the bank
// still offers it: then a process ended while it took the file. After the reading it is known.
func TestAnArchivedFileShowsThatTheDatabaseIsOld(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const unread = "not a message of a bank"

		w, _ := restored(t, d, func(w *world) {
			w.imported(stmt().xml())
			w.import_("torn", unread)

			none, err := w.rail.Signs(t.Context())
			require.NoError(t, err)
			require.Empty(t, none)
		})
		require.NoError(t, os.WriteFile(filepath.Join(w.in, "torn"), []byte(unread), 0o600))

		signs, err := w.rail.Signs(t.Context())
		require.NoError(t, err)
		require.Len(t, signs, 1)
		require.Contains(t, signs[0], "the archive has the bank's file")

		w.reread()
		signs, err = w.rail.Signs(t.Context())
		require.NoError(t, err)
		require.Empty(t, signs)
	})
}

// B-14: a booked debit, or a report, under an identification of ours that nobody knows shows that the database is old.
// What others call alike does not: their identifications, ULIDs of direct debits, credits, and what left in a file that
// was read again.
func TestWhatTheBankBooksUnderOurNameIsKnown(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var signs []string

		w := openWorld(t, d, t.TempDir(), func(c *bank.Config) {
			c.Behind = func(_ context.Context, _ *db.Tx, sign string) error {
				signs = append(signs, sign)
				return nil
			}
		})
		w.paid(1)

		entries := ""
		all := stmt()

		for n, refs := range []string{
			"<EndToEndId>" + own(0) + "</EndToEndId>",
			"<EndToEndId>INVOICE 4711</EndToEndId>",
			"<EndToEndId>01KAJ3W8R8Q2M5X9V7T4B6C1DN</EndToEndId>",
			"<UETR>97ed4827-7b6f-4491-a06f-b548d5a7512d</UETR>",
			"<EndToEndId>" + own(7) + "</EndToEndId>",
			"<UETR>" + bank.UETR(pay(8).Key) + "</UETR>",
			"<PmtInfId>SLW" + own(9) + "-S</PmtInfId>",
		} {
			e := debit(n, fmt.Sprintf("D%d", n))
			e.details = nil
			bare := stmt(e).xml()
			entries += bare[strings.Index(bare, "<Ntry>"):strings.Index(bare, "</Ntry>")] +
				"<NtryDtls><TxDtls><Refs>" + refs + "</Refs></TxDtls></NtryDtls></Ntry>"
			all.entries = append(all.entries, e)
		}

		whole := all.xml()
		w.imported(whole[:strings.Index(whole, "<Ntry>")] + entries + "</Stmt></BkToCstmrStmt></Document>")
		require.ElementsMatch(t, []string{
			"the bank has booked the payment " + own(7) + ", which this database does not know",
			"the bank has booked the payment " + bank.UETR(pay(8).Key) + ", which this database does not know",
			"the bank has booked payments of the file SLW" + own(9) + ", which this database does not know",
		}, signs)

		signs = nil
		w.import_("stranger", report{id: "P1", message: "SOMEBODY-ELSES", group: "RJCT", groupReason: "AC04"}.xml())
		require.Empty(t, signs)
		w.import_("ours", report{id: "P2", message: "SLW" + own(9), group: "ACSP"}.xml())
		require.Equal(
			t,
			"the bank has reported about the payment file SLW"+own(9)+", which this database does not know",
			signs[0],
		)
	})
}
