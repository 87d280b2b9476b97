package chain

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"
)

// ErrProof means that a node's answers about a block contradict each other. Nothing is concluded from them.
var ErrProof = errors.New("the node's answers about a block do not prove each other")

// rawBlock is a block in consensus bytes: the input of hashes and roots, whatever transaction types the chain has.
type rawBlock struct {
	header   []byte
	txs      [][]byte
	receipts [][]byte
}

// rawList computes a trie's root over bytes as they are.
type rawList [][]byte

// Len returns the number of items.
func (l rawList) Len() int { return len(l) }

// EncodeIndex writes item i.
func (l rawList) EncodeIndex(i int, w *bytes.Buffer) { w.Write(l[i]) }

// rootOf returns the root of a list as headers commit to it.
func rootOf(list [][]byte) common.Hash { return types.DeriveSha(rawList(list), trie.NewStackTrie(nil)) }

// headerRoots holds the header items that all EVM chains have at the same positions.
type headerRoots struct {
	txs, receipts common.Hash
	number        uint64
	seconds       uint64   // its time, since 1970
	baseFee       *big.Int // nil before EIP-1559
}

// Positions of items in a header's list (Ethereum's yellow paper, 4.4; EIP-1559).
const (
	headerTxRoot      = 4
	headerReceiptRoot = 5
	headerNumber      = 8
	headerTime        = 11
	headerBaseFee     = 15
)

func readHeader(raw []byte) (out headerRoots, err error) {
	var items []rlp.RawValue
	if err := rlp.DecodeBytes(raw, &items); err != nil {
		return out, err
	}

	if len(items) < headerBaseFee {
		return out, errors.New("a header of too few items")
	}

	err = errors.Join(
		rlp.DecodeBytes(items[headerTxRoot], &out.txs),
		rlp.DecodeBytes(items[headerReceiptRoot], &out.receipts),
		rlp.DecodeBytes(items[headerNumber], &out.number),
		rlp.DecodeBytes(items[headerTime], &out.seconds),
	)
	if err == nil && len(items) > headerBaseFee {
		out.baseFee = new(big.Int)
		err = rlp.DecodeBytes(items[headerBaseFee], out.baseFee)
	}

	return out, err
}

// provenBlock holds what is proven about a block.
type provenBlock struct {
	at       time.Time // of the block
	receipts map[common.Hash]*types.Receipt
}

// prove returns the time of a block and the receipts of the wanted transactions in it. The header must have the wanted
// hash, and the transactions and receipts must have the header's roots. Everything that is returned comes from these
// bytes. A wanted transaction that is missing from the result is proven not to be in the block.
func (b rawBlock) prove(hash common.Hash, wanted map[common.Hash]bool) (out provenBlock, err error) {
	if got := crypto.Keccak256Hash(b.header); got != hash {
		return out, fmt.Errorf("%w: the header hashes to %s", ErrProof, got)
	}

	header, err := readHeader(b.header)
	switch {
	case err != nil:
		return out, fmt.Errorf("%w: header: %w", ErrProof, err)
	case rootOf(b.txs) != header.txs:
		return out, fmt.Errorf("%w: the transactions are not the header's", ErrProof)
	case rootOf(b.receipts) != header.receipts:
		return out, fmt.Errorf("%w: the receipts are not the header's", ErrProof)
	case len(b.txs) != len(b.receipts):
		return out, fmt.Errorf("%w: %d transactions and %d receipts", ErrProof, len(b.txs), len(b.receipts))
	}

	out.at = time.Unix(int64(header.seconds), 0)
	out.receipts = map[common.Hash]*types.Receipt{}

	for i, raw := range b.txs {
		txHash := crypto.Keccak256Hash(raw)
		if !wanted[txHash] {
			continue
		}

		r, err := b.receipt(i, header)
		if err != nil {
			return out, fmt.Errorf("receipt of %s: %w", txHash, err)
		}

		r.TxHash = txHash
		r.BlockHash = hash
		out.receipts[txHash] = r
	}

	return out, nil
}

// receipt decodes the receipt at a position of a proven block.
func (b rawBlock) receipt(i int, header headerRoots) (*types.Receipt, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(b.txs[i]); err != nil {
		return nil, err
	}

	r, err := decodeReceipt(b.receipts[i])
	if err != nil {
		return nil, err
	}

	before := consensusReceipt{}
	if i > 0 {
		if before, err = decodeReceipt(b.receipts[i-1]); err != nil {
			return nil, err
		}
	}

	out := &types.Receipt{
		Type:              tx.Type(),
		CumulativeGasUsed: r.CumulativeGasUsed,
		GasUsed:           r.CumulativeGasUsed - before.CumulativeGasUsed,
		EffectiveGasPrice: effectivePrice(tx, header.baseFee),
		BlockNumber:       new(big.Int).SetUint64(header.number),
		TransactionIndex:  uint(i),
		Bloom:             r.Bloom,
		Logs:              r.Logs,
	}
	if bytes.Equal(r.PostStateOrStatus, []byte{1}) {
		out.Status = types.ReceiptStatusSuccessful
	} else if len(r.PostStateOrStatus) != 0 {
		return nil, fmt.Errorf("%w: a receipt with the status %x", ErrProof, r.PostStateOrStatus)
	}

	return out, nil
}

func decodeReceipt(raw []byte) (out consensusReceipt, err error) {
	if len(raw) > 0 && raw[0] <= 0x7f {
		raw = raw[1:]
	}

	err = rlp.DecodeBytes(raw, &out)

	return out, err
}

// effectivePrice returns what a transaction paid per gas (EIP-1559).
func effectivePrice(tx *types.Transaction, baseFee *big.Int) *big.Int {
	if baseFee == nil {
		return tx.GasPrice()
	}

	p := new(big.Int).Add(baseFee, tx.GasTipCap())
	if p.Cmp(tx.GasFeeCap()) > 0 {
		p.Set(tx.GasFeeCap())
	}

	return p
}

// wireBody is the part of a block's JSON that is encoded besides its header.
type wireBody struct {
	Number       *hexutil.Uint64   `json:"number"`
	Transactions []json.RawMessage `json:"transactions"`
}

// encoder builds the consensus bytes of a block from JSON. It requests raw bytes for what it cannot encode.
type encoder struct {
	hash        common.Hash
	rawTx       func(place int) ([]byte, error)
	rawReceipts func() ([][]byte, error)
}

// encode builds a block from the answers of eth_getBlockByHash and eth_getBlockReceipts.
func (e encoder) encode(block []byte, receipts []wireReceipt) (out rawBlock, err error) {
	if out.header, err = encodeHeader(block); err != nil {
		return out, err
	}

	var body wireBody
	if err := json.Unmarshal(block, &body); err != nil {
		return out, fmt.Errorf("%w: %w", ErrProof, err)
	}

	if body.Number == nil {
		return out, fmt.Errorf("%w: a block without its number", ErrProof)
	}

	if out.txs, err = e.transactions(body); err != nil {
		return out, err
	}

	out.receipts, err = e.receipts(uint64(*body.Number), receipts)

	return out, err
}

func (e encoder) transactions(body wireBody) ([][]byte, error) {
	var out [][]byte
	for i, object := range body.Transactions {
		var tx struct {
			Hash common.Hash `json:"hash"`
		}
		if err := json.Unmarshal(object, &tx); err != nil {
			return nil, fmt.Errorf("%w: transaction %d: %w", ErrProof, i, err)
		}

		if tx.Hash == stateSyncHash(uint64(*body.Number), e.hash) {
			continue
		}

		raw, err := encodeTransaction(object)
		if errors.Is(err, errEncoding) {
			raw, err = e.rawTx(i)
		}

		switch {
		case errors.Is(err, errEncoding):
			return nil, err
		case err != nil:
			return nil, fmt.Errorf("%w: transaction %d: %w", ErrProof, i, err)
		}

		out = append(out, raw)
	}

	return out, nil
}

func (e encoder) receipts(number uint64, list []wireReceipt) ([][]byte, error) {
	slices.SortStableFunc(list, func(a, b wireReceipt) int { return cmp.Compare(a.Place, b.Place) })

	var out [][]byte
	for _, r := range list {
		if r.TxHash == stateSyncHash(number, e.hash) {
			continue
		}

		raw, err := encodeReceipt(r)
		if errors.Is(err, errEncoding) {
			return e.rawReceipts()
		}

		if err != nil {
			return nil, err
		}

		out = append(out, raw)
	}

	return out, nil
}

// stateSyncHash returns the hash of a transaction that Polygon's nodes list but that is in neither root: the state sync
// derived from the block. On other chains no transaction has this hash.
func stateSyncHash(number uint64, block common.Hash) common.Hash {
	return crypto.Keccak256Hash([]byte("matic-bor-receipt-"), binary.BigEndian.AppendUint64(nil, number), block[:])
}

// proveBy asks one node for a block and proves it: see rawBlock.prove. It returns errEncoding if a type is unknown
// and the node has no raw bytes, and ErrProof if the node contradicts itself or the hash.
func (c *Client) proveBy(
	ctx context.Context,
	p *provider,
	at settledBlock,
	wanted map[common.Hash]bool,
) (out provenBlock, err error) {
	hash := at.hash

	answers, err := c.askOne(ctx, p, []call{
		{"eth_getBlockByHash", []any{hash, true}}, {"eth_getBlockReceipts", []any{numberRef(at.number)}},
	})
	if err != nil {
		return out, err
	}

	if answers[0].err != nil {
		return out, answers[0].err
	}

	receipts, err := c.blockReceipts(ctx, p, answers[0].result, answers[1])
	if err != nil {
		return out, err
	}

	e := encoder{
		hash:        hash,
		rawTx:       func(place int) ([]byte, error) { return c.rawTransaction(ctx, p, hash, place) },
		rawReceipts: func() ([][]byte, error) { return c.rawReceipts(ctx, p, hash) },
	}

	block, err := e.encode(answers[0].result, receipts)
	if err != nil {
		return out, err
	}

	return block.prove(hash, wanted)
}

// blockReceipts decodes a block's receipts in the order of its transactions. If a node has no method for all of them,
// it asks for each.
func (c *Client) blockReceipts(ctx context.Context, p *provider, block []byte, a answer) ([]wireReceipt, error) {
	var out []wireReceipt
	if Classify(a.err) != Unsupported {
		if err := a.into(&out); err != nil {
			return nil, err
		}

		return out, nil
	}

	var body struct {
		Transactions []struct {
			Hash common.Hash `json:"hash"`
		} `json:"transactions"`
	}
	if err := json.Unmarshal(block, &body); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProof, err)
	}

	hashes := make([]common.Hash, len(body.Transactions))
	for i, tx := range body.Transactions {
		hashes[i] = tx.Hash
	}

	answers, err := c.askOne(ctx, p, receiptCalls(hashes))
	if err != nil {
		return nil, err
	}

	out = make([]wireReceipt, len(answers))
	for i := range answers {
		if err := answers[i].into(&out[i]); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// rawTransaction asks for the bytes of a transaction of an unknown type.
func (c *Client) rawTransaction(ctx context.Context, p *provider, block common.Hash, place int) ([]byte, error) {
	answers, err := c.askOne(
		ctx,
		p,
		[]call{{"eth_getRawTransactionByBlockHashAndIndex", []any{block, hexutil.Uint64(place)}}},
	)
	if err != nil {
		return nil, err
	}

	var raw hexutil.Bytes
	if err := answers[0].into(&raw); err != nil {
		return nil, fmt.Errorf(
			"%w: transaction %d of block %s, and the node has no raw bytes of it: %w",
			errEncoding,
			place,
			block,
			err,
		)
	}

	return raw, nil
}

// rawReceipts asks for the bytes of all receipts of a block with one of an unknown type.
func (c *Client) rawReceipts(ctx context.Context, p *provider, block common.Hash) ([][]byte, error) {
	answers, err := c.askOne(ctx, p, []call{{"debug_getRawReceipts", []any{block}}})
	if err != nil {
		return nil, err
	}

	var list []hexutil.Bytes
	if err := answers[0].into(&list); err != nil {
		return nil, fmt.Errorf(
			"%w: receipts of block %s, and the node has no raw bytes of them: %w",
			errEncoding,
			block,
			err,
		)
	}

	out := make([][]byte, len(list))
	for i, raw := range list {
		out[i] = raw
	}

	return out, nil
}
