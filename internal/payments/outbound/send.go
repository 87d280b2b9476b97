package outbound

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/network"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// The treasury is the house's own wallet on a network. It has approved the router and pays by batches, like every other
// wallet. It sends refunds of what could not be paid, and the deliveries of on-ramps.

// WantSend stores that the treasury is to send tokens to a wallet of a transaction's network, in the write that decides
// so. By then the money is on ConvertClearing.
func (s *Service) WantSend(
	tx *db.Tx,
	t transaction.Transaction,
	key effect.Key,
	position int,
	to string,
	units *big.Int,
) error {
	if units.Sign() <= 0 {
		return fmt.Errorf("sending %s of %s units", key, units)
	}

	s.want(tx, Effect{
		Key:          key,
		Transaction:  t.ID,
		Position:     position,
		Organisation: t.Organisation,
		Network:      t.Network,
		Amount:       money.FromUnits(t.Asset(), units),
		Send:         Send{To: to, Round: 1, Attempt: 1},
	})

	return nil
}

// advanceSend advances a send that waits for this service by one step, and reports whether another step is due now.
//
// For a refused one it first finds out the cause. A wanted one gets its number and is planned. But if the router
// already knows the number, this database is older than the chain and the tokens may have been sent, so a person must
// check. A send stays wanted while screening holds it back, and while the treasury is short. The sweep retries, so it
// continues by itself.
func (s *Service) advanceSend(ctx context.Context, t transaction.Transaction, x Effect) (more bool, err error) {
	from, err := s.treasuryOf(ctx, t)
	if err != nil {
		return false, err
	}

	if x.State == Refused {
		return s.resolveRefusal(ctx, from, x)
	}

	if may, err := s.sendable(ctx, t, x); err != nil || !may {
		return false, err
	}

	number := x.Number
	if number == 0 {
		number = numberOf(t, x.Key, x.Round)
	}

	used, err := evidence.Used(ctx, from.client, from.router(), number)
	if err != nil {
		return false, fmt.Errorf("send %s: %w", x.Key, err) // unknown is not failed: the job asks again
	}

	funds, err := from.funds(ctx)
	if err != nil {
		return false, fmt.Errorf("send %s: %w", x.Key, err)
	}

	planned := false
	short := ""
	err = s.unlessOvertaken(ctx, x, func(tx *db.Tx, x Effect) (err error) {
		planned = false
		x.Number = number

		if used {
			return s.holdUsed(ctx, tx, x)
		}

		if short, err = s.shortage(ctx, tx, x, funds); err != nil {
			return err
		}

		if short != "" {
			return s.waitForFunds(tx, x, short)
		}

		planned = true

		return s.planAtRail(ctx, tx, t, from, x)
	})
	failpoint.Hit("treasury.planned")

	if err == nil && short != "" {
		return false, fmt.Errorf("send %s: %w: %s", x.Key, ErrShort, short)
	}

	return planned, err
}

// holdUsed holds a send whose number the router has carried out although nothing here sent it.
func (s *Service) holdUsed(ctx context.Context, tx *db.Tx, x Effect) error {
	t, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil {
		return err
	}

	return s.unclear(ctx, tx, x, t, evidence.UsedBefore)
}

// planAtRail plans a send with the rail. The first attempt moves its amount to clearing, where it stays until an
// attempt is final.
func (s *Service) planAtRail(ctx context.Context, tx *db.Tx, t transaction.Transaction, from treasury, x Effect) error {
	data, err := contract.EncodePay(batchOf(x, t, from.token))
	if err != nil {
		return fmt.Errorf("encode %s: %w", x.Key, err)
	}

	if x.Attempt == 1 {
		if err := chart.Post(tx, chart.SendBegun{Send: x.event()}); err != nil {
			return err
		}
	}

	x.Info = ""
	if err := s.become(tx, &x, Planned); err != nil {
		return err
	}

	err = s.Rail.Plan(tx, chain.Send{
		Key:     x.RailKey(),
		Network: t.Network,
		To:      from.router(),
		Data:    data,
		Object:  t.ID,
	})
	if err != nil {
		return err
	}

	now, err := transaction.ByID(ctx, tx, x.Transaction)
	if err != nil {
		return err
	}

	return s.Moved(ctx, tx, now, x)
}

// numberOf returns the router's number of a send in a round. It follows from the send's purpose. So a database restored
// from a backup makes the same number, and the router refuses what was already sent after that backup.
//
// The first round of a delivery uses its transaction's number, which was fixed with the draft and is used for no pull.
// Every other send uses 63 bits of its key's hash. A collision is less likely than one in 10,000 after ten million of
// them; the second send would be refused and a person would check.
func numberOf(t transaction.Transaction, key effect.Key, round int64) int64 {
	name := key.String()
	if round > 1 {
		name = fmt.Sprintf("%s/round/%d", name, round)
	} else if key.Word == effect.Delivery {
		return t.Number
	}

	sum := sha256.Sum256([]byte("slipway/number/" + name))

	return int64(binary.BigEndian.Uint64(sum[:8]) >> 1)
}

// batchOf returns a send as a batch for the router. The payer is the treasury that submit locked for the transaction.
func batchOf(x Effect, t transaction.Transaction, token network.Token) contract.Batch {
	return contract.Batch{
		Payer:  common.HexToAddress(t.Treasury),
		Token:  common.HexToAddress(token.Address),
		Number: big.NewInt(x.Number),
		Legs:   []contract.Leg{{To: common.HexToAddress(x.To), Amount: x.Amount.Units()}},
	}
}

// sendable reports whether screening lets the treasury send to the wallet of a send. One that it does not permit stays
// wanted and the sweep retries it; until then the house keeps the tokens.
func (s *Service) sendable(ctx context.Context, t transaction.Transaction, x Effect) (bool, error) {
	o, err := s.Screening.Ask(ctx, analysis.Inquiry{
		Organisation: t.Organisation,
		Object:       t.ID,
		Content:      x.Key.String(),
		Purpose:      analysis.ForSending,
		Parties: func() ([]analysis.Party, error) {
			return []analysis.Party{{Network: x.Network, Address: x.To}}, nil
		},
	})
	if err != nil {
		return false, fmt.Errorf("screen %s before sending: %w", x.Key, err)
	}

	if !o.Clear() {
		s.Log.ErrorContext(ctx, "treasury send held by screening", "effect", x.Key.String(), "why", o.Why())
	}

	return o.Clear(), nil
}

// Stop ends a send of which nothing is under way, in the write that reverses its cause. Its amount is on
// ConvertClearing then, as before it was planned.
func (s *Service) Stop(tx *db.Tx, x Effect, why string) error {
	if x.Attempt > 1 || x.State == Refused { // the first attempt moved it
		if err := chart.Post(tx, chart.SendStopped{Send: x.event()}); err != nil {
			return err
		}
	}

	x.Number = 0
	x.Info = why

	return s.become(tx, &x, Failed)
}

// SendAgain wants a kept send again, under another number.
func (s *Service) SendAgain(tx *db.Tx, x Effect) error {
	if err := chart.Post(tx, chart.SendRetried{SendKept: chart.SendKept{Send: x.event(), Round: x.Round}}); err != nil {
		return err
	}

	return s.nextRound(tx, x)
}
