package house

import (
	"context"
	"fmt"
	"math/big"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const checkColumns = "subject, halts, asset, decimals, state, books, outside, low, high, difference, accepted, " +
	"point, height, in_row, note, agreed_at, checked_at, version"

var (
	insertCheck   = db.InsertInto("house_checks", checkColumns)
	insertOpening = db.InsertInto("treasury_openings", "network, token, address, units, block, created_at")
)

type checkRow struct {
	c                         Check
	asset                     string
	decimals                  int64
	books, outside, low, high string
	difference, accepted      string
	agreed, checked           int64
}

func (r *checkRow) dest() []any {
	c := &r.c

	return []any{
		&c.Subject,
		&c.Halts,
		&r.asset,
		&r.decimals,
		(*string)(&c.State),
		&r.books,
		&r.outside,
		&r.low,
		&r.high,
		&r.difference,
		&r.accepted,
		&c.Point,
		&c.Height,
		&c.InRow,
		&c.Note,
		&r.agreed,
		&r.checked,
		&c.Version,
	}
}

func (r *checkRow) check() (Check, error) {
	c := r.c
	c.Asset = money.Asset{Code: r.asset, Decimals: int(r.decimals)}
	c.AgreedAt = db.Time(r.agreed)
	c.CheckedAt = db.Time(r.checked)

	for _, x := range []struct {
		text string
		into **big.Int
	}{
		{r.books, &c.Figures.Books},
		{r.outside, &c.Figures.Outside},
		{r.low, &c.Figures.Low},
		{r.high, &c.Figures.High},
		{r.difference, &c.Difference},
		{r.accepted, &c.Accepted},
	} {
		var err error
		if *x.into, err = money.ParseUnits(x.text); err != nil {
			return c, fmt.Errorf("check of %s: %w", c.Subject, err)
		}
	}

	return c, nil
}

// newCheck is a check before its first check.
func newCheck(tx *db.Tx, subject, halts string, asset money.Asset) Check {
	zero := new(big.Int)

	return Check{
		Subject:    subject,
		Halts:      halts,
		Asset:      asset,
		State:      Unknown,
		Figures:    Figures{Books: zero, Outside: zero, Low: zero, High: zero},
		Difference: zero,
		Accepted:   zero,
		AgreedAt:   tx.Now,
		CheckedAt:  tx.Now,
	}
}

// Checks lists everything that is checked, by subject.
func Checks(ctx context.Context, q db.Querier) ([]Check, error) {
	return checksWhere(ctx, q, "")
}

func checksWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]Check, error) {
	rows, err := db.Select(ctx, q, (*checkRow).dest,
		"SELECT "+checkColumns+" FROM house_checks"+condition+" ORDER BY subject", args...)
	if err != nil {
		return nil, fmt.Errorf("read checks: %w", err)
	}

	return db.Values(rows, (*checkRow).check)
}

func bySubject(ctx context.Context, q db.Querier, subject string) (Check, bool, error) {
	all, err := checksWhere(ctx, q, " WHERE subject = ?", subject)
	if err != nil || len(all) == 0 {
		return Check{}, false, err
	}

	return all[0], true, nil
}

// storeCheck stores a check in place of the version that it was made from.
func storeCheck(tx *db.Tx, c Check) {
	f := c.Figures
	figures := []any{
		f.Books.String(),
		f.Outside.String(),
		f.Low.String(),
		f.High.String(),
		c.Difference.String(),
		c.Accepted.String(),
	}
	rest := []any{c.Point, c.Height, c.InRow, c.Note, db.Micros(c.AgreedAt), db.Micros(c.CheckedAt), c.Version + 1}

	if c.Version == 0 {
		args := []any{c.Subject, c.Halts, c.Asset.Code, int64(c.Asset.Decimals), string(c.State)}
		args = append(args, figures...)
		tx.Insert(insertCheck, append(args, rest...)...)

		return
	}

	args := []any{c.Halts, c.Asset.Code, int64(c.Asset.Decimals), string(c.State)}
	args = append(args, figures...)
	args = append(args, rest...)
	tx.Change(
		"UPDATE house_checks SET halts = ?, asset = ?, decimals = ?, state = ?, books = ?, outside = ?, low = ?, "+
			"high = ?, difference = ?, accepted = ?, point = ?, height = ?, in_row = ?, note = ?, agreed_at = ?, "+
			"checked_at = ?, version = ? WHERE subject = ? AND version = ?",
		append(args, c.Subject, c.Version)...)
}

// opening is what a wallet had of a token when the books first saw it.
type opening struct {
	token, address string
	block          int64
}

func openingsOf(ctx context.Context, q db.Querier, network string) ([]opening, error) {
	out, err := db.Select(
		ctx,
		q,
		func(o *opening) []any { return []any{&o.token, &o.address, &o.block} },
		"SELECT token, address, block FROM treasury_openings WHERE network = ? ORDER BY created_at, token, address",
		network,
	)
	if err != nil {
		return nil, fmt.Errorf("openings of %s: %w", network, err)
	}

	return out, nil
}
