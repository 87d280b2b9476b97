// Package qrscan finds the QR codes of a document (PDF, PNG, JPEG) and returns their texts. It does not interpret them.
//
// It promises that a text stands in the document exactly as returned. Codes have their own error correction; a code
// that it cannot repair is left out, and nothing is completed from the text printed around it. A document is limited
// before it is decoded (pixels, memory, pages). PDF files are rendered inside a sandbox (package pdfium). Reading ends
// with its context, between two steps that take fractions of a second each. It does not promise to find every code.
//
// Read in this order: qrscan.go (documents), picture.go (what is decoded, and how much), symbol.go (codes in a
// picture), bits.go (a code's text).
package qrscan

import (
	"context"
	"errors"
	"fmt"
	"image"

	"slipway/internal/platform/qrscan/pdfium"
)

// Code is one QR code.
type Code struct {
	Page int // from 1
	Text string
}

// Limits of one document. They are part of what the interface promises.
const (
	MaxBytes = 10 << 20
	MaxPages = 20 // further ones are not looked at
	MaxCodes = 16 // of one page
)

// Why a document is not read.
var (
	ErrUnknownType = errors.New("the document is neither PDF, PNG nor JPEG")
	ErrTooLarge    = errors.New("the document is larger than what is read: bytes, pixels or memory")
	ErrNotReadable = errors.New("the document is damaged, protected or not what it says it is")
	ErrProtected   = pdfium.ErrProtected // comes within an ErrNotReadable
)

// Settings of a Reader.
type Settings struct {
	// CacheDir keeps the compiled PDF library for the next process (see pdfium.New); empty: every process compiles it
	// anew, in seconds.
	CacheDir string
	// AtOnce is how many documents are read at the same time, 1 when 0; others wait. Each takes one core and up to
	// MemoryPerDocument.
	AtOnce int
	// Wanted tells the texts that are looked for: as long as a document gave none, its pages are looked at again more
	// thoroughly. When nil, any text will do.
	Wanted func(text string) bool
}

// MemoryPerDocument bounds what reading one document takes at its worst, in bytes: PDFium's sandbox and the pictures
// of one page.
const MemoryPerDocument = pdfium.MemoryLimit + 4*pdfium.MaxPixels

// Reader reads documents. It is safe for concurrent use.
type Reader struct {
	settings Settings
	pdf      *pdfium.Renderer
	turns    chan struct{}
}

// New prepares a reader; nothing is loaded before the first PDF file.
func New(s Settings) *Reader {
	if s.Wanted == nil {
		s.Wanted = func(string) bool { return true }
	}

	return &Reader{settings: s, pdf: pdfium.New(s.CacheDir), turns: make(chan struct{}, max(s.AtOnce, 1))}
}

// Ready makes the PDF library ready, which takes seconds where nothing keeps it compiled. A second call does nothing.
// Whoever gives Read a deadline calls it first, or the first document's deadline holds the compiling too.
func (r *Reader) Ready(ctx context.Context) error { return r.pdf.Load(ctx) }

// IsPDF reports whether a document is a PDF file by its first bytes, which reading needs the PDF library for.
func IsPDF(document []byte) bool { return kind(document) == kindPDF }

// Close ends all reading and gives the PDF library's memory back.
func (r *Reader) Close(ctx context.Context) error { return r.pdf.Close(ctx) }

// Read returns the codes of a document in the order of its pages, each text once a page; none is no error. The type is
// told by the content. Errors are ErrUnknownType, ErrTooLarge, ErrNotReadable (wrapped with the reason), the context's,
// and faults of the machine.
func (r *Reader) Read(ctx context.Context, document []byte) ([]Code, error) {
	if len(document) > MaxBytes {
		return nil, ErrTooLarge
	}

	select {
	case r.turns <- struct{}{}:
		defer func() { <-r.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}

	switch kind(document) {
	case kindPDF:
		return r.readPDF(ctx, document)

	case kindPNG, kindJPEG:
		picture, err := decode(document)
		if err != nil {
			return nil, err
		}

		return r.readPicture(ctx, picture)

	case kindUnknown:
	}

	return nil, ErrUnknownType
}

// readPicture looks at a picture as it is and then at copies of other sizes: what blurs a large picture is gone in a
// small one, and modules of few pixels are told apart in a large one.
func (r *Reader) readPicture(ctx context.Context, picture *image.Gray) ([]Code, error) {
	var found []Code
	for _, size := range sizes(picture) {
		for _, how := range ways {
			if err := ctx.Err(); err != nil {
				return nil, err
			}

			found = merge(found, 1, symbols(ctx, size(), how))
			if r.enough(found) {
				return found, nil
			}
		}
	}

	return found, ctx.Err()
}

// Resolutions at which a page is drawn, in dots an inch. The first shows the smallest module that a Swiss bill may
// have (0.4 mm) with three pixels; the others are for codes that are drawn in a way that hides them at the first.
var resolutions = [...]float64{200, 300, 120}

// readPDF looks at all pages quickly, and more thoroughly only when that gave nothing.
func (r *Reader) readPDF(ctx context.Context, file []byte) (found []Code, err error) {
	d, err := r.pdf.Open(ctx, file)
	if err != nil {
		return nil, refusal(err)
	}

	defer func() { err = errors.Join(err, d.Close(context.WithoutCancel(ctx))) }()

	for i, dpi := range resolutions {
		for page := range min(d.Pages(), MaxPages) {
			picture, err := d.Page(ctx, page, dpi, i == 0)
			if errors.Is(err, pdfium.ErrNotReadable) && d.Alive() {
				continue // one damaged page does not hide the others
			}

			if err != nil {
				return nil, refusal(err)
			}

			tries := ways[:1]
			if i > 0 {
				tries = ways[:]
			}

			for _, how := range tries {
				found = merge(found, page+1, symbols(ctx, picture, how))
			}

			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}

		if r.enough(found) {
			break
		}
	}

	return found, nil
}

// refusal puts what PDFium says of a file into this package's words.
func refusal(err error) error {
	switch {
	case errors.Is(err, pdfium.ErrTooLarge):
		return fmt.Errorf("%w: %w", ErrTooLarge, err)
	case errors.Is(err, pdfium.ErrNotReadable), errors.Is(err, pdfium.ErrProtected):
		return fmt.Errorf("%w: %w", ErrNotReadable, err)
	}

	return err
}

func (r *Reader) enough(found []Code) bool {
	for _, c := range found {
		if r.settings.Wanted(c.Text) {
			return true
		}
	}

	return false
}

// merge adds what a page says and has not said before.
func merge(found []Code, page int, texts []string) []Code {
	for _, text := range texts {
		known := false
		for _, c := range found {
			known = known || c == Code{page, text}
		}

		if !known {
			found = append(found, Code{page, text})
		}
	}

	return found
}
