package house

import (
	"context"
	"errors"
	"math/big"

	"slipway/internal/payments/ledger"
	"slipway/internal/payments/reconcile"
	"slipway/internal/platform/db"
)

// checkAccount compares an account at a bank with its newest statement, at one moment of this database.
func (s *Service) checkAccount(ctx context.Context, a Account) error {
	var l reading

	err := s.DB.Snapshot(ctx, func(q db.Querier) error {
		l = reading{excess: true}

		standing, err := s.Standing(ctx, q, a.ID)
		if err != nil {
			return err
		}

		sums, err := ledger.HouseBalances(ctx, q, s.Keys, s.DB.Now())
		if err != nil {
			return err
		}

		unmatched, err := reconcile.Unmatched(ctx, q, a.ID)
		if err != nil {
			return err
		}

		l.point = standing.Statement
		l.figures = standing.figures(sums.Of(ledger.BankAccount(a.ID), a.Asset.Code), unmatched)

		return nil
	})

	if errors.Is(err, ErrNothing) {
		return nil
	}

	l.err = err

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		return s.record(ctx, tx, "bank/"+a.ID, s.AccountHalt(a.ID), a.Asset, l)
	})
	if errors.Is(err, db.ErrStale) || db.IsUnique(err, "house_checks") {
		return nil // another process has checked at the same time
	}

	return err
}

// figures are what the books have of an account against what its statements have moved. From the books is taken what
// no statement tells of yet, and to them is added what a statement tells of and they do not have: returns that wait
// for their payout, deposits that are being matched. What is doubted may be in the books or not.
func (b Standing) figures(books, unmatched *big.Int) Figures {
	by := new(big.Int).Sub(books, b.Advised)
	by.Add(by, b.Waiting)
	by.Add(by, unmatched)

	return Figures{
		Books:   books,
		Outside: b.Moved,
		Low:     new(big.Int).Sub(by, b.DoubtedOut),
		High:    by.Add(by, b.DoubtedIn),
	}
}
