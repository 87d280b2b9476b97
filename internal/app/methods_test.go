//go:build !nosandbox

package app_test

import (
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/db/dbtest"
)

// Every page and operation that has GET has HEAD, with its header and without a body, and OPTIONS names both.
func TestWhateverHasGetHasHead(t *testing.T) {
	h := apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t))
	ask := func(method, path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.App.Handler.ServeHTTP(w, httptest.NewRequest(method, path, nil))

		return w
	}

	names := regexp.MustCompile(`\{\w+\}|\*`)
	found := map[int]int{}

	for _, r := range h.App.API.Routes() {
		path := names.ReplaceAllString(r.Path, "x")
		if r.Method != "GET" {
			continue
		}

		get := ask("GET", path)
		head := ask("HEAD", path)
		require.Equal(t, get.Code, head.Code, path)
		require.Empty(t, head.Body.String(), path)

		for _, name := range []string{"Content-Type", "Location", "Content-Security-Policy", "ETag"} {
			require.Equal(t, get.Header().Get(name), head.Header().Get(name), "%s of %s", name, path)
		}

		options := ask("OPTIONS", path)
		require.Equal(t, 204, options.Code, path)
		require.True(t, strings.HasPrefix(options.Header().Get("Allow"), "GET, HEAD, "), path)
		require.True(t, strings.HasSuffix(options.Header().Get("Allow"), ", OPTIONS"), path)

		found[get.Code]++
	}

	require.Greater(t, found[200], 10, "pages")
	require.Greater(t, found[401], 50, "operations")
}
