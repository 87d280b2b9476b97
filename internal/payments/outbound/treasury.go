package outbound

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// A treasury without enough tokens, or whose approval of the router is used up, ends nothing. Its sends wait, people
// are notified, and the sends continue when the tokens are there. A send ends only if the wallet refuses tokens that
// the treasury has.

// maxRounds limits how many numbers one send may use while the treasury has the tokens and the wallet would accept
// them, because each round costs gas. After that the tokens are kept, and an operator may try again.
const maxRounds = 5

// FundsRetryInterval is the interval at which a send checks a treasury that is short.
const FundsRetryInterval = 30 * time.Second

// treasury is the house's wallet on one network, for one token.
type treasury struct {
	wallet  common.Address // as submit locked it for the transaction
	network network.Network
	token   network.Token
	client  *chain.Client
}

// treasuryOf returns the treasury that sends for a transaction.
func (s *Service) treasuryOf(ctx context.Context, t transaction.Transaction) (treasury, error) {
	n, token, err := network.WithToken(ctx, s.DB, t.Network, t.Token)
	if err != nil {
		return treasury{}, err
	}

	client, err := s.Client(ctx, t.Network)

	return treasury{
		wallet:  common.HexToAddress(t.Treasury),
		network: n,
		token:   token,
		client:  client,
	}, err
}

func (t treasury) router() common.Address { return common.HexToAddress(t.network.Router()) }

// funds reads from the chain what the treasury could send now, at one block, from two nodes where there are two.
func (t treasury) funds(ctx context.Context) (evidence.Funds, error) {
	token := common.HexToAddress(t.token.Address)

	results, err := t.client.Calls(
		ctx,
		chain.BalanceOf(token, t.wallet),
		chain.AllowanceOf(token, t.wallet, t.router()),
	)
	if err != nil {
		return evidence.Funds{}, fmt.Errorf("read funds of the treasury: %w", err)
	}

	var (
		f    evidence.Funds
		errs [2]error
	)

	f.Balance, errs[0] = chain.Word(results[0])
	f.Allowance, errs[1] = chain.Word(results[1])

	if err := errors.Join(errs[:]...); err != nil {
		return f, fmt.Errorf("read funds of the treasury: %w", err)
	}

	return f, nil
}

// accepts asks the chain whether the token would move a send from the treasury now. It only simulates the transfer and
// proves nothing by itself.
func (t treasury) accepts(ctx context.Context, x Effect) (bool, error) {
	out, err := t.client.Call(ctx, chain.CallMsg{
		From: t.router(),
		To:   common.HexToAddress(t.token.Address),
		Data: contract.Token().PackTransferFrom(t.wallet, common.HexToAddress(x.To), x.Amount.Units()),
	})
	if err != nil {
		if chain.Classify(err) == chain.Reverts {
			return false, nil
		}

		return false, fmt.Errorf("ask whether %s takes the tokens: %w", x.To, err)
	}

	return len(out) == 0 || new(big.Int).SetBytes(out).Sign() != 0, nil // some tokens return nothing
}

// shortage returns why the treasury cannot send now, or "" if it can. Planned sends that are not final count as spent:
// the chain may not show them yet.
func (s *Service) shortage(ctx context.Context, tx *db.Tx, x Effect, funds evidence.Funds) (string, error) {
	planned, err := where(ctx, tx, "state = 'PLANNED' AND network = ? AND asset = ?", x.Network, x.Amount.Asset().Code)
	if err != nil {
		return "", err
	}

	needed := x.Amount.Units()
	for _, p := range planned {
		needed.Add(needed, p.Amount.Units())
	}

	return funds.Short(evidence.Treasury(), money.FromUnits(x.Amount.Asset(), needed)), nil
}

// waitForFunds leaves a send wanted and reports each reason once.
func (s *Service) waitForFunds(tx *db.Tx, x Effect, short string) error {
	if x.Info == short {
		return nil
	}

	x.Info = short
	s.alarm(tx, "treasury send waits for funds", x)

	return s.become(tx, &x, Wanted)
}

// resolveRefusal finds out why a send moved nothing, and reports whether it is wanted again. If the treasury is short,
// or the wallet would accept the tokens now, a further round follows with another number, since the receipt proves that
// the last one moved nothing. If the wallet refuses tokens that the treasury has, they are kept for the organisation,
// for example because the wallet is on the token's black list.
func (s *Service) resolveRefusal(ctx context.Context, from treasury, refused Effect) (again bool, err error) {
	funds, err := from.funds(ctx)
	if err != nil {
		return false, fmt.Errorf("send %s: %w", refused.Key, err)
	}

	accepts, err := from.accepts(ctx, refused)
	if err != nil {
		return false, fmt.Errorf("send %s: %w", refused.Key, err)
	}

	short := funds.Short(evidence.Treasury(), refused.Amount) != ""
	again = short || accepts && refused.Round < maxRounds

	return again, s.unlessOvertaken(ctx, refused, func(tx *db.Tx, x Effect) error {
		if again {
			return s.nextRound(tx, x)
		}

		if err := chart.Post(tx, chart.SendKept{Send: x.event(), Round: x.Round}); err != nil {
			return err
		}

		t, err := transaction.ByID(ctx, tx, x.Transaction)
		if err != nil {
			return err
		}

		s.alarm(tx, "wallet refuses the treasury's tokens", x)

		if err := s.become(tx, &x, Kept); err != nil {
			return err
		}

		return s.Moved(ctx, tx, t, x)
	})
}
