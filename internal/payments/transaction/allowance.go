package transaction

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/rails/chain/contract"
)

// Allowance is the answer of check-allowance. Amounts are written in the token's unit.
type Allowance struct {
	Sufficient     bool           `json:"sufficient"`
	Token          string         `json:"token"`
	TokenAddress   string         `json:"tokenAddress"`
	Spender        string         `json:"spender" doc:"the router: the only contract to approve"`
	Owner          string         `json:"owner"`
	Allowance      string         `json:"allowance"`
	Required       string         `json:"required" doc:"this transaction's debit and what other submitted ones have reserved"`
	Missing        string         `json:"missing"`
	Balance        string         `json:"balance"`
	BalanceMissing string         `json:"balanceMissing"`
	WalletType     string         `json:"walletType"`
	ApprovalCalls  []ApprovalCall `json:"approvalCalls" nullable:"false" doc:"calls to sign and send from the wallet, in this order; empty when the allowance suffices"`
}

// ApprovalCall is a call ready to be signed by the paying wallet.
type ApprovalCall struct {
	To      string `json:"to"`
	Data    string `json:"data"`
	Value   string `json:"value"`
	Purpose string `json:"purpose" enum:"RESET_TO_ZERO,APPROVE"`
}

// CheckAllowance reads the chain and reports whether the wallet has approved enough. If not, it returns the calls that
// would.
func (s *Service) CheckAllowance(ctx context.Context, transactionID string) (Allowance, error) {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return Allowance{}, err
	}

	if err := s.offers(t); err != nil {
		return Allowance{}, err
	}

	if t, err = s.Kinds[t.Type].Costs(ctx, t); err != nil {
		return Allowance{}, err
	}

	n, token, refusal, err := s.directory.networkAndToken(ctx, s.DB, t.Network, t.Token, true)
	if err != nil {
		return Allowance{}, err
	}

	if refusal != nil {
		return Allowance{}, refusal
	}

	funds, err := s.ReadFunds(ctx, t, token)
	if err != nil {
		return Allowance{}, err
	}

	reserved, err := reservedElsewhere(ctx, s.DB, t, funds.ReadAt)
	if err != nil {
		return Allowance{}, err
	}

	w, err := s.payingWallet(ctx, t)
	if err != nil {
		return Allowance{}, err
	}

	required := new(big.Int).Add(reserved, t.Debit)
	a := allowanceOf(t, n, token, funds, required)

	a.WalletType = string(w.Type)
	if a.Sufficient {
		return a, nil
	}

	a.ApprovalCalls, err = s.approvalCalls(ctx, t, n, token, funds.Allowance, required)

	return a, err
}

func allowanceOf(t Transaction, n network.Network, token network.Token, f Funds, required *big.Int) Allowance {
	format := func(units *big.Int) string { return money.Format(units, t.Decimals) }

	return Allowance{
		Sufficient:     f.Allowance.Cmp(required) >= 0,
		Token:          t.Token,
		TokenAddress:   token.Address,
		Spender:        n.Router(),
		Owner:          t.WalletAddress,
		Allowance:      format(f.Allowance),
		Required:       format(required),
		Missing:        format(short(required, f.Allowance)),
		Balance:        format(f.Balance),
		BalanceMissing: format(short(required, f.Balance)),
		ApprovalCalls:  []ApprovalCall{},
	}
}

// short returns by how much have falls short of want, at least zero.
func short(want, have *big.Int) *big.Int {
	d := new(big.Int).Sub(want, have)
	if d.Sign() < 0 {
		d.SetInt64(0)
	}

	return d
}

// approvalCalls returns calls that approve the exact amount and no more, because attackers of routers use unlimited
// approvals. Whether the token requires its allowance to be set to zero first is simulated on the chain, not looked up
// by name.
func (s *Service) approvalCalls(
	ctx context.Context,
	t Transaction,
	n network.Network,
	token network.Token,
	allowance, required *big.Int,
) ([]ApprovalCall, error) {
	var calls []ApprovalCall

	address := common.HexToAddress(token.Address)
	owner := common.HexToAddress(t.WalletAddress)

	if allowance.Sign() > 0 {
		reverts, err := s.Chain.ApproveWouldRevert(ctx, t.Network, address, owner, required)
		if err != nil {
			return nil, fault.New(
				fault.Unavailable,
				fault.UpstreamFailed,
				"The network's node does not answer at the moment.",
			)
		}

		if reverts {
			calls = append(calls, approvalCall(n, token, new(big.Int), "RESET_TO_ZERO"))
		}
	}

	return append(calls, approvalCall(n, token, required, "APPROVE")), nil
}

// approvalCall encodes approve(address,uint256) for the router.
func approvalCall(n network.Network, token network.Token, units *big.Int, purpose string) ApprovalCall {
	data := contract.Token().PackApprove(common.HexToAddress(n.Router()), units)
	return ApprovalCall{token.Address, hexutil.Encode(data), "0", purpose}
}
