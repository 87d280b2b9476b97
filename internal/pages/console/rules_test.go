//go:build !nosandbox && !noconsole

package console_test

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// due makes payables that fall due on days from a first one on, and returns the last of them.
func (s *stage) due(first time.Time, count int) (last string) {
	account := s.c.NewBankAccount("EUR", "000")

	for n := range count {
		last = s.c.Do("POST", "/payables", object{
			"name":                "Letterheads",
			"type":                "FIAT",
			"amount":              "480.00",
			"currencyIsoCode":     "EUR",
			"reason":              "Letterheads",
			"receiver":            s.c.Receiver,
			"bankAccount":         account,
			"expectedPaymentDate": first.AddDate(0, 0, n).Format(time.DateOnly),
		}).OK(201).ID()
	}

	return last
}

// TestAPlainDateIsTheSameInEveryZone shows a due date to people on both sides of the date line, in the page and in the
// form. A date has no zone.
func TestAPlainDateIsTheSameInEveryZone(t *testing.T) {
	b := browsertest.Start(t)
	s := newStage(t)
	id := s.due(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), 1)

	for _, zone := range []string{"Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Zurich"} {
		p := b.Page(t, browsertest.Look{Zone: zone})
		p.Open(s.home() + "/payables/" + id)
		p.Await(".doc dl")
		require.Contains(t, p.Text(".doc dl"), "1 Jan 2027", zone)
		require.Contains(t, p.Text(".item"), "due 1 Jan 2027", zone)
		p.Holds("[...document.querySelectorAll('.doc .button')].find(b => b.innerText === 'Change').click(), true")
		p.Await(".doc form input[type=date]")
		require.True(t, p.Holds("document.querySelector('.doc form input[type=date]').value === '2027-01-01'"), zone)
	}
}

// TestAMomentHasTheZoneThatItHadThen shows a moment of summer with the zone of summer, also in winter.
func TestAMomentHasTheZoneThatItHadThen(t *testing.T) {
	s := newStage(t)
	id := s.c.Draft("USDC", "12.50")
	s.h.Exec("UPDATE transactions SET created_at = ?, version = version + 1 WHERE id = ?",
		time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC).UnixMicro(), id)

	p := browsertest.Start(t).Page(t, browsertest.Look{Zone: "Europe/Zurich"})
	p.Open(s.home() + "/transactions/" + id)
	p.Await("h1 .sum")
	require.Regexp(t, `14:00:00 (CEST|GMT\+2)`, p.Text("main"))
}

// TestOldDataStaysAndSaysHowOldItIs lets a list fail after it was shown. Its rows stay, under the sentence, the
// request's id, a way to ask again, and the second at which they were read.
func TestOldDataStaysAndSaysHowOldItIs(t *testing.T) {
	s := newDoor(t)
	s.alive(t)
	s.c.Draft("USDC", "12.50")
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/transactions"))
	p.Await("tbody a.whole")

	s.stand(func(w http.ResponseWriter, r *http.Request, service http.Handler) {
		if r.Method == "GET" && r.URL.Path == "/transactions" && r.URL.Query().Get("limit") == "50" {
			http.Error(w, "<h1>Bad gateway</h1>", http.StatusBadGateway)
			return
		}

		service.ServeHTTP(w, r)
	})
	s.c.Draft("USDC", "7.25")
	p.Await(".trouble .old")
	require.Regexp(t, `as of \d\d:\d\d:\d\d`, p.Text(".trouble .old"))
	require.Contains(t, p.Text("tbody"), "12.50")
	require.NotContains(t, p.Text("tbody"), "7.25")
	p.Shot("old")
	s.forget(p, "502")
	sound(t, p)

	s.stand(nil)
	press(t, p, ".trouble .link")
	p.Await("tbody tr:nth-child(2)")
	p.Await("main:not(:has(.trouble))")
	require.Contains(t, p.Text("tbody"), "7.25")
}

// TestAPlotHasATableBehindIt draws what falls due. Under three points there is the table alone.
func TestAPlotHasATableBehindIt(t *testing.T) {
	b := browsertest.Start(t)

	for name, x := range map[string]struct {
		days  int
		plots bool
	}{"two points": {days: 2}, "four points": {days: 4, plots: true}} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.due(s.h.DB().Now().AddDate(0, 0, 1), x.days)
			p := b.Page(t, browsertest.Look{})
			p.Open(s.home())
			p.Await(".three details")
			require.Equal(t, x.plots, p.Holds("!!document.querySelector('.three svg[role=img][aria-label]')"))
			require.Equal(t, !x.plots, p.Holds("document.querySelector('.three details').open"))
			p.TabTo(".three summary")

			if x.plots {
				p.Press(browsertest.Enter)
			}

			p.Await(".three details table")
			require.EqualValues(t, x.days, p.Number("document.querySelectorAll('.three details tbody tr').length"))
			require.Contains(t, p.Text(".three details table"), "480.00")
			p.Shot("table")
			sound(t, p)
		})
	}
}

// TestKeysWorkEverywhere goes to a page, searches and asks for help by keys alone, and lets no single key do more.
func TestKeysWorkEverywhere(t *testing.T) {
	s := newStage(t)
	id := s.c.Submitted("USDC", "12.50")
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Open(s.home())
	p.Await("main h1")
	p.Await("main:not(:has([aria-busy=true]))")

	p.Control("k")
	p.Await("dialog[open] input")
	p.Type("payee")
	p.Shot("go-to")
	sound(t, p)
	p.Press(browsertest.Enter)
	p.Await("main .below, main .empty")
	require.True(t, strings.HasSuffix(p.Address(), "/payees"))

	p.Press("?")
	p.Await("dialog[open] dl")
	p.Shot("keys")
	sound(t, p)
	p.Press(browsertest.Escape)
	p.Await("body:not(:has(dialog[open]))")

	p.Press("/")
	require.True(t, p.Holds("document.activeElement.matches('header input[type=search]')"))
	p.Control("a") // the harness types the key that a browser would swallow
	p.Type("Invoice")
	p.Press(browsertest.Enter)
	p.Await("section[aria-label=Transactions] a.hit")
	require.Contains(t, p.Address(), "/search?term=Invoice")
	sound(t, p)

	p.Open(s.home() + "/transactions/" + id + "/review")
	p.Await("form .button.primary")

	for key := '!'; key <= '~'; key++ {
		if key != '/' && key != '?' {
			p.Press(string(key))
		}
	}

	require.EqualValues(t, "WAITING_ACCEPTANCE", s.c.Read(id).Status, "no single key moves money")
}

// TestARowIsALinkOf36Pixels measures a list on a desk: each row is as high as one line, and one real link. On a
// telephone it is a card of two lines, and nothing scrolls sideways.
func TestARowIsALinkOf36Pixels(t *testing.T) {
	b := browsertest.Start(t)
	s := newStage(t)
	s.c.Draft("USDC", "12.50")

	p := b.Page(t, browsertest.Look{})
	p.Open(s.home() + "/transactions")
	p.Await("tbody a.whole")
	require.InDelta(t, 36, p.Number("document.querySelector('tbody tr').getBoundingClientRect().height"), 1)
	require.True(t, p.Holds(`(r => document.elementFromPoint(r.right - 8, r.y + 18).matches('a.whole, a.whole *'))(
		document.querySelector('tbody tr').getBoundingClientRect())`), "its whole width is the link")

	p = b.Page(t, browsertest.Phone())
	p.Open(s.home() + "/transactions")
	p.Await("tbody a.whole")
	require.Less(t, p.Number("document.querySelector('tbody tr').getBoundingClientRect().height"), 90.0)
	p.Fits()
}

// TestEveryStateHasItsLook compares the table of looks with the states that the API's answers have.
func TestEveryStateHasItsLook(t *testing.T) {
	table, err := os.ReadFile("../../../console/src/lib/status.ts")
	require.NoError(t, err)

	looks := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  ([A-Z_]+): \{ kind`).FindAllStringSubmatch(string(table), -1) {
		require.False(t, looks[m[1]], "%s has two looks", m[1])
		looks[m[1]] = true
	}

	raw, err := os.ReadFile("../../../docs/openapi.json")
	require.NoError(t, err)

	var api struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct {
					Enum []any `json:"enum"`
				} `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal(raw, &api))

	seen := 0

	for name, schema := range api.Components.Schemas {
		for field, property := range schema.Properties {
			isState := field == "state" || strings.Contains(strings.ToLower(field), "status")
			if !isState || !strings.HasSuffix(name, "View") {
				continue
			}

			for _, state := range property.Enum {
				if text, ok := state.(string); ok && text != "" {
					seen++

					require.True(t, looks[strings.ToUpper(text)], "%s.%s: %s has no look", name, field, text)
				}
			}
		}
	}

	require.Greater(t, seen, 100)
}
