package liquidity

import (
	"fmt"
	"math/big"
	"time"
)

// PathOrders is the path for placing orders and reading them.
const PathOrders = "/v1/orders"

// The codes with which a provider refuses a request; see docs/reference/liquidity-contract.md.
const (
	CodeNoOrder   = "NO_ORDER"
	CodeKeyTaken  = "KEY_TAKEN"
	CodeInvalid   = "INVALID_ORDER"
	CodeSignature = "BAD_SIGNATURE"

	CodeNoStatement = "NO_STATEMENT"
)

// Reasons of a rejected order.
const (
	ReasonPrice     = "PRICE"                  // the limit cannot be met
	ReasonLiquidity = "INSUFFICIENT_LIQUIDITY" // the provider does not have that much
	ReasonPair      = "PAIR_NOT_TRADED"
	ReasonOther     = "OTHER"
)

// maxUnitDigits limits the digits of base units.
const maxUnitDigits = 60

// Leg is one side of an order. Units is digits of base units; empty for the open side.
type Leg struct {
	Asset    string `json:"asset"`
	Decimals int    `json:"decimals"`
	Units    string `json:"units,omitempty"`
}

// WireOrder is the body of POST /v1/orders.
type WireOrder struct {
	Key     string `json:"key"`
	Network string `json:"network,omitempty"` // of the token among the two assets
	Sell    Leg    `json:"sell"`
	Buy     Leg    `json:"buy"`
	Limit   string `json:"limit,omitempty"` // of the open side, in its base units
}

// WireResult is the answer to both requests: the order with its outcome.
type WireResult struct {
	WireOrder
	Status   Status     `json:"status"`
	Ref      string     `json:"ref"`
	Sold     string     `json:"sold,omitempty"`
	Bought   string     `json:"bought,omitempty"`
	Reason   string     `json:"reason,omitempty"`
	FilledAt *time.Time `json:"filledAt,omitempty"`
}

// WireFault is the body of a refusal.
type WireFault struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// wire returns an order as it is sent.
func (o Order) wire() WireOrder {
	w := WireOrder{
		Key:     o.Key,
		Network: o.Network,
		Sell:    Leg{Asset: o.Sell, Decimals: o.SellDecimals},
		Buy:     Leg{Asset: o.Buy, Decimals: o.BuyDecimals},
	}
	if o.SellUnits != nil && o.SellUnits.Sign() > 0 {
		w.Sell.Units = o.SellUnits.String()
	}

	if o.BuyUnits != nil && o.BuyUnits.Sign() > 0 {
		w.Buy.Units = o.BuyUnits.String()
	}

	if o.LimitUnits != nil {
		w.Limit = o.LimitUnits.String()
	}

	return w
}

// Check returns what no provider could understand.
func (w WireOrder) Check() error {
	if w.Key == "" || len(w.Key) > maxKey {
		return fmt.Errorf("a key has 1 to %d characters", maxKey)
	}

	for i := range len(w.Key) {
		if w.Key[i] < '!' || w.Key[i] > '~' {
			return fmt.Errorf("a key is printable ASCII without spaces")
		}
	}

	for _, l := range []Leg{w.Sell, w.Buy} {
		if l.Asset == "" || len(l.Asset) > 16 || l.Decimals < 0 || l.Decimals > 36 {
			return fmt.Errorf("a side needs an asset and 0 to 36 decimals")
		}

		if l.Units != "" {
			if _, err := units(l.Units); err != nil {
				return err
			}
		}
	}

	if (w.Sell.Units == "") == (w.Buy.Units == "") {
		return fmt.Errorf("exactly one side is fixed")
	}

	if w.Sell.Asset == w.Buy.Asset {
		return fmt.Errorf("%s for %s is not a swap", w.Sell.Asset, w.Buy.Asset)
	}

	if w.Limit != "" {
		if _, err := units(w.Limit); err != nil {
			return err
		}
	}

	return nil
}

// units parses a positive number of base units.
func units(s string) (*big.Int, error) {
	if s == "" || len(s) > maxUnitDigits || s[0] == '0' {
		return nil, fmt.Errorf("%.70q is not a number of base units", s)
	}

	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return nil, fmt.Errorf("%.70q is not a number of base units", s)
		}
	}

	n, _ := new(big.Int).SetString(s, 10)

	return n, nil
}

// result parses an answer and refuses one that contradicts itself.
func (w WireResult) result() (Result, error) {
	r := Result{Key: w.Key, Status: w.Status, Ref: w.Ref, Reason: w.Reason}
	switch w.Status {
	case Accepted, Rejected:
		return r, nil
	case Filled:
	default:
		return r, fmt.Errorf("%.40q is not a status", w.Status)
	}

	var err error
	if r.SoldUnits, err = units(w.Sold); err != nil {
		return r, fmt.Errorf("sold: %w", err)
	}

	if r.BoughtUnits, err = units(w.Bought); err != nil {
		return r, fmt.Errorf("bought: %w", err)
	}

	if w.Sell.Units != "" && w.Sell.Units != w.Sold || w.Buy.Units != "" && w.Buy.Units != w.Bought {
		return r, fmt.Errorf("the fixed side was changed")
	}

	if w.FilledAt != nil {
		r.FilledAt = w.FilledAt.UTC()
	}

	return r, nil
}
