//go:build !nosandbox && !noconsole

package console_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db/dbtest"
)

// newNamedStage is newStage under a host name, in a world of some kind: browsers make no passkey for an IP address.
func newNamedStage(t *testing.T, c apptest.Config) *stage {
	t.Helper()

	s := &stage{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.site = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)

	c.Environ = append(c.Environ, "SLIPWAY_HTTP__BASE_URL="+s.site)
	s.h = apptest.New(t, c, "sqlite:"+dbtest.SQLiteFile(t))
	s.c = s.h.Client("Northwind Trading")
	s.member = s.c

	return s
}

// TestAMemberAddsAPasskeyAndProvesByIt adds one just after the sign-in, and is asked for it ten minutes later.
func TestAMemberAddsAPasskeyAndProvesByIt(t *testing.T) {
	b := browsertest.Start(t)

	for name, look := range map[string]browsertest.Look{"desk": {}, "phone": browsertest.Phone()} {
		t.Run(name, func(t *testing.T) {
			s := newNamedStage(t, apptest.Config{})
			p := b.Page(t, look)
			p.Authenticator()

			p.Open(s.home() + "/me")
			p.TakesPasskeys()
			p.Await("#passkeys form .button")
			p.Fill("#passkeys input[type=text], #passkeys input:not([type])", "Work laptop")
			p.Press(browsertest.Enter) // the password that was given at the door is proof enough
			p.Await("#passkeys td")
			p.Await(".codes")
			require.Contains(t, p.Text("#passkeys table"), "Work laptop")
			p.Shot("added")
			sound(t, p)

			s.h.App.DB.Clock().Advance(11 * time.Minute)
			p.TabTo("#passkeys td .danger")
			p.Press(browsertest.Enter)
			p.Await("dialog[open] .danger")
			p.TabTo("dialog[open] .danger")
			p.Press(browsertest.Enter)
			p.Await("dialog[open] .proof > .link")
			p.Shot("asked")
			p.TabTo("dialog[open] .proof > .link")
			p.Press(browsertest.Enter)
			p.Await("dialog[open] .good")
			p.TabTo("dialog[open] .danger")
			p.Press(browsertest.Enter)
			p.Await("dialog[open] .wrong")
			require.Contains(t, p.Text("dialog[open] .wrong"), "only second factor")
			p.Shot("kept")
			p.Fits()
		})
	}
}

// TestNoPasskeyIsOfferedAtAnAddressWithoutAName opens a member's settings by an IP address, to which no browser binds a
// passkey. They say so, and offer none.
func TestNoPasskeyIsOfferedAtAnAddressWithoutAName(t *testing.T) {
	s := newStage(t)
	p := browsertest.Start(t).Page(t, browsertest.Look{})
	require.Contains(t, s.site, "//127.0.0.1:")

	p.Open(s.home() + "/me")
	p.Await("#passkeys .note")
	require.Contains(t, p.Text("#passkeys .note"), "Open the console by its name")
	require.False(t, p.Holds("!!document.querySelector('#passkeys .button')"))
	sound(t, p)
}
