package web

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
)

// BenchmarkHandler measures what a tiny read costs between the connection and the use case: for everybody, for
// members, and for members whose requests are counted.
func BenchmarkHandler(b *testing.B) {
	b.Run("open", func(b *testing.B) { benchHandler(b, Public, nil) })
	b.Run("closed", func(b *testing.B) { benchHandler(b, Tenant, nil) })

	b.Run("metered", func(b *testing.B) {
		benchHandler(b, Tenant, &limit.Meters{Reads: limit.NewMeter(limit.Rate{
			Events: 900,
			Per:    time.Nanosecond * 900,
		})})
	})
}

func benchHandler(b *testing.B, access Access, m *limit.Meters) {
	who := &caller.Principal{User: "usr_a", Organisation: "org_a", Credential: "ses_a"}
	api := New(Config{
		Title:   "Bench",
		Version: "1",
		Log:     discarding(),
		DB:      dbtest.SQLite(b),
		Authenticate: func(context.Context, string, string) (*caller.Principal, *limit.Meters, error) {
			return who, m, nil
		},
	})
	Register(api, Operation{
		Method: "GET",
		Path:   "/orders/{id}",
		ID:     "get",
		Access: access,
	}, func(_ context.Context, in *struct {
		ID string `path:"id"`
	},
	) (*orderView, error) {
		return &orderView{ID: in.ID}, nil
	})
	h := api.Handler()
	// as the server's is: what is made of one that cannot end costs less
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	r := httptest.NewRequest("GET", "/orders/ord_1", nil).WithContext(ctx)
	if access != Public {
		r.Header.Set("Authorization", "Bearer alice")
	}

	w := &sink{header: http.Header{}}
	b.ReportAllocs()

	for b.Loop() {
		w.status = 0
		clear(w.header)
		h.ServeHTTP(w, r)

		if w.status != 200 {
			b.Fatal(w.status)
		}
	}
}

// sink is a ResponseWriter that costs nothing.
type sink struct {
	header http.Header
	status int
}

func (s *sink) Header() http.Header         { return s.header }
func (s *sink) WriteHeader(status int)      { s.status = status }
func (s *sink) Write(b []byte) (int, error) { return len(b), nil }
