// Package contract is the Go side of the Slipway router: the contract that pays a batch of ERC-20 legs from a payer's
// wallet to receivers, each batch number at most once.
//
// It encodes batches as calldata and decodes them, builds what a payer signs, and reads from a receipt what happened to
// every leg. It handles only bytes and logs: it holds no key, opens no connection and does not decide whether a receipt
// is final.
//
// Read contract.go (the router's code and address), legs.go for the input, signed.go and permits.go for what payers
// sign, receipt.go for the result, reason.go for failures as sentences, calls.go for single calls, sample.go for the
// contracts of development chains. contracts/generate makes bindings.go and the artifacts folder from contracts/src;
// generate.go calls it.
package contract

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

const (
	// MaxLegs is 30 payments and up to two fee legs. The router refuses more.
	MaxLegs = 32

	// legSize is 20 bytes of payee and 12 bytes of amount.
	legSize = 32

	// DefaultLegGas is the gas limit of each token call. Real tokens need up to about 160 000 where new storage is
	// expensive (USDC to a new holder under the Amsterdam rules), and 32 calls that use all of it still fit into one
	// transaction.
	DefaultLegGas = 300_000
)

// NoCap is the daily limit that means no limit.
var NoCap = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 104), big.NewInt(1))

// RouterCreationCode returns the data of the transaction that deploys a router. legGas cannot be changed later;
// DefaultLegGas suits Ethereum and chains with its gas schedule.
func RouterCreationCode(owner, operator, guardian common.Address, legGas uint64) []byte {
	args := router().PackConstructor(owner, operator, guardian, new(big.Int).SetUint64(legGas))
	return append(common.FromHex(SlipwayRouterMetaData.Bin), args...)
}

// GasHeadroom returns the gas that a transaction's limit needs beyond a node's estimate, in case a leg fails that
// succeeded in the estimate: the router records a failure only while a full leg's gas is left, and otherwise reverts
// the batch. Unused gas is not paid for.
func GasHeadroom(legGas uint64) uint64 { return 2*legGas + legGas/16 }

// Factories that deploy a contract at an address which follows from its code alone (CREATE2), so that one router has
// one address on every chain. Both take 32 bytes of salt and the creation code.
var (
	// Factory is the deterministic deployment proxy, at the same address on all public chains.
	Factory = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

	// SafeFactory is Safe's singleton factory, for chains that refuse the proxy's transaction (EIP-155).
	SafeFactory = common.HexToAddress("0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7")
)

// DeployedAt returns the address at which a factory deploys a creation code, with a salt of zeros. A contract there has
// this code and no other: the address is a hash of it.
func DeployedAt(factory common.Address, creationCode []byte) common.Address {
	return crypto.CreateAddress2(factory, [32]byte{}, crypto.Keccak256(creationCode))
}

// DeployCall returns the data of the factory's call that deploys a creation code there.
func DeployCall(creationCode []byte) []byte { return append(make([]byte, 32), creationCode...) }
