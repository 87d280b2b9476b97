package document

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

const (
	columns = "id, organisation, name, content_type, sha256, size, width, height, uploaded_by, link, created_at"
	hidden  = "blob, key_id, sealed_key, status, sweep_at"
)

var insertDocument = db.InsertInto("documents", columns+", "+hidden)

type row struct {
	d       Document
	created int64
	blob    string
	keyID   string
	sealed  string
	status  Status
	sweep   int64
}

func (v *row) dest() []any {
	d := &v.d

	return []any{
		&d.Key,
		&d.Organisation,
		&d.Name,
		&d.ContentType,
		&d.SHA256,
		&d.Size,
		&d.Width,
		&d.Height,
		&d.UploadedBy,
		&d.Link,
		&v.created,
	}
}

func (v *row) all() []any {
	return append(v.dest(), &v.blob, &v.keyID, &v.sealed, (*string)(&v.status), &v.sweep)
}

func (v *row) document() Document {
	v.d.CreatedAt = db.Time(v.created)
	return v.d
}

// insert writes a document whose bytes are on their way, to be swept away when they never arrive.
func insert(tx *db.Tx, v row) {
	d := v.d

	tx.Insert(
		insertDocument,
		d.Key,
		d.Organisation,
		d.Name,
		d.ContentType,
		d.SHA256,
		d.Size,
		d.Width,
		d.Height,
		d.UploadedBy,
		d.Link,
		v.created,
		v.blob,
		v.keyID,
		v.sealed,
		string(StatusUploading),
		db.Micros(tx.Now.Add(uploadGrace)),
	)
}

// move changes the status of a document that is in another one: the only writer of it. It is guarded, so that an
// upload and the sweep cannot both have it.
func move(tx *db.Tx, key string, from, to Status, sweepAt time.Time) error {
	if !Moves.Allows(from, to) {
		return fmt.Errorf("document %s cannot go from %s to %s", key, from, to)
	}

	tx.Change(
		"UPDATE documents SET status = ?, sweep_at = ? WHERE id = ? AND status = ?",
		string(to),
		db.Micros(sweepAt),
		key,
		string(from),
	)

	return nil
}

// used is how many bytes an organisation's documents take, those that wait to be swept too.
func used(ctx context.Context, q db.Querier, organisation string) (int64, error) {
	n, err := db.Value[int64](
		ctx,
		q,
		"SELECT CAST(sum(size) AS BIGINT) FROM documents WHERE organisation = ? GROUP BY organisation",
		organisation,
	)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return 0, fmt.Errorf("documents of %s: %w", organisation, err)
	}

	return n, nil
}

// maxDuplicates bounds the list of documents with the same content.
const maxDuplicates = 10

// same lists the organisation's other documents with this content, oldest first.
func same(ctx context.Context, q db.Querier, d Document) ([]string, error) {
	keys, err := db.Select(
		ctx,
		q,
		func(v *string) []any { return []any{v} },
		`SELECT id FROM documents
			WHERE organisation = ? AND sha256 = ? AND status = 'STORED' AND id <> ?
			ORDER BY id LIMIT ?`,
		d.Organisation,
		d.SHA256,
		d.Key,
		int64(maxDuplicates),
	)
	if err != nil {
		return nil, fmt.Errorf("documents with the content of %s: %w", d.Key, err)
	}

	return keys, nil
}

// find gives a document with where its bytes are.
func find(ctx context.Context, q db.Querier, organisation, key string) (row, error) {
	v, err := db.One(
		ctx,
		q,
		(*row).all,
		"SELECT "+columns+", "+hidden+" FROM documents WHERE id = ? AND organisation = ? AND status = 'STORED'",
		key,
		organisation,
	)
	if errors.Is(err, db.ErrNone) {
		return v, fault.Missing("document")
	}

	if err != nil {
		return v, fmt.Errorf("read document %s: %w", key, err)
	}

	return v, nil
}

// due lists what is to be swept.
func due(ctx context.Context, q db.Querier, now time.Time, limit int) ([]row, error) {
	return db.Select(
		ctx,
		q,
		(*row).all,
		"SELECT "+columns+", "+hidden+" FROM documents WHERE sweep_at > 0 AND sweep_at <= ? ORDER BY sweep_at LIMIT ?",
		db.Micros(now),
		int64(limit),
	)
}

// sealedOtherwise lists documents whose keys are not sealed with this key of the keyring.
func sealedOtherwise(ctx context.Context, q db.Querier, keyID string, limit int) ([]row, error) {
	return db.Select(
		ctx,
		q,
		(*row).all,
		"SELECT "+columns+", "+hidden+" FROM documents WHERE key_id <> '' AND key_id <> ? ORDER BY id LIMIT ?",
		keyID,
		int64(limit),
	)
}

// stored gives those of the keys that are whole documents of the organisation.
func stored(ctx context.Context, q db.Querier, organisation string, keys []string) ([]row, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("status = 'STORED'")
	db.In(&w, "id", keys)

	return db.Select(ctx, q, (*row).dest, "SELECT "+columns+" FROM documents"+w.SQL(), w.Args...)
}

// forget takes away the row of a document whose bytes are gone.
func forget(tx *db.Tx, key string) {
	tx.Change("DELETE FROM documents WHERE id = ? AND status = 'DELETED'", key)
}

// reseal writes a document's key as a newer one has sealed it.
func reseal(tx *db.Tx, v row, keyID, sealed string) {
	tx.Change(
		"UPDATE documents SET key_id = ?, sealed_key = ? WHERE id = ? AND key_id = ?",
		keyID,
		sealed,
		v.d.Key,
		v.keyID,
	)
}
