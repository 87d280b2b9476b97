package contract

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"
)

const (
	domainName    = "Slipway"
	domainVersion = "1"

	domainType = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
	legType    = "Leg(address to,uint256 amount)"
	// The legs are listed one by one, not as one hash, so that a wallet shows what is paid to whom.
	intentType = "Intent(address payer,address token,uint256 batchNumber,Leg[] legs,uint256 deadline)" + legType
)

// IntentDigest is what the payer signs (EIP-712) so that exactly this batch may be paid once, on this chain, by this
// router, until the deadline.
func IntentDigest(chainID *big.Int, router common.Address, b Batch, deadline *big.Int) (common.Hash, error) {
	if _, err := b.check(); err != nil {
		return common.Hash{}, err
	}

	if !isUint256(chainID) || !isUint256(deadline) {
		return common.Hash{}, errors.New("chain id and deadline must fit 256 bits")
	}

	domain := hashStruct(domainType, crypto.Keccak256([]byte(domainName)), crypto.Keccak256([]byte(domainVersion)),
		word(chainID), router[:])

	var legs []byte
	for _, leg := range b.Legs {
		legs = append(legs, hashStruct(legType, leg.To[:], word(leg.Amount))...)
	}

	intent := hashStruct(intentType, b.Payer[:], b.Token[:], word(b.Number), crypto.Keccak256(legs), word(deadline))

	return crypto.Keccak256Hash([]byte{0x19, 0x01}, domain, intent), nil
}

func hashStruct(typ string, fields ...[]byte) []byte {
	packed := crypto.Keccak256([]byte(typ))
	for _, field := range fields {
		packed = append(packed, common.LeftPadBytes(field, 32)...)
	}

	return crypto.Keccak256(packed)
}

func word(n *big.Int) []byte { return math.U256Bytes(new(big.Int).Set(n)) }

// IntentTypedData is the same as IntentDigest in the form that eth_signTypedData_v4 takes: marshal it to JSON and hand
// it to the wallet. Numbers are decimal strings, which every wallet reads without loss.
func IntentTypedData(chainID *big.Int, router common.Address, b Batch, deadline *big.Int) map[string]any {
	legs := make([]map[string]string, 0, len(b.Legs))
	for _, leg := range b.Legs {
		legs = append(legs, map[string]string{"to": leg.To.Hex(), "amount": leg.Amount.String()})
	}

	return map[string]any{
		"types": map[string]any{
			"EIP712Domain": members("name", "string", "version", "string", "chainId", "uint256",
				"verifyingContract", "address"),
			"Leg": members("to", "address", "amount", "uint256"),
			"Intent": members("payer", "address", "token", "address", "batchNumber", "uint256",
				"legs", "Leg[]", "deadline", "uint256"),
		},
		"primaryType": "Intent",
		"domain": map[string]string{
			"name": domainName, "version": domainVersion, "chainId": chainID.String(),
			"verifyingContract": router.Hex(),
		},
		"message": map[string]any{
			"payer":       b.Payer.Hex(),
			"token":       b.Token.Hex(),
			"batchNumber": b.Number.String(),
			"legs":        legs,
			"deadline":    deadline.String(),
		},
	}
}

func members(namesAndTypes ...string) []map[string]string {
	var out []map[string]string
	for i := 0; i < len(namesAndTypes); i += 2 {
		out = append(out, map[string]string{"name": namesAndTypes[i], "type": namesAndTypes[i+1]})
	}

	return out
}

// RecoverIntentSigner returns the address whose key signed the digest, and refuses what the router refuses: other
// lengths than 65 bytes, a v that is not 27 or 28, and a high s (EIP-2), which would let anyone write a second
// signature. A payer that is a wallet contract can only be asked on chain (EIP-1271).
func RecoverIntentSigner(digest common.Hash, signature []byte) (common.Address, error) {
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
