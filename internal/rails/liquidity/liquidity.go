// Package liquidity swaps tokens and fiat with a provider.
//
// What it promises: a key names one order for ever; whoever places it again, after a crash or a lost answer, gets the
// same order back and never a second one. An error of Place or Look means that the outcome is not known: it is never
// a failure of the order, and the remedy is always to ask again under the same key. Only a Result says what became of
// an order.
//
// Read in this order: liquidity.go, client.go (the live adapter), sign.go (the signature of the contract).
// docs/reference/liquidity-contract.md is the contract; liquiditysim is a provider of it with books of its own.
package liquidity

import (
	"context"
	"errors"
	"math/big"
	"time"
)

// Status is what became of an order.
type Status string

// The statuses, and who acts next.
const (
	Accepted Status = "ACCEPTED" // taken, not carried out yet: look again
	Filled   Status = "FILLED"   // carried out; final
	Rejected Status = "REJECTED" // will never be carried out; final
)

// Order asks for one swap. Exactly one of SellUnits and BuyUnits is given (the other is nil or zero): the fixed side;
// the provider says the other one. LimitUnits, if given, is the worst outcome of the open side: the most that may be
// sold, or the least that must be bought; a provider that cannot keep it rejects. Units are base units with the
// stated decimals.
type Order struct {
	Key                       string // "transaction/<id>/convert/<CUR>": 1 to 200 printable ASCII characters
	Sell, Buy                 string // codes: "USDC", "EUR"
	SellDecimals, BuyDecimals int
	SellUnits, BuyUnits       *big.Int
	LimitUnits                *big.Int
	Network                   string // of the token; its contracts differ from chain to chain
}

// Result is how an order stands. SoldUnits and BoughtUnits are set when it is FILLED.
type Result struct {
	Key                    string
	Status                 Status
	SoldUnits, BoughtUnits *big.Int
	Ref                    string // the provider's own number
	Reason                 string // of a rejection: a word of the contract such as INSUFFICIENT_LIQUIDITY or PRICE
	FilledAt               time.Time
}

// Errors that callers compare with errors.Is.
var (
	// ErrUnknown is silence, a broken answer or a provider's fault: the order may have been taken. Ask again under
	// the same key.
	ErrUnknown = errors.New("it is not known what became of the order")
	// ErrNoOrder is Look's answer for a key under which the provider holds nothing: Place may be tried again, with
	// the same key.
	ErrNoOrder = errors.New("the provider holds no order under this key")
	// ErrKeyTaken is a key under which the provider holds another order. Nothing was done; a person must look.
	ErrKeyTaken = errors.New("the key belongs to another order")
	// ErrRefused is an order the provider did not understand or may not take: nothing was recorded under its key. A
	// person must look.
	ErrRefused = errors.New("the provider did not take the order")
)

// Provider swaps. Place with the same key again gives the same order's result; Look asks without placing. Safe for
// concurrent use.
type Provider interface {
	Place(ctx context.Context, o Order) (Result, error)
	Look(ctx context.Context, key string) (Result, error)
}
