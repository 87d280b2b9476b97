package transaction

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/identity/organisation"
	"slipway/internal/rails/chain/contract"
)

// This file compares the wallet that pays with what its organisation's policy wants of it: the signature of the batch,
// and a daily cap on the router. The router keeps both against a stolen key of the operator, and the policy sees to it
// that they are there.

// payerRules returns the version of the policy that accept's statement compares with (organisation.AcceptGate), or the
// refusal. It reads the database only where the policy binds payers, and calls the chain only about a daily cap. If the
// caller's token is older than the policy, the statement refuses.
func (s *Service) payerRules(ctx context.Context, t Transaction) (int64, error) {
	switch {
	case !t.paidByWallet():
		return organisation.AnyPolicy, nil
	case !caller.Of(ctx).BindsPayers:
		return 0, nil
	}

	return s.payerVersion(ctx, t)
}

func (t Transaction) paidByWallet() bool { return t.WalletAddress != "" && t.Type != TypeOnramp }

// payerVersion returns the version of a policy that lets the wallet pay, or the refusal.
func (s *Service) payerVersion(ctx context.Context, t Transaction) (int64, error) {
	policy, err := organisation.PolicyOf(ctx, s.DB, t.Organisation)
	if err != nil {
		return 0, err
	}

	if policy.SignedIntents {
		if err := s.checkNamed(ctx, t); err != nil {
			return 0, err
		}
	}

	if most, ok := policy.DailyCaps[t.Token]; ok && t.Manner != contract.ByOwn {
		if err := s.checkCap(ctx, t, most); err != nil {
			return 0, err
		}
	}

	return policy.Version, nil
}

// checkNamed refuses a transaction for which the wallet has signed nothing that names the payees. A wallet that pays
// itself names them by its call.
func (s *Service) checkNamed(ctx context.Context, t Transaction) error {
	switch t.Manner {
	case contract.ByIntent, contract.ByAuthorization, contract.ByPermit2, contract.ByOwn:
		return nil
	case contract.ByPermit:
		signed, err := SignedOf(ctx, s.DB, t.ID)
		if err != nil || len(signed.Intent) > 0 {
			return err
		}
	case contract.ByAllowance, contract.ByPull:
	}

	return intentMissing("/intent", true)
}

// checkCap refuses a transaction of a wallet whose daily cap on the router is above what the policy allows. The router
// itself refuses what is above the cap.
func (s *Service) checkCap(ctx context.Context, t Transaction, most money.Amount) error {
	n, token, err := s.directory.usable(ctx, s.DB, t.Network, t.Token, false)
	if err != nil {
		return err
	}

	if s.Signatures == nil {
		return nodeSilent()
	}

	limit, err := s.Signatures.Words(ctx, t.Network, Read{
		To: common.HexToAddress(n.Router()),
		Data: contract.Router().PackDailyCap(
			common.HexToAddress(t.WalletAddress),
			common.HexToAddress(token.Address),
		),
	})
	if err != nil {
		return nodeSilent()
	}

	if limit[0].Cmp(unitsBelow(most.Rat(), token)) <= 0 {
		return nil
	}

	var l fault.List
	l.Add("/walletAddress", fault.DailyCapMissing,
		"The wallet lets the router take %s a day; your organisation's policy allows %s %s. The calls of "+
			"GET /wallets/%s/limits change that.",
		capInWords(limit[0], token), most, token.Code, t.Wallet)

	return l.Err()
}

// capInWords is a cap of the router for people.
func capInWords(limit *big.Int, token network.Token) string {
	if text := capText(limit, token); text != nil {
		return *text + " " + token.Code
	}

	return "any amount"
}

// intentMissing is the refusal of a payment whose payees the wallet has not signed.
func intentMissing(at string, byPolicy bool) error {
	var l fault.List

	why := "is required: the wallet has set that every batch needs its signature."
	if byPolicy {
		why = "is required: your organisation's policy wants the wallet's signature of every batch."
	}

	l.Add(at, fault.IntentRequired, "%s", why)

	return l.Err()
}

// wantsIntent reports whether the wallet's organisation, or the wallet by what it has set on the router, wants every
// batch signed.
func (s *Service) wantsIntent(ctx context.Context, x signing) (wanted, byPolicy bool, err error) {
	policy, err := organisation.PolicyOf(ctx, s.DB, x.t.Organisation)
	if err != nil || policy.SignedIntents {
		return policy.SignedIntents, true, err
	}

	wanted, err = s.intentRequired(ctx, x)

	return wanted, false, err
}
