package app

import (
	"context"
	"errors"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
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

// replaced is the status of an attempt that another one of the same nonce was mined or sent instead of.
const replaced = "REPLACED"

// effects returns the sends of a transaction as clients see them: the wallet's batch, and what the treasury has sent
// for it.
func (r chainReader) effects(
	ctx context.Context,
	q db.Querier,
	t transaction.Transaction,
) ([]transaction.Effect, error) {
	out, err := r.attempts(ctx, q, t.Network, t.SendKey())
	if err != nil || t.Type == transaction.TypeCrypto {
		return out, err
	}

	keys, err := settlement.SendKeys(ctx, q, t.ID)
	for _, key := range keys {
		more, err := r.attempts(ctx, q, t.Network, key)
		if err != nil {
			return nil, err
		}

		out = append(out, more...)
	}

	return out, err
}

// attempts returns the attempts of one send: first the one that counts, which is in a block or the latest, then those
// that it replaces.
func (r chainReader) attempts(ctx context.Context, q db.Querier, networkID, key string) ([]transaction.Effect, error) {
	s, err := r.rail.Status(ctx, q, key)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}

	if err != nil {
		return nil, err
	}

	effect := transaction.Effect{
		Network:     s.Network,
		TxHash:      s.Hash,
		Status:      string(s.State),
		BlockHash:   s.BlockHash,
		BlockNumber: max(0, s.Block),
		GasUsed:     s.GasUsed,
		Info:        s.Note,
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

	return out, nil
}

// Call reads from a contract by the rail's own nodes; rates ask it.
func (r chainReader) Call(ctx context.Context, networkID string, to common.Address, data []byte) ([]byte, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return nil, err
	}

	return c.Call(ctx, chain.CallMsg{To: to, Data: data})
}
