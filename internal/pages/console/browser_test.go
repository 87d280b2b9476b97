//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db/dbtest"
)

// stagePolicy is what the console's pages must get by with.
const stagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types svelte-trusted-html"

// stage is a listening service whose browsers are signed in as one member: a token is put before every call. What a
// session is has tests of its own.
type stage struct {
	h      *apptest.Harness
	c      *apptest.Client
	member *apptest.Client
	site   string
	// cookies leaves the calls as the browser makes them; see newDoor.
	cookies bool
	handed  []*http.Cookie // see enter
	way     atomic.Pointer[between]
}

func newStage(t *testing.T) *stage {
	t.Helper()

	h := apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t))
	s := &stage{h: h, c: h.Client("Northwind Trading")}
	s.member = s.c
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.site = server.URL

	return s
}

// ServeHTTP answers with the bundle below /console, and with the service elsewhere.
func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == handOver {
		s.hand(w, r)
		return
	}

	if s.cookies {
		(*s.way.Load())(w, r, s.h.App.Handler)
		return
	}

	if !strings.HasPrefix(r.URL.Path, "/console") {
		r.Header.Set("Authorization", "Bearer "+s.member.Token)
		s.h.App.Handler.ServeHTTP(w, r)

		return
	}

	w.Header().Set("Content-Security-Policy", stagePolicy)

	for name, kind := range map[string]string{
		"app.js":  "text/javascript",
		"rest.js": "text/javascript",
		"app.css": "text/css",
	} {
		if strings.HasSuffix(r.URL.Path, "/"+name) {
			w.Header().Set("Content-Type", kind)
			http.ServeFile(w, r, "dist/"+name)

			return
		}
	}

	page, err := os.ReadFile("dist/index.html")
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}

	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(strings.ReplaceAll(string(page), `"./app.`, `"/console/a/test/app.`)))
}

// home is where the organisation's pages begin.
func (s *stage) home() string { return s.site + "/console/o/" + s.c.Org }

// sound requires that a page is accessible, fits, and made nothing that the browser complains about: no exception, no
// breach of the policy, no failed request.
func sound(t *testing.T, p *browsertest.Page) {
	t.Helper()
	p.Fits()
	p.Accessible()
	require.Empty(t, p.Complaints())
}

// looks are a desk, a desk in the dark and a telephone.
func looks() map[string]browsertest.Look {
	return map[string]browsertest.Look{"desk": {}, "dark": {Dark: true}, "phone": browsertest.Phone()}
}

// TestAMemberAcceptsWithTheKeyboardAlone goes from the list to the transaction, to the review, and accepts. The effect
// is there once.
func TestAMemberAcceptsWithTheKeyboardAlone(t *testing.T) {
	b := browsertest.Start(t)

	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			s := newDoor(t)
			id := s.c.Submitted("USDC", "1250.50")
			p := b.Page(t, look)

			s.enter(t, p, s.c, s.path("/transactions"))
			p.Await("a.whole")
			p.Shot("list")
			sound(t, p)

			p.TabTo("a.whole")
			p.Press(browsertest.Enter)
			p.Await("h1 .sum")
			require.Contains(t, p.Text("h1"), "1,250.50")
			p.Shot("transaction")
			sound(t, p)

			p.TabTo("a.button.primary")
			p.Press(browsertest.Enter)
			p.Await("form .button.primary")
			require.Contains(t, p.Text("form .button.primary"), "Accept and pay")
			p.Shot("review")
			sound(t, p)

			p.TabTo("form .button.primary")
			p.Press(browsertest.Enter, browsertest.Enter) // held down: it happens once
			p.Await("ol .chip, h1 .status.moving, h1 .status.good")
			require.NotEqual(t, "WAITING_ACCEPTANCE", string(s.c.Read(id).Status))
			sound(t, p)

			s.h.Settle()
			s.c.Ends(id, "COMPLETED", "COMPLETED")
			require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM chain_sends"), "it is sent once")
		})
	}
}

// pages are those of an organisation, below its address.
var pages = []string{
	"",
	"/transactions",
	"/transactions/new",
	"/transactions/export",
	"/scheduled",
	"/payables",
	"/payables?status=APPROVED",
	"/payables?status=LINKS",
	"/payees",
	"/payees/new",
	"/payees/import",
	"/decide",
	"/wallets",
	"/owed",
	"/organisation",
	"/sign-on",
	"/books",
	"/people",
	"/clients",
	"/webhooks",
	"/chats",
	"/log",
	"/search?term=Alice",
	"/me",
	"/nothing",
}

// operatorPages are those of the platform's people, below /console/ops.
var operatorPages = []string{
	"",
	"/cases",
	"/held",
	"/suspense",
	"/owed",
	"/files",
	"/ledger",
	"/rails",
	"/organisations",
}

// letterheads makes a payable of 480.00 EUR that goes to a bank account of the organisation's own receiver.
func (s *stage) letterheads(account string) string {
	return s.c.Do("POST", "/payables", object{
		"name":            "Letterheads",
		"type":            "FIAT",
		"amount":          "480.00",
		"currencyIsoCode": "EUR",
		"reason":          "Letterheads",
		"receiver":        s.c.Receiver,
		"bankAccount":     account,
	}).OK(201).ID()
}

// records makes one record of each kind that has a page of its own, and returns the pages.
func (s *stage) records(t *testing.T) (pages []string) {
	t.Helper()

	draft := s.c.Draft("USDC", "7.25")
	waiting := s.c.Submitted("USDC", "12.50")
	account := s.c.NewBankAccount("EUR", "000")
	payable := s.letterheads(account)
	endpoint, delivery := s.hooked(t)
	chat := s.chatting()

	var wallets struct {
		Results []struct {
			ID string `json:"_id"`
		} `json:"results"`
	}
	s.c.Do("GET", "/wallets/me", nil).OK(200).Into(&wallets)
	require.NotEmpty(t, wallets.Results)

	return []string{
		"/transactions/" + draft,
		"/transactions/" + draft + "/edit",
		"/transactions/" + draft + "/review",
		"/transactions/" + waiting,
		"/transactions/" + waiting + "/review",
		"/payables/" + payable,
		"/payees/" + s.c.Receiver,
		"/wallets/" + wallets.Results[0].ID,
		"/webhooks/" + endpoint,
		"/webhooks/" + endpoint + "/deliveries/" + delivery,
		"/chats/" + chat,
	}
}

// shotName is the name of a page's picture: its address, without the identifiers of records.
func shotName(n int, path string) string {
	parts := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("/?=", r) })
	for i, part := range parts {
		if _, random, ok := strings.Cut(part, "_"); ok && len(random) > 8 {
			parts[i] = "one"
		}
	}

	return strings.Join(append([]string{fmt.Sprintf("page%02d", n)}, parts...), "-")
}

// TestEveryPageIsAccessibleAndFits opens each page on four screens, in light and dark. axe looks at two of them: what
// it finds hardly depends on the width.
func TestEveryPageIsAccessibleAndFits(t *testing.T) {
	b := browsertest.Start(t)
	s := newStage(t)
	own := s.records(t)

	for name, look := range screens() {
		t.Run(name, func(t *testing.T) {
			p := b.Page(t, look)

			for n, path := range append(own, pages...) {
				p.Open(s.home() + path)
				p.Await("main h1")
				p.Await("main:not(:has([aria-busy=true]))")
				p.Shot(shotName(n, path))
				require.Empty(t, p.Complaints(), path)

				if look.Dark || look.Width == 0 {
					p.Accessible()
				}
			}
		})
	}
}
