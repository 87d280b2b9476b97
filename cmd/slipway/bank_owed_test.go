//go:build !nosandbox

package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// D-08: what an organisation owes is listed among what waits for people, and two of them write it off. One person
// alone, even twice, does not.
func TestBankSettlesWhatIsOwed(t *testing.T) {
	deskOf(t)

	out, err := slip(t, "bank", "owed")
	require.NoError(t, err)
	require.Contains(t, out, "no organisation owes anything")

	d, err := db.Open(t.Context(), db.Config{
		URL: "sqlite:" + filepath.Join(os.Getenv("SLIPWAY_DATA_DIR"), "desk.db"),
	})
	require.NoError(t, err)
	require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO receivables (id, organisation, transaction_id, house, reference, currency,
			decimals, units, owed, state, created_at)
			VALUES ('ent_1', 'org_1', '', 'hse_eur', '7K4M2Q9X', 'EUR', 2, '250000', '150000', 'OPEN', 1)`)

		return err
	}))
	require.NoError(t, d.Close())

	out, err = slip(t, "bank", "held")
	require.NoError(t, err)
	require.Contains(t, out, "org_1 owes 1500.00 EUR")
	require.Contains(t, out, "settle-owed")

	out, err = slip(t, "bank", "owed")
	require.NoError(t, err)
	require.Contains(t, out, "1500.00 EUR")
	require.Contains(t, out, "7K4M2Q9X")

	p := peopleAt(t)
	end := func(typed string, how ...string) (string, error) {
		args := append([]string{"bank", "settle-owed", "ent_1"}, how...)

		return p.at(typed, append(args, "--note", "long ago")...)
	}

	_, err = end(p.as("ann")+p.as("ann"), "--write-off")
	require.ErrorContains(t, err, "SECOND_PERSON_REQUIRED")
	_, err = end(p.as("ann")+p.as("guest"), "--write-off")
	require.ErrorContains(t, err, "not an operator")
	_, err = end(p.as("ann") + p.as("ben"))
	require.Error(t, err, "nothing is decided by saying nothing")
	_, err = end(p.as("ann")+p.as("ben"), "--set-off", "ent_none")
	require.ErrorContains(t, err, "NOT_ALLOWED")

	out, err = end(p.as("ann")+p.as("ben"), "--write-off")
	require.NoError(t, err)
	require.Contains(t, out, "1500.00 EUR of it are written off")
	require.Contains(t, out, "is APPROVED by ben@example.org")

	out, err = slip(t, "bank", "owed")
	require.NoError(t, err)
	require.Contains(t, out, "no organisation owes anything")
}
