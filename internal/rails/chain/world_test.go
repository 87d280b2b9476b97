//go:build !nosandbox

package chain_test

import (
	"context"
	"crypto/ecdsa"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/chain/faultrpc"
)

const (
	gwei     = 1_000_000_000
	network  = "dev"
	patience = 30 * time.Second // bounds every wait of a test; nothing is judged by it
)

var ether = new(big.Int).Exp(big.NewInt(10), big.NewInt(18), nil)

// world is a chain, a database and a rail between them. Blocks come only when the test mines.
type world struct {
	t    *testing.T
	d    *db.DB
	ch   *devchain.Chain
	key  *ecdsa.PrivateKey
	from common.Address
}

func keyOf(n uint64) *ecdsa.PrivateKey {
	var seed [8]byte
	binary.BigEndian.PutUint64(seed[:], n)

	key, err := crypto.ToECDSA(crypto.Keccak256(seed[:]))
	if err != nil {
		panic(err)
	}

	return key
}

func newWorld(t *testing.T, d *db.DB) *world {
	t.Helper()
	key := keyOf(1)
	from := crypto.PubkeyToAddress(key.PublicKey)
	ch, err := devchain.Start(devchain.Config{
		Mode:  devchain.Manual,
		Alloc: map[common.Address]*big.Int{from: new(big.Int).Mul(ether, big.NewInt(1000))},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, ch.Close()) })
	ch.Mine(2)

	return &world{
		t:    t,
		d:    d,
		ch:   ch,
		key:  key,
		from: from,
	}
}

// network is the world's network, seen directly or through proxies.
func (w *world) network(urls ...string) chain.Network {
	if len(urls) == 0 {
		urls = []string{w.ch.URL()}
	}

	return chain.Network{
		ID:              network,
		ChainID:         w.ch.ChainID(),
		URLs:            urls,
		Signer:          chain.NewKeySigner(w.key),
		Finality:        chain.Finality{Depth: 2},
		MaxFeePerGasWei: big.NewInt(100 * gwei),
		Poll:            5 * time.Millisecond,
		StuckAfter:      time.Hour,
		Timeout:         2 * time.Second,
	}
}

// proxy is a fault proxy in front of the world's node.
func (w *world) proxy() *faultrpc.Proxy {
	w.t.Helper()
	p, err := faultrpc.New(w.ch.URL())
	require.NoError(w.t, err)
	w.t.Cleanup(p.Close)

	return p
}

// rail is a running rail and the way to stop it, as a process that ends in order.
type rail struct {
	*chain.Rail
	w    *world
	stop func()
}

func (w *world) rail(n chain.Network) *rail {
	w.t.Helper()
	return w.railWith(n, books{})
}

func (w *world) railWith(n chain.Network, o chain.Observer) *rail {
	w.t.Helper()
	return w.railOf(n, chain.Config{Observer: o})
}

func (w *world) railOf(n chain.Network, c chain.Config) *rail {
	w.t.Helper()
	c.DB = w.d

	c.LeaseFor = 20 * time.Second
	if os.Getenv("SLIPWAY_TEST_LOG") != "" {
		c.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}

	r := chain.New(c)
	require.NoError(w.t, r.AddNetwork(context.Background(), n))
	ctx, cancel := context.WithCancel(context.Background())

	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()

	var once sync.Once
	stop := func() {
		once.Do(func() {
			cancel()
			require.NoError(w.t, <-done)
		})
	}
	w.t.Cleanup(stop)

	return &rail{Rail: r, w: w, stop: stop}
}

func recipient(i int) common.Address { return common.BigToAddress(big.NewInt(int64(0xbeef0000 + i))) }

// transfer is a send of i+1 wei to an address of its own, so that its effects can be counted on the chain.
func transfer(i int) chain.Send {
	return chain.Send{
		Key:     fmt.Sprintf("txn_1/leg/%04d", i),
		Network: network,
		To:      recipient(i),
		Value:   big.NewInt(int64(i + 1)),
		Object:  "txn_1",
	}
}

func (r *rail) plan(sends ...chain.Send) {
	r.w.t.Helper()

	require.NoError(r.w.t, r.w.d.Write(context.Background(), func(tx *db.Tx) error {
		for _, s := range sends {
			if err := r.Plan(tx, s); err != nil {
				return err
			}
		}

		return nil
	}))
}

func (r *rail) status(i int) chain.Status {
	r.w.t.Helper()
	s, err := r.Status(context.Background(), r.w.d, transfer(i).Key)
	require.NoError(r.w.t, err)

	return s
}

func (r *rail) health() chain.Health {
	r.w.t.Helper()
	h, err := r.Health(context.Background())
	require.NoError(r.w.t, err)

	return h[0]
}

// until waits for a condition.
func (w *world) until(what string, condition func() bool) {
	w.t.Helper()

	deadline := time.NewTimer(patience)
	defer deadline.Stop()

	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()

	for !condition() {
		select {
		case <-deadline.C:
			w.t.Fatalf("waited in vain: %s", what)
		case <-tick.C:
		}
	}
}

// mineUntil waits for a condition while blocks come.
func (w *world) mineUntil(what string, condition func() bool) {
	w.t.Helper()

	w.until(what, func() bool {
		if condition() {
			return true
		}

		w.ch.Mine(1)

		return condition()
	})
}

func (r *rail) is(i int, s chain.State) func() bool {
	return func() bool { return r.status(i).State == s }
}

// allFinal waits, while blocks come, until the first n transfers are final.
func (r *rail) allFinal(n int) {
	r.w.t.Helper()
	r.w.mineUntil("all final", func() bool { return r.w.count("final") == n })
}

// exactlyOnce checks the ground truth: each of the first n transfers took effect once, was posted once, and nonces
// have no gap (I3, I9).
func (w *world) exactlyOnce(n int) {
	w.t.Helper()

	for i := range n {
		require.EqualValues(w.t, i+1, w.ch.Balance(recipient(i)).Int64(), "effect of transfer %d", i)
	}

	nonces := map[uint64]bool{}
	for b := uint64(0); b <= w.ch.Head().Number.Uint64(); b++ {
		for _, tx := range w.ch.Block(b).Transactions() {
			from, err := types.Sender(types.LatestSignerForChainID(w.ch.ChainID()), tx)
			require.NoError(w.t, err)

			if from == w.from {
				nonces[tx.Nonce()] = true
			}
		}
	}

	require.Len(w.t, nonces, n, "transactions of the signer")
	require.EqualValues(w.t, n, w.ch.Nonce(w.from))
	require.Equal(w.t, n, w.count("final"))
	w.onTheirDay()
	w.consistent()
}

// consistent checks the tables against each other: every final send has one receipt, no two sends share a nonce,
// every status move stands beside the business record.
func (w *world) consistent() {
	w.t.Helper()

	ctx := context.Background()
	for _, c := range []struct{ rule, query string }{
		{"a final send without evidence", `SELECT count(*) FROM chain_sends s
			WHERE s.state = 'FINAL' AND NOT EXISTS (SELECT 1 FROM chain_receipts r
			WHERE r.send_id = s.id AND r.tx_hash = s.tx_hash)`},
		{"evidence without a final send", `SELECT count(*) FROM chain_receipts r WHERE NOT EXISTS (SELECT 1
			FROM chain_sends s WHERE s.id = r.send_id AND s.state = 'FINAL')`},
		{"a sent send without bytes", `SELECT count(*) FROM chain_sends s
			WHERE s.state IN ('SIGNED', 'SENT', 'SEEN', 'FINAL') AND NOT EXISTS (SELECT 1
			FROM chain_attempts a WHERE a.send_id = s.id)`},
		{"a final send that the books do not have", `SELECT count(*) FROM chain_sends s
			WHERE s.state = 'FINAL' AND NOT EXISTS (SELECT 1 FROM audit_log l
			WHERE l.action = 'final' AND l.object = s.key)`},
	} {
		n, err := db.Value[int64](ctx, w.d, c.query)
		require.NoError(w.t, err)
		require.Zero(w.t, n, c.rule)
	}
}

// count is how often the books were told of something.
func (w *world) count(action string) int {
	w.t.Helper()
	n, err := db.Value[int64](context.Background(), w.d, "SELECT count(*) FROM audit_log WHERE action = ?", action)
	require.NoError(w.t, err)

	return int(n)
}

// onTheirDay checks that what is final was posted at the time of its block, unless that block was replaced later.
func (w *world) onTheirDay() {
	w.t.Helper()

	texts, err := db.Select(w.t.Context(), w.d, func(text *string) []any { return []any{text} },
		"SELECT detail FROM audit_log WHERE action = ?", "final")
	require.NoError(w.t, err)

	for _, text := range texts {
		var s chain.Sent
		require.NoError(w.t, json.Unmarshal([]byte(text), &s))

		if b := w.ch.Block(s.Block); b.Hash() == s.BlockHash {
			require.EqualValues(w.t, b.Time(), s.MinedAt.Unix(), "the time of block %d", s.Block)
		}
	}
}

// books is an observer that keeps its records in the database. A second posting of one key breaks a unique index.
type books struct{}

var insertBook = db.InsertInto(
	"audit_log",
	"id, organisation, actor, action, object, request_id, source, detail, created_at",
)

func (books) note(tx *db.Tx, id, action, key string, detail any) error {
	text, err := json.Marshal(detail)
	if err != nil {
		return err
	}

	tx.Insert(insertBook, id, "org", "system", action, key, "", "", string(text), tx.Now.UnixMicro())

	return nil
}

func (b books) Seen(ctx context.Context, tx *db.Tx, s chain.Sent) error {
	n, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log WHERE object = ?", s.Key)
	if err != nil {
		return err
	}

	return b.note(tx, fmt.Sprintf("%s/%d/seen", s.Key, n), "seen", s.Key, s)
}

func (b books) Lost(ctx context.Context, tx *db.Tx, s chain.Sent) error {
	n, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log WHERE object = ?", s.Key)
	if err != nil {
		return err
	}

	return b.note(tx, fmt.Sprintf("%s/%d/lost", s.Key, n), "lost", s.Key, s)
}

func (b books) Final(_ context.Context, tx *db.Tx, s chain.Sent) error {
	return b.note(tx, s.Key+"/final", "final", s.Key, s)
}

func (b books) Refused(_ context.Context, tx *db.Tx, key, reason string) error {
	return b.note(tx, key+"/refused", "refused", key, reason)
}

// outside sends a transaction with the signer's key that the rail knows nothing of.
func (w *world) outside(nonce uint64, tipGwei int64) *types.Transaction {
	w.t.Helper()
	to := common.HexToAddress("0xdead")
	tx, err := types.SignNewTx(w.key, types.LatestSignerForChainID(w.ch.ChainID()), &types.DynamicFeeTx{
		ChainID:   w.ch.ChainID(),
		Nonce:     nonce,
		To:        &to,
		Value:     big.NewInt(1),
		Gas:       21000,
		GasTipCap: big.NewInt(tipGwei * gwei),
		GasFeeCap: big.NewInt(90 * gwei),
	})
	require.NoError(w.t, err)

	return tx
}

// deploy puts a contract with the given runtime code on the chain, from the faucet.
func (w *world) deploy(runtime string) common.Address {
	w.t.Helper()
	code := common.FromHex(runtime)
	// PUSH1 n, DUP1, PUSH1 11, PUSH1 0, CODECOPY, PUSH1 0, RETURN, then the code.
	creation := append([]byte{0x60, byte(len(code)), 0x80, 0x60, 0x0b, 0x60, 0x00, 0x39, 0x60, 0x00, 0xf3}, code...)
	faucet := crypto.PubkeyToAddress(w.ch.FaucetKey().PublicKey)
	nonce := w.ch.Nonce(faucet)
	tx, err := types.SignNewTx(w.ch.FaucetKey(), types.LatestSignerForChainID(w.ch.ChainID()), &types.DynamicFeeTx{
		ChainID:   w.ch.ChainID(),
		Nonce:     nonce,
		Data:      creation,
		Gas:       500_000,
		GasTipCap: big.NewInt(gwei),
		GasFeeCap: big.NewInt(20 * gwei),
	})
	require.NoError(w.t, err)
	w.submit(tx)
	w.ch.Mine(1)
	at := crypto.CreateAddress(faucet, nonce)
	code2, err := w.client().CodeAt(context.Background(), at)
	require.NoError(w.t, err)
	require.Equal(w.t, code, code2)

	return at
}

// submit hands a transaction straight to the node.
func (w *world) submit(tx *types.Transaction) {
	w.t.Helper()
	raw, err := tx.MarshalBinary()
	require.NoError(w.t, err)
	c := w.client()
	require.NoError(w.t, c.Connect(context.Background()))
	res := c.SendRaw(context.Background(), [][]byte{raw}, nil)
	require.Equal(w.t, chain.Accepted, res[0].Outcomes[0], "%v", res[0].Errors[0])
}

// client asks the world's node directly.
func (w *world) client() *chain.Client {
	w.t.Helper()
	c, err := chain.NewClient(chain.ClientConfig{ChainID: w.ch.ChainID(), URLs: []string{w.ch.URL()}})
	require.NoError(w.t, err)
	w.t.Cleanup(c.Close)

	return c
}

// picky is books that refuse one key's final posting until they relent.
type picky struct {
	books
	mu     sync.Mutex
	refuse string
}

func (p *picky) relent() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = ""
}

func (p *picky) Final(ctx context.Context, tx *db.Tx, s chain.Sent) error {
	p.mu.Lock()
	defer p.mu.Unlock()

	if s.Key == p.refuse {
		return fmt.Errorf("no room for %s", s.Key)
	}

	return p.books.Final(ctx, tx, s)
}
