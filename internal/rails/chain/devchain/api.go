//go:build !nosandbox

package devchain

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/eth/gasprice"
	"github.com/ethereum/go-ethereum/event"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/rpc"
)

// Errors of a node that does not have what is asked for, in the words of go-ethereum.
var (
	errNoHeader   = errors.New("header not found")
	errNoHash     = errors.New("header for hash not found")
	errNotInChain = errors.New("hash is not currently canonical")
)

// ethAPI serves the methods of the namespace eth. The library names them after the methods, in camel case.
type ethAPI struct {
	c      *Chain
	prices *gasprice.Oracle
}

// newETHAPI takes what go-ethereum proposes as a price: what six of ten transactions of the newest twenty blocks paid.
func newETHAPI(c *Chain) *ethAPI {
	config := gasprice.Config{
		Blocks:           20,
		Percentile:       60,
		MaxHeaderHistory: 1024,
		MaxBlockHistory:  1024,
		MaxPrice:         gasprice.DefaultMaxPrice,
		IgnorePrice:      gasprice.DefaultIgnorePrice,
	}

	return &ethAPI{c: c, prices: gasprice.NewOracle(history{c}, config, big.NewInt(params.GWei/1000))}
}

// ChainId returns the chain's id.
func (a *ethAPI) ChainId() *hexutil.Big { return (*hexutil.Big)(a.c.ChainID()) } //nolint:revive // eth_chainId

// BlockNumber returns the number of the newest block.
func (a *ethAPI) BlockNumber() hexutil.Uint64 { return hexutil.Uint64(a.c.Head().Number.Uint64()) }

// Syncing reports false: there is nobody to catch up with.
func (a *ethAPI) Syncing() bool { return false }

// Accounts returns none: the chain signs for nobody.
func (a *ethAPI) Accounts() []common.Address { return []common.Address{} }

// MaxPriorityFeePerGas returns what is proposed as a tip.
func (a *ethAPI) MaxPriorityFeePerGas(ctx context.Context) (*hexutil.Big, error) {
	tip, err := a.prices.SuggestTipCap(ctx)
	return (*hexutil.Big)(tip), err
}

// GasPrice returns what is proposed as a price of a transaction without a tip.
func (a *ethAPI) GasPrice(ctx context.Context) (*hexutil.Big, error) {
	tip, err := a.prices.SuggestTipCap(ctx)
	if err != nil {
		return nil, err
	}

	return (*hexutil.Big)(tip.Add(tip, a.c.Head().BaseFee)), nil
}

// FeeHistory returns what gas cost in the newest blocks up to the last one.
func (a *ethAPI) FeeHistory(
	ctx context.Context, blocks hexutil.Uint64, last rpc.BlockNumber, percentiles []float64,
) (*feeHistory, error) {
	oldest, rewards, fees, used, _, _, err := a.prices.FeeHistory(ctx, uint64(blocks), last, percentiles)
	if err != nil {
		return nil, err
	}

	out := &feeHistory{Oldest: (*hexutil.Big)(oldest), BaseFees: hexes(fees), GasUsedRatio: used}
	for _, r := range rewards {
		out.Rewards = append(out.Rewards, hexes(r))
	}

	return out, nil
}

// GetBalance returns an account's balance in wei.
func (a *ethAPI) GetBalance(account common.Address, at *rpc.BlockNumberOrHash) (*hexutil.Big, error) {
	s, _, err := a.c.stateAt(at)
	if err != nil {
		return nil, err
	}

	return (*hexutil.Big)(s.GetBalance(account).ToBig()), nil
}

// GetCode returns an account's code.
func (a *ethAPI) GetCode(account common.Address, at *rpc.BlockNumberOrHash) (hexutil.Bytes, error) {
	s, _, err := a.c.stateAt(at)
	if err != nil {
		return nil, err
	}

	return s.GetCode(account), nil
}

// GetStorageAt returns a word of a contract's storage.
func (a *ethAPI) GetStorageAt(
	account common.Address, slot storageSlot, at *rpc.BlockNumberOrHash,
) (hexutil.Bytes, error) {
	s, _, err := a.c.stateAt(at)
	if err != nil {
		return nil, err
	}

	word := s.GetState(account, common.Hash(slot))

	return word[:], nil
}

// GetTransactionCount returns the nonce of an account's next transaction. With "pending" it counts what waits in the
// pool.
func (a *ethAPI) GetTransactionCount(account common.Address, at *rpc.BlockNumberOrHash) (hexutil.Uint64, error) {
	if isPending(at) {
		return hexutil.Uint64(a.c.pool.PoolNonce(account)), nil
	}

	s, _, err := a.c.stateAt(at)
	if err != nil {
		return 0, err
	}

	return hexutil.Uint64(s.GetNonce(account)), nil
}

// GetBlockByNumber returns a block of the present chain, or null.
func (a *ethAPI) GetBlockByNumber(number rpc.BlockNumber, whole bool) *blockAnswer {
	if number == rpc.PendingBlockNumber {
		block, _, _ := a.c.miner.Pending()
		return a.c.answer(block, whole)
	}

	h, err := a.c.headerByNumber(number)
	if err != nil {
		return nil
	}

	return a.c.answer(a.c.chain.GetBlock(h.Hash(), h.Number.Uint64()), whole)
}

// GetBlockByHash returns a block, also one that was replaced, or null.
func (a *ethAPI) GetBlockByHash(hash common.Hash, whole bool) *blockAnswer {
	return a.c.answer(a.c.chain.GetBlockByHash(hash), whole)
}

// GetTransactionByHash returns a transaction of the present chain or the pool, or null.
func (a *ethAPI) GetTransactionByHash(hash common.Hash) *transactionAnswer {
	if place, tx := a.c.chain.GetCanonicalTransaction(hash); tx != nil {
		block := a.c.chain.GetBlock(place.BlockHash, place.BlockIndex)
		if block != nil {
			return a.c.transaction(tx, block, place.Index)
		}
	}

	if tx := a.c.pool.Get(hash); tx != nil {
		return a.c.transaction(tx, nil, 0)
	}

	return nil
}

// GetRawTransactionByHash returns the bytes of a transaction of the present chain or the pool, or none.
func (a *ethAPI) GetRawTransactionByHash(hash common.Hash) (hexutil.Bytes, error) {
	_, tx := a.c.chain.GetCanonicalTransaction(hash)
	if tx == nil {
		tx = a.c.pool.Get(hash)
	}

	if tx == nil {
		return nil, nil
	}

	return tx.MarshalBinary()
}

// GetRawTransactionByBlockHashAndIndex returns the bytes of a block's transaction, or none.
func (a *ethAPI) GetRawTransactionByBlockHashAndIndex(hash common.Hash, place hexutil.Uint) (hexutil.Bytes, error) {
	block := a.c.chain.GetBlockByHash(hash)
	if block == nil || int(place) >= len(block.Transactions()) {
		return nil, nil
	}

	return block.Transactions()[place].MarshalBinary()
}

// GetTransactionReceipt returns the receipt of a transaction of the present chain, or null.
func (a *ethAPI) GetTransactionReceipt(hash common.Hash) *receiptAnswer {
	place, tx := a.c.chain.GetCanonicalTransaction(hash)
	if tx == nil {
		return nil
	}

	receipts := a.c.chain.GetReceiptsByHash(place.BlockHash)
	if place.Index >= uint64(len(receipts)) {
		return nil
	}

	return a.c.receipt(receipts[place.Index], tx)
}

// GetBlockReceipts returns the receipts of a block's transactions, or null.
func (a *ethAPI) GetBlockReceipts(at rpc.BlockNumberOrHash) ([]*receiptAnswer, error) {
	h, err := a.c.headerAt(&at)
	if err != nil {
		return nil, nil //nolint:nilerr // null says that there is no such block
	}

	block := a.c.chain.GetBlock(h.Hash(), h.Number.Uint64())
	receipts := a.c.chain.GetReceiptsByHash(h.Hash())

	if block == nil || len(receipts) != len(block.Transactions()) {
		return nil, fmt.Errorf("the receipts of block %s are not there", h.Hash())
	}

	out := make([]*receiptAnswer, len(receipts))
	for i, r := range receipts {
		out[i] = a.c.receipt(r, block.Transactions()[i])
	}

	return out, nil
}

// headerAt returns the header that a reference names, that of the newest block for none.
func (c *Chain) headerAt(at *rpc.BlockNumberOrHash) (*types.Header, error) {
	if at == nil {
		return c.Head(), nil
	}

	hash, ok := at.Hash()
	if !ok {
		number, _ := at.Number()
		return c.headerByNumber(number)
	}

	h := c.chain.GetHeaderByHash(hash)
	if h == nil {
		return nil, errNoHash
	}

	if at.RequireCanonical && c.chain.GetCanonicalHash(h.Number.Uint64()) != hash {
		return nil, errNotInChain
	}

	return h, nil
}

// headerByNumber returns the header of a block of the present chain.
func (c *Chain) headerByNumber(number rpc.BlockNumber) (*types.Header, error) {
	var h *types.Header

	switch number {
	case rpc.LatestBlockNumber, rpc.PendingBlockNumber:
		h = c.Head()
	case rpc.FinalizedBlockNumber:
		h = c.chain.CurrentFinalBlock()
	case rpc.SafeBlockNumber:
		h = c.chain.CurrentSafeBlock()
	case rpc.EarliestBlockNumber:
		h = c.chain.Genesis().Header()
	default:
		h = c.chain.GetHeaderByNumber(uint64(number))
	}

	if h == nil {
		return nil, errNoHeader
	}

	return h, nil
}

// stateAt returns the state after the block that a reference names, with the block's header.
func (c *Chain) stateAt(at *rpc.BlockNumberOrHash) (*state.StateDB, *types.Header, error) {
	if isPending(at) {
		if block, _, s := c.miner.Pending(); block != nil {
			return s, block.Header(), nil
		}
	}

	h, err := c.headerAt(at)
	if err != nil {
		return nil, nil, err
	}

	s, err := c.chain.StateAt(h.Root, h.Number, h.Time)

	return s, h, err
}

func isPending(at *rpc.BlockNumberOrHash) bool {
	if at == nil {
		return false
	}

	number, ok := at.Number()

	return ok && number == rpc.PendingBlockNumber
}

// history is what proposals of prices are read from.
type history struct{ c *Chain }

// HeaderByNumber returns a header of the present chain.
func (h history) HeaderByNumber(_ context.Context, number rpc.BlockNumber) (*types.Header, error) {
	return h.c.headerByNumber(number)
}

// BlockByNumber returns a block of the present chain.
func (h history) BlockByNumber(_ context.Context, number rpc.BlockNumber) (*types.Block, error) {
	header, err := h.c.headerByNumber(number)
	if err != nil {
		return nil, err
	}

	return h.c.chain.GetBlock(header.Hash(), header.Number.Uint64()), nil
}

// GetReceipts returns a block's receipts.
func (h history) GetReceipts(_ context.Context, hash common.Hash) (types.Receipts, error) {
	return h.c.chain.GetReceiptsByHash(hash), nil
}

// Pending returns the block that would be made now.
func (h history) Pending() (*types.Block, types.Receipts, *state.StateDB) { return h.c.miner.Pending() }

// ChainConfig returns the chain's rules.
func (h history) ChainConfig() *params.ChainConfig { return h.c.chain.Config() }

// SubscribeChainHeadEvent reports each newest block.
func (h history) SubscribeChainHeadEvent(ch chan<- core.ChainHeadEvent) event.Subscription {
	return h.c.chain.SubscribeChainHeadEvent(ch)
}

// netAPI serves the namespace net.
type netAPI struct{ c *Chain }

// Version returns the chain's id in decimals.
func (a netAPI) Version() string { return a.c.id.String() }

// Listening reports true, as a node with peers does.
func (a netAPI) Listening() bool { return true }

// PeerCount returns 0.
func (a netAPI) PeerCount() hexutil.Uint { return 0 }

// web3API serves the namespace web3.
type web3API struct{}

// ClientVersion returns what this node is.
func (web3API) ClientVersion() string { return "slipway-devchain/" + runtime.Version() }

// poolAPI serves the namespace txpool.
type poolAPI struct{ c *Chain }

// Status returns how many transactions wait: those that can be mined now, and those behind a nonce gap.
func (a poolAPI) Status() map[string]hexutil.Uint {
	pending, queued := a.c.PoolSize()
	return map[string]hexutil.Uint{"pending": hexutil.Uint(pending), "queued": hexutil.Uint(queued)}
}

// debugAPI serves the namespace debug.
type debugAPI struct{ c *Chain }

// GetRawReceipts returns the bytes of a block's receipts, as its header's root commits to them.
func (a debugAPI) GetRawReceipts(at rpc.BlockNumberOrHash) ([]hexutil.Bytes, error) {
	h, err := a.c.headerAt(&at)
	if err != nil {
		return nil, err
	}

	receipts := a.c.chain.GetReceiptsByHash(h.Hash())

	out := make([]hexutil.Bytes, len(receipts))
	for i, r := range receipts {
		if out[i], err = r.MarshalBinary(); err != nil {
			return nil, err
		}
	}

	return out, nil
}
