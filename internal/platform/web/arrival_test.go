package web

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// kitchen is an API whose operation takes a body and works on it until it may end.
type kitchen struct {
	handler http.Handler
	working chan string
	end     chan struct{}
}

func newKitchen(c Config) *kitchen {
	c.Title = "Test"
	c.Version = "1"
	c.Log = discarding()
	k := &kitchen{working: make(chan string, 100), end: make(chan struct{})}
	api := New(c)
	Register(api, Operation{
		Method:  "POST",
		Path:    "/cook",
		ID:      "cook",
		Access:  Public,
		MaxBody: 1 << 20,
	},
		func(_ context.Context, in *struct {
			Body struct {
				Dish string `json:"dish"`
			}
		},
		) (*Empty, error) {
			k.working <- in.Body.Dish
			<-k.end
			return &Empty{}, nil
		})
	api.Mount("POST", "/form", Public, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	api.MountHealth("/healthz", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	k.handler = api.Handler()

	return k
}

// post sends a body from an address.
func (k *kitchen) post(path, from string, body io.Reader) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", path, body)
	r.RemoteAddr = from + ":1"
	rec := httptest.NewRecorder()
	k.handler.ServeHTTP(rec, r)

	return rec
}

// dish is a body of a size.
func dish(size int) string { return fmt.Sprintf(`{"dish":"%s"}`, strings.Repeat("x", size-11)) }

// I-10: a request whose body has not come yet has no place. As many as like may leave theirs unfinished.
func TestPlaceIsTakenWhenTheBodyHasArrived(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKitchen(Config{MaxInFlight: 4})

		var (
			all    sync.WaitGroup
			bodies []*io.PipeWriter
		)

		answers := make(chan int, 100)
		for i := range 20 {
			out, in := io.Pipe()
			bodies = append(bodies, in)

			path := "/cook"
			if i%2 == 0 {
				path = "/form"
			}

			all.Go(func() { answers <- k.post(path, "192.0.2.1", out).Code })
		}

		synctest.Wait()

		all.Go(func() { answers <- k.post("/cook", "192.0.2.1", strings.NewReader(dish(50))).Code })
		require.Equal(t, dish(50)[9:48], <-k.working, "nobody is in its way")
		close(k.end)
		require.Equal(t, 204, <-answers)

		for _, in := range bodies {
			_, err := io.WriteString(in, dish(50))
			require.NoError(t, err)
			require.NoError(t, in.Close())
			synctest.Wait()
		}

		all.Wait()
		close(answers)

		for code := range answers {
			require.Less(t, code, 300)
		}
	})
}

// I-10: when all places are taken, the service still says how it is.
func TestHealthHasPlacesOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKitchen(Config{MaxInFlight: 2})

		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { k.post("/cook", "192.0.2.1", strings.NewReader(dish(50))) })
		}

		synctest.Wait()

		require.Equal(t, 503, k.post("/cook", "192.0.2.2", strings.NewReader(dish(50))).Code)
		rec := httptest.NewRecorder()
		k.handler.ServeHTTP(rec, httptest.NewRequest("GET", "/healthz", nil))
		require.Equal(t, 204, rec.Code)
		close(k.end)
		all.Wait()
	})
}

// I-10: behind a trusted proxy each caller has a quarter of the places.
func TestOneCallerHasAShareOfThePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKitchen(Config{MaxInFlight: 8, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}})
		send := func(caller string) int {
			r := httptest.NewRequest("POST", "/cook", strings.NewReader(dish(50)))
			r.RemoteAddr = "192.0.2.1:1"
			r.Header.Set("X-Forwarded-For", caller)
			rec := httptest.NewRecorder()
			k.handler.ServeHTTP(rec, r)

			return rec.Code
		}

		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { send("198.51.100.1") })
		}

		synctest.Wait()
		require.Equal(t, 429, send("198.51.100.1"))

		all.Go(func() { require.Equal(t, 204, send("198.51.100.2")) })
		synctest.Wait()
		close(k.end)
		all.Wait()
		require.Equal(t, 204, send("198.51.100.1"), "the places come back")
	})
}

// I-10: large bodies share a budget. Who finds none of it waits for a moment, then is asked to come again; small
// bodies need none.
func TestLargeBodiesShareMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const large = 30_000
		k := newKitchen(Config{BodyMemory: 4 * bodyCost * (large + 1)})

		var all sync.WaitGroup
		for i := range 4 {
			all.Go(func() {
				require.Equal(t, 204,
					k.post("/cook", fmt.Sprintf("192.0.2.%d", i), strings.NewReader(dish(large))).Code)
			})
		}

		synctest.Wait()
		require.Len(t, k.working, 4)

		mine := k.post("/cook", "192.0.2.1", strings.NewReader(dish(large)))
		require.Equal(t, 429, mine.Code, "a quarter is what one caller may have")
		begin := time.Now()
		others := k.post("/cook", "192.0.2.9", strings.NewReader(dish(large)))
		require.Equal(t, 503, others.Code)
		require.Equal(t, "1", others.Header().Get("Retry-After"))
		require.Equal(t, memoryWait, time.Since(begin), "the wait is bounded")
		require.Equal(t, 429, k.post("/cook", "192.0.2.9", strings.NewReader(dish(2*large))).Code,
			"more than one may ever have")

		all.Go(func() { require.Equal(t, 204, k.post("/cook", "192.0.2.9", strings.NewReader(dish(smallBody))).Code) })
		synctest.Wait()
		require.Len(t, k.working, 5)

		all.Go(func() { require.Equal(t, 204, k.post("/cook", "192.0.2.9", strings.NewReader(dish(large))).Code) })
		synctest.Wait()
		close(k.end)
		all.Wait()
		require.Len(t, k.working, 6, "who waited has got what came back")
	})
}

// A body that was declared to be larger than allowed, and one that turns out to be, are refused before they are held
// in memory.
func TestBodyBeyondItsLimitIsRefusedHoweverItComes(t *testing.T) {
	k := newKitchen(Config{})
	close(k.end)

	for size, status := range map[int]int{1 << 20: 204, 1<<20 + 1: 413, 3 << 20: 413} {
		require.Equal(t, status, k.post("/cook", "192.0.2.1", strings.NewReader(dish(size))).Code, "declared, %d", size)

		require.Equal(t, status, k.post("/cook", "192.0.2.1", io.MultiReader(strings.NewReader(dish(size)))).Code,
			"in chunks, %d", size)
	}
}
