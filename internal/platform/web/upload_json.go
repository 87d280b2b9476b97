package web

import (
	"bufio"
	"cmp"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
)

// jsonFile reads {"fileBase64": …, "fileName": …, "contentType": …} as it arrives, with its members in any order.
// Everything but the content is short and held in memory; the content is streamed. Errors in members are collected and
// returned when the object has ended.
type jsonFile struct {
	in        *bufio.Reader
	rule      UploadRule
	l         fault.List
	malformed bool
	seen      map[string]bool
	texts     map[string]string
	content   *base64Text // nil until fileBase64 has come
	ended     error
}

// openJSON reads up to the content of the file, or the whole object if it has none.
func openJSON(body io.Reader, rule UploadRule) (Upload, error) {
	f := &jsonFile{
		in:    bufio.NewReaderSize(body, 4<<10),
		rule:  rule,
		seen:  map[string]bool{},
		texts: map[string]string{},
	}

	c, err := f.token()
	switch {
	case errors.Is(err, io.EOF):
		return Upload{}, fault.New(fault.Malformed, fault.BodyMalformed, "The body is missing; send a JSON object.")
	case err != nil:
		return Upload{}, f.broken(err)
	case c != '{':
		return Upload{}, broken("it is not a JSON object")
	}

	if err := f.members(true); err != nil {
		return Upload{}, f.broken(err)
	}

	switch stored := f.texts[storedField]; {
	case f.content != nil:
		return Upload{
			File: &bounded{in: f, rule: rule}, ended: func() error { return f.ended }, places: placesInJSON,
			labels: func() (string, string) { return f.texts[nameField], f.texts[typeField] },
		}, nil

	case stored != "":
		for _, name := range []string{nameField, typeField} {
			if f.seen[name] {
				f.l.Add("/"+name, fault.UnknownField, "is a field of an object with `%s`.", base64Field)
			}
		}

		return Upload{Stored: stored}, f.refusal()

	case rule.OrStored:
		f.l.Add("/"+base64Field, fault.Required, "or `%s` is required.", storedField)
	default:
		f.l.Add("/"+base64Field, fault.Required, "is required.")
	}

	return Upload{}, f.refusal()
}

// Read reads the content, and at its end the rest of the object.
func (f *jsonFile) Read(p []byte) (int, error) {
	if f.ended != nil {
		return 0, f.ended
	}

	n, err := f.content.Read(p)
	if err == nil {
		return n, nil
	}

	switch {
	case errors.Is(err, io.EOF):
		f.ended = f.rest()

	case errors.Is(err, errNoBase64): // the rest is checked too: all problems are reported at once
		f.l.Add("/"+base64Field, fault.FormatInvalid, "must be base64, with padding and without a prefix.")

		if err = nil; !f.content.ended {
			err = f.skipText()
		}

		if f.ended = f.rest(); err != nil {
			f.ended = f.broken(err)
		}

	default:
		f.ended = err
	}

	return n, f.ended
}

// rest reads what follows the content. io.EOF means that everything was valid.
func (f *jsonFile) rest() error {
	if err := f.members(false); err != nil {
		return f.broken(err)
	}

	if f.texts[storedField] != "" {
		f.l.Add("/"+storedField, fault.NotAllowed, "is not combined with a file.")
	}

	if err := f.refusal(); err != nil {
		return err
	}

	return io.EOF
}

func (f *jsonFile) refusal() error {
	err := f.l.Err()
	if r, ok := fault.As(err); ok && f.malformed {
		r.Kind = fault.Malformed
	}

	return err
}

func (f *jsonFile) broken(err error) error {
	if r, ok := fault.As(err); ok {
		return r
	}

	if errors.Is(err, io.EOF) {
		return broken("it ends too early")
	}

	return broken("it is not valid JSON: " + err.Error())
}

// members reads members until the content begins, or to the end of the body. first means that none has been read yet.
func (f *jsonFile) members(first bool) error {
	for ; ; first = false {
		c, err := f.token()
		if err != nil {
			return err
		}

		if c == '}' {
			return f.end()
		}

		if !first {
			if c != ',' {
				return errors.New("a comma or } is missing")
			}

			if c, err = f.token(); err != nil {
				return err
			}
		}

		if c != '"' {
			return errors.New("a member's name is missing")
		}

		name, err := f.text()
		if err != nil {
			return err
		}

		if c, err = f.token(); err != nil {
			return err
		}

		if c != ':' {
			return errors.New("a colon is missing")
		}

		if begun, err := f.member(name); err != nil || begun {
			return err
		}
	}
}

// member reads one member's value; begun reports that the content begins here.
func (f *jsonFile) member(name string) (begun bool, err error) {
	c, err := f.token()
	if err != nil {
		return false, err
	}

	at := "/" + escapePointer(name)
	if !slices.Contains(f.known(), name) {
		f.l.Add(at, fault.UnknownField, "is not a field of this object. Names are compared exactly.")

		if f.l.Full() {
			return false, f.refusal()
		}

		return false, f.skip(c, 0)
	}

	fresh := !f.seen[name]

	f.seen[name] = true
	switch {
	case !fresh:
		f.malformed = true
		f.l.Add(at, fault.DuplicateField, "stands twice in the same object.")
		return false, f.skip(c, 0)

	case c == '"' && name == base64Field:
		f.content = newBase64Text(f.in)
		return true, nil

	case c == '"':
		f.texts[name], err = f.text()
		if err == nil && !isText(f.texts[name]) {
			f.l.Add(at, fault.FormatInvalid, noText)
		}

		return false, err

	case c == 'n' && name != base64Field:
		return false, f.skip(c, 0)
	}

	f.malformed = true
	f.l.Add(at, fault.TypeMismatch, "must be a text.")

	return false, f.skip(c, 0)
}

// known returns the names of the members that the object may have.
func (f *jsonFile) known() []string {
	if f.rule.OrStored {
		return []string{base64Field, nameField, typeField, storedField}
	}

	return []string{base64Field, nameField, typeField}
}

// end checks that nothing follows the object.
func (f *jsonFile) end() error {
	_, err := f.token()
	if errors.Is(err, io.EOF) {
		return nil
	}

	if err == nil {
		err = errors.New("something follows the end of the value")
	}

	return err
}

// token returns the next byte that is no white space.
func (f *jsonFile) token() (byte, error) {
	for {
		c, err := f.in.ReadByte()
		if err != nil || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, err
		}
	}
}

// text reads a text whose opening quote has been read.
func (f *jsonFile) text() (string, error) {
	raw := []byte{'"'}

	for {
		c, err := f.in.ReadByte()
		if err != nil {
			return "", err
		}

		raw = append(raw, c)
		switch {
		case len(raw) > labelLength:
			return "", errors.New("a text is too long")

		case c == '\\':
			if c, err = f.in.ReadByte(); err != nil {
				return "", err
			}

			raw = append(raw, c)

		case c == '"':
			out, err := jsontext.AppendUnquote(nil, raw)
			return string(out), err
		}
	}
}

// skip skips a value that begins with c.
func (f *jsonFile) skip(c byte, depth int) error {
	if depth > maxDepth {
		return errDepth
	}

	switch c {
	case '"':
		return f.skipText()
	case '{', '[':
		return f.skipNested(c, depth)
	}

	word := []byte{c}
	for len(word) <= labelLength {
		next, err := f.in.ReadByte()
		if err != nil {
			return err
		}

		if strings.IndexByte(" \t\r\n,]}", next) >= 0 {
			if !jsontext.Value(word).IsValid() {
				return errors.New("a value is missing or is none")
			}

			return f.in.UnreadByte()
		}

		word = append(word, next)
	}

	return errors.New("a value is too long")
}

// skipText skips a text of any length.
func (f *jsonFile) skipText() error {
	for {
		c, err := f.in.ReadByte()
		if err == nil && c == '\\' {
			_, err = f.in.ReadByte()
		}

		if err != nil || c == '"' {
			return err
		}
	}
}

// skipNested skips an object or list. It was refused already, so its commas and colons are not checked.
func (f *jsonFile) skipNested(open byte, depth int) error {
	for {
		c, err := f.token()

		switch {
		case err != nil:
			return err
		case c == '}' && open == '{', c == ']' && open == '[':
			return nil
		case c == ',' || c == ':':

		default:
			if err := f.skip(c, depth+1); err != nil {
				return err
			}
		}
	}
}

// base64Text decodes the text of fileBase64, whose opening quote has been read.
type base64Text struct {
	in      *bufio.Reader
	decoder io.Reader
	padded  bool // a = has been read: nothing else may follow it
	ended   bool
}

func newBase64Text(in *bufio.Reader) *base64Text {
	b := &base64Text{in: in}
	b.decoder = base64.NewDecoder(base64.StdEncoding, signs{b})
	return b
}

// Read returns decoded bytes. io.EOF means that the text has ended and was valid base64.
func (b *base64Text) Read(p []byte) (int, error) {
	n, err := b.decoder.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = b.refusal(err)
	}

	return n, err
}

func (b *base64Text) refusal(err error) error {
	var corrupt base64.CorruptInputError
	if errors.As(err, &corrupt) || errors.Is(err, io.ErrUnexpectedEOF) && b.ended || errors.Is(err, errNoBase64) {
		return errNoBase64
	}

	if r, ok := fault.As(err); ok {
		return r
	}

	return broken("it ends too early")
}

var errNoBase64 = errors.New("not base64")

// signs returns the text's characters without JSON's escapes: encoders write / as \/ and + as \u002B.
type signs struct{ *base64Text }

// Read returns characters until the closing quote.
func (s signs) Read(p []byte) (n int, err error) {
	if s.ended {
		return 0, io.EOF
	}

	for n < len(p) {
		if n > 0 && s.in.Buffered() == 0 {
			return n, nil // what is here goes on before more is waited for
		}

		c, err := s.in.ReadByte()
		switch {
		case err != nil:
		case c == '"':
			s.ended = true
			return n, io.EOF
		case c < ' ': // within a text of JSON these are escaped
			err = broken("a control character stands in a text")
		case c >= utf8.RuneSelf:
			err = s.beyond()
		case c == '\\':
			c, err = s.escaped()
		}

		switch line := c == '\r' || c == '\n'; {
		case errors.Is(err, io.EOF):
			return n, io.ErrUnexpectedEOF
		case err != nil:
			return n, err
		case s.padded && c != '=' && !line:
			return n, errNoBase64
		case c == '=':
			s.padded = true
		}

		p[n] = c
		n++
	}

	return n, nil
}

// beyond returns what is wrong with a character that is not ASCII: it may not even be one.
func (s signs) beyond() error {
	if err := s.in.UnreadByte(); err != nil {
		return err
	}

	if r, size, err := s.in.ReadRune(); err != nil || r == utf8.RuneError && size == 1 {
		return cmp.Or(err, error(broken("it is not valid UTF-8")))
	}

	return errNoBase64
}

// pair reports whether the other half of a character follows.
func (s signs) pair(first rune) bool {
	next, err := s.in.Peek(6)
	if err != nil || string(next[:2]) != `\u` {
		return false
	}

	v, err := strconv.ParseUint(string(next[2:]), 16, 16)

	return err == nil && utf16.DecodeRune(first, rune(v)) != utf8.RuneError
}

// escaped reads what follows a backslash.
func (s signs) escaped() (byte, error) {
	c, err := s.in.ReadByte()
	if err != nil {
		return 0, err
	}

	switch c {
	case '/':
		return '/', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 'u':
		var hex [4]byte
		if _, err := io.ReadFull(s.in, hex[:]); err != nil {
			return 0, io.ErrUnexpectedEOF
		}

		v, err := strconv.ParseUint(string(hex[:]), 16, 16)
		switch {
		case err != nil, utf16.IsSurrogate(rune(v)) && !s.pair(rune(v)):
			return 0, broken("it is not valid JSON: an escape is no character")
		case v <= 'z':
			return byte(v), nil
		}

	case '"', '\\', 'b', 'f', 't': // no signs of base64
	default:
		return 0, broken("it is not valid JSON: an escape is none")
	}

	return 0, errNoBase64
}
