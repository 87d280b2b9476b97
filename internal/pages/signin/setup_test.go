package signin_test

import (
	"html"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
)

var (
	addressField = regexp.MustCompile(`name="address" value="([^"]+)"`)
	recoveryCode = regexp.MustCompile(`<li>([0-9a-z]{4}-[0-9a-z]{4})</li>`)
)

// mustHaveSecond registers a person of whom a second factor is asked.
func (b *browser) mustHaveSecond(email string) {
	b.Register(email)
	b.Exec("UPDATE users SET two_factor_required = TRUE WHERE email = ?", email)
}

// secretOf returns the address that the page of the set-up shows as a picture.
func secretOf(a identitytest.Answer) string {
	a.T.Helper()

	m := addressField.FindStringSubmatch(a.Raw)
	require.NotNil(a.T, m, a.Raw)
	require.Contains(a.T, a.Raw, `<img src="data:image/png;base64,`)

	return html.UnescapeString(m[1])
}

// Whoever must have a second factor types the password once, scans, types a code, keeps the recovery codes, and is in.
func TestSecondFactorThatIsAskedForIsSetUpAtTheSignIn(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		b.mustHaveSecond("ada@example.com")

		page := b.ask("/console/session", as("ada@example.com", identitytest.Password, "/console/ops")).OK(200)
		address := secretOf(page)
		app := b.AppAt(address)
		b.calls().Refused(403, "TWO_FACTOR_SETUP_REQUIRED")

		form := url.Values{"code": {"000000"}, "address": {address}, "next": {"/console/ops"}}
		wrong := b.ask("/console/session/setup/verify", form).OK(403)
		require.Equal(t, address, secretOf(wrong), "the picture stays the same")
		require.Contains(t, wrong.Raw, "The code is wrong")

		before := b.jar["__Host-slipway"]
		form.Set("code", app.Code())
		done := b.ask("/console/session/setup/verify", form).OK(200)
		codes := recoveryCode.FindAllStringSubmatch(done.Raw, -1)
		require.Len(t, codes, 10)
		require.Contains(t, done.Raw, `href="/console/ops"`)
		require.Equal(t, "no-store", done.Header.Get("Cache-Control"))
		require.NotEqual(t, before, b.jar["__Host-slipway"], "the proof makes another cookie")
		b.calls().OK(200)

		// A second time there is nothing to set up, and the codes are not shown again.
		b.ask("/console/session/setup/verify", form).OK(401)
		leads(b.ask("/console/session/setup", url.Values{"password": {identitytest.Password}}), "/console")

		b.ask("/console/session/end", url.Values{}).OK(303)
		leads(b.ask("/console/session", as("ada@example.com", identitytest.Password, "")),
			"/console/session/second?next=%2Fconsole")
		leads(b.ask("/console/session/second", url.Values{"code": {codes[0][1]}}), "/console")
	})
}

// A session alone is not enough to set a second factor up before its owner does.
func TestSetUpAsksForThePasswordAgain(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		b.mustHaveSecond("ada@example.com")
		b.ask("/console/session", as("ada@example.com", identitytest.Password, "")).OK(200)

		require.Contains(t, b.ask("/console/session/setup", nil).OK(200).Raw, `type="password"`)
		require.Contains(
			t,
			b.ask("/console/session/setup", url.Values{"password": {"wrong"}}).OK(422).Raw,
			`role="alert"`,
		)
		require.NotContains(t, b.ask("/console/session/setup", url.Values{"password": {"wrong"}}).Raw, "data:image/png")
		secretOf(b.ask("/console/session/setup", url.Values{"password": {identitytest.Password}}).OK(200))

		b.jar = map[string]string{}
		b.ask("/console/session/setup", url.Values{"password": {identitytest.Password}}).OK(401)
		b.ask("/console/session/setup/verify", url.Values{"code": {"000000"}}).OK(401)
	})
}

// What a form sends as the secret to be drawn again is drawn only if it is one.
func TestNothingButASecretIsDrawnAgain(t *testing.T) {
	each(t, func(t *testing.T, b *browser) {
		b.mustHaveSecond("ada@example.com")
		b.ask("/console/session", as("ada@example.com", identitytest.Password, "")).OK(200)

		for _, address := range []string{"", "https://evil.example/?secret=x", "otpauth://totp/x", "otpauth://%zz"} {
			form := url.Values{"code": {"000000"}, "address": {address}}
			require.NotContains(t, b.ask("/console/session/setup/verify", form).OK(403).Raw, "data:image/png", address)
		}
	})
}
