package chain

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// HeldKey is a secp256k1 key that signs where it is held and never leaves: in a hardware module or at a cloud's key
// service. Sign returns r and s of a digest of 32 bytes. s may be in the upper half: such devices do not know EIP-2.
type HeldKey interface {
	Public() *ecdsa.PublicKey
	Sign(ctx context.Context, digest [32]byte) (r, s *big.Int, err error)
}

// HeldSigner signs with a key that is held elsewhere.
type HeldSigner struct {
	key     HeldKey
	address common.Address
}

var errHeldCurve = errors.New("the key that is held elsewhere is not one of the curve secp256k1")

// NewHeldSigner returns a signer for a held key. It refuses a public key that is not on the curve secp256k1.
func NewHeldSigner(key HeldKey) (*HeldSigner, error) {
	public := key.Public()
	if public == nil || public.Curve != crypto.S256() {
		return nil, errHeldCurve
	}

	// Only a point of the curve has bytes that are read again.
	if _, err := crypto.UnmarshalPubkey(crypto.FromECDSAPub(public)); err != nil {
		return nil, errHeldCurve
	}

	return &HeldSigner{key: key, address: crypto.PubkeyToAddress(*public)}, nil
}

// Address returns the address of the held key.
func (s *HeldSigner) Address() common.Address { return s.address }

// errHeld means that the holder of a key returned what is not that key's signature.
var errHeld = errors.New("the holder of the key returned a signature that is not the key's")

// SignTx asks the key's holder, brings s into the lower half (EIP-2), and finds the recovery id by recovering the
// address, which has to be the key's. A second call for the same transaction may give other bytes.
func (s *HeldSigner) SignTx(
	ctx context.Context,
	tx *types.Transaction,
	chainID *big.Int,
) (*types.Transaction, error) {
	scheme := types.LatestSignerForChainID(chainID)
	digest := scheme.Hash(tx)

	r, sv, err := s.key.Sign(ctx, digest)
	if err != nil {
		return nil, fmt.Errorf("sign with the held key of %s: %w", s.address, err)
	}

	signature, err := s.canonical(digest, r, sv)
	if err != nil {
		return nil, err
	}

	return tx.WithSignature(scheme, signature)
}

// canonical returns the 65 bytes r, s, v of a signature.
func (s *HeldSigner) canonical(digest common.Hash, r, sv *big.Int) ([]byte, error) {
	order := crypto.S256().Params().N
	if r == nil || sv == nil || r.Sign() <= 0 || sv.Sign() <= 0 || r.Cmp(order) >= 0 || sv.Cmp(order) >= 0 {
		return nil, errHeld
	}

	if sv.Cmp(new(big.Int).Rsh(order, 1)) > 0 {
		sv = new(big.Int).Sub(order, sv)
	}

	out := make([]byte, crypto.SignatureLength)
	r.FillBytes(out[:32])
	sv.FillBytes(out[32:64])

	for v := range byte(2) {
		out[crypto.RecoveryIDOffset] = v

		public, err := crypto.SigToPub(digest[:], out)
		if err == nil && crypto.PubkeyToAddress(*public) == s.address {
			return out, nil
		}
	}

	return nil, errHeld
}
