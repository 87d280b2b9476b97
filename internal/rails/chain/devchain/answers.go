//go:build !nosandbox

package devchain

import (
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
)

// The forms of answers are those of the execution API (ethereum/execution-apis).

// none is the answer about what is not there. The server calls MarshalJSON of nil pointers, too.
const none = "null"

// blockAnswer is a block, with its transactions or their hashes.
type blockAnswer struct {
	c     *Chain
	block *types.Block
	whole bool
}

func (c *Chain) answer(block *types.Block, whole bool) *blockAnswer {
	if block == nil {
		return nil
	}

	return &blockAnswer{c: c, block: block, whole: whole}
}

// MarshalJSON writes the header's members, and behind them what only a block has.
func (a *blockAnswer) MarshalJSON() ([]byte, error) {
	if a == nil {
		return []byte(none), nil
	}

	header, err := a.block.Header().MarshalJSON()
	if err != nil {
		return nil, err
	}

	rest := struct {
		Size         hexutil.Uint64    `json:"size"`
		Uncles       []common.Hash     `json:"uncles"`
		Transactions []any             `json:"transactions"`
		Withdrawals  types.Withdrawals `json:"withdrawals"`
	}{
		Size:         hexutil.Uint64(a.block.Size()),
		Uncles:       []common.Hash{},
		Transactions: make([]any, len(a.block.Transactions())),
		Withdrawals:  a.block.Withdrawals(),
	}
	for i, tx := range a.block.Transactions() {
		if a.whole {
			rest.Transactions[i] = a.c.transaction(tx, a.block, uint64(i))
		} else {
			rest.Transactions[i] = tx.Hash()
		}
	}

	return joined(header, rest)
}

// joined appends the members of a second object to those of a first.
func joined(first []byte, second any) ([]byte, error) {
	more, err := json.Marshal(second)
	if err != nil {
		return nil, err
	}

	first[len(first)-1] = ','

	return append(first, more[1:]...), nil
}

// transactionAnswer is a transaction, and where it stands.
type transactionAnswer struct {
	tx    *types.Transaction
	place transactionPlace
}

type transactionPlace struct {
	From             common.Address  `json:"from"`
	GasPrice         *hexutil.Big    `json:"gasPrice"`
	BlockHash        *common.Hash    `json:"blockHash"`
	BlockNumber      *hexutil.Big    `json:"blockNumber"`
	TransactionIndex *hexutil.Uint64 `json:"transactionIndex"`
}

// transaction returns the answer about a transaction of a block, or of the pool when the block is nil.
func (c *Chain) transaction(tx *types.Transaction, block *types.Block, index uint64) *transactionAnswer {
	place := transactionPlace{From: c.sender(tx), GasPrice: (*hexutil.Big)(tx.GasPrice())}
	if block != nil {
		hash := block.Hash()
		place.GasPrice = (*hexutil.Big)(paid(tx, block.BaseFee()))
		place.BlockHash = &hash
		place.BlockNumber = (*hexutil.Big)(block.Number())
		place.TransactionIndex = (*hexutil.Uint64)(&index)
	}

	return &transactionAnswer{tx: tx, place: place}
}

// paid returns the price of gas that a mined transaction paid.
func paid(tx *types.Transaction, baseFee *big.Int) *big.Int {
	price := new(big.Int).Add(tx.GasTipCap(), baseFee)
	if price.Cmp(tx.GasFeeCap()) > 0 {
		return tx.GasFeeCap()
	}

	return price
}

// sender returns who signed a transaction. All that the chain holds are signed.
func (c *Chain) sender(tx *types.Transaction) common.Address {
	from, _ := types.Sender(types.LatestSigner(c.chain.Config()), tx)
	return from
}

// MarshalJSON writes the transaction's own members, and behind them its place. The price of gas is the one that was
// paid, which the transaction itself does not have.
func (a *transactionAnswer) MarshalJSON() ([]byte, error) {
	if a == nil {
		return []byte(none), nil
	}

	own, err := a.tx.MarshalJSON()
	if err != nil {
		return nil, err
	}

	var members map[string]json.RawMessage
	if err := json.Unmarshal(own, &members); err != nil {
		return nil, err
	}

	delete(members, "gasPrice")

	if own, err = json.Marshal(members); err != nil {
		return nil, err
	}

	return joined(own, a.place)
}

// receiptAnswer is a receipt, with who sent the transaction and to whom.
type receiptAnswer struct {
	Type              hexutil.Uint64  `json:"type"`
	Status            hexutil.Uint64  `json:"status"`
	CumulativeGasUsed hexutil.Uint64  `json:"cumulativeGasUsed"`
	LogsBloom         types.Bloom     `json:"logsBloom"`
	Logs              []*types.Log    `json:"logs"`
	TransactionHash   common.Hash     `json:"transactionHash"`
	ContractAddress   *common.Address `json:"contractAddress"`
	GasUsed           hexutil.Uint64  `json:"gasUsed"`
	EffectiveGasPrice *hexutil.Big    `json:"effectiveGasPrice"`
	BlockHash         common.Hash     `json:"blockHash"`
	BlockNumber       *hexutil.Big    `json:"blockNumber"`
	TransactionIndex  hexutil.Uint64  `json:"transactionIndex"`
	From              common.Address  `json:"from"`
	To                *common.Address `json:"to"`
}

func (c *Chain) receipt(r *types.Receipt, tx *types.Transaction) *receiptAnswer {
	out := &receiptAnswer{
		Type:              hexutil.Uint64(r.Type),
		Status:            hexutil.Uint64(r.Status),
		CumulativeGasUsed: hexutil.Uint64(r.CumulativeGasUsed),
		LogsBloom:         r.Bloom,
		Logs:              r.Logs,
		TransactionHash:   r.TxHash,
		GasUsed:           hexutil.Uint64(r.GasUsed),
		EffectiveGasPrice: (*hexutil.Big)(r.EffectiveGasPrice),
		BlockHash:         r.BlockHash,
		BlockNumber:       (*hexutil.Big)(r.BlockNumber),
		TransactionIndex:  hexutil.Uint64(r.TransactionIndex),
		From:              c.sender(tx),
		To:                tx.To(),
	}
	if out.Logs == nil {
		out.Logs = []*types.Log{}
	}

	if r.ContractAddress != (common.Address{}) {
		out.ContractAddress = &r.ContractAddress
	}

	return out
}

// feeHistory is what gas cost in some blocks.
type feeHistory struct {
	Oldest       *hexutil.Big     `json:"oldestBlock"`
	BaseFees     []*hexutil.Big   `json:"baseFeePerGas"`
	GasUsedRatio []float64        `json:"gasUsedRatio"`
	Rewards      [][]*hexutil.Big `json:"reward,omitempty"`
}

func hexes(numbers []*big.Int) []*hexutil.Big {
	out := make([]*hexutil.Big, len(numbers))
	for i, n := range numbers {
		out[i] = (*hexutil.Big)(n)
	}

	return out
}

// storageSlot is the number of a word of storage, with or without leading zeros.
type storageSlot common.Hash

// UnmarshalText reads up to 32 bytes in hexadecimal.
func (s *storageSlot) UnmarshalText(text []byte) error {
	number, err := hexutil.DecodeBig(string(text))
	if err == nil {
		*s = storageSlot(common.BigToHash(number))
		return nil
	}

	var word common.Hash
	if err := word.UnmarshalText(text); err != nil {
		return err
	}

	*s = storageSlot(word)

	return nil
}
