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

// lookBack is how far behind the newest link the sealer searches for journals that committed late.
const lookBack = time.Hour

// sealBatch limits the links written in one transaction.
const sealBatch = 1000

// Seal links journals that have no link yet and returns their number. Only one process does it at a time; if two run at
// once, they collide on the sequence number and one gets an error to retry later. With keys, a journal that this
// service has not signed gets no link.
func Seal(ctx context.Context, d *db.DB, keys *secret.Keyring) (int, error) {
	n := 0

	err := d.Write(ctx, func(tx *db.Tx) error {
		last, err := lastSeal(ctx, tx)
		if err != nil && !errors.Is(err, db.ErrNone) {
			return err
		}

		since, err := sealSince(ctx, tx, last, tx.Now)
		if err != nil {
			return err
		}

		rows, err := unsealed(ctx, tx, since, sealBatch)
		if err != nil {
			return err
		}

		rows = slices.DeleteFunc(rows, func(r journalRow) bool {
			return keys != nil && !genuine(keys, signedText(r.Hash), r.Signature)
		})
		n = len(rows)

		for i, r := range rows {
			last.Hash = link(last.Hash, r.Hash)
			tx.Insert(insertSeal, last.Seq+int64(i)+1, r.ID, last.Hash, db.Micros(tx.Now))
		}

		return nil
	})
	if db.IsUnique(err, "ledger_chain") {
		return 0, nil
	}

	return n, err
}

// sealSince returns the time from which the sealer looks for journals without a link. Ids and times are made before
// commits, so a journal may appear behind the newest link. The search therefore begins before that link's journal, by a
// window far longer than any transaction lasts. It never begins at the present time: a sealer that was off for days
// finds what was posted in the meantime.
func sealSince(ctx context.Context, q db.Querier, last sealRow, now time.Time) (int64, error) {
	if last.Seq == 0 {
		return 0, nil
	}

	at, err := sealedUntil(ctx, q, last)
	if err != nil || at == 0 {
		return 0, err
	}

	return min(at, db.Micros(now)) - lookBack.Microseconds(), nil
}

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
	Open                                 []Balance // holds and clearings that are not zero: payments under way
	Assets                               []string

	keys *secret.Keyring // nil: signatures are not checked
}

// maxFaults limits the list; the first faults are enough to act on.
const maxFaults = 50

func (r *Report) fault(format string, args ...any) {
	if len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
	}
}

// Verify reads the whole book at one moment and checks it. Every journal sums to zero for each asset, matches its
// hash, and has an id of its time. The chain of hashes is complete and covers every journal up to the newest ones. No
// account is below its floor, and the folded balances of the house are those of the journals. Accounts in transit
// that are not zero are listed and are no faults: payments may be under way.
//
// Whoever can write to the database could compute the hashes again, or remove the newest links with their journals.
// Against the first, each journal carries a signature of the keyring. Against the second, the newest link is kept
// outside, signed (Witness). With a Proof, Verify checks both. What was posted since the head was last kept, at most a
// minute, can still be cut off unnoticed.
func Verify(ctx context.Context, d *db.DB, proof Proof) (Report, error) {
	r := Report{keys: proof.Keys}

	err := d.Snapshot(ctx, func(q db.Querier) error {
		heads := map[string]head{}

		sums := map[string]map[string]*big.Int{}
		if err := r.readJournals(ctx, q, heads, sums); err != nil {
			return err
		}

		if err := r.readChain(ctx, q, heads); err != nil {
			return err
		}

		if err := r.checkBalances(ctx, q); err != nil {
			return err
		}

		if proof.Head != nil {
			err := follows(ctx, q, *proof.Head)
			if err != nil && !errors.Is(err, ErrHeadGone) {
				return err
			}

			if err != nil {
				r.fault("%s, on %s", err, proof.Head.At.UTC().Format(time.RFC3339))
			}
		}

		journals, postings, err := countRows(ctx, q)
		if err != nil {
			return err
		}

		if n := journals - int64(r.Journals); n != 0 {
			r.fault("%d journals have an id that no journal can have", n)
		}

		if n := postings - int64(r.Postings); n != 0 {
			r.fault("%d postings belong to no journal", n)
		}

		r.judge(sums)

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
		units, ok := new(big.Int).SetString(l.Units, 10)
		if !ok {
			r.fault("journal %s line %d: %q is no number", j.ID, l.Line, l.Units)
			continue
		}

		add(own, l.Asset, units)

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

func (r *Report) judge(sums map[string]map[string]*big.Int) {
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

// Line is a posting as people see it.
type Line struct {
	Journal, Kind, Account, Asset, Units, Memo string
	At                                         time.Time
}

// OfTransaction returns the postings of one transaction, in the order they were written.
func OfTransaction(ctx context.Context, q db.Querier, transaction string) ([]Line, error) {
	return shown(linesOf(ctx, q, transaction, ""))
}

// OfTenant returns the postings of one transaction as its organisation may see them. For another organisation's
// transaction it returns none.
func OfTenant(ctx context.Context, q db.Querier, organisation, transaction string) ([]Line, error) {
	return shown(linesOf(ctx, q, transaction, " AND j.organisation = ?", organisation))
}

func shown(rows []lineRow, err error) ([]Line, error) {
	out := make([]Line, len(rows))
	for i, r := range rows {
		out[i] = r.line
		out[i].At = db.Time(r.at)
	}

	return out, err
}

// BalanceOf returns the sum of an account for one asset.
func BalanceOf(ctx context.Context, q db.Querier, account Account, asset money.Asset) (money.Amount, error) {
	lines, err := postingsOfAccount(ctx, q, account)
	sum := new(big.Int)

	for _, l := range lines {
		if l.Asset != asset.Code {
			continue
		}

		units, ok := new(big.Int).SetString(l.Units, 10)
		if !ok {
			return money.Zero(asset), fmt.Errorf(
				"balance of %s: journal %s line %d: %q is no number",
				account,
				l.Journal,
				l.Line,
				l.Units,
			)
		}

		sum.Add(sum, units)
	}

	return money.FromUnits(asset, sum), err
}

// Unsealed returns how many journals of the last hour have no link in the chain yet.
func Unsealed(ctx context.Context, d *db.DB) (int64, error) {
	return countUnsealed(ctx, d, db.Micros(d.Now().Add(-lookBack)))
}

// Head returns the number and the hash of the newest link, to be kept where the database's owner cannot write. For an
// empty chain the number is 0.
func Head(ctx context.Context, q db.Querier) (int64, string, error) {
	last, err := lastSeal(ctx, q)
	if errors.Is(err, db.ErrNone) {
		return 0, "", nil
	}

	return last.Seq, last.Hash, err
}
