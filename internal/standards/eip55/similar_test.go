package eip55

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"
)

// an address with the first and last digits of another is like it, in whatever case, and one with other digits
// there is not; no address is like itself.
func TestAddressesThatLookLikeOthers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		digits := hex.EncodeToString(
			rapid.SliceOfN(rapid.Byte(), common.AddressLength, common.AddressLength).Draw(t, "address"),
		)
		known := common.HexToAddress(digits).Hex()
		at := rapid.IntRange(0, len(digits)-1).Draw(t, "digit")
		other := []byte(digits)
		other[at] = "0123456789abcdef"[(strings.IndexByte("0123456789abcdef", other[at])+rapid.IntRange(1, 15).Draw(t, "by"))%16]

		written := "0x" + string(other)
		if rapid.Bool().Draw(t, "checksummed") {
			written = common.HexToAddress(written).Hex()
		}

		shown := at < firstShown-len("0x") || at >= len(digits)-lastShown
		if Similar(known, written) == shown || Similar(written, known) == shown {
			t.Fatalf("%s and %s: %v", known, written, !shown)
		}

		if Similar(known, "0x"+digits) || Similar(known, strings.ToLower(known)) {
			t.Fatalf("%s is like itself", known)
		}
	})

	if Similar("", "") || Similar("0x", "0x") || Similar("0x1234", "0X1234") {
		t.Error("what is no address is like nothing")
	}
}
