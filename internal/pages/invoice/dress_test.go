//go:build !nosandbox

package invoice_test

import (
	"crypto/sha256"
	"encoding/base64"
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db/dbtest"
)

// brand sets the organisation's name, colour and logo.
func (s *scene) brand(name, colour string) {
	s.t.Helper()
	path := "/organisations/" + s.c.Org + "/brand"
	s.h.Do(s.h.App, "PUT", path, s.c.Token, apptest.Object{"name": name, "colour": colour}).OK(200)
	s.h.Do(s.h.App, "PUT", path+"/logo", s.c.Token, apptest.Object{
		"fileBase64":  base64.StdEncoding.EncodeToString(picture(s.t)),
		"fileName":    "logo.png",
		"contentType": "image/png",
	}).OK(200)
}

// TestPagesWearTheBrandOfWhoAsks shows name, colour and logo, with the verified name beside them. The policy allows the
// one style and the one picture, and nothing more.
func TestPagesWearTheBrandOfWhoAsks(t *testing.T) {
	each(t, func(t *testing.T, s *scene) {
		s.brand(`North<b>wind</b>`, "#7a1fa2")
		address, id := s.link(asked("anna@example.com"))
		g := s.guest()
		page := g.send("/i/open", "code", address).on(200, "/i/"+id+"/you")

		require.Contains(t, page.Body, html.EscapeString("North<b>wind</b>"))
		require.Contains(t, page.Body, "Invoice for <strong>Northwind Trading AG</strong>", "the verified name")
		require.Contains(t, page.Body, `<img src="data:image/png;base64,`)

		_, style, found := strings.Cut(page.Body, "<style>")
		require.True(t, found)
		style, _, _ = strings.Cut(style, "</style>")
		require.Equal(t, ":root { --own: #7a1fa2 }", style)

		sum := sha256.Sum256([]byte(style))
		policy := page.Header.Get("Content-Security-Policy")
		require.Contains(t, policy, "style-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		require.Contains(t, policy, "img-src data:")
		require.NotContains(t, policy, "unsafe")

		asking := s.mailTo("anna@example.com")
		require.Contains(t, asking.HTML, `<img class="logo" src="data:image/png;base64,`, "and so does the mail")
		require.Contains(t, asking.HTML, ".button{background:#7a1fa2}")
		require.Contains(t, asking.Subject, "Northwind Trading AG", "the verified name")
	})
}

// TestBrandedPagesPlease takes pictures, and requires that the browser complains about nothing.
func TestBrandedPagesPlease(t *testing.T) {
	b := browsertest.Start(t)
	s := newScene(t, apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t)))
	s.brand("Northwind", "#7a1fa2")

	for name, look := range looks() {
		t.Run(name, func(t *testing.T) {
			address, _ := s.link(wish("anna.keller@example.com"))
			p := b.Page(t, look)
			p.Open(address)

			if look.NoScript {
				p.Fill("#code", address)
				p.Submit()
			}

			p.Await("main[data-step=you]")
			p.Fits()
			p.Shot("you")
			require.Empty(t, p.Complaints())

			if !look.NoScript {
				require.True(
					t,
					p.Holds("getComputedStyle(document.querySelector('.own')).backgroundColor === 'rgb(122, 31, 162)'"),
				)
			}
		})
	}
}
