//go:build !noconsole

// Package console serves the console: the bundle that scripts/console builds from the Svelte sources in console/, and
// that is committed here, so that the program builds with Go alone. The build tag noconsole leaves it out.
//
// It promises:
//   - Whoever gets the page gets the scripts that belong to it. Their addresses have the hash of the bundle, and every
//     other hash is answered 404.
//   - A path that the console has no page for is answered 404, as everywhere else.
//   - The pages load nothing from elsewhere, cannot be framed, and run no script but the bundle.
//
// Who is signed in is no matter of these files: they are the same for everybody, and the API decides.
//
// Read console.go and zip.go; noconsole.go stands in their place in a build without the console.
package console

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/go-chi/chi/v5"

	"slipway/internal/pages/look"
	"slipway/internal/platform/web"
)

//go:embed dist
var dist embed.FS

// Policy is the Content-Security-Policy of the console's pages. Wallets are spoken to within the page, so no other host
// is needed.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; " +
	"font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
	"require-trusted-types-for 'script'; trusted-types svelte-trusted-html"

// permissions switches off what the console has no use for. Scanning a document is a file field.
const permissions = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), " +
	"microphone=(), midi=(), payment=(), serial=(), usb=(), xr-spatial-tracking=()"

// The paths.
const (
	home       = "/console"
	assets     = home + "/a/{build}/{file}"
	immutable  = "public, max-age=31536000, immutable"
	revalidate = "no-cache"
)

// Me is the page of one's own account, where the password is changed. It leads to that of the organisation in which one
// is, which the console finds.
const Me = home + "/me"

// Present reports whether this program has the console.
const Present = true

// Build returns the name of the bundle: the beginning of the hash over its files.
func Build() string { return bundle().build }

// bundle reads the embedded files once.
var bundle = sync.OnceValue(func() files {
	sub, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // cannot happen: it is embedded
	}

	return read(sub)
})

// files are what is served.
type files struct {
	build string
	shell []byte // index.html as it was built
	parts map[string]part
	pages []string // patterns of the addresses after /console, such as /o/:organisation/log
}

// part is a file that the page loads, at once or when it is wanted.
type part struct {
	contentType string
	plain       []byte
	zipped      func() []byte // made at the first call
}

func read(dist fs.FS) files {
	f := files{parts: map[string]part{}}
	sum := sha256.New()

	take := func(name string) []byte {
		text, err := fs.ReadFile(dist, name)
		if err != nil {
			panic(err) // the build makes all of them, and a test looks
		}

		sum.Write(text)

		return text
	}

	f.shell = take("index.html")

	for _, kind := range []struct{ files, contentType string }{{"*.js", look.Script}, {"*.css", look.Styles}} {
		names, err := fs.Glob(dist, kind.files)
		if err != nil {
			panic(err) // cannot happen: the patterns are good
		}

		for _, name := range names {
			text := take(name)
			f.parts[name] = part{
				contentType: kind.contentType,
				plain:       text,
				zipped:      sync.OnceValue(func() []byte { return zip(text) }),
			}
		}
	}

	f.pages = strings.Fields(string(take("pages.txt")))
	f.build = hex.EncodeToString(sum.Sum(nil)[:8])

	return f
}

// has reports whether the console has a page at a path after /console.
func (f files) has(path string) bool {
	path = strings.TrimRight(path, "/")
	if path == "" || path == strings.TrimPrefix(Me, home) {
		return true
	}

	parts := strings.Split(path, "/")

	for _, page := range f.pages {
		if matches(strings.Split(page, "/"), parts) {
			return true
		}
	}

	return false
}

// matches reports whether a path fits a pattern, of which a part that begins with a colon stands for anything.
func matches(pattern, path []string) bool {
	if len(pattern) != len(path) {
		return false
	}

	for i, p := range pattern {
		if p != path[i] && (!strings.HasPrefix(p, ":") || path[i] == "") {
			return false
		}
	}

	return true
}

// server answers with the files.
type server struct {
	files

	shell []byte // with the addresses of its parts
}

// Routes mounts the console.
func Routes(api *web.API) {
	s := &server{files: bundle()}

	at := `"` + home + "/a/" + s.build + "/"
	s.shell = bytes.ReplaceAll(s.files.shell, []byte(`"./`), []byte(at))

	api.Mount("GET", home, web.Public, http.HandlerFunc(s.page))
	api.Mount("GET", home+"/*", web.Public, http.HandlerFunc(s.page))
	api.Mount("GET", assets, web.Public, http.HandlerFunc(s.part))
}

// page answers with the page that all addresses of the console share: its script shows what stands at the address.
func (s *server) page(w http.ResponseWriter, r *http.Request) {
	if !s.has(strings.TrimPrefix(r.URL.Path, home)) {
		s.send(w, http.StatusNotFound, look.HTML, s.missing())
		return
	}

	h := w.Header()
	h.Set("Cache-Control", revalidate)
	h.Set("Etag", `"`+s.build+`"`)
	s.protect(h)
	h.Set("Content-Type", look.HTML)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(s.shell))
}

// missing is the page for an address that nothing stands at.
func (s *server) missing() []byte {
	return []byte(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>There is no such page - Slipway</title>
<link rel="stylesheet" href="` + home + `/session/look.css">
` + look.Icon + `
</head>
<body>
<header class="brand">Slipway</header>
<main>
<h1>There is no such page</h1>
<p>The address is not complete, or was never one of the console.</p>
<p><a href="` + home + `">Go to the console</a></p>
</main>
</body>
</html>
`)
}

// part answers with a file of the bundle. A page of an older build gets nothing, and surely no page in place of a
// script.
func (s *server) part(w http.ResponseWriter, r *http.Request) {
	p, ok := s.parts[chi.URLParam(r, "file")]
	if !ok || chi.URLParam(r, "build") != s.build {
		s.send(w, http.StatusNotFound, "text/plain; charset=utf-8", []byte("There is no such file in this build.\n"))
		return
	}

	h := w.Header()
	h.Set("Cache-Control", immutable)
	h.Set("Vary", "Accept-Encoding")

	body := p.plain
	if web.TakesGzip(r) {
		h.Set("Content-Encoding", "gzip")

		body = p.zipped()
	}

	s.send(w, http.StatusOK, p.contentType, body)
}

func (s *server) send(w http.ResponseWriter, status int, contentType string, body []byte) {
	s.protect(w.Header())
	look.Send(w, status, contentType, Policy, body)
}

// protect sets the headers that keep others out of the page, and the page out of others.
func (s *server) protect(h http.Header) {
	h.Set("Content-Security-Policy", Policy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", permissions)
}
