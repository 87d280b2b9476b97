package network

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"slipway/internal/platform/db"
)

// Permits is how a token on a network takes a payer's signature in place of an approval.
type Permits struct {
	Token, Address string
	Name, Version  string   // of the EIP-712 domain that the token verifies
	Manners        []string // PERMIT, AUTHORIZATION, PERMIT2
	Wallets        []string // those of them that take a wallet contract's signature, too
	CheckedAt      time.Time
}

const (
	mannerComma = ","
	ofWallets   = "/WALLET" // behind a manner in its column
)

var insertPermits = db.InsertInto("token_permits", "network, token, address, name, version, manners, checked_at")

// SetPermits stores how a token takes signatures, in place of what was stored.
func SetPermits(tx *db.Tx, networkID string, p Permits) error {
	if _, err := tx.Exec("DELETE FROM token_permits WHERE network = ? AND token = ?", networkID, p.Token); err != nil {
		return err
	}

	words := append([]string{}, p.Manners...)
	for _, m := range p.Wallets {
		words = append(words, m+ofWallets)
	}

	tx.Insert(
		insertPermits,
		networkID,
		p.Token,
		p.Address,
		p.Name,
		p.Version,
		strings.Join(words, mannerComma),
		db.Micros(tx.Now),
	)

	return nil
}

// PermitsOf returns how a token takes signatures. Without manners it takes none, or was not asked yet. What was found
// of a contract that the token has left does not count.
func PermitsOf(ctx context.Context, q db.Querier, networkID string, t Token) (Permits, error) {
	type row struct {
		name, version, manners string
		checked                int64
	}

	p := Permits{Token: t.Code, Address: t.Address}

	r, err := db.One(ctx, q, func(r *row) []any {
		return []any{&r.name, &r.version, &r.manners, &r.checked}
	}, "SELECT name, version, manners, checked_at FROM token_permits WHERE network = ? AND token = ? AND address = ?",
		networkID, t.Code, t.Address)
	if errors.Is(err, db.ErrNone) {
		return p, nil
	}

	if err != nil {
		return p, fmt.Errorf("read permits of %s on %s: %w", t.Code, networkID, err)
	}

	p.Name = r.name
	p.Version = r.version
	p.CheckedAt = db.Time(r.checked)

	for word := range strings.SplitSeq(r.manners, mannerComma) {
		if m, ok := strings.CutSuffix(word, ofWallets); ok {
			p.Wallets = append(p.Wallets, m)
		} else if word != "" {
			p.Manners = append(p.Manners, word)
		}
	}

	return p, nil
}
