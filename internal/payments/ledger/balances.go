package ledger

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// The house's own accounts, bank/… and treasury/…, are held against the world every minute, and its stock against each
// quote that draws on it. Their balances are folded along the chain of hashes, so that a check costs what was posted
// since the last one. Verify computes them anew.

// foldPage bounds the links that one write folds, foldPages the writes of one call, and tailMost what a balance adds
// to the folded one.
const (
	foldPage  = 1000
	foldPages = 500
	tailMost  = 5000
)

// ErrUnfolded means that more was posted than is folded: nothing is known of balances until Fold has caught up.
var ErrUnfolded = errors.New("the book is being folded")

// Sums are balances by account and asset.
type Sums map[Account]map[string]*big.Int

// Of returns one balance.
func (s Sums) Of(account Account, asset string) *big.Int {
	if units := s[account][asset]; units != nil {
		return new(big.Int).Set(units)
	}

	return new(big.Int)
}

func (s Sums) add(lines []sumRow) error {
	for _, l := range lines {
		units, err := money.ParseUnits(l.units)
		if err != nil {
			return fmt.Errorf("balance of %s: %w", l.account, err)
		}

		of := s[Account(l.account)]
		if of == nil {
			of = map[string]*big.Int{}
			s[Account(l.account)] = of
		}

		add(of, l.asset, units)
	}

	return nil
}

// Fold adds journals that have got a link since the last call to the balances of the house's accounts, a page in each
// write. Two calls at once do no harm: one of them is db.ErrStale.
func Fold(ctx context.Context, d *db.DB) error {
	for range foldPages {
		more, err := foldOnce(ctx, d)
		if err != nil || !more {
			return err
		}
	}

	return nil
}

func foldOnce(ctx context.Context, d *db.DB) (more bool, err error) {
	if until, newest, err := foldGap(ctx, d); err != nil || until >= newest {
		return false, err // nothing is written where nothing is new
	}

	err = d.Write(ctx, func(tx *db.Tx) error {
		more = false

		from, newest, err := foldGap(ctx, tx)
		if err != nil || from >= newest {
			return err
		}

		until := min(newest, from+foldPage)
		more = until < newest

		lines, err := linkedPostings(ctx, tx, from, until)
		if err != nil {
			return err
		}

		moveFold(tx, from, until)

		return addToBalances(ctx, tx, lines)
	})

	return more, err
}

// foldGap returns up to which link the balances are folded, and the newest link.
func foldGap(ctx context.Context, q db.Querier) (folded, newest int64, err error) {
	if folded, err = foldedUntil(ctx, q); err != nil {
		return 0, 0, err
	}

	last, err := lastSeal(ctx, q)
	if errors.Is(err, db.ErrNone) {
		err = nil
	}

	return folded, last.Seq, err
}

func addToBalances(ctx context.Context, tx *db.Tx, lines []sumRow) error {
	if len(lines) == 0 {
		return nil
	}

	before, err := foldedSums(ctx, tx)
	if err != nil {
		return err
	}

	have := Sums{}
	sums := Sums{}

	changed := Sums{}
	if err := errors.Join(have.add(before), sums.add(before), sums.add(lines), changed.add(lines)); err != nil {
		return err
	}

	for account, assets := range changed {
		for asset := range assets {
			known := have[account][asset] != nil
			writeBalance(tx, account, asset, sums.Of(account, asset), known)
		}
	}

	return nil
}

// HouseBalances returns the balances of the house's own accounts at the querier's moment: what is folded, and what
// was posted since. A journal without a link counts if this service has signed it; keys nil takes all. ErrUnfolded
// when Fold has not been called for long.
func HouseBalances(ctx context.Context, q db.Querier, keys *secret.Keyring, now time.Time) (Sums, error) {
	folded, newest, err := foldGap(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("balances: %w", err)
	}

	if newest-folded > tailMost {
		return nil, fmt.Errorf("%w: %d links are left", ErrUnfolded, newest-folded)
	}

	out := Sums{}
	for _, read := range []func() ([]sumRow, error){
		func() ([]sumRow, error) { return foldedSums(ctx, q) },
		func() ([]sumRow, error) { return linkedPostings(ctx, q, folded, newest) },
		func() ([]sumRow, error) { return unlinkedPostings(ctx, q, keys, now) },
	} {
		lines, err := read()
		if err != nil {
			return nil, fmt.Errorf("balances: %w", err)
		}

		if err := out.add(lines); err != nil {
			return nil, err
		}
	}

	return out, nil
}

// unlinkedPostings reads the postings of the house's accounts in journals that have no link yet: those of the last
// seconds.
func unlinkedPostings(ctx context.Context, q db.Querier, keys *secret.Keyring, now time.Time) ([]sumRow, error) {
	last, err := lastSeal(ctx, q)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return nil, err
	}

	since, err := sealSince(ctx, q, last, now)
	if err != nil {
		return nil, err
	}

	rows, err := unsealed(ctx, q, since, tailMost+1)
	if err != nil || len(rows) == 0 {
		return nil, err
	}

	if len(rows) > tailMost {
		return nil, fmt.Errorf("%w: more than %d journals have no link", ErrUnfolded, tailMost)
	}

	var ids []string

	for _, r := range rows {
		if keys == nil || genuine(keys, signedText(r.Hash), r.Signature) {
			ids = append(ids, r.ID)
		}
	}

	if len(ids) == 0 {
		return nil, nil
	}

	return housePostingsOf(ctx, q, ids)
}

// PostedTo sums what journals with some keys have posted to an account, by asset. Keys without a journal are left out.
func PostedTo(ctx context.Context, q db.Querier, account Account, keys []string) (map[string]*big.Int, error) {
	if len(keys) == 0 {
		return nil, nil
	}

	lines, err := postingsByKey(ctx, q, account, keys)
	if err != nil {
		return nil, fmt.Errorf("postings to %s: %w", account, err)
	}

	sums := Sums{}
	err = sums.add(lines)

	return sums[account], err
}

// checkBalances compares the folded balances with what the links' journals hold.
func (r *Report) checkBalances(ctx context.Context, q db.Querier) error {
	folded, newest, err := foldGap(ctx, q)
	if err != nil {
		return err
	}

	if folded > newest {
		r.fault("balances are folded up to link %d, and the newest one is %d", folded, newest)
	}

	rows, err := foldedSums(ctx, q)
	if err != nil {
		return err
	}

	have := Sums{}
	want := Sums{}

	if err := have.add(rows); err != nil {
		r.fault("%s", err)
	}

	for from := int64(0); from < folded; from += foldPage {
		lines, err := linkedPostings(ctx, q, from, min(folded, from+foldPage))
		if err != nil {
			return err
		}

		_ = want.add(lines) // what is no number is a fault of its journal already
	}

	r.compareSums(have, want)

	return nil
}

func (r *Report) compareSums(have, want Sums) {
	for _, both := range []Sums{have, want} {
		for account, assets := range both {
			for asset := range assets {
				if h, w := have.Of(account, asset), want.Of(account, asset); h.Cmp(w) != 0 {
					r.fault(
						"the folded balance of %s is %s base units of %s, and the journals say %s",
						account,
						h,
						asset,
						w,
					)
				}

				delete(want[account], asset) // named once
			}
		}
	}
}
