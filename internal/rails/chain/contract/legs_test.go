//go:build !nosandbox

package contract

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func drawBatch(t *rapid.T) Batch {
	address := rapid.Custom(func(t *rapid.T) common.Address {
		a := common.BytesToAddress(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address"))
		a[19] |= 1 // not the zero address
		return a
	})
	number := func(bytes int) *rapid.Generator[*big.Int] {
		return rapid.Custom(func(t *rapid.T) *big.Int {
			return new(big.Int).SetBytes(rapid.SliceOfN(rapid.Byte(), 0, bytes).Draw(t, "number"))
		})
	}
	b := Batch{Payer: address.Draw(t, "payer"), Token: address.Draw(t, "token"), Number: number(32).Draw(t, "batch")}

	b.Token[19] = 2 // no payee
	for range rapid.IntRange(1, MaxLegs).Draw(t, "legs") {
		amount := number(12).Draw(t, "amount")
		if amount.Sign() == 0 {
			amount = big.NewInt(1)
		}

		b.Legs = append(b.Legs, Leg{address.Draw(t, "payee"), amount})
	}

	return b
}

// What was encoded is what is decoded, and a signer refuses any other bytes.
func TestCalldataRoundTrips(t *testing.T) { // K-03
	rapid.Check(t, func(t *rapid.T) {
		b := drawBatch(t)
		data, err := EncodePay(b)
		require.NoError(t, err)
		call, err := DecodeCall(data)
		require.NoError(t, err)
		requireSameBatch(t, b, call.Batch)
		require.Equal(t, ByAllowance, call.Manner)

		deadline := big.NewInt(rapid.Int64Min(0).Draw(t, "deadline"))
		signature := rapid.SliceOfN(rapid.Byte(), 0, 100).Draw(t, "signature")
		data, err = encodeIntent(b, deadline, signature)
		require.NoError(t, err)
		call, err = DecodeCall(data)
		require.NoError(t, err)
		requireSameBatch(t, b, call.Batch)
		require.Equal(t, ByIntent, call.Manner)
		require.Equal(t, deadline.String(), call.Deadline.String())
		require.Equal(t, string(signature), string(call.Signature))

		// A changed byte is another call or no call, but never the same one.
		at := rapid.IntRange(0, len(data)-1).Draw(t, "at")
		changed := append([]byte{}, data...)

		changed[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		if other, err := DecodeCall(changed); err == nil {
			again, err := other.Encode()
			require.NoError(t, err)
			require.Equal(t, changed, again)
		}
	})
}

func requireSameBatch(t require.TestingT, want, got Batch) {
	require.Equal(t, want.Payer, got.Payer)
	require.Equal(t, want.Token, got.Token)
	require.Zero(t, want.Number.Cmp(got.Number))
	require.Len(t, got.Legs, len(want.Legs))

	for i := range want.Legs {
		require.Equal(t, want.Legs[i].To, got.Legs[i].To)
		require.Zero(t, want.Legs[i].Amount.Cmp(got.Legs[i].Amount))
	}
}

func TestDecodeCallRefusesSlack(t *testing.T) { // K-03
	data, err := EncodePay(Batch{
		Payer:  payee(1),
		Token:  payee(2),
		Number: big.NewInt(3),
		Legs:   []Leg{{payee(4), big.NewInt(5)}},
	})
	require.NoError(t, err)

	for name, bad := range map[string][]byte{
		"nothing":       {},
		"three bytes":   data[:3],
		"selector only": data[:4],
		"cut":           data[:len(data)-1],
		"trailing word": append(append([]byte{}, data...), make([]byte, 32)...),
		"other function": append(append([]byte{}, routerABI.abi.Methods["setOperator"].ID...),
			make([]byte, 32)...),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := DecodeCall(bad)
			require.Error(t, err)
		})
	}
}

func TestEncodePayReportsEveryProblemAtOnce(t *testing.T) {
	tooMuch := new(big.Int).Add(maxAmount, big.NewInt(1))
	_, err := EncodePay(Batch{Number: big.NewInt(-1), Legs: []Leg{
		{common.Address{}, big.NewInt(1)},
		{payee(1), nil},
		{payee(1), big.NewInt(0)},
		{payee(1), big.NewInt(-5)},
		{payee(1), tooMuch},
		{payee(1), maxAmount},
	}})
	require.Error(t, err)
	require.Equal(t, []string{
		"the payer is the zero address",
		"the token is the zero address",
		"the batch number must fit 256 bits and not be negative",
		"leg 0: the payee is the zero address",
		"leg 1: the amount must be positive",
		"leg 2: the amount must be positive",
		"leg 3: the amount must be positive",
		"leg 4: the amount " + tooMuch.String() + " needs more than 96 bits",
	}, strings.Split(err.Error(), "\n"))
	_, err = EncodePay(Batch{
		Payer:  payee(1),
		Token:  payee(2),
		Number: new(big.Int),
		Legs:   []Leg{{payee(2), maxAmount}},
	})
	require.EqualError(t, err, "leg 0: the payee is the token's own contract")

	for _, n := range []int{0, MaxLegs + 1} {
		_, err := PackLegs(make([]Leg, n))
		require.ErrorContains(t, err, "a batch has 1 to 32 legs")
	}

	_, err = UnpackLegs(make([]byte, 33))
	require.ErrorContains(t, err, "not a multiple")
}
