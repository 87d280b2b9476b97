package transaction

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/safetx"
	"slipway/internal/directory/wallet"
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
	Headroom       string         `json:"headroomPercent" doc:"by how many percent the approval calls approve more than is required, so that a rate that moves needs no second signature; 0 where nothing is converted"`
	Permit         *PermitView    `json:"permit" doc:"what the wallet can sign in place of the approval calls, with no coin for gas; null when the allowance suffices, or the token or the wallet takes no signature"`
	ApprovalCalls  []ApprovalCall `json:"approvalCalls" nullable:"false" doc:"calls to sign and send from the wallet, in this order; empty when the allowance suffices"`
	Safe           *safetx.View   `json:"safe" doc:"the same calls as one transaction that the owners of a Safe confirm: kept, so that asking again gives the same while it can be carried out. null where the allowance suffices, and for wallets that are no Safe"`
	Quote          *QuoteView     `json:"quote" doc:"FIAT: the price that required contains. That of a draft is locked for it until expiresAt: submit takes it, while the draft stays the same. Without _id it is not locked, because the caller may not submit or a payment has no rail. null for CRYPTO, where nothing is converted"`
}

// ApprovalCall is a call ready to be signed by the paying wallet.
type ApprovalCall struct {
	To      string `json:"to"`
	Data    string `json:"data"`
	Value   string `json:"value"`
	Purpose string `json:"purpose" enum:"RESET_TO_ZERO,APPROVE"`
	Amount  string `json:"amount" doc:"what the call approves, in the token's unit"`
}

// CheckAllowance reads the chain and reports whether the wallet has approved enough. If not, it returns the calls that
// would, which approve headroomPercent more than is required; an empty one stands for the organisation's. It locks the
// quote of a FIAT draft, which submit then takes. A second call returns the same quote while it is valid.
func (s *Service) CheckAllowance(ctx context.Context, transactionID, headroomPercent string) (Allowance, error) {
	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return Allowance{}, err
	}

	if err := s.offers(t); err != nil {
		return Allowance{}, err
	}

	headroom, err := s.headroom(ctx, t, headroomPercent)
	if err != nil {
		return Allowance{}, err
	}

	t, price, err := s.Kinds[t.Type].Costs(ctx, s, t)
	if err != nil {
		return Allowance{}, err
	}

	n, token, err := s.directory.usable(ctx, s.DB, t.Network, t.Token, true)
	if err != nil {
		return Allowance{}, err
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

	required := new(big.Int).Add(reserved.approved, t.Debit)
	a := allowanceOf(t, n, token, funds, required)
	a.BalanceMissing = money.Format(short(new(big.Int).Add(reserved.sum(), t.Debit), funds.Balance), t.Decimals)

	a.WalletType = string(w.Type)
	a.Headroom = headroom.String()

	if price != nil {
		v := QuoteView(price.View())
		a.Quote = &v
	}

	if a.Sufficient {
		return a, nil
	}

	if a.ApprovalCalls, err = s.approvalCalls(ctx, t, n, token, funds.Allowance, headroom.Over(required)); err != nil {
		return a, err
	}

	if s.Safe != nil && w.Type == wallet.Multisig {
		need := safetx.Need{Wallet: w, Network: n, Payment: t.ID, Steps: safeSteps(a.ApprovalCalls)}
		if a.Safe, err = s.Safe(ctx, need); err != nil {
			return a, err
		}
	}

	a.Permit, err = s.offerPermit(ctx, t, n, token, reserved)

	return a, err
}

// safeSteps returns approval calls as the steps of a Safe's transaction.
func safeSteps(calls []ApprovalCall) []safetx.Step {
	out := make([]safetx.Step, len(calls))
	for i, c := range calls {
		out[i] = safetx.Step{To: common.HexToAddress(c.To), Data: common.FromHex(c.Data), Purpose: c.Purpose}
	}

	return out
}

func allowanceOf(t Transaction, n network.Network, token network.Token, f Funds, required *big.Int) Allowance {
	format := func(units *big.Int) string { return money.Format(units, t.Decimals) }

	return Allowance{
		Sufficient:    f.Allowance.Cmp(required) >= 0,
		Token:         t.Token,
		TokenAddress:  token.Address,
		Spender:       n.Router(),
		Owner:         t.WalletAddress,
		Allowance:     format(f.Allowance),
		Required:      format(required),
		Missing:       format(short(required, f.Allowance)),
		Balance:       format(f.Balance),
		ApprovalCalls: []ApprovalCall{},
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

// approvalCalls returns calls that approve these units and no more, because attackers of routers use unlimited
// approvals. Whether the token requires its allowance to be set to zero first is simulated on the chain, not looked up
// by name.
func (s *Service) approvalCalls(
	ctx context.Context,
	t Transaction,
	n network.Network,
	token network.Token,
	allowance, units *big.Int,
) ([]ApprovalCall, error) {
	var calls []ApprovalCall

	address := common.HexToAddress(token.Address)
	owner := common.HexToAddress(t.WalletAddress)

	if allowance.Sign() > 0 {
		reverts, err := s.Chain.ApproveWouldRevert(ctx, t.Network, address, owner, units)
		if err != nil {
			return nil, fault.New(
				fault.Unavailable,
				fault.UpstreamFailed,
				"The network's node does not answer at the moment.",
			)
		}

		if reverts {
			calls = append(calls, approvalCall(n.Router(), token, new(big.Int), "RESET_TO_ZERO"))
		}
	}

	return append(calls, approvalCall(n.Router(), token, units, "APPROVE")), nil
}

// approvalCall encodes approve(address,uint256) for a spender.
func approvalCall(spender string, token network.Token, units *big.Int, purpose string) ApprovalCall {
	data := contract.Token().PackApprove(common.HexToAddress(spender), units)

	return ApprovalCall{
		To:      token.Address,
		Data:    hexutil.Encode(data),
		Value:   "0",
		Purpose: purpose,
		Amount:  money.Format(units, token.Decimals),
	}
}
