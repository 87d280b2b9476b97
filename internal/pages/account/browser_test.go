//go:build !nosandbox

package account_test

import (
	"encoding/base32"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/standards/otp"
)

// guest has an account with a second factor and an invitation into another organisation, on a service that listens.
type guest struct {
	*apptest.Client
	h        *apptest.Harness
	at       string
	host     *apptest.Client
	token    string // of the invitation
	key      otp.Key
	recovery []string
}

// ServeHTTP answers by the service.
func (g *guest) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.h.App.Handler.ServeHTTP(w, r) }

// newGuest returns one on a service of his own.
func newGuest(t *testing.T) *guest {
	t.Helper()

	g := &guest{h: apptest.New(t, apptest.Config{}, "sqlite:"+dbtest.SQLiteFile(t))}
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	g.at = server.URL
	g.host = g.h.Client("Northwind Trading")
	g.Client = g.h.Client("Contoso")

	var made struct {
		Secret string `json:"secret"`
	}
	g.Do("POST", "/auth/2fa/generate", apptest.Object{"password": apptest.Password}).OK(200).Into(&made)
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(made.Secret)
	require.NoError(t, err)

	g.key = otp.Usual(secret)

	var kept struct {
		Codes []string `json:"recoveryCodes"`
	}
	g.Do("POST", "/auth/2fa/verify", apptest.Object{"code": g.code()}).OK(200).Into(&kept)
	g.recovery = kept.Codes

	var invited struct {
		Token string `json:"token"`
	}
	invitation := apptest.Object{"email": g.Email, "roles": []string{"viewer"}}
	g.host.Do("POST", "/organisations/"+g.host.Org+"/invitations", invitation).OK(201).Into(&invited)
	g.token = invited.Token

	return g
}

// code returns what his authenticator shows, a minute later: a code works once.
func (g *guest) code() string {
	g.h.World.Clock.Advance(time.Minute)
	return g.key.Code(g.key.Step(g.h.DB().Now()))
}

// opens follows the link of the mail and signs in with the password.
func (g *guest) opens(p *browsertest.Page) {
	p.Open(g.at + "/account/join#" + g.token)
	p.Await("#firstName")
	p.TabTo("#form .plain")
	p.Press(browsertest.Enter)
	p.Await("#password[autocomplete=current-password]")
	p.Fill("#email", g.Email)
	p.Fill("#password", apptest.Password)
	p.Press(browsertest.Enter)
}

// joined requires that he is a member of the other organisation, and that the page says so.
func (g *guest) joined(t *testing.T, p *browsertest.Page) {
	t.Helper()
	p.Await("#said.good:focus")
	require.EqualValues(t, 1, g.h.Count(
		"SELECT count(*) FROM members WHERE organisation = ? AND user_id = ?", g.host.Org, g.User,
	))
	p.Fits()
	p.Accessible()
	require.Empty(t, p.Complaints())
}

// The selectors of the field for the second factor's code, and of the button that sends it.
const (
	digits = "#code[inputmode=numeric][autocomplete=one-time-code]"
	letter = "#code[autocomplete=off]:not([inputmode=numeric])"
	sends  = "#form > button:not(.plain)"
	amiss  = "#said.wrong:not(:empty)"
)

// eachAtTheCode runs a test on a desk and on a telephone, with a guest at the field for the second factor's code.
func eachAtTheCode(t *testing.T, f func(t *testing.T, g *guest, p *browsertest.Page)) {
	t.Helper()

	b := browsertest.Start(t)

	for name, look := range map[string]browsertest.Look{"desk": {}, "phone": browsertest.Phone()} {
		t.Run(name, func(t *testing.T) {
			g := newGuest(t)
			p := b.Page(t, look)
			g.opens(p)
			p.Await(digits + ":focus")
			f(t, g, p)
		})
	}
}

// TestAGuestJoinsByACodeWithBlanks joins with the account that he has: the code of his authenticator is pasted as it
// displays it, in two groups. What is missing is said at the field, and the field has the focus.
func TestAGuestJoinsByACodeWithBlanks(t *testing.T) {
	eachAtTheCode(t, func(t *testing.T, g *guest, p *browsertest.Page) {
		p.TabTo(sends)
		p.Press(browsertest.Enter)
		p.Await("#code[aria-invalid=true]:focus")
		require.Equal(t, "Fill this in.", p.Text("#wrong-code"))
		p.Shot("missing")

		shown := g.code()
		p.Paste(" " + shown[:3] + " " + shown[3:])
		p.Press(browsertest.Enter)
		g.joined(t, p)
	})
}

// TestAGuestJoinsByARecoveryCode has lost his authenticator: the keys alone lead to a field with letters and back, and
// after a wrong code the focus stays where it was, on the button or in the field.
func TestAGuestJoinsByARecoveryCode(t *testing.T) {
	eachAtTheCode(t, func(t *testing.T, g *guest, p *browsertest.Page) {
		p.Type("wrong")
		p.TabTo(sends)
		p.Press(browsertest.Enter)
		p.Await(amiss)
		p.Complained("403")
		p.Await(sends + ":focus")

		p.TabTo("#form .plain")
		p.Press(browsertest.Enter)
		p.Await(letter + ":focus")
		require.Equal(t, "Recovery code", p.Text("label[for=code]"))
		require.Empty(t, p.Text("#said"), "that was another field's")
		p.Shot("recovery")

		p.Type("wrong")
		p.Press(browsertest.Enter)
		p.Await(amiss)
		p.Complained("403")
		p.Await(letter + ":focus")

		p.TabTo("#form .plain")
		p.Press(browsertest.Enter)
		p.Await(digits + ":focus")
		p.TabTo("#form .plain")
		p.Press(browsertest.Enter)
		p.Await(letter + ":focus")

		p.Paste(" " + strings.ToUpper(strings.ReplaceAll(g.recovery[0], "-", " ")) + " ")
		p.Press(browsertest.Enter)
		g.joined(t, p)
	})
}
