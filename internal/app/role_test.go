//go:build !nosandbox

package app_test

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db/dbtest"
)

// B-05: run as the role of docs/reference/postgres-role.sql the service does all its work, and nobody who has taken
// it over can change or remove a posting, a link of the chain, a line of the trail, or when somebody became an
// operator. What the owner of the database does there is found by ledger verify.
func TestTheServicesRoleCannotRewriteTheBooks(t *testing.T) {
	ctx := context.Background()
	owner := dbtest.PostgresURL(t)
	address, err := url.Parse(owner)
	require.NoError(t, err)
	admin, err := pgx.Connect(ctx, owner)
	require.NoError(t, err)

	defer func() { _ = admin.Close(ctx) }()

	grants, err := os.ReadFile("../../docs/reference/postgres-role.sql")
	require.NoError(t, err)
	role := fmt.Sprintf("service_of_%d%s", os.Getpid(), strings.ReplaceAll(address.Path, "/", "_"))
	_, err = admin.Exec(ctx, "CREATE ROLE "+role+" LOGIN PASSWORD 'of a test'")
	require.NoError(t, err)
	t.Cleanup(func() {
		c, err := pgx.Connect(ctx, owner)
		require.NoError(t, err)
		_, err = c.Exec(ctx, "DROP OWNED BY "+role+"; DROP ROLE "+role)
		require.NoError(t, err)
		require.NoError(t, c.Close(ctx))
	})
	_, err = admin.Exec(ctx, strings.ReplaceAll(string(grants), "slipway_service", role))
	require.NoError(t, err)

	address.User = url.UserPassword(role, "of a test")
	h := apptest.New(t, apptest.Config{}, address.String())
	c := h.Client("Ada")
	id := c.Accepted("USDC", "1.00", "2.00")
	h.Settle()
	c.Ends(id, transaction.StatusCompleted)
	h.Oracle()

	service, err := pgx.Connect(ctx, address.String())
	require.NoError(t, err)

	defer func() { _ = service.Close(ctx) }()

	for _, attack := range []string{
		"UPDATE postings SET units = '0'", "DELETE FROM postings", "TRUNCATE postings",
		"UPDATE journals SET hash = ''", "DELETE FROM journals", "UPDATE ledger_chain SET hash = ''", "DELETE FROM ledger_chain",
		"DELETE FROM audit_log", "UPDATE events SET data = ''", "DELETE FROM transaction_history",
		"UPDATE staff_grants SET granted_at = 0", "DELETE FROM staff_grants",
		"ALTER TABLE postings ADD COLUMN x TEXT", "UPDATE goose_db_version SET version_id = 0",
	} {
		_, err := service.Exec(ctx, attack)

		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, attack)
		require.Equal(t, "42501", refused.Code, attack)
	}
}
