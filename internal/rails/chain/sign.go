package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/halt"
)

// takeNonces assigns the next nonces to all sends in one write.
func (l *lane) takeNonces(ctx context.Context, sends []sendRow) error {
	first := l.row.next

	err := l.write(ctx, func(tx *db.Tx) error {
		if err := halt.Check(ctx, tx, HaltName(l.net.ID)); err != nil {
			return err
		}

		takeNonces(tx, l.net.ID, l.address, first, first+int64(len(sends)))

		for i, s := range sends {
			noteNonced(tx, s, first+int64(i))
		}

		return nil
	})
	if err != nil {
		return fmt.Errorf("take nonces from %d: %w", first, err)
	}

	l.row.next = first + int64(len(sends))

	for i := range sends {
		sends[i].Nonce = first + int64(i)
		sends[i].State = StateNonced
		delete(l.reverts, sends[i].ID)
	}

	failpoint.Hit("chain.nonce_taken")

	return nil
}

// resume continues what an interrupted round left: nonces without bytes, and bytes that may never have been sent.
func (l *lane) resume(ctx context.Context, v view) error {
	left, err := l.inState(ctx, l.net.Batch, StateNonced, StateSigned)
	if err != nil || len(left) == 0 {
		return err
	}

	byID, err := attempts(ctx, l.r.db, left)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	var (
		unsigned []sendRow
		unsent   []outgoing
	)

	for _, s := range left {
		if s.State == StateNonced {
			unsigned = append(unsigned, s)
		} else if list := byID[s.ID]; len(list) > 0 {
			unsent = append(unsent, stored(s, list[len(list)-1]))
		}
	}

	if err := l.broadcast(ctx, v, unsent, ""); err != nil {
		return err
	}

	if len(unsigned) == 0 {
		l.waitsForSigner = ""
		return nil
	}

	tip, feeCap, ok := price(v, l.net.MaxFeePerGasWei)
	if l.successor != "" || l.row.frozen != "" || !ok {
		return nil
	}

	return l.signAndSend(ctx, unsigned, tip, feeCap)
}

func stored(s sendRow, a attemptRow) outgoing {
	return outgoing{
		row:    s,
		number: a.Number,
		hash:   common.HexToHash(a.Hash),
		raw:    a.Raw,
		tip:    number(a.Tip),
		feeCap: number(a.FeeCap),
	}
}

// signAndSend signs outside any transaction, stores all bytes in one write, and only then broadcasts them. If the
// signer does not sign all of them, the others are sent.
func (l *lane) signAndSend(ctx context.Context, sends []sendRow, tip, feeCap *big.Int) error {
	before, err := attempts(ctx, l.r.db, sends)
	if err != nil {
		return fmt.Errorf("read attempts: %w", err)
	}

	out, unsigned := l.signAll(ctx, sends, before, tip, feeCap)
	failpoint.Hit("chain.signed_unsaved")

	if len(out) == 0 {
		return unsigned
	}

	err = l.write(ctx, func(tx *db.Tx) error {
		for _, o := range out {
			saveAttempt(tx, o)
			noteSigned(tx, o.row)
		}

		return nil
	})
	if err != nil {
		return fmt.Errorf("store signed bytes: %w", err)
	}

	for i := range out {
		out[i].row.State = StateSigned
	}

	failpoint.Hit("chain.saved_unsent")

	return errors.Join(unsigned, l.broadcast(ctx, view{}, out, "chain.sent_unmarked"))
}

// signAll asks the signer for the next attempt of each send. It returns those that were signed, and an error about the
// others.
func (l *lane) signAll(
	ctx context.Context,
	sends []sendRow,
	before map[string][]attemptRow,
	tip, feeCap *big.Int,
) ([]outgoing, error) {
	l.waitsForSigner = ""
	waits := ""

	var out []outgoing

	for _, s := range sends {
		o, err := l.signAttempt(ctx, s, tip, feeCap)
		if err != nil {
			more, err := l.handleUnsigned(ctx, s, err)

			waits = cmp.Or(waits, l.waitsForSigner)
			if !more || err != nil {
				l.waitsForSigner = waits
				return out, err
			}

			continue
		}

		if list := before[s.ID]; len(list) > 0 { // it was released from hold: continue its attempt numbers
			o.number = list[len(list)-1].Number + 1
		}

		out = append(out, o)
	}

	l.waitsForSigner = waits

	return out, nil
}

// signAttempt signs the first attempt of a send.
func (l *lane) signAttempt(ctx context.Context, s sendRow, tip, feeCap *big.Int) (outgoing, error) {
	to := common.HexToAddress(s.To)

	tx := types.NewTx(&types.DynamicFeeTx{
		ChainID:   l.net.ChainID,
		Nonce:     uint64(s.Nonce),
		To:        &to,
		Value:     number(s.Value),
		Data:      s.Data,
		Gas:       uint64(s.GasLimit),
		GasTipCap: tip,
		GasFeeCap: feeCap,
	})

	got, err := sign(ctx, l.net.Signer, tx, l.net.ChainID)
	if err != nil {
		return outgoing{}, fmt.Errorf("sign %s with nonce %d: %w", s.Key, s.Nonce, err)
	}

	raw, err := got.MarshalBinary()
	if err != nil {
		return outgoing{}, fmt.Errorf("encode %s: %w", s.Key, err)
	}

	return outgoing{
		row:    s,
		number: 1,
		hash:   got.Hash(),
		raw:    raw,
		tip:    tip,
		feeCap: feeCap,
	}, nil
}
