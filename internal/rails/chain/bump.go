package chain

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
)

// Limits of repeating and raising.
const (
	perRepeat   = 256 // sends broadcast again in one round
	perBump     = 16  // sends whose fee is raised in one round: those at the front block the rest
	maxAttempts = 24  // of one send; 1.125^23 is fifteen times the first fee
	blocksStuck = 2   // blocks that must pass without it
)

// repeat broadcasts the same bytes again if a node lacks them, and otherwise from time to time.
func (l *lane) repeat(ctx context.Context, v view) error {
	rows, err := l.between(ctx, perRepeat, int64(v.mined), 1<<62, StateSent)
	if err != nil {
		return fmt.Errorf("read sent: %w", err)
	}

	now := l.r.db.Now()

	var due []sendRow
	for _, s := range rows {
		last, ok := l.sentAt[s.ID]

		lacking := uint64(s.Nonce) >= v.pending && since(now, last) >= 2*l.net.Poll
		if !ok || lacking || since(now, last) >= repeatAfter {
			due = append(due, s)
		}
	}

	if len(due) == 0 {
		return nil
	}

	all, err := attempts(ctx, l.r.db, due)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	out := make([]outgoing, 0, len(due))
	for _, s := range due {
		if list := all[s.ID]; len(list) > 0 {
			out = append(out, stored(s, list[len(list)-1]))
		}
	}

	return l.broadcast(ctx, v, out, "")
}

// bump raises the fee of the sends at the front of the queue that get into no block: another attempt with the same
// nonce, recipient, value and data. The earlier attempts stay candidates.
func (l *lane) bump(ctx context.Context, v view) error {
	l.stuck = ""
	if !l.compared || l.row.frozen != "" {
		return nil
	}

	rows, err := l.between(ctx, perBump, int64(v.mined), 1<<62, StateSent)
	if err != nil || len(rows) == 0 {
		return err
	}

	all, err := attempts(ctx, l.r.db, rows)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	now := l.r.db.Now()
	if front := db.Time(rows[0].CreatedAt); since(now, front) >= l.net.AlertAfter {
		l.stuck = fmt.Sprintf("nonce %d has been in no block since %s", rows[0].Nonce, front.UTC().Format(time.RFC3339))
	}

	var out []outgoing
	for _, s := range rows {
		list := all[s.ID]
		if len(list) == 0 || uint64(s.Nonce) != v.mined+uint64(len(out)) {
			break // only the front of the queue without a gap
		}

		on, known := l.sentOn[s.ID]
		if !known || on > v.head.Number { // a head that went back, or was invented
			l.sentOn[s.ID] = v.head.Number
			break
		}

		last := list[len(list)-1]
		if since(now, db.Time(last.CreatedAt)) < l.net.StuckAfter || v.head.Number < on+blocksStuck {
			break
		}

		if len(list) >= maxAttempts {
			l.stuck = fmt.Sprintf("nonce %d is stuck after %d attempts", s.Nonce, len(list))
			break
		}

		tip, feeCap, ok := raised(number(last.Tip), number(last.FeeCap), v, l.net.MaxFeePerGasWei)
		if !ok {
			l.stuck = fmt.Sprintf(
				"nonce %d is stuck at %s wei per gas and cannot be raised: the ceiling is %s",
				s.Nonce,
				last.FeeCap,
				l.net.MaxFeePerGasWei,
			)

			break
		}

		o, err := l.raise(ctx, s, last, tip, feeCap)
		if err != nil {
			return err
		}

		out = append(out, o)
	}

	if len(out) == 0 {
		return nil
	}

	return l.sendRaised(ctx, v, out)
}

func (l *lane) sendRaised(ctx context.Context, v view, out []outgoing) error {
	failpoint.Hit("chain.bump_signed")

	err := l.write(ctx, func(tx *db.Tx) error {
		for _, o := range out {
			saveAttempt(tx, o)
			noteRaised(tx, o.row)
		}

		return nil
	})
	if err != nil {
		return fmt.Errorf("store raised attempts: %w", err)
	}

	for _, o := range out {
		delete(l.sentOn, o.row.ID) // its blocks count from now
	}

	l.counts.bumps.Add(int64(len(out)))

	return l.broadcast(ctx, v, out, "chain.bump_sent")
}

// raise signs the latest stored attempt again with other fees. It reads the transaction from the stored bytes, not from
// the row.
func (l *lane) raise(ctx context.Context, s sendRow, last attemptRow, tip, feeCap *big.Int) (outgoing, error) {
	old := new(types.Transaction)
	if err := old.UnmarshalBinary(last.Raw); err != nil {
		return outgoing{}, fmt.Errorf("stored bytes of %s: %w", s.Key, err)
	}

	if to := old.To(); to == nil || *to != common.HexToAddress(s.To) || old.Nonce() != uint64(s.Nonce) {
		return outgoing{}, fmt.Errorf("the stored bytes of %s belong to another send", s.Key)
	}

	row := s
	row.Data = old.Data()
	row.Value = old.Value().String()
	row.GasLimit = int64(old.Gas())
	o, err := l.signAttempt(ctx, row, tip, feeCap)
	o.row = s
	o.number = last.Number + 1

	return o, err
}

// raised returns the fees of the next attempt: both at least an eighth more than the last ones, as pools require, and
// at least the market price. ok is false if the ceiling does not allow the eighth.
func raised(tip, feeCap *big.Int, v view, ceiling *big.Int) (newTip, newCap *big.Int, ok bool) {
	newTip = plusEighth(tip)

	newCap = plusEighth(feeCap)
	if newCap.Cmp(ceiling) > 0 {
		return nil, nil, false
	}

	if v.tip.Cmp(newTip) > 0 {
		newTip.Set(v.tip)
	}

	market := new(big.Int).Add(new(big.Int).Mul(v.head.BaseFee, big.NewInt(2)), newTip)
	if market.Cmp(ceiling) > 0 {
		market.Set(ceiling)
	}

	if market.Cmp(newCap) > 0 {
		newCap.Set(market)
	}

	if newTip.Cmp(newCap) > 0 {
		newTip.Set(newCap)
	}

	return newTip, newCap, newTip.Cmp(plusEighth(tip)) >= 0
}

// plusEighth returns 112.5 % of x, rounded up.
func plusEighth(x *big.Int) *big.Int {
	y := new(big.Int).Mul(x, big.NewInt(9))
	y.Add(y, big.NewInt(7))
	return y.Rsh(y, 3)
}
