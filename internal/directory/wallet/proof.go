package wallet

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/standards/eip191"
	"slipway/internal/standards/safe"
)

// maxSignature bounds a contract's signature: a Safe with 60 owners has 4 KB.
const maxSignature = 8192

// Safes answers what only a node knows of a Safe. All calls read and change nothing (eth_getCode, eth_call). An error
// means that the node gave no answer.
type Safes interface {
	CodeAt(ctx context.Context, networkID string, address common.Address) ([]byte, error)
	// SafeAt reads a Safe; ok is false if there is none of published code.
	SafeAt(ctx context.Context, networkID string, address common.Address) (s safe.State, ok bool, err error)
	// SafeSays reads one word that a Safe answers; zero if it answers none.
	SafeSays(ctx context.Context, networkID string, address common.Address, data []byte) (common.Hash, error)
	// OwnerConfirms asks an owner that is a contract about the bytes whose hash is signed.
	OwnerConfirms(
		ctx context.Context,
		networkID, version string,
		owner common.Address,
		encoded []byte,
		hash common.Hash,
		signature []byte,
	) (bool, error)
}

// Chain answers what only a node knows of a wallet, as Safes does; a contract that reverts or answers something else
// than the magic value is false.
type Chain interface {
	Safes
	IsValidSignature(
		ctx context.Context,
		networkID string,
		wallet common.Address,
		hash [32]byte,
		signature []byte,
	) (bool, error)
}

// readSignature takes 0x and hexadecimal digits. A signature for a contract that does not exist yet (ERC-6492) is
// refused: to check it, the call that it carries would have to be carried out.
func readSignature(s string) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "0x")

	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) > maxSignature {
		return nil, signatureFault(fault.SignatureMalformed, "is not 0x and an even number of hexadecimal digits.")
	}

	if eip191.Undeployed(raw) {
		return nil, signatureFault(
			fault.SignatureUnsupported,
			"is for a wallet that is not deployed yet (ERC-6492); deploy it first.",
		)
	}

	return raw, nil
}

func signatureFault(code fault.Code, message string) error {
	var l fault.List
	l.Add("/signedMessage", code, "%s", message)
	return l.Err()
}

// proves reports whether the signature over the text was made by the wallet. A contract at the address is asked first
// (EIP-1271). A MULTISIG wallet must be a contract; an EOA whose address carries code (EIP-7702) may also sign with
// its key. It asks the node and so runs outside of any transaction.
func (s *Service) proves(ctx context.Context, w Wallet, message string, signature []byte) (bool, error) {
	good, err := s.contractSays(ctx, w, message, signature)
	if err != nil || good || w.Type == Multisig {
		return good, err
	}

	who, err := eip191.Recover([]byte(message), signature)
	if errors.Is(err, eip191.ErrForm) {
		return false, signatureFault(
			fault.SignatureMalformed,
			"is not 65 bytes with v of 0, 1, 27 or 28 and a low s (EIP-2).",
		)
	}

	return err == nil && who == common.HexToAddress(w.Address), nil
}

// contractSays asks the contract at the wallet's address whether it stands behind a signature (EIP-1271); false where
// there is none.
func (s *Service) contractSays(ctx context.Context, w Wallet, message string, signature []byte) (bool, error) {
	if s.deps.Chain == nil {
		return false, fault.New(fault.Unavailable, fault.UpstreamFailed, "No chain node is configured.")
	}

	address := common.HexToAddress(w.Address)

	code, err := s.deps.Chain.CodeAt(ctx, w.Network, address)
	if err != nil {
		return false, s.noAnswer(ctx, w, err)
	}

	if len(code) == 0 {
		return false, nil
	}

	if w.Type == Multisig && safe.Delegated(code) {
		return false, fault.New(
			fault.Invalid,
			fault.WalletTypeWrong,
			"The address has a key and a delegate (EIP-7702). It is an EOA: its key alone can move what it holds.",
		)
	}

	good, err := s.deps.Chain.IsValidSignature(ctx, w.Network, address, eip191.Hash([]byte(message)), signature)
	if err != nil {
		return false, s.noAnswer(ctx, w, err)
	}

	if good || !safe.IsProxy(code) {
		return good, nil
	}

	return s.ownersSay(ctx, w, message, signature)
}

func (s *Service) noAnswer(ctx context.Context, w Wallet, err error) error {
	s.deps.Log.WarnContext(ctx, "chain node gave no answer", "network", w.Network, "wallet", w.ID, "error", err.Error())

	return fault.New(
		fault.Unavailable,
		fault.UpstreamFailed,
		"The chain node did not answer. Nothing was changed; try again.",
	)
}

// ProvenByKey reports whether the proof is the signature of the address's own key. Such a proof is lasting: no chain is
// asked, now or later, whatever code the address carries (EIP-7702).
func (w Wallet) ProvenByKey() bool {
	signature, err := readSignature(w.Signature)
	if err != nil || w.Type != EOA || w.Ownership != OwnershipVerified {
		return false
	}

	who, err := eip191.Recover([]byte(w.Message), signature)

	return err == nil && who == common.HexToAddress(w.Address)
}

// ProofHolds asks again whether a wallet's proof is good. One by a contract (EIP-1271) is good only while the contract
// says so: its owners change, a delegate is taken away (EIP-7702), a module is switched off. When it says no, the proof
// ends as if staff had revoked it, and the call is refused with WALLET_NOT_VERIFIED. A wallet that is not VERIFIED is
// left to UsableGate. The chain is asked outside of any transaction; a second call asks again.
func (s *Service) ProofHolds(ctx context.Context, w Wallet) error {
	if w.Ownership != OwnershipVerified || w.ProvenByKey() {
		return nil
	}

	signature, err := readSignature(w.Signature)
	if err != nil {
		return err
	}

	good, err := s.contractSays(ctx, w, w.Message, signature)
	if err != nil {
		return err
	}

	if !good {
		return s.endProof(ctx, w, noLonger)
	}

	return s.safeUnchanged(ctx, w)
}

// noLonger is why a proof by a contract ends.
const noLonger = "its contract no longer stands behind the signature"

// endProof revokes a proof that did not hold, unless the wallet was proven anew meanwhile. why begins with a small
// letter.
func (s *Service) endProof(ctx context.Context, was Wallet, why string) error {
	err := s.deps.DB.Write(ctx, func(tx *db.Tx) error {
		w, err := anyone(ctx, tx, was.ID)
		if err != nil || w.Ownership != OwnershipVerified || w.Signature != was.Signature || w.Message != was.Message {
			return err
		}

		_, err = revoke(ctx, tx, w, why)

		return err
	})
	if err != nil {
		return err
	}

	return fault.New(
		fault.Invalid,
		fault.WalletNotVerified,
		"The wallet's proof has ended: %s. Prove the wallet again.",
		why,
	)
}
