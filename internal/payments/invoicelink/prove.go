package invoicelink

import (
	"context"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/eip55"
)

// This file lets the owner of a wallet that was handed in prove it, with a signature over a text. Nothing is paid to a
// wallet before. It can be done until the payable is made, also after the invoice was submitted, since it changes
// nothing of what was handed in.

// WalletText is what the owner of a wallet signs.
type WalletText struct {
	Address, Message string
	ExpiresAt        time.Time
	Expired, Proven  bool
}

// WalletText returns the text that the owner of the wallet signs. address must be that of the wallet: the text contains
// it, and a holder of the link who did not enter it does not learn it here. Refusals point to /address.
func (s *Service) WalletText(ctx context.Context, token, address string) (WalletText, error) {
	k, err := s.walletOf(ctx, token, address)
	if err != nil {
		return WalletText{}, err
	}

	return k.walletText(s.deps.DB.Now()), nil
}

func (k Link) walletText(now time.Time) WalletText {
	w := k.Given.Wallet

	return WalletText{
		Address:   w.Address,
		Message:   w.Proof.Message,
		ExpiresAt: w.Proof.ExpiresAt,
		Expired:   !now.Before(w.Proof.ExpiresAt),
		Proven:    w.Proof.Proven(),
	}
}

// walletOf returns the link of a token that has a wallet with this address.
func (s *Service) walletOf(ctx context.Context, token, address string) (k Link, err error) {
	if err := s.admit(ctx, token); err != nil {
		return k, err
	}

	err = s.deps.DB.Snapshot(ctx, func(q db.Querier) error {
		if k, err = linkOf(ctx, q, token, s.deps.DB.Now()); err != nil {
			return err
		}

		return k.hasWallet(address)
	})

	return k, s.countIfInvalid(ctx, err)
}

func (k Link) hasWallet(address string) error {
	a, err := eip55.Read(address)

	var l fault.List
	if err != nil || k.Given.Wallet == nil || a.Hex() != k.Given.Wallet.Address {
		l.Add("/address", fault.WalletUnknown, "is not that of the wallet that was handed in.")
	}

	return l.Err()
}

// RenewWalletText replaces a text that has expired and returns the new one. One that can still be signed stays.
func (s *Service) RenewWalletText(ctx context.Context, token, address string) (text WalletText, err error) {
	const event = "invoice_link.wallet_text"

	_, err = s.runStep(ctx, token, event, func(ctx context.Context, tx *db.Tx, k *Link) (bool, error) {
		if err := k.hasWallet(address); err != nil {
			return false, err
		}

		text = k.walletText(tx.Now)
		if !text.Expired || text.Proven {
			return false, nil
		}

		err := s.newWalletText(ctx, tx, k)
		text = k.walletText(tx.Now)

		return true, err
	})

	return text, err
}

// newWalletText gives the wallet of a link a new text to sign. What was handed in is shared with other copies of the
// link, so it is replaced and not changed.
func (s *Service) newWalletText(ctx context.Context, tx *db.Tx, k *Link) (err error) {
	next := *k.Given.Wallet
	next.Proof, err = s.deps.Wallets.NewProof(ctx, tx, next.record(*k))
	k.Given.Wallet = &next

	return err
}

// ProveWallet proves the wallet that was handed in with a signature over its text: the wallet is then VERIFIED from the
// moment in which it is stored. It asks the chain, between reading and writing. A second call, once it is proven,
// changes nothing. Refusals point to /address or /signedMessage; 410 CHALLENGE_EXPIRED wants RenewWalletText. Wrong
// signatures are counted, and after wallet.MaxFailures the text is replaced.
func (s *Service) ProveWallet(ctx context.Context, token, address, signature string) (out Opened, err error) {
	asked, err := s.walletOf(ctx, token, address)
	if err != nil {
		return Opened{}, err
	}

	text := asked.walletText(s.deps.DB.Now())

	proven := false
	if !text.Expired && !text.Proven {
		if proven, err = s.deps.Wallets.Prove(ctx, asked.Given.Wallet.record(asked), signature); err != nil {
			return Opened{}, err
		}
	}

	var refusal error // returned although something was written: a wrong signature

	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		refusal = nil

		k, err := linkOf(ctx, tx, token, tx.Now)
		if err == nil {
			err = k.hasWallet(address)
		}

		if err != nil {
			return err
		}

		now := k.walletText(tx.Now)

		switch {
		case now.Proven:
		case now.Expired || now.Message != text.Message:
			return fault.New(fault.Gone, fault.ChallengeExpired, "The text to sign has expired. Ask for a new one.")
		case proven:
			k, err = recordWalletProof(ctx, tx, k, signature)
		default:
			refusal, err = s.countWrongSignature(ctx, tx, k)
		}

		if err != nil {
			return err
		}

		out, err = s.openedView(ctx, tx, k)

		return err
	})
	if err != nil {
		return Opened{}, s.countIfInvalid(ctx, err)
	}

	return out, refusal
}

// recordWalletProof stores that the owner of the wallet has signed.
func recordWalletProof(ctx context.Context, tx *db.Tx, k Link, signature string) (Link, error) {
	const event = "invoice_link.wallet_proven"

	next := *k.Given.Wallet
	next.Proof.Signature = signature
	next.Proof.ApprovedAt = tx.Now
	next.Proof.Nonce = ""
	k.Given.Wallet = &next

	trail.Audit(ctx, tx, k.Organisation, event, k.ID, next.Network+" "+next.Address)

	return update(tx, k, event)
}

// countWrongSignature counts a wrong signature. The last one that is allowed replaces the text.
func (s *Service) countWrongSignature(ctx context.Context, tx *db.Tx, k Link) (refusal, err error) {
	const event = "invoice_link.wallet_unproven"

	next := *k.Given.Wallet
	next.Proof.Failures++
	k.Given.Wallet = &next

	if next.Proof.Failures >= wallet.MaxFailures {
		if err := s.newWalletText(ctx, tx, &k); err != nil {
			return nil, err
		}
	}

	if _, err := update(tx, k, event); err != nil {
		return nil, err
	}

	trail.Audit(ctx, tx, k.Organisation, event, k.ID, "")

	message := "was not made with the wallet's key over this text."
	if next.Type == wallet.Multisig {
		message = "was not accepted by a contract at the wallet's address (EIP-1271)."
	}

	var l fault.List
	l.Add("/signedMessage", fault.SignatureMismatch, "%s", message)

	return l.Err(), nil
}
