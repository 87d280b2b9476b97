package contract

import (
	"embed"
	"encoding/json"
	"fmt"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

//go:embed artifacts/Test*.json
var samples embed.FS

// Sample is a contract of contracts/src/test, for development chains only.
type Sample struct {
	Code    []byte // the data of the transaction that deploys it; the constructor's arguments follow
	Runtime []byte // the code at its address, if its constructor sets nothing
	abi     abi.ABI
}

// SampleOf reads the artefact of a contract such as TestUSDC. It panics if there is none with this name.
func SampleOf(name string) Sample {
	text, err := samples.ReadFile("artifacts/" + name + ".json")
	if err != nil {
		panic(fmt.Sprintf("contract: sample %s: %v", name, err))
	}

	return sampleIn(text)
}

func sampleIn(artefact []byte) Sample {
	var a struct {
		ABI              abi.ABI
		Bytecode         string
		DeployedBytecode string
	}
	if err := json.Unmarshal(artefact, &a); err != nil {
		panic(fmt.Sprintf("contract: artefact of a sample: %v", err))
	}

	return Sample{Code: common.FromHex(a.Bytecode), Runtime: common.FromHex(a.DeployedBytecode), abi: a.ABI}
}

// Pack encodes a call of a function, or a constructor's arguments for "". It panics if they do not match: only tests
// and the sandbox call it.
func (s Sample) Pack(function string, args ...any) []byte {
	data, err := s.abi.Pack(function, args...)
	if err != nil {
		panic(fmt.Sprintf("contract: call of a sample: %v", err))
	}

	return data
}
