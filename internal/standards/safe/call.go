package safe

import (
	"bytes"
	_ "embed"
	"fmt"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

//go:embed abi.json
var functionsText []byte

// functions are those of an account and its helpers that are called here; the text is part of the program.
var functions = sync.OnceValue(func() abi.ABI {
	a, err := abi.JSON(bytes.NewReader(functionsText))
	if err != nil {
		panic("safe: abi.json: " + err.Error())
	}

	return a
})

// Pack encodes a call of a function of abi.json. It panics if the arguments are not its: they are this program's own.
func Pack(function string, args ...any) []byte {
	data, err := functions().Pack(function, args...)
	if err != nil {
		panic("safe: " + function + ": " + err.Error())
	}

	return data
}

// sentinel is the beginning of the contracts' lists.
var sentinel = common.HexToAddress("0x1")

// Reads returns the calls that read an account. Read decodes their answers.
func Reads() [][]byte {
	return [][]byte{
		Pack("VERSION"),
		Pack("getOwners"),
		Pack("getThreshold"),
		Pack("nonce"),
		Pack("domainSeparator"),
		Pack("getModulesPaginated", sentinel, big.NewInt(MaxModules)),
	}
}

// Read takes the answers to Reads into a state. An account with more modules than MaxModules is an error: what cannot
// be listed cannot be compared.
func (s *State) Read(answers [][]byte) error {
	names := []string{"VERSION", "getOwners", "getThreshold", "nonce", "domainSeparator", "getModulesPaginated"}
	if len(answers) != len(names) {
		return fmt.Errorf("safe: %d answers to %d calls", len(answers), len(names))
	}

	values := make([]any, 0, len(names)+1)
	for i, name := range names {
		v, err := functions().Unpack(name, answers[i])
		if err != nil {
			return fmt.Errorf("safe: %s: %w", name, err)
		}

		values = append(values, v...)
	}

	version, _ := values[0].(string)
	owners, _ := values[1].([]common.Address)
	threshold, _ := values[2].(*big.Int)
	nonce, _ := values[3].(*big.Int)
	domain, _ := values[4].([32]byte)
	modules, _ := values[5].([]common.Address)
	next, _ := values[6].(common.Address)

	switch {
	case version != s.Version:
		return fmt.Errorf("safe: it says that it is version %q, its code is %s", version, s.Version)
	case threshold == nil || nonce == nil || !threshold.IsInt64() || !nonce.IsUint64():
		return fmt.Errorf("safe: threshold %s, nonce %s", threshold, nonce)
	case len(owners) == 0 || len(owners) > MaxOwners || threshold.Sign() <= 0:
		return fmt.Errorf("safe: %d owners, threshold %s", len(owners), threshold)
	case next != sentinel && next != (common.Address{}):
		return fmt.Errorf("safe: it has more than %d modules", MaxModules)
	}

	s.Owners = owners
	s.Threshold = int(threshold.Int64())
	s.Nonce = nonce.Uint64()
	s.Domain = domain
	s.Modules = modules
	s.Sort()

	return nil
}

// fields are the arguments of a transaction that checkTransaction and execTransaction begin with.
func (t Tx) fields() []any {
	zero := new(big.Int)
	none := common.Address{}

	return []any{t.To, zero, t.Data, uint8(t.Operation), zero, zero, zero, none, none}
}

// CallGuard asks a guard what it would say of a transaction; it reverts if it refuses. The account itself asks.
func CallGuard(t Tx, sender common.Address) []byte {
	return Pack("checkTransaction", append(t.fields(), []byte{}, sender)...)
}

// Execute returns the calldata that carries out a transaction with signatures that Join has ordered.
func Execute(t Tx, signatures []byte) []byte {
	return Pack("execTransaction", append(t.fields(), signatures)...)
}

// Step is one call of a batch, without value.
type Step struct {
	To   common.Address
	Data []byte
}

// Batch returns the calldata of a batcher.
func Batch(steps []Step) []byte {
	var packed []byte
	for _, s := range steps {
		packed = append(packed, byte(Call))
		packed = append(packed, s.To[:]...)
		packed = append(packed, make([]byte, 32)...)
		packed = append(packed, word(big.NewInt(int64(len(s.Data))))...)
		packed = append(packed, s.Data...)
	}

	return Pack("multiSend", packed)
}

// Unbatch returns the steps of a batch that Batch has made; nil for anything else.
func Unbatch(data []byte) []Step {
	if len(data) < 4 || !bytes.Equal(data[:4], functions().Methods["multiSend"].ID) {
		return nil
	}

	values, err := functions().Methods["multiSend"].Inputs.Unpack(data[4:])
	if err != nil {
		return nil
	}

	packed, _ := values[0].([]byte)

	const head = 1 + common.AddressLength + 32 + 32 // operation, to, value, length

	var out []Step
	for len(packed) >= head {
		length := new(big.Int).SetBytes(packed[head-32 : head])
		if !length.IsInt64() || length.Int64() > int64(len(packed)-head) {
			return nil
		}

		end := head + int(length.Int64())
		out = append(out, Step{
			To:   common.BytesToAddress(packed[1 : 1+common.AddressLength]),
			Data: bytes.Clone(packed[head:end]),
		})
		packed = packed[end:]
	}

	return out
}
