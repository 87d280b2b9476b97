// Package id makes record identifiers: a prefix that names the noun, and 26 characters that sort by time.
//
// The 26 characters are 48 bits of Unix milliseconds and 80 random bits, in Crockford's base 32 (no I, L, O, U), lower
// case. Two ids made in one process for the same millisecond sort in the order they were made. This holds even if ids
// for other times are made between them: a transaction makes all its ids for the time it began at, while others began
// sooner or later. Ids are opaque to clients.
//
// Read id.go, then raw.go (an identifier as a number).
package id

import (
	"crypto/rand"
	"encoding/binary"
	"strings"
	"sync"
	"time"
)

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// Length is the number of characters after the prefix and its underscore.
const Length = 26

// span is how many milliseconds apart the times of ids made alternately may be without losing their order.
const span = 4096

// recent holds the last random part used in each of the latest milliseconds.
var recent struct {
	sync.Mutex
	of [span]struct {
		ms   uint64
		rand [10]byte
	}
}

// New returns an identifier such as "txn_01jc3v…" for a record made at the given time. It is safe for concurrent use.
func New(prefix string, now time.Time) string {
	var raw [16]byte
	fill(&raw, uint64(now.UnixMilli()))

	return Raw{binary.BigEndian.Uint64(raw[:8]), binary.BigEndian.Uint64(raw[8:])}.String(prefix)
}

// fill writes time and randomness. Within one millisecond the random part counts up, which preserves the order.
func fill(raw *[16]byte, ms uint64) {
	recent.Lock()
	defer recent.Unlock()

	last := &recent.of[ms%span]
	if ms == last.ms {
		for i := 9; i >= 0; i-- {
			last.rand[i]++
			if last.rand[i] != 0 {
				break
			}
		}
	} else {
		last.ms = ms
		_, _ = rand.Read(last.rand[:]) // crypto/rand never fails since Go 1.24
		last.rand[0] &= 0x7f           // room to count up without wrapping
	}

	var t [8]byte
	binary.BigEndian.PutUint64(t[:], ms)
	copy(raw[0:6], t[2:8])
	copy(raw[6:16], last.rand[:])
}

// encode writes 128 bits as 26 characters of five bits each; the first has three.
func encode(b *strings.Builder, r Raw) {
	for shift := 125; shift >= 0; shift -= 5 {
		var v uint64
		switch {
		case shift >= 64:
			v = r.hi >> (shift - 64)
		case shift > 59:
			v = r.hi<<(64-shift) | r.lo>>shift
		default:
			v = r.lo >> shift
		}

		b.WriteByte(alphabet[v&31])
	}
}

// Valid reports whether s has the form that New returns for the prefix. It does not check that the record exists.
func Valid(prefix, s string) bool {
	rest, ok := strings.CutPrefix(s, prefix+"_")
	if !ok || len(rest) != Length || rest[0] > '7' { // 26 characters hold 130 bits; an id has 128
		return false
	}

	for i := range len(rest) {
		if strings.IndexByte(alphabet, rest[i]) < 0 {
			return false
		}
	}

	return true
}

// Millis returns the Unix milliseconds of an id made by New. ok is false for any other text.
func Millis(s string) (ms int64, ok bool) {
	i := strings.LastIndexByte(s, '_')
	if i < 0 || !Valid(s[:i], s) {
		return 0, false
	}

	for _, c := range []byte(s[i+1 : i+11]) { // 10 characters of 5 bits: 2 zero bits and the 48 of the time
		ms = ms<<5 | int64(strings.IndexByte(alphabet, c))
	}

	return ms, true
}
