package document

import (
	"context"
	"errors"
	"io"

	"slipway/internal/platform/db"
)

// Deps is what the use cases need from elsewhere.
type Deps struct {
	DB *db.DB
}

// Service holds the use cases of documents.
type Service struct{ deps Deps }

// NewService makes the service.
func NewService(d Deps) *Service { return &Service{d} }

var errUnbuilt = errors.New("documents are not built in yet")

// Store reads the file to its end and keeps it. A second call keeps another document, with the first in DuplicateOf.
func (s *Service) Store(ctx context.Context, n New) (Stored, error) {
	return Stored{}, errUnbuilt
}

// StoreThen is Store with a write of the caller's: then runs in the transaction in which the document becomes visible; when it fails,
// there is no document.
func (s *Service) StoreThen(ctx context.Context, n New, then func(tx *db.Tx, d Stored) error) error {
	return errUnbuilt
}

// Open gives a document's content and what is known of it. An unknown key, a malformed one and another organisation's are refused
// word for word the same. The reader fails instead of ending when the content is not what was stored.
func (s *Service) Open(ctx context.Context, organisation, key string) (io.ReadCloser, Document, error) {
	return nil, Document{}, errUnbuilt
}
