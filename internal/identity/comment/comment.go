// Package comment keeps what people write about records: transactions, payables, receivers, organisations, users,
// cases of screening. A comment may name documents.
//
// It promises that a comment stays as it was written, that nobody outside of the record's organisation reads it but the
// platform's people, and that a note of the platform's people is shown to nobody else. It knows none of the records:
// each noun registers how its records are found (Subject).
//
// Read in this order: comment.go (what a comment is), service.go (use cases), store.go, http.go.
package comment

import "time"

// idPrefix of the identifiers of comments.
const idPrefix = "cmt"

// Limits of a comment.
const (
	maxDocuments = 20
	maxShown     = 100 // of a record: the latest; the list of comments has all
)

// Comment is what one person has written about one record.
type Comment struct {
	ID           string
	Organisation string // of the record; empty for one of the platform, such as a user
	Object       string // identifier of the record
	Author       string // identifier of the user
	Text         string
	Internal     bool // for the platform's people alone
	Documents    []string
	CreatedAt    time.Time
}

// View is a Comment of the interface.
type View struct {
	ID        string    `json:"_id"`
	Comment   string    `json:"comment" doc:"what was written"`
	User      string    `json:"user" doc:"identifier of the user who wrote it"`
	Documents []string  `json:"documents" nullable:"false" doc:"documentStorageKeys"`
	Internal  bool      `json:"internal" doc:"for the platform's people alone"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt" doc:"as createdAt: a comment is not changed"`
}

// ViewOf returns the interface's form of a comment.
func ViewOf(c Comment) View {
	at := c.CreatedAt.Truncate(time.Millisecond)

	return View{
		ID:        c.ID,
		Comment:   c.Text,
		User:      c.Author,
		Documents: append([]string{}, c.Documents...),
		Internal:  c.Internal,
		CreatedAt: at,
		UpdatedAt: at,
	}
}
