package app

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/outbound"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/standards/safe"
)

// buildChain builds the rail that sends on chains. Settlement registers as its observer (buildSettlement), and the
// networks are added when all parts are built (setUpNetworks).
func (a *App) buildChain() {
	a.Rail = chain.New(chain.Config{
		DB:      a.DB,
		Log:     a.Log,
		Replica: a.Replica,
		Held:    a.Instance.Held,
	})

	a.chains = chainReader{
		rail:  a.Rail,
		db:    a.DB,
		heads: cache.New[int64](a.DB.Clock(), headAge, 100),
		sound: a.ensureSound,
	}
}

// chainReader reads chains for wallets, transactions, screening and rates. It sends nothing.
type chainReader struct {
	rail  *chain.Rail
	db    *db.DB
	heads *cache.Cache[int64]
	sound func(ctx context.Context, networkID string) error
}

// headAge limits the age of the height from which confirmations are counted. People see that number; nothing depends
// on it.
const headAge = time.Second

// head returns the height of a network's chain, or 0 if the node does not answer.
func (r chainReader) head(ctx context.Context, networkID string) int64 {
	if n, ok := r.heads.Find(networkID); ok {
		return n
	}

	c, err := r.rail.Client(networkID)
	if err != nil {
		return 0
	}

	n, err := c.BlockNumber(ctx)
	if err != nil {
		return 0
	}

	r.heads.Keep(networkID, int64(n))

	return int64(n)
}

// CodeAt returns the code at an address.
func (r chainReader) CodeAt(ctx context.Context, networkID string, at common.Address) ([]byte, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return nil, err
	}

	return c.CodeAt(ctx, at)
}

// IsValidSignature asks a contract wallet whether a signature is its own (EIP-1271).
func (r chainReader) IsValidSignature(
	ctx context.Context,
	networkID string,
	at common.Address,
	hash [32]byte,
	signature []byte,
) (bool, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return false, err
	}

	return c.IsValidSignature1271(ctx, at, hash, signature)
}

// SafeAt reads a Safe.
func (r chainReader) SafeAt(ctx context.Context, networkID string, at common.Address) (safe.State, bool, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return safe.State{}, false, err
	}

	return c.SafeAt(ctx, at)
}

// SafeSays reads one word that a Safe answers.
func (r chainReader) SafeSays(
	ctx context.Context,
	networkID string,
	at common.Address,
	data []byte,
) (common.Hash, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return common.Hash{}, err
	}

	return c.SafeSays(ctx, at, data)
}

// OwnerConfirms asks an owner that is a contract whether it confirms what a Safe is to do.
func (r chainReader) OwnerConfirms(
	ctx context.Context,
	networkID, version string,
	owner common.Address,
	encoded []byte,
	hash common.Hash,
	signature []byte,
) (bool, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return false, err
	}

	return c.OwnerConfirms(ctx, version, owner, encoded, hash, signature)
}

// Refuses reports whether a call would revert.
func (r chainReader) Refuses(
	ctx context.Context,
	networkID string,
	from, to common.Address,
	data []byte,
) (bool, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return false, err
	}

	return c.Refuses(ctx, chain.CallMsg{From: from, To: to, Data: data})
}

// Funds returns the owner's balance and its allowance to the router, on a network that was checked.
func (r chainReader) Funds(
	ctx context.Context,
	networkID string,
	token, owner common.Address,
) (balance, allowance *big.Int, err error) {
	if err := r.sound(ctx, networkID); err != nil {
		return nil, nil, err
	}

	c, err := r.rail.Client(networkID)
	if err != nil {
		return nil, nil, err
	}

	n, err := network.ByID(ctx, r.db, networkID)
	if err != nil {
		return nil, nil, err
	}

	return c.Balances(ctx, token, owner, common.HexToAddress(n.Router()))
}

// Holdings returns the owner's balance of each token and its allowance to the router, at the newest block.
func (r chainReader) Holdings(
	ctx context.Context,
	networkID string,
	owner common.Address,
	tokens []common.Address,
) (transaction.Point, []transaction.Holding, error) {
	if err := r.sound(ctx, networkID); err != nil {
		return transaction.Point{}, nil, err
	}

	n, err := network.ByID(ctx, r.db, networkID)
	if err != nil {
		return transaction.Point{}, nil, err
	}

	router := common.HexToAddress(n.Router())

	var calls []chain.CallMsg
	for _, token := range tokens {
		calls = append(calls, chain.BalanceOf(token, owner), chain.AllowanceOf(token, owner, router))
	}

	at, words, err := r.words(ctx, networkID, calls)
	if err != nil {
		return at, nil, err
	}

	out := make([]transaction.Holding, len(tokens))
	for i := range tokens {
		out[i] = transaction.Holding{Balance: words[2*i], Allowance: words[2*i+1]}
	}

	return at, out, nil
}

// Allowances returns what an owner has approved of each token to each spender, at the newest block.
func (r chainReader) Allowances(
	ctx context.Context,
	networkID string,
	owner common.Address,
	tokens, spenders []common.Address,
) (transaction.Point, [][]*big.Int, error) {
	if err := r.sound(ctx, networkID); err != nil {
		return transaction.Point{}, nil, err
	}

	var calls []chain.CallMsg

	for _, token := range tokens {
		for _, spender := range spenders {
			calls = append(calls, chain.AllowanceOf(token, owner, spender))
		}
	}

	at, words, err := r.words(ctx, networkID, calls)
	if err != nil {
		return at, nil, err
	}

	return at, slices.Collect(slices.Chunk(words, len(spenders))), nil
}

// Limits returns what a payer has set on the network's router, at the newest block.
func (r chainReader) Limits(
	ctx context.Context,
	networkID string,
	payer common.Address,
	tokens []common.Address,
) (transaction.RouterLimits, error) {
	if err := r.sound(ctx, networkID); err != nil {
		return transaction.RouterLimits{}, err
	}

	n, err := network.ByID(ctx, r.db, networkID)
	if err != nil {
		return transaction.RouterLimits{}, err
	}

	to := common.HexToAddress(n.Router())
	calls := []chain.CallMsg{{To: to, Data: contract.Router().PackSignedIntentsOnly(payer)}}

	for _, token := range tokens {
		calls = append(calls, chain.CallMsg{To: to, Data: contract.Router().PackDailyCap(payer, token)})
	}

	block, results, err := r.rail.AtLatest(ctx, networkID, calls...)
	if err != nil {
		return transaction.RouterLimits{}, err
	}

	signed, err := contract.Router().UnpackSignedIntentsOnly(results[0])
	if err != nil {
		return transaction.RouterLimits{}, err
	}

	out := transaction.RouterLimits{
		At:       transaction.Point{Number: int64(block.Number), Hash: block.Hash.Hex()},
		Required: signed.Required,
		ClearsAt: signed.ClearsAt.Int64(),
	}

	for _, result := range results[1:] {
		limit, err := contract.Router().UnpackDailyCap(result)
		if err != nil {
			return transaction.RouterLimits{}, err
		}

		out.Caps = append(out.Caps, limit)
	}

	return out, nil
}

// words returns what calls answer at the newest block, one number each.
func (r chainReader) words(
	ctx context.Context,
	networkID string,
	calls []chain.CallMsg,
) (transaction.Point, []*big.Int, error) {
	block, results, err := r.rail.AtLatest(ctx, networkID, calls...)
	if err != nil {
		return transaction.Point{}, nil, err
	}

	words := make([]*big.Int, len(results))
	for i, result := range results {
		if words[i], err = chain.Word(result); err != nil {
			return transaction.Point{}, nil, err
		}
	}

	return transaction.Point{Number: int64(block.Number), Hash: block.Hash.Hex()}, words, nil
}

// ApproveWouldRevert reports whether the approval would revert. It sends nothing.
func (r chainReader) ApproveWouldRevert(
	ctx context.Context,
	networkID string,
	token, owner common.Address,
	units *big.Int,
) (bool, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return false, err
	}

	n, err := network.ByID(ctx, r.db, networkID)
	if err != nil {
		return false, err
	}

	err = c.Would(ctx, chain.CallMsg{
		From: owner,
		To:   token,
		Data: contract.Token().PackApprove(common.HexToAddress(n.Router()), units),
	})
	if err != nil && chain.Classify(err) == chain.Reverts {
		return true, nil
	}

	return false, err
}

// ChainID returns the network's number.
func (r chainReader) ChainID(networkID string) (*big.Int, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return nil, err
	}

	return c.ChainID(), nil
}

// Head returns the height that enough nodes have reached.
func (r chainReader) Head(ctx context.Context, networkID string) (uint64, error) {
	b, _, err := r.rail.AtLatest(ctx, networkID)
	return b.Number, err
}

// Words simulates calls at one block, on which two nodes agree, and returns the first word that each answers.
func (r chainReader) Words(ctx context.Context, networkID string, reads ...transaction.Read) ([]*big.Int, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return nil, err
	}

	calls := make([]chain.CallMsg, len(reads))
	for i, read := range reads {
		calls[i] = chain.CallMsg{To: read.To, Data: read.Data}
	}

	results, err := c.Calls(ctx, calls...)
	if err != nil {
		return nil, err
	}

	out := make([]*big.Int, len(results))
	for i, result := range results {
		if len(result) < common.HashLength {
			return nil, fmt.Errorf("call %d of %s answers %d bytes", i, networkID, len(result))
		}

		out[i] = new(big.Int).SetBytes(result[:common.HashLength])
	}

	return out, nil
}

// replaced is the status of an attempt that another one of the same nonce was mined or sent instead of.
const replaced = "REPLACED"

// effects returns the sends of transactions as clients see them, by transaction: the wallet's batch, and what the
// treasury has sent for it.
func (r chainReader) effects(
	ctx context.Context,
	q db.Querier,
	all []transaction.Transaction,
) (map[string][]transaction.Effect, error) {
	var throughBank []string
	for _, t := range all {
		if t.Type != transaction.TypeCrypto {
			throughBank = append(throughBank, t.ID)
		}
	}

	treasury, err := outbound.SendKeys(ctx, q, throughBank)
	if err != nil {
		return nil, err
	}

	var keys []string
	for _, t := range all {
		keys = append(keys, effect.BatchOf(t.ID).String())
		keys = append(keys, treasury[t.ID]...)
	}

	sends, err := r.rail.Statuses(ctx, q, keys)
	if err != nil {
		return nil, err
	}

	out := make(map[string][]transaction.Effect, len(all))
	for _, t := range all {
		for _, key := range append([]string{effect.BatchOf(t.ID).String()}, treasury[t.ID]...) {
			if s, ok := sends[key]; ok {
				out[t.ID] = append(out[t.ID], r.attempts(ctx, t.Network, s)...)
			}
		}
	}

	return out, nil
}

// attempts returns the attempts of one send: first the one that counts, which is in a block or the latest, then those
// that it replaces.
func (r chainReader) attempts(ctx context.Context, networkID string, s chain.Status) []transaction.Effect {
	effect := transaction.Effect{
		Network:     s.Network,
		TxHash:      s.Hash,
		Status:      string(s.State),
		BlockHash:   s.BlockHash,
		BlockNumber: max(0, s.Block),
		GasUsed:     s.GasUsed,
		Info:        s.Note,
		Stopped:     s.Stopped,
		StoppedAt:   s.StoppedSince,
	}

	if s.Nonce >= 0 {
		effect.Nonce = &s.Nonce
	}

	if s.Block > 0 {
		effect.Confirmations = max(0, r.head(ctx, networkID)-s.Block+1)
	}

	out := []transaction.Effect{effect}

	for _, a := range s.Attempts {
		if a.Hash != s.Hash {
			out = append(out, transaction.Effect{
				Network:    s.Network,
				TxHash:     a.Hash,
				Nonce:      effect.Nonce,
				Status:     replaced,
				ReplacedBy: s.Hash,
			})
		}
	}

	return out
}

// Call reads from a contract by the rail's own nodes; rates ask it.
func (r chainReader) Call(ctx context.Context, networkID string, to common.Address, data []byte) ([]byte, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return nil, err
	}

	return c.Call(ctx, chain.CallMsg{To: to, Data: data})
}
