package safe

import (
	"errors"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Type hashes (EIP-712) of what owners sign.
var (
	domainType    = crypto.Keccak256Hash([]byte("EIP712Domain(uint256 chainId,address verifyingContract)"))
	domainTypeOld = crypto.Keccak256Hash([]byte("EIP712Domain(address verifyingContract)")) // before 1.3.0
	messageType   = crypto.Keccak256Hash([]byte("SafeMessage(bytes message)"))
	txType        = crypto.Keccak256Hash([]byte(
		"SafeTx(address to,uint256 value,bytes data,uint8 operation,uint256 safeTxGas,uint256 baseGas,uint256 gasPrice," +
			"address gasToken,address refundReceiver,uint256 nonce)",
	))
)

// Operation is how an account carries out a transaction.
type Operation uint8

// The two operations.
const (
	Call         Operation = 0
	DelegateCall Operation = 1 // with the account's own storage: only to a batcher
)

// Tx is a SafeTx whose five fields of gas and refund are zero. With a safeTxGas, a transaction that fails would use up
// its nonce, and its signatures with it; with a gas price, whoever sends it is paid by the account.
type Tx struct {
	To        common.Address
	Data      []byte
	Operation Operation
	Nonce     uint64
}

// Domain is whose signatures are meant: an account on a chain. Before version 1.3.0 the chain is not in it, so a
// signature is good on every chain where the account has the same address.
type Domain struct {
	Chain   *big.Int // nil before 1.3.0
	Account common.Address
}

// ErrVersion is the error of a version that signs in another way.
var ErrVersion = errors.New("this version of Safe is not known")

// DomainOf returns the domain of an account by its version.
func DomainOf(version string, chain *big.Int, account common.Address) (Domain, error) {
	switch version {
	case V111, V120:
		return Domain{Account: account}, nil
	case V130, V141, V150:
		return Domain{Chain: chain, Account: account}, nil
	default:
		return Domain{}, ErrVersion
	}
}

// Hash returns the domain separator, which a Ledger shows as the domain hash.
func (d Domain) Hash() common.Hash {
	account := common.LeftPadBytes(d.Account[:], 32)
	if d.Chain == nil {
		return crypto.Keccak256Hash(domainTypeOld[:], account)
	}

	return crypto.Keccak256Hash(domainType[:], word(d.Chain), account)
}

// Hash returns the hash of the struct, which a Ledger shows as the message hash.
func (t Tx) Hash() common.Hash {
	zero := make([]byte, 32)

	return crypto.Keccak256Hash(
		txType[:],
		common.LeftPadBytes(t.To[:], 32),
		zero, // value
		crypto.Keccak256(t.Data),
		word(big.NewInt(int64(t.Operation))),
		zero, zero, zero, zero, zero, // safeTxGas, baseGas, gasPrice, gasToken, refundReceiver
		word(new(big.Int).SetUint64(t.Nonce)),
	)
}

// encode returns the bytes whose hash is signed (EIP-191 version 1).
func (d Domain) encode(content common.Hash) []byte {
	domain := d.Hash()
	return slices.Concat([]byte{0x19, 0x01}, domain[:], content[:])
}

// Encode returns the bytes whose hash is the safeTxHash. An owner that is a contract is asked about these bytes.
func (d Domain) Encode(t Tx) []byte { return d.encode(t.Hash()) }

// TxHash returns the safeTxHash: what owners sign.
func (d Domain) TxHash(t Tx) common.Hash { return crypto.Keccak256Hash(d.Encode(t)) }

// ContentHash returns the hash of a SafeMessage over bytes.
func ContentHash(message []byte) common.Hash {
	return crypto.Keccak256Hash(messageType[:], crypto.Keccak256(message))
}

// EncodeMessage returns the bytes whose hash owners sign to confirm a message. An owner that is a contract is asked
// about these bytes.
func (d Domain) EncodeMessage(message []byte) []byte { return d.encode(ContentHash(message)) }

// MessageHash returns what owners sign to confirm a message. For a message that is asked about by EIP-1271, its bytes
// are the 32 of the hash that was asked about.
func (d Domain) MessageHash(message []byte) common.Hash {
	return crypto.Keccak256Hash(d.EncodeMessage(message))
}

// EncodeMessage is Domain.EncodeMessage with the domain that the account itself has named.
func (s State) EncodeMessage(message []byte) []byte {
	content := ContentHash(message)
	return slices.Concat([]byte{0x19, 0x01}, s.Domain[:], content[:])
}

// MessageHash is Domain.MessageHash with the domain that the account itself has named.
func (s State) MessageHash(message []byte) common.Hash {
	return crypto.Keccak256Hash(s.EncodeMessage(message))
}

func word(n *big.Int) []byte { return common.LeftPadBytes(n.Bytes(), 32) }
