// Package document keeps the files that belong to invoices and payments: PDF, PNG and JPEG, each of one organisation.
//
// What it promises: a file is looked at while it streams in and is never held in memory; what it says it is, it is, to its last byte; it is
// served to its organisation alone, as an attachment under a policy that lets nothing in it run; a document that can be seen is whole, and
// the bytes of one that never became whole, or was deleted, are swept away. What it does not promise: that a file is an invoice, or that
// no viewer has a fault that a well-formed file can use; a scanner can be asked too.
//
// Read in this order: document.go (what it is), inspect.go (what is taken), service.go, sweep.go (use cases), store.go (all SQL), find.go
// (what other nouns call), http.go.
package document

import (
	"io"
	"time"
)

// MaxSize is the most bytes of one document.
const MaxSize = 10 << 20

// The types of documents that are taken.
const (
	PDF  = "application/pdf"
	PNG  = "image/png"
	JPEG = "image/jpeg"
)

// Document is one file that is whole. It never changes: another file is another document.
type Document struct {
	Key          string // the documentStorageKey
	Organisation string
	Name         string // as whoever sent it calls it, without a path; its ending is that of the type
	ContentType  string // PDF, PNG or JPEG, by its content
	SHA256       string // of the content, 64 hexadecimal digits
	UploadedBy   string // the user; empty when it came by an invoice link
	Link         string // the invoice link that it came by, or empty
	Size         int64  // bytes
	Width        int64  // pixels of a picture; 0 for PDF
	Height       int64
	CreatedAt    time.Time
}

// New is a file as it comes in.
type New struct {
	Organisation string
	Name         string
	DeclaredType string // what the sender says it is; empty or application/octet-stream: nothing
	Link         string // the invoice link that it comes by, or empty
	Body         io.Reader
	// Labels gives the name and the declared type when Body has been read to its end, for forms that carry them behind the content; nil:
	// Name and DeclaredType count.
	Labels func() (name, declaredType string)
}

// Stored is what Store has kept.
type Stored struct {
	Document
	DuplicateOf []string // keys of the organisation's other documents with the same content, oldest first, at most 10
}
