package db

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"slipway/internal/platform/secret"
)

// resealedAtOnce is how many rows Reseal reads and writes at once: few enough that others hardly wait.
const resealedAtOnce = 200

// Reseal re-encrypts, with the current key, values of a column that an older key encrypted, and computes their hashes
// again if the column has any. Others may read and write meanwhile. It starts after a row (nil: at the first), looks at
// about most rows, and returns how many it re-encrypted and the row to continue after; nil means that it has reached
// the end. If a pass from the first row to the last has re-encrypted none, and every process uses the current key, the
// older keys are no longer needed for this column.
func (d *DB) Reseal(ctx context.Context, c *Sealed, after Key, most int) (n int, next Key, err error) {
	if d.keys == nil {
		return 0, nil, errNoKeys
	}

	for looked := 0; looked < most; looked += resealedAtOnce {
		page, err := d.sealedPage(ctx, c, after)
		if err != nil {
			return n, after, fmt.Errorf("read %s: %w", c.Name(), err)
		}

		older, err := d.olderOf(page)
		if err != nil {
			return n, after, fmt.Errorf("%s: %w", c.Name(), err)
		}

		done, err := d.resealRows(ctx, c, older, func(Key, []string) {})

		n += done
		if err != nil {
			return n, after, fmt.Errorf("seal %s anew: %w", c.Name(), err)
		}

		if len(page) < resealedAtOnce {
			return n, nil, nil
		}

		after = page[len(page)-1].key
	}

	return n, after, nil
}

// sealedRow is a value as it is stored.
type sealedRow struct {
	key    Key
	sealed []byte
}

// sealedPage reads the rows after a key, in the order of the primary key.
func (d *DB) sealedPage(ctx context.Context, c *Sealed, after Key) ([]sealedRow, error) {
	key := strings.Join(c.key, ", ")

	var w Where
	if after != nil {
		w.And("("+key+") > ("+strings.TrimSuffix(strings.Repeat("?, ", len(after)), ", ")+")", after...)
	}

	query := c.sealedRows() + w.SQL() + " ORDER BY " + key + " LIMIT ?"

	return Select(ctx, d, c.sealedDest, query, append(w.Args, int64(resealedAtOnce))...)
}

// sealedRows returns the SQL that reads rows into sealedDest.
func (c *Sealed) sealedRows() string {
	return "SELECT " + strings.Join(c.key, ", ") + ", " + c.column + " FROM " + c.table
}

func (c *Sealed) sealedDest(r *sealedRow) []any {
	r.key = make(Key, len(c.key))

	dest := make([]any, 0, len(c.key)+1)
	for i := range r.key {
		dest = append(dest, &r.key[i])
	}

	return append(dest, &rawValue{&r.sealed})
}

// rawValue scans a sealed value of either kind of column as bytes.
type rawValue struct{ into *[]byte }

// Scan takes the column's value.
func (r rawValue) Scan(src any) error {
	o := opening{c: &Sealed{}}
	err := o.Scan(src)
	*r.into = o.sealed

	return err
}

// olderOf leaves out rows that are empty or encrypted with the current key.
func (d *DB) olderOf(page []sealedRow) ([]sealedRow, error) {
	var out []sealedRow

	for _, r := range page {
		if len(r.sealed) == 0 {
			continue
		}

		id, err := secret.KeyOf(r.sealed)
		if err != nil {
			return nil, fmt.Errorf("row %v: %w", r.key, err)
		}

		if id != d.keys.Current() {
			out = append(out, r)
		}
	}

	return out, nil
}

// Rewrite lets change alter the values of every row of a column: each row's texts, or its bytes as one text. Tests use
// it to change rows behind the service's back, as an attacker with the key could.
func (d *DB) Rewrite(ctx context.Context, c *Sealed, change func(key Key, texts []string)) error {
	for after := Key(nil); ; {
		page, err := d.sealedPage(ctx, c, after)
		if err != nil {
			return fmt.Errorf("read %s: %w", c.Name(), err)
		}

		if _, err := d.resealRows(ctx, c, page, change); err != nil {
			return fmt.Errorf("rewrite %s: %w", c.Name(), err)
		}

		if len(page) < resealedAtOnce {
			return nil
		}

		after = page[len(page)-1].key
	}
}

// resealRows writes the rows that still hold what was read. A row that was changed meanwhile has been encrypted by that
// change.
func (d *DB) resealRows(
	ctx context.Context,
	c *Sealed,
	rows []sealedRow,
	change func(key Key, texts []string),
) (n int, err error) {
	if len(rows) == 0 {
		return 0, nil
	}

	set := c.column + " = ?"
	for _, h := range c.hashes {
		set += ", " + h.column + " = ?"
	}

	guards := strings.Join(append(slices.Clone(c.key), c.column), " = ? AND ") + " = ?"
	err = d.Write(ctx, func(tx *Tx) error {
		n = 0

		for _, r := range rows {
			args, err := d.resealed(c, r, change)
			if err != nil {
				return fmt.Errorf("%s: %w", c.context(r.key), err)
			}

			touched, err := tx.Exec("UPDATE "+c.table+" SET "+set+" WHERE "+guards, args...)
			if err != nil {
				return err
			}

			n += int(touched)
		}

		return nil
	})

	return n, err
}

// resealed returns the arguments for the UPDATE of one row.
func (d *DB) resealed(c *Sealed, r sealedRow, change func(key Key, texts []string)) ([]any, error) {
	plain, err := d.decrypt(c, r.key, r.sealed)
	if err != nil {
		return nil, err
	}

	var was any = r.sealed

	next := sealing{c: c, key: r.key}
	if c.bytes {
		next.texts = []string{string(plain)}
	} else {
		was = string(r.sealed)

		if next.texts, err = splitAll(plain); err != nil {
			return nil, err
		}
	}

	change(r.key, next.texts)

	if c.bytes {
		next.bytes = []byte(next.texts[0])
	}

	args := []any{d.seal(&next)}
	for _, h := range c.HashesOf(r.key, next.texts...) {
		args = append(args, d.seal(h.(*sealing)))
	}

	return append(append(args, r.key...), was), nil
}
