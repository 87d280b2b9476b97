//go:build !nosandbox

package matrix

import (
	"context"
	"slices"

	"github.com/stretchr/testify/require"

	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// plantSealed puts the canary into the sealed texts of an organisation's rows that are shown as they are.
func (s *stage) plantSealed(org string) {
	s.t.Helper()

	for _, x := range []struct {
		column *db.Sealed
		ids    string // of the rows
		texts  []int
	}{
		{receiver.Sealed()[0], "SELECT id FROM receivers WHERE organisation = ?", []int{0, 1, 2, 3, 4}},
		{bankaccount.Sealed()[0], "SELECT id FROM bank_accounts WHERE organisation = ?", []int{0, 1}},
		{organisation.Sealed()[0], "SELECT id FROM organisations WHERE id = ?", []int{1, 2, 3, 4}},
		{user.Sealed()[0], "SELECT user_id FROM members WHERE organisation = ?", []int{0, 2}},
	} {
		ids, err := db.Select(context.Background(), s.app.DB, func(id *string) []any { return []any{id} }, x.ids, org)
		require.NoError(s.t, err)
		require.NotEmpty(s.t, ids, x.column.Name())

		require.NoError(s.t, s.app.DB.Rewrite(context.Background(), x.column, func(key db.Key, texts []string) {
			id, _ := key[len(key)-1].(string)
			for _, i := range x.texts {
				if slices.Contains(ids, id) && len(texts) > 0 {
					texts[i] = canary
				}
			}
		}))
	}
}
