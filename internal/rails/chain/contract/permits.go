package contract

import (
	"bytes"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
)

// Permit2 is the address of Permit2 on every chain that has it.
var Permit2 = common.HexToAddress("0x000000000022D473030F116dDEE9F6B43aC78BA3")

// A Domain is whose signature a wallet makes (EIP-712). Version is empty where the domain has none.
type Domain struct {
	Name, Version string
	ChainID       *big.Int
	Contract      common.Address
}

// RouterDomain is the domain of intents.
func RouterDomain(chainID *big.Int, router common.Address) Domain {
	return Domain{Name: domainName, Version: domainVersion, ChainID: chainID, Contract: router}
}

// Permit2Domain is the domain of Permit2.
func Permit2Domain(chainID *big.Int) Domain {
	return Domain{Name: "Permit2", ChainID: chainID, Contract: Permit2}
}

// Separator returns the hash of the domain, which a contract shows as DOMAIN_SEPARATOR.
func (d Domain) Separator() (common.Hash, error) {
	typed := apitypes.TypedData{
		Types:  apitypes.Types{"EIP712Domain": d.members()},
		Domain: d.typed(),
	}

	hash, err := typed.HashStruct("EIP712Domain", typed.Domain.Map())

	return common.BytesToHash(hash), err
}

func (d Domain) members() []apitypes.Type {
	m := []apitypes.Type{{Name: "name", Type: "string"}}
	if d.Version != "" {
		m = append(m, apitypes.Type{Name: "version", Type: "string"})
	}

	return append(m,
		apitypes.Type{Name: "chainId", Type: "uint256"},
		apitypes.Type{Name: "verifyingContract", Type: "address"},
	)
}

func (d Domain) typed() apitypes.TypedDataDomain {
	return apitypes.TypedDataDomain{
		Name:              d.Name,
		Version:           d.Version,
		ChainId:           (*math.HexOrDecimal256)(d.ChainID),
		VerifyingContract: d.Contract.Hex(),
	}
}

// TypedData is what a payer signs, in the form that eth_signTypedData_v4 takes. Numbers are decimal strings, which
// every wallet reads without loss.
type TypedData struct {
	Types       apitypes.Types            `json:"types"`
	PrimaryType string                    `json:"primaryType"`
	Domain      map[string]string         `json:"domain"`
	Message     apitypes.TypedDataMessage `json:"message"`

	domain Domain
}

// Digest returns the hash that is signed.
func (t TypedData) Digest() (common.Hash, error) {
	hash, _, err := apitypes.TypedDataAndHash(apitypes.TypedData{
		Types:       t.Types,
		PrimaryType: t.PrimaryType,
		Domain:      t.domain.typed(),
		Message:     t.Message,
	})

	return common.BytesToHash(hash), err
}

func typedData(d Domain, primary string, types apitypes.Types, message apitypes.TypedDataMessage) TypedData {
	types["EIP712Domain"] = d.members()

	domain := map[string]string{
		"name":              d.Name,
		"chainId":           d.ChainID.String(),
		"verifyingContract": d.Contract.Hex(),
	}
	if d.Version != "" {
		domain["version"] = d.Version
	}

	return TypedData{
		Types:       types,
		PrimaryType: primary,
		Domain:      domain,
		Message:     message,
		domain:      d,
	}
}

// fields turns pairs of name and type into the members of a struct.
func fields(namesAndTypes ...string) []apitypes.Type {
	var out []apitypes.Type
	for pair := range slices.Chunk(namesAndTypes, 2) {
		out = append(out, apitypes.Type{Name: pair[0], Type: pair[1]})
	}

	return out
}

func legMembers() []apitypes.Type { return fields("to", "address", "amount", "uint256") }

func intentMembers() []apitypes.Type {
	return fields("payer", "address", "token", "address", "batchNumber", "uint256", "legs", "Leg[]",
		"deadline", "uint256")
}

func intentMessage(b Batch, deadline *big.Int) map[string]any {
	legs := make([]any, 0, len(b.Legs))
	for _, leg := range b.Legs {
		legs = append(legs, map[string]any{"to": leg.To.Hex(), "amount": leg.Amount.String()})
	}

	return map[string]any{
		"payer":       b.Payer.Hex(),
		"token":       b.Token.Hex(),
		"batchNumber": b.Number.String(),
		"legs":        legs,
		"deadline":    deadline.String(),
	}
}

// IntentTypedData is what the payer signs so that exactly this batch may be paid once, on this chain, by this router,
// until the deadline. The legs are listed one by one, not as one hash, so that a wallet shows what is paid to whom.
func IntentTypedData(chainID *big.Int, router common.Address, b Batch, deadline *big.Int) (TypedData, error) {
	if err := signable(chainID, b, deadline); err != nil {
		return TypedData{}, err
	}

	return typedData(RouterDomain(chainID, router), "Intent", apitypes.Types{
		"Leg":    legMembers(),
		"Intent": intentMembers(),
	}, intentMessage(b, deadline)), nil
}

// PermitTypedData is a permit (EIP-2612) of exactly the batch's sum for the router. nonce is the token's count of the
// payer's permits; the permit holds for the next one only.
func PermitTypedData(token Domain, router common.Address, b Batch, nonce, deadline *big.Int) (TypedData, error) {
	if err := signable(token.ChainID, b, deadline); err != nil {
		return TypedData{}, err
	}

	return permitOf(token, b.Payer, router, b.Sum().String(), nonce.String(), deadline.String()), nil
}

func permitOf(token Domain, owner, spender common.Address, value, nonce, deadline string) TypedData {
	return typedData(token, "Permit", apitypes.Types{
		"Permit": fields("owner", "address", "spender", "address", "value", "uint256", "nonce", "uint256",
			"deadline", "uint256"),
	}, apitypes.TypedDataMessage{
		"owner":    owner.Hex(),
		"spender":  spender.Hex(),
		"value":    value,
		"nonce":    nonce,
		"deadline": deadline,
	})
}

// AuthorizationTypedData is an authorization (EIP-3009) for the router to receive exactly the batch's sum. Its nonce is
// the digest of the intent, so it names the payees.
func AuthorizationTypedData(token Domain, router common.Address, b Batch, deadline *big.Int) (TypedData, error) {
	intent, err := IntentDigest(token.ChainID, router, b, deadline)
	if err != nil {
		return TypedData{}, err
	}

	return authorizationOf(token, b.Payer, router, b.Sum().String(), deadline.String(), intent), nil
}

func authorizationOf(token Domain, from, to common.Address, value, before string, nonce common.Hash) TypedData {
	return typedData(token, "ReceiveWithAuthorization", apitypes.Types{
		"ReceiveWithAuthorization": fields("from", "address", "to", "address", "value", "uint256",
			"validAfter", "uint256", "validBefore", "uint256", "nonce", "bytes32"),
	}, apitypes.TypedDataMessage{
		"from":        from.Hex(),
		"to":          to.Hex(),
		"value":       value,
		"validAfter":  "0",
		"validBefore": before,
		"nonce":       nonce.Hex(),
	})
}

// Permit2TypedData is a Permit2 transfer of exactly the batch's sum to the router, with the intent as its witness.
func Permit2TypedData(chainID *big.Int, router common.Address, b Batch, deadline *big.Int) (TypedData, error) {
	if err := signable(chainID, b, deadline); err != nil {
		return TypedData{}, err
	}

	return typedData(Permit2Domain(chainID), "PermitWitnessTransferFrom", apitypes.Types{
		"PermitWitnessTransferFrom": fields("permitted", "TokenPermissions", "spender", "address", "nonce", "uint256",
			"deadline", "uint256", "witness", "Intent"),
		"TokenPermissions": fields("token", "address", "amount", "uint256"),
		"Intent":           intentMembers(),
		"Leg":              legMembers(),
	}, apitypes.TypedDataMessage{
		"permitted": map[string]any{"token": b.Token.Hex(), "amount": b.Sum().String()},
		"spender":   router.Hex(),
		"nonce":     b.Number.String(),
		"deadline":  deadline.String(),
		"witness":   intentMessage(b, deadline),
	}), nil
}

func signable(chainID *big.Int, b Batch, deadline *big.Int) error {
	if _, err := b.check(); err != nil {
		return err
	}

	if !isUint256(chainID) || !isUint256(deadline) {
		return errors.New("chain id and deadline must fit 256 bits")
	}

	return nil
}

// IntentDigest returns the hash of IntentTypedData.
func IntentDigest(chainID *big.Int, router common.Address, b Batch, deadline *big.Int) (common.Hash, error) {
	typed, err := IntentTypedData(chainID, router, b, deadline)
	if err != nil {
		return common.Hash{}, err
	}

	return typed.Digest()
}

// PackNonces returns the calldata that asks a token how many permits of an owner it has taken.
func PackNonces(owner common.Address) []byte {
	return append(Selector("nonces(address)"), common.LeftPadBytes(owner[:], 32)...)
}

// Selector returns the first four bytes of a function's calldata.
func Selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

// Text decodes the text that a function returns, or returns "" for anything else.
func Text(answer []byte) string {
	text, err := abi.NewType("string", "", nil)
	if err != nil {
		return ""
	}

	values, err := abi.Arguments{{Type: text}}.Unpack(answer)
	if err != nil || len(values) != 1 {
		return ""
	}

	s, _ := values[0].(string)

	return s
}

// ShortText decodes a short text that a function returns: a string, or 32 bytes that end in zeros, as the first tokens
// have it. It returns "" for anything else, and for a text with characters that cannot be seen.
func ShortText(answer []byte) string {
	text := Text(answer)
	if len(answer) == common.HashLength {
		text = string(bytes.TrimRight(answer, "\x00"))
	}

	if len(text) > maxShortText || !utf8.ValidString(text) || strings.ContainsFunc(text, unseen) {
		return ""
	}

	return text
}

const maxShortText = 64

func unseen(r rune) bool { return !unicode.IsGraphic(r) }

// TryPermit returns the calldata of a token's permit or authorization of nothing for the router, signed by a key: a
// token that has the manner takes the owner's signature and refuses any other's.
func TryPermit(
	token Domain,
	router, owner common.Address,
	key *ecdsa.PrivateKey,
	m Manner,
	bytesForm bool,
) ([]byte, error) {
	var (
		typed   TypedData
		name    string
		forever = new(big.Int).Lsh(big.NewInt(1), 40)
		words   [][]byte
	)

	number := func(n *big.Int) []byte { return common.LeftPadBytes(n.Bytes(), 32) }
	address := func(a common.Address) []byte { return common.LeftPadBytes(a[:], 32) }
	nothing := number(new(big.Int))

	switch m {
	case ByPermit:
		name = "permit(address,address,uint256,uint256"
		words = [][]byte{address(owner), address(router), nothing, number(forever)}
		typed = permitOf(token, owner, router, "0", "0", forever.String())
	case ByAuthorization:
		nonce := crypto.Keccak256Hash(owner[:])
		name = "receiveWithAuthorization(address,address,uint256,uint256,uint256,bytes32"
		words = [][]byte{address(owner), address(router), nothing, nothing, number(forever), nonce[:]}
		typed = authorizationOf(token, owner, router, "0", forever.String(), nonce)
	default:
		return nil, fmt.Errorf("a token has no manner %q", m)
	}

	digest, err := typed.Digest()
	if err != nil {
		return nil, err
	}

	signature, err := crypto.Sign(digest[:], key)
	if err != nil {
		return nil, err
	}

	signature[64] += 27

	if bytesForm {
		name += ",bytes)"

		words = append(words,
			number(big.NewInt(int64(32*(len(words)+1)))),
			number(big.NewInt(crypto.SignatureLength)),
			common.RightPadBytes(signature, 96))
	} else {
		name += ",uint8,bytes32,bytes32)"

		words = append(words, common.LeftPadBytes(signature[64:], 32), signature[:32], signature[32:64])
	}

	data := Selector(name)
	for _, word := range words {
		data = append(data, word...)
	}

	return data, nil
}
