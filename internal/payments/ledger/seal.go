package ledger

import (
	"context"
	"errors"
	"slices"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// lookBack is how far behind the newest link the sealer searches for journals that committed late.
const lookBack = time.Hour

// sealBatch limits the links written in one transaction.
const sealBatch = 1000

// Seal links journals that have no link yet and returns their number. Only one process does it at a time; if two run at
// once, they collide on the sequence number and one gets an error to retry later. With keys, a journal that this
// service has not signed gets no link.
func Seal(ctx context.Context, d *db.DB, keys *secret.Keyring) (int, error) {
	n := 0

	err := d.Write(ctx, func(tx *db.Tx) error {
		last, err := lastSeal(ctx, tx)
		if err != nil && !errors.Is(err, db.ErrNone) {
			return err
		}

		since, err := sealSince(ctx, tx, last, tx.Now)
		if err != nil {
			return err
		}

		rows, err := unsealed(ctx, tx, since, sealBatch)
		if err != nil {
			return err
		}

		rows = slices.DeleteFunc(rows, func(r journalRow) bool {
			return keys != nil && !genuine(keys, signedText(r.Hash), r.Signature)
		})
		n = len(rows)

		for i, r := range rows {
			last.Hash = link(last.Hash, r.Hash)
			tx.Insert(insertSeal, last.Seq+int64(i)+1, r.ID, last.Hash, db.Micros(tx.Now))
		}

		return nil
	})
	if db.IsUnique(err, "ledger_chain") {
		return 0, nil
	}

	return n, err
}

// sealSince returns the time from which the sealer looks for journals without a link. Ids and times are made before
// commits, so a journal may appear behind the newest link. The search therefore begins before that link's journal, by a
// window far longer than any transaction lasts. It never begins at the present time: a sealer that was off for days
// finds what was posted in the meantime.
func sealSince(ctx context.Context, q db.Querier, last sealRow, now time.Time) (int64, error) {
	if last.Seq == 0 {
		return 0, nil
	}

	at, err := sealedUntil(ctx, q, last)
	if err != nil || at == 0 {
		return 0, err
	}

	return min(at, db.Micros(now)) - lookBack.Microseconds(), nil
}

// Unsealed returns how many journals of the last hour have no link in the chain yet.
func Unsealed(ctx context.Context, d *db.DB) (int64, error) {
	return countUnsealed(ctx, d, db.Micros(d.Now().Add(-lookBack)))
}

// Head returns the number and the hash of the newest link, to be kept where the database's owner cannot write. For an
// empty chain the number is 0.
func Head(ctx context.Context, q db.Querier) (int64, string, error) {
	last, err := lastSeal(ctx, q)
	if errors.Is(err, db.ErrNone) {
		return 0, "", nil
	}

	return last.Seq, last.Hash, err
}
