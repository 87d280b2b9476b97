// Package qrscan finds the QR codes of a document (PDF, PNG, JPEG) and returns their texts. It does not interpret them.
//
// It promises that a returned text is exactly the one encoded in the document. Codes have their own error correction; a
// code that it cannot repair is left out, and nothing is completed from the text printed around it. A document is
// limited before it is decoded (pixels, pages), and never takes more memory than it is read with. PDF files are
// rendered inside a sandbox (package pdfium). How many documents are read at once is the caller's to limit. Reading
// stops when its context ends, within a fraction of a second. It does not promise to find every code.
//
// Read in this order: qrscan.go (documents), memory.go (what they take), picture.go (what is decoded, and how much),
// symbol.go (codes in a picture), bits.go (a code's text).
package qrscan

import (
	"context"
	"errors"
	"fmt"
	"image"
	"runtime/debug"
	"slices"

	"slipway/internal/platform/qrscan/pdfium"
)

// Code is one QR code.
type Code struct {
	Page int // from 1
	Text string
}

// Limits of one document. They are part of the API.
const (
	MaxBytes = 10 << 20
	MaxPages = 20 // further ones are not read
	MaxCodes = 16 // of one page
)

// Why a document is not read.
var (
	ErrUnknownType = errors.New("the document is neither PDF, PNG nor JPEG")
	ErrTooLarge    = errors.New("the document is too large: bytes, pixels or memory")
	ErrMemory      = fmt.Errorf("%w: it needs more than it was given", ErrTooLarge) // see Cost
	ErrNotReadable = errors.New("the document is damaged, protected or of another type")
	ErrProtected   = pdfium.ErrProtected // wrapped in an ErrNotReadable
	ErrNoPage      = errors.New("the document does not have so many pages")
)

// Settings of a Reader.
type Settings struct {
	// CacheDir stores the compiled PDF library for the next process (see pdfium.New). If it is empty, every process
	// compiles the library, which takes seconds.
	CacheDir string
	// Wanted reports whether a text is of the kind that is searched for. Until one is found, the pages are searched
	// again, more thoroughly. nil: every text is.
	Wanted func(text string) bool
}

// Reader reads documents. It is safe for concurrent use.
type Reader struct {
	settings Settings
	pdf      *pdfium.Renderer
}

// New returns a reader. It loads the PDF library with the first PDF file.
func New(s Settings) *Reader {
	if s.Wanted == nil {
		s.Wanted = func(string) bool { return true }
	}

	return &Reader{settings: s, pdf: pdfium.New(s.CacheDir)}
}

// Ready loads the PDF library, which takes seconds if no compiled one is cached. A second call does nothing. Call it
// before a Read with a deadline; otherwise the first document's deadline includes the loading.
func (r *Reader) Ready(ctx context.Context) error { return r.pdf.Load(ctx) }

// IsPDF reports whether a document is a PDF file, by its first bytes. Reading one needs the PDF library.
func IsPDF(document []byte) bool { return kind(document) == kindPDF }

// Close ends all reading and frees the PDF library's memory.
func (r *Reader) Close(ctx context.Context) error { return r.pdf.Close(ctx) }

// Read returns the codes of a document in the order of its pages, each text once for a page. It takes at most so many
// bytes of memory, from LightMemory to MostMemory. A document without codes is no error. The content decides the type.
// Errors are ErrUnknownType, ErrTooLarge, ErrMemory, ErrNotReadable (wrapped with the reason), the context's, and
// internal ones.
func (r *Reader) Read(ctx context.Context, document []byte, memory int) ([]Code, error) {
	if len(document) > MaxBytes {
		return nil, ErrTooLarge
	}

	if err := ctx.Err(); err != nil {
		return nil, err
	}

	switch kind(document) {
	case kindPDF:
		return r.readPDF(ctx, document, memory)

	case kindPNG, kindJPEG:
		found, err := r.readPicture(ctx, document, memory)
		if Cost(document) > LightMemory && !errors.Is(err, ErrMemory) {
			debug.FreeOSMemory() // the next document is given this one's memory
		}

		return found, err

	case kindUnknown:
	}

	return nil, ErrUnknownType
}

// readPicture searches a picture as it is, and then copies of other sizes. A smaller copy removes blur; a larger one
// separates modules of few pixels.
func (r *Reader) readPicture(ctx context.Context, file []byte, memory int) ([]Code, error) {
	picture, err := decode(file, memory)
	if err != nil {
		return nil, err
	}

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

// resolutions of a drawn page, in dots per inch. The first shows the smallest module of a Swiss bill (0.4 mm) with
// three pixels. The others find codes that cannot be read at the first.
var resolutions = [...]float64{200, 300, 120}

// readPDF searches all pages quickly, and again more thoroughly if nothing was found. A page that needs more memory
// than there is does not hide the others, but without them it is an error: nobody has seen that it has no code.
func (r *Reader) readPDF(ctx context.Context, file []byte, memory int) (found []Code, err error) {
	d, err := r.pdf.Open(ctx, file, memory-besideSandbox)
	if err != nil {
		return nil, refusal(err)
	}

	var unseen error

	defer func() { err = errors.Join(err, d.Close(context.WithoutCancel(ctx))) }()

	for i, dpi := range resolutions {
		for page := range min(d.Pages(), MaxPages) {
			picture, err := d.Page(ctx, page, dpi, i == 0)
			if errors.Is(err, pdfium.ErrNotReadable) && d.Alive() {
				continue // one damaged page does not hide the others
			}

			if errors.Is(err, pdfium.ErrTooLarge) && d.Alive() && memory >= MostMemory {
				unseen = refusal(err)
				continue
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
			return found, nil
		}
	}

	if len(found) == 0 {
		return nil, unseen
	}

	return found, nil
}

// shownResolution is that of a page for people, in dots per inch: A4 has 910 by 1,286 dots, which shows small print.
const shownResolution = 110

// Page draws one page of a PDF file in grey, from 1, and returns how many of its pages can be drawn. Errors are those
// of Read, and ErrNoPage. A picture is ErrUnknownType: it has no pages.
func (r *Reader) Page(
	ctx context.Context,
	file []byte,
	number int,
	memory int,
) (p *image.Gray, pages int, err error) {
	if !IsPDF(file) {
		return nil, 0, ErrUnknownType
	}

	if len(file) > MaxBytes {
		return nil, 0, ErrTooLarge
	}

	d, err := r.pdf.Open(ctx, file, memory-besideSandbox)
	if err != nil {
		return nil, 0, refusal(err)
	}

	defer func() { err = errors.Join(err, d.Close(context.WithoutCancel(ctx))) }()

	if pages = min(d.Pages(), MaxPages); number > pages {
		return nil, pages, ErrNoPage
	}

	p, err = d.Page(ctx, number-1, shownResolution, false)

	return p, pages, refusal(err)
}

// refusal converts PDFium's errors to those of this package.
func refusal(err error) error {
	switch {
	case errors.Is(err, pdfium.ErrTooLarge):
		return fmt.Errorf("%w: %w", ErrMemory, err)
	case errors.Is(err, pdfium.ErrNotReadable), errors.Is(err, pdfium.ErrProtected):
		return fmt.Errorf("%w: %w", ErrNotReadable, err)
	}

	return err
}

func (r *Reader) enough(found []Code) bool {
	return slices.ContainsFunc(found, func(c Code) bool { return r.settings.Wanted(c.Text) })
}

// merge adds the texts of a page that are not there yet.
func merge(found []Code, page int, texts []string) []Code {
	for _, text := range texts {
		if c := (Code{page, text}); !slices.Contains(found, c) {
			found = append(found, c)
		}
	}

	return found
}
