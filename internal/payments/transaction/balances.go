package transaction

import (
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
)

// Point is the block at which something was read from a chain.
type Point struct {
	Number int64
	Hash   string
}

// Holding is what a wallet has of one token, and what it has approved of it to the router, in base units.
type Holding struct {
	Balance, Allowance *big.Int
}

// BalancesView is what a wallet holds, by token. Nothing is added up over tokens.
type BalancesView struct {
	Wallet      string        `json:"wallet"`
	Address     string        `json:"address"`
	Network     string        `json:"network"`
	Known       bool          `json:"known" doc:"false: the chain could not be asked. Amounts are then null, which is not zero; what is reserved is known all the same"`
	BlockNumber *int64        `json:"blockNumber" doc:"the block at which all amounts were read; a later one may differ"`
	BlockHash   string        `json:"blockHash,omitempty"`
	ReadAt      *time.Time    `json:"readAt" doc:"when the chain was asked, at most two seconds ago"`
	Spender     string        `json:"spender,omitempty" doc:"the router: the contract whose allowance is shown"`
	Tokens      []BalanceView `json:"tokens" nullable:"false" doc:"every token that the network has"`
}

// BalanceView is what a wallet holds of one token. Amounts are written in the token's unit; null is unknown.
type BalanceView struct {
	Token        string  `json:"token"`
	TokenAddress string  `json:"tokenAddress"`
	Balance      *string `json:"balance"`
	Allowance    *string `json:"allowance" doc:"what the wallet has approved to the router and not yet paid"`
	Reserved     string  `json:"reserved" doc:"what submitted transactions may still take from the wallet"`
	Available    *string `json:"available" doc:"the balance without what is reserved; 0 when more is reserved than there is"`
}

// reading is what a chain has answered about a wallet.
type reading struct {
	at       time.Time
	point    Point
	holdings []Holding // in the order of the network's tokens
}

// Balances returns what a wallet of the caller's organisation holds of every token of its network. It asks the chain,
// unless the chain has answered in the last two seconds.
func (s *Service) Balances(ctx context.Context, walletID string) (BalancesView, error) {
	w, err := wallet.ByID(ctx, s.DB, caller.Of(ctx).Organisation, walletID)
	if err != nil {
		return BalancesView{}, err
	}

	n, err := network.ByID(ctx, s.DB, w.Network)
	if err != nil {
		return BalancesView{}, err
	}

	tokens, err := tokensWithContract(ctx, s.DB, n.ID)
	if err != nil {
		return BalancesView{}, err
	}

	// A chain that does not answer, or whose nodes contradict each other, leaves the amounts unknown.
	read, unknown := s.payers.readHoldings(ctx, w, tokens)
	if ctx.Err() != nil {
		return BalancesView{}, ctx.Err()
	}

	reserved, err := reservedOf(ctx, s.DB, n.ID, w.Address)
	if err != nil {
		return BalancesView{}, err
	}

	v := BalancesView{
		Wallet:  w.ID,
		Address: w.Address,
		Network: n.ID,
		Known:   unknown == nil,
		Spender: n.Router(),
		Tokens:  []BalanceView{},
	}

	if v.Known {
		at := read.at.Truncate(time.Millisecond)
		v.ReadAt = &at
		v.BlockNumber = &read.point.Number
		v.BlockHash = read.point.Hash
	}

	for i, t := range tokens {
		var h *Holding
		if v.Known {
			h = &read.holdings[i]
		}

		v.Tokens = append(v.Tokens, balanceView(t, reserved[t.Code], h))
	}

	return v, nil
}

// Spendable returns what a wallet holds of a token without what submitted transactions may still take, in base units.
// It asks the chain, unless the chain has answered in the last two seconds; known is false if the chain could not be
// asked.
func (s *Service) Spendable(ctx context.Context, w wallet.Wallet, code string) (units *big.Int, known bool, err error) {
	tokens, err := tokensWithContract(ctx, s.DB, w.Network)
	if err != nil {
		return nil, false, err
	}

	at := slices.IndexFunc(tokens, func(t network.Token) bool { return t.Code == code })
	if at < 0 {
		return nil, false, nil
	}

	reserved, err := reservedOf(ctx, s.DB, w.Network, w.Address)
	if err != nil {
		return nil, false, err
	}

	read, unknown := s.payers.readHoldings(ctx, w, tokens)
	if unknown != nil {
		return nil, false, ctx.Err()
	}

	held := reserved[code]
	if held == nil {
		held = new(big.Int)
	}

	return short(read.holdings[at].Balance, held), true, nil
}

// DebitOf returns what a draft would take from its wallet at the present rates, in base units of its token. It makes
// nothing.
func (s *Service) DebitOf(ctx context.Context, in Input) (*big.Int, error) {
	_, d, err := s.checkDraft(ctx, &in, "")
	return d.Debit, err
}

// readHoldings asks the chain what a wallet has of some tokens, or returns an answer that is at most fundsAge old.
func (r *payerReader) readHoldings(ctx context.Context, w wallet.Wallet, tokens []network.Token) (reading, error) {
	key := w.Network + "/" + w.Address
	if known, ok := r.holdings.Find(key); ok && len(known.holdings) == len(tokens) {
		return known, nil
	}

	addresses := make([]common.Address, len(tokens))
	for i, t := range tokens {
		addresses[i] = common.HexToAddress(t.Address)
	}

	read := reading{at: r.db.Now()}

	var err error

	read.point, read.holdings, err = r.chain.Holdings(ctx, w.Network, common.HexToAddress(w.Address), addresses)
	if err == nil {
		r.holdings.Keep(key, read)
	}

	return read, err
}

// balanceView returns the view of a token; h is nil if the chain could not be asked.
func balanceView(t network.Token, reserved *big.Int, h *Holding) BalanceView {
	if reserved == nil {
		reserved = new(big.Int)
	}

	format := func(units *big.Int) *string {
		text := money.Format(units, t.Decimals)
		return &text
	}

	v := BalanceView{Token: t.Code, TokenAddress: t.Address, Reserved: *format(reserved)}
	if h != nil {
		v.Balance = format(h.Balance)
		v.Allowance = format(h.Allowance)
		v.Available = format(short(h.Balance, reserved))
	}

	return v
}

// tokensWithContract returns a network's tokens without the coin of its chain, which is not paid with.
func tokensWithContract(ctx context.Context, q db.Querier, networkID string) ([]network.Token, error) {
	all, err := network.Tokens(ctx, q, networkID)

	var out []network.Token
	for _, t := range all {
		if t.Address != "" {
			out = append(out, t)
		}
	}

	return out, err
}

func (s *Service) httpBalances(ctx context.Context, in *idIn) (*BalancesView, error) {
	v, err := s.Balances(ctx, in.ID)
	return &v, err
}
