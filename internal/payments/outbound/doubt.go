package outbound

import (
	"context"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/directory/network"
	"slipway/internal/payments/evidence"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// doubt records that a send was refused as a whole. This attempt moved nothing. Whether an earlier attempt did, or one
// of a lost database, only the router can answer: its number is used or not. The sweep has it asked.
func (s *Service) doubt(tx *db.Tx, x *Effect, why string) error {
	x.Info = why
	s.alarm(tx, "treasury send refused", *x)

	return s.become(tx, x, Doubtful)
}

// unclear records that a person must find out what a send has done.
func (s *Service) unclear(ctx context.Context, tx *db.Tx, x Effect, t transaction.Transaction, why string) error {
	if err := s.doubt(tx, &x, why); err != nil {
		return err
	}

	return s.Moved(ctx, tx, t, x)
}

// AskRouter has the router asked about sends that have been in doubt since before a moment, at most limit of them.
func (s *Service) AskRouter(ctx context.Context, before int64, limit int) error {
	doubtful, err := where(
		ctx,
		s.DB,
		"state = 'DOUBTFUL' AND updated_at < ? ORDER BY updated_at LIMIT ?",
		before,
		int64(limit),
	)

	errs := []error{err}
	for _, x := range doubtful {
		errs = append(errs, s.resolve(ctx, x))
	}

	return errors.Join(errs...)
}

// resolve asks the router whether a doubtful send's number was used. If not, and the last attempt is over, it makes a
// further attempt with the same number, so at most one of them can pay. If it was used, a person must check.
func (s *Service) resolve(ctx context.Context, x Effect) error {
	n, err := network.ByID(ctx, s.DB, x.Network)
	if err != nil {
		return fmt.Errorf("network of %s: %w", x.Key, err)
	}

	client, err := s.Client(ctx, x.Network)
	if err != nil {
		return err
	}

	used, err := evidence.Used(ctx, client, common.HexToAddress(n.Router()), x.Number)
	if err != nil {
		return fmt.Errorf("send %s: %w", x.Key, err)
	}

	if used {
		return nil // a person has been notified
	}

	return s.unlessOvertaken(ctx, x, func(tx *db.Tx, x Effect) error {
		over, err := evidence.Over(ctx, s.Rail, tx, x.RailKey())
		if err != nil || !over {
			return err
		}

		x.Attempt++
		x.Info = ""
		s.Proceed(tx, x.Transaction)

		return s.become(tx, &x, Wanted)
	})
}
