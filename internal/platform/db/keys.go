package db

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"slipway/internal/platform/secret"
)

// ErrKeys is returned for a keyring that cannot open everything that is sealed in the database.
var ErrKeys = errors.New("the keyring (security.keyring) does not open what is sealed in this database")

// sealingKeys is the table of the keys that have sealed something.
const sealingKeys = "sealing_keys"

var insertSealingKey = InsertInto(sealingKeys, "id, proof")

// CheckKeys returns ErrKeys if a key that has sealed something in the database is not in the keyring, or if the keyring
// has another one of that name. It writes nothing. A database without tables holds nothing that is sealed.
func (d *DB) CheckKeys(ctx context.Context) error {
	tables, err := d.tables(ctx)
	if err != nil {
		return fmt.Errorf("list tables: %w", err)
	}

	if d.keys == nil || !slices.Contains(tables, sealingKeys) {
		return nil
	}

	_, err = d.openedKeys(ctx, d)

	return err
}

// UseKeys records that the current key seals in this database from now on. It returns ErrKeys as CheckKeys does: of two
// processes that begin an empty database at once, each with a keyring of its own, one is refused. A second call changes
// nothing.
//
// Where no key is on record although something is sealed, it returns ErrKeys unless the keyring opens a value of each
// of the columns. That is what a lost table of keys, or a database from before it, looks like. A key that sealed only
// some of a column's values is not found so.
func (d *DB) UseKeys(ctx context.Context, columns ...*Sealed) error {
	if d.keys == nil {
		return nil
	}

	use := func() error {
		return d.Write(ctx, func(tx *Tx) error {
			known, err := d.openedKeys(ctx, tx)
			if err != nil || slices.Contains(known, d.keys.Current()) {
				return err
			}

			if len(known) == 0 {
				if err := d.openSome(ctx, tx, columns); err != nil {
					return err
				}
			}

			current := d.keys.Current()
			tx.Insert(insertSealingKey, current, d.keys.Seal([]byte(current), proofOf(current)))

			return nil
		})
	}

	err := use()
	if IsUnique(err, sealingKeys) { // another process has begun with a key of the same name
		err = use()
	}

	return err
}

// openSome returns ErrKeys if the keyring does not open a value of each column.
func (d *DB) openSome(ctx context.Context, q Querier, columns []*Sealed) error {
	for _, c := range columns {
		row, err := One(ctx, q, c.sealedDest, c.sealedRows()+" WHERE "+c.column+" <> '' LIMIT 1")
		if errors.Is(err, ErrNone) {
			continue
		}

		if err != nil {
			return fmt.Errorf("read %s: %w", c.Name(), err)
		}

		if _, err := d.decrypt(c, row.key, row.sealed); err != nil {
			return fmt.Errorf("%w: %s: %w. Put back the keyring that sealed it", ErrKeys, c.Name(), err)
		}
	}

	return nil
}

// ForgetOlderKeys records that nothing is left which an older key than the current one has sealed. From then on
// CheckKeys does not ask for them. Call it only after a pass over everything that is sealed has found nothing, when
// every process seals with the current key.
func (d *DB) ForgetOlderKeys(ctx context.Context) error {
	return d.Write(ctx, func(tx *Tx) error {
		_, err := tx.Exec("DELETE FROM "+sealingKeys+" WHERE id <> ?", d.keys.Current())
		return err
	})
}

// openedKeys returns the ids of the keys that have sealed something, or ErrKeys with what is wrong with one of them.
func (d *DB) openedKeys(ctx context.Context, q Querier) (ids []string, err error) {
	type sealed struct{ id, proof string }

	rows, err := Select(ctx, q, func(s *sealed) []any {
		return []any{&s.id, &s.proof}
	}, "SELECT id, proof FROM "+sealingKeys+" ORDER BY id")
	if err != nil {
		return nil, err
	}

	for _, s := range rows {
		_, err := d.keys.Open(s.proof, proofOf(s.id))

		switch {
		case errors.Is(err, secret.ErrUnknownKey):
			const missing = "%w: the key %s is missing. Put it back, behind the one that seals from now on"
			return nil, fmt.Errorf(missing, ErrKeys, s.id)
		case err != nil:
			const another = "%w: its key %s is another one than the key of that name which sealed here. Put that one back"
			return nil, fmt.Errorf(another, ErrKeys, s.id)
		}

		ids = append(ids, s.id)
	}

	return ids, nil
}

// proofOf returns what the proof of a key is bound to.
func proofOf(id string) string { return sealingKeys + ".proof/" + id }
