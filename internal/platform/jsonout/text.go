package jsonout

import (
	"encoding/binary"
	"math/bits"

	"github.com/go-json-experiment/json/jsontext"
)

// appendText copies first and looks afterwards: nearly every text stands in JSON as it is. The others are written by
// the library.
func appendText(dst []byte, s string) ([]byte, error) {
	start := len(dst)
	dst = append(dst, '"')

	dst = append(dst, s...)
	if PlainPrefix(dst[start+1:]) < len(s) {
		return jsontext.AppendQuote(dst[:start], s)
	}

	return append(dst, '"'), nil
}

const (
	everyByte = 0x0101010101010101
	highBits  = 0x8080808080808080
)

// PlainPrefix counts the bytes at the beginning of a text that stand in a JSON string as they are: ASCII without
// control characters, quotes and backslashes. It looks at eight bytes at once.
func PlainPrefix(text []byte) int {
	n := 0
	for ; len(text)-n >= 8; n += 8 {
		if found := special(binary.LittleEndian.Uint64(text[n:])); found != 0 {
			return n + bits.TrailingZeros64(found)/8
		}
	}

	for ; n < len(text); n++ {
		if c := text[n]; c < ' ' || c >= 0x80 || c == '"' || c == '\\' {
			return n
		}
	}

	return n
}

// special has the high bit of each byte that is not plain. A borrow may mark bytes above a marked one too, never
// below: the lowest is right.
func special(word uint64) uint64 {
	quote := word ^ everyByte*'"'
	backslash := word ^ everyByte*'\\'
	return (word | (word-everyByte*' ')&^word | (quote-everyByte)&^quote | (backslash-everyByte)&^backslash) & highBits
}
