//go:build !nosandbox

// Package safecode has the contracts of Safe accounts for the development chain: the byte code that Safe has published,
// unchanged. contracts/safe.mjs takes it out of Safe's npm packages; NOTICE has its licence. Put on a chain through the
// singleton factory, the contracts of 1.3.0, 1.4.1 and 1.5.0 come to the addresses that they have on every public
// chain.
package safecode

import (
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/standards/safe"
)

//go:embed artifacts/*.json
var artifacts embed.FS

// Release is the published contracts of one version, by name: the data of the transactions that deploy them.
type Release struct {
	Version string
	Code    map[string]string
}

// Names of contracts.
const (
	Singleton         = "Safe"
	SingletonL2       = "SafeL2"
	ProxyFactory      = "ProxyFactory"
	FallbackHandler   = "FallbackHandler"
	MultiSend         = "MultiSend"
	MultiSendCallOnly = "MultiSendCallOnly"
	SignMessageLib    = "SignMessageLib"
	proxy             = "Proxy"
	DelegateCallGuard = "DelegateCallGuard" // an example: it refuses delegate calls, except to one contract
)

// Of returns the contracts of a version. It panics if there are none: only tests and the sandbox call it.
func Of(version string) Release {
	var r Release
	read("safe-"+version+".json", &r)

	return r
}

func read(name string, into any) {
	text, err := artifacts.ReadFile("artifacts/" + name)
	if err == nil {
		err = json.Unmarshal(text, into)
	}

	if err != nil {
		panic(fmt.Sprintf("safecode: %s: %v", name, err))
	}
}

// Creation returns the creation code of a contract.
func (r Release) Creation(name string) []byte {
	code := common.FromHex(r.Code[name])
	if len(code) == 0 {
		panic("safecode: " + r.Version + " has no " + name)
	}

	return code
}

// Deployed returns the names of the contracts that stand on a chain by themselves, sorted: not the code of accounts,
// and not the guard, whose constructor takes an argument.
func (r Release) Deployed() []string {
	names := slices.Sorted(maps.Keys(r.Code))
	return slices.DeleteFunc(names, func(name string) bool { return name == proxy || name == DelegateCallGuard })
}

// At returns where the singleton factory puts a contract.
func (r Release) At(name string) common.Address {
	return crypto.CreateAddress2(Factory().Address, [32]byte{}, crypto.Keccak256(r.Creation(name)))
}

// ProxyCreation returns the creation code of an account, without the address of its singleton, which follows it.
func (r Release) ProxyCreation() []byte { return r.Creation(proxy) }

// SingletonFactory is the contract that puts the same code to the same address on every chain: the transaction that
// deploys it was signed once, by a key that signs no other, for the chain 31337.
type SingletonFactory struct {
	Signer      common.Address `json:"signerAddress"`
	Address     common.Address `json:"address"`
	Transaction string         `json:"transaction"`
}

// Factory returns the singleton factory.
var Factory = sync.OnceValue(func() SingletonFactory {
	var f SingletonFactory
	read("singleton-factory.json", &f)

	return f
})

// Signed returns the transaction that deploys the factory. Its signer needs the price of its gas.
func (f SingletonFactory) Signed() (*types.Transaction, error) {
	tx := new(types.Transaction)
	return tx, tx.UnmarshalBinary(common.FromHex(f.Transaction))
}

// Setup returns the initializer of an account with owners, a threshold and a fallback handler.
func Setup(owners []common.Address, threshold int, handler common.Address) []byte {
	none := common.Address{}
	zero := new(big.Int)

	return safe.Pack("setup", owners, big.NewInt(int64(threshold)), none, []byte{}, handler, none, zero, none)
}

// Create returns the call of a proxy factory that makes an account.
func Create(singleton common.Address, setup []byte, salt int64) []byte {
	return safe.Pack("createProxyWithNonce", singleton, setup, big.NewInt(salt))
}
