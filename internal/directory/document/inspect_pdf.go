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

// maxUnpacked is how many bytes the object streams of one PDF may unpack to: those of large documents have some
// megabytes.
const maxUnpacked = 64 << 20

// trailingSpace is what may follow a PDF's last line.
const trailingSpace = "\x00\t\n\f\r "

var pdfHeader = regexp.MustCompile(`^%PDF-[12]\.[0-9]`)

// inspectPDF reads a PDF (ISO 32000) to its end: it begins and ends as one, and nothing that can be seen in it runs
// by itself. Files attached to it are allowed, since invoices carry their data that way (ZUGFeRD, Factur-X). The
// names that matter are looked for in all bytes and in what unpacks to objects, whatever filters are around them:
// where a viewer looks is decided by tables and names that an attacker writes. A stream of objects that does not end
// where its data end is refused, and so is one behind a predictor.
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
		return refused(
			fault.DocumentActive,
			"The PDF can run something (%s). Print it to a new PDF and send that.",
			s.active,
		)

	case s.encrypted:
		return refused(
			fault.DocumentProtected,
			"The PDF is encrypted, so that it cannot be checked. Send it without a password and without restrictions.",
		)

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
			line = append(before, line...)
			before = nil
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

// unpack looks into a stream that could hold objects behind filters. What is no such stream is left where it is.
func (s *nameScan) unpack(r *bufio.Reader, total *int64) error {
	begin, err := r.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}

	begin, _, _ = bytes.Cut(begin, streamEnd)

	data := &section{r: r}
	if isFlate(begin) {
		return s.unpackStream(data, total)
	}

	if !holdsObjects(begin, anyFilters) {
		return nil
	}

	return s.unpackWhole(data, nil, total, anyFilters)
}

// unpackStream looks into a stream that is packed as nearly all are. It keeps little of it, unless there are more
// filters behind.
func (s *nameScan) unpackStream(data *section, total *int64) error {
	z, err := s.unpackFrom(data)
	if err != nil {
		return notUnpacked(err)
	}

	begin, err := io.ReadAll(io.LimitReader(z, sniffed))
	*total += int64(len(begin))
	more := depth{text: anyFilters.text, binary: anyFilters.binary - 1, noRuns: true}

	unrun, _ := unpackRuns(begin, sniffed)
	switch {
	case predicted(begin):
		return behindPredictor()
	case holdsObjects(begin, more):
		return s.unpackWhole(z, begin, total, more)
	case !maybeObjects.Match(begin) && !surelyObjects.Match(unrun):
		return notUnpacked(err)
	}

	inner := &nameScan{}
	unrunning := &nameScan{}
	unpacked := runs{to: unrunning.see}
	see := func(p []byte) {
		inner.see(p)
		unpacked.see(p)
	}
	see(begin)
	limit := &io.LimitedReader{R: z, N: maxUnpacked - *total + 1}

	buffer := make([]byte, 4<<10)
	for err == nil {
		var n int
		n, err = limit.Read(buffer)
		see(buffer[:n])
		*total += int64(n)
	}

	if *total > maxUnpacked {
		return tooLargeUnpacked()
	}

	s.takeFrom(inner)
	s.takeFrom(unrunning)

	return s.ends(err)
}

// mostWhole is how much of a stream with more than one filter is unpacked: nobody writes objects so but to hide them.
const mostWhole = 4 << 20

// unpackWhole looks into a stream with more filters than one, which is kept in memory.
func (s *nameScan) unpackWhole(r io.Reader, begin []byte, total *int64, d depth) error {
	rest, err := io.ReadAll(io.LimitReader(r, mostWhole))
	if err != nil {
		return s.ends(err)
	}

	*total += int64(len(rest))
	if len(rest) == mostWhole || *total > maxUnpacked {
		return tooLargeUnpacked()
	}

	all := append(begin, rest...)
	if maybeObjects.Match(all) {
		inner := &nameScan{}
		inner.see(all)
		s.takeFrom(inner)
	}

	return s.unpackAll(all, total, d)
}

func behindPredictor() error {
	return refused(
		fault.DocumentActive,
		"The PDF hides objects behind a predictor. Print it to a new PDF and send that.",
	)
}

// ends returns why the end of packed objects is none; nil when it is one.
func (s *nameScan) ends(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return refused(fault.DocumentAmbiguous, "Objects of the PDF do not end where their data end.")
	}

	return notUnpacked(err)
}

// unpackAll looks through all filters that make objects of data.
func (s *nameScan) unpackAll(data []byte, total *int64, d depth) (err error) {
	eachUnpacked(data, mostWhole, d, func(out []byte, complete bool, d depth) {
		begin := out[:min(len(out), sniffed)]
		objects := surelyObjects.Match(begin)

		more := holdsObjects(begin, d)
		if err != nil || !objects && !more && !predicted(begin) {
			return
		}

		*total += int64(len(out))
		switch {
		case len(out) == mostWhole || *total > maxUnpacked:
			err = tooLargeUnpacked()
		case !complete:
			err = s.ends(io.ErrUnexpectedEOF)
		case predicted(begin):
			err = behindPredictor()
		case more:
			err = s.unpackAll(out, total, d)
		}

		if objects {
			inner := &nameScan{}
			inner.see(out)
			s.takeFrom(inner)
		}
	})

	return err
}

func (s *nameScan) takeFrom(inner *nameScan) {
	if s.active == "" {
		s.active = inner.active
	}
}

func tooLargeUnpacked() error {
	return refused(fault.DocumentTooLarge, "The PDF unpacks to more than %d MiB.", maxUnpacked>>20)
}

var streamEnd = []byte("endstream")

// section reads the data of a stream, up to the word that ends it.
type section struct {
	r    *bufio.Reader
	some []byte // of r's buffer, up to the end of the data
	at   int
}

// more looks at what comes next. It returns an error at the end of the data.
func (d *section) more() error {
	if d.at < len(d.some) {
		return nil
	}

	if _, err := d.r.Discard(d.at); err != nil {
		return err
	}

	next, err := d.r.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}

	if i := bytes.Index(next, streamEnd); i >= 0 {
		next = next[:i]
	} else if err == nil {
		next = next[:len(next)-len(streamEnd)+1] // the word may begin at its end
	}

	d.some = next
	d.at = 0

	if len(next) == 0 {
		return io.EOF
	}

	return nil
}

// Read reads on.
func (d *section) Read(p []byte) (int, error) {
	if err := d.more(); err != nil {
		return 0, err
	}

	n := copy(p, d.some[d.at:])
	d.at += n

	return n, nil
}

// ReadByte reads a byte: what unpacks asks for single ones.
func (d *section) ReadByte() (byte, error) {
	if err := d.more(); err != nil {
		return 0, err
	}

	d.at++

	return d.some[d.at-1], nil
}

// unpackFrom begins to unpack.
func (s *nameScan) unpackFrom(r io.Reader) (io.Reader, error) {
	var err error
	if again, ok := s.unpacker.(zlib.Resetter); ok {
		err = again.Reset(r, nil)
	} else {
		s.unpacker, err = zlib.NewReader(r)
	}

	return s.unpacker, err
}

// notUnpacked leaves a stream that does not unpack alone: viewers do so too, and images may begin like one. Only what
// the file's reader refused is an error.
func notUnpacked(err error) error {
	if _, ok := fault.As(err); ok {
		return err
	}

	return nil
}

// Names of what runs by itself or sends data away (ISO 32000-1, 12.6.4): scripts, programs, players of other formats,
// forms that are sent, and other files that are opened.
var activeNames = []string{
	"JavaScript",
	"Launch",
	"RichMedia",
	"Rendition",
	"SubmitForm",
	"ImportData",
	"GoToR",
	"GoToE",
}

const encryptName = "Encrypt"

// scriptScheme is how an address begins that is a script.
const scriptScheme = "javascript:"

// longest is how many bytes of what is looked for are looked at: a name with each byte written as #xx, or an address
// whose letters are written as octal numbers, with some white space in it.
const longest = 96

// nameScan looks for names and addresses in bytes that come in pieces.
type nameScan struct {
	tail      []byte // of the pieces before: a name may begin in one and end in the next
	active    string
	encrypted bool
	unpacker  io.ReadCloser // used again for each stream
}

// kept is how much of the pieces before is kept: pieces may be short, and a name lie in several.
const kept = 2 * longest

// see looks at the next piece.
func (s *nameScan) see(p []byte) {
	if s.tail == nil {
		s.tail = make([]byte, 0, kept+longest)
	}

	if len(s.tail) > 0 {
		s.look(append(s.tail, p[:min(len(p), longest)]...))
	}

	s.look(p)
	p = p[max(0, len(p)-kept):]
	over := max(0, len(s.tail)+len(p)-kept)
	s.tail = append(s.tail[:copy(s.tail, s.tail[over:])], p...)
}

func (s *nameScan) look(p []byte) {
	for i, c := range p {
		if !begins[c] {
			continue
		}

		rest := p[i+1:]
		switch {
		case c != '/':
			if isScript(rest[:min(len(rest), longest)], c == '<') {
				s.active = scriptScheme
			}
		case len(rest) > 0 && mayBegin[rest[0]]:
			s.name(nameAt(rest))
		}
	}
}

func (s *nameScan) name(name string) {
	if name == encryptName {
		s.encrypted = true
	}

	for _, a := range activeNames {
		if name == a {
			s.active = a
		}
	}
}

// begins are the bytes before a name and a text.
var begins = [256]bool{'/': true, '(': true, '<': true}

// mayBegin is what the names that are looked for begin with, as themselves or as an escape.
var mayBegin = [256]bool{
	'J': true,
	'L': true,
	'R': true,
	'E': true,
	'S': true,
	'I': true,
	'G': true,
	'#': true,
}

// isScript reports whether a text is an address that browsers run: white space and control characters, a byte order
// mark and the zeros of UTF-16 do not keep them from it.
func isScript(p []byte, hex bool) bool {
	want := scriptScheme
	for len(p) > 0 && want != "" {
		c := p[0]

		n := 1
		switch {
		case hex && isSpace(c):
			p = p[1:]
			continue

		case hex:
			p = bytes.TrimLeft(p, "\x00\t\n\f\r ")
			if len(p) < 2 {
				return false
			}

			v, ok := unhex(p[0], p[1])
			if !ok {
				return false
			}

			c = v
			n = 2

		case c == '\\':
			c, n = escaped(p)
		}

		p = p[n:]

		switch {
		case c <= ' ' || c == 0xfe || c == 0xff || c == 0xef || c == 0xbb || c == 0xbf:
		case c|0x20 == want[0] || c == want[0]:
			want = want[1:]
		default:
			return false
		}
	}

	return want == ""
}

// escaped reads a backslash with what follows (ISO 32000-1, 7.3.4.2). One before the end of a line stands for nothing.
func escaped(p []byte) (c byte, n int) {
	n = 1
	for v := 0; n < len(p) && n < 4 && p[n] >= '0' && p[n] <= '7'; n++ {
		v = v<<3 | int(p[n]-'0')
		c = byte(v)
	}

	if n > 1 || len(p) < 2 {
		return c, n
	}

	if c = p[1]; c == 'n' || c == 'r' || c == 't' || c == 'b' || c == 'f' {
		c = ' '
	}

	return c, 2
}

// nameAt reads a name of at most the length that matters; escapes are #xx (ISO 32000-1, 7.3.5). A longer one gives
// none.
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
				c = v
				i = i + 2
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
