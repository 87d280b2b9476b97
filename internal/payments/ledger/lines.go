package ledger

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// Line is a posting as people see it.
type Line struct {
	Journal, Kind, Account, Asset, Units, Memo string
	At                                         time.Time
}

// OfTransaction returns the postings of one transaction, in the order they were written.
func OfTransaction(ctx context.Context, q db.Querier, transaction string) ([]Line, error) {
	return linesFrom(linesOf(ctx, q, transaction, ""))
}

// OfTenant returns the postings of one transaction as its organisation may see them. For another organisation's
// transaction it returns none.
func OfTenant(ctx context.Context, q db.Querier, organisation, transaction string) ([]Line, error) {
	return linesFrom(linesOf(ctx, q, transaction, " AND j.organisation = ?", organisation))
}

func linesFrom(rows []lineRow, err error) ([]Line, error) {
	out := make([]Line, len(rows))
	for i, r := range rows {
		out[i] = r.line
		out[i].At = db.Time(r.at)
	}

	return out, err
}

// BalanceOf returns the sum of an account for one asset.
func BalanceOf(ctx context.Context, q db.Querier, account Account, asset money.Asset) (money.Amount, error) {
	lines, err := postingsOfAccount(ctx, q, account)
	sum := new(big.Int)

	for _, l := range lines {
		if l.Asset != asset.Code {
			continue
		}

		units, err := money.ParseUnits(l.Units)
		if err != nil {
			line := fmt.Sprintf("journal %s line %d", l.Journal, l.Line)
			return money.Zero(asset), fmt.Errorf("balance of %s: %s: %w", account, line, err)
		}

		sum.Add(sum, units)
	}

	return money.FromUnits(asset, sum), err
}
