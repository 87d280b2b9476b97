package listindex

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/id"
)

var start = time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC)

// model is the list that an index answers for, kept as plainly as possible.
type model map[string]Row

func (m model) matching(q Query) (out []Row) {
	for _, r := range m {
		ms, _ := id.Millis(r.ID)
		created := time.UnixMilli(ms)

		match := !r.Gone && (q.From.IsZero() || !created.Before(q.From)) && (q.To.IsZero() || created.Before(q.To))
		for _, any := range q.Marks {
			match = match && slices.ContainsFunc(any, func(s string) bool { return slices.Contains(r.Marks, s) })
		}

		for _, w := range q.Words {
			byID := strings.HasPrefix(w.Text, "txn_") && strings.HasPrefix(r.ID, w.Text)
			match = match && (byID || slices.Contains(w.Records, r.ID) ||
				slices.ContainsFunc(strings.Fields(r.Text), func(s string) bool { return strings.Contains(s, w.Text) }))
		}

		if match {
			out = append(out, r)
		}
	}

	slices.SortFunc(out, func(a, b Row) int {
		first := 0

		switch q.Order {
		case ByCreation:
		case ByUpdate:
			first = cmp.Compare(a.Updated, b.Updated)
		case ByGroup:
			first = cmp.Compare(a.Marks[0], b.Marks[0])
		}

		c := cmp.Or(first, strings.Compare(a.ID, b.ID))
		if !q.Ascending {
			c = -c
		}

		return c
	})

	return out
}

func place(q Query, r Row) *Place {
	p := &Place{ID: r.ID}
	if q.Order == ByUpdate {
		p.Updated = r.Updated
	}

	if q.Order == ByGroup {
		p.Group = r.Marks[0]
	}

	return p
}

func hits(rows []Row) []Hit {
	var out []Hit
	for _, r := range rows {
		out = append(out, Hit{r.ID, r.Version})
	}

	return out
}

var (
	groups = []string{"status=DONE", "status=DRAFT", "status=OPEN"}
	tokens = []string{"token=DAI", "token=USDC"}
	words  = []string{"rent", "miete", "12.50", "0xabcdef", "übung", "renting"}
)

func drawRow(t *rapid.T, r Row) Row {
	r.Version++
	r.Updated = start.UnixMicro() + int64(rapid.IntRange(0, 40).Draw(t, "updated"))
	r.Marks = []string{rapid.SampledFrom(groups).Draw(t, "status"), rapid.SampledFrom(tokens).Draw(t, "token")}
	r.Gone = rapid.IntRange(0, 9).Draw(t, "gone") == 0

	if rapid.Bool().Draw(t, "new text") {
		r.Text = strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 0, 3).Draw(t, "text"), " ")
	}

	return r
}

func drawQuery(t *rapid.T, known []string) Query {
	q := Query{
		Order:     rapid.SampledFrom([]Order{ByCreation, ByUpdate, ByGroup}).Draw(t, "order"),
		Groups:    groups,
		Ascending: rapid.Bool().Draw(t, "ascending"),
		Offset:    rapid.OneOf(rapid.IntRange(0, 20), rapid.IntRange(0, 200)).Draw(t, "offset"),
		Limit:     rapid.IntRange(1, 9).Draw(t, "limit"),
	}

	if s := rapid.SliceOfDistinct(rapid.SampledFrom(groups), rapid.ID).Draw(t, "statuses"); len(s) > 0 {
		q.Marks = append(q.Marks, s)
	}

	if rapid.Bool().Draw(t, "by token") {
		q.Marks = append(q.Marks, []string{rapid.SampledFrom(append(tokens, "token=NONE")).Draw(t, "one")})
	}

	moment := rapid.Custom(func(t *rapid.T) time.Time {
		return start.Add(time.Duration(rapid.IntRange(-500, 30_500).Draw(t, "µs")) * time.Microsecond)
	})
	if rapid.Bool().Draw(t, "has from") {
		q.From = moment.Draw(t, "from")
	}

	if rapid.Bool().Draw(t, "has to") {
		q.To = moment.Draw(t, "to")
	}

	parts := []string{
		"rent",
		"ent",
		"t",
		"0xab",
		"übu",
		"txn_",
		known[0][:len("txn_")+11],
		known[0],
		"nothing",
		"txn_i",
	}
	for _, s := range rapid.SliceOfN(rapid.SampledFrom(parts), 0, 2).Draw(t, "words") {
		w := Word{Text: s}
		if rapid.Bool().Draw(t, "records") {
			w.Records = []string{rapid.SampledFrom(known).Draw(t, "record"), "txn_of_another_list"}
		}

		q.Words = append(q.Words, w)
	}

	return q
}

// Whatever is put in and in whatever order, every list is that of the plain model: its page, its total, and whether
// more follows; from an offset, and from behind any of its rows.
func TestEveryListIsThatOfThePlainModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := New("txn")
		x.updates.block = rapid.IntRange(1, 9).Draw(t, "block")

		m := model{}

		var known []string

		put := func(r Row) {
			require.NoError(t, x.Put(r))
			require.NoError(t, x.Put(r), "a second time changes nothing")
			m[r.ID] = r
		}

		ask := func() {
			q := drawQuery(t, known)
			all := m.matching(q)

			check := func(rest []Row) {
				page, total, more := x.Find(q)
				want := rest[min(q.Offset, len(rest)):]
				require.Equal(t, len(all), total)
				require.Equal(t, hits(want[:min(q.Limit, len(want))]), page)
				require.Equal(t, len(want) > q.Limit, more)
			}
			check(all)

			if len(all) > 0 {
				i := rapid.IntRange(0, len(all)-1).Draw(t, "after")
				q.After = place(q, all[i])
				q.Offset = 0

				check(all[i+1:])
			}
		}

		made := rapid.IntRange(1, 200).Draw(t, "rows")
		loaded := rapid.IntRange(0, made).Draw(t, "loaded")

		for i := range made {
			if i == loaded {
				x.Loaded()
			}

			ms := rapid.IntRange(max(0, i/8-2), i/8).Draw(t, "ms") // a little out of order
			known = append(known, id.New("txn", start.Add(time.Duration(ms)*time.Millisecond)))
			put(drawRow(t, Row{ID: known[i]}))

			if again := rapid.IntRange(0, 2*made).Draw(t, "again"); again <= i {
				old := m[known[again]]
				put(drawRow(t, old))
				require.NoError(t, x.Put(old), "an older version changes nothing")
			}

			if i >= loaded && rapid.IntRange(0, 4).Draw(t, "asked") == 0 { // what is kept of answers becomes older
				ask()
			}
		}

		if loaded == made {
			x.Loaded()
		}

		for range 20 {
			ask()
		}

		for _, r := range m {
			require.True(t, x.Has(r.ID, r.Version))
			require.False(t, x.Has(r.ID, r.Version+1))
		}

		require.False(t, x.Has(id.New("txn", start), 1))
	})
}

// A cursor goes on where its row was, although the row has left the list, its group is empty, or it moved.
func TestACursorGoesOnWhereItsRowWas(t *testing.T) {
	x := New("txn")
	x.Loaded()

	var all []Row
	for i := range 6 {
		all = append(all, Row{
			ID:      id.New("txn", start.Add(time.Duration(i)*time.Second)),
			Version: 1,
			Updated: int64(i),
			Marks:   []string{groups[i/2]},
		})
		require.NoError(t, x.Put(all[i]))
	}

	queries := []Query{
		{Order: ByCreation, Ascending: true, Limit: 9},
		{Order: ByUpdate, Ascending: true, Limit: 9},
		{Order: ByGroup, Groups: groups, Ascending: true, Limit: 9},
	}

	moved := all[2]
	moved.Version = 2
	moved.Gone = true
	require.NoError(t, x.Put(moved))

	for _, q := range queries {
		q.After = place(q, all[2])
		page, total, more := x.Find(q)
		require.Equal(t, hits(all[3:]), page)
		require.Equal(t, 5, total)
		require.False(t, more)
	}

	q := queries[2]
	q.Groups = []string{groups[0], groups[2]} // nobody is in the middle one any more
	q.After = place(q, all[3])
	page, _, _ := x.Find(q)
	require.Equal(t, hits(all[4:]), page)
}

// Sealing and re-writing texts loses none and keeps no old one.
func TestTextsAreFoundInSealedSegmentsToo(t *testing.T) {
	x := New("txn")
	count := 2*segmentSize + segmentSize/2
	rows := make([]Row, count)

	for i := range rows {
		rows[i] = Row{
			ID:      id.New("txn", start.Add(time.Duration(i)*time.Millisecond)),
			Version: 1,
			Text:    fmt.Sprintf("rent invoice-%d %d.50 rent", i, i*7%1000),
		}
		require.NoError(t, x.Put(rows[i]))

		if i == count/3 {
			x.Loaded()
		}
	}

	found := func(words ...string) int {
		var q Query
		for _, w := range words {
			q.Words = append(q.Words, Word{Text: w})
		}

		_, total, _ := x.Find(q)

		return total
	}

	require.Equal(t, count, found("rent"))
	require.Equal(t, 1, found("invoice-7777", "439.5", "rent"))
	require.Equal(t, 1, found(fmt.Sprintf("invoice-%d", count-1)))

	// Up to three digits were found when the index was loaded; what came since is found with them.
	for n := range 10 {
		digits := fmt.Sprint(n)
		require.Equal(t, containing(rows, digits), found(digits), digits)
	}

	for n := range 100 {
		digits := fmt.Sprintf("%02d", n)
		require.Equal(t, containing(rows, digits), found(digits), digits)
	}

	for range 2 { // the second time, all segments are sorted
		for n := range 1000 {
			digits := fmt.Sprintf("%03d", n)
			require.Equal(t, containing(rows, digits), found(digits), digits)
		}

		for _, sort := range x.Pending() {
			sort()
		}
	}

	rows[5].Text = "holiday"
	rows[5].Version = 2
	require.NoError(t, x.Put(rows[5]))
	require.Equal(t, count-1, found("rent"))
	require.Equal(t, 1, found("holi"))
}

// containing counts the rows that have a word with the text.
func containing(rows []Row, text string) int {
	count := 0

	for _, r := range rows {
		if slices.ContainsFunc(strings.Fields(r.Text), func(s string) bool { return strings.Contains(s, text) }) {
			count++
		}
	}

	return count
}

func TestAnIdentifierOfAnotherFormIsRefused(t *testing.T) {
	require.ErrorIs(t, New("txn").Put(Row{ID: "txn_1", Version: 1}), ErrID)
	require.ErrorIs(t, New("txn").Put(Row{ID: id.New("pbl", start), Version: 1}), ErrID)
}

func BenchmarkFind(b *testing.B) {
	const rows = 1_000_000

	x := New("txn")

	for i := range rows {
		err := x.Put(Row{
			ID:      id.New("txn", start.Add(time.Duration(i)*time.Millisecond)),
			Version: 1,
			Updated: int64(i * 7919 % rows),
			Marks:   []string{groups[i%3], tokens[i%2]},
			Text: fmt.Sprintf(
				"payee %d rent invoice-%07d 0x%040x %d.00",
				i%2000,
				i*7919%rows,
				i%5000*7919,
				i%100_000,
			),
		})
		require.NoError(b, err)
	}

	x.Loaded()

	for name, q := range map[string]Query{
		"all":          {Limit: 20},
		"offset":       {Limit: 20, Offset: rows / 2},
		"two filters":  {Limit: 20, Marks: [][]string{groups[:2], tokens[:1]}},
		"by update":    {Limit: 20, Order: ByUpdate, Offset: rows / 4, Marks: [][]string{groups[:2]}},
		"by group":     {Limit: 20, Order: ByGroup, Groups: groups, Offset: rows / 2},
		"rare word":    {Limit: 20, Words: []Word{{Text: "voice-0012345"}}},
		"common word":  {Limit: 20, Words: []Word{{Text: "rent"}}},
		"one letter":   {Limit: 20, Words: []Word{{Text: "1"}}},
		"three digits": {Limit: 20, Words: []Word{{Text: "738"}}},
		"unknown word": {Limit: 20, Words: []Word{{Text: "zzz"}}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				x.Find(q)
			}
		})
	}

	b.Run("any receiver", func(b *testing.B) {
		r := rand.New(rand.NewPCG(1, 2))

		for b.Loop() {
			x.Find(Query{Limit: 20, Words: []Word{{Text: "payee"}, {Text: strconv.Itoa(r.IntN(2000))}}})
		}
	})
}
