package document

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"strings"

	"slipway/internal/core/fault"
)

// maxPixels is how many pixels a picture may have. A PNG of 304 kB can have so many that decoding it takes gigabytes.
const maxPixels = 40_000_000

// facts is what a look at a file's content has found.
type facts struct {
	contentType   string
	width, height int64
}

// tailLength is how much of a file's end is looked at: a ZIP's directory ends at most 64 KiB of comment before the
// end of the file.
const tailLength = 66 << 10

// pieceLength is how much is read at once.
const pieceLength = 16 << 10

// headLength is how much of a file's beginning is held against what else it could be taken for.
const headLength = 4 << 10

// inspect reads a file to its end and returns what it is. What is not a PDF, PNG or JPEG from its first to its last
// byte is refused, and so is what could be something else besides: programs look at a file in different places. Errors
// of the reader come back as they are.
func inspect(in io.Reader) (facts, error) {
	w := &watcher{in: in}
	r := bufio.NewReaderSize(w, pieceLength)

	head, err := r.Peek(len(pngSignature))
	if err != nil && !errors.Is(err, io.EOF) {
		return facts{}, err
	}

	var f facts
	switch {
	case bytes.HasPrefix(head, []byte("%PDF-")):
		f, err = inspectPDF(r, w)
	case bytes.Equal(head, pngSignature):
		f, err = inspectPNG(r)
	case bytes.HasPrefix(head, []byte{0xff, soi, 0xff}):
		f, err = inspectJPEG(r)
	case len(head) == 0:
		return f, refused(fault.DocumentDamaged, "The file is empty.")

	default:
		more, _ := r.Peek(512)

		return f, refused(
			fault.DocumentTypeUnknown,
			"Documents are PDF, PNG or JPEG files; this one is %s.",
			kindOf(more),
		)
	}

	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return f, refused(fault.DocumentDamaged, "The file ends too early.")
	case err != nil:
		return f, err

	case f.width*f.height > maxPixels:
		return f, refused(
			fault.DocumentTooLarge,
			"The picture has %d × %d pixels; it may have 40 million.",
			f.width,
			f.height,
		)
	}

	return f, w.ambiguous(f.contentType)
}

func refused(code fault.Code, detail string, args ...any) *fault.Fault {
	f := fault.New(fault.Invalid, code, detail, args...)
	f.Fields = []fault.Field{{Pointer: "/file", Code: code, Message: f.Detail}}
	return f
}

// kindOf says in words what a file looks like.
func kindOf(head []byte) string {
	kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
	switch {
	case bytes.Contains(bytes.ToLower(head), []byte("<svg")):
		return "image/svg+xml"
	case kind == "application/octet-stream":
		return "none that is known"
	}

	return kind
}

// watcher sees the bytes of a file on their way to whoever reads it: it keeps the beginning and the end. Once reading
// has failed it fails ever after: what comes behind a gap is not the file, even where the gap stood in a part that is
// passed over.
type watcher struct {
	in   io.Reader
	err  error
	also func(p []byte) // sees every byte too; may be nil
	head []byte
	tail []byte // up to tailLength and one piece more
	size int64
}

// Read reads on.
func (w *watcher) Read(p []byte) (n int, err error) {
	if w.err != nil {
		return 0, w.err
	}

	n, w.err = w.in.Read(p)
	p = p[:n]
	w.size += int64(n)
	w.head = append(w.head, p[:min(n, headLength-len(w.head))]...)
	w.keep(p)

	if w.also != nil {
		w.also(p)
	}

	return n, w.err
}

// keep adds a piece to the tail.
func (w *watcher) keep(p []byte) {
	if need := len(w.tail) + len(p); need > cap(w.tail) && need > pieceLength {
		if cap(w.tail) < tailLength+pieceLength {
			w.tail = append(make([]byte, 0, tailLength+pieceLength), w.tail...)
		}

		if need > cap(w.tail) {
			w.tail = w.tail[:copy(w.tail, w.end())]
		}
	}

	w.tail = append(w.tail, p...)
}

// end is the last bytes of what was read.
func (w *watcher) end() []byte { return w.tail[max(0, len(w.tail)-tailLength):] }

// markup is what a file begins with, somewhere in its first bytes, when a browser may take it for a page.
var markup = []string{"<!doctype html", "<html", "<head", "<body", "<script", "<iframe", "<svg", "<?php"}

// ambiguous refuses a file that other programs may take for something else.
func (w *watcher) ambiguous(contentType string) error {
	head := bytes.ToLower(w.head)
	for _, m := range markup {
		if bytes.Contains(head, []byte(m)) {
			return refused(fault.DocumentAmbiguous, "The file begins like a web page as well.")
		}
	}

	// Readers of PDF look for its beginning in the first 1024 bytes.
	if contentType != PDF && bytes.Contains(w.head[:min(len(w.head), 1024)], []byte("%PDF-")) {
		return refused(fault.DocumentAmbiguous, "The picture is a PDF as well.")
	}

	if endsAsZIP(w.end()) {
		return refused(fault.DocumentAmbiguous, "The file is a ZIP archive as well.")
	}

	return nil
}

// endsAsZIP reports whether a directory of a ZIP archive ends where the file ends (APPNOTE 4.3.16: 22 bytes, then a
// comment whose length they tell).
func endsAsZIP(tail []byte) bool {
	for rest := tail; ; {
		i := bytes.Index(rest, []byte("PK\x05\x06"))
		if i < 0 || len(rest)-i < 22 {
			return false
		}

		if int(binary.LittleEndian.Uint16(rest[i+20:])) == len(rest)-i-22 {
			return true
		}

		rest = rest[i+4:]
	}
}
