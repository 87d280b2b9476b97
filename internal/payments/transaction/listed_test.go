package transaction

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/core/text"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// listWorld is a database with transactions of a few organisations, and a plain copy of them to compare lists with.
type listWorld struct {
	*testing.T
	s     *Service
	other *Service // in another process
	r     *rand.Rand
	now   time.Time

	all map[string]Transaction
}

const listOrg = "org_a"

var (
	listReasons    = []string{"Rent 2026", "Miete Übung", "invoice-17", "50% of A_1", ""}
	listPayees     = []string{"Ada Lovelace", "Grace Hopper", "Ölmühle GmbH"}
	listCurrencies = []string{"EUR", "USD", "CHF"}
)

func newListWorld(t *testing.T, d *db.DB, seed uint64) *listWorld {
	known := func(_ context.Context, _ db.Querier, word string) ([]string, error) {
		if strings.HasPrefix(word, "txn_known_as_") {
			return []string{"txn_" + strings.TrimPrefix(word, "txn_known_as_"), "pbl_1"}, nil
		}

		return nil, nil
	}

	service := func() *Service {
		return New(Deps{
			DB:    d,
			Known: []func(context.Context, db.Querier, string) ([]string, error){known},
			Lists: ListLimits{Rows: 100_000, From: 1},
		})
	}

	return &listWorld{
		T:     t,
		s:     service(),
		other: service(),
		r:     rand.New(rand.NewPCG(seed, 17)),
		now:   time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC),
		all:   map[string]Transaction{},
	}
}

func pick[T any](w *listWorld, of []T) T { return of[w.r.IntN(len(of))] }

// content draws what a draft says.
func (w *listWorld) content(t *Transaction) {
	t.Token = pick(w, []string{"USDC", "USDT", "DAI", ""})
	t.Decimals = 6
	t.WalletAddress = fmt.Sprintf("0x%040x", w.r.IntN(3))
	t.Debit = big.NewInt(1)
	t.Payments = nil

	for i := range 1 + w.r.IntN(3) {
		p := Payment{
			Position: i,
			Units:    big.NewInt(int64(w.r.IntN(50)) * 250_000),
			Reason:   pick(w, listReasons),
			Address:  fmt.Sprintf("0xaa%038x", w.r.IntN(9)),
			Snapshot: ReceiverSnapshot{ID: "rcv_1", LegalName: pick(w, listPayees)}.text(),
		}
		if t.Type == TypeFiat {
			p.Currency = pick(w, listCurrencies)
			p.CurrencyDecimals = 2
			p.FiatUnits = big.NewInt(int64(w.r.IntN(50)) * 25)
		}

		t.Payments = append(t.Payments, p)
	}
}

func (w *listWorld) create() {
	w.now = w.now.Add(time.Duration(w.r.IntN(3)) * 400 * time.Microsecond)
	at := w.now.Add(-time.Duration(w.r.IntN(2)) * time.Millisecond) // a process whose write took longer

	t := Transaction{
		ID:           id.New(idPrefix, at),
		Organisation: pick(w, []string{listOrg, listOrg, listOrg, "org_b"}),
		Number:       int64(len(w.all)),
		Type:         pick(w, []Type{TypeCrypto, TypeFiat}),
		Status:       StatusDraft,
		Settlement:   SettlementIdle,
		Partner:      pick(w, []string{"", "", "prt_1", "prt_2"}),
		CreatedBy:    "usr_1",
		CreatedAt:    at,
		UpdatedAt:    at,
		Version:      1,
	}
	if t.Type == TypeFiat {
		t.CommissionType = pick(w, []string{CommissionStandard, CommissionCustom})
	}

	w.content(&t)

	w.write(func(tx *db.Tx) error {
		insert(tx, t, searchText(t))
		insertTerms(tx, t)

		return w.s.record(context.Background(), tx, t, "created")
	})
	w.all[t.ID] = t
}

func (w *listWorld) write(body func(tx *db.Tx) error) {
	w.Helper()
	require.NoError(w, w.s.DB.Write(context.Background(), body))
}

// change does to one transaction what members and settlement do.
func (w *listWorld) change() {
	ids := []string{}
	for known, t := range w.all {
		if !t.Deleted {
			ids = append(ids, known)
		}
	}

	if len(ids) == 0 {
		return
	}

	slices.Sort(ids)
	was := w.all[pick(w, ids)]
	next := was
	next.Version++
	next.UpdatedAt = w.now

	// What happens is drawn before the write, whose body may run twice.
	n := w.r.IntN(8)
	status := pick(w, []Status{StatusDraft, StatusWaiting, StatusProcess, StatusCompleted, StatusFailed})
	rewritten := n > 1 && n < 4 && was.Status == StatusDraft
	fails := false

	switch {
	case n == 0:
		next.Hidden = !was.Hidden
	case n == 1:
		next.Deleted = true
	case rewritten:
		w.content(&next)
	default:
		next.Status = status
		fails = w.r.IntN(3) == 0 && was.Payments[0].Outcome == ""
	}

	if fails {
		next.Payments = slices.Clone(was.Payments)
		next.Payments[0].Outcome = PaymentFailed
	}

	w.write(func(tx *db.Tx) error {
		switch {
		case n == 0:
			setHidden(tx, was, next.Hidden)
			next.UpdatedAt = tx.Now

		case n == 1:
			markDeleted(tx, was)

		case rewritten:
			if err := replace(tx, next, searchText(next), was.Version); err != nil {
				return err
			}

			if err := replaceTerms(tx, next); err != nil {
				return err
			}

		default:
			storeMove(tx, was, next, "")

			if fails {
				setOutcome(tx, was.ID, "", next.Payments[0])
			}
		}

		return w.s.record(context.Background(), tx, next, "changed")
	})
	w.all[next.ID] = next
}

// filter draws a list.
func (w *listWorld) filter() Filter {
	some := func(chance int) bool { return w.r.IntN(chance) == 0 }

	f := Filter{
		Organisation: listOrg,
		SortBy:       pick(w, []string{"", "createdAt", "updatedAt", "status", "type", "token", "_id"}),
		Ascending:    some(2),
		View:         pick(w, []ListView{"", ViewAll, "mine", ViewOpen, ViewDone, ViewFailed}),
		Window:       caller.Window{Limit: 1 + w.r.IntN(12), Offset: w.r.IntN(3) * w.r.IntN(30)},
	}
	if some(3) {
		f.Status = []string{string(StatusDraft), string(StatusCompleted)}[:1+w.r.IntN(2)]
	}

	if some(4) {
		f.Tokens = []string{pick(w, []string{"USDC", "DAI", "NONE", ""})}
	}

	if some(4) {
		f.Types = []string{string(pick(w, []Type{TypeCrypto, TypeFiat, TypeOnramp}))}
	}

	if some(5) {
		f.Currencies = listCurrencies[w.r.IntN(2):]
	}

	if some(5) {
		f.Partners = []string{pick(w, []string{"prt_1", "prt_2", ""})}
	}

	if some(5) {
		f.CommissionType = pick(w, []string{CommissionStandard, CommissionCustom})
	}

	if some(4) {
		hidden := some(2)
		f.Hidden = &hidden
	}

	if some(4) {
		failed := some(2)
		f.PaymentsFailed = &failed
	}

	if some(4) {
		f.From = w.now.Add(-time.Duration(w.r.IntN(30_000)) * time.Microsecond)
	}

	if some(4) {
		f.To = w.now.Add(-time.Duration(w.r.IntN(10_000)) * time.Microsecond)
	}

	if some(8) {
		f.Year = 2025 + w.r.IntN(2)
	}

	if some(2) {
		f.Search = w.search()
	}

	return f
}

func (w *listWorld) search() string {
	ids := []string{"txn_"}
	for known := range w.all {
		ids = append(ids, known)
	}

	slices.Sort(ids)
	one := pick(w, ids)

	return pick(w, []string{
		"rent", "2026 RENT", "%", "_1", "übung", "U\u0308BUNG", "'", "12.5",
		"ada", "hopper grace", "gmbh ölm", "0xaa", "nothing", "txn_",
		one, one[:4+w.r.IntN(len(one)-3)], "known_as_", "txn_known_as_" + strings.TrimPrefix(one, "txn_"),
	})
}

// matches says of one transaction what the interface says of filters.
func (w *listWorld) matches(f Filter, t Transaction) bool {
	in := func(values []string, v string) bool { return len(values) == 0 || slices.Contains(values, v) }
	from, to := f.created()
	created := t.CreatedAt.Truncate(time.Millisecond)

	commission := cmp.Or(t.CommissionType, CommissionStandard)
	if f.CommissionType != "" && commission != f.CommissionType {
		return false
	}

	if len(f.Currencies) > 0 && !slices.ContainsFunc(t.Payments, func(p Payment) bool {
		return slices.Contains(f.Currencies, p.Currency)
	}) {
		return false
	}

	failed := t.Status == StatusFailed || slices.ContainsFunc(t.Payments, func(p Payment) bool {
		return p.Outcome == PaymentFailed
	})
	if f.PaymentsFailed != nil && *f.PaymentsFailed != failed {
		return false
	}

	for word := range strings.FieldsSeq(text.Searchable(f.Search)) {
		searched := []string{t.WalletAddress}
		for _, p := range t.Payments {
			amount := money.Format(p.Units, t.Decimals)
			if t.Type == TypeFiat {
				amount = p.Fiat().String()
			}

			searched = append(searched, p.Reason, p.Address, amount, p.Payee())
		}

		found := strings.Contains(text.Searchable(strings.Join(searched, " ")), word)
		found = found || (strings.HasPrefix(word, "txn_") && strings.HasPrefix(t.ID, word))
		found = found || word == "txn_known_as_"+strings.TrimPrefix(t.ID, "txn_")

		if !found {
			return false
		}
	}

	return t.Organisation == f.Organisation && !t.Deleted &&
		in(f.Status, string(t.Status)) && in(f.View.states(), string(t.Status)) && in(f.Tokens, t.Token) &&
		in(f.Types, string(t.Type)) && in(f.Partners, t.Partner) && (f.Hidden == nil || *f.Hidden == t.Hidden) &&
		(from.IsZero() || !created.Before(from)) && (to.IsZero() || created.Before(to))
}

// wanted returns every match in the order of the list.
func (w *listWorld) wanted(f Filter) []Transaction {
	var out []Transaction
	for _, t := range w.all {
		if f.possible() && w.matches(f, t) {
			out = append(out, t)
		}
	}

	slices.SortFunc(out, func(a, b Transaction) int {
		first := 0

		switch f.SortBy {
		case "updatedAt":
			first = a.UpdatedAt.Compare(b.UpdatedAt)
		case "status":
			first = cmp.Compare(a.Status, b.Status)
		case "type":
			first = cmp.Compare(a.Type, b.Type)
		case "token":
			first = cmp.Compare(a.Token, b.Token)
		}

		c := cmp.Or(first, cmp.Compare(a.ID, b.ID))
		if !f.Ascending {
			c = -c
		}

		return c
	})

	return out
}

func idsOf(all []Transaction) []string {
	out := []string{}
	for _, t := range all {
		out = append(out, t.ID)
	}

	return out
}

type lister func(ctx context.Context, f Filter) ([]Transaction, int64, string, error)

// stored answers from the database alone.
func (w *listWorld) stored(ctx context.Context, f Filter) ([]Transaction, int64, string, error) {
	if !f.possible() {
		return nil, 0, "", nil
	}

	records, err := w.s.known(ctx, f)
	require.NoError(w, err)

	return listStored(ctx, w.s.DB, f, records)
}

// check compares one list, and the walk along its cursors, with the plain copy.
func (w *listWorld) check(list lister, f Filter) {
	w.Helper()

	ctx := context.Background()
	want := idsOf(w.wanted(f))
	page, total, _, err := list(ctx, f)
	require.NoError(w, err)
	require.EqualValues(w, len(want), total, "%+v", f)

	rest := want[min(f.Offset, len(want)):]
	require.Equal(w, rest[:min(f.Limit, len(rest))], idsOf(page), "%+v", f)

	for _, t := range page {
		require.Equal(w, w.all[t.ID].Version, t.Version)
		require.Len(w, t.Payments, len(w.all[t.ID].Payments))
	}

	walked := []string{}

	for f.Offset = 0; ; {
		page, total, next, err := list(ctx, f)
		require.NoError(w, err)
		require.EqualValues(w, len(want), total)

		walked = append(walked, idsOf(page)...)
		require.LessOrEqual(w, len(walked), len(want), "a cursor leads back: %+v", f)

		if next == "" {
			break
		}

		f.After = next
	}

	require.Equal(w, want, walked, "%+v", f)
}

// Every list, whatever its filters, order, offset and cursor, is that of a plain copy of the transactions: from an
// index, from the index of another process, and from the database alone; while transactions are made, changed, hidden
// and deleted in between.
func TestEveryListIsThatOfAPlainCopy(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newListWorld(t, d, 4)
		ctx := context.Background()

		for range 60 {
			w.create()
		}

		for _, s := range []*Service{w.s, w.other} {
			require.NoError(t, s.IndexList(ctx, listOrg))
			require.NotNil(t, s.listed.find(listOrg))
		}

		for round := range 60 {
			for range w.r.IntN(4) {
				w.create()
				w.change()
			}

			f := w.filter()
			w.check(w.s.list, f)
			w.check(w.stored, f)

			if round%3 == 0 {
				w.check(w.other.list, f)
			}
		}
	})
}

// Lists that are read while others write are each of one moment: what a filter asks for is true of every row, nothing
// is twice or missing in a walk, and a writer finds what it has written.
func TestListsAmongWritesAreOfOneMoment(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newListWorld(t, d, 5)
		ctx := context.Background()

		for range 30 {
			w.create()
		}

		require.NoError(t, w.s.IndexList(ctx, listOrg))

		var (
			all  sync.WaitGroup
			stop = make(chan struct{})
		)

		for _, status := range []Status{StatusDraft, StatusCompleted} {
			all.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
					}

					f := Filter{Organisation: listOrg, Status: []string{string(status)}, SortBy: "updatedAt"}
					f.Limit = 1000
					page, total, _, err := w.s.list(ctx, f)

					if err != nil || int64(len(page)) != total {
						t.Errorf("%d of %d rows, %v", len(page), total, err)
						return
					}

					for i, x := range page {
						if x.Status != status || i > 0 && x.UpdatedAt.After(page[i-1].UpdatedAt) {
							t.Errorf("%s is %s in a list of %s", x.ID, x.Status, status)
							return
						}
					}
				}
			})
		}

		for range 60 {
			w.create()
			w.change()
			w.check(w.s.list, Filter{Organisation: listOrg, Window: caller.Window{Limit: 50}})
		}

		close(stop)
		all.Wait()
	})
}

// Indexes keep within their limit: the one that was not used for the longest time goes, and what has no room is
// answered by the database.
func TestIndexesKeepWithinTheirLimit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		w := newListWorld(t, d, 6)
		ctx := context.Background()

		for len(w.wanted(Filter{Organisation: "org_b"})) < 10 {
			w.create()
		}

		f := Filter{Organisation: listOrg, Window: caller.Window{Limit: 7}}
		many := len(w.wanted(f))
		w.s.listed.limits.Rows = many + 5

		require.NoError(t, w.s.IndexList(ctx, "org_b"))
		require.NotNil(t, w.s.listed.find("org_b"))
		require.NoError(t, w.s.IndexList(ctx, listOrg))
		require.NotNil(t, w.s.listed.find(listOrg))
		require.Nil(t, w.s.listed.find("org_b"))

		w.s.listed.drop()
		w.s.listed.limits.Rows = many - 1
		require.NoError(t, w.s.IndexList(ctx, listOrg))
		require.Nil(t, w.s.listed.find(listOrg))
		w.check(w.s.list, f)

		w.s.listed.limits.Rows = many
		w.s.listed.limits.From = many + 1
		require.NoError(t, w.s.IndexList(ctx, listOrg))
		require.Nil(t, w.s.listed.find(listOrg), "the database answers short lists")
	})
}
