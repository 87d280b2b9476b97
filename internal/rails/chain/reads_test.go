//go:build !nosandbox

package chain_test

import (
	"context"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/faultrpc"
)

// returns is runtime code that answers every call with one word.
func returns(word string) string {
	return "7f" + word + "60005260206000f3" // PUSH32 word, MSTORE at 0, RETURN 32 bytes
}

func TestTokenReads(t *testing.T) {
	w := newWorld(t, nil)
	ctx := context.Background()
	c := w.client()
	token := w.deploy(returns(strings.Repeat("0", 63) + "6"))
	facts, err := c.TokenFacts(ctx, token)
	require.NoError(t, err)
	require.Equal(t, chain.TokenFacts{Code: true, Decimals: 6}, facts)

	old := "0x4d4b52" + strings.Repeat("0", 58) // MKR, as the first tokens tell it
	facts, err = c.TokenFacts(ctx, w.deploy(returns(old[2:])))
	require.NoError(t, err)
	require.Equal(t, chain.TokenFacts{Code: true, Decimals: -1, Symbol: "MKR"}, facts)

	balance, allowance, err := c.Balances(ctx, token, w.from, recipient(1))
	require.NoError(t, err)
	require.EqualValues(t, 6, balance.Int64())
	require.EqualValues(t, 6, allowance.Int64())

	allowance, err = c.Allowance(ctx, token, w.from, recipient(1))
	require.NoError(t, err)
	require.EqualValues(t, 6, allowance.Int64())

	facts, err = c.TokenFacts(ctx, recipient(9))
	require.NoError(t, err)
	require.Equal(t, chain.TokenFacts{Decimals: -1}, facts, "an account without code is no token")

	native, err := c.NativeBalance(ctx, w.from)
	require.NoError(t, err)
	require.Equal(t, new(big.Int).Mul(ether, big.NewInt(1000)), native)

	number, err := c.BlockNumber(ctx)
	require.NoError(t, err)

	head, ok, err := c.BlockAt(ctx, "latest")
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, number, head.Number)
	require.Equal(t, w.ch.Head().Hash(), head.Hash)

	gas, err := c.EstimateGas(ctx, chain.CallMsg{From: w.from, To: recipient(1), Value: big.NewInt(1)})
	require.NoError(t, err)
	require.EqualValues(t, 21000, gas)
}

// only the magic value in exactly its ABI form counts; everything a hostile wallet may answer is no.
func TestOnlyTheExactMagicValueIsASignature(t *testing.T) {
	w := newWorld(t, nil)
	ctx := context.Background()
	c := w.client()

	magic := "1626ba7e" + strings.Repeat("0", 56)
	for name, x := range map[string]struct {
		code string
		want bool
	}{
		"the magic value":          {returns(magic), true},
		"padded on the left":       {returns(strings.Repeat("0", 56) + "1626ba7e"), false},
		"something after it":       {returns("1626ba7e" + strings.Repeat("0", 55) + "1"), false},
		"true":                     {returns(strings.Repeat("0", 63) + "1"), false},
		"zero":                     {returns(strings.Repeat("0", 64)), false},
		"four bytes":               {"7f" + magic + "60005260046000f3", false},
		"64 bytes":                 {"7f" + magic + "60005260406000f3", false},
		"64 bytes, the magic last": {"7f" + magic + "60205260406000f3", false},
		"a revert with the magic":  {"7f" + magic + "60005260206000fd", false},
		"an invalid opcode":        {"fe", false},
		"an endless loop":          {"5b600056", false},
	} {
		at := w.deploy(x.code)
		ok, err := c.IsValidSignature1271(ctx, at, common.Hash{1}, []byte{1, 2, 3})
		require.NoError(t, err, name)
		require.Equal(t, x.want, ok, name)
	}

	ok, err := c.IsValidSignature1271(ctx, recipient(3), common.Hash{1}, []byte{1})
	require.NoError(t, err)
	require.False(t, ok, "an account without code")
	_, err = c.IsValidSignature1271(ctx, recipient(3), common.Hash{1}, make([]byte, 5000))
	require.Error(t, err)
}

// limits on time and size hold, redirects are not followed, and the address never shows in an error.
func TestABrokenNodeCostsLittle(t *testing.T) {
	w := newWorld(t, nil)
	p := w.proxy()

	ctx := context.Background()
	for _, kind := range []faultrpc.Kind{faultrpc.Down, faultrpc.LoseWith502, faultrpc.LoseByHanging, faultrpc.LoseAsGarbage, faultrpc.Oversize, faultrpc.Redirect} {
		c, err := chain.NewClient(chain.ClientConfig{
			ChainID:   w.ch.ChainID(),
			URLs:      []string{p.URL() + "/v3/secret-key"},
			Timeout:   300 * time.Millisecond,
			MaxAnswer: 1 << 20,
		})

		require.NoError(t, err)
		require.NoError(t, c.Connect(ctx))

		p.Add(faultrpc.Fault{Kind: kind})
		_, err = c.BlockNumber(ctx)
		require.ErrorIs(t, err, chain.ErrUnreachable)
		require.Equal(t, chain.Unknown, chain.Classify(err))
		require.NotContains(t, err.Error(), "secret-key")
		require.NotContains(t, c.Providers()[0].Name+c.Providers()[0].LastErr, "secret-key")

		p.Clear()
		c.Close()
	}
}

// A rail that has ended leaves nothing running behind.
func TestAnEndedRailLeavesNothingRunning(t *testing.T) {
	http.DefaultClient.CloseIdleConnections()
	ignore := goleak.IgnoreCurrent()

	func() {
		d, err := db.Open(context.Background(), db.Config{URL: "sqlite:" + dbtest.SQLiteFile(t)})
		require.NoError(t, err)
		ch, err := devchain.Start(devchain.Config{Mode: devchain.OnDemand})
		require.NoError(t, err)
		r := chain.New(chain.Config{DB: d, Observer: books{}})
		w := &world{
			t:    t,
			d:    d,
			ch:   ch,
			key:  ch.FaucetKey(),
			from: chain.NewKeySigner(ch.FaucetKey()).Address(),
		}
		require.NoError(t, r.AddNetwork(context.Background(), w.network()))
		ctx, cancel := context.WithCancel(context.Background())

		done := make(chan error, 1)
		go func() { done <- r.Run(ctx) }()
		(&rail{Rail: r, w: w}).plan(transfer(0))
		w.until("effect", func() bool { return ch.Balance(recipient(0)).Sign() > 0 })
		cancel()
		require.NoError(t, <-done)
		require.NoError(t, ch.Close())
		require.NoError(t, d.Close())
	}()

	// The library recovers senders in goroutines of its own, which it starts with the first block and never ends.
	goleak.VerifyNone(
		t,
		ignore,
		goleak.IgnoreTopFunction("github.com/ethereum/go-ethereum/core.(*txSenderCacher).cache"),
	)
}
