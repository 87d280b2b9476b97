// Package contract is the Go side of the Slipway router: the contract that pays a batch of ERC-20 legs from a payer's
// wallet to receivers, each batch number at most once.
//
// It encodes batches as calldata and decodes them, builds what a payer signs, and reads from a receipt what happened to
// every leg. It handles only bytes and logs: it holds no key, opens no connection and does not decide whether a receipt
// is final.
//
// Read legs.go for the input, signed.go and permits.go for what payers sign, receipt.go for the result, reason.go for failures as sentences, calls.go for single
// calls, sample.go for the contracts of development chains. contracts/generate makes bindings.go and the artifacts
// folder from contracts/src.
package contract

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
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
