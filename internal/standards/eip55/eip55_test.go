package eip55_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/standards/eip55"
)

func TestParseTellsFormFromChecksum(t *testing.T) {
	for s, want := range map[string]error{
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed":     nil,
		"0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed":     nil,
		"0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED":     nil,
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed":     eip55.ErrChecksum,
		"0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed":     eip55.ErrForm,
		"5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed":       eip55.ErrForm,
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe":      eip55.ErrForm,
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg":     eip55.ErrForm,
		" 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed":    eip55.ErrForm,
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n":   eip55.ErrForm,
		"eth:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed": eip55.ErrForm,
		"":                             eip55.ErrForm,
		"0x" + strings.Repeat("а", 20): eip55.ErrForm,
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0000000000": eip55.ErrForm,
	} {
		t.Run(s, func(t *testing.T) {
			_, err := eip55.Parse(s)
			require.ErrorIs(t, err, want, "%q", s)
		})
	}
}

// People paste addresses in groups, with line ends, and with what a page has put between the digits. What names a
// network or is no address stays refused.
func TestAddressesAreReadAsTheyArePasted(t *testing.T) {
	const want = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

	for _, s := range []string{
		want,
		" " + want + "\n",
		"0x5aAe b605 3F3E 94C9 b9A0 9f33 6694 35E7 Ef1B eAed",
		"0x5aAeb6053F3E94C9b9A0\u200b9f33669435E7Ef1BeAed",
		"0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
		"\u00a0０ｘ5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
	} {
		a, err := eip55.Read(s)
		require.NoError(t, err, "%+q", s)
		require.Equal(t, want, a.Hex())
	}

	for s, want := range map[string]error{
		"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed \n":   eip55.ErrChecksum,
		"eth:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed":  eip55.ErrForm,
		"5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed":        eip55.ErrForm,
		"0x5aAeb6053F3E94C9b9A09-f33669435E7Ef1BeAed":     eip55.ErrForm,
		"0x5\u0430Aeb6053F3E94C9b9A09f33669435E7Ef1BeAed": eip55.ErrForm,
	} {
		_, err := eip55.Read(s)
		require.ErrorIs(t, err, want, "%+q", s)
	}
}

func TestReservedAddresses(t *testing.T) {
	for s, want := range map[string]bool{
		"0x0000000000000000000000000000000000000000": true,
		"0x0000000000000000000000000000000000000001": true,
		"0x0000000000000000000000000000000000000100": true,
		"0x000000000000000000000000000000000000ffff": true,
		"0x0000000000000000000000000000000000010000": false,
		"0x0100000000000000000000000000000000000001": false,
	} {
		t.Run(s, func(t *testing.T) {
			require.Equal(t, want, eip55.Reserved(common.HexToAddress(s)))
		})
	}
}

// An address reads back as it is printed, and with a letter in the other case no longer.
func TestPrintedAddressReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := common.BytesToAddress(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address"))

		got, err := eip55.Parse(a.Hex())
		if err != nil || got != a {
			t.Fatalf("%s read as %s, %v", a.Hex(), got, err)
		}

		mistyped := []byte(a.Hex())

		at := rapid.IntRange(2, len(mistyped)-1).Draw(t, "place")
		if mistyped[at] < 'A' {
			return // a digit has no case
		}

		mistyped[at] ^= 'a' - 'A'
		if _, err := eip55.Parse(string(mistyped)); eip55.Mixed(string(mistyped)) != errors.Is(err, eip55.ErrChecksum) {
			t.Fatalf("%s beside %s: %v", mistyped, a.Hex(), err)
		}
	})
}

func TestVectors(t *testing.T) {
	raw, err := os.ReadFile(fixture("evm_signatures/eip55_vectors.json"))
	if err != nil {
		t.Skip("the shared fixtures are not on this machine (SLIPWAY_FIXTURES)")
	}

	var vectors []struct {
		Address string
		Valid   bool
	}
	require.NoError(t, json.Unmarshal(raw, &vectors))
	require.NotEmpty(t, vectors)

	for _, v := range vectors {
		_, err := eip55.Parse(v.Address)
		require.Equal(t, v.Valid, err == nil, v.Address)
	}
}

func fixture(name string) string {
	dir := os.Getenv("SLIPWAY_FIXTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "fixtures")
	}

	return filepath.Join(dir, name)
}

func FuzzParse(f *testing.F) {
	f.Add("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
	f.Fuzz(func(t *testing.T, s string) {
		a, err := eip55.Parse(s)
		if err == nil && !strings.EqualFold(a.Hex(), s) {
			t.Fatalf("%q read as %s", s, a.Hex())
		}
	})
}
