// Package ledger is the double-entry book: journals of postings that sum to zero for each asset. Journals are only ever
// added.
//
// A journal is written in the transaction of the event it records, under a key that is unique for ever. Posting the
// same effect twice fails instead of doubling it. Balances are derived from postings; those of the house's own accounts
// are also kept folded, for speed. Each journal carries a hash of its content, and a sealer links the hashes into a
// chain, so a changed, removed or inserted row is detected. Verify checks all of it.
//
// Read in this order:
//
//   - The book: accounts.go (which accounts there are and what they mean), kinds.go, words.go (what people call them),
//     ledger.go, days.go (when it happened), journal.go and lines.go (what people read of it).
//   - Its proof: seal.go (the chain of hashes), head.go (the proof outside of the database), verify.go, proof.go (the
//     whole book at once), verification.go (proofs that operators ask for).
//   - balances.go: the folded ones.
//   - All SQL: store.go, store_journal.go, store_balances.go, store_verification.go, store_book.go (an organisation's
//     own book), store_closed.go (its closed months), store_late.go (what was posted days later).
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"

	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// Posting moves units of an asset to (plus) or from (minus) an account.
type Posting struct {
	Account Account
	Amount  money.Amount
	Memo    string
}

// Journal is one event in the book. Key names the effect, such as "transaction/txn_…/hold".
type Journal struct {
	Key, Kind, Organisation, Transaction string
	Days                                 Days
	Postings                             []Posting
}

// Post writes a journal in the caller's transaction. It returns an error if the postings do not sum to zero for each
// asset, if there are none, or if the journal has no key. A second call with the same key makes the transaction fail
// with db.Unique of journals.
func Post(tx *db.Tx, j Journal) error {
	if j.Key == "" {
		return fmt.Errorf("a journal has no key: %s", j.Kind)
	}

	if err := balanced(j.Postings); err != nil {
		return fmt.Errorf("journal %s: %w", j.Key, err)
	}

	r := journalRow{
		ID:           id.New(journalPrefix, tx.Now),
		Key:          j.Key,
		Kind:         j.Kind,
		Organisation: j.Organisation,
		Transaction:  j.Transaction,
		CreatedAt:    db.Micros(tx.Now),
		on:           j.Days.stored(tx.Now),
	}

	lines := make([]postingRow, len(j.Postings))
	for i, p := range j.Postings {
		lines[i] = postingRow{
			Journal: r.ID,
			Line:    int64(i),
			Account: string(p.Account),
			Asset:   p.Amount.Asset().Code,
			Units:   p.Amount.Units().String(),
			Memo:    p.Memo,
		}
	}

	r.Hash = contentHash(r, lines)
	r.Signature = tx.Sign(signedText(r.Hash))

	insert(tx, r, lines)

	return nil
}

func balanced(postings []Posting) error {
	if len(postings) == 0 {
		return fmt.Errorf("has no postings")
	}

	sums := map[string]*big.Int{}

	decimals := map[string]int{}
	for _, p := range postings {
		asset := p.Amount.Asset()
		if n, ok := decimals[asset.Code]; ok && n != asset.Decimals {
			return fmt.Errorf(
				"has %s with %d and with %d decimals: their base units cannot be summed",
				asset.Code,
				n,
				asset.Decimals,
			)
		}

		if p.Account == "" {
			return fmt.Errorf("has a posting without an account")
		}

		decimals[asset.Code] = asset.Decimals
		add(sums, asset.Code, p.Amount.Units())
	}

	for asset, s := range sums {
		if s.Sign() != 0 {
			return fmt.Errorf("is off by %s base units of %s", s, asset)
		}
	}

	return nil
}

// contentHash returns a hash of every column of the journal and its lines. Each value is preceded by its length, so no
// two contents are encoded alike.
func contentHash(r journalRow, lines []postingRow) string {
	text := make([]byte, 0, 256+128*len(lines))

	put := func(s string) {
		text = append(strconv.AppendInt(text, int64(len(s)), 10), ':')
		text = append(text, s...)
	}

	for _, s := range [...]string{r.ID, r.Key, r.Kind, r.Organisation, r.Transaction} {
		put(s)
	}

	put(strconv.FormatInt(r.CreatedAt, 10))
	put(strconv.FormatInt(r.happenedAt, 10))
	put(r.booked)
	put(r.value)
	put(strconv.Itoa(len(lines)))

	for _, l := range lines {
		for _, s := range [...]string{strconv.FormatInt(l.Line, 10), l.Account, l.Asset, l.Units, l.Memo} {
			put(s)
		}
	}

	sum := sha256.Sum256(text)

	return hex.EncodeToString(sum[:])
}

func link(previous, content string) string {
	sum := sha256.Sum256([]byte(previous + content))
	return hex.EncodeToString(sum[:])
}
