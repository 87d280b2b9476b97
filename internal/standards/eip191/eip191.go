// Package eip191 checks signatures that wallets make over texts (personal_sign, EIP-191 version 0x45).
//
// It accepts exactly one encoding of a signature: 65 bytes r, s, v with a low s (EIP-2) and v of 0, 1, 27 or 28. It
// does not read contract signatures (EIP-1271); only the chain can check them.
package eip191

import (
	"bytes"
	"errors"
	"math/big"
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Length is the number of bytes of a signature made with a key.
const Length = 65

// The errors of a signature made with a key. The caller checks whether it is the right key.
var (
	ErrForm = errors.New(
		"a signature is 65 bytes: r, s and v of 0, 1, 27 or 28, with r and s in range and s in the lower half",
	)
	ErrKey = errors.New("no public key belongs to this signature")
)

// Hash returns what a wallet signs for a message: the bytes, after a prefix with which no transaction can begin.
func Hash(message []byte) [32]byte {
	return crypto.Keccak256Hash([]byte("\x19Ethereum Signed Message:\n"+strconv.Itoa(len(message))), message)
}

// Recover returns the address whose key made the signature over the message.
func Recover(message, signature []byte) (common.Address, error) {
	return RecoverHash(Hash(message), signature)
}

// RecoverHash is Recover for a given hash.
func RecoverHash(hash [32]byte, signature []byte) (common.Address, error) {
	if len(signature) != Length {
		return common.Address{}, ErrForm
	}

	v := signature[64]
	if v == 27 || v == 28 {
		v -= 27
	}

	r := new(big.Int).SetBytes(signature[:32])

	s := new(big.Int).SetBytes(signature[32:64])
	if !crypto.ValidateSignatureValues(v, r, s, true) { // true: the rule of EIP-2, s in the lower half
		return common.Address{}, ErrForm
	}

	key, err := crypto.SigToPub(hash[:], append(bytes.Clone(signature[:64]), v))
	if err != nil {
		return common.Address{}, ErrKey
	}

	return crypto.PubkeyToAddress(*key), nil
}

// Undeployed reports whether a signature has the suffix of ERC-6492: it was made for a contract wallet that does not
// exist yet, and contains the call that would create it. Checking it would require that call.
func Undeployed(signature []byte) bool {
	return len(signature) >= 32 && bytes.Equal(signature[len(signature)-32:], bytes.Repeat([]byte{0x64, 0x92}, 16))
}
