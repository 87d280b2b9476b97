package transaction

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"slipway/internal/core/fault"
)

// contentHash returns a hash of what will be paid (I8). Comparing it with what is about to leave proves that nothing
// changed after submit. What each type locks stands here side by side, since settlement compares it without a Kind.
func (t Transaction) contentHash() string {
	h := sha256.New()
	put := func(fields ...string) {
		for _, s := range fields {
			fmt.Fprintf(h, "%d:%s", len(s), s)
		}
	}

	put(t.ID, t.Organisation, strconv.FormatInt(t.Number, 10), string(t.Type))
	put(t.Network, strings.ToLower(t.WalletAddress), t.Token, t.Debit.String())

	switch t.Type {
	case TypeFiat:
		t.putFiat(put)
	case TypeOnramp:
		t.putOnramp(put)
	case TypeCrypto:
		t.putCrypto(put)
	}

	return hex.EncodeToString(h.Sum(nil))
}

func (t Transaction) putCrypto(put func(fields ...string)) {
	for _, p := range t.Payments {
		put(strings.ToLower(p.Address), p.Units.String(), p.Receiver)
	}
}

// putFiat adds where the tokens and the money go, and how much of each.
func (t Transaction) putFiat(put func(fields ...string)) {
	put(t.Treasury)

	for _, p := range t.Payments {
		put(p.Units.String(), p.Receiver, p.Snapshot, p.Currency, digits(p.FiatUnits))
		put(p.BankAccount, p.BankSnapshot, string(p.FeesOption), p.Reference)
	}
}

// putOnramp adds what is deposited and where the tokens go. The number of tokens is known only after the conversion.
func (t Transaction) putOnramp(put func(fields ...string)) {
	put(t.AmountCurrency, digits(t.FiatUnits), t.Reference, t.House, t.Treasury, t.Sender)

	for _, p := range t.Payments {
		put(p.Receiver, p.Address)
	}
}

// ContentUnchanged reports whether the stored content is still what submit locked (I8).
func (t Transaction) ContentUnchanged() bool {
	return t.ContentHash != "" && t.contentHash() == t.ContentHash
}

// CheckContent refuses a transaction whose stored content is not what submit locked.
func (t Transaction) CheckContent() error {
	if t.ContentUnchanged() {
		return nil
	}

	return fault.New(
		fault.Conflict,
		fault.TxChanged,
		"The transaction is not what was submitted. It is held for the platform's people.",
	)
}
