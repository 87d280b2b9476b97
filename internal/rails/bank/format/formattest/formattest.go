// Package formattest holds what every format of payment files must keep. A new format calls Check in a test of its own.
package formattest

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/rails/bank/format"
)

// message identifies the file of the tests.
const message = format.Prefix + "0123456789ABCDEFGHJKMNPQRS"

// Check tests a format with an account that can pay by it, on a rail, to an account.
func Check(t *testing.T, f format.Format, from format.Account, rail string, to format.AccountIDs) {
	t.Helper()
	require.Empty(t, f.Check(from), "the account of the test")
	require.Contains(t, f.Rails(), rail)

	o := order(f, from, rail, to)
	content, _, err := f.Write(o)
	require.NoError(t, err)

	t.Run("the same order is the same file", func(t *testing.T) {
		again, _, err := f.Write(o)
		require.NoError(t, err)
		require.Equal(t, string(content), string(again))
	})

	t.Run("it is read again", func(t *testing.T) { readAgain(t, f, o, content) })
	t.Run("names", func(t *testing.T) { names(t, f, o) })

	t.Run("a refusal names the payment and its field", func(t *testing.T) {
		bad := o
		bad.Payments = slices.Clone(o.Payments)
		bad.Payments[1].Creditor.Name = ""
		_, _, err := f.Write(bad)

		var refused *format.Refused
		require.ErrorAs(t, err, &refused)
		require.Equal(t, 1, refused.Faults[0].Payment)
		require.Equal(t, "creditor/name", refused.Faults[0].Field)
	})
}

// order is a file of three payments.
func order(f format.Format, from format.Account, rail string, to format.AccountIDs) format.Order {
	o := format.Order{
		Message: message,
		Created: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC),
		Day:     "2026-12-02",
		NextDay: "2026-12-03",
		Rail:    rail,
		From:    from,
	}

	for i := range 3 {
		o.Payments = append(o.Payments, format.Payment{
			Identity:   f.Identity(endToEnd(i)),
			Amount:     money.FromUnits(money.Asset{Code: from.Currency, Decimals: 2}, big.NewInt(int64(100+i))),
			Charges:    "SHA",
			Remittance: fmt.Sprintf("Invoice %d", i),
			Creditor:   format.Party{Name: "Payee " + string(rune('A'+i)), Town: "Town", Country: from.Country},
			Account:    to,
		})
	}

	return o
}

// endToEnd is the end-to-end identification of the n-th payment.
func endToEnd(n int) string { return fmt.Sprintf("%013dABCDEFGHJKMNP", n) }

// readAgain tests that a file says what it pays, after a restore.
func readAgain(t *testing.T, f format.Format, o format.Order, content []byte) {
	t.Helper()
	require.True(t, f.Looks(content[:min(len(content), 4096)]))

	got, err := f.Read(bytes.NewReader(content), 1<<20)
	require.NoError(t, err)
	require.Equal(t, o.Day, got.Day)
	require.Equal(t, o.From.Currency, got.Currency)
	require.NotEmpty(t, got.Debtor+got.Origin, "whose account it pays from")

	if got.Message != "" {
		require.Equal(t, o.Message, got.Message)
	}

	want := map[string]string{}
	for _, p := range o.Payments {
		want[p.Identity] = p.Amount.String()
	}

	found := map[string]string{}
	for _, p := range got.Payments {
		found[p.Identity] = p.Amount
	}

	require.Equal(t, want, found)

	_, err = f.Read(bytes.NewReader(content[:len(content)/2]), 1<<20)
	require.Error(t, err, "half of a file is none")
}

// names tests that what a format calls a file, a payment and a block leads back to them, and nothing else does.
func names(t *testing.T, f format.Format, o format.Order) {
	t.Helper()

	name := f.FileName(message)
	got, ours := f.MessageOf(name)
	require.True(t, ours)
	require.Equal(t, message, got)

	for _, other := range []string{"", name + ".tmp", strings.TrimSuffix(name, name[len(name)-3:]), "x" + name} {
		_, ours := f.MessageOf(other)
		require.False(t, ours, other)
	}

	for i, p := range o.Payments {
		require.True(t, f.Names(p.Identity))
		require.Equal(t, format.Root(endToEnd(i)), format.Root(p.Identity))
		require.False(t, f.Names(p.Identity+"X"))

		block := f.Block(message, p)
		if block == "" {
			continue
		}

		beginning, ours := f.MessageOfBlock(block)
		require.True(t, ours)
		require.True(t, strings.HasPrefix(message, beginning))
		require.False(t, f.Names(block), "a block is not taken for a payment")
	}

	_, ours = f.MessageOfBlock("another")
	require.False(t, ours)
}
