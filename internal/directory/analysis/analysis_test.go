package analysis_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/directory/analysis"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/web"
	"slipway/internal/rails/screening"
)

// outside is lists and oracle as a test wants them.
type outside struct {
	edition string
	answers map[string]screening.Status // of addresses; all others are approved
	names   map[string][]screening.Hit  // by folded name
	down    error
	calls   int
	oracle  bool
}

func (o *outside) AsksElsewhere() bool { return o.oracle }

func (o *outside) Screen(_ context.Context, _, address string) (screening.Result, error) {
	o.calls++

	status, listed := o.answers[address]
	if !listed {
		status = screening.Approved
	}

	return screening.Result{Status: status, Reference: o.edition, Message: "because"}, o.down
}

func (o *outside) Match(name string, least int) (out []screening.Hit, err error) {
	o.calls++
	for _, h := range o.names[text.Fold(name)] {
		if h.Score >= least {
			out = append(out, h)
		}
	}

	return out, o.down
}

func (o *outside) Edition() string { return o.edition }

const (
	good = "0x1111111111111111111111111111111111111111"
	bad  = "0x2222222222222222222222222222222222222222"
	odd  = "0x3333333333333333333333333333333333333333"
)

type bench struct {
	*testing.T
	db  *db.DB
	out *outside
	s   *analysis.Service
	api *web.API
}

func each(t *testing.T, test func(b *bench)) {
	t.Helper()

	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		out := &outside{
			edition: "one",
			answers: map[string]screening.Status{bad: screening.Rejected, odd: screening.Review},
			names: map[string][]screening.Hit{
				"jane doe": {{
					Key:   "7/doe jane",
					List:  "SDN.CSV",
					Entry: "7",
					Name:  "DOE, Jane",
					Score: 100,
					Why:   "100 of 100",
				}},
				"jane dough": {{
					Key:   "7/doe jane",
					List:  "SDN.CSV",
					Entry: "7",
					Name:  "DOE, Jane",
					Score: 90,
					Why:   "90 of 100",
				}},
				"zmw": {{
					Key:   "8/zmw",
					Entry: "8",
					Name:  "ZMW",
					Score: 100,
					Weak:  true,
				}},
			},
		}

		log := slog.New(slog.NewTextHandler(io.Discard, nil))
		b := &bench{T: t, db: d, out: out}

		b.s = analysis.New(analysis.Deps{
			DB:        d,
			Log:       log,
			Addresses: out,
			Names:     out,
			Sources:   func() []screening.Source { return []screening.Source{{Name: "SDN.CSV", Names: 3}} },
		})

		b.api = web.New(web.Config{
			Title:   "test",
			BaseURL: "https://pay.example",
			Log:     log,
			DB:      d,
			Authenticate: func(_ context.Context, token, _ string) (*caller.Principal, *limit.Meters, error) {
				return &caller.Principal{User: token, Staff: "staff", Credential: token}, nil, nil
			},
		})

		b.s.Routes(b.api)
		identitytest.Staff(t, d, user.Staff, "s1", "s2", "s3", "ann", "bob")
		test(b)
	})
}

func (b *bench) ask(content string, parties ...analysis.Party) analysis.Outcome {
	b.Helper()
	o, err := b.s.Ask(b.Context(), inquiry(content, parties...))
	require.NoError(b, err)

	return o
}

func inquiry(content string, parties ...analysis.Party) analysis.Inquiry {
	return analysis.Inquiry{
		Organisation: "org_a",
		Object:       "trx_1",
		Content:      content,
		Purpose:      analysis.ForAccept,
		Parties:      func() ([]analysis.Party, error) { return parties, nil },
	}
}

func (b *bench) records() int64 {
	b.Helper()
	n, err := db.Value[int64](b.Context(), b.db, "SELECT count(*) FROM screenings")
	require.NoError(b, err)

	return n
}

func (b *bench) do(who, method, path, body string, status int) map[string]any {
	b.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer "+who)
	rec := httptest.NewRecorder()
	b.api.Handler().ServeHTTP(rec, r)
	require.Equal(b, status, rec.Code, rec.Body.String())
	out := map[string]any{}
	require.NoError(b, json.Unmarshal(rec.Body.Bytes(), &out))

	return out
}

// Where a fresh answer is known nothing is asked, read or written: it works with a context that has ended.
func TestFreshAnswersCostNothing(t *testing.T) {
	each(t, func(b *bench) {
		parties := []analysis.Party{
			{Pointer: "/walletAddress", Network: "net_a", Address: good},
			{Pointer: "/payments/0/receiver", Name: "Ada Byron"},
		}
		require.True(b, b.ask("c1", parties...).Clear())
		require.EqualValues(b, 2, b.records())
		calls := b.out.calls
		ended, end := context.WithCancel(b.Context())
		end()
		o, err := b.s.Ask(ended, inquiry("c1"))
		require.NoError(b, err)
		require.True(b, o.Clear())
		o, err = b.s.Ask(ended, inquiry("c2", parties...)) // another record with the same people
		require.NoError(b, err)
		require.True(b, o.Clear())
		require.Equal(b, calls, b.out.calls)
		require.EqualValues(b, 2, b.records())

		b.db.Clock().Advance(15 * time.Minute)
		require.True(b, b.ask("c1", parties...).Clear(), "an answer of a quarter of an hour ago is asked for again")
		require.Equal(b, calls+1, b.out.calls, "but not that of a name under the same lists")
		b.out.edition = "two"
		require.True(b, b.ask("c1", parties...).Clear())
		require.Equal(b, calls+3, b.out.calls, "a newer list counts at once")
		b.out.answers[good] = screening.Rejected
		require.True(b, b.ask("c1", parties...).Clear())
		b.out.edition = "three"
		require.True(b, b.ask("c1", parties...).Rejected())
	})
}

// The age of an answer that is used again is that of the oldest one.
func TestAnswersDoNotKeepEachOtherFresh(t *testing.T) {
	each(t, func(b *bench) {
		party := analysis.Party{Network: "net_a", Address: good}
		b.ask("c1", party)
		b.db.Clock().Advance(10 * time.Minute)
		b.ask("c2", party)
		calls := b.out.calls
		b.db.Clock().Advance(6 * time.Minute)
		b.ask("c2", party)
		require.Equal(b, calls+1, b.out.calls)
	})
}

// Everything that is wrong is told at once, each beside its field, and the record says what it rests on.
func TestEveryFindingIsToldBesideItsField(t *testing.T) {
	each(t, func(b *bench) {
		err := b.ask("c1", analysis.Party{
			Pointer: "/walletAddress",
			Network: "net_a",
			Address: good,
		}, analysis.Party{Pointer: "/payments/0/wallet", Network: "net_a", Address: bad},
			analysis.Party{
				Pointer: "/payments/1/walletAddress",
				Network: "net_a",
				Address: odd,
			}, analysis.Party{Pointer: "/payments/2/wallet", Network: "net_a", Address: bad},
			analysis.Party{Pointer: "/payments/0/receiver", Name: "Jane DOE"}, analysis.Party{
				Pointer: "/payments/1/receiver",
				Name:    "Jane Dough",
			}, analysis.Party{Pointer: "/payments/2/receiver", Name: "ZMW"}).Err()
		f, ok := fault.As(err)
		require.True(b, ok)

		got := map[string]fault.Code{}
		for _, x := range f.Fields {
			got[x.Pointer] = x.Code
		}

		require.Equal(b, map[string]fault.Code{
			"/payments/0/wallet":        fault.ScreeningRejected,
			"/payments/1/walletAddress": fault.AddressNotScreened,
			"/payments/2/wallet":        fault.ScreeningRejected,
			"/payments/0/receiver":      fault.NameRejected,
			"/payments/1/receiver":      fault.NameInReview,
			"/payments/2/receiver":      fault.NameInReview,
		}, got)
		out := b.do("s1", "GET", "/operations/screenings?object=trx_1&status[]=REJECTED", "", 200)
		require.EqualValues(b, 2, out["total"])
		require.Equal(b, "one", out["results"].([]any)[0].(map[string]any)["reference"])
		require.EqualValues(b, 6, b.records(), "what stands in two fields was asked about once")
		require.EqualValues(
			b,
			3,
			b.do("s1", "GET", "/operations/screening-cases?status[]=OPEN&limit=2", "", 200)["total"],
		)
		require.EqualValues(b, 1, b.do("s1", "GET", "/operations/screening-lists", "", 200)["total"])
	})
}

// Whoever could not be asked about is not approved, and that is not remembered.
func TestNotKnowingIsNotAllowing(t *testing.T) {
	each(t, func(b *bench) {
		b.out.down = errors.New("down")
		parties := []analysis.Party{
			{Pointer: "/walletAddress", Network: "net_a", Address: good},
			{Pointer: "/payments/0/receiver", Name: "Ada Byron"},
		}
		o := b.ask("c1", parties...)
		require.True(b, fault.Is(o.Err(), fault.UpstreamFailed))
		require.False(b, o.Rejected())
		failed, err := db.Value[int64](
			b.Context(),
			b.db,
			"SELECT count(*) FROM screenings WHERE object = ? AND status = ?",
			"trx_1",
			string(screening.Error),
		)
		require.NoError(b, err)
		require.EqualValues(b, 2, failed)

		b.out.down = nil
		require.True(b, b.ask("c1", parties...).Clear())
		b.out.answers[good] = "FINE"
		b.out.edition = "two"
		require.True(
			b,
			fault.Is(b.ask("c1", parties...).Err(), fault.AddressNotScreened),
			"an unknown word is no approval",
		)
	})
}

// An address that a provider wants looked at passes while people's approval of it counts, and for their organisation
// only.
func TestPeopleApproveAnAddress(t *testing.T) {
	each(t, func(b *bench) {
		party := analysis.Party{Pointer: "/walletAddress", Network: "net_a", Address: odd}

		say := func(status screening.Status) {
			b.db.Clock().Advance(time.Second)

			require.NoError(b, b.db.Write(b.Context(), func(tx *db.Tx) error {
				analysis.Insert(tx, analysis.Record{
					ID:           analysis.NewID(tx.Now),
					Organisation: "org_a",
					Kind:         analysis.Address,
					Subject:      odd,
					Network:      "net_a",
					Object:       "wlt_1",
					Purpose:      analysis.ForWallet,
					Status:       status,
					Reference:    analysis.ByPeople,
				})

				return nil
			}))
		}

		require.False(b, b.ask("c1", party).Clear())

		say(screening.Approved)
		require.True(b, b.ask("c1", party).Clear())

		other := inquiry("c1", party)
		other.Organisation = "org_b"
		o, err := b.s.Ask(b.Context(), other)
		require.NoError(b, err)
		require.False(b, o.Clear())

		say(screening.Rejected)
		require.False(b, b.ask("c1", party).Clear(), "what was said last counts")

		say(screening.Approved)
		b.db.Clock().Advance(analysis.DecisionLifetime)
		require.False(b, b.ask("c1", party).Clear())

		b.out.edition = "two"
		b.out.answers[odd] = screening.Rejected
		say(screening.Approved)
		require.False(b, b.ask("c1", party).Clear(), "a rejection is nothing for people to approve")
	})
}

// While something waits it is asked about each minute; on record it is once for a while.
func TestWaitingDoesNotFillTheRecords(t *testing.T) {
	each(t, func(b *bench) {
		parties := []analysis.Party{{Network: "net_a", Address: odd}, {Name: "Jane Doe"}}
		for range 10 {
			b.ask("c1", parties...)
			b.db.Clock().Advance(time.Minute)
		}

		require.EqualValues(b, 2, b.records())
		b.db.Clock().Advance(10 * time.Minute)
		b.ask("c1", parties...)
		require.EqualValues(b, 4, b.records())
	})
}

// A false hit is cleared by two people, for this organisation, this name and this listed name, whatever the edition;
// and can be doubted.
func TestTwoPeopleClearAFalseHit(t *testing.T) {
	each(t, func(b *bench) {
		jane := analysis.Party{Pointer: "/payments/0/receiver", Name: "Jane Doe"}
		require.True(b, b.ask("c1", jane).Rejected())
		require.True(b, b.ask("c1", jane).Rejected(), "it opens one case")
		c := b.do("s1", "GET", "/operations/screening-cases", "", 200)["results"].([]any)[0].(map[string]any)
		path := "/operations/screening-cases/" + c["_id"].(string) + "/decision"
		require.Equal(b, "DOE, Jane", c["listed"].(map[string]any)["name"])
		cleared := `{"decision":"CLEARED","reason":"born in another year"}`
		confirmed := `{"decision":"CONFIRMED","reason":"passport"}`
		require.Equal(b, "PROPOSED", b.do("s1", "POST", path, cleared, 200)["status"])
		require.Equal(b, string(fault.ScreeningSecondPerson), b.do("s1", "POST", path, cleared, 409)["code"])
		require.True(b, b.ask("c1", jane).Rejected(), "one person is not enough")
		require.Equal(
			b,
			"PROPOSED",
			b.do("s2", "POST", path, confirmed, 200)["status"],
			"who says something else proposes that",
		)
		require.Equal(b, "PROPOSED", b.do("s1", "POST", path, cleared, 200)["status"])

		identitytest.TooNew(b, b.db, "s3")
		require.Equal(b, string(fault.OperatorTooNew), b.do("s3", "POST", path, cleared, 403)["code"])
		c = b.do("s3", "GET", "/operations/screening-cases", "", 200)["results"].([]any)[0].(map[string]any)
		require.Equal(b, []any{"confirm"}, c["allowedActions"], "he may propose something else")
		b.db.Clock().Advance(user.GrantDelay)
		require.Equal(b, "CLEARED", b.do("s3", "POST", path, cleared, 200)["status"])
		require.Equal(b, string(fault.CaseDecided), b.do("s1", "POST", path, cleared, 409)["code"])
		require.True(b, b.ask("c1", jane).Clear())
		b.out.edition = "two"
		require.True(b, b.ask("c1", jane).Clear())
		other := inquiry("c9", jane)
		other.Organisation = "org_b"
		o, err := b.s.Ask(b.Context(), other)
		require.NoError(b, err)
		require.True(b, o.Rejected(), "another organisation's Jane Doe may be the listed one")
		b.out.names["jane doe"] = append(b.out.names["jane doe"], screening.Hit{
			Key:   "9/doe jane",
			Entry: "9",
			Name:  "DOE, Jane",
			Score: 90,
		})
		require.True(
			b,
			fault.Is(b.ask("c1", jane).Err(), fault.NameInReview),
			"another listed person of the same name is a question of its own",
		)
		b.out.names["jane doe"] = b.out.names["jane doe"][:1]

		b.do("s3", "POST", path, confirmed, 200)
		require.False(b, b.ask("c1", jane).Clear(), "who is doubted is blocked")
		b.do("s1", "POST", path, confirmed, 200)
		b.out.names["jane doe"][0].Score = 90
		require.True(b, b.ask("c1", jane).Rejected())
		b.do("s1", "POST", "/operations/screening-cases/scc_none/decision", cleared, 404)
	})
}

// What is stored is held against each edition once, and again when an older one comes back.
func TestSweepOncePerEdition(t *testing.T) {
	each(t, func(b *bench) {
		n := 0
		sweep := func(err error) error {
			return b.s.Sweep(b.Context(), func(context.Context) error { n++; return err })
		}
		require.Error(b, sweep(errors.New("half way")))
		require.NoError(b, sweep(nil))
		require.NoError(b, sweep(nil))
		require.Equal(b, 2, n)

		b.out.edition = "two"
		require.NoError(b, sweep(nil))

		b.out.edition = "one"
		require.NoError(b, sweep(nil))
		require.NoError(b, sweep(nil))
		require.Equal(b, 4, n)
	})
}

func TestEveryPairOfCaseStates(t *testing.T) {
	allowed := map[analysis.CaseStatus][]analysis.CaseStatus{
		analysis.CaseOpen:      {analysis.CaseProposed},
		analysis.CaseCleared:   {analysis.CaseProposed},
		analysis.CaseConfirmed: {analysis.CaseProposed},
		analysis.CaseProposed:  {analysis.CaseProposed, analysis.CaseCleared, analysis.CaseConfirmed},
	}

	for _, from := range analysis.CaseMoves.States() {
		for _, to := range analysis.CaseMoves.States() {
			want := false
			for _, x := range allowed[from] {
				want = want || x == to
			}

			require.Equal(t, want, analysis.CaseMoves.Allows(from, to), "%s to %s", from, to)
		}
	}
}

// What an accept pays for screening where the answers are fresh.
func BenchmarkAskFresh(b *testing.B) {
	d := dbtest.SQLite(b)
	s := analysis.New(analysis.Deps{
		DB:        d,
		Addresses: &outside{edition: "lists:0123456789abcdef"},
		Names:     &outside{edition: "lists:0123456789abcdef"},
	})

	in := inquiry(strings.Repeat("c", 64), analysis.Party{Network: "net_a", Address: good})
	if _, err := s.Ask(b.Context(), in); err != nil {
		b.Fatal(err)
	}

	b.ReportAllocs()

	for b.Loop() {
		if o, err := s.Ask(b.Context(), in); err != nil || !o.Clear() {
			b.Fatal(err)
		}
	}
}

// What a submit pays for thirty addresses that nobody has asked about before: one write of thirty rows.
func BenchmarkAskNew(b *testing.B) {
	d := dbtest.SQLite(b)
	s := analysis.New(analysis.Deps{
		DB:        d,
		Addresses: &outside{edition: "lists:0123456789abcdef"},
		Names:     &outside{edition: "lists:0123456789abcdef"},
	})

	n := 0
	for b.Loop() {
		parties := make([]analysis.Party, 30)
		for i := range parties {
			n++
			parties[i] = analysis.Party{Network: "net_a", Address: fmt.Sprintf("0x%040x", n)}
		}

		if o, err := s.Ask(b.Context(), inquiry("", parties...)); err != nil || !o.Clear() {
			b.Fatal(err)
		}
	}
}

// A name that is like many listed ones is blocked until people have decided about each of them, ten at a time; about
// more than one answer holds nobody can say that there is no other.
func TestEveryHitIsDecided(t *testing.T) {
	each(t, func(b *bench) {
		hits := func(n int) (out []screening.Hit) {
			for i := range n {
				out = append(out, screening.Hit{
					Key:   fmt.Sprintf("%d/ivan petrov", i),
					Entry: fmt.Sprint(i),
					Name:  "PETROV, Ivan",
					Score: 90,
				})
			}

			return out
		}
		b.out.names["ivan petrov"] = hits(12)

		open := func() []any {
			return b.do("ann", "GET", "/operations/screening-cases?status[]=OPEN&limit=50", "", 200)["results"].([]any)
		}
		for _, want := range []int{10, 2} {
			for range 2 {
				require.False(b, b.ask("x", analysis.Party{Name: "Ivan Petrov"}).Clear())
				require.Len(b, open(), want)
			}

			for _, c := range open() {
				for _, who := range []string{"ann", "bob"} {
					b.do(
						who,
						"POST",
						"/operations/screening-cases/"+c.(map[string]any)["_id"].(string)+"/decision",
						`{"decision":"CLEARED","reason":"born later"}`,
						200,
					)
				}
			}
		}

		require.True(b, b.ask("x", analysis.Party{Name: "Ivan Petrov"}).Clear())

		b.out.names["many"] = make([]screening.Hit, 0, screening.HitLimit)
		for range screening.HitLimit {
			b.out.names["many"] = append(b.out.names["many"], screening.Hit{
				Key:   "0/many",
				Entry: "0",
				Name:  "MANY",
				Score: 90,
			})
		}

		require.False(b, b.ask("y", analysis.Party{Name: "Many"}).Clear())

		id := open()[0].(map[string]any)["_id"].(string)
		for _, who := range []string{"ann", "bob"} {
			b.do(
				who,
				"POST",
				"/operations/screening-cases/"+id+"/decision",
				`{"decision":"CLEARED","reason":"born later"}`,
				200,
			)
		}

		require.Contains(b, b.ask("y", analysis.Party{Name: "Many"}).Why(), "write the whole name")
	})
}

// Who writes a name in letters that cannot be compared is told so, and not to try again later.
func TestUnreadableNameIsRefused(t *testing.T) {
	each(t, func(b *bench) {
		b.out.down = screening.ErrLetters
		err := b.ask("x", analysis.Party{Pointer: "/payments/0/receiver", Name: "王伟"}).Err()
		require.True(b, fault.Is(err, fault.NameInReview), "%v", err)
		require.ErrorContains(b, err, "Latin letters")
	})
}

// At accept and before anything is sent an oracle is asked once more: its answer may be another one under the same
// lists. What rests on lists alone is not asked about again.
func TestAnOracleIsAskedAgainWhenItCounts(t *testing.T) {
	each(t, func(b *bench) {
		ask := func(purpose analysis.Purpose) bool {
			o, err := b.s.Ask(context.Background(), analysis.Inquiry{
				Organisation: "org_1",
				Object:       "txn_1",
				Content:      "c",
				Purpose:      purpose,
				Parties: func() ([]analysis.Party, error) {
					return []analysis.Party{{Network: "net", Address: good}}, nil
				},
			})
			require.NoError(b, err)

			return o.Clear()
		}

		require.True(b, ask(analysis.ForSubmit))

		before := b.out.calls
		require.True(b, ask(analysis.ForAccept))
		require.Equal(b, before, b.out.calls, "lists alone")

		b.out.oracle = true
		require.True(b, ask(analysis.ForSubmit))
		require.Equal(b, before, b.out.calls, "to submit, a fresh answer is enough")

		b.out.answers[good] = screening.Rejected
		require.False(b, ask(analysis.ForAccept))
		require.False(b, ask(analysis.ForSending))
	})
}

// A name is compared as others will have it, too, and two names that are folded alike but read differently are two
// questions.
func TestNamesAreAskedAboutAsTheyAreReadAndWritten(t *testing.T) {
	each(t, func(b *bench) {
		b.out.names["oel ueb"] = []screening.Hit{{Key: "9/oel ueb", Entry: "9", Name: "OEL, Ueb", Score: 100}}

		require.True(b, b.ask("1", analysis.Party{Name: "Öl Üb"}).Clear())
		require.False(b, b.ask("2", analysis.Party{Name: "Öl Üb", Written: []string{"Oel Ueb"}}).Clear())
		require.False(b, b.ask("3", analysis.Party{Name: "Jane Doe", Written: []string{"Jane Do"}}).Clear())

		calls := b.out.calls
		require.True(b, b.ask("4", analysis.Party{Name: "Khose"}).Clear())
		require.Equal(b, calls+1, b.out.calls)
		require.True(b, b.ask("5", analysis.Party{Name: "KHOSE"}).Clear())
		require.Equal(b, calls+1, b.out.calls)
		require.True(b, b.ask("6", analysis.Party{Name: "Хосе"}).Clear())
		require.Equal(b, calls+2, b.out.calls, "it looks like Xoce")
	})
}
