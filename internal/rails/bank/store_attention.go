package bank

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

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

// first reads at most limit alerts.
func (a alertQuery) first(ctx context.Context, q db.Querier, limit int) ([]alertRow, error) {
	return db.Select(ctx, q, (*alertRow).dest, a.query+" LIMIT ?", append(a.args, int64(limit))...)
}

// of reads the alerts about one subject.
func (a alertQuery) of(ctx context.Context, q db.Querier, subject string) ([]alertRow, error) {
	return db.Select(ctx, q, (*alertRow).dest, "SELECT * FROM ("+a.query+") x WHERE subject = ?",
		append(a.args, subject)...)
}

// count returns how many alerts there are.
func (a alertQuery) count(ctx context.Context, q db.Querier) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT count(*) FROM ("+a.query+") x", a.args...)
}

// alertQueries returns the queries in the order of the list. ago returns the stored time that is d in the past.
func alertQueries(ago func(d time.Duration) int64, unanswered time.Duration) []alertQuery {
	return []alertQuery{
		{AlertHeld, `SELECT key AS subject, reason, updated_at FROM bank_payouts WHERE state = 'HELD'
			ORDER BY id`, nil},
		{
			AlertUnanswered, `SELECT key AS subject, state, handed_at FROM bank_payouts
				WHERE state IN ('HANDED_OVER', 'ACCEPTED') AND handed_at < ? ORDER BY id`,
			[]any{ago(unanswered)},
		},
		{AlertConflict, `SELECT key AS subject, conflict, updated_at FROM bank_payouts WHERE conflict <> ''
			ORDER BY id`, nil},
		{AlertPayee, `SELECT p.key AS subject, c.code, c.created_at FROM bank_payee_checks c
			JOIN bank_payouts p ON p.id = c.payout_id
			WHERE c.waits AND p.state IN ('HANDED_OVER', 'ACCEPTED') ORDER BY c.payout_id`, nil},
		{AlertCorrection, `SELECT id AS subject, code, created_at FROM bank_corrections WHERE state = 'OPEN'
			ORDER BY id`, nil},
		{
			AlertStuck, `SELECT id AS subject, state, created_at FROM bank_files
				WHERE state IN ('SELECTED', 'STORED', 'SENDING', 'HELD') AND created_at < ?
				ORDER BY id`,
			[]any{ago(stuckAfter)},
		},
		{AlertStuck, `SELECT id AS subject, state, created_at FROM bank_inbox
			WHERE state = 'IMPORTING' AND updated_at < ? ORDER BY id`, []any{ago(stuckAfter)}},
		{AlertWaiting, `SELECT id AS subject, reason, created_at FROM bank_inbox WHERE state = 'WAITING'
			ORDER BY id`, nil},
		{AlertUnbalanced, `SELECT id AS subject, reason, created_at FROM bank_inbox WHERE state = 'UNBALANCED'
			ORDER BY id`, nil},
		{
			AlertQuarantined, `SELECT id AS subject, reason, created_at FROM bank_inbox
				WHERE state = 'QUARANTINED' AND created_at > ? ORDER BY id`,
			[]any{ago(quarantineShown)},
		},
		{AlertDoubt, `SELECT entry_id AS subject, like_entry, created_at FROM bank_doubts
			WHERE state = 'OPEN' ORDER BY entry_id`, nil},
		{AlertLate, `SELECT entry_id AS subject, file_id, created_at FROM bank_late WHERE created_at > ?
			ORDER BY entry_id`, []any{ago(quarantineShown)}},
		{AlertReturn, `SELECT p.key AS subject, b.movement, b.created_at FROM bank_returns b
			JOIN bank_payouts p ON p.id = b.payout_id WHERE NOT b.settled ORDER BY p.id`, nil},
		{AlertUnknown, `SELECT end_to_end_id AS subject, file_id, created_at FROM bank_handed WHERE NOT settled
			ORDER BY end_to_end_id`, nil},
		{AlertReturn, `SELECT p.key AS subject, n.code, n.created_at FROM bank_notices n
			JOIN bank_payouts p ON p.id = n.payout_id
			WHERE p.state <> 'RETURNED' AND n.created_at < ? ORDER BY p.id`, []any{ago(unanswered)}},
	}
}
