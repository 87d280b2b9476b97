package document

import (
	"bytes"
	"compress/zlib"
	"encoding/ascii85"
	"io"
	"regexp"
)

// sniffed is how much of a stream's beginning is unpacked to find out whether it holds objects.
const sniffed = 256

// gap is what may stand between two words of a PDF.
const gap = `(?:[\x00\t\n\f\r ]|%[^\r\n]*[\r\n])`

var (
	// maybeObjects is how the contents of an object stream begin: pairs of numbers (ISO 32000-1, 7.5.7), perhaps
	// behind comments.
	maybeObjects = regexp.MustCompile(`^` + gap + `*\+?[0-9]+` + gap + `+\+?[0-9]+`)

	// surelyObjects is the same up to the first object. The contents of a page begin with numbers as well, but with a
	// word behind them.
	surelyObjects = regexp.MustCompile(
		`^` + gap + `*\+?[0-9]+` + gap + `+\+?[0-9]+(?:` + gap + `+[-+.0-9]+)*` + gap + `*(?:$|[<\[(/]|null|true|false)`,
	)
)

// filter unpacks data, up to so many bytes (ISO 32000-1, 7.4). complete reports whether the data ended as the
// filter's data ends. It returns nothing for data that cannot be its own.
type filter func(data []byte, most int) (out []byte, complete bool)

// depth is how many filters are still looked through: those that write data as text, and those that pack it. Viewers
// find a stream's filters in its dictionary, which an attacker writes in many ways; here each is tried.
type depth struct {
	text, binary int
	noRuns       bool // runs are looked through elsewhere
}

var anyFilters = depth{text: 3, binary: 2}

// holdsObjects reports whether data are objects behind filters, by its beginning.
func holdsObjects(begin []byte, d depth) bool {
	found := false
	eachUnpacked(begin, sniffed, d, func(out []byte, _ bool, d depth) {
		found = found || surelyObjects.Match(out) || holdsObjects(out, d)
	})

	return found
}

// eachUnpacked calls each with what the filters make of data.
func eachUnpacked(data []byte, most int, d depth, each func(out []byte, complete bool, d depth)) {
	try := func(f filter, d depth) {
		if out, complete := f(data, most); len(out) > 0 {
			each(out, complete, d)
		}
	}
	if d.text > 0 {
		rest := depth{text: d.text - 1, binary: d.binary}
		try(unpackHex, rest)
		try(unpack85, rest)
	}

	if d.binary > 0 {
		rest := depth{text: d.text, binary: d.binary - 1}
		try(unpackFlate, rest)
		try(unpackLZWEarly, rest)
		try(unpackLZWLate, rest)

		if !d.noRuns {
			try(unpackRuns, rest)
		}
	}
}

func isSpace(c byte) bool {
	return c == 0 || c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == ' '
}

func unpackHex(data []byte, most int) (out []byte, complete bool) {
	high := -1
	for _, c := range data {
		if isSpace(c) {
			continue
		}

		v, ok := digit(c)
		if c == '>' || !ok || len(out) == most {
			complete = c == '>'
			break
		}

		if high < 0 {
			high = int(v)
			continue
		}

		out = append(out, byte(high)<<4|v)
		high = -1
	}

	if high >= 0 {
		out = append(out, byte(high)<<4)
	}

	return out, complete
}

func unpack85(data []byte, most int) (out []byte, complete bool) {
	data = bytes.TrimPrefix(bytes.TrimLeft(data, "\x00\t\n\f\r "), []byte("<~"))

	end := bytes.IndexFunc(data, func(r rune) bool {
		return !(r >= '!' && r <= 'u' || r == 'z' || r < 128 && isSpace(byte(r)))
	})
	if end < 0 {
		end = len(data)
	}

	complete = end < len(data) && data[end] == '~'
	out, _ = io.ReadAll(io.LimitReader(ascii85.NewDecoder(bytes.NewReader(data[:end])), int64(most)))

	return out, complete
}

// unpackRuns unpacks runs. Their end may be missing: text begins like runs, too.
func unpackRuns(data []byte, most int) (out []byte, complete bool) {
	r := runs{to: func(p []byte) { out = append(out, p[:min(len(p), most-len(out))]...) }}
	r.see(data)
	return out, true
}

// runs unpacks data that come in pieces (RunLengthDecode).
type runs struct {
	to     func(p []byte)
	copies int // bytes that are handed on as they are
	repeat int // how often the next byte is
	over   bool
}

func (r *runs) see(p []byte) {
	for len(p) > 0 && !r.over {
		switch {
		case r.copies > 0:
			n := min(r.copies, len(p))
			r.to(p[:n])
			r.copies -= n
			p = p[n:]

		case r.repeat > 0:
			r.to(bytes.Repeat(p[:1], r.repeat))
			r.repeat = 0
			p = p[1:]

		default:
			n := int(p[0])
			p = p[1:]

			r.over = n == 128
			if n < 128 {
				r.copies = n + 1
			} else {
				r.repeat = 257 - n
			}
		}
	}
}

func unpackFlate(data []byte, most int) (out []byte, complete bool) {
	if !isFlate(data) {
		return nil, false
	}

	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, false
	}

	out, err = io.ReadAll(io.LimitReader(z, int64(most)))

	return out, err == nil
}

// isFlate reports whether data begin as zlib's do (RFC 1950, 2.2).
func isFlate(data []byte) bool {
	return len(data) > 1 && data[0]&0x0f == 8 && (int(data[0])<<8|int(data[1]))%31 == 0
}

func unpackLZWEarly(data []byte, most int) ([]byte, bool) { return unpackLZW(data, most, 1) }
func unpackLZWLate(data []byte, most int) ([]byte, bool)  { return unpackLZW(data, most, 0) }

// The codes of LZW that stand for no bytes, and the longest code.
const (
	lzwClear = 256
	lzwEnd   = 257
	lzwWidth = 12
)

// unpackLZW unpacks LZW with codes of 9 to 12 bits. early is by how many codes they grow before they must
// (EarlyChange).
func unpackLZW(data []byte, most, early int) (out []byte, complete bool) {
	var begins, ends [1 << lzwWidth]int // where the bytes of a code stand in out
	next := lzwEnd + 1
	width := 9
	last := -1 // where the bytes of the code before begin

	var bits, have uint
	for _, c := range data {
		bits = bits<<8 | uint(c)

		if have += 8; have < uint(width) {
			continue
		}

		have -= uint(width)

		code := int(bits >> have & (1<<width - 1))
		if code == lzwEnd {
			return out, true
		}

		if code == lzwClear {
			next = lzwEnd + 1
			width = 9
			last = -1

			continue
		}

		begin := len(out)
		switch {
		case code < lzwClear:
			out = append(out, byte(code))
		case code < next:
			out = append(out, out[begins[code]:ends[code]]...)
		case code == next && last >= 0:
			out = append(out, out[last:begin]...)
			out = append(out, out[last])
		default:
			return out, false
		}

		if last >= 0 && next < len(begins) {
			begins[next] = last
			ends[next] = begin + 1
			next++
		}

		last = begin

		if next+early >= 1<<width && width < lzwWidth {
			width++
		}

		if len(out) >= most {
			return out, false
		}
	}

	return out, false
}

// shortestRow is how long rows at least are for their objects to be seen.
const shortestRow = 5

// predicted reports whether unpacked data are objects behind a predictor (ISO 32000-1, 7.4.4.4). Nobody writes
// objects so but to hide them. In the first row of PNG's predictors the row above is zero, so its beginning can be
// told without knowing how long rows are. Only so much of it is looked at as the shortest rows have.
func predicted(begin []byte) bool {
	if len(begin) == 0 {
		return false
	}

	begin = begin[:min(len(begin), shortestRow)]

	return surelyObjects.Match(added(begin, 1)) || begin[0] <= 4 && surelyObjects.Match(added(begin[1:], int(begin[0])))
}

// added undoes a predictor in the first row: 1 and 4 add the byte before, 3 half of it, the others nothing.
func added(row []byte, kind int) []byte {
	out := make([]byte, 0, len(row))

	before := byte(0)
	for _, c := range row {
		switch kind {
		case 1, 4:
			c += before
		case 3:
			c += before / 2
		}

		before = c
		out = append(out, c)
	}

	return out
}
