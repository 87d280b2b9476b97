package wallet

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/fault"
	"slipway/internal/standards/eip191"
)

// maxSignature bounds a contract's signature: a Safe with 60 owners has 4 KB.
const maxSignature = 8192

// Chain answers what only a node knows. Both calls read and change nothing (eth_getCode, eth_call). An error means that the node gave no
// answer; a contract that reverts or answers something else than the magic value is false.
type Chain interface {
	CodeAt(ctx context.Context, networkID string, address common.Address) ([]byte, error)
	IsValidSignature(ctx context.Context, networkID string, wallet common.Address, hash [32]byte, signature []byte) (bool, error)
}

// readSignature takes 0x and hexadecimal digits. A signature for a contract that does not exist yet (ERC-6492) is refused: to check it,
// the call that it carries would have to be carried out.
func readSignature(s string) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) > maxSignature {
		return nil, signatureFault(fault.SignatureMalformed, "is not 0x and an even number of hexadecimal digits.")
	}
	if eip191.Undeployed(raw) {
		return nil, signatureFault(fault.SignatureUnsupported, "is for a wallet that is not deployed yet (ERC-6492); deploy it first.")
	}
	return raw, nil
}

func signatureFault(code fault.Code, message string) error {
	var l fault.List
	l.Add("/signedMessage", code, "%s", message)
	return l.Err()
}

// proves says whether the signature over the text was made by the wallet. A contract at the address is asked first (EIP-1271). A MULTISIG
// wallet must be a contract; an EOA whose address carries code (EIP-7702) may also sign with its key. It asks the node and so runs
// outside of any transaction.
func (s *Service) proves(ctx context.Context, w Wallet, message string, signature []byte) (bool, error) {
	if s.deps.Chain == nil {
		return false, fault.New(fault.Unavailable, fault.UpstreamFailed, "No chain node is configured.")
	}
	address, hash := common.HexToAddress(w.Address), eip191.Hash([]byte(message))
	code, err := s.deps.Chain.CodeAt(ctx, w.Network, address)
	if err != nil {
		return false, s.noAnswer(ctx, w, err)
	}
	if len(code) > 0 {
		ok, err := s.deps.Chain.IsValidSignature(ctx, w.Network, address, hash, signature)
		if err != nil {
			return false, s.noAnswer(ctx, w, err)
		}
		if ok {
			return true, nil
		}
	}
	if w.Type == Multisig {
		return false, nil
	}
	who, err := eip191.RecoverHash(hash, signature)
	if errors.Is(err, eip191.ErrForm) {
		return false, signatureFault(fault.SignatureMalformed, "is not 65 bytes with v of 0, 1, 27 or 28 and a low s (EIP-2).")
	}
	return err == nil && who == address, nil
}

func (s *Service) noAnswer(ctx context.Context, w Wallet, err error) error {
	s.deps.Log.WarnContext(ctx, "chain node gave no answer", "network", w.Network, "wallet", w.ID, "error", err.Error())
	return fault.New(fault.Unavailable, fault.UpstreamFailed, "The chain node did not answer. Nothing was changed; try again.")
}
