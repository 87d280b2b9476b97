package ledger

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"sort"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

// page is how many rows verification holds in memory at once.
const page = 500

// lookBack is how far behind the newest link the sealer searches for journals that committed late.
const lookBack = time.Hour

// sealBatch bounds the links written in one transaction.
const sealBatch = 1000

// Seal links journals that have no link yet, and gives their number. Only one process does it at a time; two at once collide on the
// sequence number and one of them is told to try later.
func Seal(ctx context.Context, d *db.DB) (int, error) {
	n := 0
	err := d.Write(ctx, func(tx *db.Tx) error {
		last, err := lastSeal(ctx, tx)
		if err != nil && !errors.Is(err, db.ErrNone) {
			return err
		}
		since := int64(0)
		if last.Seq > 0 {
			since = db.Micros(tx.Now.Add(-lookBack))
		}
		rows, err := unsealed(ctx, tx, since, sealBatch)
		if err != nil {
			return err
		}
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

// Balance is the sum of an account for one asset.
type Balance struct {
	Account Account
	Asset   string
	Units   *big.Int
}

// Report is what Verify found. Faults is empty when the book is sound.
type Report struct {
	Journals, Postings, Sealed, Unsealed int
	Faults                               []string
	Open                                 []Balance // holds and clearings that are not zero: payments under way
	Assets                               []string
}

// maxFaults bounds the list: the first ones tell enough.
const maxFaults = 50

func (r *Report) fault(format string, args ...any) {
	if len(r.Faults) < maxFaults {
		r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
	}
}

// Verify reads the whole book at one moment and proves it: every journal sums to zero per asset and has the content its hash says,
// the chain of hashes is whole and covers every journal up to the newest ones, and no account is below its floor. Accounts in
// transit that are not zero are listed, not faulted: payments may be under way.
func Verify(ctx context.Context, d *db.DB) (Report, error) {
	var r Report
	err := d.Snapshot(ctx, func(q db.Querier) error {
		hashes := map[string]string{}
		sums := map[string]map[string]*big.Int{}
		if err := r.readJournals(ctx, q, hashes, sums); err != nil {
			return err
		}
		if err := r.readChain(ctx, q, hashes); err != nil {
			return err
		}
		orphans, err := db.Value[int64](ctx, q, "SELECT count(*) FROM postings WHERE NOT EXISTS (SELECT 1 FROM journals j WHERE j.id = postings.journal)")
		if err != nil {
			return err
		}
		if orphans > 0 {
			r.fault("%d postings belong to no journal", orphans)
		}
		r.judge(sums)
		return nil
	})
	return r, err
}

func (r *Report) readJournals(ctx context.Context, q db.Querier, hashes map[string]string, sums map[string]map[string]*big.Int) error {
	after := ""
	for {
		rows, err := journalsAfter(ctx, q, after, page)
		if err != nil || len(rows) == 0 {
			return err
		}
		after = rows[len(rows)-1].ID
		lines, err := postingsBetween(ctx, q, rows[0].ID, after)
		if err != nil {
			return err
		}
		byJournal := map[string][]postingRow{}
		for _, l := range lines {
			byJournal[l.Journal] = append(byJournal[l.Journal], l)
		}
		for _, j := range rows {
			r.Journals++
			r.Postings += len(byJournal[j.ID])
			r.checkJournal(j, byJournal[j.ID], sums)
			hashes[j.ID] = j.Hash
		}
	}
}

func (r *Report) checkJournal(j journalRow, lines []postingRow, sums map[string]map[string]*big.Int) {
	if contentHash(j, lines) != j.Hash {
		r.fault("journal %s (%s) does not have the content it was written with", j.ID, j.Key)
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

func (r *Report) readChain(ctx context.Context, q db.Querier, hashes map[string]string) error {
	previous, next := "", int64(1)
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
			content, ok := hashes[s.Journal]
			if !ok {
				r.fault("link %d is of journal %s, which is gone", s.Seq, s.Journal)
			}
			if want := link(previous, content); s.Hash != want {
				r.fault("link %d does not follow from the one before it", s.Seq)
			}
			sealed[s.Journal], previous, next = true, s.Hash, s.Seq+1
		}
		if len(rows) == 0 {
			break
		}
	}
	r.Sealed = len(sealed)
	r.Unsealed = len(hashes) - len(sealed)
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
	sort.Slice(r.Open, func(i, j int) bool { return r.Open[i].Account < r.Open[j].Account })
}

func hasKind(account string, kinds []string) bool {
	for _, k := range kinds {
		if strings.HasPrefix(account, k) {
			return true
		}
	}
	return false
}

// Line is a posting as it is shown to people.
type Line struct {
	Journal, Kind, Account, Asset, Units, Memo string
	At                                         time.Time
}

// OfTransaction lists the postings of one transaction, in the order they were written.
func OfTransaction(ctx context.Context, q db.Querier, transaction string) ([]Line, error) {
	journals, err := journalsOf(ctx, q, transaction)
	if err != nil {
		return nil, err
	}
	var out []Line
	for _, j := range journals {
		lines, err := postingsOf(ctx, q, j.ID)
		if err != nil {
			return nil, err
		}
		for _, l := range lines {
			out = append(out, Line{Journal: j.Key, Kind: j.Kind, Account: l.Account, Asset: l.Asset, Units: l.Units, Memo: l.Memo, At: db.Time(j.CreatedAt)})
		}
	}
	return out, nil
}

// BalanceOf sums an account for one asset.
func BalanceOf(ctx context.Context, q db.Querier, account Account, asset money.Asset) (money.Amount, error) {
	lines, err := postingsOfAccount(ctx, q, account)
	sum := new(big.Int)
	for _, l := range lines {
		if l.Asset != asset.Code {
			continue
		}
		if units, ok := new(big.Int).SetString(l.Units, 10); ok {
			sum.Add(sum, units)
		}
	}
	return money.FromUnits(asset, sum), err
}
