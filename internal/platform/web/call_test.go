package web

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/platform/limit"
)

// during runs something inside a request of a connection with this context, and gives the request's context when it
// is over.
func during(connection context.Context, something func(ctx context.Context)) context.Context {
	api := New(Config{Title: "Test", Version: "1", Authenticate: people, Log: discarding()})

	var kept context.Context
	api.Mount("GET", "/now/{name}", Bearer, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		kept = r.Context()
		something(kept)
	}))
	r := httptest.NewRequestWithContext(connection, "GET", "/now/then", nil)
	r.Header.Set("Authorization", "Bearer alice")
	r.Header.Set("X-Request-Id", "find-me")
	api.Handler().ServeHTTP(httptest.NewRecorder(), r)

	return kept
}

func TestTimeOfARequestEnds(t *testing.T) {
	for _, waited := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			begin := time.Now()

			during(t.Context(), func(ctx context.Context) {
				end, ok := ctx.Deadline()
				require.True(t, ok)
				require.Equal(t, begin.Add(requestTimeout), end)
				time.Sleep(requestTimeout - time.Nanosecond)
				require.NoError(t, ctx.Err())

				if waited {
					<-ctx.Done()
				} else {
					time.Sleep(time.Nanosecond)
					synctest.Wait()
				}

				require.Equal(t, context.DeadlineExceeded, ctx.Err())
				<-ctx.Done() // whoever waits after the end does not wait
				require.Equal(t, requestTimeout, time.Since(begin))
			})
		})
	}
}

func TestEarlierTimeOfTheConnectionCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()

		connection, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		during(connection, func(ctx context.Context) {
			end, _ := ctx.Deadline()
			require.Equal(t, begin.Add(time.Second), end)
			<-ctx.Done()
			require.Equal(t, time.Second, time.Since(begin))
			require.Equal(t, context.DeadlineExceeded, ctx.Err())
		})
	})
}

func TestRequestEndsWithItsConnection(t *testing.T) {
	for _, waited := range []bool{true, false} {
		connection, leave := context.WithCancel(t.Context())

		during(connection, func(ctx context.Context) {
			var done <-chan struct{}
			if waited {
				done = ctx.Done()
			}

			require.NoError(t, ctx.Err())
			leave()
			require.Equal(t, context.Canceled, ctx.Err())
			<-ctx.Done()

			if waited {
				<-done
			}
		})
	}
}

// What is made of a request's context ends with the request, for those too that the request has left behind.
func TestNothingOutlivesItsRequest(t *testing.T) {
	for _, waited := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			type foreign struct{}

			var child context.Context
			stopped := make(chan error, 1)
			ctx := during(context.WithValue(t.Context(), foreign{}, "kept"), func(ctx context.Context) {
				if waited {
					var cancel context.CancelFunc
					child, cancel = context.WithTimeout(ctx, time.Hour)
					context.AfterFunc(child, func() { cancel(); stopped <- context.Cause(child) })
				}
			})
			require.Equal(t, context.Canceled, ctx.Err())
			require.Equal(t, context.Canceled, context.Cause(ctx))
			<-ctx.Done()

			if waited {
				require.Equal(t, context.Canceled, <-stopped)
			}

			late, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			require.Equal(t, context.Canceled, late.Err(), "begun after the end")
			require.Equal(t, "find-me", caller.RequestOf(context.WithoutCancel(ctx)).ID,
				"what goes on knows still what it belongs to")
			require.Equal(t, "kept", context.WithoutCancel(ctx).Value(foreign{}))
		})
	}
}

func TestContextKnowsItsRequest(t *testing.T) {
	type foreign struct{}

	during(context.WithValue(t.Context(), foreign{}, "kept"), func(ctx context.Context) {
		for range 2 { // before and after a timer is set
			require.Equal(t, "kept", ctx.Value(foreign{}))
			require.Nil(t, ctx.Value("nothing"))

			request := caller.RequestOf(ctx)
			require.NotZero(t, request.ReceivedAt)

			request.ReceivedAt = time.Time{}
			require.Equal(t, caller.Request{ID: "find-me", Source: "192.0.2.1", Path: "/now/then"}, request)
			require.Equal(t, "usr_a", caller.Of(ctx).User)
			require.Equal(t, "alice", caller.TokenOf(ctx))
			require.Equal(t, "then", chi.URLParamFromCtx(ctx, "name"))

			ctx.Done()
		}

		require.Equal(t, "usr_x", caller.Of(caller.With(ctx, caller.Principal{User: "usr_x"})).User)
		require.Equal(t, "usr_a", caller.Of(ctx).User)
	})

	require.Equal(t, caller.Request{}, caller.RequestOf(t.Context()))
	require.Equal(t, caller.Principal{}, caller.Of(t.Context()))
	require.Empty(t, caller.TokenOf(t.Context()))
}

// Answers share what every one of them carries: what one sets or adds is not seen in another.
func TestHeadersOfOneAnswerAreNotThoseOfAnother(t *testing.T) {
	w := newWorld(t, nil)
	w.api.Mount("GET", "/own", Public, http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		for _, name := range []string{"Cache-Control", "Referrer-Policy", "X-Content-Type-Options", "X-Request-Id"} {
			rw.Header().Add(name, "added")
		}

		rw.Header().Set("Cache-Control", "max-age=60")
		fmt.Fprint(rw, "own")
	}))

	for range 2 {
		own := w.send("GET", "/own", "").Header()
		require.Equal(t, []string{"no-referrer", "added"}, own["Referrer-Policy"])
		require.Equal(t, []string{"max-age=60"}, own["Cache-Control"])

		other := w.send("GET", "/for/public", "").Header()
		require.Equal(t, []string{"no-referrer"}, other["Referrer-Policy"])
		require.Equal(t, []string{"nosniff"}, other["X-Content-Type-Options"])
		require.Equal(t, []string{"no-store"}, other["Cache-Control"])
		require.Len(t, other["X-Request-Id"], 1)
	}
}

// A bearer's request takes no more memory than anybody's.
func TestAdmittingABearerAllocatesNothing(t *testing.T) {
	who := &caller.Principal{
		User:         "usr_a",
		Organisation: "org_a",
		Roles:        []string{"admin"},
	}
	meters := &limit.Meters{}

	api := New(Config{
		Title:   "Test",
		Version: "1",
		Authenticate: func(context.Context, string, string) (*caller.Principal, *limit.Meters, error) {
			return who, meters, nil
		},
		Log: discarding(),
	})

	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Authorization", "Bearer alice")
	c, r := newCall(&sink{}, r, caller.Request{})
	op := &Operation{Access: Tenant, Roles: []string{"approver", "admin"}, Scope: "things:read"}

	require.Zero(t, testing.AllocsPerRun(100, func() {
		if err := api.admit(c, r, op); err != nil || caller.Of(r.Context()).User != "usr_a" {
			t.Fatal(err)
		}
	}))
}
