package bookkeeping

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Method is which tokens leave a wallet first, and so at which cost.
type Method string

// The methods. Both are cost formulas of IAS 2.25 and of § 256 HGB.
const (
	// FIFO is first in, first out.
	FIFO Method = "FIFO"
	// Average is the moving average: each acquisition makes one lot of all that is there.
	Average Method = "AVERAGE"
)

// Settings are how an organisation values what its book has.
type Settings struct {
	// Method is empty in months that were closed before there were lots: wallets have the rates of their days.
	Method Method `json:"method"`
	// FeesInCost counts the fees of a purchase as cost of the tokens, and not as expense (IAS 2.10, § 255 Abs. 1 HGB,
	// 26 CFR 1.1012-1(h)).
	FeesInCost bool `json:"feesInCost"`
	// RevalueTokens values tokens anew at each month's end.
	RevalueTokens bool `json:"revalueTokens"`
	// RevalueCurrencies values money in foreign currencies anew at each month's end.
	RevalueCurrencies bool `json:"revalueCurrencies"`
}

// Defaults returns the settings of organisations that have set none. Lots leave first in, first out, since that is the
// one rule that needs no choice to be declared (26 CFR 1.1012-1(j)(3)). Money in foreign currencies is valued anew (IAS
// 21.23, § 256a HGB). Tokens are not: as intangible assets they stay at cost (IAS 38.74, § 253 Abs. 1 HGB), and a gain
// that is not realised is none.
func Defaults() Settings {
	return Settings{Method: FIFO, FeesInCost: true, RevalueCurrencies: true}
}

// Set replaces the settings of the caller's book. They act on open months alone. A second call with the same settings
// changes nothing.
func (s *Service) Set(ctx context.Context, to Settings, done func(*db.Tx, Settings) error) error {
	var l fault.List

	if to.Method != FIFO && to.Method != Average {
		l.Add("/costMethod", fault.NotInEnum, "must be FIFO or AVERAGE.")
	}

	if err := l.Err(); err != nil {
		return err
	}

	org := caller.Of(ctx).Organisation

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		was, err := SettingsOf(ctx, tx, org)
		if err != nil {
			return err
		}

		if was != to {
			if err := replaceSettings(tx, org, to); err != nil {
				return err
			}

			trail.Audit(ctx, tx, org, "bookkeeping.settings", org, "")
		}

		return done(tx, to)
	})
}
