//go:build !nosandbox

package app_test

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/core/day"
)

// step is a call that a guide writes out.
type step struct{ method, path, body string }

var (
	writtenCall = regexp.MustCompile("`(GET|POST|PUT|PATCH) (/[^`]+)`(?:(?:, such as)? with `({[^`]+})`)?")
	otherFormat = regexp.MustCompile("`…(&format=[a-z]+)`")
	exampleJSON = regexp.MustCompile("(?s)```json\n(.*?)\n```")
)

// bookkeeping reads the steps of docs/how-to/keep-books.md: those of every month in their order, those of closing one,
// and the bodies that stand as examples, by the call that they are for.
func bookkeeping(t *testing.T) (month, closing []step, examples map[string]string) {
	t.Helper()

	text, err := os.ReadFile("../../docs/how-to/keep-books.md")
	require.NoError(t, err)

	section := func(from, to string) string {
		_, rest, found := strings.Cut(string(text), "\n"+from+"\n")
		require.True(t, found, from)

		out, _, found := strings.Cut(rest, "\n"+to)
		require.True(t, found, to)

		return out
	}
	steps := func(section string) (out []step) {
		line := strings.Join(strings.Fields(section), " ")
		for _, m := range writtenCall.FindAllStringSubmatch(line, -1) {
			out = append(out, step{m[1], m[2], m[3]})
		}

		return out
	}
	example := func(section string) string {
		m := exampleJSON.FindStringSubmatch(section)
		require.NotNil(t, m)

		return m[1]
	}

	month = steps(section("## Keep the book of an organisation", "What stands in it:"))
	first := slices.IndexFunc(month, func(s step) bool { return strings.Contains(s.path, "format=datev") })
	require.Positive(t, first)

	period := month[first].path[strings.Index(month[first].path, "&from="):]
	for _, m := range otherFormat.FindAllStringSubmatch(string(text), -1) {
		month = slices.Insert(month, first+1, step{"GET", "/bookkeeping/export?" + period[1:] + m[1], ""})
	}

	return month, steps(section("## Close a month", "## ")), map[string]string{
		"PUT /bookkeeping/accounts":  example(section("### Set accounts as fine as you have them", "### ")),
		"POST /bookkeeping/openings": example(section("### Begin with what is there", "### ")),
	}
}

// once reports whether a step is one of those with which a bookkeeper begins, and does not repeat each month.
func (s step) once() bool {
	return s.method == "PATCH" || s.method == "PUT" || strings.HasPrefix(s.path, "/bookkeeping/accounts")
}

// A new bookkeeper goes through the guide as it is written, from an empty book to twelve closed months. 1. Each call
// that stands there is answered, with the body that stands there. 2. Each trial balance sums to zero, and no line that
// is closed is provisional. 3. What was closed keeps its bytes.
func TestABookkeeperFollowsTheGuide(t *testing.T) {
	month, closing, examples := bookkeeping(t)
	require.Len(t, month, 13, "the beginning, and each month in five formats and as a statement")
	require.Len(t, closing, 3)

	apptest.EachMarket(t, func(t *testing.T, h *apptest.Harness, m *apptest.Market) {
		c := h.Client("Ada")
		c.StaySignedIn()
		require.Empty(t, book(t, c, ""), "the book is empty")

		today := day.Of(h.DB().Now().UTC())
		begin := time.Date(today.Year(), today.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		until(t, h, m, begin.Add(20*time.Hour), 9_000, 8_500)

		// what the guide has as examples is of the organisation and of the month
		mine := func(text string, first time.Time) string {
			return strings.NewReplacer(
				"2026-11-01", first.Format(time.DateOnly),
				"2026-11-30", first.AddDate(0, 1, -1).Format(time.DateOnly),
				"2026-11", first.Format("2006-01"),
				"{period}", first.Format("2006-01"),
				"{id}", c.Org,
				"rcv_…", c.Receiver,
				"wlt_…", c.Wallet,
			).Replace(text)
		}
		do := func(s step, first time.Time) apptest.Answer {
			t.Helper()

			text := s.body
			if text == "" {
				text = examples[s.method+" "+s.path]
			}

			var body any

			if text != "" {
				body = json.RawMessage(mine(text, first))
			}

			a := c.Do(s.method, mine(s.path, first), body)
			require.Contains(t, []int{200, 201}, a.Status, "%s %s: %s", s.method, s.path, a.Raw)
			require.NotEmpty(t, a.Raw)

			return a
		}

		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"timeZone": "UTC"}).OK(200)

		for _, s := range month {
			if s.once() {
				do(s, begin)
			}
		}

		do(step{"POST", "/bookkeeping/openings", ""}, begin)

		// the trial balance at the end of a month, as a file
		at := func(first time.Time) string {
			on := first.AddDate(0, 1, -1).Format(time.DateOnly)
			return c.Do("GET", "/bookkeeping/balances?on="+on, nil, asCSV).OK(200).Raw
		}
		balances := map[time.Time]string{}

		for first := begin; len(balances) < 12; first = first.AddDate(0, 1, 0) {
			c.Accepted("USDC", "12.500001")
			h.Settle()
			until(t, h, m, first.AddDate(0, 1, 1).Add(20*time.Hour), 9_000, 8_500+int64(len(balances)))

			for _, s := range month {
				if s.once() {
					continue
				}

				do(s, first)
			}

			on := first.AddDate(0, 1, -1).Format(time.DateOnly)
			require.NotEmpty(t, standings(t, c, "/bookkeeping/balances?on="+on))

			balances[first] = at(first)
		}

		last := begin.AddDate(0, 11, 0)
		c.Accepted("USDC", "7.25")
		h.Settle()

		for _, s := range []step{closing[0], closing[2], closing[1]} { // the last month is opened again, and closed
			if s.method == "POST" {
				s.body = `{"reason": "A receipt was missing"}`
			}

			do(s, last)
		}

		var months struct {
			Periods []struct {
				ID    string `json:"_id"`
				State string `json:"state"`
			} `json:"periods"`
		}

		do(closing[0], last).Into(&months)

		states := map[string]string{}
		for _, p := range months.Periods {
			states[p.ID] = p.State
		}

		for first, bytes := range balances {
			require.Equal(t, "CLOSED", states[first.Format("2006-01")])
			require.Equal(t, bytes, at(first))
		}

		closedOn := last.AddDate(0, 1, -1).Format(time.DateOnly)
		lines := c.Do("GET", "/bookkeeping/entries?limit=250&to="+closedOn, nil).OK(200).Raw
		require.Contains(t, lines, `"isProvisional":false`)
		require.NotContains(t, lines, `"isProvisional":true`)

		zeroAtHome(t, book(t, c, ""))
		h.Oracle()
	})
}
