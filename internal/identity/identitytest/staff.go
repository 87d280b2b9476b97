package identitytest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// Staff writes users with some identifiers and a role of the platform, who got it before that was recorded. The address
// of each is the identifier at example.com.
func Staff(t testing.TB, d *db.DB, role string, ids ...string) {
	t.Helper()
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		for _, id := range ids {
			email := id + "@example.com"

			_, err := tx.Exec(`INSERT INTO users (id, email, email_key, first_name, last_name, staff, is_account_setup,
				version, created_at, updated_at) VALUES (?, ?, ?, ?, 'Staff', ?, TRUE, 1, 0, 0)`,
				id, email, email, id, role)
			if err != nil {
				return err
			}
		}

		return nil
	}))
}

// TooNew makes a user's role new, on a platform whose first day is over: for user.GrantDelay he cannot be a second
// person.
func TooNew(t testing.TB, d *db.DB, userID string) {
	t.Helper()
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO staff_grants (user_id, granted_at, staff)
			VALUES ('usr_founder', 1, 'operator'), ('usr_other_founder', 1, 'operator'), (?, ?, 'staff')`,
			userID, db.Micros(tx.Now))

		return err
	}))
}
