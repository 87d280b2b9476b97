package wallet

import (
	"context"
	"time"

	"slipway/internal/directory/network"
	"slipway/internal/platform/db"
)

// MaxFailures is how many wrong signatures a text takes. Then it is replaced.
const MaxFailures = maxFailures

// Proof is the proof of a wallet that is not stored yet, such as one that an outside party hands in: the text that its
// owner signs and, once it is proven, what was signed. Add takes it over with the wallet.
type Proof struct {
	Message    string    `json:",omitzero"` // to sign, and afterwards what was signed
	Nonce      string    `json:",omitzero"` // of Message; empty once it was used
	ExpiresAt  time.Time `json:",omitzero"`
	Failures   int64     `json:",omitzero"` // wrong signatures over Message
	Signature  string    `json:",omitzero"` // 0x…; empty: not proven
	ApprovedAt time.Time `json:",omitzero"`
}

// Proven reports whether the owner has signed.
func (p Proof) Proven() bool { return p.Signature != "" }

// NewProof returns a proof with a text to sign for a wallet that has an identifier and is not stored yet. It is the
// text that the stored wallet would get. A second call returns another one, and the one before is of no use.
func (s *Service) NewProof(ctx context.Context, tx *db.Tx, w Wallet) (Proof, error) {
	n, err := network.ByID(ctx, tx, w.Network)
	if err != nil {
		return Proof{}, err
	}

	w.Ownership = ""
	err = s.newText(ctx, tx, &w, n, newNonce())

	return Proof{Message: w.Message, Nonce: w.Nonce, ExpiresAt: w.ExpiresAt}, err
}

// Prove reports whether a signature over the wallet's Message was made by the wallet, which need not be stored. It asks
// the chain, so never call it in a write body. A malformed signature is refused with 422 at /signedMessage.
func (s *Service) Prove(ctx context.Context, w Wallet, signature string) (bool, error) {
	raw, err := readSignature(signature)
	if err != nil {
		return false, err
	}

	return s.proves(ctx, w, w.Message, raw)
}

// prove gives a wallet that is added the proof that it was handed over with, in place of a new text.
func (w *Wallet) prove(p Proof) error {
	if !p.Proven() {
		return nil
	}

	if err := w.own(OwnershipVerified); err != nil {
		return err
	}

	w.Message = p.Message
	w.Signature = p.Signature
	w.ApprovedAt = p.ApprovedAt
	w.ExpiresAt = p.ExpiresAt
	w.Nonce = ""

	return nil
}
