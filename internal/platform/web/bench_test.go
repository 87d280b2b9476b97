package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
)

// BenchmarkHandler measures what a tiny read costs between the connection and the use case.
func BenchmarkHandler(b *testing.B) {
	b.Run("unlimited", func(b *testing.B) { benchHandler(b, nil) })
	b.Run("metered", func(b *testing.B) {
		benchHandler(b, &Meters{Reads: limit.NewMeter(limit.Rate{Events: 900, Per: time.Nanosecond * 900})})
	})
}

func benchHandler(b *testing.B, m *Meters) {
	who := func(ctx context.Context, token, wish string) (Principal, error) {
		p, err := people(ctx, token, wish)
		p.Meters = m
		return p, err
	}
	api := New(Config{Title: "Bench", Version: "1", Authenticate: who, Log: slog.New(slog.DiscardHandler), DB: dbtest.SQLite(b)})
	Register(api, Operation{Method: "GET", Path: "/orders/{id}", ID: "get", Access: Tenant}, func(_ context.Context, in *struct {
		ID string `path:"id"`
	}) (*orderView, error) {
		return &orderView{ID: in.ID}, nil
	})
	h := api.Handler()
	r := httptest.NewRequest("GET", "/orders/ord_1", nil)
	r.Header.Set("Authorization", "Bearer alice")
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
