package transaction

import (
	"context"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/wallet"
	"slipway/internal/rails/chain/contract"
)

// SpenderKind is what a contract that may take a wallet's tokens is to us.
type SpenderKind string

// The kinds of spenders. Only the router takes payments.
const (
	SpenderRouter  SpenderKind = "ROUTER"        // takes payments
	SpenderFormer  SpenderKind = "FORMER_ROUTER" // took payments once: nothing needs its allowance
	SpenderPermit2 SpenderKind = "PERMIT2"       // moves tokens by signatures: payments by one signature need it
	SpenderOther   SpenderKind = "OTHER"         // unknown here: the caller has asked about it
)

// AllowancesView is what a wallet has approved and not taken back, of the contracts that the chain was asked about.
type AllowancesView struct {
	Wallet      string              `json:"wallet"`
	Address     string              `json:"address"`
	Network     string              `json:"network"`
	Known       bool                `json:"known" doc:"false: the chain could not be asked. allowances is then empty, which does not mean that there are none"`
	BlockNumber *int64              `json:"blockNumber" doc:"the block at which all were read; a later one may differ"`
	BlockHash   string              `json:"blockHash,omitempty"`
	ReadAt      *time.Time          `json:"readAt" doc:"when the chain was asked"`
	Asked       []SpenderView       `json:"asked" nullable:"false" doc:"the contracts that the chain was asked about: a chain lists no others"`
	Allowances  []OpenAllowanceView `json:"allowances" nullable:"false" doc:"those above zero"`
}

// SpenderView is a contract that may take a wallet's tokens.
type SpenderView struct {
	Address string      `json:"address"`
	Kind    SpenderKind `json:"kind" enum:"ROUTER,FORMER_ROUTER,PERMIT2,OTHER" doc:"ROUTER takes payments. FORMER_ROUTER took them once. PERMIT2 moves tokens by signatures. OTHER is not known here"`
}

// OpenAllowanceView is what a wallet lets one contract take of one token.
type OpenAllowanceView struct {
	Token        string       `json:"token"`
	TokenAddress string       `json:"tokenAddress"`
	Spender      string       `json:"spender"`
	Kind         SpenderKind  `json:"spenderKind" enum:"ROUTER,FORMER_ROUTER,PERMIT2,OTHER" doc:"what the contract is to payments"`
	IsKnown      bool         `json:"isSpenderKnown" doc:"whether payments need the contract now: the router, and Permit2"`
	Amount       string       `json:"amount" doc:"in the token's unit"`
	Revoke       ApprovalCall `json:"revoke" doc:"the call that takes it back, to be signed and sent from the wallet"`
}

// OpenAllowances returns what a wallet of the caller's organisation lets contracts take: the router, those that were
// the router before, Permit2, and others that the caller names. It asks the chain, outside of any transaction. Whom
// else a wallet has approved is not known: no chain lists it.
func (s *Service) OpenAllowances(ctx context.Context, walletID string, others []string) (AllowancesView, error) {
	w, err := wallet.ByID(ctx, s.DB, caller.Of(ctx).Organisation, walletID)
	if err != nil {
		return AllowancesView{}, err
	}

	n, err := network.ByID(ctx, s.DB, w.Network)
	if err != nil {
		return AllowancesView{}, err
	}

	tokens, err := tokensWithContract(ctx, s.DB, n.ID)
	if err != nil {
		return AllowancesView{}, err
	}

	former, err := network.FormerRouters(ctx, s.DB, n.ID)
	if err != nil {
		return AllowancesView{}, err
	}

	v := AllowancesView{
		Wallet:     w.ID,
		Address:    w.Address,
		Network:    n.ID,
		Asked:      spendersOf(n, former, others),
		Allowances: []OpenAllowanceView{},
	}

	return v, s.readAllowances(ctx, w, tokens, &v)
}

// spendersOf returns the contracts that are asked about, each once.
func spendersOf(n network.Network, former, others []string) []SpenderView {
	var out []SpenderView

	seen := map[common.Address]bool{}
	add := func(kind SpenderKind, addresses ...string) {
		for _, a := range addresses {
			if at := common.HexToAddress(a); a != "" && !seen[at] {
				seen[at] = true
				out = append(out, SpenderView{Address: at.Hex(), Kind: kind})
			}
		}
	}

	add(SpenderRouter, n.Router())
	add(SpenderPermit2, contract.Permit2.Hex())
	add(SpenderFormer, former...)
	add(SpenderOther, others...)

	return out
}

// readAllowances asks the chain and adds what is above zero. A chain that does not answer leaves everything unknown.
func (s *Service) readAllowances(
	ctx context.Context,
	w wallet.Wallet,
	tokens []network.Token,
	v *AllowancesView,
) error {
	addresses := make([]common.Address, len(tokens))
	for i, t := range tokens {
		addresses[i] = common.HexToAddress(t.Address)
	}

	spenders := make([]common.Address, len(v.Asked))
	for i, x := range v.Asked {
		spenders[i] = common.HexToAddress(x.Address)
	}

	at := s.DB.Now().Truncate(time.Millisecond)

	point, approved, err := s.Chain.Allowances(ctx, w.Network, common.HexToAddress(w.Address), addresses, spenders)
	if err != nil {
		return ctx.Err()
	}

	v.Known = true
	v.ReadAt = &at
	v.BlockNumber = &point.Number
	v.BlockHash = point.Hash

	for i, t := range tokens {
		for j, x := range v.Asked {
			if units := approved[i][j]; units.Sign() > 0 {
				v.Allowances = append(v.Allowances, openAllowance(t, x, units))
			}
		}
	}

	return nil
}

func openAllowance(t network.Token, x SpenderView, units *big.Int) OpenAllowanceView {
	return OpenAllowanceView{
		Token:        t.Code,
		TokenAddress: t.Address,
		Spender:      x.Address,
		Kind:         x.Kind,
		IsKnown:      x.Kind == SpenderRouter || x.Kind == SpenderPermit2,
		Amount:       money.Format(units, t.Decimals),
		Revoke:       approvalCall(x.Address, t, new(big.Int), "RESET_TO_ZERO"),
	}
}

type openAllowancesIn struct {
	ID       string   `path:"id" maxLength:"64"`
	Spenders []string `query:"spender[]" maxItems:"5" pattern:"^0x[0-9a-fA-F]{40}$" patternDescription:"must be an address" doc:"further contracts to ask about"`
}

func (s *Service) httpOpenAllowances(ctx context.Context, in *openAllowancesIn) (*AllowancesView, error) {
	v, err := s.OpenAllowances(ctx, in.ID, in.Spenders)

	return &v, err
}
