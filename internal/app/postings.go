package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/directory/network"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
)

// Posting is a line of the book as people read it.
type Posting struct {
	At      time.Time
	Kind    string // of the journal
	Account ledger.Account
	Name    string // of the account, for people
	Amount  string // in whole units, with the decimals of the asset
	Asset   string
}

// Postings returns the postings of one transaction, in the order they were written. It returns none for a transaction
// that is not there or has none.
func Postings(ctx context.Context, q db.Querier, transactionID string) ([]Posting, error) {
	lines, err := ledger.OfTransaction(ctx, q, transactionID)
	if err != nil || len(lines) == 0 {
		return nil, err
	}

	t, err := transaction.ByID(ctx, q, transactionID)
	if err != nil {
		return nil, fmt.Errorf("transaction %s of the postings: %w", transactionID, err)
	}

	names, err := namesIn(ctx, q, t.Organisation, lines)
	if err != nil {
		return nil, err
	}

	calls := func(word string) string {
		if name, ok := names[word]; ok {
			return name
		}

		return word
	}

	out := make([]Posting, len(lines))
	for i, l := range lines {
		amount, err := postedAmount(t, l)
		if err != nil {
			return nil, fmt.Errorf("journal %s: %w", l.Journal, err)
		}

		out[i] = Posting{
			At:      l.At,
			Kind:    l.Kind,
			Account: ledger.Account(l.Account),
			Name:    ledger.Account(l.Account).Words(calls),
			Amount:  amount,
			Asset:   l.Asset,
		}
	}

	return out, nil
}

// postedAmount returns the amount of a line in whole units. A token has the decimals of the transaction's network, which
// the transaction has stored. An asset of which nobody knows the decimals is shown as it is booked.
func postedAmount(t transaction.Transaction, l ledger.Line) (string, error) {
	units, err := money.ParseUnits(l.Units)
	if err != nil {
		return "", err
	}

	switch c, isCurrency := refdata.All().Currency(l.Asset); {
	case l.Asset == t.Token:
		return money.Format(units, t.Decimals), nil
	case isCurrency:
		return money.Format(units, c.Decimals), nil
	case isGas(l.Account):
		return money.Format(units, weiDecimals), nil
	default:
		return l.Units + " base units of", nil
	}
}

// weiDecimals is how many decimals the coin of every EVM network has.
const weiDecimals = 18

// isGas reports whether an account is about gas, which is paid in the network's own coin.
func isGas(account string) bool {
	return strings.HasPrefix(account, "gas/") || strings.HasPrefix(account, "expense/gas/")
}

// namesIn returns what people call the networks, organisations and receivers of accounts, by identifier.
func namesIn(ctx context.Context, q db.Querier, org string, lines []ledger.Line) (map[string]string, error) {
	out := map[string]string{}
	ids := map[string][]string{}

	for _, l := range lines {
		for _, word := range strings.Split(l.Account, "/") {
			kind, _, _ := strings.Cut(word, "_")
			ids[kind] = append(ids[kind], word)
		}
	}

	networks, err := network.ByIDs(ctx, q, ids["net"])
	for _, n := range networks {
		out[n.ID] = n.Name
	}

	receivers, err2 := receiver.WithDeleted(ctx, q, org, ids["rcv"])
	for _, r := range receivers {
		out[r.ID] = r.Name()
	}

	organisations, err3 := organisation.NamesOf(ctx, q, ids["org"])
	for id, names := range organisations {
		out[id] = cmp.Or(append(names, id)...)
	}

	return out, errors.Join(err, err2, err3)
}
