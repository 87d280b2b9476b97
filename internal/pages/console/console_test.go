//go:build !noconsole

package console_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/pages/console"
	"slipway/internal/platform/web"
)

// served returns what asks a console at a base URL for a path.
func served(t *testing.T, base string) func(path string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()

	api := web.New(web.Config{BaseURL: base, Log: slog.New(slog.DiscardHandler), Build: console.Build()})
	console.Routes(api)
	handler := api.Handler()

	return func(path string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		for _, h := range headers {
			name, value, _ := strings.Cut(h, ": ")
			r.Header.Set(name, value)
		}

		rec := httptest.NewRecorder()
		handler.ServeHTTP(rec, r)

		return rec
	}
}

// policy is what the pages must get by with.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types svelte-trusted-html"

func TestPageIsTheSameAtEveryAddressOfTheConsole(t *testing.T) {
	for _, base := range []string{"https://pay.example.org", "http://127.0.0.1:8080"} {
		t.Run(base, func(t *testing.T) {
			get := served(t, base)
			first := get("/console")

			for _, path := range []string{
				"/console",
				"/console/",
				"/console/o/org_1",
				"/console/o/org_1/",
				"/console/o/org_1/transactions?status[]=DRAFT",
				"/console/o/org_1/transactions/new",
				"/console/o/org_1/transactions/txn_1/review",
				"/console/ops",
				"/console/ops/cases/ana_1",
			} {
				a := get(path)
				require.Equal(t, 200, a.Code, path)
				require.Equal(t, first.Body.String(), a.Body.String())
				require.Equal(t, "no-cache", a.Header().Get("Cache-Control"))
				require.Equal(t, `"`+console.Build()+`"`, a.Header().Get("Etag"))
				guarded(t, a)
			}

			at := `"/console/a/` + console.Build()
			require.Contains(t, first.Body.String(), at+`/app.js"`)
			require.Contains(t, first.Body.String(), at+`/app.css"`)
			require.Equal(t, 304, get("/console/ops", `If-None-Match: "`+console.Build()+`"`).Code)
			require.Equal(t, 200, get("/console/ops", `If-None-Match: "old"`).Code)
		})
	}
}

// guarded requires the headers that keep others out.
func guarded(t *testing.T, a *httptest.ResponseRecorder) {
	t.Helper()

	for name, want := range map[string]string{
		"Content-Security-Policy":      policy,
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"X-Content-Type-Options":       "nosniff",
		"Referrer-Policy":              "no-referrer",
	} {
		require.Equal(t, want, a.Header().Get(name))
	}

	require.Contains(t, a.Header().Get("Permissions-Policy"), "geolocation=()")
	require.Empty(t, a.Header().Values("Set-Cookie"))
}

// Password managers are led to an address without an organisation.
func TestThePageOfOnesOwnAccountHasAnAddressWithoutAnOrganisation(t *testing.T) {
	get := served(t, "https://pay.example.org")
	require.Equal(t, 200, get(console.Me).Code)
	require.Equal(t, get("/console").Body.String(), get(console.Me).Body.String())
}

func TestUnknownAddressesAreNotFound(t *testing.T) {
	get := served(t, "https://pay.example.org")

	for _, path := range []string{
		"/console/nothing", "/console/o", "/console/o/org_1/nothing", "/console/o//log", "/console/ops/nothing/x",
		"/console/index.html", "/console/dist/app.js", "/console/sources.sha256", "/console/o/org_1/log/../../x",
	} {
		a := get(path)
		require.Equal(t, 404, a.Code, path)
		require.Contains(t, a.Header().Get("Content-Type"), "text/html")
		require.Contains(t, a.Body.String(), `href="/console"`)
		guarded(t, a)
	}
}

func TestBundleIsKeptForeverAndOtherBuildsAreNotServed(t *testing.T) {
	get := served(t, "https://pay.example.org")
	at := "/console/a/" + console.Build() + "/"

	for name, kind := range map[string]string{
		"app.js":  "text/javascript",
		"rest.js": "text/javascript",
		"app.css": "text/css",
	} {
		want, err := os.ReadFile("dist/" + name)
		require.NoError(t, err)

		plain := get(at + name)
		require.Equal(t, 200, plain.Code)
		require.True(t, bytes.Equal(want, plain.Body.Bytes()))

		zipped := get(at+name, "Accept-Encoding: gzip, deflate, br, zstd")
		require.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))

		r, err := gzip.NewReader(zipped.Body)
		require.NoError(t, err)
		got, err := io.ReadAll(r)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))

		for _, a := range []*httptest.ResponseRecorder{plain, zipped} {
			require.Equal(t, "public, max-age=31536000, immutable", a.Header().Get("Cache-Control"))
			require.Equal(t, "Accept-Encoding", a.Header().Get("Vary"))
			require.Contains(t, a.Header().Get("Content-Type"), kind)
			guarded(t, a)
		}

		require.Empty(t, get(at+name, "Accept-Encoding: gzip;q=0, br").Header().Get("Content-Encoding"))
	}

	for _, path := range []string{
		"/console/a/0123456789abcdef/app.js", "/console/a/x/app.css", at + "index.html", at + "pages.txt", at + "other.js",
	} {
		a := get(path)
		require.Equal(t, 404, a.Code, path)
		require.Equal(
			t,
			"text/plain; charset=utf-8",
			a.Header().Get("Content-Type"),
			"never a page in place of a script",
		)
		require.NotContains(t, a.Header().Get("Cache-Control"), "immutable")
	}
}

// The budgets, as it goes over the line: for what the first view loads, and for everything.
const (
	maxFirstView = 60_000
	maxBundle    = 172_000
)

func TestBundleKeepsItsBudgetAndLoadsNothingFromElsewhere(t *testing.T) {
	get := served(t, "https://pay.example.org")
	at := "/console/a/" + console.Build() + "/"
	first := 0

	for _, path := range []string{"/console", at + "app.js", at + "app.css"} {
		first += get(path, "Accept-Encoding: gzip").Body.Len()
	}

	sum := first + get(at+"rest.js", "Accept-Encoding: gzip").Body.Len()
	t.Logf("the first view has %d bytes, the bundle %d", first, sum)
	require.Less(t, first, maxFirstView)
	require.Less(t, sum, maxBundle)

	// addresses that say what something is, and are never asked
	names := regexp.MustCompile(`https?://(www\.w3\.org/(1999|2000|1998)/|svelte\.dev/e/)`)
	foreign := regexp.MustCompile(`(https?:|wss?:)?//[a-z0-9-]+\.[a-z]{2,}[^"'` + "`" + `\s)]*`)
	run := regexp.MustCompile(`\beval\(|new Function\b|\bFunction\(|document\.write|importScripts|sourceMappingURL`)

	for _, name := range []string{"app.js", "rest.js", "app.css", "index.html"} {
		raw, err := os.ReadFile("dist/" + name)
		require.NoError(t, err)

		text := string(names.ReplaceAll(raw, nil))
		require.Empty(t, foreign.FindAllString(text, 5), name)
		require.Empty(t, run.FindAllString(text, 5), name)
		require.NotRegexp(t, `<style|\sstyle="|<script>`, string(raw[:min(len(raw), 2000)]), name)
	}
}

// compiledBeside is what tells Chromium to compile a whole script while it loads, beside the page. It has to be the
// first line: elsewhere it is a comment like any other.
const compiledBeside = "//# allFunctionsCalledOnLoad\n"

// What the first view runs is compiled beside the page, and not on its thread. The other pages are not: most of what
// they have is never called.
func TestBundleOfTheFirstViewIsCompiledBesideThePage(t *testing.T) {
	first, err := os.ReadFile("dist/app.js")
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(first, []byte(compiledBeside)))

	rest, err := os.ReadFile("dist/rest.js")
	require.NoError(t, err)
	require.NotContains(t, string(rest), compiledBeside)
}

// The bundle is made of the sources as they are: scripts/console builds it. This needs no Node.
func TestBundleIsMadeOfTheSources(t *testing.T) {
	const root = "../../../"

	list, err := os.ReadFile("dist/sources.sha256")
	require.NoError(t, err)

	known := map[string]string{}
	for line := range strings.Lines(string(list)) {
		sum, path, _ := strings.Cut(strings.TrimSpace(line), "  ")
		known[path] = sum
	}

	var there []string

	collect := func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return filepath.SkipDir
		case !d.IsDir():
			there = append(there, strings.TrimPrefix(filepath.ToSlash(path), root))
		}

		return nil
	}

	for _, folder := range []string{"console", "clients/typescript/src"} {
		require.NoError(t, filepath.WalkDir(root+folder, collect))
	}

	for _, path := range append(there, "docs/openapi.json") {
		text, err := os.ReadFile(root + path)
		require.NoError(t, err)

		sum := sha256.Sum256(text)
		require.Equal(t, hex.EncodeToString(sum[:]), known[path], "%s has changed: run scripts/console", path)
		delete(known, path)
	}

	require.Empty(t, known, "files that are gone: run scripts/console")
}
