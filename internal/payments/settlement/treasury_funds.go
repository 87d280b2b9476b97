package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// A treasury without enough tokens, or whose approval of the router is used up, ends nothing. Its sendings wait, people
// are notified, and the sendings continue when the tokens are there. A sending ends only if the wallet refuses tokens
// that the treasury has.

// maxRounds limits how many numbers one sending may use while the treasury has the tokens and the wallet would accept
// them, because each round costs gas. After that the tokens are kept, and an operator may try again.
const maxRounds = 5

// fundsRetryInterval is the interval at which a sending checks a treasury that is short.
const fundsRetryInterval = 30 * time.Second

// errTreasuryShort reports that a sending waits for funds of the treasury; its job retries.
var errTreasuryShort = errors.New("the treasury is short")

// treasury is the house's wallet on one network, for one token.
type treasury struct {
	wallet  common.Address // as submit locked it for the transaction
	network network.Network
	token   network.Token
	client  *chain.Client
}

// treasuryOf returns the treasury that sends for a transaction.
func (s *Service) treasuryOf(ctx context.Context, t transaction.Transaction) (treasury, error) {
	n, token, err := s.networkAndToken(ctx, s.DB, t)
	if err != nil {
		return treasury{}, err
	}

	client, err := s.client(ctx, t.Network)

	return treasury{
		wallet:  common.HexToAddress(t.Treasury),
		network: n,
		token:   token,
		client:  client,
	}, err
}

func (t treasury) router() common.Address  { return common.HexToAddress(t.network.Router()) }
func (t treasury) address() common.Address { return t.wallet }

// treasuryFunds is the treasury's balance of a token, and how much of it the router may move.
type treasuryFunds struct{ balance, allowance *big.Int }

// funds reads from the chain what the treasury could send now, at one block, from two nodes where there are two.
func (t treasury) funds(ctx context.Context) (f treasuryFunds, err error) {
	token := common.HexToAddress(t.token.Address)

	results, err := t.client.Calls(
		ctx,
		chain.BalanceOf(token, t.address()),
		chain.AllowanceOf(token, t.address(), t.router()),
	)
	if err != nil {
		return f, fmt.Errorf("read funds of the treasury: %w", err)
	}

	f.balance, err = chain.Word(results[0])
	if err == nil {
		f.allowance, err = chain.Word(results[1])
	}

	if err != nil {
		return f, fmt.Errorf("read funds of the treasury: %w", err)
	}

	return f, nil
}

// accepts asks the chain whether the token would move a leg from the treasury now. It only simulates the transfer and
// proves nothing by itself.
func (t treasury) accepts(ctx context.Context, l leg) (bool, error) {
	out, err := t.client.Call(ctx, chain.CallMsg{
		From: t.router(),
		To:   common.HexToAddress(t.token.Address),
		Data: contract.Token().PackTransferFrom(t.address(), common.HexToAddress(l.To), l.amount()),
	})
	if err != nil {
		if chain.Classify(err) == chain.Reverts {
			return false, nil
		}

		return false, fmt.Errorf("ask whether %s takes the tokens: %w", l.To, err)
	}

	return len(out) == 0 || new(big.Int).SetBytes(out).Sign() != 0, nil // some tokens return nothing
}

// shortage returns why the treasury cannot send now, or "" if it can. Planned sendings that are not final count as
// spent: the chain may not show them yet.
func (s *Service) shortage(ctx context.Context, tx *db.Tx, x TreasurySend, funds treasuryFunds) (string, error) {
	planned, err := sendsWhere(ctx, tx, "state = 'PLANNED' AND network = ? AND token = ?", x.Network, x.Token)
	if err != nil {
		return "", err
	}

	needed := new(big.Int).Set(x.Units)
	for _, p := range planned {
		needed.Add(needed, p.Units)
	}

	amount := money.FromUnits(x.amount().Asset(), needed)

	return treasuryFunding.shortage(funds.balance, funds.allowance, amount), nil
}

// waitForFunds leaves a sending wanted and reports each reason once.
func (s *Service) waitForFunds(tx *db.Tx, x TreasurySend, short string) {
	if x.Info == short {
		return
	}

	x.Info = short
	moveSend(tx, x, SendWanted)
	s.alarm(tx, "treasury send waits for funds", "sending", x.Key, "network", x.Network, "why", short)
}

// sendRefused records that a sending was carried out and moved nothing: its number is used up and nothing arrived.
// Whether the treasury was short or the wallet refuses is checked outside of this write.
func (s *Service) sendRefused(
	ctx context.Context,
	tx *db.Tx,
	x TreasurySend,
	t transaction.Transaction,
	why string,
) error {
	x.Info = why
	moveSend(tx, x, SendRefused)
	s.alarm(tx, "treasury send moved nothing", "sending", x.Key, "why", why)
	s.enqueueStep(tx, x.Transaction)

	if x.Key.Word != effect.Delivery {
		return nil // a refund that is not final is under way, whatever its attempts do
	}

	return s.advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: unlessReturned(t, transaction.SettlementHeld),
		Info:       words.Phrase("The tokens did not arrive yet; they are sent again."),
		What:       "held",
	})
}

// resolveRefusal finds out why a sending moved nothing, and reports whether it is wanted again. If the treasury is
// short, or the wallet would accept the tokens now, a further round follows with another number, since the receipt
// proves that the last one moved nothing. If the wallet refuses tokens that the treasury has, the sending ends and the
// tokens are kept.
func (s *Service) resolveRefusal(ctx context.Context, from treasury, refused TreasurySend) (again bool, err error) {
	funds, err := from.funds(ctx)
	if err != nil {
		return false, fmt.Errorf("sending %s: %w", refused.Key, err)
	}

	short := treasuryFunding.shortage(funds.balance, funds.allowance, refused.amount()) != ""

	accepts := true
	for _, l := range refused.Legs {
		ok, err := from.accepts(ctx, l)
		if err != nil {
			return false, fmt.Errorf("sending %s: %w", refused.Key, err)
		}

		accepts = accepts && ok
	}

	again = short || accepts && refused.Round < maxRounds

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		x, err := sendByKey(ctx, tx, refused.Key)
		if err != nil || x.State != SendRefused || x.Version != refused.Version {
			return err // another run was first
		}

		if again {
			nextRound(tx, x)
			return nil
		}

		t, err := transaction.ByID(ctx, tx, x.Transaction)
		if err != nil {
			return err
		}

		return s.undeliverable(ctx, tx, x, t)
	})

	return again, ignoreStale(err)
}

// nextRound requests a sending again under another number.
func nextRound(tx *db.Tx, x TreasurySend) {
	next := x
	next.Round++
	next.Attempt++
	next.Number = 0
	next.Info = ""
	moveSend(tx, next, SendWanted)
}

// undeliverable keeps for the organisation what the token would not move to its wallet, for example because the wallet
// is on the token's black list.
func (s *Service) undeliverable(ctx context.Context, tx *db.Tx, x TreasurySend, t transaction.Transaction) error {
	if err := chart.Post(tx, chart.SendKept{Send: x.event(), Round: x.Round}); err != nil {
		return err
	}

	moveSend(tx, x, SendFailed)
	s.alarm(tx, "wallet refuses the treasury's tokens", "sending", x.Key, "why", x.Info)

	if x.Key.Word == effect.Delivery {
		return s.advance(ctx, tx, t, transaction.Step{
			Status:     t.Status,
			Settlement: unlessReturned(t, transaction.SettlementHeld),
			Info:       words.Phrase("The wallet refuses the tokens; they are kept for you: %s", x.Info),
			What:       "held",
		})
	}

	if err := s.returnEnded(ctx, tx, t, x, ReturnRefunding, ReturnFailed); err != nil {
		return err
	}

	return s.progress(ctx, tx, t)
}

// Shortages returns, by network, why refunds and deliveries wait for tokens of the treasury, each reason once.
func Shortages(ctx context.Context, q db.Querier) (map[string][]string, error) {
	waiting, err := sendsWhere(ctx, q, "state = 'WANTED' AND info <> '' ORDER BY updated_at LIMIT ?", int64(sweepPage))
	out := map[string][]string{}

	for _, x := range waiting {
		if why := words.English(x.Info); !slices.Contains(out[x.Network], why) {
			out[x.Network] = append(out[x.Network], why)
		}
	}

	return out, err
}

// retry moves one kept sending back to "under way" and requests it again.
func (s *Service) retry(ctx context.Context, tx *db.Tx, t transaction.Transaction, x TreasurySend) error {
	if err := chart.Post(tx, chart.SendRetried{SendKept: chart.SendKept{Send: x.event(), Round: x.Round}}); err != nil {
		return err
	}

	nextRound(tx, x)

	return s.returnEnded(ctx, tx, t, x, ReturnFailed, ReturnRefunding)
}

// stopSend ends a sending of which nothing is under way, in the write that reverses its cause. Its amount is on
// ConvertClearing then, as before it was planned.
func (s *Service) stopSend(tx *db.Tx, x TreasurySend, why string) error {
	if x.Attempt > 1 || x.State == SendRefused { // the first attempt moved it
		if err := chart.Post(tx, chart.SendStopped{Send: x.event()}); err != nil {
			return err
		}
	}

	x.Number = 0
	x.Info = why
	moveSend(tx, x, SendFailed)

	return nil
}
