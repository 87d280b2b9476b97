//go:build !nosandbox

package matrix

import (
	_ "embed"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

//go:embed matrix.txt
var matrixText string

// short names of refusals in matrix.txt.
var short = map[string]string{
	"none":  "401 TOKEN_MISSING",
	"bad":   "401 TOKEN_INVALID",
	"off":   "403 ACCOUNT_INACTIVE",
	"home":  "403 NO_ORGANISATION",
	"role":  "403 ROLE_REQUIRED",
	"auth":  "403 MEMBER_NOT_AUTHORIZED",
	"appr":  "403 ORG_NOT_APPROVED",
	"404":   "404 NOT_FOUND",
	"recv":  "422 RECEIVER_UNKNOWN",
	"paya":  "422 PAYABLE_UNKNOWN",
	"many":  "422 VALIDATION",
	"held":  "409 TX_NOT_HELD",
	"kept":  "409 RETURN_NOT_OPEN",
	"unpr":  "409 MOVEMENT_UNPROVEN",
	"code":  "403 TWO_FACTOR_CODE_INVALID",
	"pass":  "403 PASSKEY_INVALID",
	"no2fa": "409 TWO_FACTOR_NOT_ENABLED",
	"sign":  "401 WEBHOOK_SIGNATURE_INVALID",
	"human": "403 PEOPLE_ONLY",
	"scope": "403 SCOPE_REQUIRED",
}

// expectations are the table: route and column to the outcome.
type expectations struct {
	columns []string
	rows    map[string][]string
	order   []string
}

func readMatrix(t testing.TB) expectations {
	t.Helper()
	all := lines(matrixText)

	e := expectations{columns: strings.Fields(all[0])[2:], rows: map[string][]string{}}
	for _, line := range all[1:] {
		words := strings.Fields(line)
		route := words[0] + " " + words[1]
		require.NotContains(t, e.rows, route, "it stands twice in matrix.txt")
		require.Len(t, words[2:], len(e.columns), "cells of %s", route)
		e.rows[route] = words[2:]
		e.order = append(e.order, route)
	}

	return e
}

// answered returns the people of the cast to whom a route answers with success.
func (e expectations) answered(route string) []string {
	var people []string

	for i, cell := range e.rows[route] {
		if status, err := strconv.Atoi(cell); err == nil && status < 400 {
			people = append(people, e.columns[i])
		}
	}

	return people
}

// TestEveryRouteAnswersEveryActorAsTheMatrixSays calls each route with valid parameters as each person of the cast
// (Z-01). Everybody calls on records of A, but for the members of C, who call on their own: their organisation is not
// approved.
func TestEveryRouteAnswersEveryActorAsTheMatrixSays(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		e := readMatrix(t)
		require.Len(t, e.columns, len(s.cast), "people of the cast")

		byRoute := map[string]request{}
		for _, r := range s.requests() {
			byRoute[r.route] = r
			if e.rows[r.route] == nil {
				t.Errorf("matrix.txt has no row for %s", r.route)
			}
		}

		for _, route := range e.order {
			r, known := byRoute[route]
			if !known {
				t.Errorf("matrix.txt has a row for %s, which is no route", route)
				continue
			}

			got := make([]string, len(e.columns))
			for i, name := range e.columns {
				got[i] = s.outcome(r, name)
			}

			if want := e.rows[route]; fmt.Sprint(want) != fmt.Sprint(got) {
				t.Errorf("%s\n  want %s\n  got  %s", route, row(e.columns, want), row(e.columns, got))
			}
		}
	})
}

func row(columns, cells []string) string {
	var b strings.Builder
	for i, c := range columns {
		fmt.Fprintf(&b, "%-*s ", max(len(c), 5), cells[i])
	}

	return b.String()
}

// outcome makes the records of a request, sends it as one of the cast, and gives the word of the table.
func (s *stage) outcome(r request, name string) string {
	caller := s.cast[name]
	require.NotNil(s.t, caller, "nobody is called %s", name)

	owner := s.cast["admin"].home
	if name == "pending" {
		owner = caller.home
		s.onboarding(owner, "APPROVED")
	}

	v := s.fill(r, owner, caller)
	if name == "pending" {
		s.onboarding(owner, "PENDING")
	}

	a := s.do(r.call(v, caller))
	if r.route == "DELETE /auth/sessions" && a.status == http.StatusNoContent {
		caller.token = s.login(caller.email).access
	}

	s.onboarding(s.cast["admin"].home, "APPROVED")

	if a.status < 400 { // pages lead on
		return fmt.Sprint(a.status)
	}

	full := fmt.Sprintf("%d %s", a.status, a.code())
	for word, means := range short {
		if full == means {
			return word
		}
	}

	return fmt.Sprintf("%d:%s", a.status, a.code())
}

// TestShortNamesAreCodes keeps the legend of the matrix true.
func TestShortNamesAreCodes(t *testing.T) {
	for word, means := range short {
		_, code, _ := strings.Cut(means, " ")
		_, known := fault.Explain(fault.Code(code))
		require.True(t, known, "%s: %s is no registered code", word, code)
		require.Contains(t, matrixText, word)
	}
}
