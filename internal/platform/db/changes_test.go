package db

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const guardedMove = `UPDATE t SET status = ?, version = version + 1
	WHERE id = ? AND version = ? AND EXISTS (SELECT 1 FROM gates g
	WHERE g.id = ?)`

func TestSingleChangesOfOneTextBecomeOneStatement(t *testing.T) {
	change := func(text string, free bool, args ...any) pendingChange {
		return pendingChange{query: text, args: args, free: free}
	}

	all := joinChanges([]pendingChange{
		change(guardedMove, true, "DONE", "a", int64(1), "g"),
		change("DELETE FROM t WHERE id = ?", true, "x"),
		change(guardedMove, true, "DONE", "b", int64(2), "g"),
		change(guardedMove, false, "DONE", "c", int64(3), "g"),
	})

	require.Len(t, all, 3, "two joined, one of its kind, and one of a body that changes more")
	require.Equal(t, []string{"text", "text", "bigint", "text"}, all[0].types)
	require.Equal(t, [][]any{{"DONE", "a", int64(1), "g"}, {"DONE", "b", int64(2), "g"}}, all[0].rows)

	require.Equal(
		t,
		"WITH touched AS (UPDATE t SET status = given.c1, version = version + 1 "+
			"FROM unnest($1::text[],$2::text[],$3::bigint[],$4::text[]) WITH ORDINALITY AS given(c1,c2,c3,c4,n) "+
			"WHERE id = given.c2 AND version = given.c3 AND EXISTS (SELECT 1 FROM gates g "+
			"WHERE g.id = given.c4) RETURNING given.n) "+
			"SELECT 1 / (CASE WHEN count(*) = $5::bigint AND count(DISTINCT n) = $5::bigint THEN 1 ELSE 0 END) "+
			"FROM touched",
		all[0].query,
	)

	require.Equal(t, []joined{
		{query: "DELETE FROM t WHERE id = ?", rows: [][]any{{"x"}}},
		{query: guardedMove, rows: [][]any{{"DONE", "c", int64(3), "g"}}},
	}, all[1:])
}

func TestChangesThatOneStatementCannotDoStayApart(t *testing.T) {
	const (
		ownTable   = "UPDATE t SET a = ? WHERE id = ? AND NOT EXISTS (SELECT 1 FROM t o WHERE o.a = 1)"
		otherTable = "UPDATE t SET a = (SELECT 1 FROM o WHERE o.id = ?) WHERE id = ?"
	)

	for why, pair := range map[string][2]pendingChange{
		"the table is read too": {
			{query: ownTable, args: []any{"x", "1"}, free: true},
			{query: ownTable, args: []any{"x", "2"}, free: true},
		},
		"a value is NULL": {
			{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{nil, "1"}, free: true},
			{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{nil, "2"}, free: true},
		},
		"values of two types": {
			{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{int64(1), "1"}, free: true},
			{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{"x", "2"}, free: true},
		},
		"the new value is read": {
			{query: otherTable, args: []any{"x", "1"}, free: true},
			{query: otherTable, args: []any{"x", "2"}, free: true},
		},
		"two texts": {
			{query: "UPDATE t SET a = ? WHERE id = ?", args: []any{"x", "1"}, free: true},
			{query: "UPDATE t SET b = ? WHERE id = ?", args: []any{"x", "2"}, free: true},
		},
	} {
		t.Run(why, func(t *testing.T) {
			all := joinChanges(pair[:])
			require.Len(t, all, 2)
			require.Equal(t, []int{1, 1}, []int{len(all[0].rows), len(all[1].rows)})
		})
	}
}

// The parts of a body have no order among each other, what is in one part has: so all first changes go before the
// second ones, whether they could be joined or not.
func TestPartsOfABodyTravelTogether(t *testing.T) {
	const deposit, owner = "UPDATE deposits SET state = ? WHERE entry = ?", "UPDATE owners SET told = ? WHERE id = ?"
	change := func(part, round int, text string, args ...any) pendingChange {
		return pendingChange{
			query: text,
			args:  args,
			part:  part,
			free:  true,
			round: round,
		}
	}
	all := joinChanges([]pendingChange{
		change(1, 0, deposit, "MATCHED", "a"),
		change(1, 1, owner, true, "x"),
		change(2, 0, deposit, "SUSPENSE", "b"),
		change(3, 0, deposit, "MATCHED", "c"),
		change(3, 1, owner, true, "y"),
		change(3, 2, "DELETE FROM owners WHERE id = ?", "y"),
		{query: deposit, args: []any{"HELD", "d"}},
		{query: deposit, args: []any{"MATCHED", "d"}},
	})

	var rows [][][]any
	for _, j := range all {
		rows = append(rows, j.rows)
	}

	require.Equal(t, [][][]any{
		{{"MATCHED", "a"}, {"SUSPENSE", "b"}, {"MATCHED", "c"}},
		{{true, "x"}, {true, "y"}},
		{{"y"}},
		{{"HELD", "d"}},
		{{"MATCHED", "d"}},
	}, rows)
}
