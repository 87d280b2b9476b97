package safetx

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/rails/safeservice"
	"slipway/internal/standards/safe"
)

// Limits of one round with Safe's transaction services.
const (
	followed  = 30 * 24 * time.Hour // a SafeTx older than that is followed no more
	mostRound = 200
)

// Sync brings what owners have confirmed here to the notice board of Safe's transaction service, and takes from there
// what they have confirmed elsewhere. Every signature is judged against the chain as if somebody had handed it in; the
// service is believed nothing. A service that is busy is asked in a later round.
func (s *Service) Sync(ctx context.Context) error {
	if len(s.deps.Boards) == 0 {
		return nil
	}

	all, err := followable(ctx, s.deps.DB, s.deps.DB.Now().Add(-followed))
	if err != nil {
		return err
	}

	var errs []error
	for _, t := range all {
		board := s.deps.Boards[t.Network]
		if board == nil {
			continue
		}

		err := s.syncOne(ctx, board, t)
		if err != nil && !errors.Is(err, safeservice.ErrBusy) && !fault.Is(err, fault.NotFoundCode) {
			errs = append(errs, err)
		}
	}

	return errors.Join(errs...)
}

// followable returns the newest SafeTx since a time, of every organisation.
func followable(ctx context.Context, q db.Querier, since time.Time) ([]Transaction, error) {
	return transactionTable.Select(
		ctx,
		q,
		"WHERE created_at > ? ORDER BY id DESC LIMIT ?",
		db.Micros(since),
		int64(mostRound),
	)
}

// syncOne compares one SafeTx with the board.
func (s *Service) syncOne(ctx context.Context, board *safeservice.Client, t Transaction) error {
	w, n, err := s.wallet(ctx, t.Organisation, t.Wallet)
	if err != nil {
		return err
	}

	state, ok, err := s.read(ctx, w)
	if err != nil || !ok || uint64(t.Nonce) < state.Nonce {
		return err
	}

	ours, err := confirmationsOf(ctx, s.deps.DB, []Transaction{t})
	if err != nil {
		return err
	}

	theirs, err := board.Confirmations(ctx, t.Hash)
	if errors.Is(err, safeservice.ErrUnknown) {
		return s.propose(ctx, board, t, state, ours[t.Hash])
	}

	if err != nil {
		return err
	}

	for _, c := range ours[t.Hash] {
		if state.Owns(common.HexToAddress(c.Owner)) && !slices.ContainsFunc(theirs, sameAs(c.Signature)) {
			if err := board.Confirm(ctx, t.Hash, c.Signature); err != nil && !errors.Is(err, safeservice.ErrRefused) {
				return err
			}
		}
	}

	return s.take(ctx, w, n, t, state, theirs)
}

func sameAs(signature string) func(string) bool {
	return func(other string) bool { return strings.EqualFold(other, signature) }
}

// propose shows a SafeTx on the board: in the name of the first owner who has confirmed it here by a key, or else of
// the network's delegate. Without either it is shown when an owner has confirmed.
func (s *Service) propose(
	ctx context.Context,
	board *safeservice.Client,
	t Transaction,
	state safe.State,
	confirmed []Confirmation,
) error {
	p := safeservice.Proposal{
		Safe:      t.Account,
		To:        t.To,
		Data:      t.Data,
		Operation: t.Operation,
		Nonce:     t.Nonce,
		Hash:      t.Hash,
		Origin:    "Slipway",
	}

	for _, c := range confirmed {
		byKey := c.Kind == string(safe.ByKey) || c.Kind == string(safe.ByEthSign)
		if !byKey || !state.Owns(common.HexToAddress(c.Owner)) {
			continue
		}

		p.Sender = c.Owner
		p.Signature = c.Signature

		return board.Propose(ctx, p)
	}

	done, err := board.ProposeByDelegate(ctx, p)
	if err == nil && done {
		s.deps.Log.DebugContext(ctx, "the delegate has proposed a SafeTx", "wallet", t.Wallet, "safeTxHash", t.Hash)
	}

	return err
}

// take records those signatures of the board that owners have made. Others are no news: a board may say anything.
func (s *Service) take(
	ctx context.Context,
	w wallet.Wallet,
	n network.Network,
	t Transaction,
	state safe.State,
	signatures []string,
) error {
	var good []safe.Confirmation

	for _, text := range signatures {
		raw, err := hexutil.Decode(text)
		if err != nil {
			continue
		}

		c, err := s.judge(ctx, n, t, state, raw)
		if _, refused := fault.As(err); refused && !fault.Is(err, fault.UpstreamFailed) {
			s.deps.Log.DebugContext(ctx, "a board's signature is no owner's", "wallet", w.ID, "safeTxHash", t.Hash)
			continue
		}

		if err != nil {
			return err
		}

		good = append(good, c)
	}

	if len(good) == 0 {
		return nil
	}

	return s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		for _, c := range good {
			if err := s.record(ctx, tx, t, c, FromService); err != nil {
				return err
			}
		}

		return nil
	})
}
