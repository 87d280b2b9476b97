//go:build !nosandbox && !noconsole

package console_test

import (
	"encoding/base32"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
	"slipway/internal/standards/otp"
)

// TestAMemberSignsOutEverywhere ends all sessions from one of two browsers. Neither is signed in afterwards, and what a
// program holds goes on.
func TestAMemberSignsOutEverywhere(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	p := b.Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/me"))
	p.Await("main h1")
	other := b.Page(t, browsertest.Phone())
	s.signIn(other, s.c, nil, s.path("/me"))
	other.Await("main h1")

	const opener = "section header > .button.danger"

	p.Await(opener)
	press(t, p, opener)
	p.Await("dialog[open] button[type=submit], dialog[open] .danger")
	require.Contains(t, p.Text("dialog[open]"), "this one too")
	p.Shot("asked")
	sound(t, p)
	p.TabTo("dialog[open] .actions .button.danger")
	p.Submit()
	require.Contains(t, p.Address(), "/console/session/ended")
	require.Empty(t, p.Complaints())

	p.Open(s.site + s.path("/me"))
	p.Await("input[name=email]")
	s.forget(p, "401")
	other.Open(s.site + s.path("/me"))
	other.Await("input[name=email]")
	require.EqualValues(t, 0, s.h.Count(
		"SELECT count(*) FROM sessions WHERE user_id = ? AND revoked_at = 0", s.c.User,
	))
}

// The selectors of the field for a second factor's code.
const (
	codeDigits  = "input[name='/code'][inputmode=numeric][autocomplete=one-time-code]"
	codeLetters = "input[name='/code'][inputmode=text][autocomplete=off]"
)

// TestAMemberSetsUpAndSwitchesOffByARecoveryCode sets the second factor up in her own settings, by a code pasted with
// blanks, keeps the recovery codes, and without her authenticator switches it off by one of them. The keyboard is
// that of what is asked for, and after a wrong code the field of letters stays and has the focus.
func TestAMemberSetsUpAndSwitchesOffByARecoveryCode(t *testing.T) {
	b := browsertest.Start(t)

	for name, look := range map[string]browsertest.Look{"desk": {}, "phone": browsertest.Phone()} {
		t.Run(name, func(t *testing.T) {
			s := newDoor(t)
			p := b.Page(t, look)
			s.signIn(p, s.c, nil, s.path("/me"))

			const card = "main section.card:first-of-type"

			p.Await(card + " form .button.primary")
			press(t, p, card+" form .button.primary") // the password was given at the door
			p.Await(card + " img")
			secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(p.Text(card + " p.code"))
			require.NoError(t, err)

			s.h.World.Clock.Advance(time.Minute)

			key := otp.Usual(secret)
			shown := key.Code(key.Step(s.h.DB().Now()))

			p.TabTo(codeDigits)
			p.Paste(" " + shown[:3] + " " + shown[3:])
			p.Press(browsertest.Enter)
			p.Await(card + " .codes li")
			require.EqualValues(t, 10, p.Number("document.querySelectorAll('.codes li').length"))
			kept := p.Text(card + " .codes li")
			p.Shot("codes")
			sound(t, p)

			p.Open(s.site + s.path("/me"))
			p.Await(card + " " + codeDigits)
			require.Empty(t, p.Text(".codes"), "they are shown once")
			press(t, p, card+" form .link")
			p.Await(codeLetters + ":focus")
			require.Contains(t, p.Text(card+" .field"), "Recovery code")
			p.Shot("recovery")
			sound(t, p)

			p.Type("wrong")
			p.Press(browsertest.Enter)
			p.Await(card + " .refusal")
			p.Complained("403")
			p.Await(codeLetters + ":focus")

			press(t, p, card+" form .link")
			p.Await(codeDigits + ":focus")
			press(t, p, card+" form .link")
			p.Await(codeLetters + ":focus")
			p.Paste(" " + strings.ToUpper(strings.ReplaceAll(kept, "-", " ")) + " ")
			p.Press(browsertest.Enter)
			p.Await(card + " form .button.primary")
			require.EqualValues(t, 0, s.h.Count(
				"SELECT count(*) FROM two_factors WHERE user_id = ? AND enabled_at > 0", s.c.User,
			))
			sound(t, p)
		})
	}
}
