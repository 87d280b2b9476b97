package document

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"regexp"

	"slipway/internal/core/fault"
)

// maxUnpacked is how many bytes the object streams of one PDF may unpack to: those of large documents have some megabytes.
const maxUnpacked = 64 << 20

// trailingSpace is what may follow a PDF's last line.
const trailingSpace = "\x00\t\n\f\r "

var pdfHeader = regexp.MustCompile(`^%PDF-[12]\.[0-9]`)

// inspectPDF reads a PDF (ISO 32000) to its end: it begins and ends as one, and nothing that can be seen in it runs by itself. Files
// attached to it are allowed, since invoices carry their data that way (ZUGFeRD, Factur-X). The names that matter are looked for in
// all bytes and in what object streams unpack to: where a viewer looks is decided by tables that an attacker writes. Of filters it knows Flate alone,
// which object streams have: what is packed otherwise is not looked into.
func inspectPDF(r *bufio.Reader, w *watcher) (facts, error) {
	f := facts{contentType: PDF}
	names := &nameScan{}
	head, err := r.Peek(r.Buffered())
	if err != nil {
		return f, err
	}
	if !pdfHeader.Match(head) {
		return f, damaged("PDF")
	}
	names.see(head)
	w.also = names.see
	unpacked := int64(0)
	for {
		if err := nextStream(r); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return f, err
		}
		if err := names.unpack(r, &unpacked); err != nil {
			return f, err
		}
	}
	return f, names.verdict(w.end())
}

func (s *nameScan) verdict(end []byte) error {
	switch last := bytes.LastIndex(end, []byte("%%EOF")); {
	case s.active != "":
		return refused(fault.DocumentActive, "The PDF can run something (%s). Print it to a new PDF and send that.", s.active)
	case s.encrypted:
		return refused(fault.DocumentProtected, "The PDF is encrypted, so that it cannot be checked. Send it without a password and without restrictions.")
	case last < 0 || !bytes.Contains(end, []byte("startxref")):
		return damaged("PDF")
	case len(bytes.Trim(end[last+len("%%EOF"):], trailingSpace)) > 0:
		return refused(fault.DocumentAmbiguous, "Something else follows the end of the PDF.")
	}
	return nil
}

var streamWord = []byte("stream")

// nextStream reads up to the first byte of the next stream's data, or gives io.EOF.
func nextStream(r *bufio.Reader) error {
	var before []byte
	for {
		line, err := r.ReadSlice('m')
		if errors.Is(err, bufio.ErrBufferFull) {
			before = append(before[:0], line[len(line)-len("endstream"):]...)
			continue
		}
		if err != nil {
			return err
		}
		if len(before) > 0 {
			line, before = append(before, line...), nil
		}
		if !bytes.HasSuffix(line, streamWord) || bytes.HasSuffix(line, []byte("endstream")) {
			continue
		}
		next, err := r.Peek(2)
		if err != nil {
			return err
		}
		switch { // a line's end follows the word (ISO 32000-1, 7.3.8.1)
		case next[0] == '\r' && next[1] == '\n':
			_, err = r.Discard(2)
		case next[0] == '\n', next[0] == '\r':
			_, err = r.Discard(1)
		default:
			continue
		}
		return err
	}
}

// maybeObjects is how the contents of an object stream begin: pairs of numbers (ISO 32000-1, 7.5.7).
var maybeObjects = regexp.MustCompile(`^[\x00\t\n\f\r ]*[0-9]+[\x00\t\n\f\r ]+[0-9]+`)

// unpack looks into a stream that is compressed and could hold objects. What is no such stream is left where it is.
func (s *nameScan) unpack(r *bufio.Reader, total *int64) error {
	head, err := r.Peek(2)
	if err != nil || head[0]&0x0f != 8 || (int(head[0])<<8|int(head[1]))%31 != 0 { // RFC 1950, 2.2
		return eofIsFine(err)
	}
	z, err := s.unpackFrom(r)
	if err != nil {
		return notUnpacked(err)
	}
	var begin [64]byte
	n, err := io.ReadFull(z, begin[:])
	if *total += int64(n); !maybeObjects.Match(begin[:n]) {
		return notUnpacked(err)
	}
	inner := &nameScan{}
	inner.see(begin[:n])
	limit := &io.LimitedReader{R: z, N: maxUnpacked - *total + 1}
	buffer := make([]byte, 4<<10)
	for err == nil {
		n, err = limit.Read(buffer)
		inner.see(buffer[:n])
		*total += int64(n)
	}
	if *total > maxUnpacked {
		return refused(fault.DocumentTooLarge, "The PDF unpacks to more than %d MiB.", maxUnpacked>>20)
	}
	if s.active == "" {
		s.active = inner.active
	}
	return notUnpacked(err)
}

// unpackFrom begins to unpack; it reads no byte further than the packed data goes.
func (s *nameScan) unpackFrom(r *bufio.Reader) (io.Reader, error) {
	var err error
	if again, ok := s.unpacker.(zlib.Resetter); ok {
		err = again.Reset(r, nil)
	} else {
		s.unpacker, err = zlib.NewReader(r)
	}
	return s.unpacker, err
}

// notUnpacked leaves a stream that does not unpack alone: viewers do so too, and images may begin like one. Only what the file's reader
// refused is an error.
func notUnpacked(err error) error {
	if _, ok := fault.As(err); ok {
		return err
	}
	return nil
}

func eofIsFine(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// Names of what runs by itself (ISO 32000-1, 12.6.4): scripts, programs, and players of other formats.
var activeNames = []string{"JavaScript", "Launch", "RichMedia"}

const encryptName = "Encrypt"

// longestName is how many bytes the longest of them can take when each is written as #xx, with one byte after it.
const longestName = 3*len("JavaScript") + 1

// nameScan looks for names in bytes that come in pieces.
type nameScan struct {
	tail      []byte // of the pieces before: a name may begin in one and end in the next
	active    string
	encrypted bool
	unpacker  io.ReadCloser // used again for each stream
}

// kept is how much of the pieces before is kept: pieces may be short, and a name lie in several.
const kept = 2 * longestName

// see looks at the next piece.
func (s *nameScan) see(p []byte) {
	if s.tail == nil {
		s.tail = make([]byte, 0, kept+longestName)
	}
	if len(s.tail) > 0 {
		s.look(append(s.tail, p[:min(len(p), longestName)]...))
	}
	s.look(p)
	p = p[max(0, len(p)-kept):]
	over := max(0, len(s.tail)+len(p)-kept)
	s.tail = append(s.tail[:copy(s.tail, s.tail[over:])], p...)
}

func (s *nameScan) look(p []byte) {
	for {
		i := bytes.IndexByte(p, '/')
		if i < 0 {
			return
		}
		p = p[i+1:]
		if len(p) == 0 || !mayBegin[p[0]] {
			continue
		}
		name := nameAt(p)
		if name == encryptName {
			s.encrypted = true
		}
		for _, a := range activeNames {
			if name == a {
				s.active = a
			}
		}
	}
}

// mayBegin is what the names that are looked for begin with, as themselves or as an escape.
var mayBegin = [256]bool{'J': true, 'L': true, 'R': true, 'E': true, '#': true}

// nameAt reads a name of at most the length that matters; escapes are #xx (ISO 32000-1, 7.3.5). A longer one gives none.
func nameAt(p []byte) string {
	var name [len("JavaScript") + 1]byte
	n := 0
	for i := 0; i < len(p); i++ {
		c := p[i]
		if bytes.IndexByte([]byte("\x00\t\n\f\r ()<>[]{}/%"), c) >= 0 {
			return string(name[:n])
		}
		if c == '#' && i+2 < len(p) {
			if v, ok := unhex(p[i+1], p[i+2]); ok {
				c, i = v, i+2
			}
		}
		if n == len(name) {
			return ""
		}
		name[n] = c
		n++
	}
	return "" // it goes on in the next piece
}

func unhex(a, b byte) (byte, bool) {
	x, okX := digit(a)
	y, okY := digit(b)
	return x<<4 | y, okX && okY
}

func digit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
