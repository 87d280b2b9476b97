package wallet

import (
	"crypto/rand"
	"fmt"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"slipway/internal/core/fault"
	"slipway/internal/directory/network"
	"slipway/internal/standards/eip4361"
)

// Limits of what goes into the statement line.
const (
	maxNote    = 200
	maxOrgName = 100
)

// newNonce is 26 letters and digits with 130 random bits.
func newNonce() string { return rand.Text() }

// challenge gives the wallet a new text to sign. The one before is of no use from then on. Everything that the
// signature is to be good for stands in the text: the organisation, the wallet, the chain and the time; so a
// signature made for one is worth nothing for another.
func (w *Wallet) challenge(site Site, organisation string, n network.Network, nonce string, now time.Time) error {
	statement := "Prove control of this wallet for " + plainName(organisation) + ". This does not move funds."
	if w.Note != "" {
		statement += " " + w.Note
	}

	m := eip4361.Message{
		Domain:         site.Host,
		Address:        w.Address,
		Statement:      statement,
		URI:            site.BaseURL + "/wallets/" + w.ID,
		ChainID:        uint64(n.ChainID),
		Nonce:          nonce,
		IssuedAt:       eip4361.Time(now),
		ExpirationTime: eip4361.Time(now.Add(ChallengeLifetime)),
		RequestID:      &w.ID,
	}
	if err := m.Check(); err != nil {
		return fmt.Errorf("text for wallet %s: %w", w.ID, err)
	}

	if err := w.own(OwnershipPending); err != nil {
		return err
	}

	w.Message = m.String()
	w.Nonce = nonce
	w.ExpiresAt = now.Add(ChallengeLifetime)
	w.Failures = 0
	w.Signature = ""
	w.ApprovedAt = time.Time{}

	return nil
}

// plainName writes a name in printable ASCII: accents are left off, what has no such form becomes a question mark.
func plainName(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r >= 0x20 && r <= 0x7e:
			b.WriteRune(r)
		default:
			b.WriteByte('?')
		}

		if b.Len() >= maxOrgName {
			break
		}
	}

	if name := strings.TrimSpace(b.String()); name != "" {
		return name
	}

	return "your organisation"
}

func checkNote(note string, l *fault.List) {
	if len(note) > maxNote || !eip4361.Printable(note) {
		l.Add(
			"/ownershipMessage",
			fault.OwnershipMessageRules,
			"may be at most %d printable ASCII characters on one line.",
			maxNote,
		)
	}
}
