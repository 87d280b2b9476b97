// Package effect names what is done outside: on a chain, at a bank, with a provider of conversions. Each effect has one
// key for ever, by whatever process and from whatever back-up it is made again, so that it happens once. No other
// package builds such a key or cuts one apart.
package effect

import (
	"fmt"
	"strconv"
	"strings"
)

// Word says which effect on its subject a key is of.
type Word string

// The words. Words says what each of them does.
const (
	Batch      Word = "batch"
	Payout     Word = "payout"
	Refund     Word = "refund"
	Return     Word = "return"
	Delivery   Word = "tokens"
	Conversion Word = "convert"
	SendBack   Word = "sendback"
)

// About is what a word stands for.
type About struct {
	Word  Word
	Form  string // how its keys look
	Does  string
	By    string // who does it
	Proof string // how its outcome is known
}

// Words returns all words, in the order in which money meets them.
func Words() []About {
	return []About{
		{
			Word:  Batch,
			Form:  "transaction/<id>/batch",
			Does:  "moves the tokens of a transaction out of the payer's wallet: to the payees, or to the treasury",
			By:    "the chain, by the router",
			Proof: "the receipt at the network's depth; the router has each number once",
		},
		{
			Word:  Conversion,
			Form:  "transaction/<id>/convert/<currency>",
			Does:  "sells what a transaction has for another asset",
			By:    "a provider of liquidity, or the house's own stock",
			Proof: "the provider's answer to the same key",
		},
		{
			Word:  Payout,
			Form:  "transaction/<id>/payout/<position>[/<attempt>]",
			Does:  "pays a payment to its bank account; a further attempt pays again what came back",
			By:    "a bank, by a file",
			Proof: "the statement's debit with the payout's end-to-end identification, or the bank's refusal",
		},
		{
			Word:  Delivery,
			Form:  "transaction/<id>/tokens[/<attempt>]",
			Does:  "sends the tokens that a deposit has bought to the organisation's wallet",
			By:    "the chain, by the router, from the treasury",
			Proof: "the receipt at the network's depth; all attempts have the same number of the router",
		},
		{
			Word:  Refund,
			Form:  "transaction/<id>/refund/<position or all>[/<attempt>]",
			Does:  "gives back to the wallet what a payment, or the whole transaction, had cost",
			By:    "the chain, by the router, from the treasury",
			Proof: "as for the delivery",
		},
		{
			Word:  Return,
			Form:  "transaction/<id>/return/<entry>[/<attempt>]",
			Does:  "gives back to the wallet what returned money is worth",
			By:    "the chain, by the router, from the treasury",
			Proof: "as for the delivery",
		},
		{
			Word:  SendBack,
			Form:  "deposit/<entry>/refund/<attempt>",
			Does:  "returns a deposit to the account from which it came",
			By:    "a bank, by a file",
			Proof: "as for the payout",
		},
	}
}

// Key names one effect. The zero value names none.
type Key struct {
	Subject string // id of the transaction; of SendBack the entry that booked the deposit
	Word    Word
	Item    string // what of the subject: a payment's position, an entry, a currency; empty: the whole of it
	Attempt int64  // 0 and 1 are the first; a further one is made when the one before it is over
}

// All is the item of a refund of the whole transaction.
const All = "all"

// BatchOf returns the key of a transaction's own batch. The rail makes the same nonce and bytes of it, whenever it is
// asked.
func BatchOf(transaction string) Key { return Key{Subject: transaction, Word: Batch} }

// ConversionOf returns the key of a transaction's conversion into, or out of, one currency.
func ConversionOf(transaction, currency string) Key {
	return Key{Subject: transaction, Word: Conversion, Item: currency}
}

// PayoutOf returns the key of the first payout of a payment.
func PayoutOf(transaction string, position int) Key {
	return Key{Subject: transaction, Word: Payout, Item: strconv.Itoa(position)}
}

// DeliveryOf returns the key of the delivery of what a deposit has bought.
func DeliveryOf(transaction string) Key { return Key{Subject: transaction, Word: Delivery} }

// RefundOf returns the key of the refund of what one payment had cost.
func RefundOf(transaction string, position int) Key {
	return Key{Subject: transaction, Word: Refund, Item: strconv.Itoa(position)}
}

// RefundAll returns the key of the refund of all that a transaction has taken.
func RefundAll(transaction string) Key { return Key{Subject: transaction, Word: Refund, Item: All} }

// ReturnOf returns the key of what is given back for returned money. It follows from the bank's entry, so that a
// restored database makes the same key.
func ReturnOf(transaction, entry string) Key {
	return Key{Subject: transaction, Word: Return, Item: strings.ReplaceAll(entry, "/", ".")}
}

// SendBackOf returns the key of an attempt to return a deposit to its sender.
func SendBackOf(entry string, attempt int64) Key {
	return Key{Subject: entry, Word: SendBack, Attempt: attempt}
}

// Nth returns the key of another attempt at the same effect.
func (k Key) Nth(attempt int64) Key {
	k.Attempt = attempt
	return k
}

// First returns the key of the first attempt.
func (k Key) First() Key { return k.Nth(0) }

// Later reports whether the key is of a further attempt.
func (k Key) Later() bool { return k.Attempt > 1 }

// ByTreasury reports whether the house's treasury does it.
func (k Key) ByTreasury() bool { return k.Word == Delivery || k.Word == Refund || k.Word == Return }

// Position returns the position of the payment that the key is about.
func (k Key) Position() (int, error) {
	position, err := strconv.Atoi(k.Item)
	if err != nil || position < 0 {
		return 0, fmt.Errorf("%s names no payment", k)
	}

	return position, nil
}

const (
	ofTransaction = "transaction"
	ofDeposit     = "deposit"
	sentBack      = "/refund/"
)

// String returns the key as it is stored, and as the outside sees it. Parse is its inverse.
func (k Key) String() string {
	if k.Word == SendBack {
		return ofDeposit + "/" + k.Subject + sentBack + strconv.FormatInt(k.Attempt, 10)
	}

	parts := []string{ofTransaction, k.Subject, string(k.Word)}
	if k.Item != "" {
		parts = append(parts, k.Item)
	}

	if k.Later() {
		parts = append(parts, strconv.FormatInt(k.Attempt, 10))
	}

	return strings.Join(parts, "/")
}

// Parse reads a key, and returns false for anything else.
func Parse(text string) (Key, bool) {
	k, ok := parse(text)
	return k, ok && k.String() == text
}

func parse(text string) (Key, bool) {
	kind, rest, _ := strings.Cut(text, "/")

	if kind == ofDeposit {
		at := strings.LastIndex(rest, sentBack)
		if at <= 0 {
			return Key{}, false
		}

		attempt, err := strconv.ParseInt(rest[at+len(sentBack):], 10, 64)

		return SendBackOf(rest[:at], attempt), err == nil && attempt >= 0
	}

	parts := strings.Split(rest, "/")
	if kind != ofTransaction || len(parts) < 2 || parts[0] == "" {
		return Key{}, false
	}

	k := Key{Subject: parts[0], Word: Word(parts[1])}
	parts = parts[2:]

	switch k.Word {
	case Batch, Delivery:
	case Payout, Refund, Return, Conversion:
		if len(parts) == 0 {
			return Key{}, false
		}

		k.Item = parts[0]
		parts = parts[1:]
	case SendBack:
		return Key{}, false
	default:
		return Key{}, false
	}

	if len(parts) == 1 {
		var err error
		if k.Attempt, err = strconv.ParseInt(parts[0], 10, 64); err != nil {
			return Key{}, false
		}
	}

	return k, len(parts) <= 1
}
