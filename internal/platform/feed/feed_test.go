package feed_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/clock"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
)

var quiet = slog.New(slog.DiscardHandler)

// event writes an event of a record at a version.
func event(t testing.TB, d *db.DB, organisation, kind, object string, sequence int64) {
	t.Helper()
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		return trail.Event(tx, kind, organisation, object, sequence, map[string]any{"_id": object, "version": sequence})
	}))
}

// sealed seals until nothing is left.
func sealed(t testing.TB, f *feed.Feed) (n int) {
	t.Helper()

	for {
		more, err := f.Seal(context.Background())
		require.NoError(t, err)

		if more == 0 {
			return n
		}

		n += more
	}
}

// read returns all events of an organisation as "number object".
func read(t testing.TB, f *feed.Feed, organisation string) (out []string) {
	t.Helper()

	l := f.Follow(organisation)
	defer l.Close()

	for after := int64(0); ; {
		events, err := l.Read(context.Background(), after)
		require.NoError(t, err)

		if len(events) == 0 {
			return out
		}

		for _, e := range events {
			out = append(out, fmt.Sprint(e.Number, " ", e.Object))
			after = e.Number
		}
	}
}

func TestEachOrganisationIsNumberedWithoutAGap(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := feed.New(d, quiet)
		require.Zero(t, sealed(t, f))

		for i := range 3 {
			event(t, d, "org_a", "transaction.created", fmt.Sprint("txn_", i), 1)
			event(t, d, "org_b", "transaction.created", fmt.Sprint("txn_", 10+i), 1)
		}

		require.Equal(t, 6, sealed(t, f))
		event(t, d, "org_a", "transaction.created", "txn_3", 1)
		require.Equal(t, 1, sealed(t, f))
		require.Zero(t, sealed(t, f), "what has a number gets no other")

		require.Equal(t, []string{"1 txn_0", "2 txn_1", "3 txn_2", "4 txn_3"}, read(t, f, "org_a"))
		require.Equal(t, []string{"1 txn_10", "2 txn_11", "3 txn_12"}, read(t, f, "org_b"))
	})
}

func TestManyEventsOfOneTransactionKeepTheirOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const many = 2_500 // more than are sealed at once

		f := feed.New(d, quiet)
		require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
			for i := range many {
				if err := trail.Event(tx, "x.y", "org_a", fmt.Sprint(i), 1, nil); err != nil {
					return err
				}
			}

			return nil
		}))

		require.Equal(t, many, sealed(t, f))

		all := read(t, f, "org_a")
		require.Len(t, all, many)

		for i, line := range all {
			require.Equal(t, fmt.Sprint(i+1, " ", i), line)
		}
	})
}

// Sealers of several processes number each event once, whoever is first.
func TestSealersOfManyProcessesNumberEachEventOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const events = 120

		var writers, sealers sync.WaitGroup

		done := make(chan struct{})

		for range 3 {
			f := feed.New(d, quiet)

			sealers.Go(func() {
				for {
					_, err := f.Seal(context.Background())
					if err != nil {
						t.Error(err)
						return
					}

					select {
					case <-done:
						return
					default:
					}
				}
			})
		}

		for w := range 4 {
			writers.Go(func() {
				for i := range events / 4 {
					event(t, d, fmt.Sprint("org_", i%3), "x.y", fmt.Sprint("o_", w), int64(i))
				}
			})
		}

		writers.Wait()
		close(done)
		sealers.Wait()

		f := feed.New(d, quiet)
		sealed(t, f)

		total := 0

		for o := range 3 {
			all := read(t, f, fmt.Sprint("org_", o))
			total += len(all)

			for i, line := range all {
				require.True(t, strings.HasPrefix(line, fmt.Sprint(i+1, " ")), line)
			}
		}

		require.Equal(t, events, total)
	})
}

// On PostgreSQL writers commit side by side. One that began first, on a machine whose clock is an hour ahead, commits
// last: it gets the later number, and whoever has read the first one misses nothing.
func TestWhatCommitsLateGetsALaterNumber(t *testing.T) {
	ctx := context.Background()
	address := dbtest.PostgresURL(t)

	open := func(skew time.Duration) *db.DB {
		c := clock.New()
		c.Jump(skew)

		d, err := db.Open(ctx, db.Config{URL: address, Writers: 1, Clock: c})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })

		return d
	}

	for _, skew := range []time.Duration{time.Hour, -time.Hour} {
		organisation := fmt.Sprint("org_", skew)
		slow := open(skew)
		fast := open(0)
		f := feed.New(open(0), quiet)

		began := make(chan struct{})
		goOn := make(chan struct{})
		ended := make(chan error)

		go func() {
			ended <- slow.Write(ctx, func(tx *db.Tx) error {
				if err := trail.Event(tx, "x.y", organisation, "late", 1, nil); err != nil {
					return err
				}

				_, err := db.Value[int64](ctx, tx, "SELECT count(*) FROM audit_log") // sends what was asked for before

				close(began)
				<-goOn

				return err
			})
		}()

		<-began
		event(t, fast, organisation, "x.y", "early", 1)
		sealed(t, f)
		require.Equal(t, []string{"1 early"}, read(t, f, organisation))

		close(goOn)
		require.NoError(t, <-ended)
		event(t, fast, organisation, "x.y", "next", 1)
		sealed(t, f)
		require.Equal(t, []string{"1 early", "2 late", "3 next"}, read(t, f, organisation))
	}
}

// Identifiers and times are made by the clocks of those who write. Numbers follow the commits, whatever these say: one
// machine is an hour ahead, the next one an hour behind, and a reader who has come as far as the first misses nothing.
func TestNumbersFollowTheCommitsAndNotTheClocks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := feed.New(d, quiet)

		d.Clock().Jump(time.Hour)
		event(t, d, "org_a", "x.y", "ahead", 1)
		sealed(t, f)
		require.Equal(t, []string{"1 ahead"}, read(t, f, "org_a"))

		event(t, d, "org_a", "x.y", "still ahead", 1)
		d.Clock().Jump(-2 * time.Hour)
		event(t, d, "org_a", "x.y", "behind", 1)
		d.Clock().Jump(time.Hour)
		event(t, d, "org_a", "x.y", "right", 1)
		sealed(t, f)
		require.Equal(t, []string{"1 ahead", "2 still ahead", "3 behind", "4 right"}, read(t, f, "org_a"))

		first, err := db.Value[string](context.Background(), d, "SELECT object FROM events ORDER BY id LIMIT 1")
		require.NoError(t, err)
		require.Equal(t, "behind", first, "by their identifiers they have another order")
	})
}

// A database that was put back on another server counts transactions from where that server is.
func TestEventsAreNumberedAfterADatabaseWasPutBack(t *testing.T) {
	d := dbtest.Postgres(t)
	f := feed.New(d, quiet)

	event(t, d, "org_a", "x.y", "before", 1)
	sealed(t, f)

	exec(t, d, "UPDATE feed_head SET position = position + 1000000000")
	event(t, d, "org_a", "x.y", "after", 1)
	require.Equal(t, 1, sealed(t, f))
	event(t, d, "org_a", "x.y", "later", 1)
	require.Equal(t, 1, sealed(t, f))
	require.Equal(t, []string{"1 before", "2 after", "3 later"}, read(t, f, "org_a"))
}

func exec(t testing.TB, d *db.DB, query string, args ...any) {
	t.Helper()
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}))
}

// What belongs to an event is written with its number or not at all.
func TestWritersWriteWithTheNumber(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var fails bool

		f := feed.New(d, quiet)
		f.With(func(_ context.Context, events []feed.Event) (func(tx *db.Tx), error) {
			if fails {
				return nil, io.ErrUnexpectedEOF
			}

			return func(tx *db.Tx) {
				for _, e := range events {
					trail.Audit(context.Background(), tx, e.Organisation, "seen", e.ID, fmt.Sprint(e.Number))
				}
			}, nil
		})

		event(t, d, "org_a", "x.y", "o_1", 1)

		fails = true
		_, err := f.Seal(context.Background())
		require.ErrorIs(t, err, io.ErrUnexpectedEOF)
		require.Empty(t, read(t, f, "org_a"))

		fails = false
		require.Equal(t, 1, sealed(t, f))

		detail, err := db.Value[string](context.Background(), d, "SELECT detail FROM audit_log WHERE action = 'seen'")
		require.NoError(t, err)
		require.Equal(t, "1", detail)
	})
}

// shown writes an event that shows this of its record.
func shown(t testing.TB, d *db.DB, organisation, object, data string) {
	t.Helper()
	require.NoError(t, d.Write(context.Background(), func(tx *db.Tx) error {
		return trail.Event(tx, "x.y", organisation, object, 1, feed.Object(data))
	}))
}

// previous returns what an organisation's events say that they have changed.
func previous(t testing.TB, d *db.DB, organisation string) (out []string) {
	t.Helper()

	events, err := feed.Read(context.Background(), d, organisation, 0, 100)
	require.NoError(t, err)

	for _, e := range events {
		out = append(out, e.Previous)
	}

	return out
}

// Whether events are numbered together or one by one, each is compared with its record's event before, of the same
// organisation.
func TestAnEventSaysWhatItsRecordWasBefore(t *testing.T) {
	for _, together := range []bool{true, false} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			f := feed.New(d, quiet)

			for _, e := range []struct{ organisation, object, data string }{
				{"org_a", "txn_1", `{"status":"DRAFT","debit":{"amount":"1"},"note":null,"version":1}`},
				{"org_a", "txn_2", `{"status":"OTHER"}`},
				{"org_b", "txn_1", `{"status":"FOREIGN"}`},
				{"org_a", "txn_1", `{"status":"PAID","debit":{"amount":"1"},"note":"x","version":2}`},
				{"org_a", "txn_1", `{"status":"PAID","debit":{"amount":"1"},"note":"x","version":2}`},
				{"org_a", "txn_1", `{"status":"PAID","debit":{"amount":"2"},"more":"new","none":null,"version":3}`},
			} {
				shown(t, d, e.organisation, e.object, e.data)

				if !together {
					require.Equal(t, 1, sealed(t, f))
				}
			}

			sealed(t, f)
			require.Equal(t, []string{
				"",
				"",
				`{"status":"DRAFT","note":null,"version":1}`,
				"",
				`{"debit":{"amount":"1"},"note":"x","version":2,"more":null}`,
			}, previous(t, d, "org_a"))
			require.Equal(t, []string{""}, previous(t, d, "org_b"))
		})
	}
}

// An event that shows nothing, or what is no object, stops nobody.
func TestAnEventWithoutAnObjectHasNothingBefore(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := feed.New(d, quiet)

		for _, data := range []string{`null`, `{"a":1}`, `[1]`, `"text"`, `{"a":2}`, `{}`} {
			shown(t, d, "org_a", "txn_1", data)
		}

		require.Equal(t, 6, sealed(t, f))
		require.Equal(t, []string{"", "", "", "", "", `{"a":2}`}, previous(t, d, "org_a"))
	})
}

// The record's event before is compared with also when its number was forgotten long ago.
func TestARecordIsComparedWithWhatItWasYearsAgo(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := feed.New(d, quiet)
		shown(t, d, "org_a", "wal_1", `{"status":"OLD"}`)
		shown(t, d, "org_a", "wal_2", `{"status":"OTHER"}`)
		sealed(t, f)
		d.Clock().Advance(10 * feed.Kept)

		_, err := f.Forget(context.Background(), 100)
		require.NoError(t, err)

		shown(t, d, "org_a", "wal_1", `{"status":"NEW"}`)
		sealed(t, f)
		require.Equal(t, []string{"", `{"status":"OLD"}`}, previous(t, d, "org_a"))
	})
}

func TestOldNumbersAreForgottenAndTheNewestStays(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := feed.New(d, quiet)
		event(t, d, "org_a", "x.y", "o_1", 1)
		event(t, d, "org_a", "x.y", "o_2", 1)
		sealed(t, f)

		d.Clock().Advance(feed.Kept + time.Hour)

		n, err := f.Forget(context.Background(), 100)
		require.NoError(t, err)
		require.EqualValues(t, 1, n)

		event(t, d, "org_a", "x.y", "o_3", 1)
		require.Equal(t, 1, sealed(t, f), "what left the feed does not come back")
		require.Equal(t, []string{"2 o_2", "3 o_3"}, read(t, f, "org_a"))

		left, err := db.Value[int64](context.Background(), d, "SELECT count(*) FROM events")
		require.NoError(t, err)
		require.EqualValues(t, 3, left, "events themselves stay")
	})
}

// service is a feed behind HTTP. A token is "<organisation>" until it is revoked; of "a@1" and "a@2" one person is
// both.
type service struct {
	t        testing.TB
	db       *db.DB
	feed     *feed.Feed
	url      string
	revoked  atomic.Pointer[string]
	admitted chan struct{} // holds one, once anybody was admitted
}

func serve(t testing.TB, d *db.DB, c web.Config) *service {
	t.Helper()

	s := &service{t: t, db: d, feed: feed.New(d, quiet), admitted: make(chan struct{}, 1)}
	c.DB = d
	c.Log = quiet
	c.Authenticate = func(_ context.Context, token, _ string) (*caller.Principal, *limit.Meters, error) {
		if gone := s.revoked.Load(); gone != nil && *gone == token {
			return nil, nil, fault.New(fault.Unauthenticated, fault.TokenInvalid, "revoked")
		}

		select {
		case s.admitted <- struct{}{}:
		default:
		}

		person, _, _ := strings.Cut(token, "@")

		return &caller.Principal{User: "usr_" + person, Organisation: token}, nil, nil
	}

	api := web.New(c)
	s.feed.Routes(api)

	server := httptest.NewServer(api.Handler())
	s.url = server.URL

	ctx, cancel := context.WithCancel(context.Background())

	var running sync.WaitGroup
	running.Go(func() { _ = s.feed.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		s.feed.Close()
		running.Wait()
		server.Close()
	})

	return s
}

func (s *service) get(token, path string, headers ...string) *http.Response {
	s.t.Helper()

	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	require.NoError(s.t, err)
	r.Header.Set("Authorization", "Bearer "+token)

	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}

	a, err := http.DefaultClient.Do(r)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = a.Body.Close() })

	return a
}

type page struct {
	Results []struct {
		Number, Type, Object string
		Sequence             int64
		Data                 struct{ Object, Previous map[string]any }
	}
	Next    string
	HasMore bool
	Code    string
}

func (s *service) page(token, query string) (p page) {
	s.t.Helper()

	a := s.get(token, "/events?"+query)
	require.NoError(s.t, json.NewDecoder(a.Body).Decode(&p))

	return p
}

func TestEventsAreReadByTheirNumbers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := serve(t, d, web.Config{})

		for i := range 5 {
			event(t, d, "org_a", "transaction.created", fmt.Sprint("txn_", i), int64(i+1))
			event(t, d, "org_a", "payable.paid", fmt.Sprint("pbl_", i), 1)
		}

		event(t, d, "org_b", "transaction.created", "txn_b", 1)

		for after := int64(0); after < 10; { // until all are sealed
			p := s.page("org_a", fmt.Sprintf("after=%d&wait=30&limit=250", after))
			require.NotEmpty(t, p.Results)
			after += int64(len(p.Results))
		}

		first := s.page("org_a", "limit=4")
		require.Len(t, first.Results, 4)
		require.Equal(t, "4", first.Next)
		require.True(t, first.HasMore)
		require.Equal(t, "txn_0", first.Results[0].Object)
		require.Equal(t, map[string]any{"_id": "txn_0", "version": 1.0}, first.Results[0].Data.Object)
		require.Nil(t, first.Results[0].Data.Previous)

		rest := s.page("org_a", "after=4")
		require.Len(t, rest.Results, 6)
		require.Equal(t, "5", rest.Results[0].Number)
		require.False(t, rest.HasMore)

		payables := s.page("org_a", "types[]=payable.*&limit=3")
		require.Len(t, payables.Results, 3)
		require.Equal(t, "payable.paid", payables.Results[0].Type)
		require.True(t, payables.HasMore)

		none := s.page("org_a", "types[]=wallet.created")
		require.Empty(t, none.Results)
		require.Equal(t, "10", none.Next, "the reader need not look at them again")

		require.Empty(t, s.page("org_c", "").Results)
		require.Equal(t, "EVENTS_GONE", s.page("org_a", "after=11").Code, "the reader has read from another database")
	})
}

func TestALongPollIsAnsweredByTheCommit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := serve(t, d, web.Config{})

		answered := make(chan page)
		go func() { answered <- s.page("org_a", "wait=30&types[]=payable.paid") }()

		event(t, d, "org_a", "transaction.created", "txn_1", 1)
		event(t, d, "org_b", "payable.paid", "pbl_b", 1)
		event(t, d, "org_a", "payable.paid", "pbl_1", 1)

		p := <-answered
		require.Len(t, p.Results, 1)
		require.Equal(t, "pbl_1", p.Results[0].Object)
	})
}

// Who signs out while a request of his waits learns nothing more by it.
func TestALongPollEndsWithTheCredential(t *testing.T) {
	d := dbtest.SQLite(t)
	s := serve(t, d, web.Config{})

	answered := make(chan page)
	go func() { answered <- s.page("org_a", "wait=30") }()

	<-s.admitted

	gone := "org_a"
	s.revoked.Store(&gone)
	event(t, d, "org_a", "x.y", "secret", 1)

	p := <-answered
	require.Equal(t, "TOKEN_INVALID", p.Code)
	require.Empty(t, p.Results)
}

// stream reads server-sent events.
type stream struct {
	t testing.TB
	r *bufio.Reader
}

func (s *service) stream(token, query string, headers ...string) *stream {
	s.t.Helper()

	a := s.get(token, "/events/stream?"+query, headers...)
	require.Equal(s.t, 200, a.StatusCode)
	require.Equal(s.t, "text/event-stream", a.Header.Get("Content-Type"))

	return &stream{s.t, bufio.NewReader(a.Body)}
}

// next returns the id and the data of the next block, or io.EOF.
func (x *stream) next() (id, data string, err error) {
	for {
		line, err := x.r.ReadString('\n')
		if err != nil {
			return "", "", err
		}

		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); name {
		case "id":
			id = value
		case "data":
			data = value
		case "":
			return id, data, nil
		}
	}
}

func (x *stream) event() (number, object string) {
	x.t.Helper()

	for {
		id, data, err := x.next()
		require.NoError(x.t, err)

		if data == "" {
			continue
		}

		var e struct{ Object string }
		require.NoError(x.t, json.Unmarshal([]byte(data), &e))

		return id, e.Object
	}
}

func TestAStreamShowsWhatHappensFromNowOnAndIsResumed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := serve(t, d, web.Config{})
		event(t, d, "org_a", "x.y", "old", 1)
		require.Len(t, s.page("org_a", "wait=30").Results, 1)

		x := s.stream("org_a", "")
		id, data, err := x.next()
		require.NoError(t, err)
		require.Equal(t, "1", id, "a client that is cut off at once knows where it was")
		require.Empty(t, data)

		event(t, d, "org_b", "x.y", "foreign", 1)
		event(t, d, "org_a", "x.y", "new", 1)

		number, object := x.event()
		require.Equal(t, "2 new", number+" "+object)

		again := s.stream("org_a", "after=99", "Last-Event-ID", "0")
		number, object = again.event()
		require.Equal(t, "1 old", number+" "+object, "the header counts, not where the first connection began")
		number, object = again.event()
		require.Equal(t, "2 new", number+" "+object)

		require.Equal(t, 410, s.get("org_a", "/events/stream", "Last-Event-ID", "77").StatusCode)
		require.Equal(t, 422, s.get("org_a", "/events/stream", "Last-Event-ID", "x").StatusCode)
	})
}

func TestAStreamOfTypesShowsNoOthersAndMovesOn(t *testing.T) {
	d := dbtest.SQLite(t)
	s := serve(t, d, web.Config{})

	event(t, d, "org_a", "x.y", "other", 1)
	event(t, d, "org_a", "payable.paid", "pbl_1", 1)
	event(t, d, "org_a", "x.y", "other", 2)
	require.NotEmpty(t, s.page("org_a", "after=0&wait=30&types[]=payable.*").Results)
	sealed(t, s.feed)

	x := s.stream("org_a", "after=0&lifetime=0&types[]=payable.*")
	number, object := x.event()
	require.Equal(t, "2 pbl_1", number+" "+object)

	id, data, err := x.next()
	require.NoError(t, err)
	require.Equal(t, "3", id)
	require.Empty(t, data)

	_, _, err = x.next()
	require.ErrorIs(t, err, io.EOF, "a lifetime of 0 ends it")
}

// After a session has ended no further event is sent.
func TestAStreamEndsWithItsCredential(t *testing.T) {
	d := dbtest.SQLite(t)
	s := serve(t, d, web.Config{})

	x := s.stream("org_a", "")
	_, _, err := x.next()
	require.NoError(t, err)

	gone := "org_a"
	s.revoked.Store(&gone)
	event(t, d, "org_a", "x.y", "secret", 1)

	_, data, err := x.next()
	require.ErrorIs(t, err, io.EOF)
	require.Empty(t, data)
}

func TestStreamsAndLongPollsEndWithTheProcess(t *testing.T) {
	d := dbtest.SQLite(t)
	s := serve(t, d, web.Config{})

	x := s.stream("org_a", "")
	_, _, err := x.next()
	require.NoError(t, err)

	answered := make(chan page)
	go func() { answered <- s.page("org_a", "wait=30") }()

	s.feed.Close()

	_, _, err = x.next()
	require.ErrorIs(t, err, io.EOF)
	require.Empty(t, (<-answered).Results)
}

func TestStreamsAreLimitedByOrganisationAndInAll(t *testing.T) {
	d := dbtest.SQLite(t)
	s := serve(t, d, web.Config{
		MaxWaiting:      6,
		MaxWaitingOfOne: 2,
		TrustedProxies:  []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})

	next := 0
	elsewhere := func() string { // each caller has an address of his own
		next++
		return fmt.Sprint("203.0.113.", next)
	}

	for _, organisation := range []string{"org_a", "org_a", "org_b"} {
		_, _, err := s.stream(organisation, "", "X-Forwarded-For", elsewhere()).next()
		require.NoError(t, err)
	}

	require.Equal(t, 429, s.get("org_a", "/events/stream").StatusCode)
	require.Equal(t, 429, s.get("org_a", "/events?wait=1").StatusCode)
	require.Equal(t, 200, s.get("org_a", "/events").StatusCode, "a read that does not wait takes no place")

	for _, organisation := range []string{"org_c", "org_d", "org_e"} {
		_, _, err := s.stream(organisation, "", "X-Forwarded-For", elsewhere()).next()
		require.NoError(t, err)
	}

	require.Equal(t, 503, s.get("org_f", "/events/stream").StatusCode)
}

// I-10: another organisation gives a person no further streams, and another account gives an address none.
func TestStreamsAreLimitedByPersonAndSource(t *testing.T) {
	s := serve(t, dbtest.SQLite(t), web.Config{
		MaxWaiting:      40,
		MaxWaitingOfOne: 4,
		TrustedProxies:  []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	})

	open := func(organisation, source string) int {
		return s.get(organisation, "/events/stream", "X-Forwarded-For", source).StatusCode
	}

	for i := range 4 {
		require.Equal(t, 200, open(fmt.Sprint("ada@", i), fmt.Sprint("203.0.113.", i)))
	}

	require.Equal(t, 429, open("ada@9", "203.0.113.9"), "the fifth of one person")

	for i := range 10 {
		require.Equal(t, 200, open(fmt.Sprint("one", i), "198.51.100.1"))
	}

	require.Equal(t, 429, open("one10", "198.51.100.1"), "a quarter of all from one address")
	require.Equal(t, 200, open("bob@1", "198.51.100.2"))
}
