package jsonout

import (
	"encoding/binary"
	"math/bits"

	"github.com/go-json-experiment/json/jsontext"
)

// appendText copies first and checks afterwards, because nearly every text needs no escaping. The library writes the
// others.
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

// PlainPrefix returns how many bytes at the beginning of a text need no escaping in a JSON string: ASCII without
// control characters, quotes and backslashes. It examines eight bytes at once.
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

// special sets the high bit of each byte that is not plain. A borrow may also mark bytes above a marked one, but never
// below: the lowest mark is right.
func special(word uint64) uint64 {
	quote := word ^ everyByte*'"'
	backslash := word ^ everyByte*'\\'
	return (word | (word-everyByte*' ')&^word | (quote-everyByte)&^quote | (backslash-everyByte)&^backslash) & highBits
}
