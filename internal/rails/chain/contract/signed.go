package contract

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

const (
	domainName    = "Slipway"
	domainVersion = "1"
)

// RecoverSigner returns the address whose key signed the digest, and refuses what the router refuses: other
// lengths than 65 bytes, a v that is not 27 or 28, and a high s (EIP-2), which would let anyone write a second
// signature. A payer that is a wallet contract can only be asked on chain (EIP-1271).
func RecoverSigner(digest common.Hash, signature []byte) (common.Address, error) {
	if len(signature) != crypto.SignatureLength {
		return common.Address{}, fmt.Errorf("a signature has %d bytes, not %d", crypto.SignatureLength, len(signature))
	}

	r := new(big.Int).SetBytes(signature[:32])
	s := new(big.Int).SetBytes(signature[32:64])

	v := signature[64]
	if v != 27 && v != 28 {
		return common.Address{}, fmt.Errorf("the signature's v is %d, not 27 or 28", v)
	}

	if !crypto.ValidateSignatureValues(v-27, r, s, true) {
		return common.Address{}, errors.New("the signature's r or s is out of range, or s is high")
	}

	plain := append(append([]byte{}, signature[:64]...), v-27)

	key, err := crypto.SigToPub(digest[:], plain)
	if err != nil {
		return common.Address{}, fmt.Errorf("recover the signer: %w", err)
	}

	return crypto.PubkeyToAddress(*key), nil
}
