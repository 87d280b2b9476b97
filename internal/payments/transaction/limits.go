package transaction

import (
	"context"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/rails/chain/contract"
)

// RouterLimits is what a payer has set on a router, at one block.
type RouterLimits struct {
	At       Point
	Required bool                      // every batch needs the payer's signature
	ClearsAt int64                     // Unix seconds from which it no longer does; 0: nothing is scheduled
	Caps     []contract.DailyCapOutput // in the order of the tokens that were asked about
}

// LimitsView is what a wallet has set on the router, beside what its organisation's policy wants.
type LimitsView struct {
	Wallet        string          `json:"wallet"`
	Address       string          `json:"address"`
	Network       string          `json:"network"`
	Router        string          `json:"router" doc:"the contract that keeps the limits"`
	Known         bool            `json:"known" doc:"false: the chain could not be asked. What the wallet has set is then null"`
	BlockNumber   *int64          `json:"blockNumber" doc:"the block at which all were read"`
	BlockHash     string          `json:"blockHash,omitempty"`
	ReadAt        *time.Time      `json:"readAt" doc:"when the chain was asked"`
	SignedIntents SignedLimitView `json:"signedIntents" doc:"whether every batch needs the wallet's signature"`
	DailyCaps     []CapView       `json:"dailyCaps" nullable:"false" doc:"one for each token of the network"`
	Calls         []LimitCall     `json:"calls" nullable:"false" doc:"what the wallet sends so that the router holds what the policy wants, one transaction each; empty where it does, and where the chain could not be asked"`
}

// SignedLimitView is whether every batch of a wallet needs its signature.
type SignedLimitView struct {
	Required *bool      `json:"required" doc:"the router pays nothing without"`
	EndsAt   *time.Time `json:"endsAt" doc:"when the router stops requiring it; null where nothing is scheduled"`
	Policy   bool       `json:"policy" doc:"what the organisation's policy wants"`
}

// CapView is what the router may take of a wallet's token in a UTC day. Amounts are in the token's unit.
type CapView struct {
	Token        string     `json:"token"`
	TokenAddress string     `json:"tokenAddress"`
	Decimals     int        `json:"decimals" doc:"of the token's base unit"`
	Limit        *string    `json:"limit" doc:"null: none, or not known" example:"50000.00"`
	SpentToday   *string    `json:"spentToday" doc:"what today used of it; counted since a cap was first set"`
	NextLimit    *string    `json:"nextLimit" example:"80000.00" doc:"what holds from nextFrom on; null with a time: no cap any more"`
	NextFrom     *time.Time `json:"nextFrom" doc:"null where nothing is scheduled: a higher cap holds after 48 hours"`
	Policy       *string    `json:"policy" doc:"the most that the organisation's policy allows; null: it says nothing about the token"`
}

// LimitCall is a call of the router by the wallet. What asks for more holds at once, what asks for less after 48 hours.
type LimitCall struct {
	To      string  `json:"to"`
	Data    string  `json:"data"`
	Value   string  `json:"value"`
	Purpose string  `json:"purpose" enum:"REQUIRE_SIGNATURES,END_SIGNATURES,SET_DAILY_CAP,END_DAILY_CAP" doc:"what the call sets on the router"`
	Token   string  `json:"token,omitempty" doc:"whose cap is set"`
	Amount  *string `json:"amount" doc:"SET_DAILY_CAP: the cap, in the token's unit"`
}

// Limits returns what a wallet of the caller's organisation has set on the router, and the calls that bring it to what
// the organisation's policy wants. It asks the chain, outside of any transaction, and changes nothing.
func (s *Service) Limits(ctx context.Context, walletID string) (LimitsView, error) {
	w, err := wallet.ByID(ctx, s.DB, caller.Of(ctx).Organisation, walletID)
	if err != nil {
		return LimitsView{}, err
	}

	n, err := network.ByID(ctx, s.DB, w.Network)
	if err != nil {
		return LimitsView{}, err
	}

	policy, err := organisation.PolicyOf(ctx, s.DB, w.Organisation)
	if err != nil {
		return LimitsView{}, err
	}

	list, err := tokensWithContract(ctx, s.DB, n.ID)
	if err != nil {
		return LimitsView{}, err
	}

	v := LimitsView{
		Wallet:        w.ID,
		Address:       w.Address,
		Network:       n.ID,
		Router:        common.HexToAddress(n.Router()).Hex(),
		SignedIntents: SignedLimitView{Policy: policy.SignedIntents},
		DailyCaps:     []CapView{},
		Calls:         []LimitCall{},
	}

	set, known, err := s.readLimits(ctx, w, list)
	if err != nil {
		return LimitsView{}, err
	}

	if known {
		at := s.DB.Now().Truncate(time.Millisecond)
		v.Known = true
		v.ReadAt = &at
		v.BlockNumber = &set.At.Number
		v.BlockHash = set.At.Hash
		v.signed(set, policy)
	}

	for i, token := range list {
		most, capped := policy.DailyCaps[token.Code]
		c := CapView{Token: token.Code, TokenAddress: token.Address, Decimals: token.Decimals}

		if capped {
			c.Policy = amountText(most.Rat(), token)
		}

		if known {
			c.set(set.Caps[i], token)
			v.capCall(set.Caps[i], token, most, capped)
		}

		v.DailyCaps = append(v.DailyCaps, c)
	}

	return v, nil
}

// readLimits asks the chain. A chain that does not answer leaves everything unknown.
func (s *Service) readLimits(
	ctx context.Context,
	w wallet.Wallet,
	list []network.Token,
) (set RouterLimits, known bool, err error) {
	if s.Signatures == nil {
		return set, false, nil
	}

	addresses := make([]common.Address, len(list))
	for i, token := range list {
		addresses[i] = common.HexToAddress(token.Address)
	}

	set, err = s.Signatures.Limits(ctx, w.Network, common.HexToAddress(w.Address), addresses)
	if err != nil {
		return set, false, ctx.Err()
	}

	return set, true, nil
}

// signed notes whether signatures are required, and the call that brings that to the policy.
func (v *LimitsView) signed(set RouterLimits, policy organisation.Policy) {
	v.SignedIntents.Required = &set.Required

	if set.ClearsAt != 0 {
		v.SignedIntents.EndsAt = unixTime(set.ClearsAt)
	}

	stays := set.Required && set.ClearsAt == 0

	switch {
	case policy.SignedIntents && !stays:
		v.call("REQUIRE_SIGNATURES", contract.Router().PackSetSignedIntentsOnly(true))
	case !policy.SignedIntents && stays:
		v.call("END_SIGNATURES", contract.Router().PackSetSignedIntentsOnly(false))
	}
}

// set notes a cap as the router has it.
func (c *CapView) set(now contract.DailyCapOutput, token network.Token) {
	spent := money.Format(now.SpentToday, token.Decimals)
	c.SpentToday = &spent
	c.Limit = capText(now.Limit, token)

	if now.NextFrom.Sign() != 0 {
		c.NextLimit = capText(now.NextLimit, token)
		c.NextFrom = unixTime(now.NextFrom.Int64())
	}
}

// capCall adds the call that brings the cap of a token to what the policy allows, unless it is that, or will be.
func (v *LimitsView) capCall(now contract.DailyCapOutput, token network.Token, most money.Amount, capped bool) {
	want := contract.NoCap
	purpose := "END_DAILY_CAP"

	if capped {
		want = unitsBelow(most.Rat(), token)
		purpose = "SET_DAILY_CAP"
	}

	last := now.Limit
	if now.NextFrom.Sign() != 0 {
		last = now.NextLimit
	}

	if last.Cmp(want) == 0 {
		return
	}

	v.call(purpose, contract.Router().PackSetDailyCap(common.HexToAddress(token.Address), want))
	c := &v.Calls[len(v.Calls)-1]
	c.Token = token.Code
	c.Amount = capText(want, token)
}

func (v *LimitsView) call(purpose string, data []byte) {
	v.Calls = append(v.Calls, LimitCall{
		To:      v.Router,
		Data:    hexutil.Encode(data),
		Value:   "0",
		Purpose: purpose,
	})
}

// unitsBelow is an amount in base units of a token, rounded down where the token has fewer decimals than the amount.
func unitsBelow(amount *big.Rat, token network.Token) *big.Int {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(token.Decimals)), nil)
	scale.Mul(scale, amount.Num())

	units := scale.Quo(scale, amount.Denom())
	if units.Cmp(contract.NoCap) >= 0 {
		return new(big.Int).Sub(contract.NoCap, big.NewInt(1))
	}

	return units
}

func amountText(amount *big.Rat, token network.Token) *string {
	text := money.Format(unitsBelow(amount, token), token.Decimals)
	return &text
}

func capText(units *big.Int, token network.Token) *string {
	if units.Cmp(contract.NoCap) >= 0 {
		return nil
	}

	text := money.Format(units, token.Decimals)

	return &text
}

func unixTime(seconds int64) *time.Time {
	at := time.Unix(seconds, 0).UTC()
	return &at
}

func (s *Service) httpLimits(ctx context.Context, in *idIn) (*LimitsView, error) {
	v, err := s.Limits(ctx, in.ID)

	return &v, err
}
