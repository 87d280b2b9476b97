//go:build !nosandbox && !noconsole

package console_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// chatting makes a chat whose name is hostile, at an address that nobody answers at.
func (s *stage) chatting() (chat string) {
	return s.c.Do("POST", "/chat-channels", object{
		"name":    markup,
		"kind":    "SLACK",
		"address": "https://chat.example.invalid/services/T000/B000/XXXX",
	}).OK(201).ID()
}

// room is a room of Slack. Without its webhook it answers as Slack does then.
type room struct {
	url string

	mu   sync.Mutex
	body []string
	gone bool
}

func newRoom(t *testing.T) *room {
	t.Helper()
	r := &room{}

	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		raw, err := io.ReadAll(q.Body)
		if err != nil {
			t.Error(err)
		}

		r.mu.Lock()
		defer r.mu.Unlock()

		if r.gone {
			w.WriteHeader(http.StatusNotFound)
			_, _ = io.WriteString(w, "no_service")

			return
		}

		r.body = append(r.body, string(raw))
		_, _ = io.WriteString(w, "ok")
	}))
	t.Cleanup(server.Close)
	r.url = server.URL + "/services/T024/B024/canaryh8Qk"

	return r
}

func (r *room) remove() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gone = true
}

// all returns what was written in the room.
func (r *room) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()

	return strings.Join(r.body, "\n")
}

// TestAnAdminHasAChatTold adds a chat by keyboard, after an address that is none, tests it, switches a kind of news,
// sees why nothing arrives any more, and deletes it by mouse on a telephone.
func TestAnAdminHasAChatTold(t *testing.T) {
	s := newDoor(t)
	s.alive(t)
	b := browsertest.Start(t)
	p := b.Page(t, browsertest.Look{})
	r := newRoom(t)

	s.enter(t, p, s.c.Colleague("Ada", "authorized", "admin"), s.path("/chats"))
	p.Await("input[type=url]")
	p.Shot("none")
	p.Fill("input[name='/name']", "Finance")
	p.Fill("input[type=url]", "http")
	p.TabTo("form .button.primary")
	p.Press(browsertest.Enter)
	p.Await("[aria-invalid=true]")
	p.Complained("422")
	p.Shot("refused")

	p.Fill("input[type=url]", r.url)
	p.TabTo("form .button.primary")
	p.Press(browsertest.Enter)
	p.Await(".head .button.primary")
	require.NotContains(t, p.Text("main"), "canary", "the address is not shown again")
	require.Contains(t, p.Text(".head"), "…h8Qk")
	sound(t, p)

	p.TabTo(".head .button.primary")
	p.Press(browsertest.Enter)
	p.Await(".note.good")
	require.Contains(t, p.Text(".note.good"), "The server answered 200. It has taken the message.")
	require.Contains(t, r.all(), "This is a test")
	p.Shot("tested")
	sound(t, p)

	s.c.Submitted("USDC", "12.50")
	s.delivered(
		t,
		"the room is told",
		func() bool { return strings.Contains(r.all(), "Waits for approval: USDC 12.50") },
	)

	p.TabTo("input[value=DECISIONS]")
	p.Press(browsertest.Space)
	p.Holds(keepTold)
	p.TabTo("form .button")
	p.Press(browsertest.Enter)
	s.hears(p, "Save: done.")
	require.True(
		t,
		p.Holds(`!document.querySelector("input[value=DECISIONS]").checked`),
		"what was saved stays as it is",
	)
	s.c.Submitted("USDC", "13.50")
	s.c.NewBankAccount("EUR", "000")
	s.delivered(t, "the room is told", func() bool { return strings.Contains(r.all(), "New bank account of a payee") })
	require.NotContains(t, r.all(), "13.50")

	r.remove()
	s.c.NewBankAccount("EUR", "001")
	s.delivered(t, "the chat is switched off", func() bool {
		return s.h.Count("SELECT count(*) FROM chat_channels WHERE off_reason = 'GONE'") == 1
	})

	phone := b.Page(t, browsertest.Look{Width: 390, Height: 844, Touch: true})
	s.enter(t, phone, s.c.Colleague("Grace", "authorized", "admin"), s.path("/chats"))
	phone.Await("a.whole")
	require.Contains(t, phone.Text("table"), "Off: it is gone")
	phone.Shot("phone")
	phone.Fits()
	sound(t, phone)
	phone.Click("a.whole")
	phone.Await(".note.person")
	require.Contains(t, phone.Text(".note.person"), "no_service")
	phone.Shot("phone-off")
	phone.Fits()
	sound(t, phone)
	phone.Click(".head .button.danger, .head .button:first-child")
	phone.Await("dialog[open]")
	phone.Click("dialog[open] .button.danger")
	phone.Await(".empty")
}
