//go:build !nosandbox

package devchain_test

import (
	"context"
	"math/big"
	"net/http"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"slipway/internal/rails/chain/devchain"
)

var someone = common.HexToAddress("0x00000000000000000000000000000000000a11ce")

func start(t *testing.T, c devchain.Config) *devchain.Chain {
	t.Helper()
	ch, err := devchain.Start(c)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ch.Close()) })

	return ch
}

func TestChainIsThereAgainAfterARestart(t *testing.T) {
	dir := t.TempDir()

	first := start(t, devchain.Config{Dir: dir, Mode: devchain.Manual})
	for range 40 {
		require.NoError(t, first.Fund(someone, big.NewInt(7)))
		first.Mine(1)
	}

	head := first.Head()
	require.NoError(t, first.Close())

	second := start(t, devchain.Config{Dir: dir, Mode: devchain.Manual})
	require.Equal(t, head.Hash(), second.Head().Hash())
	require.EqualValues(t, 280, second.Balance(someone).Int64())
	require.NoError(t, second.Fund(someone, big.NewInt(1)))
	second.Mine(1)
	require.EqualValues(t, 281, second.Balance(someone).Int64())
}

func TestChainsGoOnFromASnapshot(t *testing.T) {
	first := start(t, devchain.Config{Mode: devchain.Manual})
	require.NoError(t, first.Fund(someone, big.NewInt(7)))
	first.Mine(3)

	then, err := first.Snapshot()
	require.NoError(t, err)
	require.NoError(t, first.Fund(someone, big.NewInt(100)))
	first.Mine(1)

	for range 2 {
		next := start(t, devchain.Config{Mode: devchain.Manual, From: then})
		require.EqualValues(t, 3, next.Head().Number.Uint64())
		require.EqualValues(t, 7, next.Balance(someone).Int64())
		require.NoError(t, next.Fund(someone, big.NewInt(1)))
		next.Mine(1)
		require.EqualValues(t, 8, next.Balance(someone).Int64(), "nothing of another chain is seen")

		_, err := next.Reorg(2, devchain.Drop)
		require.NoError(t, err)
	}
}

func TestReorgReplacesBlocksAndReturnsOrDropsTheirTransactions(t *testing.T) {
	for _, depth := range []int{1, 7, 64} {
		ch := start(t, devchain.Config{Mode: devchain.Manual})
		ch.Mine(3)
		require.NoError(t, ch.Fund(someone, big.NewInt(5)))

		ch.Mine(depth)
		old := ch.Head()
		n, err := ch.Reorg(depth, devchain.Return)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, old.Number.Uint64()+1, ch.Head().Number.Uint64(), "the new branch is longer")
		require.NotEqual(t, old.Hash(), ch.Block(old.Number.Uint64()).Hash())
		require.Zero(t, ch.Balance(someone).Sign(), "the effect is undone")

		executable, _ := ch.PoolSize()
		require.Equal(t, 1, executable)

		ch.Mine(depth)
		require.EqualValues(t, 5, ch.Balance(someone).Int64())

		_, err = ch.Reorg(depth, devchain.Drop)
		require.NoError(t, err)

		ch.Mine(2)
		require.Zero(t, ch.Balance(someone).Sign(), "dropped for good")
	}
}

func TestOnDemandMinesWhatWaits(t *testing.T) {
	ch := start(t, devchain.Config{Mode: devchain.OnDemand, ChainID: 4242})

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	ec, err := ethclient.Dial(ch.URL())
	require.NoError(t, err)

	defer ec.Close()
	id, err := ec.ChainID(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 4242, id.Int64())
	tx, err := types.SignNewTx(ch.FaucetKey(), types.LatestSignerForChainID(id), &types.DynamicFeeTx{
		ChainID:   id,
		To:        &someone,
		Value:     big.NewInt(3),
		Gas:       21000,
		GasTipCap: big.NewInt(1e9),
		GasFeeCap: big.NewInt(9e9),
	})
	require.NoError(t, err)
	require.NoError(t, ec.SendTransaction(ctx, tx))

	for ch.Balance(someone).Int64() != 3 {
		require.NoError(t, ctx.Err())
		<-time.After(2 * time.Millisecond)
	}

	r, err := ec.TransactionReceipt(ctx, tx.Hash())
	require.NoError(t, err)
	require.EqualValues(t, 1, r.Status)
}

// Public chains price a new storage slot at 22,100 gas; the library's development rules at several times that.
func TestRulesAreThoseOfPublicChains(t *testing.T) {
	ch := start(t, devchain.Config{Mode: devchain.OnDemand})

	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	ec, err := ethclient.Dial(ch.URL())
	require.NoError(t, err)

	defer ec.Close()
	// PUSH1 1 PUSH1 0 SSTORE as creation code: 53,000 for the creation, 22,106 for the slot, and the calldata.
	tx, err := types.SignNewTx(ch.FaucetKey(), types.LatestSignerForChainID(ch.ChainID()), &types.DynamicFeeTx{
		ChainID:   ch.ChainID(),
		Data:      common.FromHex("600160005500"),
		Gas:       1_000_000,
		GasTipCap: big.NewInt(1e9),
		GasFeeCap: big.NewInt(9e9),
	})
	require.NoError(t, err)
	require.NoError(t, ec.SendTransaction(ctx, tx))

	for ch.Nonce(crypto.PubkeyToAddress(ch.FaucetKey().PublicKey)) == 0 {
		require.NoError(t, ctx.Err())
		<-time.After(2 * time.Millisecond)
	}

	require.Less(t, ch.Head().GasUsed, uint64(80_000))
	require.EqualValues(t, 60_000_000, ch.Head().GasLimit)
}

func TestTimeMovesForwardAndKeepsWhatWaits(t *testing.T) {
	ch := start(t, devchain.Config{Mode: devchain.Manual})
	ch.Mine(1)
	before := ch.Head().Time
	require.NoError(t, ch.Fund(someone, big.NewInt(2)))
	require.NoError(t, ch.AdjustTime(time.Hour))
	require.Equal(t, before+3600, ch.Head().Time)

	ch.Mine(1)
	require.Equal(t, before+3601, ch.Head().Time)
	require.EqualValues(t, 2, ch.Balance(someone).Int64())
	require.NoError(t, ch.Fund(someone, big.NewInt(2)))
	require.Equal(t, 1, ch.DropPending())
}

func TestABrowserWalletMayConnect(t *testing.T) {
	ch := start(t, devchain.Config{Mode: devchain.Manual})
	req, err := http.NewRequest(http.MethodOptions, ch.URL(), nil)
	require.NoError(t, err)

	req.Header.Set("Origin", "http://pages.example")
	req.Header.Set("Access-Control-Request-Method", "POST")
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"))
}

func TestCloseLeavesNothingRunning(t *testing.T) {
	http.DefaultClient.CloseIdleConnections()
	before := goleak.IgnoreCurrent()
	ch, err := devchain.Start(devchain.Config{Period: 10 * time.Millisecond})
	require.NoError(t, err)
	require.NoError(t, ch.Close())
	require.NoError(t, ch.Close(), "a second call does nothing")

	// The library recovers senders in goroutines of its own, which it starts with the first block and never ends.
	goleak.VerifyNone(
		t,
		before,
		goleak.IgnoreTopFunction("github.com/ethereum/go-ethereum/core.(*txSenderCacher).cache"),
	)
}
