package bank_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// F-11, F-12: of a batch of three of which the bank shows one, the whole is nobody's: neither that one's payer nor its text.
func TestALumpHasNoPayer(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newWorld(t, d)
		one := detail{cents: 100_00, text: "PX4K-7Q2M", end: "E1", name: "Payer AG", iban: "AT611904300234573201"}
		batch := advice(entry{cents: 300_00, ref: "B1", pmtInf: "BLOCK", details: []detail{one}})
		w.imported(strings.Replace(batch.xml(), "<PmtInfId>BLOCK</PmtInfId>", "<NbOfTxs>3</NbOfTxs>", 1))
		require.Equal(t, []string{"300.00 "}, w.told("credited"))

		entry, err := db.Value[string](t.Context(), d, "SELECT counterparty || end_to_end_id || remittance FROM bank_entries")
		require.NoError(t, err)
		require.Empty(t, entry)
	})
}
