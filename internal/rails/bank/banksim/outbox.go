//go:build !nosandbox

package banksim

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// answer stores an outgoing file together with the change that it reports. make receives the message's identification.
// If a control has requested that the next one of its kind is lost, it is stored but never written.
func (b *Bank) answer(ctx context.Context, t *sql.Tx, kind, account string, make func(id string) []byte) error {
	var number int64
	if err := t.QueryRowContext(ctx, `SELECT COALESCE(MAX(id), 0) + 1 FROM answer`).Scan(&number); err != nil {
		return err
	}

	lost, err := b.wish(ctx, t, wishLose+kind)
	if err != nil {
		return err
	}

	name := fmt.Sprintf("%08d_%s", number, kind)
	if account != "" {
		name += "_" + account
	}

	extension := ".xml"
	if kind == nachaKind {
		extension = ".ach"
	}

	_, err = t.ExecContext(ctx, `INSERT INTO answer (id, name, kind, body, written, lost) VALUES (?, ?, ?, ?, 0, ?)`,
		number, name+extension, kind, make(fmt.Sprintf("%s-%08d", kind, number)), lost != "")

	return err
}

// deliver writes stored answers to the outbox. After a kill it writes a file again, with the same name and bytes.
func (b *Bank) deliver(ctx context.Context) (int, error) {
	if quiet, err := setting(ctx, b.db, wishSilence); err != nil || quiet != "" {
		return 0, err
	}

	type file struct {
		id   int64
		name string
		body []byte
		lost bool
	}

	var list []file

	err := each(
		ctx,
		b.db,
		`SELECT id, name, body, lost FROM answer WHERE written = 0 ORDER BY id`,
		nil,
		func(r *sql.Rows) error {
			var f file
			err := r.Scan(&f.id, &f.name, &f.body, &f.lost)
			list = append(list, f)

			return err
		},
	)
	if err != nil {
		return 0, err
	}

	written := 0
	for _, f := range list {
		if !f.lost {
			if err := writeWhole(filepath.Join(b.Outbox(), f.name), f.body); err != nil {
				return written, err
			}

			written++
		}

		if _, err := b.db.ExecContext(ctx, `UPDATE answer SET written = 1 WHERE id = ?`, f.id); err != nil {
			return written, err
		}
	}

	return written, nil
}

// writeWhole writes a file completely or not at all: to a temporary name, synced, renamed, and the folder synced. The
// folder's group may read it: a bank's client runs as another user than what reads its files.
func writeWhole(path string, body []byte) (err error) {
	const anew = os.O_CREATE | os.O_WRONLY | os.O_TRUNC

	f, err := os.OpenFile(path+".tmp", anew, 0o640) //nolint:gosec // for the folder's group
	if err != nil {
		return err
	}

	_, err = f.Write(body)

	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}

	if err := os.Rename(path+".tmp", path); err != nil {
		return err
	}

	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}

	return errors.Join(dir.Sync(), dir.Close())
}
