// Package eip55 reads and writes EVM addresses: 0x and 40 hexadecimal digits whose letter case is a checksum (EIP-55).
//
// An address in one case has no checksum and is accepted. One in mixed case must have the right checksum, since a wrong
// one means that a character was mistyped.
//
// Read eip55.go, then similar.go (addresses that people take for one another).
package eip55

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/core/text"
)

// The two errors of a written address.
var (
	ErrForm     = errors.New("an address is 0x and 40 hexadecimal digits")
	ErrChecksum = errors.New("the letter case of the address is not its checksum")
)

// lastPrecompile is the highest address that chains reserve for precompiled contracts. Those of today end at 0x11
// (EIP-2537), and 0x100 is P-256 (RIP-7212). 0xffff leaves room for additions of rollups.
const lastPrecompile = 0xffff

// Parse parses an address. Common.Hex of the result is its checksummed form.
func Parse(s string) (common.Address, error) {
	var a common.Address
	if len(s) != 2+2*common.AddressLength || s[:2] != "0x" {
		return a, ErrForm
	}

	if _, err := hex.Decode(a[:], []byte(s[2:])); err != nil {
		return a, ErrForm
	}

	if Mixed(s) && !checksummed(s[2:]) {
		return common.Address{}, ErrChecksum
	}

	return a, nil
}

// Read parses an address as people type and paste it: Parse of Plain.
func Read(s string) (common.Address, error) { return Parse(Plain(s)) }

// Plain returns an address without what people put between its digits and what comes along when it is copied
// (text.Unspaced), and with a small x. It checks nothing.
func Plain(s string) string {
	s = text.Unspaced(s)
	if digits, found := strings.CutPrefix(s, "0X"); found {
		return "0x" + digits
	}

	return s
}

// checksummed reports whether each letter has the case that the hash of the lower-case digits requires: upper case
// where the hash has 8 or more in the same position. It allocates no text, since one request may contain thirty
// addresses.
func checksummed(digits string) bool {
	var lower [2 * common.AddressLength]byte
	for i := range lower {
		lower[i] = digits[i]
		if digits[i] >= 'A' && digits[i] <= 'F' {
			lower[i] += 'a' - 'A'
		}
	}

	hash := crypto.Keccak256Hash(lower[:])
	for i, c := range lower {
		nibble := hash[i/2] >> 4
		if i%2 == 1 {
			nibble = hash[i/2] & 0xf
		}

		if c >= 'a' && nibble >= 8 != (digits[i] != c) {
			return false
		}
	}

	return true
}

// Mixed reports whether an address has letters in both cases. If Parse has accepted it, it is then in its checksummed
// form.
func Mixed(s string) bool {
	lower := false

	upper := false
	for i := 2; i < len(s); i++ {
		lower = lower || s[i] >= 'a' && s[i] <= 'f'
		upper = upper || s[i] >= 'A' && s[i] <= 'F'
	}

	return lower && upper
}

// Reserved reports whether no person can hold the address: the zero address, or one of the low numbers reserved for
// precompiled contracts. Tokens sent there are lost.
func Reserved(a common.Address) bool {
	for _, b := range a[:common.AddressLength-2] {
		if b != 0 {
			return false
		}
	}

	return int(a[18])<<8|int(a[19]) <= lastPrecompile
}
