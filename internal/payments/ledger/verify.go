package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"sort"
	"strings"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
)

// page is how many journals, or links, verification keeps in memory at once. Of lines it keeps those of one journal.
const page = 500

// Balance is the sum of an account for one asset.
type Balance struct {
	Account Account
	Asset   string
	Units   *big.Int
}

// Report is the result of Verify. Faults is empty if the book is sound.
type Report struct {
	Journals, Postings, Sealed, Unsealed int
	Faults                               []string
	Open                                 []Balance // what is reserved, held and cleared and not zero: payments under way
	Assets                               []string
	HeadAt                               time.Time // of the head that was kept outside of the database; zero: none was

	keys  *secret.Keyring // nil: signatures are not checked
	books map[place]*level
}

// place is an account for one asset in the book of one organisation; "" is the house's.
type place struct{ organisation, account, asset string }

// level is what a place has so far, and since when that is below zero.
type level struct {
	units *big.Int
	since int64 // microseconds; 0: it is not below zero
}

// maxFaults limits the list; the first faults are enough to act on.
const maxFaults = 50

func (r *Report) fault(format string, args ...any) {
	if len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
	}
}

// Verify reads the whole book at one moment and checks it. Every journal sums to zero for each asset, matches its hash,
// and has an id of its time. The chain of hashes is complete and covers every journal up to the newest ones. No account
// is below its floor, suspense has not been below zero in any book at any moment, and the folded balances of the house
// are those of the journals. Accounts in transit that are not zero are listed and are no faults: payments may be under
// way.
//
// Whoever can write to the database could compute the hashes again, or remove the newest links with their journals.
// Against the first, each journal carries a signature of the keyring. Against the second, the newest link is kept
// outside, signed (Witness). With a Proof, Verify checks both. What was posted since the head was last kept, at most a
// minute, can still be cut off unnoticed.
func Verify(ctx context.Context, d *db.DB, proof Proof) (Report, error) {
	r := Report{keys: proof.Keys, books: map[place]*level{}}

	err := d.Snapshot(ctx, func(q db.Querier) error {
		heads := map[string]head{}

		journals, postings, err := countRows(ctx, q)
		if err != nil {
			return err
		}

		watch := func() {
			if proof.Watch != nil {
				proof.Watch(r.Journals, int(journals))
			}
		}

		sums := map[string]map[string]*big.Int{}
		if err := r.readJournals(ctx, q, heads, sums, watch); err != nil {
			return err
		}

		if err := r.readChain(ctx, q, heads); err != nil {
			return err
		}

		if err := r.checkBalances(ctx, q); err != nil {
			return err
		}

		if proof.Head != nil {
			err := Contains(ctx, q, *proof.Head)
			if err != nil && !errors.Is(err, ErrHeadGone) {
				return err
			}

			if err != nil {
				r.fault("%s, on %s", err, proof.Head.At.UTC().Format(time.RFC3339))
			}
		}

		if n := journals - int64(r.Journals); n != 0 {
			r.fault("%d journals have an id that no journal can have", n)
		}

		if n := postings - int64(r.Postings); n != 0 {
			r.fault("%d postings belong to no journal", n)
		}

		r.checkSums(sums)

		return nil
	})

	return r, err
}

// head is what the check of the chain needs of a journal.
type head struct {
	hash      string
	createdAt int64
}

func (r *Report) readJournals(
	ctx context.Context,
	q db.Querier,
	heads map[string]head,
	sums map[string]map[string]*big.Int,
	watch func(),
) error {
	after := ""

	for {
		rows, err := journalsAfter(ctx, q, after, page)
		if err != nil || len(rows) == 0 {
			return err
		}

		after = rows[len(rows)-1].ID
		open := make(map[string]journalRow, len(rows)) // whose lines have not come

		for _, j := range rows {
			open[j.ID] = j
			heads[j.ID] = head{j.Hash, j.CreatedAt}
		}

		r.Journals += len(rows)

		if err := linesBetween(ctx, q, rows[0].ID, after, func(journal string, lines []postingRow) {
			if j, ok := open[journal]; ok {
				delete(open, journal)
				r.Postings += len(lines)
				r.checkJournal(j, lines, sums)
			}
		}); err != nil {
			return err
		}

		for _, j := range open {
			r.checkJournal(j, nil, sums)
		}

		watch()
	}
}

func (r *Report) checkJournal(j journalRow, lines []postingRow, sums map[string]map[string]*big.Int) {
	if contentHash(j, lines) != j.Hash {
		r.fault("journal %s (%s) does not have the content it was written with", j.ID, j.Key)
	}

	if r.keys != nil && !genuine(r.keys, signedText(j.Hash), j.Signature) {
		r.fault("journal %s (%s) was not written by this service", j.ID, j.Key)
	}

	if ms, ok := id.Millis(j.ID); !ok || ms != j.CreatedAt/1000 {
		r.fault("journal %s (%s) has an id of another time than its own", j.ID, j.Key)
	}

	own := map[string]*big.Int{}
	for _, l := range lines {
		units, err := money.ParseUnits(l.Units)
		if err != nil {
			r.fault("journal %s line %d: %s", j.ID, l.Line, err)
			continue
		}

		add(own, l.Asset, units)
		r.follow(j, l, units)

		if sums[l.Account] == nil {
			sums[l.Account] = map[string]*big.Int{}
		}

		add(sums[l.Account], l.Asset, units)
	}

	for asset, s := range own {
		if s.Sign() != 0 {
			r.fault("journal %s (%s) is off by %s base units of %s", j.ID, j.Key, s, asset)
		}
	}

	if len(lines) == 0 {
		r.fault("journal %s (%s) has no postings", j.ID, j.Key)
	}
}

// follow adds a posting to its place in its book, if nothing may be below zero there at any moment. Journals of several
// processes may stand in another order than they were written in, as far as their clocks differ; what is made up for
// within lookBack is no fault.
func (r *Report) follow(j journalRow, l postingRow, units *big.Int) {
	if !hasKind(l.Account, bookFloorKinds) {
		return
	}

	at := place{j.Organisation, l.Account, l.Asset}

	b := r.books[at]
	if b == nil {
		b = &level{units: new(big.Int)}
		r.books[at] = b
	}

	b.units.Add(b.units, units)

	switch {
	case b.units.Sign() < 0 && b.since == 0:
		b.since = j.CreatedAt
	case b.units.Sign() >= 0 && b.since != 0:
		if j.CreatedAt-b.since > lookBack.Microseconds() {
			r.belowZero(at, b)
		}

		b.since = 0
	}
}

func (r *Report) belowZero(at place, b *level) {
	book := "of the house"
	if at.organisation != "" {
		book = "of " + at.organisation
	}

	r.fault("account %s was below zero in the book %s since %s", at.account, book,
		db.Time(b.since).UTC().Format(time.RFC3339))
}

func add(sums map[string]*big.Int, asset string, units *big.Int) {
	if sums[asset] == nil {
		sums[asset] = new(big.Int)
	}

	sums[asset].Add(sums[asset], units)
}

func (r *Report) readChain(ctx context.Context, q db.Querier, heads map[string]head) error {
	previous := ""
	next := int64(1)
	until := int64(0)
	sealed := map[string]bool{}

	for {
		rows, err := sealsAfter(ctx, q, next-1, page)
		if err != nil {
			return err
		}

		for _, s := range rows {
			if s.Seq != next {
				r.fault("the chain has a gap before link %d", s.Seq)
			}

			j, ok := heads[s.Journal]
			if !ok {
				r.fault("link %d is of journal %s, which is gone", s.Seq, s.Journal)
			}

			if want := link(previous, j.hash); s.Hash != want {
				r.fault("link %d does not follow from the one before it", s.Seq)
			}

			sealed[s.Journal] = true
			previous = s.Hash
			next = s.Seq + 1
			until = max(until, j.createdAt)
			r.Sealed++
		}

		if len(rows) == 0 {
			break
		}
	}

	for journal, j := range heads {
		if sealed[journal] {
			continue
		}

		r.Unsealed++
		if j.createdAt < until-lookBack.Microseconds() {
			r.fault("journal %s has no link, and the chain has long passed its time", journal)
		}
	}

	return nil
}

func (r *Report) checkSums(sums map[string]map[string]*big.Int) {
	assets := map[string]bool{}

	for account, byAsset := range sums {
		for asset, s := range byAsset {
			assets[asset] = true
			if s.Sign() < 0 && hasKind(account, floorKinds) {
				r.fault("account %s is below zero: %s base units of %s", account, s, asset)
			}

			if s.Sign() != 0 && hasKind(account, transitKinds) {
				r.Open = append(r.Open, Balance{Account(account), asset, s})
			}
		}
	}

	for at, b := range r.books {
		if b.since != 0 {
			r.belowZero(at, b)
		}
	}

	for a := range assets {
		r.Assets = append(r.Assets, a)
	}

	sort.Strings(r.Assets)
	sort.Strings(r.Faults)
	slices.SortFunc(r.Open, func(a, b Balance) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Asset, b.Asset))
	})
}

func hasKind(account string, kinds []string) bool {
	for _, k := range kinds {
		if strings.HasPrefix(account, k) {
			return true
		}
	}

	return false
}
