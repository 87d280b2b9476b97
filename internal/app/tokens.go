package app

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/halt"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/chain"
)

const (
	tokenJob      = "tokens" // compares the directory's tokens with the chains
	tokenInterval = time.Hour
	tokenCause    = "token/" // begins the cause of a halt; the token's code follows
	nodeTimeout   = 10 * time.Second
)

// guard decides which addresses of nodes operators may name.
func (a *App) guard() *network.Guard { return &network.Guard{AllowPrivate: a.outside.PrivateNodes} }

// tokenContract reads a token's contract. A network of the configuration is asked through the nodes that stand there,
// another one through those of its record, whose addresses are checked when they are called.
func (a *App) tokenContract(ctx context.Context, n network.Network, address string) (network.Contract, error) {
	c, err := a.Rail.Client(n.ID)
	if errors.Is(err, chain.ErrUnknownNetwork) {
		c, err = a.recordedNodes(n)
		if err == nil {
			defer c.Close()
		}
	}

	if err != nil {
		return network.Contract{}, err
	}

	f, err := c.TokenFacts(ctx, common.HexToAddress(address))

	return network.Contract{Code: f.Code, Decimals: f.Decimals, Symbol: f.Symbol}, err
}

// recordedNodes returns a client of the nodes that a network's record names.
func (a *App) recordedNodes(n network.Network) (*chain.Client, error) {
	urls := n.NodeURLs()
	if len(urls) == 0 || n.ChainID == 0 {
		return nil, network.ErrNoNode
	}

	return chain.NewClient(chain.ClientConfig{
		ChainID:   big.NewInt(n.ChainID),
		URLs:      urls,
		Timeout:   nodeTimeout,
		Transport: a.guard().Client(nodeTimeout).Transport,
		Log:       a.Log,
	})
}

// configuredNetwork reports whether the configuration names a network.
func (a *App) configuredNetwork(id string) bool {
	return slices.ContainsFunc(a.outside.Networks, func(n Network) bool { return n.Record.ID == id })
}

// checkTokens compares every token of the networks that are paid on with its contract. A network is halted while one
// differs, and goes on when all agree again: operators have put the record right, or the contract is what it was. Nodes
// that do not answer prove nothing.
func (a *App) checkTokens(ctx context.Context) error {
	var errs []error

	for _, n := range a.outside.Networks {
		if err := a.checkTokensOf(ctx, n.Record.ID); err != nil {
			errs = append(errs, fmt.Errorf("tokens of network %s: %w", n.Record.ID, err))
		}
	}

	return errors.Join(errs...)
}

func (a *App) checkTokensOf(ctx context.Context, networkID string) error {
	n, err := network.ByID(ctx, a.DB, networkID)
	if err != nil {
		return err
	}

	tokens, err := network.Tokens(ctx, a.DB, networkID)
	if err != nil {
		return err
	}

	var errs []error

	for _, t := range tokens {
		if err := a.checkToken(ctx, n, t); err != nil {
			errs = append(errs, err)
		}
	}

	return errors.Join(append(errs, a.liftRemoved(ctx, networkID, tokens))...)
}

// checkToken compares one token with its contract, and halts or lifts what follows from it.
func (a *App) checkToken(ctx context.Context, n network.Network, t network.Token) error {
	if t.Address == "" {
		return nil
	}

	c, err := a.tokenContract(ctx, n, t.Address)
	if err != nil {
		return fmt.Errorf("%s at %s: %w", t.Code, t.Address, err)
	}

	why := t.Differs(c)

	return a.DB.Write(ctx, func(tx *db.Tx) error {
		now, err := network.TokenOn(ctx, tx, n.ID, t.Code)
		if err != nil || now != t {
			return nil //nolint:nilerr // it was changed meanwhile: what changed it asks for another check
		}

		if why != "" {
			return a.haltForToken(ctx, tx, n.ID, t.Code, why)
		}

		if t.Symbol == "" && c.Symbol != "" {
			network.SetSymbol(tx, n.ID, t, c.Symbol)
		}

		return a.liftForToken(ctx, tx, n.ID, tokenCause+t.Code, "the chain shows what is recorded")
	})
}

// haltForToken stops new sends on a network, and tells people once.
func (a *App) haltForToken(ctx context.Context, tx *db.Tx, networkID, code, why string) error {
	fresh, err := halt.Set(ctx, tx, chain.HaltName(networkID), tokenCause+code, why)
	if err != nil || !fresh {
		return err
	}

	trail.Audit(ctx, tx, "", "network.halted", networkID, why)
	tx.OnCommit(func() {
		a.Log.Error("a token is not what is recorded: the network is halted", "network", networkID, "why", why)
	})

	return nil
}

func (a *App) liftForToken(ctx context.Context, tx *db.Tx, networkID, cause, why string) error {
	ended, err := halt.Lift(tx, chain.HaltName(networkID), cause)
	if err != nil || !ended {
		return err
	}

	trail.Audit(ctx, tx, "", "network.lifted", networkID, cause+": "+why)
	tx.OnCommit(func() { a.Log.Warn("halt lifted", "network", networkID, "cause", cause, "why", why) })

	return nil
}

// liftRemoved ends the halts of tokens that are recorded no more.
func (a *App) liftRemoved(ctx context.Context, networkID string, tokens []network.Token) error {
	halts, err := a.tokenHalts(ctx, networkID)
	if err != nil {
		return err
	}

	for _, h := range halts {
		code := strings.TrimPrefix(h.Cause, tokenCause)
		if slices.ContainsFunc(tokens, func(t network.Token) bool { return t.Code == code }) {
			continue
		}

		if err := a.DB.Write(ctx, func(tx *db.Tx) error {
			return a.liftForToken(ctx, tx, networkID, h.Cause, "it is recorded no more")
		}); err != nil {
			return err
		}
	}

	return nil
}

// tokenHalts returns the halts of a network because of its tokens.
func (a *App) tokenHalts(ctx context.Context, networkID string) ([]halt.Halt, error) {
	all, err := halt.All(ctx, a.DB)

	return slices.DeleteFunc(all, func(h halt.Halt) bool {
		return h.Name != chain.HaltName(networkID) || !strings.HasPrefix(h.Cause, tokenCause)
	}), err
}

// tokensHold returns why nothing may be submitted on a network because of its tokens, or nil.
func (a *App) tokensHold(ctx context.Context, networkID string) error {
	halts, err := a.tokenHalts(ctx, networkID)
	if err != nil || len(halts) == 0 {
		return err
	}

	return fmt.Errorf("network %s: %w: %s", networkID, halt.ErrHalted, halts[0].Reason)
}

// tokenSends returns the open sends of a network that are of transactions in a token.
func (a *App) tokenSends(ctx context.Context, q db.Querier, networkID, code string) ([]chain.OpenSend, error) {
	all, err := a.Rail.OpenSends(ctx, q, networkID)
	if err != nil {
		return nil, err
	}

	out := all[:0]

	for _, s := range all {
		t, err := transaction.ByID(ctx, q, s.Object)
		if err != nil && !errors.Is(err, db.ErrNone) {
			return nil, err
		}

		if err == nil && t.Token == code {
			out = append(out, s)
		}
	}

	return out, nil
}

// tokenSending reports whether something that was signed in a token is on its way.
func (a *App) tokenSending(ctx context.Context, q db.Querier, networkID, code string) (bool, error) {
	all, err := a.tokenSends(ctx, q, networkID, code)

	return slices.ContainsFunc(all, func(s chain.OpenSend) bool { return !s.Unsigned }), err
}

// withdrawToken takes back what is planned in a token and was never signed.
func (a *App) withdrawToken(ctx context.Context, tx *db.Tx, networkID, code string) error {
	all, err := a.tokenSends(ctx, tx, networkID, code)
	if err != nil {
		return err
	}

	for _, s := range all {
		if err := a.Rail.Withdraw(ctx, tx, s.Key, "the decimals of "+code+" were put right"); err != nil {
			return err
		}
	}

	return nil
}
