package bank

import (
	"context"
	"fmt"
	"slices"

	"slipway/internal/platform/db"
)

// payeeNames holds the names that banks give.
var payeeNames = db.SealColumn("bank_payee_checks", "sealed", "payout_id")

// payeeRow is a row of bank_payee_checks.
type payeeRow struct {
	payout, code, name, file string
	waits                    bool
	at                       int64
}

func (x *payeeRow) dest() []any {
	return []any{
		&x.payout,
		&x.code,
		payeeNames.Into(db.Key{&x.payout}, &x.name),
		&x.file,
		&x.waits,
		&x.at,
	}
}

// says returns what two rows about one payout have in common if the second one says nothing new.
func (x payeeRow) says() payeeRow { return payeeRow{code: x.code, name: x.name, waits: x.waits} }

// payeesOf returns what banks have found of the names on payouts, by payout.
func payeesOf(ctx context.Context, q db.Querier, payoutIDs []string) (map[string]payeeRow, error) {
	out := map[string]payeeRow{}

	for some := range slices.Chunk(payoutIDs, idsPerQuery) {
		var w db.Where
		db.In(&w, "payout_id", some)

		rows, err := db.Select(ctx, q, (*payeeRow).dest,
			"SELECT payout_id, code, sealed, file_id, waits, created_at FROM bank_payee_checks"+w.SQL(), w.Args...)
		if err != nil {
			return nil, fmt.Errorf("names on %d payouts: %w", len(payoutIDs), err)
		}

		for _, x := range rows {
			out[x.payout] = x
		}
	}

	return out, nil
}

// storePayee replaces what is stored about the name on a payout.
func storePayee(tx *db.Tx, x payeeRow) {
	tx.Change(
		`INSERT INTO bank_payee_checks (payout_id, code, sealed, file_id, waits, created_at) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT (payout_id) DO UPDATE SET code = excluded.code, sealed = excluded.sealed,
				file_id = excluded.file_id, waits = excluded.waits, created_at = excluded.created_at`,
		x.payout,
		x.code,
		payeeNames.Of(db.Key{x.payout}, x.name),
		x.file,
		x.waits,
		x.at,
	)
}
