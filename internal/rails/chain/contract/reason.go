package contract

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// A knownError is a custom error with its sentence. %a and %n stand for its next word as an address or a number.
type knownError struct{ signature, sentence string }

// The router's own errors and those of OpenZeppelin 5 tokens. A test compares the first part with the ABI.
var knownErrors = []knownError{
	{"BatchAlreadyExecuted(uint256)", "batch %n was executed before"},
	{"NotOperator(address)", "%a is not the router's operator"},
	{"NotGuardian(address)", "%a is neither the router's guardian nor its owner"},
	{"RouterPaused()", "the router is paused"},
	{"BadLegs(uint256)", "%n bytes are not 1 to 32 legs of 32 bytes"},
	{"PayeeIsRouter()", "a payee is the router itself"},
	{"TokenHasNoCode(address)", "there is no contract at the token's address %a"},
	{"LegGasTooLow(uint256)", "the transaction had too little gas to tell whether leg %n really fails"},
	{"SignedIntentRequired(address)", "payer %a requires its signature for every batch"},
	{"IntentExpired(uint256)", "the payer's signature expired at Unix time %n"},
	{"IntentSignatureInvalid(address)", "the signature is not that of payer %a for this batch"},
	{"PermitRefused(address,address)", "the permit of payer %a for token %a is used or not valid"},
	{"AuthorizationRefused(address,address)", "the authorization of payer %a for token %a is used or not valid"},
	{"PullNotExact(uint256,uint256)", "%n base units were pulled and %n arrived"},
	{"NotDelivered(uint256)", "%n base units that the token reported as paid were not"},
	{"GiveBackRefused(address,uint256)", "payer %a did not take %n base units back"},
	{
		"DailyCapExceeded(address,address,uint256,uint256)",
		"payer %a caps token %a: %n base units are left today, the batch wants %n",
	},
	{"CapTooLarge(uint256)", "a cap of %n does not fit 104 bits"},
	{"RenounceDisabled()", "the router's ownership cannot be renounced"},
	{"BadLegGas(uint256)", "%n gas a leg is outside 100000 to 1000000"},
	{"TransferNotConfirmed()", "the token did not answer true"},
	{"ReentrancyGuardReentrantCall()", "the router was called from within its own call"},
	{"OwnableUnauthorizedAccount(address)", "%a is not the owner"},
	{"OwnableInvalidOwner(address)", "%a cannot be the owner"},
	{"InvalidShortString()", "a short string is malformed"},
	{"StringTooLong(string)", "a string is too long"},
	{"ERC20InsufficientBalance(address,uint256,uint256)", "%a holds %n base units, %n are needed"},
	{"ERC20InsufficientAllowance(address,uint256,uint256)", "the allowance of %a is %n base units, %n are needed"},
	{"ERC20InvalidSender(address)", "the token refuses %a as sender"},
	{"ERC20InvalidReceiver(address)", "the token refuses %a as receiver"},
	{"ERC20InvalidSpender(address)", "the token refuses %a as spender"},
	{"ERC20InvalidApprover(address)", "the token refuses %a as approver"},
	{"ERC2612InvalidSigner(address,address)", "the permit is signed by %a, its owner is %a"},
	{"ERC2612ExpiredSignature(uint256)", "the permit has ended at %n"},
	{"InvalidAccountNonce(address,uint256)", "%a has used the number of its permit, the next one is %n"},
	{"ECDSAInvalidSignature()", "the signature is malformed"},
	{"ECDSAInvalidSignatureLength(uint256)", "the signature has %n bytes"},
	{"ECDSAInvalidSignatureS(bytes32)", "the signature is not in its canonical form"},
	{"EnforcedPause()", "the token is paused"},
}

// Solidity's panic codes (Solidity documentation, "Panic via assert and Error via require").
var panics = map[uint64]string{
	0x01: "an assertion failed",
	0x11: "an arithmetic overflow",
	0x12: "a division by zero",
	0x21: "a value outside its enumeration",
	0x22: "a malformed storage array",
	0x31: "a pop from an empty array",
	0x32: "an index out of bounds",
	0x41: "too much memory",
	0x51: "a call of an uninitialised function",
}

var (
	errorStringSelector = [4]byte{0x08, 0xc3, 0x79, 0xa0}
	panicSelector       = [4]byte{0x4e, 0x48, 0x7b, 0x71}
)

// ExplainReason returns a sentence that explains why a leg or a call failed, from the bytes of a LegFailed event or of
// a revert. The bytes may be truncated and may come from a hostile token: the sentence is short, printable and never
// trusted.
func ExplainReason(data []byte) string {
	if len(data) == 0 {
		return "no reason was given"
	}

	if len(data) >= 4 {
		args := data[4:]

		switch selector := [4]byte(data); selector {
		case errorStringSelector:
			if text, ok := cutString(args); ok {
				return fmt.Sprintf("the contract said %q", text)
			}

		case panicSelector:
			if len(args) == 32 {
				return explainPanic(args)
			}

		default:
			for _, known := range knownErrors {
				if [4]byte(crypto.Keccak256([]byte(known.signature))) == selector {
					return known.explain(args)
				}
			}
		}
	}

	const shown = 36 // a selector and one word are enough to look up an error
	if len(data) > shown {
		return fmt.Sprintf("unknown reason 0x%x… (%d bytes)", data[:shown], len(data))
	}

	return fmt.Sprintf("unknown reason 0x%x", data)
}

func (k knownError) explain(args []byte) string {
	words := strings.Split(k.sentence, " ")
	for i, w := range words {
		kind := strings.TrimRight(w, ":,.")
		if kind != "%a" && kind != "%n" {
			continue
		}

		value := "?" // the reason was truncated before this word
		if len(args) >= 32 {
			if kind == "%a" {
				value = common.BytesToAddress(args[:32]).Hex()
			} else {
				value = new(big.Int).SetBytes(args[:32]).String()
			}

			args = args[32:]
		}

		words[i] = value + w[len(kind):]
	}

	return strings.Join(words, " ")
}

func explainPanic(word []byte) string {
	code := new(big.Int).SetBytes(word)
	if code.IsUint64() {
		if text, ok := panics[code.Uint64()]; ok {
			return fmt.Sprintf("the contract failed by %s (panic 0x%02x)", text, code)
		}
	}

	return fmt.Sprintf("the contract failed by panic 0x%x", code)
}

// cutString reads an ABI string whose end may be missing, and makes it printable.
func cutString(args []byte) (string, bool) {
	if len(args) < 64 || new(big.Int).SetBytes(args[:32]).Cmp(big.NewInt(32)) != 0 {
		return "", false
	}

	length := new(big.Int).SetBytes(args[32:64])

	text := args[64:]
	if length.IsUint64() && length.Uint64() < uint64(len(text)) {
		text = text[:length.Uint64()]
	}

	clean := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}

		return r
	}, string(text))

	return clean, true
}

// bitSet reports whether bit i of a 256-bit word is set.
func bitSet(word []byte, i int) bool {
	return binary.BigEndian.Uint32(word[28:])>>i&1 == 1
}
