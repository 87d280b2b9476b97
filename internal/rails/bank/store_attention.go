package bank

import "time"

// alertRow is a row that a person must check.
type alertRow struct {
	subject, text string
	since         int64
}

func (a *alertRow) dest() []any { return []any{&a.subject, &a.text, &a.since} }

// alertQuery finds the alerts of one kind.
type alertQuery struct {
	kind, query string
	args        []any
}

// alertQueries returns the queries in the order of the list. ago returns the stored time that is d in the past.
func alertQueries(ago func(d time.Duration) int64, unanswered time.Duration) []alertQuery {
	return []alertQuery{
		{AlertHeld, "SELECT key, reason, updated_at FROM bank_payouts WHERE state = 'HELD' ORDER BY id LIMIT 200", nil},
		{
			AlertUnanswered, `SELECT key, state, handed_at FROM bank_payouts
				WHERE state IN ('HANDED_OVER', 'ACCEPTED') AND handed_at < ? ORDER BY id
				LIMIT 200`,
			[]any{ago(unanswered)},
		},
		{AlertConflict, `SELECT key, conflict, updated_at FROM bank_payouts WHERE conflict <> ''
			ORDER BY id LIMIT 200`, nil},
		{AlertPayee, `SELECT p.key, c.code, c.created_at FROM bank_payee_checks c
			JOIN bank_payouts p ON p.id = c.payout_id
			WHERE c.waits AND p.state IN ('HANDED_OVER', 'ACCEPTED') ORDER BY c.payout_id LIMIT 200`, nil},
		{
			AlertStuck, `SELECT id, state, created_at FROM bank_files
				WHERE state IN ('SELECTED', 'STORED', 'SENDING', 'HELD') AND created_at < ?
				ORDER BY id LIMIT 200`,
			[]any{ago(stuckAfter)},
		},
		{AlertStuck, `SELECT id, state, created_at FROM bank_inbox
			WHERE state = 'IMPORTING' AND updated_at < ? ORDER BY id LIMIT 200`, []any{ago(stuckAfter)}},
		{AlertWaiting, `SELECT id, reason, created_at FROM bank_inbox WHERE state = 'WAITING'
			ORDER BY id LIMIT 200`, nil},
		{AlertUnbalanced, `SELECT id, reason, created_at FROM bank_inbox WHERE state = 'UNBALANCED'
			ORDER BY id LIMIT 200`, nil},
		{
			AlertQuarantined, `SELECT id, reason, created_at FROM bank_inbox
				WHERE state = 'QUARANTINED' AND created_at > ? ORDER BY id LIMIT 200`,
			[]any{ago(quarantineShown)},
		},
		{AlertDoubt, `SELECT entry_id, like_entry, created_at FROM bank_doubts
			WHERE state = 'OPEN' ORDER BY entry_id LIMIT 200`, nil},
		{AlertLate, `SELECT entry_id, file_id, created_at FROM bank_late WHERE created_at > ?
			ORDER BY entry_id LIMIT 200`, []any{ago(quarantineShown)}},
		{AlertReturn, `SELECT p.key, b.movement, b.created_at FROM bank_returns b
			JOIN bank_payouts p ON p.id = b.payout_id WHERE NOT b.settled ORDER BY p.id
			LIMIT 200`, nil},
		{AlertUnknown, `SELECT end_to_end_id, file_id, created_at FROM bank_handed WHERE NOT settled
			ORDER BY end_to_end_id LIMIT 200`, nil},
		{AlertReturn, `SELECT p.key, n.code, n.created_at FROM bank_notices n
			JOIN bank_payouts p ON p.id = n.payout_id
			WHERE p.state <> 'RETURNED' AND n.created_at < ? ORDER BY p.id LIMIT 200`, []any{ago(unanswered)}},
	}
}
