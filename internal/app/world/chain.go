//go:build !nosandbox

package world

import (
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/rails/chain/devchain"
)

// Chain is the chain of a world: the development chain, or a node of another make that tests start in its place. Its
// methods are described at devchain.Chain.
type Chain interface {
	URL() string
	ChainID() *big.Int
	Head() *types.Header
	Block(number uint64) *types.Block
	Nonce(a common.Address) uint64
	PoolSize() (executable, behindGap int)

	Fund(to common.Address, wei *big.Int) error
	Submit(tx *types.Transaction) error
	Mine(n int)
	DropPending() int
	Reorg(depth int, fate devchain.Fate) (int, error)
	AdjustTime(d time.Duration) error

	Close() error
}

var _ Chain = (*devchain.Chain)(nil)

func startDevchain(c devchain.Config) (Chain, error) { return devchain.Start(c) }
