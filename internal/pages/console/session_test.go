//go:build !nosandbox && !noconsole

package console_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/config"
	"slipway/internal/platform/web"
)

// between stands on the way from the browser to the service. It may answer itself.
type between func(w http.ResponseWriter, r *http.Request, service http.Handler)

// newDoor is a stage as people come to it: the service's own pages and bundle, a sign-in by form, and a session that
// the browser holds as a cookie. Nothing is put before a call, unless a test stands in between.
func newDoor(t *testing.T) *stage {
	t.Helper()
	return newDoorWith(t, apptest.Config{})
}

// newDoorWith is newDoor in a world of another kind.
func newDoorWith(t *testing.T, c apptest.Config) *stage {
	t.Helper()
	s := newNamedStage(t, c)
	s.cookies = true
	s.c.StaySignedIn()
	s.stand(nil)

	return s
}

// stand puts something between browser and service, or takes it away.
func (s *stage) stand(b between) {
	if b == nil {
		b = func(w http.ResponseWriter, r *http.Request, service http.Handler) { service.ServeHTTP(w, r) }
	}

	s.way.Store(&b)
}

// once lets b stand in the way of the first call of a path with this method and end, and of no other call.
func (s *stage) once(method, end string, b between) (met *atomic.Int64) {
	met = &atomic.Int64{}

	s.stand(func(w http.ResponseWriter, r *http.Request, service http.Handler) {
		if r.Method == method && strings.HasSuffix(r.URL.Path, end) && met.Add(1) == 1 {
			b(w, r, service)
			return
		}

		service.ServeHTTP(w, r)
	})

	return met
}

// lost carries a call out and breaks the connection within the answer. Before it a browser would repeat the call
// itself.
func lost(w http.ResponseWriter, r *http.Request, service http.Handler) {
	service.ServeHTTP(httptest.NewRecorder(), r)
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(http.StatusOK)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// broken carries a call out and answers as a proxy does whose service has gone away.
func broken(w http.ResponseWriter, r *http.Request, service http.Handler) {
	service.ServeHTTP(httptest.NewRecorder(), r)
	http.Error(w, "<h1>Bad gateway</h1>", http.StatusBadGateway)
}

// busy refuses a call because there were too many.
func busy(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Retry-After", "7")
	w.WriteHeader(http.StatusTooManyRequests)
	_, _ = io.WriteString(w, `{"type":"about:blank","title":"Too many requests","status":429,"code":"RATE_LIMITED",`+
		`"detail":"Too many requests. Wait and try again."}`)
}

// signIn signs a member in by the form, with the second factor where there is one, and awaits the page at next.
func (s *stage) signIn(p *browsertest.Page, member *apptest.Client, code func() string, next string) {
	p.Open(s.site + "/console/session?next=" + url.QueryEscape(next))
	s.signInHere(p, member, code)
}

// handOver is where a stage gives a browser the cookies of a session that was begun beside it.
const handOver = "/handed-over/"

// enter gives a member a second factor and opens the page at next with her session. The forms of the sign-in are sent
// beside the browser: typing in them has tests of its own, and costs more than most pages.
func (s *stage) enter(t *testing.T, p *browsertest.Page, member *apptest.Client, next string) {
	t.Helper()
	code := s.secondFactor(t, member)
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)

	person := http.Client{
		Jar:           jar,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	send := func(path string, form url.Values) {
		answer, err := person.PostForm(s.site+path, form)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusSeeOther, answer.StatusCode)
	}
	send("/console/session", url.Values{"email": {member.Email}, "password": {apptest.Password}})
	send("/console/session/second", url.Values{"code": {code()}})

	home, err := url.Parse(s.site)
	require.NoError(t, err)
	s.handed = jar.Cookies(home)
	p.Open(s.site + handOver + "?next=" + url.QueryEscape(next))
}

// hand gives the browser what enter has brought, and leads on.
func (s *stage) hand(w http.ResponseWriter, r *http.Request) {
	for _, c := range s.handed {
		http.SetCookie(w, &http.Cookie{
			Name:     c.Name,
			Value:    c.Value,
			Path:     "/",
			HttpOnly: true,
			SameSite: http.SameSiteStrictMode,
		})
	}

	http.Redirect(w, r, r.URL.Query().Get("next"), http.StatusSeeOther)
}

// signInHere is signIn on the form that is shown.
func (s *stage) signInHere(p *browsertest.Page, member *apptest.Client, code func() string) {
	p.Await("input[name=email]")
	p.Fill("input[name=email]", member.Email)
	p.Fill("input[name=password]", apptest.Password)
	p.Submit()

	if code != nil {
		p.Await("input[name=code]")
		p.Fill("input[name=code]", code())
		p.Submit()
	}
}

// path is the address of a page of the organisation, without the host.
func (s *stage) path(page string) string { return "/console/o/" + s.c.Org + page }

// fillPayee types a company without a bank account.
func (s *stage) fillPayee(p *browsertest.Page, name string) {
	p.Await("form .button.primary")

	for _, field := range [][2]string{
		{"legalName", name},
		{"email", "bills@supplier.example"},
		{"address/addressLine1", "Seestrasse 1"},
		{"address/postCode", "8002"},
		{"address/city", "Zürich"},
	} {
		p.Fill("input[name='/"+field[0]+"']", field[1])
	}

	p.TabTo("input[type=checkbox]")
	p.Press(browsertest.Space)
}

// typed reports whether a field of the page holds a text.
func (s *stage) typed(p *browsertest.Page, text string) bool {
	return p.Holds(fmt.Sprintf("[...document.querySelectorAll('input, textarea')].some(f => f.value === %q)", text))
}

// payees counts the organisation's receivers.
func (s *stage) payees() int64 {
	return s.h.Count("SELECT count(*) FROM receivers WHERE organisation = ?", s.c.Org)
}

// forget forgets what the browser wrote about refusals with a status. There is one at least.
func (s *stage) forget(p *browsertest.Page, status string) {
	p.Complained(status)

	for _, one := range p.Complaints() {
		if strings.Contains(one, status) {
			p.Complained(status)
		}
	}
}

// comesBack is how a member goes on who has signed in beside a form whose session had ended. A page that is told that
// its window is in front goes on by itself; where two windows stand side by side, it is not told, and has a button.
func comesBack(t *testing.T, test func(t *testing.T, p *browsertest.Page, goOn func())) {
	t.Helper()
	b := browsertest.Start(t)

	t.Run("the window comes to the front", func(t *testing.T) {
		p := b.Page(t, browsertest.Look{})
		test(t, p, p.Raise)
	})

	t.Run("the button is pressed", func(t *testing.T) {
		p := b.Page(t, browsertest.Look{})
		if p.Raised() {
			t.Skip("this engine brings the window to the front before a key is pressed in it: the page has gone on")
		}

		test(t, p, func() { press(t, p, ".ended button") })
	})
}

// TestASessionThatEndsKeepsTheForm lets a session idle out while a form is being filled. What was typed stays; the
// member signs in again in another tab, with her second factor, and goes on. The payee is there once.
func TestASessionThatEndsKeepsTheForm(t *testing.T) {
	comesBack(t, func(t *testing.T, p *browsertest.Page, goOn func()) {
		s := newDoor(t)
		code := s.secondFactor(t, s.c)
		s.signIn(p, s.c, code, s.path("/payees/new"))
		p.Await("form .button.primary")
		require.False(t, p.Holds("document.cookie.includes('slipway')"), "no script reads the cookie")
		s.fillPayee(p, "Werkstatt Sommer GmbH")
		before := s.payees()

		s.h.World.Clock.Advance(31 * time.Minute) // a session ends after half an hour without a touch
		press(t, p, "form .button.primary")
		p.Await(".ended")
		p.Await("form .refusal")
		p.Shot("ended")
		s.forget(p, "401")
		sound(t, p)
		require.True(t, s.typed(p, "Werkstatt Sommer GmbH"))
		require.Equal(t, before, s.payees())
		p.TabTo(".ended a")
		require.True(t, p.Holds("document.activeElement.target === '_blank'"), "the form's tab is not left")

		beside := p.Tab()
		beside.Open(s.site + "/console/session?next=/console/session/back")
		s.signInHere(beside, s.c, code)
		beside.Await("main p")
		require.Contains(t, beside.Text("main"), "what you typed is still there")

		goOn()
		p.Await("body:not(:has(.ended))")
		require.True(t, s.typed(p, "Werkstatt Sommer GmbH"))
		press(t, p, "form .button.primary")
		p.Await(".head h1")
		require.Contains(t, p.Text("h1"), "Werkstatt Sommer GmbH")
		require.Equal(t, before+1, s.payees())
		sound(t, p)
	})
}

// TestAnotherPersonGetsNothingOfTheForm has a colleague sign in where a member's session has ended. The page is loaded
// anew, as hers.
func TestAnotherPersonGetsNothingOfTheForm(t *testing.T) {
	comesBack(t, func(t *testing.T, p *browsertest.Page, goOn func()) {
		s := newDoor(t)
		berta := s.c.Colleague("Berta", "authorized", "approver")
		s.signIn(p, s.c, nil, s.path("/payees/new"))
		s.fillPayee(p, "Werkstatt Sommer GmbH")

		s.h.World.Clock.Advance(31 * time.Minute)
		press(t, p, "form .button.primary")
		p.Await(".ended")
		s.forget(p, "401")

		beside := p.Tab()
		beside.Open(s.site + "/console/session?next=/console/session/back")
		s.signInHere(beside, berta, nil)
		beside.Await("main p")

		goOn()
		p.Await("body:not(:has(.ended)) .me")
		require.Contains(t, p.Text(".shell > .side .me"), "Berta")
		require.False(t, s.typed(p, "Werkstatt Sommer GmbH"))
	})
}

// TestAPayeeIsMadeOnceWhateverTheNetworkDoes saves a form through everything that can go wrong on the way: what was
// typed stays, pressing again is safe, and the payee is there once.
func TestAPayeeIsMadeOnceWhateverTheNetworkDoes(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)

	for name, x := range map[string]struct {
		between between
		says    string // beside the form, before it is pressed again
		status  string // of the answer that the browser complains about
	}{
		"the answer is lost after the effect": {between: lost, says: "It has its effect once.", status: "ERR_"},
		"the proxy gives up after the effect": {between: broken, says: "It has its effect once.", status: "502"},
		"too many requests":                   {between: busy, says: "Try again in 7 seconds.", status: "429"},
	} {
		t.Run(name, func(t *testing.T) {
			payee := "Payee of " + name
			p := b.Page(t, browsertest.Look{})
			s.signIn(p, s.c, nil, s.path("/payees/new"))
			s.fillPayee(p, payee)
			before := s.payees()
			s.once("POST", "/receivers", x.between)

			press(t, p, "form .button.primary")
			p.Await("form .refusal")
			require.Contains(t, strings.ToLower(p.Text("form .refusal")), strings.ToLower(x.says))
			require.True(t, s.typed(p, payee))
			s.forget(p, x.status)
			p.Shot("refused")
			sound(t, p)

			press(t, p, "form .button.primary")
			p.Await(".head h1")
			require.Contains(t, p.Text("h1"), payee)
			require.Equal(t, before+1, s.payees())
			sound(t, p)
		})
	}

	t.Run("a double click", func(t *testing.T) {
		p := b.Page(t, browsertest.Look{})
		s.signIn(p, s.c, nil, s.path("/payees/new"))
		s.fillPayee(p, "Clicked twice")
		before := s.payees()
		met := s.once("POST", "/receivers", func(w http.ResponseWriter, r *http.Request, service http.Handler) {
			service.ServeHTTP(w, r)
		})
		p.Holds(
			"(b => { b.click(); b.click(); b.form.requestSubmit(b) })(document.querySelector('form .primary')), true",
		)
		p.Await(".head h1")
		require.Equal(t, before+1, s.payees())
		require.EqualValues(t, 1, met.Load(), "one call was made")
	})
}

// TestMoneyMovesOnceWhateverTheNetworkDoes accepts a payment whose answer is lost, or comes as the proxy's error, or
// that somebody else has decided meanwhile. Tokens are sent once.
func TestMoneyMovesOnceWhateverTheNetworkDoes(t *testing.T) {
	b := browsertest.Start(t)

	for name, x := range map[string]between{
		"the answer is lost after the effect": lost,
		"the proxy gives up after the effect": broken,
		"too many requests":                   busy,
	} {
		t.Run(name, func(t *testing.T) {
			s := newDoor(t)
			id := s.c.Submitted("USDC", "1250.50")
			p := b.Page(t, browsertest.Phone())
			s.signIn(p, s.c, nil, s.path("/transactions/"+id+"/review"))
			p.Await("form .button.primary")
			s.once("POST", "/accept", x)

			press(t, p, "form .button.primary")
			p.Await("form .refusal")
			p.Shot("unknown")
			press(t, p, "form .button.primary")
			p.Await("h1 .status.moving, h1 .status.good")
			s.h.Settle()
			s.c.Ends(id, "COMPLETED", "COMPLETED")
			require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM chain_sends"), "it is sent once")
		})
	}

	t.Run("somebody has accepted it meanwhile", func(t *testing.T) {
		s := newDoor(t)
		id := s.c.Submitted("USDC", "1250.50")
		p := b.Page(t, browsertest.Look{})
		s.signIn(p, s.c, nil, s.path("/transactions/"+id+"/review"))
		p.Await("form .button.primary")
		s.c.Act(id, "accept").OK(200)

		press(t, p, "form .button.primary")
		p.Await("main .refusal, main .sub .status.moving")
		p.Shot("overtaken")
		s.h.Settle()
		s.c.Ends(id, "COMPLETED", "COMPLETED")
		require.EqualValues(t, 1, s.h.Count("SELECT count(*) FROM chain_sends"), "it is sent once")
	})
}

// TestADraftThatSomebodyElseChangedKeepsBothVersions changes a draft that a colleague has changed since. The writer
// sees it and chooses; nothing that was typed is lost.
func TestADraftThatSomebodyElseChangedKeepsBothVersions(t *testing.T) {
	b := browsertest.Start(t)

	for name, theirs := range map[string]bool{"theirs is shown": true, "mine is saved": false} {
		t.Run(name, func(t *testing.T) {
			s := newDoor(t)
			id := s.c.Draft("USDC", "12.50")
			p := b.Page(t, browsertest.Look{})
			s.signIn(p, s.c, nil, s.path("/transactions/"+id+"/edit"))
			p.Await("input[name='/payments/0/amount']")
			s.c.Do("PUT", "/transactions/"+id, s.c.Body("USDC", s.c.Payment(s.c.Payee, "99.00"))).OK(200)

			p.Fill("input[name='/payments/0/amount']", "47.00")
			p.Await(".conflict")
			s.forget(p, "412")
			require.True(t, s.typed(p, "47.00"))
			p.Shot("conflict")
			sound(t, p)

			if theirs {
				press(t, p, ".conflict .button:nth-of-type(1)")
				p.Await("form:not(:has(.conflict))")
				s.h.Until("theirs is shown", func() bool { return s.typed(p, "99.000000") || s.typed(p, "99.00") })
				require.Contains(t, s.c.Read(id).Payments[0].Amount, "99.00")

				return
			}

			press(t, p, ".conflict .button:nth-of-type(2)")
			p.Await("form:not(:has(.conflict))")
			s.h.Until(
				"mine is stored",
				func() bool { return strings.HasPrefix(s.c.Read(id).Payments[0].Amount, "47.00") },
			)
		})
	}
}

// TestANewBuildIsOffered changes the build behind an open page. The page offers to load it and loses nothing before.
func TestANewBuildIsOffered(t *testing.T) {
	s := newDoor(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/payees/new"))
	s.fillPayee(p, "Before the update")

	s.stand(func(w http.ResponseWriter, r *http.Request, service http.Handler) {
		rec := httptest.NewRecorder()
		service.ServeHTTP(rec, r)

		for name, values := range rec.Header() {
			w.Header()[name] = values
		}

		if rec.Header().Get("Slipway-Build") != "" {
			w.Header().Set("Slipway-Build", "another")
		}

		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes())
	})
	press(t, p, "form .button.primary")
	p.Await(".build .link")
	p.Await(".head h1")
	require.Contains(t, p.Text("h1"), "Before the update", "what was under way went through")
	p.Shot("offered")
	sound(t, p)
	s.stand(nil)
	p.TabTo(".build .link")
	p.Submit()
	p.Await(".head h1")
	require.False(t, p.Holds("!!document.querySelector('.build')"))
}

// TestTheMarkOfADeploymentIsShown shows on a page what the answers of a deployment for tests are marked with.
func TestTheMarkOfADeploymentIsShown(t *testing.T) {
	s := newDoor(t)
	p := browsertest.Start(t).Page(t, browsertest.Phone())
	s.stand(func(w http.ResponseWriter, r *http.Request, service http.Handler) {
		w.Header().Set(web.ModeHeader, config.Test.Mark())
		service.ServeHTTP(w, r)
	})

	s.enter(t, p, s.c.Colleague("Ada", "authorized"), s.path("/transactions"))
	p.Await("header.top .mode")
	require.Equal(t, "TEST", p.Text("header.top .mode"))
	sound(t, p)
}
