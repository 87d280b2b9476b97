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

	calls, err := namesIn(ctx, q, t.Organisation, accountsOf(lines))
	if err != nil {
		return nil, err
	}

	// a token has the decimals of the transaction's network, which the transaction has stored
	token := func(asset string) (int, bool) { return t.Decimals, asset == t.Token }

	out := make([]Posting, len(lines))
	for i, l := range lines {
		amount, known, err := postedAmount(l.Account, l.Asset, l.Units, token)
		if err != nil {
			return nil, fmt.Errorf("journal %s: %w", l.Journal, err)
		}

		if !known {
			amount = l.Units + " base units of"
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

func accountsOf(lines []ledger.Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l.Account
	}

	return out
}

// postedAmount returns an amount of the book in whole units. token returns the decimals of a token where it was posted.
// known is false for an asset whose decimals nobody knows.
func postedAmount(
	account, asset, booked string,
	token func(asset string) (int, bool),
) (amount string, known bool, err error) {
	units, err := money.ParseUnits(booked)
	if err != nil {
		return "", false, err
	}

	decimals, known := token(asset)
	if c, isCurrency := refdata.All().Currency(asset); isCurrency && !known {
		decimals, known = c.Decimals, true
	}

	if isGas(account) && !known {
		decimals, known = weiDecimals, true
	}

	if !known {
		return "", false, nil
	}

	return money.Format(units, decimals), true, nil
}

// weiDecimals is how many decimals the coin of every EVM network has.
const weiDecimals = 18

// isGas reports whether an account is about gas, which is paid in the network's own coin.
func isGas(account string) bool {
	return strings.HasPrefix(account, "gas/") || strings.HasPrefix(account, "expense/gas/")
}

// namesIn returns the function that returns what people call the networks, organisations and receivers of some
// accounts, by identifier. Anything else is named by itself. Receivers are those of one organisation.
func namesIn(ctx context.Context, q db.Querier, org string, accounts []string) (func(string) string, error) {
	out := map[string]string{}
	ids := wordsOf(accounts)

	networks, err := network.ByIDs(ctx, q, ids["net"])
	for _, n := range networks {
		out[n.ID] = n.Name
	}

	receivers, err2 := receiver.WithDeleted(ctx, q, org, ids[receiver.Prefix])
	for _, r := range receivers {
		out[r.ID] = r.Name()
	}

	organisations, err3 := organisation.NamesOf(ctx, q, ids["org"])
	for id, names := range organisations {
		out[id] = cmp.Or(append(names, id)...)
	}

	calls := func(word string) string { return cmp.Or(out[word], word) }

	return calls, errors.Join(err, err2, err3)
}

// wordsOf returns the words in the names of accounts, each once, by the prefix of the identifiers that they are.
func wordsOf(accounts []string) map[string][]string {
	out := map[string][]string{}
	seen := map[string]bool{}

	for _, account := range accounts {
		for word := range strings.SplitSeq(account, "/") {
			if kind, _, ok := strings.Cut(word, "_"); ok && !seen[word] {
				seen[word] = true
				out[kind] = append(out[kind], word)
			}
		}
	}

	return out
}
