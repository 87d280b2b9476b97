package account_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/pages/account"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/web"
)

func get(h http.Handler, path string) *httptest.ResponseRecorder {
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, httptest.NewRequest("GET", path, nil))
	return rec
}

func TestPagesLoadNothingFromElsewhereAndCannotBeFramed(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	account.Routes(w.API, slog.New(slog.DiscardHandler), "", "/console")

	h := w.API.Handler()
	for _, page := range []string{"confirm", "reset", "forgot", "complete", "join", "register"} {
		rec := get(h, "/account/"+page)
		require.Equal(t, 200, rec.Code, page)
		require.Contains(t, rec.Header().Get("Content-Security-Policy"), "frame-ancestors 'none'")
		require.Equal(t, "no-referrer", rec.Header().Get("Referrer-Policy"))
		require.Empty(t, rec.Result().Cookies(), "A-17")

		for _, m := range regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(rec.Body.String(), -1) {
			if m[1] != "data:," { // the icon, which is none
				require.Equal(t, 200, get(h, m[1]).Code, m[1])
			}
		}

		require.NotRegexp(t, `<script>|<style>|style="|onclick`, rec.Body.String(), "the policy would stop it")
	}

	for _, path := range []string{"/account/x", "/account/assets/account.go", "/account/assets/..%2faccount.go", "/account/", "/account"} {
		require.Equal(t, 404, get(h, path).Code, path)
	}
}

// Every operation that the script calls exists, by its method.
func TestScriptCallsOperationsThatExist(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))

	routes := map[string]web.Access{}
	for _, r := range w.API.Routes() {
		routes[r.Method+" "+r.Path] = r.Access
	}

	script, err := os.ReadFile("account.js")
	require.NoError(t, err)
	calls := regexp.MustCompile(`method: '([A-Z]+)',\s*path: '([^']+)'`).FindAllStringSubmatch(string(script), -1)
	require.Len(t, calls, 6)

	for _, c := range append(calls, []string{"", "GET", "/users/complete/info"}, []string{"", "GET", "/auth/invitation/info"}) {
		require.Equal(t, web.Public, routes[c[1]+" "+c[2]], "%s %s", c[1], c[2])
	}

	steps := regexp.MustCompile(`call\('([A-Z]+)', '([^'?]+)`).FindAllStringSubmatch(string(script), -1)
	require.Len(t, steps, 6)

	for _, c := range steps {
		require.Contains(t, routes, c[1]+" "+c[2])
	}

	require.Contains(t, string(script), "/users/complete/info?token=")
	require.NotContains(t, strings.ToLower(string(script)), "innerhtml", "what the service says is text")
}
