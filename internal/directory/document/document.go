// Package document keeps the files that belong to invoices and payments: PDF, PNG and JPEG, each of one organisation.
//
// What it promises: a file is looked at while it streams in and is never held in memory; what it says it is, it is,
// to its last byte; it is served to its organisation alone, as an attachment under a policy that lets nothing in it
// run; a document that can be seen is whole, and the bytes of one that never became whole, or was deleted, are swept
// away. What it does not promise: that a file is an invoice, or that no viewer has a fault that a well-formed file
// can use; a scanner can be asked too.
//
// Read in this order: document.go (what it is), inspect.go (what is taken), inspect_pdf.go with filters.go (what is
// packed in a PDF), inspect_picture.go, service.go, drop.go (what nothing refers to), sweep.go (use cases), store.go
// (all SQL), find.go (what other nouns call), http.go.
package document

import (
	"io"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"slipway/internal/core/state"
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
	// Labels returns the name and the declared type when Body has been read to its end, for forms that carry them
	// behind the content; nil: Name and DeclaredType count.
	Labels func() (name, declaredType string)
}

// Stored is what Store has kept.
type Stored struct {
	Document
	DuplicateOf []string // keys of the organisation's other documents with the same content, oldest first, at most 10
}

// Status is whether a document's bytes are there.
type Status string

// The statuses of a document.
const (
	// its bytes are on their way into storage; the upload acts next, or else the sweep
	StatusUploading Status = "UPLOADING"
	StatusStored    Status = "STORED"  // whole; the only ones that anybody sees
	StatusDeleted   Status = "DELETED" // seen by nobody; the sweep removes bytes and row
)

// Moves is every allowed change of status.
var Moves = state.New("Document",
	state.Move[Status]{To: StatusUploading, On: "a file was read, and is what it should be"},
	state.Move[Status]{From: StatusUploading, To: StatusStored, On: "its bytes are in storage"},
	state.Move[Status]{From: StatusUploading, To: StatusDeleted, On: "the upload did not end in its time"},
	state.Move[Status]{From: StatusStored, To: StatusDeleted, On: "somebody deletes it, and nothing refers to it"},
)

// Endings that names of each type have; the first is added to a name that has none of them.
var endings = map[string][]string{PDF: {".pdf"}, PNG: {".png"}, JPEG: {".jpg", ".jpeg", ".jpe", ".jfif"}}

// otherEndings are of files that a document is not: a name with one of them is a lie, and not a name with a dot in it.
var otherEndings = strings.Fields(
	".7z .apk .bat .bin .bmp .cmd .com .csv .dll .doc .docm .docx .eml .exe .gif .gz .heic .hta .htm .html .iso " +
		".jar .js .json .lnk .msg .msi " +
		".odt .php .ps1 .ps .rar .rtf .scr .sh .svg .tar .tif .tiff .txt .vbs .webp .xhtml .xls .xlsm .xlsx .xml .zip",
)

// maxName is the most characters of a name.
const maxName = 150

// nameOf makes a name that can stand in a list and in a header, with an ending of the type: without a path, control
// characters, and those that turn the direction of writing, which make invoice.exe look like something else. ok is
// false when the name ends like another type's.
func nameOf(name, contentType string) (clean string, ok bool) {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}

		return r
	}, name)
	name = strings.Trim(strings.Join(strings.Fields(name), " "), ". ")
	ending := strings.ToLower(path.Ext(name))

	stem := strings.TrimSuffix(name, path.Ext(name))
	switch {
	case slices.Contains(endings[contentType], ending) && stem != "":
		ending = path.Ext(name)
	case slices.Contains(otherEndings, ending), endingOfAnother(ending, contentType):
		return name, false
	default:
		stem = name
		ending = endings[contentType][0]
	}

	if stem == "" {
		stem = "document"
	}

	if r := []rune(stem); len(r) > maxName-len(ending) {
		stem = strings.TrimSpace(string(r[:maxName-len(ending)]))
	}

	return stem + ending, true
}

func endingOfAnother(ending, contentType string) bool {
	for t, list := range endings {
		if t != contentType && slices.Contains(list, ending) {
			return true
		}
	}

	return false
}

// honest reports whether a declared media type is the true one. Many programs declare nothing, or that it is bytes.
func honest(declared, contentType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(declared), ";")
	switch kind = strings.TrimSpace(kind); kind {
	case "", "application/octet-stream", "binary/octet-stream", contentType:
		return true
	case "image/jpg", "image/pjpeg":
		return contentType == JPEG
	case "application/x-pdf":
		return contentType == PDF
	case "image/x-png":
		return contentType == PNG
	}

	return false
}
