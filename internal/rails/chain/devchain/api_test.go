//go:build !nosandbox

package devchain_test

import (
	"context"
	"errors"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/stretchr/testify/require"

	"slipway/internal/rails/chain/devchain"
)

// noter logs its input under its first word as the topic, and refuses with "no" when it is called without any:
//
//	if calldatasize == 0 { revert Error("no") }
//	calldatacopy(0, 0, calldatasize); log1(0, calldatasize, calldataload(0)); return(0, 32)
var noter = common.FromHex(
	"3660255763" + "08c379a0" + "60e01b5f52" + "6020600452" + "6002602452" + "616e6f60f01b604452" +
		"60645ffd" + "5b" + "365f5f37" + "5f35365fa1" + "60205ff3",
)

var noterAt = common.HexToAddress("0x0000000000000000000000000000000000c0ffee")

// dial returns the library's own client, which checks what it is answered: transactions against the block's root, and
// each answer's members.
func dial(t *testing.T, ch *devchain.Chain) *ethclient.Client {
	t.Helper()
	client, err := ethclient.Dial(ch.URL())
	require.NoError(t, err)
	t.Cleanup(client.Close)

	return client
}

// note sends words to the contract and mines them, a transaction each.
func note(t *testing.T, ch *devchain.Chain, client *ethclient.Client, words ...string) []*types.Transaction {
	t.Helper()

	var out []*types.Transaction

	first, err := client.PendingNonceAt(context.Background(), crypto.PubkeyToAddress(ch.FaucetKey().PublicKey))
	require.NoError(t, err)

	for i, word := range words {
		tx, err := types.SignNewTx(ch.FaucetKey(), types.LatestSignerForChainID(ch.ChainID()), &types.DynamicFeeTx{
			ChainID:   ch.ChainID(),
			Nonce:     first + uint64(i),
			To:        &noterAt,
			Data:      common.BytesToHash([]byte(word)).Bytes(),
			Gas:       100_000,
			GasTipCap: big.NewInt(1e9),
			GasFeeCap: big.NewInt(9e9),
		})
		require.NoError(t, err)
		require.NoError(t, client.SendTransaction(context.Background(), tx))

		out = append(out, tx)
	}

	ch.Mine(1)

	return out
}

func startNoter(t *testing.T) (*devchain.Chain, *ethclient.Client) {
	t.Helper()
	ch := start(t, devchain.Config{Mode: devchain.Manual, Code: map[common.Address][]byte{noterAt: noter}})

	return ch, dial(t, ch)
}

func TestBlocksTransactionsAndReceiptsAreThoseOfTheLibrarysClient(t *testing.T) {
	ch, client := startNoter(t)
	ctx := context.Background()
	sent := note(t, ch, client, "one", "two")

	block, err := client.BlockByNumber(ctx, nil)
	require.NoError(t, err)
	require.Equal(t, ch.Head().Hash(), block.Hash())
	require.Len(t, block.Transactions(), 2)

	receipts, err := client.BlockReceipts(ctx, rpc.BlockNumberOrHashWithHash(block.Hash(), true))
	require.NoError(t, err)
	require.Len(t, receipts, 2)
	require.Equal(t, block.ReceiptHash(), types.DeriveSha(types.Receipts(receipts), trie.NewStackTrie(nil)))

	for i, tx := range sent {
		got, pending, err := client.TransactionByHash(ctx, tx.Hash())
		require.NoError(t, err)
		require.False(t, pending)
		require.Equal(t, tx.Hash(), got.Hash())

		from, err := client.TransactionSender(ctx, got, block.Hash(), uint(i))
		require.NoError(t, err)
		require.Equal(t, crypto.PubkeyToAddress(ch.FaucetKey().PublicKey), from)

		r, err := client.TransactionReceipt(ctx, tx.Hash())
		require.NoError(t, err)
		require.Equal(t, receipts[i].TxHash, r.TxHash)
		require.Equal(t, uint64(1), r.Status)
		require.Equal(t, uint(i), r.TransactionIndex)
		require.Equal(t, new(big.Int).Add(block.BaseFee(), big.NewInt(1e9)), r.EffectiveGasPrice)
	}

	_, err = client.TransactionReceipt(ctx, common.Hash{1})
	require.ErrorIs(t, err, ethereum.NotFound)
	_, err = client.BlockByNumber(ctx, big.NewInt(99))
	require.ErrorIs(t, err, ethereum.NotFound)
}

func TestLogsAreFoundByRangeAddressAndTopic(t *testing.T) {
	ch, client := startNoter(t)
	ctx := context.Background()
	note(t, ch, client, "one", "two")
	note(t, ch, client, "two")

	two := common.BytesToHash([]byte("two"))
	find := func(q ethereum.FilterQuery) []types.Log {
		got, err := client.FilterLogs(ctx, q)
		require.NoError(t, err)

		return got
	}
	all := ethereum.FilterQuery{FromBlock: big.NewInt(0), Addresses: []common.Address{noterAt}}
	require.Len(t, find(all), 3)

	all.Topics = [][]common.Hash{{two}}
	found := find(all)
	require.Len(t, found, 2)
	require.Equal(t, two, found[0].Topics[0])
	require.Equal(t, []uint64{1, 2}, []uint64{found[0].BlockNumber, found[1].BlockNumber})

	all.ToBlock = big.NewInt(1)
	require.Len(t, find(all), 1)

	all.Addresses = []common.Address{someone}
	require.Empty(t, find(all))

	hash := ch.Head().Hash()
	require.Len(t, find(ethereum.FilterQuery{BlockHash: &hash}), 1)

	_, err := client.FilterLogs(ctx, ethereum.FilterQuery{FromBlock: big.NewInt(2), ToBlock: big.NewInt(1)})
	require.Error(t, err)
}

func TestCallsAreExecutedAndNotKept(t *testing.T) {
	ch, client := startNoter(t)
	ctx := context.Background()
	word := common.BytesToHash([]byte("one")).Bytes()

	got, err := client.CallContract(ctx, ethereum.CallMsg{To: &noterAt, Data: word}, nil)
	require.NoError(t, err)
	require.Equal(t, word, got)

	gas, err := client.EstimateGas(ctx, ethereum.CallMsg{To: &noterAt, Data: word})
	require.NoError(t, err)
	require.Greater(t, gas, uint64(21_000))
	require.Less(t, gas, uint64(30_000))

	for _, ask := range []func(ethereum.CallMsg) error{
		func(m ethereum.CallMsg) error { _, err := client.CallContract(ctx, m, nil); return err },
		func(m ethereum.CallMsg) error { _, err := client.EstimateGas(ctx, m); return err },
	} {
		var refused rpc.DataError

		err = ask(ethereum.CallMsg{To: &noterAt})
		require.EqualError(t, err, "execution reverted: no")
		require.True(t, errors.As(err, &refused))
		require.Contains(t, refused.ErrorData(), hexutil.Encode([]byte("no"))[2:])
	}

	require.Zero(t, ch.Head().Number.Sign())
}

func TestStateIsThatOfTheBlockThatIsNamed(t *testing.T) {
	ch, client := startNoter(t)
	ctx := context.Background()

	require.NoError(t, ch.Fund(someone, big.NewInt(5)))
	ch.Mine(1)
	require.NoError(t, ch.Fund(someone, big.NewInt(7)))
	ch.Mine(1)

	for number, want := range map[int64]int64{0: 0, 1: 5, 2: 12} {
		got, err := client.BalanceAt(ctx, someone, big.NewInt(number))
		require.NoError(t, err)
		require.Equal(t, want, got.Int64())
	}

	old := ch.Head().Hash()
	_, err := ch.Reorg(1, devchain.Drop)
	require.NoError(t, err)
	got, err := client.BalanceAtHash(ctx, someone, old)
	require.NoError(t, err)
	require.EqualValues(t, 12, got.Int64(), "a block that was replaced can be asked for")

	require.Error(t, client.Client().CallContext(ctx, new(hexutil.Big), "eth_getBalance", someone,
		rpc.BlockNumberOrHashWithHash(old, true)))

	code, err := client.CodeAt(ctx, noterAt, nil)
	require.NoError(t, err)
	require.Equal(t, noter, code)
	_, err = client.BalanceAt(ctx, someone, big.NewInt(99))
	require.EqualError(t, err, "header not found")
}

func TestFeesAreProposedAsNodesDo(t *testing.T) {
	ch, client := startNoter(t)
	ctx := context.Background()
	note(t, ch, client, "one", "two", "three")

	tip, err := client.SuggestGasTipCap(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 1e9, tip.Int64(), "what the newest transactions paid")

	price, err := client.SuggestGasPrice(ctx)
	require.NoError(t, err)
	require.Equal(t, new(big.Int).Add(tip, ch.Head().BaseFee), price)

	fees, err := client.FeeHistory(ctx, 1, nil, []float64{50})
	require.NoError(t, err)
	require.EqualValues(t, 1, fees.OldestBlock.Int64())
	require.EqualValues(t, 1e9, fees.Reward[0][0].Int64())
}

func TestThePoolKeepsNoncesApart(t *testing.T) {
	ch, client := startNoter(t)
	ctx := context.Background()
	from := crypto.PubkeyToAddress(ch.FaucetKey().PublicKey)

	require.NoError(t, ch.Fund(someone, big.NewInt(1)))
	next, err := client.PendingNonceAt(ctx, from)
	require.NoError(t, err)
	require.EqualValues(t, 1, next)
	mined, err := client.NonceAt(ctx, from, nil)
	require.NoError(t, err)
	require.Zero(t, mined)
}
