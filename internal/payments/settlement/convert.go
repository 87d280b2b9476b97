package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/words"
	"slipway/internal/rails/liquidity"
)

// ConversionState is the state of an order to a liquidity provider.
type ConversionState string

// The states of a conversion. ASKED is stored before the first call: from then on the order may have been carried out.
const (
	ConversionAsked    ConversionState = "ASKED"
	ConversionFilled   ConversionState = "FILLED"
	ConversionRejected ConversionState = "REJECTED"
)

// Conversion is one order to a liquidity provider. Sell and Buy are the amounts of the locked quote; Sold and Bought
// are what the provider carried out. Nobody but its provider is ever asked about it, whatever the configuration says
// later: another one knows nothing of the order and would carry it out once more.
type Conversion struct {
	Key, Transaction string
	Provider         string // by its name in the configuration
	Sell, Buy        money.Amount
	State            ConversionState
	Sold, Bought     *big.Int // of FILLED
	Ref, Info        string
	AskedAt, DoneAt  time.Time
}

// slackPercent is by how many percent the provider's price may be worse than the locked quote. Up to that the house
// bears the difference. Beyond it the order is rejected and the customer gets everything back.
const slackPercent = 1

// orderRetryInterval is how long to wait before asking again about an order that the provider has accepted and not yet
// carried out.
const orderRetryInterval = 2 * time.Second

// errOrderPending reports that an order has no final state yet; the job retries.
var errOrderPending = errors.New("the order is still open")

// exchange is what is sold and what is to be bought for it.
type exchange struct{ sell, buy money.Amount }

// orders returns the conversions that a transaction needs, in the order of its currencies, each with the provider that
// serves its currency at present. They are stored before a provider is called.
func (s *Service) orders(state State, exchanges map[string]exchange) []Conversion {
	known := map[string]bool{}
	for _, c := range state.Conversions {
		known[c.Key] = true
	}

	var out []Conversion
	for _, currency := range state.Currencies {
		key := effect.ConversionOf(state.T.ID, currency).String()
		if known[key] {
			continue
		}

		x := exchanges[currency]
		out = append(out, Conversion{
			Key:         key,
			Transaction: state.T.ID,
			Provider:    s.Liquidity.For(currency),
			Sell:        x.sell,
			Buy:         x.buy,
		})
	}

	return out
}

// convert stores the orders that are missing, then calls the provider for every order without a final state. It calls
// outside of any write and under the order's own key, so a second call is harmless. Unknown is not an answer: the
// transaction becomes UNCERTAIN and the job asks again.
func (s *Service) convert(
	ctx context.Context,
	state State,
	write func(tx *db.Tx, t transaction.Transaction) ([]Conversion, error),
) error {
	if state.missesOrder() && state.T.Status == transaction.StatusProcess {
		err := s.DB.Write(ctx, func(tx *db.Tx) error {
			t, err := transaction.ByID(ctx, tx, state.T.ID)
			if err != nil || t.Version != state.T.Version {
				return err // the next run decides on the state that is stored then
			}

			missing, err := write(tx, t)
			for _, c := range missing {
				insertConversion(tx, c)
			}

			return err
		})
		if db.IsUnique(err, "conversions") {
			err = nil
		}

		if err != nil {
			return fmt.Errorf("store orders of %s: %w", state.T.ID, err)
		}

		failpoint.Hit("convert.asked")
	}

	all, err := conversionsOf(ctx, s.DB, state.T.ID)
	if err != nil {
		return err
	}

	var errs []error
	for _, c := range all {
		if c.State == ConversionAsked {
			errs = append(errs, s.order(ctx, c, state.T.Network))
		}
	}

	err = errors.Join(errs...)
	if err != nil && !onlyWaiting(errs) {
		return errors.Join(err, s.markUncertain(ctx, state.T.ID))
	}

	return err
}

func onlyWaiting(errs []error) bool {
	for _, err := range errs {
		if err != nil && !errors.Is(err, errOrderPending) {
			return false
		}
	}

	return true
}

// order asks the order's own provider about it and records its final state. It looks the order up first, because it may
// have been placed and carried out before.
func (s *Service) order(ctx context.Context, c Conversion, network string) error {
	provider := s.Liquidity.By(c.Provider)

	r, err := provider.Look(ctx, c.Key)
	if errors.Is(err, liquidity.ErrNoOrder) {
		r, err = provider.Place(ctx, orderOf(c, network))
	}

	failpoint.Hit("convert.answered")

	if err != nil {
		return fmt.Errorf("order %s: %w", c.Key, err)
	}

	if r.Key != "" && r.Key != c.Key {
		return fmt.Errorf("order %s: the provider answered for %s", c.Key, r.Key)
	}

	switch r.Status {
	case liquidity.Filled:
		if why := mismatch(c, r); why != "" {
			return fmt.Errorf("order %s: %s", c.Key, why)
		}

		err = s.DB.Write(ctx, func(tx *db.Tx) error {
			endConversion(tx, c.Key, ConversionFilled, r.SoldUnits, r.BoughtUnits, r.Ref, "")
			return nil
		})

	case liquidity.Rejected:
		err = s.DB.Write(ctx, func(tx *db.Tx) error {
			endConversion(tx, c.Key, ConversionRejected, new(big.Int), new(big.Int), r.Ref, r.Reason)
			return nil
		})

	default:
		return fmt.Errorf("order %s: %w", c.Key, errOrderPending)
	}

	if errors.Is(err, db.ErrStale) {
		return nil // another run has recorded it
	}

	failpoint.Hit("convert.recorded")

	return err
}

// orderOf returns a conversion as an order for the provider. Into fiat, the fiat amount is fixed: it is what the payees
// get. Out of fiat, the deposit is fixed. The order depends only on the stored row, so every call sends the same one.
func orderOf(c Conversion, network string) liquidity.Order {
	o := liquidity.Order{
		Key:          c.Key,
		Sell:         c.Sell.Asset().Code,
		Buy:          c.Buy.Asset().Code,
		SellDecimals: c.Sell.Asset().Decimals,
		BuyDecimals:  c.Buy.Asset().Decimals,
		Network:      network,
	}
	if fiatBought(c) {
		o.BuyUnits = c.Buy.Units()
	} else {
		o.SellUnits = c.Sell.Units()
	}

	o.LimitUnits = limitOf(c)

	return o
}

// limitOf returns the worst acceptable value of the open side of a conversion.
func limitOf(c Conversion) *big.Int {
	if fiatBought(c) {
		return percent(c.Sell.Units(), 100+slackPercent)
	}

	return percent(c.Buy.Units(), 100-slackPercent)
}

// fiatBought reports whether a conversion is into fiat. Tokens have more decimals than any currency of ISO 4217.
func fiatBought(c Conversion) bool { return c.Buy.Asset().Decimals < c.Sell.Asset().Decimals }

func percent(units *big.Int, n int64) *big.Int {
	out := new(big.Int).Mul(units, big.NewInt(n))
	return out.Quo(out, big.NewInt(100))
}

// mismatch returns why a filled order differs from what was ordered, or "" if it does not.
func mismatch(c Conversion, r liquidity.Result) string {
	switch {
	case r.SoldUnits == nil || r.BoughtUnits == nil || r.SoldUnits.Sign() <= 0 || r.BoughtUnits.Sign() <= 0:
		return "the provider reports it filled without amounts"
	case fiatBought(c) && r.BoughtUnits.Cmp(c.Buy.Units()) != 0:
		return "the provider bought another amount than ordered"
	case !fiatBought(c) && r.SoldUnits.Cmp(c.Sell.Units()) != 0:
		return "the provider sold another amount than ordered"
	case fiatBought(c) && r.SoldUnits.Cmp(limitOf(c)) > 0 || !fiatBought(c) && r.BoughtUnits.Cmp(limitOf(c)) < 0:
		return "the provider carried it out beyond its limit"
	}

	return ""
}

var unknownOrder = words.Phrase(
	"It is not known yet whether the conversion was carried out; the provider is being asked again.",
)

// markUncertain records, once, that the outcome of an order is unknown.
func (s *Service) markUncertain(ctx context.Context, transactionID string) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		t, err := transaction.ByID(ctx, tx, transactionID)
		if err != nil || t.Status != transaction.StatusProcess || t.Settlement == transaction.SettlementUncertain {
			return err
		}

		return s.hold(ctx, tx, t, unknownOrder)
	})
}
