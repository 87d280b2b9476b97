package document

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

var documentTable = db.NewTable("documents", (*record).columns)

// record is a document as it is stored, with where its bytes are.
type record struct {
	Document

	blob      string
	keyID     string // of the key that sealedKey is encrypted with; "": the bytes are not encrypted
	sealedKey string
	status    Status
	sweepAt   time.Time // zero: it is not swept
}

// columns lists every column once. A new field needs one line here.
func (r *record) columns(c *db.Columns) {
	c.Text("id", &r.Key)
	c.Text("organisation", &r.Organisation)
	c.Text("name", &r.Name)
	c.Text("content_type", &r.ContentType)
	c.Text("sha256", &r.SHA256)
	c.Int64("size", &r.Size)
	c.Int64("width", &r.Width)
	c.Int64("height", &r.Height)
	c.Text("uploaded_by", &r.UploadedBy)
	c.Text("link", &r.Link)
	c.Time("created_at", &r.CreatedAt)
	c.Text("blob", &r.blob)
	c.Text("key_id", &r.keyID)
	c.Text("sealed_key", &r.sealedKey)
	c.Text("status", (*string)(&r.status))
	c.Time("sweep_at", &r.sweepAt)
}

// insert writes a document whose bytes are being stored. The sweep removes it if they never arrive.
func insert(tx *db.Tx, r record) {
	r.status = StatusUploading
	r.sweepAt = tx.Now.Add(uploadGrace)
	documentTable.Insert(tx, &r)
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

// find returns a document with where its bytes are.
func find(ctx context.Context, q db.Querier, organisation, key string) (record, error) {
	r, err := documentTable.One(ctx, q, "WHERE id = ? AND organisation = ? AND status = 'STORED'", key, organisation)
	if errors.Is(err, db.ErrNone) {
		return r, fault.Missing("document")
	}

	if err != nil {
		return r, fmt.Errorf("read document %s: %w", key, err)
	}

	return r, nil
}

// due lists documents to sweep.
func due(ctx context.Context, q db.Querier, now time.Time, limit int) ([]record, error) {
	return documentTable.Select(
		ctx,
		q,
		"WHERE sweep_at > 0 AND sweep_at <= ? ORDER BY sweep_at LIMIT ?",
		db.Micros(now),
		int64(limit),
	)
}

// sealedOtherwise lists documents whose keys are encrypted with another key of the keyring than this one.
func sealedOtherwise(ctx context.Context, q db.Querier, keyID string, limit int) ([]record, error) {
	return documentTable.Select(ctx, q, "WHERE key_id <> '' AND key_id <> ? ORDER BY id LIMIT ?", keyID, int64(limit))
}

// stored returns those of the keys that are stored documents of the organisation.
func stored(ctx context.Context, q db.Querier, organisation string, keys []string) ([]record, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("status = 'STORED'")
	db.In(&w, "id", keys)

	return documentTable.Select(ctx, q, w.SQL(), w.Args...)
}

// owned is a document's key with its organisation.
type owned struct{ organisation, key string }

func latestOf(ctx context.Context, q db.Querier, organisations []string, limit int) ([]owned, error) {
	if len(organisations) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "organisation", organisations)
	w.And("status = 'STORED'")

	query := "SELECT organisation, id FROM (SELECT organisation, id, " +
		"row_number() OVER (PARTITION BY organisation ORDER BY id DESC) AS place FROM documents" + w.SQL() +
		") AS latest WHERE place <= ? ORDER BY organisation, place"

	return db.Select(ctx, q, func(d *owned) []any { return []any{&d.organisation, &d.key} }, query,
		append(w.Args, int64(limit))...)
}

// forget takes away the row of a document whose bytes are gone.
func forget(tx *db.Tx, key string) {
	tx.Change("DELETE FROM documents WHERE id = ? AND status = 'DELETED'", key)
}

// reseal writes a document's key as a newer one has sealed it.
func reseal(tx *db.Tx, r record, keyID, sealed string) {
	tx.Change(
		"UPDATE documents SET key_id = ?, sealed_key = ? WHERE id = ? AND key_id = ?",
		keyID,
		sealed,
		r.Key,
		r.keyID,
	)
}
