//go:build !nosandbox && !noconsole

package console_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestATelephoneShowsWholeFiguresAndPayees looks at payments of eighteen decimals on a telephone: no figure is cut, and
// the list names who is paid. What waits for a bank transfer is nothing to decide, so the menu does not count it.
func TestATelephoneShowsWholeFiguresAndPayees(t *testing.T) {
	s := newDoor(t)
	id := s.c.Submitted("DAI", "123456.123456789012345678", "2.5")
	s.c.OnrampSubmitted("USDC", "EUR", "2000.00")

	p := browsertest.Start(t).Page(t, browsertest.Phone())
	s.signIn(p, s.c, nil, s.path("/transactions"))
	p.Await("main:not(:has([aria-busy=true])) td.money")
	require.Contains(t, p.Text("tbody"), "Alice Keller")
	require.Contains(t, p.Text("tbody"), "123,458.623456789012345678")
	p.Shot("list")
	sound(t, p)

	p.Open(s.site + s.path("/transactions/"+id))
	p.Await("main:not(:has([aria-busy=true])) h1 .sum")
	require.Contains(t, p.Text("table"), "123,456.123456789012345678")
	p.Shot("payment")

	p.Resize(1280, 900)
	p.Open(s.site + s.path("/people"))
	p.Await("nav .count")
	require.Contains(t, unseen(p.Text("nav")), "Approvals1waiting")
}

// TestManyEventsReadTheScreenOnceASecond makes thirty drafts at once while their list is open: the list is read again
// as often as seconds pass, and not for each event.
func TestManyEventsReadTheScreenOnceASecond(t *testing.T) {
	s := newDoor(t)
	s.alive(t)

	var read atomic.Int64

	s.stand(func(w http.ResponseWriter, r *http.Request, service http.Handler) {
		if r.Method == http.MethodGet && r.URL.Path == "/transactions" {
			read.Add(1)
		}

		service.ServeHTTP(w, r)
	})

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/transactions"))
	p.Await("main:not(:has([aria-busy=true])) h1")
	s.c.Draft("USDC", "1.00")
	p.Await("tbody tr td.money")

	const drafts = 30

	before := read.Load()
	began := time.Now()

	for range drafts {
		s.c.Draft("USDC", "2.00")
	}

	s.h.Until(
		"the last one is listed",
		func() bool { return p.Number("document.querySelectorAll('tbody tr').length") > drafts },
	)

	seconds := int64(time.Since(began)/time.Second) + 1
	require.LessOrEqual(t, read.Load()-before, 2*seconds+2, "in %d s", seconds) // this page and the menu's count
}
