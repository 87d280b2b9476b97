//go:build !nosandbox && !noconsole

package console_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// hook is a program of the organisation that takes events. It answers with status.
type hook struct {
	url    string
	says   string // in its answers
	status atomic.Int64
	taken  atomic.Int64
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{says: "the ledger is closed"}
	h.status.Store(http.StatusOK)

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}

		if _, rest, asked := strings.Cut(string(body), `"challenge":"`); asked { // it proves itself
			challenge, _, _ := strings.Cut(rest, `"`)
			_, _ = io.WriteString(w, challenge)

			return
		}

		h.taken.Add(1)
		w.WriteHeader(int(h.status.Load()))
		_, _ = io.WriteString(w, h.says)
	}))
	t.Cleanup(server.Close)
	h.url = server.URL

	return h
}

// hooked makes an endpoint whose description and answers are hostile, and a message to it that was refused once.
func (s *stage) hooked(t *testing.T) (endpoint, delivery string) {
	t.Helper()

	taker := newHook(t)
	taker.says = markup
	taker.status.Store(http.StatusServiceUnavailable)

	endpoint = s.c.Do("POST", "/webhook-endpoints", object{"url": taker.url, "description": formula}).OK(201).ID()
	delivery = s.c.Do("POST", "/webhook-endpoints/"+endpoint+"/test", nil).OK(202).ID()
	s.delivered(t, "the test was tried", func() bool { return taker.taken.Load() > 0 })

	return endpoint, delivery
}

// delivered waits for a condition while webhooks are sent.
func (s *stage) delivered(t *testing.T, what string, condition func() bool) {
	t.Helper()
	s.h.Until(what, func() bool {
		_, err := s.h.App.Deliveries.RunDue(t.Context(), 100)
		require.NoError(t, err)

		return condition()
	})
}

// TestAnAdminLooksAfterAWebhook adds an endpoint, tests it, sees a try that failed and one that arrived, gives it a new
// key beside the old one, and has a part of the feed sent again after counting it.
func TestAnAdminLooksAfterAWebhook(t *testing.T) {
	s := newDoor(t)
	s.alive(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	taker := newHook(t)

	s.enter(t, p, s.c.Colleague("Ada", "authorized", "admin"), s.path("/webhooks"))
	p.Await("input[type=url]")
	p.Fill("input[type=url]", "gopher://nowhere")
	p.TabTo("form .button.primary")
	p.Press(browsertest.Enter)
	p.Await("[aria-invalid=true]")
	p.Complained("422")
	p.Shot("refused")

	p.Fill("input[type=url]", taker.url)
	p.TabTo("form .button.primary")
	p.Press(browsertest.Enter)
	p.Await(".newkey dd:last-child")
	require.Contains(t, p.Text(".newkey"), "whsec_")
	p.Await("a.whole")
	p.Shot("key")
	sound(t, p)

	taker.status.Store(http.StatusServiceUnavailable)
	p.TabTo("a.whole")
	p.Press(browsertest.Enter)
	p.Await(".head .button.primary")
	sound(t, p)
	p.TabTo(".head .button.primary")
	p.Press(browsertest.Enter)
	p.Await("[aria-label='Delivery attempts']")
	s.delivered(t, "the test was tried", func() bool { return taker.taken.Load() == 1 })
	p.Await(".try pre")
	require.Contains(t, p.Text(".try"), "HTTP 503")
	require.Contains(t, p.Text(".try"), "the ledger is closed")
	p.Shot("failed")
	sound(t, p)

	taker.status.Store(http.StatusOK)
	p.TabTo(".head .button.primary")
	p.Press(browsertest.Enter)
	p.Await("[aria-label='Delivery attempts'] p.quiet")
	s.h.World.Clock.Advance(time.Minute) // messages of one record keep their order, so the first one is due as well
	s.delivered(t, "both were sent", func() bool { return taker.taken.Load() == 3 })
	p.Await(".status.pill.good")
	require.Contains(t, p.Text(".try"), "HTTP 200")
	p.Shot("arrived")

	p.Open(s.home() + "/webhooks")
	p.Await("a.whole")
	p.TabTo("a.whole")
	p.Press(browsertest.Enter)
	p.Await("input[inputmode=numeric]")
	p.Fill("form:has(ul) input[inputmode=numeric]", "999")
	p.Press(browsertest.Enter)
	p.Await("form:has(ul) [aria-invalid=true]")
	p.Complained("422")
	p.Fill("form:has(ul) input[inputmode=numeric]", "48")
	p.Press(browsertest.Enter)
	p.Await("form:has(ul) li:nth-child(2)")
	require.Contains(t, p.Text("form:has(ul)"), "signs until")
	require.Contains(t, p.Text(".newkey"), "whsec_")

	s.c.Submitted("USDC", "12.50")
	s.delivered(t, "the event was sent", func() bool { return taker.taken.Load() > 3 })
	taken := taker.taken.Load()

	const again = "form:has(input[type=checkbox])"
	p.Fill(again+" .field:first-child input", "1")
	p.Fill(again+" .field:last-child input", "40")
	p.TabTo(again + " input[type=checkbox]")
	p.Press(browsertest.Space)
	p.TabTo(again + " .button")
	p.Press(browsertest.Enter)
	p.Await(again + " .note")
	p.Shot("counted")
	require.Equal(t, taken, taker.taken.Load(), "counting sends nothing")
	require.True(t, p.Holds("document.activeElement.matches('.button')"), "the button keeps the focus")
	p.Press(browsertest.Enter)
	p.Await(again + " .note.good")
	s.delivered(t, "the events were sent again", func() bool { return taker.taken.Load() > taken })
	p.Shot("again")
	sound(t, p)
}
