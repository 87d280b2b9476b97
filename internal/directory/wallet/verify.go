package wallet

import (
	"context"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/standards/safe"
)

// Verify proves the wallet with a signature over the text it was given. A second call with the same text and
// signature returns the same answer again; another signature over a used text is refused. Wrong signatures are counted,
// and after five the text is replaced.
//
// The owners of a Safe may come one after the other: what some of them have signed is kept, the wallet stays as it is,
// and the one who makes them enough proves it.
//
// The node is asked between reading and writing. What is then recorded rests on the text alone: it names the wallet,
// address and chain and is replaced when one of them changes, so a text that is still the wallet's own says that
// nothing has changed.
func (s *Service) Verify(ctx context.Context, organisation, walletID, message, signature string, done doneFunc) error {
	w, err := ByID(ctx, s.deps.DB, organisation, walletID)
	if err != nil {
		return err
	}

	raw, err := readSignature(signature)
	if err != nil {
		return err
	}

	asked, err := s.checkProof(ctx, w, message, raw)
	if err != nil {
		return err
	}

	var refusal error // returned although something was written: a wrong signature, an expired text
	nonce := newNonce()

	err = s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		refusal = nil

		w, err := ByID(ctx, tx, organisation, walletID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, w.Version); err != nil {
			return err
		}

		if w.Ownership == OwnershipVerified && w.Message == message && w.holds(signature) {
			return s.finish(ctx, tx, w, done)
		}

		if err := w.open(message); err != nil {
			return err
		}

		switch {
		case !tx.Now.Before(w.ExpiresAt):
			refusal, err = s.expire(tx, w)
			return err
		case !asked.checked:
			return db.ErrRetry // the text was given out after the first look
		case !asked.proven && asked.part == nil:
			refusal, err = s.countFailure(ctx, tx, w, nonce)
			return err
		}

		proof := signature
		if !asked.proven {
			joined, err := gather(ctx, tx, w, *asked.part)
			if err != nil {
				return err
			}

			if joined == nil {
				return s.finish(ctx, tx, w, done)
			}

			proof = hexutil.Encode(joined)
			asked.account = &safeAccount{state: asked.part.account}
		}

		if w, err = recordProof(ctx, tx, w, proof); err != nil {
			return err
		}

		if err = recordSafe(tx, w, asked.account); err != nil {
			return err
		}

		return s.finish(ctx, tx, w, done)
	})
	if err != nil {
		return err
	}

	return refusal
}

// finding is what the chain says of a signature.
type finding struct {
	checked bool // false: there was nothing to ask
	proven  bool
	account *safeAccount // of a proven Safe, as it is now
	part    *part        // what is not proven, but signed by some owners of a Safe
}

// checkProof asks whether the signature is the wallet's. There is nothing to ask if the text is not the one the wallet
// waits for, or has expired.
func (s *Service) checkProof(ctx context.Context, w Wallet, message string, signature []byte) (f finding, err error) {
	if w.open(message) != nil || !s.deps.DB.Now().Before(w.ExpiresAt) {
		return f, nil
	}

	f.checked = true
	if f.proven, err = s.proves(ctx, w, message, signature); err != nil {
		return f, err
	}

	if f.proven {
		f.account, err = s.safeOf(ctx, w)
	} else {
		f.part, err = s.partOf(ctx, w, message, signature)
	}

	return f, err
}

// recordProof writes that the wallet is VERIFIED by a signature. Its text cannot be signed again.
func recordProof(ctx context.Context, tx *db.Tx, w Wallet, signature string) (Wallet, error) {
	if err := w.own(OwnershipVerified); err != nil {
		return w, err
	}

	w.ApprovedAt = tx.Now
	w.Signature = signature
	w.Nonce = ""
	w.Failures = 0

	w, err := update(tx, w)
	if err == nil {
		trail.Audit(ctx, tx, w.Organisation, "wallet.verify", w.ID, w.Network+" "+w.Address)
	}

	return w, err
}

// holds reports whether a wallet was proven by a signature, or by one that an owner's is a part of.
func (w Wallet) holds(signature string) bool {
	one, ok := strings.CutPrefix(signature, "0x")
	return w.Signature == signature ||
		ok && len(one) == 2*safe.Length && strings.Contains(w.Signature, strings.ToLower(one))
}

// open refuses a text that is not the one the wallet waits for.
func (w Wallet) open(message string) error {
	if err := w.provable(); err != nil {
		return err
	}

	if w.Nonce == "" || w.Message == "" || message != w.Message {
		var l fault.List
		l.Add("/message", fault.ChallengeMismatch, "is not the text that was given out for this wallet, byte for byte.")
		return l.Err()
	}

	return nil
}

// expire records that the text was not signed in time. A second call changes nothing.
func (s *Service) expire(tx *db.Tx, w Wallet) (refusal, err error) {
	if w.Ownership != OwnershipExpired {
		if err := w.own(OwnershipExpired); err != nil {
			return nil, err
		}

		if _, err := update(tx, w); err != nil {
			return nil, err
		}
	}

	return fault.New(
		fault.Gone,
		fault.ChallengeExpired,
		"The text to sign has expired; POST /wallets/%s/challenge gives a new one.",
		w.ID,
	), nil
}

// countFailure counts a wrong signature. The fifth replaces the text.
func (s *Service) countFailure(ctx context.Context, tx *db.Tx, w Wallet, nonce string) (refusal, err error) {
	if err := w.own(OwnershipFailed); err != nil {
		return nil, err
	}

	w.Failures++
	if w.Failures >= maxFailures {
		n, err := network.ByID(ctx, tx, w.Network)
		if err != nil {
			return nil, err
		}

		if err := s.newText(ctx, tx, &w, n, nonce); err != nil {
			return nil, err
		}
	}

	if w, err = update(tx, w); err != nil {
		return nil, err
	}

	trail.Audit(ctx, tx, w.Organisation, "wallet.verify.failed", w.ID, "")

	message := "was not made with the wallet's key over this message."
	if w.Type == Multisig {
		message = "was not accepted by a contract at the wallet's address (EIP-1271)."
	}

	return signatureFault(fault.SignatureMismatch, message), nil
}
