// Package contract is the Go side of the Slipway router: the contract that pays a batch of ERC-20 legs from a payer's
// wallet to receivers, each batch number at most once.
//
// It turns batches into calldata and back, says what a payer signs, and reads from a receipt what became of every leg.
// It knows bytes and logs only: it holds no key, opens no connection and does not decide whether a receipt is final.
//
// Read legs.go for what goes in, receipt.go for what comes out, reason.go for refusals in words, intent.go for the
// payer's signature, calls.go for single calls, sample.go for the contracts of development chains. bindings.go and the
// artifacts folder are made from contracts/src by contracts/generate.
package contract

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

const (
	// MaxLegs is 30 payments and up to two fee legs; the router refuses more.
	MaxLegs = 32

	// legSize is 20 bytes of payee and 12 bytes of amount.
	legSize = 32

	// DefaultLegGas is what each token call may use. Real tokens need up to about 160 000 where new storage is dear
	// (USDC to a new holder under the Amsterdam rules), and 32 calls that burn it all still fit into one transaction.
	DefaultLegGas = 300_000
)

var (
	// SelectorPay opens the calldata of a payment under allowance and policy.
	SelectorPay = [4]byte{0x11, 0x9d, 0xa4, 0x20}

	// SelectorPayWithIntent opens the calldata of a payment that the payer signed.
	SelectorPayWithIntent = [4]byte{0x2a, 0xbd, 0x78, 0x99}

	// NoCap is the daily limit that stands for none.
	NoCap = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 104), big.NewInt(1))
)

// RouterCreationCode is the data of the transaction that deploys a router. legGas is fixed for the router's life;
// DefaultLegGas suits Ethereum and chains with its gas schedule.
func RouterCreationCode(owner, operator, guardian common.Address, legGas uint64) []byte {
	args := router().PackConstructor(owner, operator, guardian, new(big.Int).SetUint64(legGas))
	return append(common.FromHex(SlipwayRouterMetaData.Bin), args...)
}

// GasHeadroom is what a transaction's gas limit holds beyond a node's estimate, so that it also suffices if a leg fails
// which the estimate saw succeed: the router only records a failure while a whole leg's gas is left, and reverts the
// batch otherwise. The part that is not used is not paid for.
func GasHeadroom(legGas uint64) uint64 { return 2*legGas + legGas/16 }
