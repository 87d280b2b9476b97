package document

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// uploadGrace is how long bytes may be on their way into storage before the sweep takes them for lost.
const uploadGrace = time.Hour

// Scanner looks for viruses.
type Scanner interface {
	// Scan reads a content and names what it has found in it, or nothing.
	Scan(ctx context.Context, content io.Reader) (found string, err error)
}

// Limits are what an organisation may take. Zero values: as much as it likes.
type Limits struct {
	Bytes       int64         // of all its documents, those deleted within KeepDeleted too
	PerHour     int           // uploads tried in an hour
	AtOnce      int           // uploads of everybody at the same time; one organisation has at most a quarter of them
	KeepDeleted time.Duration // how long the bytes of a deleted document stay, for a mistake to be mended by hand
}

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB    *db.DB
	Log   *slog.Logger // nil: the default one
	Blobs blob.Store
	Stage *blob.Stage
	// Keyring seals the keys that contents are encrypted with; nil: contents are stored as they come.
	Keyring *secret.Keyring
	// Older opens, and seals anew, what was encrypted before encryption was switched off; nil: Keyring.
	Older   *secret.Keyring
	Scanner Scanner // nil: nobody is asked
	Limits  Limits
	// OrgApproved refuses with ORG_NOT_APPROVED while the organisation's onboardingStatus is not APPROVED.
	OrgApproved func(ctx context.Context, q db.Querier, organisation string) error
	// InUse returns those of some documents that a record refers to. Every noun that keeps keys has one.
	InUse []func(ctx context.Context, q db.Querier, organisation string, keys []string) ([]string, error)
}

// Service holds the use cases of documents.
type Service struct {
	deps   Deps
	hours  *limit.Limiter
	places *limit.Places
}

// limitedOrganisations is for how many organisations uploads are counted.
const limitedOrganisations = 10_000

// NewService returns the service.
func NewService(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.Default()
	}

	if d.Older == nil {
		d.Older = d.Keyring
	}

	s := &Service{deps: d, hours: limit.New(limit.Rate{Events: d.Limits.PerHour, Per: time.Hour}, limitedOrganisations)}
	if d.Limits.AtOnce > 0 {
		s.places = limit.NewPlaces(d.Limits.AtOnce, max(d.Limits.AtOnce/4, 1))
	}

	return s
}

// Store reads the file to its end and keeps it. A second call keeps another document, with the first in DuplicateOf.
func (s *Service) Store(ctx context.Context, n New) (Stored, error) {
	var out Stored
	err := s.StoreThen(ctx, n, func(_ *db.Tx, d Stored) error {
		out = d
		return nil
	})

	return out, err
}

// StoreThen is Store with a write of the caller's: then runs in the transaction in which the document becomes
// visible; when it fails, there is no document.
func (s *Service) StoreThen(ctx context.Context, n New, then func(tx *db.Tx, d Stored) error) error {
	if err := s.admit(ctx, n.Organisation); err != nil {
		return err
	}

	leave, err := s.places.Take(n.Organisation, caller.Of(ctx).User)
	switch {
	case errors.Is(err, limit.ErrShare):
		return fault.New(
			fault.TooMany,
			fault.RateLimited,
			"Your organisation is uploading as many files as it may at once. Send the next one when one of them is "+
				"answered.",
		)

	case err != nil:
		return fault.New(
			fault.Unavailable,
			fault.Overloaded,
			"Too many files are being uploaded at the moment. Nothing was stored; try again.",
		)
	}

	defer leave()

	file, err := s.deps.Stage.Create()
	if err != nil {
		return s.unavailable(ctx, err)
	}

	defer func() {
		if err := file.Discard(); err != nil {
			s.deps.Log.LogAttrs(ctx, slog.LevelWarn, "staged document not removed", slog.String("error", err.Error()))
		}
	}()

	v, err := s.read(ctx, n, file)
	if err != nil {
		return err
	}

	return s.keep(ctx, v, file, then)
}

// admit refuses an upload before anything of it is read.
func (s *Service) admit(ctx context.Context, organisation string) error {
	if err := s.deps.OrgApproved(ctx, s.deps.DB, organisation); err != nil {
		return err
	}

	if q := s.hours.Take(organisation, s.deps.DB.Now()); !q.OK {
		limit.Publish(ctx, q)

		return fault.New(
			fault.TooMany,
			fault.RateLimited,
			"Your organisation has uploaded as many files as it may in an hour: %d.",
			q.Limit,
		)
	}

	return s.room(ctx, s.deps.DB, organisation, 1)
}

// room refuses what an organisation has no room for.
func (s *Service) room(ctx context.Context, q db.Querier, organisation string, size int64) error {
	most := s.deps.Limits.Bytes
	if most <= 0 {
		return nil
	}

	n, err := used(ctx, q, organisation)
	if err != nil || n+size <= most {
		return err
	}

	f := refused(
		fault.DocumentQuota,
		"Your organisation's documents take %d of the %d bytes that they may; deleted ones count for %s.",
		n,
		most,
		s.deps.Limits.KeepDeleted,
	)
	f.Kind = fault.TooLarge

	return f
}

// read takes a file in, and returns what it is. Nothing has been stored yet.
func (s *Service) read(ctx context.Context, n New, file *blob.Staged) (record, error) {
	v := record{
		Document: Document{Organisation: n.Organisation, Link: n.Link, UploadedBy: caller.Of(ctx).User},
		blob:     blob.NewName(),
	}

	out, key, err := s.sealing(file)
	if err != nil {
		return v, err
	}

	sum := &counted{hash: sha256.New()}

	f, err := inspect(io.TeeReader(&limited{in: n.Body, left: MaxSize}, io.MultiWriter(sum, out)))
	if err == nil {
		err = out.Close()
	}

	if _, ok := fault.As(err); err != nil && !ok {
		return v, s.unavailable(ctx, err)
	} else if err != nil {
		return v, err
	}

	v.ContentType = f.contentType
	v.Width = f.width
	v.Height = f.height
	v.Size = sum.size

	v.SHA256 = hex.EncodeToString(sum.hash.Sum(nil))
	if v.Name, err = n.label(f.contentType); err != nil {
		return v, err
	}

	if err := s.scan(ctx, file, key); err != nil {
		return v, err
	}

	now := s.deps.DB.Now()
	v.Key = id.New(prefix, now)

	v.CreatedAt = db.Time(db.Micros(now))
	if key != nil {
		v.keyID = s.deps.Keyring.Current()
		v.sealedKey = s.deps.Keyring.Seal(key, sealContext(v.Key))
	}

	return v, nil
}

// label holds what the sender said of a file against what it is.
func (n New) label(contentType string) (string, error) {
	if n.Labels != nil {
		n.Name, n.DeclaredType = n.Labels()
	}

	var l fault.List
	if !honest(n.DeclaredType, contentType) {
		l.Add("/contentType", fault.DocumentTypeMismatch, "The file is %s by its content.", contentType)
	}

	name, ok := nameOf(n.Name, contentType)
	if !ok {
		l.Add(
			"/fileName",
			fault.DocumentTypeMismatch,
			"The file is %s by its content, which its name contradicts.",
			contentType,
		)
	}

	return name, l.Err()
}

// keep stores a file that was read. First a row says where its bytes will be, so that they are swept away if this
// process dies; then they go there; then the document is there for all to see.
func (s *Service) keep(ctx context.Context, v record, file *blob.Staged, then func(tx *db.Tx, d Stored) error) error {
	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		if err := s.room(ctx, tx, v.Organisation, v.Size); err != nil {
			return err
		}

		insert(tx, v)

		return nil
	})
	if err != nil {
		return err
	}

	if err := s.deps.Blobs.Put(ctx, v.blob, file); err != nil {
		return s.unavailable(ctx, err)
	}

	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		d := Stored{Document: v.Document}

		var err error
		if d.DuplicateOf, err = same(ctx, tx, d.Document); err != nil {
			return err
		}

		if err := move(tx, d.Key, StatusUploading, StatusStored, time.Time{}); err != nil {
			return err
		}

		trail.Audit(ctx, tx, d.Organisation, "document.create", d.Key, d.ContentType+" "+d.SHA256)

		return then(tx, d)
	})
	if errors.Is(err, db.ErrStale) { // the sweep has taken it for lost, perhaps before its bytes were there
		if err := s.deps.Blobs.Delete(ctx, v.blob); err != nil {
			return s.unavailable(ctx, err)
		}

		return fault.New(
			fault.Unavailable,
			fault.Overloaded,
			"Storing the file took too long. Nothing was kept; try again.",
		)
	}

	return err
}

// unavailable logs a failure of the storage and answers that it can be tried again: nothing was kept.
func (s *Service) unavailable(ctx context.Context, err error) error {
	s.deps.Log.LogAttrs(
		ctx,
		slog.LevelError,
		"document not stored",
		slog.String("requestId", caller.RequestOf(ctx).ID),
		slog.String("error", err.Error()),
	)

	return fault.New(
		fault.Unavailable,
		fault.UpstreamFailed,
		"The file could not be stored. Nothing was kept; try again.",
	)
}

// sealing returns what to write a content to, and the key that it is encrypted with; nil when it is not.
func (s *Service) sealing(file *blob.Staged) (io.WriteCloser, []byte, error) {
	if s.deps.Keyring == nil {
		return unsealed{file}, nil, nil
	}

	key := blob.NewKey()
	out, err := blob.Seal(file, key)

	return out, key, err
}

// sealContext binds a content's key to its document.
func sealContext(key string) string { return "document/" + key }

type unsealed struct{ io.Writer }

// Close does nothing: all is written.
func (unsealed) Close() error { return nil }

// counted is the hash of what is written to it, and how much that was.
type counted struct {
	hash hash.Hash
	size int64
}

// Write adds bytes.
func (c *counted) Write(p []byte) (int, error) {
	c.size += int64(len(p))
	return c.hash.Write(p)
}

// limited refuses a content of more than left bytes. What comes over HTTP is bounded before; this holds for every
// caller.
type limited struct {
	in   io.Reader
	left int64
}

// Read reads on.
func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}

	n, err := l.in.Read(p)
	if l.left -= int64(n); l.left < 0 {
		l.left = 0
		return 0, fault.New(fault.TooLarge, fault.BodyTooLarge, "The file may have at most %d bytes.", MaxSize)
	}

	return n, err
}

// scan shows the content to the scanner, if there is one. Without its answer nothing is stored.
func (s *Service) scan(ctx context.Context, file *blob.Staged, key []byte) error {
	if s.deps.Scanner == nil {
		return nil
	}

	content, err := opened(file.Reader(), key)
	if err != nil {
		return err
	}

	found, err := s.deps.Scanner.Scan(ctx, content)
	switch {
	case err != nil:
		return s.unavailable(ctx, fmt.Errorf("scan: %w", err))
	case found != "":
		return refused(fault.DocumentInfected, "The virus scanner has found something in the file.")
	}

	return nil
}

func opened(in io.Reader, key []byte) (io.Reader, error) {
	if key == nil {
		return in, nil
	}

	return blob.Unseal(in, key)
}

// Open returns a document's content and what is known of it. An unknown key, a malformed one and another organisation's
// are refused word for word the same. The reader fails instead of ending when the content is not what was stored; the
// context must live as long as it.
func (s *Service) Open(ctx context.Context, organisation, key string) (io.ReadCloser, Document, error) {
	v, err := find(ctx, s.deps.DB, organisation, key)
	if err != nil {
		return nil, Document{}, err
	}

	d := v.Document

	secretKey, err := s.contentKey(v)
	if err != nil {
		return nil, d, err
	}

	in, err := s.deps.Blobs.Open(ctx, v.blob)
	if err != nil {
		return nil, d, s.unread(ctx, key, err)
	}

	content, err := opened(in, secretKey)
	if err != nil {
		return nil, d, errors.Join(err, in.Close())
	}

	return &verified{Reader: content, Closer: in, hash: sha256.New(), want: d}, d, nil
}

// unread logs why a document's bytes cannot be had.
func (s *Service) unread(ctx context.Context, key string, err error) error {
	s.deps.Log.LogAttrs(
		ctx,
		slog.LevelError,
		"document not read",
		slog.String("document", key),
		slog.String("error", err.Error()),
	)

	return fault.New(
		fault.Unavailable,
		fault.UpstreamFailed,
		"The document's content cannot be read at the moment. Try again.",
	)
}

// contentKey opens the key that a content is encrypted with; nil: it is not.
func (s *Service) contentKey(v record) ([]byte, error) {
	if v.sealedKey == "" {
		return nil, nil
	}

	if s.deps.Older == nil {
		return nil, fmt.Errorf("document %s is encrypted and there is no keyring", v.Key)
	}

	key, err := s.deps.Older.Open(v.sealedKey, sealContext(v.Key))
	if err != nil {
		return nil, fmt.Errorf("key of document %s: %w", v.Key, err)
	}

	return key, nil
}

// verified holds a content against its size and hash. The last bytes are given only when all is right.
type verified struct {
	io.Reader
	io.Closer
	hash hash.Hash
	n    int64
	want Document
}

var errChanged = errors.New("the document's content is not what was stored")

// Read reads on.
func (v *verified) Read(p []byte) (int, error) {
	n, err := v.Reader.Read(p)
	_, _ = v.hash.Write(p[:n]) // a hash takes everything

	v.n += int64(n)
	switch ended := errors.Is(err, io.EOF); {
	case err != nil && !ended:
		return 0, err
	case v.n > v.want.Size,
		ended && v.n < v.want.Size,
		v.n == v.want.Size && hex.EncodeToString(v.hash.Sum(nil)) != v.want.SHA256:
		return 0, errChanged
	}

	return n, err
}
