package db

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const guardedMove = "UPDATE t SET status = ?, version = version + 1 WHERE id = ? AND version = ? AND EXISTS (SELECT 1 FROM gates g WHERE g.id = ?)"

func TestSingleChangesOfOneTextBecomeOneStatement(t *testing.T) {
	change := func(text string, alone bool, args ...any) pendingChange {
		return pendingChange{query: text, args: args, alone: alone}
	}
	together, rest := joinChanges([]pendingChange{
		change(guardedMove, true, "DONE", "a", int64(1), "g"),
		change("DELETE FROM t WHERE id = ?", true, "x"),
		change(guardedMove, true, "DONE", "b", int64(2), "g"),
		change(guardedMove, false, "DONE", "c", int64(3), "g"),
	})
	require.Len(t, together, 1)
	require.Equal(t, []string{"text", "text", "bigint", "text"}, together[0].types)
	require.Equal(t, [][]any{{"DONE", "a", int64(1), "g"}, {"DONE", "b", int64(2), "g"}}, together[0].rows)
	require.Equal(t, "WITH touched AS (UPDATE t SET status = given.c1, version = version + 1 FROM unnest($1::text[],$2::text[],$3::bigint[],$4::text[]) AS given(c1,c2,c3,c4) "+
		"WHERE id = given.c2 AND version = given.c3 AND EXISTS (SELECT 1 FROM gates g WHERE g.id = given.c4) RETURNING 1) "+
		"SELECT 1 / (CASE WHEN count(*) = $5::bigint THEN 1 ELSE 0 END) FROM touched", together[0].query)
	require.Len(t, rest, 2, "one of its kind, and one of a body that changes more")
}

func TestChangesThatOneStatementCannotDoStayApart(t *testing.T) {
	for why, pair := range map[string][2]pendingChange{
		"the table is read too": {{query: "UPDATE t SET a = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM t o WHERE o.a = 1)", args: []any{"x", "1"}, alone: true},
			{query: "UPDATE t SET a = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM t o WHERE o.a = 1)", args: []any{"x", "2"}, alone: true}},
		"a value is NULL": {{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{nil, "1"}, alone: true}, {query: "UPDATE t SET a = ? WHERE id = ?", args: []any{nil, "2"}, alone: true}},
		"values of two types": {{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{int64(1), "1"}, alone: true},
			{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{"x", "2"}, alone: true}},
		"the new value is read": {{query: "UPDATE t SET a = (SELECT 1 FROM o WHERE o.id = ?) WHERE id = ?", args: []any{"x", "1"}, alone: true},
			{query: "UPDATE t SET a = (SELECT 1 FROM o WHERE o.id = ?) WHERE id = ?", args: []any{"x", "2"}, alone: true}},
		"two texts": {{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{"x", "1"}, alone: true}, {query: "UPDATE t SET b = ? WHERE id = ?", args: []any{"x", "2"}, alone: true}},
	} {
		together, rest := joinChanges(pair[:])
		require.Empty(t, together, why)
		require.Len(t, rest, 2, why)
	}
}
