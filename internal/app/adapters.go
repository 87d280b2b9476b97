package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net/url"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/cache"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// lateObserver passes the rails' findings to settlement, which is built after them.
type lateObserver struct{ *settlement.Service }

// railAdapter answers what wallets and transactions ask of a chain.
type railAdapter struct {
	rail  *chain.Rail
	db    *db.DB
	heads *cache.Cache[int64]
	sound func(ctx context.Context, networkID string) error
}

// headAge is how old the height may be from which confirmations are counted: it is shown to people, nothing rests on
// it.
const headAge = time.Second

// head is the height of a network's chain, 0 when the node does not say.
func (r railAdapter) head(ctx context.Context, networkID string) int64 {
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

// CodeAt reads the code at an address.
func (r railAdapter) CodeAt(ctx context.Context, networkID string, at common.Address) ([]byte, error) {
	c, err := r.rail.Client(networkID)
	if err != nil {
		return nil, err
	}

	return c.CodeAt(ctx, at)
}

// IsValidSignature asks a contract wallet (EIP-1271).
func (r railAdapter) IsValidSignature(
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

// Funds reads balance and allowance to the router, on a network that was checked.
func (r railAdapter) Funds(
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

// ApproveWouldRevert tries the approval without sending it.
func (r railAdapter) ApproveWouldRevert(
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

// replaced is the status of an attempt that a later one with a higher fee stands in for, or the one that was mined.
const replaced = "REPLACED"

// effects lists the sends of a transaction as clients see them: the wallet's batch, and what the treasury has sent
// for it.
func (r railAdapter) effects(
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

// attempts lists those of one send: first the one that counts, in a block or the latest, then those that it replaces.
func (r railAdapter) attempts(ctx context.Context, q db.Querier, networkID, key string) ([]transaction.Effect, error) {
	s, err := r.rail.Status(ctx, q, key)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}

	if err != nil {
		return nil, err
	}

	e := transaction.Effect{
		Network:     s.Network,
		TxHash:      s.Hash,
		Status:      string(s.State),
		BlockHash:   s.BlockHash,
		BlockNumber: max(0, s.Block),
		GasUsed:     s.GasUsed,
		Info:        s.Note,
	}
	if s.Nonce >= 0 {
		e.Nonce = &s.Nonce
	}

	if s.Block > 0 {
		e.Confirmations = max(0, r.head(ctx, networkID)-s.Block+1)
	}

	out := []transaction.Effect{e}
	for _, a := range s.Attempts {
		if a.Hash != s.Hash {
			out = append(out, transaction.Effect{
				Network:    s.Network,
				TxHash:     a.Hash,
				Nonce:      e.Nonce,
				Status:     replaced,
				ReplacedBy: s.Hash,
			})
		}
	}

	return out, nil
}

func countryOf(ref string) (user.Country, error) {
	c, ok := refdata.All().Country(ref)
	if !ok {
		return user.Country{}, db.ErrNone
	}

	return user.Country{Code: c.Alpha2, View: c.View()}, nil
}

// createSelf gives a new organisation its own receiver, in the transaction that creates it.
func createSelf(ctx context.Context, tx *db.Tx, o organisation.Organisation) error {
	return receiver.CreateSelf(ctx, tx, o.ID, ownOf(o))
}

func renameSelf(ctx context.Context, tx *db.Tx, o organisation.Organisation) error {
	return receiver.RenameSelf(ctx, tx, o.ID, ownOf(o))
}

// ownOf is what the self-receiver takes from its organisation.
func ownOf(o organisation.Organisation) receiver.Own {
	own := receiver.Own{
		Type:      receiver.Company,
		LegalName: o.Name,
		Email:     o.PayablesEmail,
		Country:   o.Country,
		Address:   receiver.Address{AddressLine1: o.AddressLine1, PostCode: o.PostCode, City: o.City},
	}
	if o.Type == organisation.TypeHNWI {
		own.Type = receiver.Individual
		own.FirstName = o.FirstName
		own.LastName = o.LastName
		own.LegalName = ""
	}

	return own
}

func organisationName(ctx context.Context, q db.Querier, id string) (string, error) {
	o, err := organisation.ByID(ctx, q, id)
	return o.Name, err
}

func organisationApproved(ctx context.Context, q db.Querier, id string) error {
	o, err := organisation.ByID(ctx, q, id)
	if err != nil {
		return err
	}

	return o.Approved()
}

// errorsOnly lets warnings and errors through.
type errorsOnly struct{ slog.Handler }

// Enabled is true from Warn on.
func (h errorsOnly) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelWarn && h.Handler.Enabled(ctx, l)
}

// tasks runs the parts of the process together: when one ends with an error, all end.
type tasks struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
}

func newTasks(ctx context.Context) *tasks {
	ctx, cancel := context.WithCancelCause(ctx)
	return &tasks{ctx: ctx, cancel: cancel}
}

func (t *tasks) run(name string, f func(ctx context.Context) error) {
	t.wg.Go(func() {
		if err := f(t.ctx); err != nil && t.ctx.Err() == nil {
			t.cancel(fmt.Errorf("%s: %w", name, err))
		}
	})
}

// wait gives the first error of a part; an end from outside is none.
func (t *tasks) wait() error {
	t.wg.Wait()

	err := context.Cause(t.ctx)
	if errors.Is(err, context.Canceled) {
		return nil
	}

	return err
}

// siteOf is what a text to sign says of where it came from.
func siteOf(base string) wallet.Site {
	u, err := url.Parse(base)
	if err != nil {
		return wallet.Site{}
	}

	return wallet.Site{Host: u.Host, BaseURL: base}
}
