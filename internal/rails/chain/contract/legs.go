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

// A Call is a batch as its calldata contains it. Deadline and Signature are set only for a payment by intent.
type Call struct {
	Batch
	ByIntent  bool
	Deadline  *big.Int // Unix seconds; the call reverts in a later block
	Signature []byte
}

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
func EncodePay(b Batch) ([]byte, error) {
	packed, err := b.check()
	if err != nil {
		return nil, err
	}

	return router().TryPackPay(b.Payer, b.Token, b.Number, packed)
}

// EncodePayWithIntent returns the calldata of a payment that the payer signed. It does not check the signature: a
// wallet contract's can have any form. RecoverIntentSigner checks a key's.
func EncodePayWithIntent(b Batch, deadline *big.Int, signature []byte) ([]byte, error) {
	packed, err := b.check()
	if err != nil {
		return nil, err
	}

	if !isUint256(deadline) {
		return nil, errors.New("the deadline must be Unix seconds")
	}

	return router().TryPackPayWithIntent(b.Payer, b.Token, b.Number, packed, deadline, signature)
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

// DecodeCall decodes calldata, for a signer that checks what it signs. It accepts exactly the bytes that EncodePay and
// EncodePayWithIntent produce. It refuses any other encoding of the same call, so that nothing can be hidden in unused
// bytes.
func DecodeCall(calldata []byte) (Call, error) {
	if len(calldata) < 4 {
		return Call{}, fmt.Errorf("calldata of %d bytes names no function", len(calldata))
	}

	var call Call

	name := "pay"
	switch [4]byte(calldata) {
	case SelectorPay:
	case SelectorPayWithIntent:
		name = "payWithIntent"
		call.ByIntent = true
	default:
		return Call{}, fmt.Errorf("0x%x is not a payment function of the router", calldata[:4])
	}

	values, err := router().abi.Methods[name].Inputs.Unpack(calldata[4:])
	if err != nil {
		return Call{}, fmt.Errorf("decode %s: %w", name, err)
	}

	call.Payer = values[0].(common.Address)
	call.Token = values[1].(common.Address)

	call.Number = values[2].(*big.Int)
	if call.Legs, err = UnpackLegs(values[3].([]byte)); err != nil {
		return Call{}, err
	}

	var again []byte
	if call.ByIntent {
		call.Deadline = values[4].(*big.Int)
		call.Signature = values[5].([]byte)
		again, err = EncodePayWithIntent(call.Batch, call.Deadline, call.Signature)
	} else {
		again, err = EncodePay(call.Batch)
	}

	if err != nil {
		return Call{}, err
	}

	if !bytes.Equal(again, calldata) {
		return Call{}, errors.New("the calldata is not written in the one form that the router's callers use")
	}

	return call, nil
}
