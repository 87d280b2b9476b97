package bank

import (
	"context"
	"fmt"
	"time"

	"slipway/internal/platform/db"
)

// Alert is something that a person must check.
type Alert struct {
	Kind    string // one of the constants below
	Subject string // a payout's key, or the id of a file or an entry
	Text    string
	Since   time.Time
}

// The kinds of alerts, and what to do.
const (
	AlertHeld       = "PAYOUT_HELD"         // Resolve
	AlertUnanswered = "PAYOUT_UNANSWERED"   // at the bank for a long time without a booking (F-06)
	AlertConflict   = "PAYOUT_CONTRADICTED" // the bank reported something impossible
	// the bank waits for a decision, because it has not found the payee's name at the account
	AlertPayee = "PAYOUT_PAYEE_DIFFERS"
	// a payment file that does not leave, or an import that makes no progress
	AlertStuck       = "FILE_STUCK"
	AlertWaiting     = "STATEMENT_WAITING"    // ResolveFile, or provide the missing statement
	AlertUnbalanced  = "STATEMENT_UNBALANCED" // provide what is missing, or ResolveDoubt or ResolveFile
	AlertQuarantined = "FILE_QUARANTINED"
	AlertDoubt       = "ENTRY_DOUBTFUL" // ResolveDoubt
	// the parts of a batch booking came after people or a payout had decided about it
	AlertLate = "DETAILS_LATE"
	// left before a backup was restored, for a payout that this database does not have; ResolveHanded
	AlertUnknown = "PAYMENT_UNKNOWN"
	// the bank says what is right about a payee's account; ResolveCorrection
	AlertCorrection = "PAYEE_OUT_OF_DATE"
	AlertReturn     = "RETURN_UNBOOKED" // announced or received, but not booked as it should be
)

// stuckAfter is the age at which a payment file that has not arrived becomes an alert.
const stuckAfter = 10 * time.Minute

// quarantineShown is how long a quarantined file stays on the list.
const quarantineShown = 14 * 24 * time.Hour

// mostAlerts is how many alerts of a kind Attention lists.
const mostAlerts = 200

// Attention lists what a person must check, oldest first, at most 200 of each kind. Alerts returns how many there are.
func (r *Rail) Attention(ctx context.Context, q db.Querier) ([]Alert, error) {
	return r.alerts(ctx, q, func(a alertQuery) ([]alertRow, error) { return a.first(ctx, q, mostAlerts) })
}

// AttentionTo lists what a person must check about one subject, whether or not Attention lists it among others.
func (r *Rail) AttentionTo(ctx context.Context, q db.Querier, subject string) ([]Alert, error) {
	return r.alerts(ctx, q, func(a alertQuery) ([]alertRow, error) { return a.of(ctx, q, subject) })
}

// Alerts counts all alerts by kind.
func (r *Rail) Alerts(ctx context.Context, q db.Querier) (map[string]int, error) {
	out := map[string]int{}

	for _, a := range r.alertQueries() {
		n, err := a.count(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("count alerts, %s: %w", a.kind, err)
		}

		if n > 0 {
			out[a.kind] += int(n)
		}
	}

	return out, nil
}

// alerts returns what read finds of each kind.
func (r *Rail) alerts(
	ctx context.Context,
	q db.Querier,
	read func(alertQuery) ([]alertRow, error),
) ([]Alert, error) {
	var out []Alert

	for _, a := range r.alertQueries() {
		rows, err := read(a)
		if err != nil {
			return nil, fmt.Errorf("attention, %s: %w", a.kind, err)
		}

		for _, x := range rows {
			if a.kind == AlertPayee {
				x.text = PayeeCheck{Status: findingOf(x.text).status, Code: x.text, Waits: true}.Text()
			}

			if a.kind == AlertCorrection {
				c, _, err := correctionByID(ctx, q, x.subject)
				if err != nil {
					return nil, fmt.Errorf("correction %s: %w", x.subject, err)
				}

				x.text = c.Sentence()
			}

			out = append(out, Alert{Kind: a.kind, Subject: x.subject, Text: x.text, Since: db.Time(x.since)})
		}
	}

	return out, nil
}

// alertQueries returns the queries as of now.
func (r *Rail) alertQueries() []alertQuery {
	now := r.db.Now()

	return alertQueries(func(d time.Duration) int64 { return db.Micros(now.Add(-d)) }, r.c.Unanswered)
}
