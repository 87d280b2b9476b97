package contract

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// A Leg is one movement of a batch: an amount in the token's base units to a payee.
type Leg struct {
	To     common.Address
	Amount *big.Int
}

// A Batch is what one call pays. Its Number can be used only once on a router, whatever the batch contains.
type Batch struct {
	Payer  common.Address
	Token  common.Address
	Number *big.Int
	Legs   []Leg
}

// A Manner is what gives the router the right to a payer's tokens, and how they move.
type Manner string

// The manners. Only the first two rest on an approval that the payer has sent; the others carry its signature.
const (
	ByAllowance     Manner = "ALLOWANCE"     // each leg from payer to payee, under the payer's approval
	ByPull          Manner = "PULL"          // the sum to the router and on to the payees, under the payer's approval
	ByIntent        Manner = "INTENT"        // like ByAllowance, for exactly the batch that the payer signed
	ByPermit        Manner = "PERMIT"        // EIP-2612: the signature is the approval, of exactly the sum
	ByAuthorization Manner = "AUTHORIZATION" // EIP-3009: a pull; the signature names the payees, too
	ByPermit2       Manner = "PERMIT2"       // a pull by Permit2; the signature names the payees, too
	ByOwn           Manner = "OWN"           // the payer calls the router itself: see EncodePayOwn; no operator can
)

// A Call is a batch as its calldata contains it.
type Call struct {
	Batch
	Manner    Manner
	Deadline  *big.Int // Unix seconds, for what is signed; the call reverts in a later block
	Signature []byte   // of intent, authorization or Permit2 transfer; ByPermit: of an intent besides, or none
	Permit    []byte   // ByPermit: the signature of the permit
}

// PullFrom is the number of legs from which on a pull of the sum costs less gas than a transferFrom of each leg, where
// the token counts the allowance down: 10 to 15 for the tokens that were measured. The router has the same number for
// permits.
const PullFrom = 14

// UnderAllowance returns the cheaper manner of paying a batch under an approval. An allowance without end, which tokens
// do not count down, costs nothing in a transferFrom.
func (b Batch) UnderAllowance(allowance *big.Int) Manner {
	if len(b.Legs) >= PullFrom && allowance.BitLen() < 256 {
		return ByPull
	}

	return ByAllowance
}

// Signed reports whether a call carries a signature of the payer.
func (m Manner) Signed() bool { return m != ByAllowance && m != ByPull }

// Amounts have 96 bits in calldata: 79 billion tokens of 18 decimals.
var maxAmount = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 96), big.NewInt(1))

// PackLegs encodes the legs for the router: 32 bytes each, payee then amount, in the given order. It reports all
// problems at once.
func PackLegs(legs []Leg) ([]byte, error) {
	if err := checkLegs(legs); err != nil {
		return nil, err
	}

	packed := make([]byte, 0, len(legs)*legSize)
	for _, leg := range legs {
		packed = append(packed, leg.To[:]...)
		packed = append(packed, common.LeftPadBytes(leg.Amount.Bytes(), legSize-common.AddressLength)...)
	}

	return packed, nil
}

func checkLegs(legs []Leg) error {
	if len(legs) == 0 || len(legs) > MaxLegs {
		return fmt.Errorf("a batch has 1 to %d legs, not %d", MaxLegs, len(legs))
	}

	var problems []error
	for i, leg := range legs {
		if leg.To == (common.Address{}) {
			problems = append(problems, fmt.Errorf("leg %d: the payee is the zero address", i))
		}

		switch {
		case leg.Amount == nil || leg.Amount.Sign() <= 0:
			problems = append(problems, fmt.Errorf("leg %d: the amount must be positive", i))
		case leg.Amount.Cmp(maxAmount) > 0:
			problems = append(problems, fmt.Errorf("leg %d: the amount %s needs more than 96 bits", i, leg.Amount))
		}
	}

	return errors.Join(problems...)
}

// UnpackLegs is the inverse of PackLegs. It refuses what PackLegs would not produce.
func UnpackLegs(packed []byte) ([]Leg, error) {
	if len(packed)%legSize != 0 {
		return nil, fmt.Errorf("legs are %d bytes each; %d is not a multiple of that", legSize, len(packed))
	}

	legs := make([]Leg, 0, len(packed)/legSize)
	for at := 0; at < len(packed); at += legSize {
		word := packed[at : at+legSize]
		legs = append(legs, Leg{
			To:     common.BytesToAddress(word[:common.AddressLength]),
			Amount: new(big.Int).SetBytes(word[common.AddressLength:]),
		})
	}

	return legs, checkLegs(legs)
}

// EncodePay returns the calldata of a payment under the payer's allowance and policy.
func EncodePay(b Batch) ([]byte, error) { return Call{Batch: b, Manner: ByAllowance}.Encode() }

// Encode returns the calldata of a payment. It does not check signatures: a wallet contract's can have any form.
func (c Call) Encode() ([]byte, error) {
	packed, err := c.check()
	if err != nil {
		return nil, err
	}

	if c.Manner.Signed() && !isUint256(c.Deadline) {
		return nil, errors.New("the deadline must be Unix seconds")
	}

	switch c.Manner {
	case ByAllowance:
		return router().TryPackPay(c.Payer, c.Token, c.Number, packed)
	case ByPull:
		return router().TryPackPayByPull(c.Payer, c.Token, c.Number, packed)
	case ByIntent:
		return router().TryPackPayWithIntent(c.Payer, c.Token, c.Number, packed, c.Deadline, c.Signature)
	case ByPermit:
		return router().TryPackPayWithPermit(c.Payer, c.Token, c.Number, packed, c.Deadline, c.Permit, c.Signature)
	case ByAuthorization:
		return router().TryPackPayWithAuthorization(c.Payer, c.Token, c.Number, packed, c.Deadline, c.Signature)
	case ByPermit2:
		return router().TryPackPayWithPermit2(c.Payer, c.Token, c.Number, packed, c.Deadline, c.Signature)
	default:
		return nil, fmt.Errorf("the router pays in no manner %q", c.Manner)
	}
}

// EncodePayOwn returns the calldata with which the payer itself pays a batch until the deadline. The router then needs
// an allowance of the sum, which the payer may give in the same transaction.
func EncodePayOwn(b Batch, deadline *big.Int) ([]byte, error) {
	packed, err := b.check()
	if err != nil {
		return nil, err
	}

	if !isUint256(deadline) {
		return nil, errors.New("the deadline must be Unix seconds")
	}

	return router().TryPackPayOwn(b.Token, b.Number, packed, deadline)
}

// Sum returns what the legs move together.
func (b Batch) Sum() *big.Int {
	sum := new(big.Int)
	for _, leg := range b.Legs {
		sum.Add(sum, leg.Amount)
	}

	return sum
}

func (b Batch) check() ([]byte, error) {
	var problems []error
	if b.Payer == (common.Address{}) {
		problems = append(problems, errors.New("the payer is the zero address"))
	}

	if b.Token == (common.Address{}) {
		problems = append(problems, errors.New("the token is the zero address"))
	}

	if !isUint256(b.Number) {
		problems = append(problems, errors.New("the batch number must fit 256 bits and not be negative"))
	}

	for i, leg := range b.Legs {
		// tokens sent to their own contract are lost
		if leg.To == b.Token && leg.To != (common.Address{}) {
			problems = append(problems, fmt.Errorf("leg %d: the payee is the token's own contract", i))
		}
	}

	packed, err := PackLegs(b.Legs)

	return packed, errors.Join(append(problems, err)...)
}

func isUint256(n *big.Int) bool { return n != nil && n.Sign() >= 0 && n.BitLen() <= 256 }

// manners gives, by the function's name in the router, what its calls are.
func manners() map[string]Manner {
	return map[string]Manner{
		"pay":                  ByAllowance,
		"payByPull":            ByPull,
		"payWithIntent":        ByIntent,
		"payWithPermit":        ByPermit,
		"payWithAuthorization": ByAuthorization,
		"payWithPermit2":       ByPermit2,
	}
}

// DecodeCall decodes calldata, for a signer that checks what it signs. It accepts exactly the bytes that Encode
// produces. It refuses any other encoding of the same call, so that nothing can be hidden in unused bytes, and the
// functions that are not the operator's.
func DecodeCall(calldata []byte) (Call, error) {
	if len(calldata) < 4 {
		return Call{}, fmt.Errorf("calldata of %d bytes names no function", len(calldata))
	}

	method, err := router().abi.MethodById(calldata[:4])
	if err != nil || manners()[method.Name] == "" {
		return Call{}, fmt.Errorf("0x%x is not a payment function of the operator's", calldata[:4])
	}

	call := Call{Manner: manners()[method.Name]}

	values, err := method.Inputs.Unpack(calldata[4:])
	if err != nil {
		return Call{}, fmt.Errorf("decode %s: %w", method.Name, err)
	}

	call.Payer = values[0].(common.Address)
	call.Token = values[1].(common.Address)

	call.Number = values[2].(*big.Int)
	if call.Legs, err = UnpackLegs(values[3].([]byte)); err != nil {
		return Call{}, err
	}

	if call.Manner.Signed() {
		call.Deadline = values[4].(*big.Int)
		call.Signature = values[len(values)-1].([]byte)
	}

	if call.Manner == ByPermit {
		call.Permit = values[5].([]byte)
	}

	again, err := call.Encode()
	if err != nil {
		return Call{}, err
	}

	if !bytes.Equal(again, calldata) {
		return Call{}, errors.New("the calldata is not written in the one form that the router's callers use")
	}

	return call, nil
}
