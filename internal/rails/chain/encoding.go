package chain

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"
)

// errEncoding means that the consensus bytes of a part of a block cannot be built from the node's JSON. It proves
// nothing against the node: raw bytes may still prove the block.
var errEncoding = errors.New("the encoding is not known")

// Types of transactions and receipts with their own encoding (EIP-2718 reserves a byte for each).
const (
	typeDeposit         = 0x7e // OP stack: a deposit from the layer below
	typeStateSync       = 0x7f // Polygon: state sync events, part of the block since PIP-74
	typeArbDeposit      = 0x64 // Arbitrum's own, 0x64 to 0x6a
	typeArbUnsigned     = 0x65
	typeArbContract     = 0x66
	typeArbRetry        = 0x68
	typeArbSubmitTicket = 0x69
	typeArbInternal     = 0x6a
)

// field is one item of a transaction's list: a member of its JSON object, as bytes or as a quantity.
type field struct {
	name     string
	quantity bool
}

// fieldsOf returns the items of a transaction type that go-ethereum does not know, in the order in which they are
// encoded. An absent or null member is the empty string. Wrong items can make a proof fail but never succeed: the
// header's root decides.
func fieldsOf(kind byte) ([]field, bool) {
	switch kind {
	case typeDeposit: // Optimism's specification, "Deposits"
		return fields("sourceHash from to #mint #value #gas #isSystemTx input"), true
	case typeArbDeposit:
		return fields("#chainId requestId from to #value"), true
	case typeArbUnsigned:
		return fields("#chainId from #nonce #gasPrice #gas to #value input"), true
	case typeArbContract:
		return fields("#chainId requestId from #maxFeePerGas #gas to #value input"), true

	case typeArbRetry:
		return fields("#chainId #nonce from #maxFeePerGas #gas to #value input ticketId refundTo #maxRefund " +
			"#submissionFeeRefund"), true

	case typeArbSubmitTicket:
		return fields("#chainId requestId from #l1BaseFee #depositValue #maxFeePerGas #gas retryTo #retryValue " +
			"beneficiary #maxSubmissionFee refundTo retryData"), true

	case typeArbInternal:
		return fields("#chainId input"), true
	}

	return nil, false
}

// fields parses names separated by spaces; # marks a quantity.
func fields(names string) []field {
	var out []field

	for _, name := range strings.Fields(names) {
		bare, quantity := strings.CutPrefix(name, "#")
		out = append(out, field{name: bare, quantity: quantity})
	}

	return out
}

// encode returns the member of a JSON object in its RLP form.
func (f field) encode(object map[string]json.RawMessage) (any, error) {
	raw, ok := object[f.name]
	if !ok || bytes.Equal(raw, []byte("null")) {
		return []byte{}, nil
	}

	var err error
	switch {
	case bytes.Equal(raw, []byte("true")):
		return uint64(1), nil
	case bytes.Equal(raw, []byte("false")):
		return uint64(0), nil

	case f.quantity:
		var n hexutil.Big
		err = json.Unmarshal(raw, &n)
		return n.ToInt(), err
	}

	var b hexutil.Bytes
	err = json.Unmarshal(raw, &b)

	return []byte(b), err
}

// encodeTransaction returns the consensus bytes of a transaction from its JSON, or errEncoding for an unknown type.
func encodeTransaction(object []byte) ([]byte, error) {
	var head struct {
		Type hexutil.Uint64 `json:"type"`
	}
	if err := json.Unmarshal(object, &head); err != nil {
		return nil, err
	}

	if head.Type <= types.SetCodeTxType {
		tx := new(types.Transaction)
		if err := json.Unmarshal(object, tx); err != nil {
			return nil, err
		}

		return tx.MarshalBinary()
	}

	fields, ok := fieldsOf(byte(head.Type))
	if !ok || head.Type > 0x7f {
		return nil, fmt.Errorf("%w: a transaction of type %#x", errEncoding, uint64(head.Type))
	}

	var members map[string]json.RawMessage
	if err := json.Unmarshal(object, &members); err != nil {
		return nil, err
	}

	items := make([]any, len(fields))
	for i, f := range fields {
		item, err := f.encode(members)
		if err != nil {
			return nil, fmt.Errorf("%s of a transaction of type %#x: %w", f.name, uint64(head.Type), err)
		}

		items[i] = item
	}

	return typed(byte(head.Type), items)
}

// typed encodes a list with the type's byte in front (EIP-2718); 0 means none.
func typed(kind byte, list any) ([]byte, error) {
	payload, err := rlp.EncodeToBytes(list)
	if err != nil || kind == 0 {
		return payload, err
	}

	return append([]byte{kind}, payload...), nil
}

// consensusReceipt is a receipt as the header's root commits to it. Rest is what some chains add after the four common
// items.
type consensusReceipt struct {
	PostStateOrStatus []byte
	CumulativeGasUsed uint64
	Bloom             types.Bloom
	Logs              []*types.Log
	Rest              []rlp.RawValue `rlp:"tail"`
}

// quantity is a hexadecimal number; some nodes add leading zeros.
type quantity = math.HexOrDecimal64

// wireReceipt is a receipt in JSON.
type wireReceipt struct {
	Type           quantity      `json:"type"` // absent before Berlin: legacy
	Root           hexutil.Bytes `json:"root"` // before Byzantium, instead of the status
	Status         *quantity     `json:"status"`
	Cumulative     *quantity     `json:"cumulativeGasUsed"`
	Bloom          *types.Bloom  `json:"logsBloom"`
	Logs           []wireLog     `json:"logs"`
	TxHash         common.Hash   `json:"transactionHash"`
	Place          quantity      `json:"transactionIndex"`
	DepositNonce   *quantity     `json:"depositNonce"`
	DepositVersion *quantity     `json:"depositReceiptVersion"`
}

type wireLog struct {
	Address common.Address `json:"address"`
	Topics  []common.Hash  `json:"topics"`
	Data    hexutil.Bytes  `json:"data"`
}

// encodeReceipt returns the consensus bytes of a receipt, or errEncoding for an unknown type.
func encodeReceipt(w wireReceipt) ([]byte, error) {
	switch {
	case w.Cumulative == nil || w.Status == nil && len(w.Root) != common.HashLength:
		return nil, fmt.Errorf("%w: a receipt without status or gas", ErrProof)
	case !knownReceipt(w.Type):
		return nil, fmt.Errorf("%w: a receipt of type %#x", errEncoding, uint64(w.Type))
	}

	out := consensusReceipt{CumulativeGasUsed: uint64(*w.Cumulative), Logs: make([]*types.Log, len(w.Logs))}
	for i, l := range w.Logs {
		out.Logs[i] = &types.Log{Address: l.Address, Topics: l.Topics, Data: l.Data}
	}

	switch {
	case w.Status == nil:
		out.PostStateOrStatus = w.Root
	case uint64(*w.Status) == types.ReceiptStatusSuccessful:
		out.PostStateOrStatus = []byte{1}
	}

	if w.Bloom != nil {
		out.Bloom = *w.Bloom
	} else {
		out.Bloom = types.CreateBloom(&types.Receipt{Logs: out.Logs})
	}

	// Since the Canyon upgrade, which added the version, the root includes the nonce of a deposit.
	if w.Type == typeDeposit && w.DepositVersion != nil {
		for _, n := range []*quantity{w.DepositNonce, w.DepositVersion} {
			if n == nil {
				return nil, fmt.Errorf("%w: a deposit's receipt without its nonce", ErrProof)
			}

			item, err := rlp.EncodeToBytes(uint64(*n))
			if err != nil {
				return nil, err
			}

			out.Rest = append(out.Rest, item)
		}
	}

	return typed(byte(w.Type), &out)
}

// knownReceipt reports whether receipts of a type have only the four common items, or those of a deposit.
func knownReceipt(kind quantity) bool {
	switch kind {
	case typeDeposit,
		typeStateSync,
		typeArbDeposit,
		typeArbUnsigned,
		typeArbContract,
		typeArbRetry,
		typeArbSubmitTicket,
		typeArbInternal:
		return true
	}

	return kind <= types.SetCodeTxType
}

// auraHeader is a header of Gnosis before its Merge: it has step and seal instead of mixHash and nonce.
type auraHeader struct {
	ParentHash  common.Hash
	UncleHash   common.Hash
	Coinbase    common.Address
	Root        common.Hash
	TxHash      common.Hash
	ReceiptHash common.Hash
	Bloom       types.Bloom
	Difficulty  *big.Int
	Number      *big.Int
	GasLimit    uint64
	GasUsed     uint64
	Time        uint64
	Extra       []byte
	Step        uint64
	Seal        []byte
	BaseFee     *big.Int `rlp:"optional"`
}

// encodeHeader returns the consensus bytes of a header from a block's JSON. Members that are not part of the hash
// (Arbitrum's sendRoot, totalDifficulty) are ignored.
func encodeHeader(block []byte) ([]byte, error) {
	var h types.Header
	if err := json.Unmarshal(block, &h); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProof, err)
	}

	var aura struct {
		Step *hexutil.Uint64 `json:"auraStep"`
		Seal hexutil.Bytes   `json:"auraSeal"`
	}
	if err := json.Unmarshal(block, &aura); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProof, err)
	}

	if aura.Step == nil || len(aura.Seal) == 0 {
		return rlp.EncodeToBytes(&h)
	}

	return rlp.EncodeToBytes(&auraHeader{
		ParentHash:  h.ParentHash,
		UncleHash:   h.UncleHash,
		Coinbase:    h.Coinbase,
		Root:        h.Root,
		TxHash:      h.TxHash,
		ReceiptHash: h.ReceiptHash,
		Bloom:       h.Bloom,
		Difficulty:  h.Difficulty,
		Number:      h.Number,
		GasLimit:    h.GasLimit,
		GasUsed:     h.GasUsed,
		Time:        h.Time,
		Extra:       h.Extra,
		Step:        uint64(*aura.Step),
		Seal:        aura.Seal,
		BaseFee:     h.BaseFee,
	})
}
