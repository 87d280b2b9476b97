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

// OwnCalls are the calls with which the wallet pays a batch itself, in one transaction: a batch of a Safe, or of a
// wallet that takes several calls (EIP-5792). Nothing that they approve is left over.
type OwnCalls struct {
	Deadline int64     `json:"deadline" doc:"Unix seconds, 0 where the wallet does not pay: in a later block the last call reverts, and the transaction fails without harm"`
	Calls    []OwnCall `json:"calls" nullable:"false" doc:"in this order, in one transaction; empty where the wallet does not pay itself, before accept, and after the deadline"`
}

// OwnCall is one of them.
type OwnCall struct {
	To      string `json:"to"`
	Data    string `json:"data"`
	Value   string `json:"value"`
	Purpose string `json:"purpose" enum:"RESET_TO_ZERO,APPROVE,PAY"`
	Amount  string `json:"amount" doc:"what the call approves or pays, in the token's unit"`
}

// signedOwn returns what is stored of a draft that the wallet will pay itself until a deadline. It reads the chain's
// height, from which the payment is looked for.
func (s *Service) signedOwn(ctx context.Context, t Transaction, deadline int64) (Signed, error) {
	out := Signed{
		Manner:    contract.ByOwn,
		Units:     t.Debit,
		Deadline:  deadline,
		Signature: []byte{},
		Intent:    []byte{},
	}

	var l fault.List

	if t.Type != TypeCrypto || s.Signatures == nil {
		l.Add("/ownUntil", fault.NotAllowed, "belongs to CRYPTO transactions.")
	}

	now := s.DB.Now()
	if deadline < now.Add(shortestSigned).Unix() || deadline > now.Add(longestSigned).Unix() {
		l.Add("/ownUntil", fault.DeadlineOff, "must be 10 minutes to 30 days from now, in Unix seconds.")
	}

	if err := l.Err(); err != nil {
		return out, err
	}

	head, err := s.Signatures.Head(ctx, t.Network)
	if err != nil {
		return out, nodeSilent()
	}

	out.FromBlock = int64(head)

	return out, nil
}

// OwnCalls returns the calls with which the wallet pays an accepted transaction itself; none where it does not, not
// yet, or no longer may. Asked again, they are the same while the wallet's approval is.
func (s *Service) OwnCalls(ctx context.Context, transactionID string) (OwnCalls, error) {
	out := OwnCalls{Calls: []OwnCall{}}

	t, err := s.Find(ctx, s.DB, transactionID)
	if err != nil {
		return out, err
	}

	if t.Manner != contract.ByOwn || t.Status != StatusProcess {
		return out, nil
	}

	n, token, err := s.directory.usable(ctx, s.DB, t.Network, t.Token, true)
	if err != nil {
		return out, err
	}

	signed, err := SignedOf(ctx, s.DB, t.ID)
	if err != nil {
		return out, err
	}

	out.Deadline = signed.Deadline
	if signed.Lapsed(s.DB.Now()) {
		return out, nil
	}

	funds, err := s.ReadFunds(ctx, t, token)
	if err != nil {
		return out, err
	}

	out.Calls, err = s.ownCalls(ctx, t, n, token, funds.Allowance, signed.Deadline)

	return out, err
}

// ownCalls approves the debit on top of what the wallet has approved already, which other transactions may rest on, and
// pays.
func (s *Service) ownCalls(
	ctx context.Context,
	t Transaction,
	n network.Network,
	token network.Token,
	allowance *big.Int,
	deadline int64,
) ([]OwnCall, error) {
	approvals, err := s.approvalCalls(ctx, t, n, token, allowance, new(big.Int).Add(allowance, t.Debit))
	if err != nil {
		return nil, err
	}

	pay, err := contract.EncodePayOwn(t.Batch(n, token), big.NewInt(deadline))
	if err != nil {
		return nil, err
	}

	var calls []OwnCall
	for _, a := range approvals {
		calls = append(calls, OwnCall(a))
	}

	return append(calls, OwnCall{
		To:      common.HexToAddress(n.Router()).Hex(),
		Data:    hexutil.Encode(pay),
		Value:   "0",
		Purpose: "PAY",
		Amount:  money.Format(t.Debit, t.Decimals),
	}), nil
}
