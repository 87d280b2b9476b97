package qrscan

import "unicode/utf8"

// Modes of a segment (ISO/IEC 18004, 7.4.1).
const (
	modeEnd          = 0
	modeNumeric      = 1
	modeAlphanumeric = 2
	modeByte         = 4
	modeECI          = 7
)

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"

// text decodes the segments of a code's corrected data (ISO/IEC 18004, 7.4): numerals, capitals and bytes, which must
// be UTF-8. It skips a declaration of another character set (ECI), because many programs declare one and still write
// UTF-8. Bytes that are really in another character set are not valid UTF-8 as soon as they differ; then it returns
// false instead of a guess. It also returns false for Kanji, for a text spread over several codes, and for data that
// ends within a segment.
func text(data []byte, version int) (string, bool) {
	bits := &bitReader{data: data}

	var out []byte
	for bits.left() >= 4 {
		mode := bits.take(4)
		switch mode {
		case modeEnd:
			return string(out), utf8.Valid(out)
		case modeECI:
			bits.skipECI()
			continue
		case modeNumeric, modeAlphanumeric, modeByte:
		default:
			return "", false
		}

		count := bits.take(countBits(mode, version))
		if count < 0 || count > len(data)*4 {
			return "", false
		}

		for count > 0 && !bits.over {
			switch mode {
			case modeByte:
				out = append(out, byte(bits.take(8)))
				count--

			case modeNumeric:
				n := min(count, 3)
				out = appendDigits(out, bits, n)
				count -= n

			default:
				n := min(count, 2)
				out = appendPair(out, bits, n)
				count -= n
			}
		}

		if bits.over {
			return "", false
		}
	}

	return string(out), utf8.Valid(out)
}

// countBits returns the width of a segment's length (ISO/IEC 18004, table 3): it grows with the code's version.
func countBits(mode, version int) int {
	widths := map[int][3]int{modeNumeric: {10, 12, 14}, modeAlphanumeric: {9, 11, 13}, modeByte: {8, 16, 16}}[mode]
	switch {
	case version < 10:
		return widths[0]
	case version < 27:
		return widths[1]
	}

	return widths[2]
}

// appendDigits reads up to three digits in ten bits, two in seven, one in four.
func appendDigits(out []byte, bits *bitReader, n int) []byte {
	v := bits.take([]int{4, 7, 10}[n-1])

	limit := []int{10, 100, 1000}[n-1]
	if v < 0 || v >= limit {
		bits.over = true
		return out
	}

	for limit > 1 {
		limit /= 10
		out = append(out, byte('0'+v/limit%10))
	}

	return out
}

// appendPair reads two characters in eleven bits, one in six.
func appendPair(out []byte, bits *bitReader, n int) []byte {
	v := bits.take([]int{6, 11}[n-1])
	if n == 1 {
		if v < 0 || v >= len(alphanumeric) {
			bits.over = true
			return out
		}

		return append(out, alphanumeric[v])
	}

	if v < 0 || v >= len(alphanumeric)*len(alphanumeric) {
		bits.over = true
		return out
	}

	return append(out, alphanumeric[v/len(alphanumeric)], alphanumeric[v%len(alphanumeric)])
}

// bitReader reads bits from the front.
type bitReader struct {
	data []byte
	at   int
	over bool // the data ended too early or is invalid
}

func (b *bitReader) left() int { return 8*len(b.data) - b.at }

// take returns the next n bits as a number, or -1 if there are fewer.
func (b *bitReader) take(n int) int {
	if n > b.left() {
		b.over = true
		return -1
	}

	v := 0
	for range n {
		v = v<<1 | int(b.data[b.at/8]>>(7-b.at%8)&1)
		b.at++
	}

	return v
}

// skipECI skips a designator of one, two or three bytes.
func (b *bitReader) skipECI() {
	switch first := b.take(8); {
	case first < 0x80:
	case first < 0xc0:
		b.take(8)
	default:
		b.take(16)
	}
}
