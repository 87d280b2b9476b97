//go:build !nosandbox

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
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

// A list that leaves something out says so, and how the rest is seen.
func TestListsOfTheBankAreNotCutInSilence(t *testing.T) {
	deskOf(t)

	d, err := db.Open(t.Context(), db.Config{
		URL: "sqlite:" + filepath.Join(os.Getenv("SLIPWAY_DATA_DIR"), "desk.db"),
	})
	require.NoError(t, err)
	require.NoError(t, d.Write(t.Context(), func(tx *db.Tx) error {
		for i := range 203 {
			if _, err := tx.Exec(`INSERT INTO receivables (id, organisation, transaction_id, house, reference, currency,
				decimals, units, owed, state, created_at)
				VALUES (?, 'org_1', '', 'hse_eur', ?, 'EUR', 2, '250000', '150000', 'OPEN', 1)`,
				fmt.Sprintf("ent_%03d", i), fmt.Sprintf("R%03d", i)); err != nil {
				return err
			}

			if _, err := tx.Exec(`INSERT INTO bank_inbox (id, hash, name, kind, size, state, created_at, updated_at)
				VALUES (?, ?, 'a file', 'camt.053', 1, 'WAITING', 1, 1)`,
				fmt.Sprintf("fil_%03d", i), fmt.Sprintf("%064d", i)); err != nil {
				return err
			}
		}

		return nil
	}))
	require.NoError(t, d.Close())

	for _, c := range []struct {
		args      []string
		says, not string
	}{
		{[]string{"held"}, "… and 3 more: STATEMENT_WAITING", "more: PAYOUT"},
		{[]string{"held"}, "… and 3 more: OWED, listed by bank owed --limit", "ent_200"},
		{[]string{"owed"}, "… and 3 more: --limit lists them", "ent_200"},
		{[]string{"owed", "--limit", "203"}, "ent_202", "… and"},
		{[]string{"files", "--in", "--limit", "202"}, "… and more: --limit lists them", "fil_000"},
		{[]string{"files", "--in", "--limit", "203"}, "fil_000", "… and"},
	} {
		out, err := slip(t, append([]string{"bank"}, c.args...)...)
		require.NoError(t, err)
		require.Contains(t, out, c.says, c.args)
		require.NotContains(t, out, c.not, c.args)
	}
}

// No list is asked for with a limit that means nothing, or with one that no desk can read.
func TestLimitsOfListsHaveBounds(t *testing.T) {
	deskOf(t)

	for _, list := range []string{"bank files", "bank suspense", "bank owed", "reread show"} {
		for _, n := range []string{"0", "-1", "10001"} {
			_, err := slip(t, strings.Fields(list+" --limit="+n)...)
			require.ErrorContains(t, err, n+" rows: 1 to 10000 can be listed", list)
		}
	}

	parser, err := kong.New(&commandLine{}, kong.Name("slipway"))
	require.NoError(t, err)

	for _, command := range parser.Model.Leaves(true) {
		for _, f := range command.Flags {
			if f.Name == "limit" {
				require.IsType(t, rowLimit(0), f.Target.Interface(), command.FullPath())
			}
		}
	}
}
