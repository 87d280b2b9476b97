//go:build !nosandbox

package demo

import (
	"context"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"

	"slipway/internal/app/world"
)

// pay makes two transactions: one in a token with 6 decimals whose spending the wallet approves, and one in a token
// with 18, for which the wallet only signs.
func (s *story) pay(ctx context.Context) error {
	s.t.heading("Payments are made, approved and accepted")

	if err := s.noteBalances(ctx); err != nil {
		return err
	}

	invoice := object{
		"type":     "CRYPTO",
		"receiver": s.aliceID,
		"wallet":   s.aliceWallet,
		"amount":   "1250.50",
		"reason":   "Invoice 2026-117",
	}
	freight := s.toStreet("10", "Freight")
	three := s.fromWallet("USDC", invoice, s.toStreet("399.999999", "Invoice BS-8841"), freight)

	freight["tokenIsoCode"] = "DAI"

	problem, err := s.refused(ctx, "POST", "/transactions", three)
	if err == nil && problem.Code != "TOKEN_SWAP_UNAVAILABLE" {
		err = problem
	}

	if err != nil {
		return fmt.Errorf("a payment in another token than its transaction's should be refused: %w", err)
	}

	s.t.done("a payment in another token is refused: %s %s", problem.Errors[0].Where(), problem.Code)
	delete(freight, "tokenIsoCode")

	if err := s.payOne(ctx, three); err != nil {
		return err
	}

	return s.paySigned(ctx, s.fromWallet("DAI", object{
		"type":     "CRYPTO",
		"receiver": s.aliceID,
		"wallet":   s.aliceWallet,
		"amount":   "0.123456789012345678",
		"reason":   "To the last wei",
	}))
}

// fromWallet returns a CRYPTO transaction from the paying wallet.
func (s *story) fromWallet(token string, payments ...object) object {
	return object{
		"type":          "CRYPTO",
		"token":         token,
		"walletAddress": s.payer.Address.Hex(),
		"payments":      payments,
	}
}

// toStreet returns a payment to Bob at an address that is no stored wallet.
func (s *story) toStreet(amount, reason string) object {
	return object{
		"type":          "CRYPTO",
		"receiver":      s.bobID,
		"walletAddress": s.street.Hex(),
		"walletType":    "EOA",
		"network":       world.NetworkID,
		"amount":        amount,
		"reason":        reason,
	}
}

// payOne takes a CRYPTO transaction from draft to acceptance.
func (s *story) payOne(ctx context.Context, body object) error {
	t, err := s.accepted(ctx, body)
	if err != nil {
		return err
	}

	s.paid = append(s.paid, t)

	return nil
}

// paySigned takes a CRYPTO transaction from draft to acceptance without an approval: the wallet signs typed data, sends
// nothing and needs no coin for gas.
func (s *story) paySigned(ctx context.Context, body object) error {
	var t transactionAnswer
	if err := s.c.Call(ctx, "POST", "/transactions", body, &t); err != nil {
		return fmt.Errorf("create transaction: %w", err)
	}

	s.t.done("%s %s in %d payment(s): %s", t.Totals.TokenDebit, t.Token, len(t.Payments), t.Status)

	at := "/transactions/" + t.ID

	var a allowanceAnswer
	if err := s.c.Call(ctx, "POST", at+"/check-allowance", nil, &a); err != nil {
		return fmt.Errorf("check allowance: %w", err)
	}

	if a.Permit == nil {
		return errors.New("check-allowance offers nothing to sign")
	}

	signature, err := signTyped(s.payer.Key, a.Permit.TypedData)
	if err != nil {
		return fmt.Errorf("sign typed data: %w", err)
	}

	s.t.done(
		"the wallet signs a %s of exactly %s %s: no approval, no coin for gas",
		a.Permit.Manner,
		a.Required,
		t.Token,
	)

	signed := object{"permit": object{
		"manner":    a.Permit.Manner,
		"deadline":  a.Permit.Deadline,
		"signature": signature,
	}}
	if err := s.c.Call(ctx, "POST", at+"/submit", signed, &t); err != nil {
		return fmt.Errorf("submit with a signature: %w", err)
	}

	if err := s.c.Call(ctx, "POST", at+"/accept", nil, &t); err != nil {
		return fmt.Errorf("accept: %w", err)
	}

	s.t.done("submitted and accepted: %s", t.Status)
	s.paid = append(s.paid, t)

	return nil
}

// signTyped signs typed data as a wallet does.
func signTyped(key *ecdsa.PrivateKey, text string) (string, error) {
	var typed apitypes.TypedData
	if err := json.Unmarshal([]byte(text), &typed); err != nil {
		return "", err
	}

	digest, _, err := apitypes.TypedDataAndHash(typed)
	if err != nil {
		return "", err
	}

	signature, err := crypto.Sign(digest, key)
	if err != nil {
		return "", err
	}

	signature[64] += 27

	return hexutil.Encode(signature), nil
}

// accepted creates a transaction and takes it to acceptance.
func (s *story) accepted(ctx context.Context, body object) (t transactionAnswer, err error) {
	if err := s.c.Call(ctx, "POST", "/transactions", body, &t); err != nil {
		return t, fmt.Errorf("create transaction: %w", err)
	}

	return t, s.payDraft(ctx, &t)
}

// payDraft takes a draft to acceptance.
func (s *story) payDraft(ctx context.Context, t *transactionAnswer) error {
	s.t.done("%s %s in %d payment(s): %s", t.Totals.TokenDebit, t.Token, len(t.Payments), t.Status)

	at := "/transactions/" + t.ID
	if err := s.c.Call(ctx, "POST", at+"/validate", nil, nil); err != nil {
		return fmt.Errorf("validate: %w", err)
	}

	var a allowanceAnswer
	if err := s.c.Call(ctx, "POST", at+"/check-allowance", nil, &a); err != nil {
		return fmt.Errorf("check allowance: %w", err)
	}

	if a.Sufficient {
		return errors.New("the wallet has approved nothing, and check-allowance says it suffices")
	}

	s.t.done("valid; allowance %s of %s %s: not enough", a.Allowance, a.Required, t.Token)

	if err := s.approveAndSubmit(ctx, at, &a, t); err != nil {
		return err
	}

	if err := s.c.Call(ctx, "POST", at+"/accept", nil, t); err != nil {
		return fmt.Errorf("accept: %w", err)
	}

	s.t.done("submitted and accepted: %s", t.Status)

	return nil
}

// approveAndSubmit has the wallet approve what is missing, and submits. The check has locked the rate of a payment in
// another currency, so submit needs what was required then.
func (s *story) approveAndSubmit(ctx context.Context, at string, a *allowanceAnswer, t *transactionAnswer) error {
	if err := s.approve(ctx, at, a); err != nil {
		return err
	}

	if err := s.c.Call(ctx, "POST", at+"/submit", nil, t); err != nil {
		return fmt.Errorf("submit with an allowance of %s: %w", a.Allowance, err)
	}

	const done = "the wallet signs the approve call it was given: allowance %s, a headroom of %s %% and no more"
	s.t.done(done, a.Allowance, a.HeadroomPercent)

	return nil
}

// approve has the wallet send the approve calls that it was given, and reads the allowance anew.
func (s *story) approve(ctx context.Context, at string, a *allowanceAnswer) error {
	for _, call := range a.ApprovalCalls {
		s.t.doing("the wallet sends the approve call")

		err := s.sendFromWallet(ctx, s.payer.Key, common.HexToAddress(call.To), common.FromHex(call.Data))
		if err != nil {
			return fmt.Errorf("send approval: %w", err)
		}
	}

	if err := s.c.Call(ctx, "POST", at+"/check-allowance", nil, a); err != nil {
		return fmt.Errorf("allowance after approving: %w", err)
	}

	return nil
}

// follow waits until both transactions have ended.
func (s *story) follow(ctx context.Context) error {
	s.t.heading("Slipway signs, sends and waits for finality")

	for i := range s.paid {
		if err := s.followOne(ctx, &s.paid[i], "waiting for the chain"); err != nil {
			return err
		}
	}

	return nil
}

// followOne waits until a transaction is COMPLETED, and prints each change.
func (s *story) followOne(ctx context.Context, t *transactionAnswer, doing string) error {
	seen := ""
	s.t.doing(doing)

	err := s.until(ctx, 60*time.Second, func() (bool, error) {
		if err := s.c.Call(ctx, "GET", "/transactions/"+t.ID, nil, t); err != nil {
			return false, err
		}

		now := t.Status + ", " + t.Settlement
		if now != seen && seen != "" {
			s.t.done("%s: %s", t.title(), now)
			s.t.doing(doing)
		}

		seen = now

		return t.Status == "COMPLETED" || t.Status == "FAILED", nil
	})
	s.t.still()

	if err != nil {
		return fmt.Errorf("follow %s, which is %s: %w", t.ID, seen, err)
	}

	if t.Status != "COMPLETED" {
		return fmt.Errorf("transaction %s ended %s: %s", t.ID, t.Status, t.StatusInfo)
	}

	return nil
}
