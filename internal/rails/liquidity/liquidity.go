// Package liquidity swaps tokens and fiat with a provider.
//
// What it promises: a key names one order forever. Placing it again, after a crash or a lost answer, returns the same
// order and never creates a second one. An error of Place or Look means that the outcome is unknown. It never means
// that the order failed; ask again with the same key. Only a Result states the outcome of an order.
//
// Read in this order: liquidity.go, providers.go (which of several serves a currency), statement.go (what a provider
// has booked), wire.go (orders as the contract writes them), client.go (the live adapter), sign.go (the signature of
// the contract). docs/reference/liquidity-contract.md is the contract. liquiditysim is a simulated provider.
package liquidity

import (
	"context"
	"errors"
	"math/big"
	"time"
)

// Status is the state of an order.
type Status string

// The statuses, and who acts next.
const (
	Accepted Status = "ACCEPTED" // accepted, but not executed yet: look again
	Filled   Status = "FILLED"   // executed; final
	Rejected Status = "REJECTED" // will never be executed; final
)

// Order requests one swap. Exactly one of SellUnits and BuyUnits is given, the other is nil or zero: the given side is
// fixed, and the provider determines the other one. LimitUnits, if given, is the worst acceptable value of the open
// side: the most that may be sold, or the least that must be bought. A provider that cannot meet it rejects the order.
// Units are base units with the stated decimals.
type Order struct {
	Key                       string // "transaction/<id>/convert/<CUR>": 1 to 200 printable ASCII characters
	Sell, Buy                 string // codes: "USDC", "EUR"
	SellDecimals, BuyDecimals int
	SellUnits, BuyUnits       *big.Int
	LimitUnits                *big.Int
	Network                   string // of the token; its contracts differ from chain to chain
}

// Result is the state of an order. SoldUnits and BoughtUnits are set if it is FILLED.
type Result struct {
	Key                    string
	Status                 Status
	SoldUnits, BoughtUnits *big.Int
	Ref                    string // the provider's own number
	Reason                 string // for a rejection: a code of the contract such as INSUFFICIENT_LIQUIDITY or PRICE
	FilledAt               time.Time
}

// Errors that callers compare with errors.Is.
var (
	// ErrUnknown means no answer, a broken answer or a fault of the provider: the order may have been accepted. Ask
	// again with the same key.
	ErrUnknown = errors.New("it is not known what became of the order")
	// ErrNoOrder is the answer of Look if the provider has no order with the key: Place may be called again with the
	// same key.
	ErrNoOrder = errors.New("the provider has no order with this key")
	// ErrKeyTaken means that the provider has another order with the key. Nothing was done; a person must check.
	ErrKeyTaken = errors.New("the key belongs to another order")
	// ErrRefused means that the provider did not understand the order or may not accept it: nothing was recorded for
	// its key. A person must check.
	ErrRefused = errors.New("the provider refused the order")
)

// Provider swaps assets. Place with the same key returns the same order's result. Look asks without placing. It is safe
// for concurrent use.
type Provider interface {
	Place(ctx context.Context, o Order) (Result, error)
	Look(ctx context.Context, key string) (Result, error)
}
