package safe

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"slipway/internal/standards/eip191"
)

// Kind is how an owner confirms.
type Kind string

// The four kinds.
const (
	ByKey      Kind = "ECDSA"         // v of 27 or 28: over the hash itself, as eth_signTypedData_v4 does
	ByEthSign  Kind = "ETH_SIGN"      // v of 31 or 32: over the hash as a text (personal_sign), with 4 added to v
	ByApproval Kind = "APPROVED_HASH" // v of 1: the owner has called approveHash on the chain
	ByContract Kind = "CONTRACT"      // v of 0: the owner is a contract (EIP-1271); its signature stands behind
)

// Length is the number of bytes of a confirmation; what a contract signs stands behind all of them.
const Length = 65

// MaxSignature limits one confirmation of an owner that is a contract.
const MaxSignature = 4096

// Errors of a confirmation that cannot be read.
var (
	ErrForm = errors.New(
		"a confirmation is 65 bytes: r, s and v of 27, 28, 31, 32, 1 or 0; behind v of 0 stands one length and so many bytes",
	)
	ErrOwner = errors.New("two confirmations are of the same owner")
)

// Confirmation is what one owner gives.
type Confirmation struct {
	Owner common.Address
	Kind  Kind
	// Data is r, s and v; ByContract: what the contract at Owner is to judge.
	Data []byte
}

// Parse reads one confirmation of a hash. Of ByKey and ByEthSign the owner follows from the signature. Of the others
// it is only what the bytes say: the chain has to be asked.
func Parse(hash common.Hash, raw []byte) (Confirmation, error) {
	if len(raw) < Length || len(raw) > MaxSignature {
		return Confirmation{}, ErrForm
	}

	switch v := raw[64]; {
	case v == 0:
		return parseContract(raw)
	case len(raw) != Length:
		return Confirmation{}, ErrForm
	case v == 1:
		if !bytes.Equal(raw[:12], make([]byte, 12)) {
			return Confirmation{}, ErrForm
		}

		return Approved(common.BytesToAddress(raw[12:32])), nil

	case v == 27 || v == 28:
		return parseKey(hash, raw, ByKey)
	case v == 31 || v == 32:
		return parseKey(eip191.Hash(hash[:]), raw, ByEthSign)
	}

	return Confirmation{}, ErrForm
}

// Approved is the confirmation of an owner who has approved the hash on the chain.
func Approved(owner common.Address) Confirmation {
	data := slices.Concat(common.LeftPadBytes(owner[:], 32), make([]byte, 32), []byte{1})
	return Confirmation{Owner: owner, Kind: ByApproval, Data: data}
}

// parseKey reads a confirmation by a key. eth_sign has 4 added to v, so that a contract knows it from the other.
func parseKey(hash common.Hash, raw []byte, kind Kind) (Confirmation, error) {
	plain := bytes.Clone(raw)
	if kind == ByEthSign {
		plain[64] -= 4
	}

	owner, err := eip191.RecoverHash(hash, plain)
	if err != nil {
		return Confirmation{}, ErrForm
	}

	return Confirmation{Owner: owner, Kind: kind, Data: bytes.Clone(raw)}, nil
}

// parseContract reads a confirmation of a contract: the owner, where its bytes stand, and v of 0; then their length and
// the bytes.
func parseContract(raw []byte) (Confirmation, error) {
	at := new(big.Int).SetBytes(raw[32:64])
	if !bytes.Equal(raw[:12], make([]byte, 12)) || at.Cmp(big.NewInt(Length)) != 0 || len(raw) < Length+32 {
		return Confirmation{}, ErrForm
	}

	n := new(big.Int).SetBytes(raw[Length : Length+32])
	if !n.IsInt64() || n.Int64() != int64(len(raw)-Length-32) {
		return Confirmation{}, ErrForm
	}

	return Confirmation{
		Owner: common.BytesToAddress(raw[12:32]),
		Kind:  ByContract,
		Data:  bytes.Clone(raw[Length+32:]),
	}, nil
}

// Bytes returns the confirmation alone, as Parse reads it.
func (c Confirmation) Bytes() []byte {
	joined, err := Join([]Confirmation{c})
	if err != nil {
		return nil
	}

	return joined
}

// Join writes confirmations as the contract wants them: by ascending owner, no owner twice, and what contracts sign
// behind all of them.
func Join(all []Confirmation) ([]byte, error) {
	sorted := slices.Clone(all)
	slices.SortFunc(sorted, func(a, b Confirmation) int { return a.Owner.Cmp(b.Owner) })

	var heads, tails []byte
	for i, c := range sorted {
		if i > 0 && c.Owner == sorted[i-1].Owner {
			return nil, ErrOwner
		}

		if c.Kind != ByContract {
			heads = append(heads, c.Data...)
			continue
		}

		at := int64(len(sorted)*Length + len(tails))

		heads = append(heads, common.LeftPadBytes(c.Owner[:], 32)...)
		heads = append(heads, word(big.NewInt(at))...)
		heads = append(heads, 0)
		tails = append(tails, word(big.NewInt(int64(len(c.Data))))...)
		tails = append(tails, c.Data...)
	}

	return append(heads, tails...), nil
}

// Split reads joined confirmations of a hash, in whatever order they stand.
func Split(hash common.Hash, joined []byte) ([]Confirmation, error) {
	end := len(joined)

	var out []Confirmation
	for at := 0; at < end; at += Length {
		if at+Length > len(joined) || len(out) >= MaxOwners {
			return nil, ErrForm
		}

		head := joined[at : at+Length]
		if head[64] != 0 {
			c, err := Parse(hash, head)
			if err != nil {
				return nil, err
			}

			out = append(out, c)

			continue
		}

		c, begin, err := splitContract(joined, head)
		if err != nil {
			return nil, err
		}

		end = min(end, begin)

		out = append(out, c)
	}

	return out, nil
}

// splitContract reads the confirmation of a contract out of joined ones, and where its bytes begin.
func splitContract(joined, head []byte) (Confirmation, int, error) {
	at := new(big.Int).SetBytes(head[32:64])
	if !bytes.Equal(head[:12], make([]byte, 12)) || !at.IsInt64() || at.Int64() < Length ||
		at.Int64() > int64(len(joined)-32) {
		return Confirmation{}, 0, ErrForm
	}

	begin := int(at.Int64())

	n := new(big.Int).SetBytes(joined[begin : begin+32])
	if !n.IsInt64() || n.Int64() > int64(len(joined)-begin-32) {
		return Confirmation{}, 0, ErrForm
	}

	return Confirmation{
		Owner: common.BytesToAddress(head[12:32]),
		Kind:  ByContract,
		Data:  bytes.Clone(joined[begin+32 : begin+32+int(n.Int64())]),
	}, begin, nil
}

// Enough reports whether confirmations by keys alone reach the threshold: distinct present owners, each with a
// signature over the hash. It is the account's own rule, without the account; confirmations that need the chain do not
// count.
func (s State) Enough(all []Confirmation) bool {
	seen := map[common.Address]bool{}
	for _, c := range all {
		if (c.Kind == ByKey || c.Kind == ByEthSign) && s.Owns(c.Owner) {
			seen[c.Owner] = true
		}
	}

	return len(seen) >= s.Threshold
}

// Sign makes the confirmation of a key, as eth_signTypedData_v4 does. It is for tests and the sandbox's people.
func Sign(hash common.Hash, sign func(hash []byte) ([]byte, error)) (Confirmation, error) {
	raw, err := sign(hash[:])
	if err != nil || len(raw) != crypto.SignatureLength {
		return Confirmation{}, fmt.Errorf("safe: sign: %w", errors.Join(err, ErrForm))
	}

	raw[64] += 27

	return Parse(hash, raw)
}
