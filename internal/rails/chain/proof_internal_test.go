package chain

import (
	"encoding/json"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/stretchr/testify/require"
)

// recorded is a file of the corpus of blocks.
type recorded struct {
	Block       json.RawMessage `json:"block"`
	Receipts    []wireReceipt   `json:"receipts"`
	RawHeader   hexutil.Bytes   `json:"rawHeader"`
	RawReceipts []hexutil.Bytes `json:"rawReceipts"`
}

type recordedBlock struct {
	Hash         *common.Hash      `json:"hash"`
	Number       *hexutil.Uint64   `json:"number"`
	ReceiptRoot  common.Hash       `json:"receiptsRoot"`
	TxRoot       common.Hash       `json:"transactionsRoot"`
	Time         hexutil.Uint64    `json:"timestamp"`
	Transactions []json.RawMessage `json:"transactions"`
}

// strictEncoder has no raw bytes to fall back on.
func strictEncoder(hash common.Hash) encoder {
	return encoder{
		hash:        hash,
		rawTx:       func(int) ([]byte, error) { return nil, errEncoding },
		rawReceipts: func() ([][]byte, error) { return nil, errEncoding },
	}
}

// header hash, transactions' root and receipts' root of recorded blocks of fifteen networks are recomputed from
// what a node says.
func TestRecordedBlocksOfEveryChainAreProven(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "..", "shared", "fixtures", "chain_blocks")
	if dir := os.Getenv("SLIPWAY_FIXTURES"); dir != "" {
		folder = filepath.Join(dir, "chain_blocks")
	}

	files, err := filepath.Glob(filepath.Join(folder, "*", "*.json"))
	require.NoError(t, err)

	if len(files) == 0 {
		t.Skip("the recorded blocks are not on this machine (SLIPWAY_FIXTURES)")
	}

	require.Greater(t, len(files), 30)

	bodies := 0
	kinds := map[uint64]int{}

	for _, file := range files {
		name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)

		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)

			var (
				r recorded
				b recordedBlock
			)
			require.NoError(t, json.Unmarshal(text, &r))
			require.NoError(t, json.Unmarshal(r.Block, &b))

			proven := provesItself(t, r, b)
			require.Equal(t, !strings.HasPrefix(name, "cronos/"), proven, "Ethermint's hashes are not Ethereum's")

			if proven {
				for _, receipt := range r.Receipts {
					kinds[uint64(receipt.Type)]++
				}

				changedIsUnproven(t, r, b)
			}

			if proven && len(b.Transactions) > 0 && b.Transactions[0][0] == '{' {
				txs, err := strictEncoder(*b.Hash).transactions(wireBody{
					Number:       b.Number,
					Transactions: b.Transactions,
				})
				require.NoError(t, err)
				require.Equal(t, b.TxRoot, rootOf(txs))
				everyReceiptIsProven(t, r, b)
				bodies++
			}
		})
	}

	require.GreaterOrEqual(t, bodies, 6)

	for _, kind := range []uint64{0, 1, 2, 3, 0x6a, 0x7e} {
		require.Positive(t, kinds[kind], "no receipt of type %#x", kind)
	}
}

// everyReceiptIsProven takes the receipts of all transactions of a whole block out of the proof, and compares them with
// what the node said. Before Byzantium a receipt had no status, and no send of ours is that old.
func everyReceiptIsProven(t *testing.T, r recorded, b recordedBlock) {
	t.Helper()

	block, err := strictEncoder(*b.Hash).encode(r.Block, r.Receipts)
	require.NoError(t, err)

	wanted := map[common.Hash]bool{}

	for _, said := range r.Receipts {
		if said.Type <= 4 && said.Status != nil { // others are a rollup's own
			wanted[said.TxHash] = true
		}
	}

	out, err := block.prove(*b.Hash, wanted)
	require.NoError(t, err)
	require.Len(t, out.receipts, len(wanted))
	require.EqualValues(t, b.Time, out.at.Unix())

	for _, said := range r.Receipts {
		if wanted[said.TxHash] {
			proven := out.receipts[said.TxHash]
			require.Equal(t, uint64(*said.Status), proven.Status)
			require.Equal(t, uint64(*said.Cumulative), proven.CumulativeGasUsed)
			require.Len(t, proven.Logs, len(said.Logs))
		}
	}
}

// changedIsUnproven changes one log, or else the gas, of a recorded receipt: it is then not the block's.
func changedIsUnproven(t *testing.T, r recorded, b recordedBlock) {
	t.Helper()

	if len(r.Receipts) == 0 {
		return
	}

	kept := r.Receipts
	r.Receipts = slices.Clone(kept)
	last := &r.Receipts[len(kept)-1]

	if len(last.Logs) > 0 {
		last.Logs = slices.Clone(last.Logs)
		last.Logs[0].Data = append(slices.Clone(last.Logs[0].Data), make([]byte, 32)...)
	} else {
		more := *last.Cumulative + 1
		last.Cumulative = &more
	}

	require.False(t, provesItself(t, r, b), "a receipt that was changed")
}

// provesItself recomputes the hash and the receipts' root of a recorded block.
func provesItself(t *testing.T, r recorded, b recordedBlock) bool {
	t.Helper()

	if b.Hash == nil { // receipts alone
		receipts, err := strictEncoder(common.Hash{}).receipts(0, r.Receipts)
		require.NoError(t, err)
		return rootOf(receipts) == b.ReceiptRoot
	}

	header, err := encodeHeader(r.Block)
	require.NoError(t, err)
	receipts, err := strictEncoder(*b.Hash).receipts(uint64(*b.Number), r.Receipts)
	require.NoError(t, err)

	if r.RawHeader != nil {
		require.Equal(t, []byte(r.RawHeader), header)

		for _, raw := range r.RawReceipts {
			_, err := decodeReceipt(raw)
			require.NoError(t, err)

			receipts = append(receipts, raw)
		}
	}

	if crypto.Keccak256Hash(header) != *b.Hash {
		return false
	}

	roots, err := readHeader(header)
	require.NoError(t, err)
	require.Equal(t, uint64(*b.Number), roots.number)
	require.Equal(t, b.TxRoot, roots.txs)

	return rootOf(receipts) == roots.receipts
}

// madeBlock is a block as a node of an OP-stack chain would show it: a deposit, one transaction of ours, and, if
// wanted, one of a type that nobody described.
type madeBlock struct {
	hash     common.Hash
	ours     common.Hash
	block    []byte
	receipts []wireReceipt
	raw      rawBlock
}

// stranger is a type that no table has.
const stranger = 0x5d

func makeBlock(t *testing.T, withStranger bool) madeBlock {
	t.Helper()
	key, err := crypto.ToECDSA(crypto.Keccak256([]byte("ours")))
	require.NoError(t, err)
	to := common.HexToAddress("0xbeef")
	tx, err := types.SignNewTx(key, types.LatestSignerForChainID(big.NewInt(10)), &types.DynamicFeeTx{
		ChainID:   big.NewInt(10),
		To:        &to,
		Gas:       50_000,
		GasTipCap: big.NewInt(2),
		GasFeeCap: big.NewInt(1000),
	})
	require.NoError(t, err)

	// The bytes are put together here from the specifications, item by item, and not by the code under test.
	source := common.HexToHash("0x77")
	from := common.HexToAddress("0xdead")
	deposit := listOf(
		t,
		0x7e,
		source[:],
		from[:],
		to[:],
		big.NewInt(5),
		big.NewInt(5),
		uint64(1_000_000),
		false,
		[]byte{1, 2, 3},
	)
	ours, err := tx.MarshalBinary()
	require.NoError(t, err)
	topic := common.HexToHash("0x01")
	logs := []any{[]any{to[:], []any{topic[:]}, []byte{9}}}
	log := wireLog{Address: to, Topics: []common.Hash{topic}, Data: []byte{9}}
	bloom := types.CreateBloom(&types.Receipt{Logs: []*types.Log{{Address: to, Topics: []common.Hash{topic}}}})
	first := listOf(t, 0x7e, []byte{1}, uint64(40_000), make([]byte, 256), []any{}, uint64(12), uint64(1))
	second := listOf(t, 2, []byte{1}, uint64(70_000), bloom[:], logs)

	one := quantity(1)
	twelve := quantity(12)
	gas := []quantity{40_000, 70_000, 91_000}
	out := madeBlock{ours: tx.Hash(), raw: rawBlock{txs: [][]byte{deposit, ours}, receipts: [][]byte{first, second}}}
	oursJSON, err := tx.MarshalJSON()
	require.NoError(t, err)
	objects := []json.RawMessage{
		json.RawMessage(
			`{"type":"0x7e","hash":"` + crypto.Keccak256Hash(
				deposit,
			).Hex() + `","sourceHash":"` + source.Hex() + `","from":"` + from.Hex() +
				`","to":"` + to.Hex() + `","mint":"0x5","value":"0x5","gas":"0xf4240","isSystemTx":false,"input":"0x010203","nonce":"0xc"}`,
		),
		oursJSON,
	}

	out.receipts = []wireReceipt{
		{
			Type:           0x7e,
			Status:         &one,
			Cumulative:     &gas[0],
			TxHash:         crypto.Keccak256Hash(deposit),
			DepositNonce:   &twelve,
			DepositVersion: &one,
		},
		{
			Type:       2,
			Status:     &one,
			Cumulative: &gas[1],
			TxHash:     tx.Hash(),
			Logs:       []wireLog{log},
			Place:      1,
		},
	}
	if withStranger {
		strange := listOf(t, stranger, []byte("whatever its chain likes"))
		out.raw.txs = append(out.raw.txs, strange)

		out.raw.receipts = append(
			out.raw.receipts,
			listOf(t, stranger, []byte{1}, uint64(91_000), make([]byte, 256), []any{}, []byte("and more")),
		)

		objects = append(objects, json.RawMessage(`{"type":"0x5d","hash":"`+crypto.Keccak256Hash(strange).Hex()+`"}`))

		out.receipts = append(out.receipts, wireReceipt{
			Type:       stranger,
			Status:     &one,
			Cumulative: &gas[2],
			TxHash:     crypto.Keccak256Hash(strange),
			Place:      2,
		})
	}

	header := &types.Header{
		Difficulty:  new(big.Int),
		Number:      big.NewInt(100),
		Extra:       []byte{},
		BaseFee:     big.NewInt(7),
		TxHash:      rootOf(out.raw.txs),
		ReceiptHash: rootOf(out.raw.receipts),
	}
	out.hash = header.Hash()

	var members map[string]json.RawMessage
	text, err := header.MarshalJSON()
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &members))
	members["transactions"], err = json.Marshal(objects)
	require.NoError(t, err)
	out.block, err = json.Marshal(members)
	require.NoError(t, err)

	return out
}

func listOf(t *testing.T, kind byte, items ...any) []byte {
	t.Helper()
	payload, err := rlp.EncodeToBytes(items)
	require.NoError(t, err)

	return append([]byte{kind}, payload...)
}

// a block that holds a deposit of an OP-stack chain (0x7e) is proven, and our receipt is read from it.
func TestABlockWithADepositIsProven(t *testing.T) {
	m := makeBlock(t, false)
	block, err := strictEncoder(m.hash).encode(m.block, m.receipts)
	require.NoError(t, err)
	proven, err := block.prove(m.hash, map[common.Hash]bool{m.ours: true, {1}: true})
	require.NoError(t, err)
	require.Len(t, proven.receipts, 1, "what is not in the block is not proven")
	r := proven.receipts[m.ours]
	require.EqualValues(t, types.ReceiptStatusSuccessful, r.Status)
	require.EqualValues(t, 30_000, r.GasUsed)
	require.EqualValues(t, 9, r.EffectiveGasPrice.Int64())
	require.Len(t, r.Logs, 1)
	require.Equal(t, []byte{9}, r.Logs[0].Data)

	_, err = block.prove(common.Hash{1}, nil)
	require.ErrorIs(t, err, ErrProof)
}

// a type that nobody described is proven from the node's raw bytes; without them nothing is computed and the
// error says which type.
func TestATypeThatNobodyDescribedNeedsRawBytes(t *testing.T) {
	m := makeBlock(t, true)
	_, err := strictEncoder(m.hash).encode(m.block, m.receipts)
	require.ErrorIs(t, err, errEncoding)

	e := strictEncoder(m.hash)
	e.rawTx = func(place int) ([]byte, error) { return m.raw.txs[place], nil }
	_, err = e.encode(m.block, m.receipts)
	require.ErrorIs(t, err, errEncoding)
	e.rawReceipts = func() ([][]byte, error) { return m.raw.receipts, nil }
	block, err := e.encode(m.block, m.receipts)
	require.NoError(t, err)
	proven, err := block.prove(m.hash, map[common.Hash]bool{m.ours: true})
	require.NoError(t, err)
	require.EqualValues(t, 30_000, proven.receipts[m.ours].GasUsed)

	_, err = encodeTransaction([]byte(`{"type":"0x5d"}`))
	require.ErrorContains(t, err, "0x5d")
}
