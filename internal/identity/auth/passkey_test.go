package auth_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/passkey"
	"slipway/internal/platform/web"
)

func TestPasskeyIsASecondFactorAndSignsInAlone(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		other := w.Login(ada)
		d := w.Device()

		w.DB.Clock().Advance(auth.PasswordLifetime + time.Second)
		w.Do("POST", "/auth/passkeys/options", s.Access, "{}").Refused(403, "STEP_UP_REQUIRED")
		w.Do("POST", "/auth/passkeys/options", s.Access, `{"password":"wrong horse wrong"}`).
			Refused(422, "CREDENTIALS_INVALID", "/password CREDENTIALS_INVALID")

		added := w.AddPasskey(s.Access, " Work laptop ", d).OK(201)
		require.Equal(t, "Work laptop", added.Text("name"))
		require.Nil(t, added.Body["lastUsedAt"])
		require.Len(t, added.Body["recoveryCodes"], 10, "the first second factor")
		require.Contains(t, w.Mails(ada)[0].Text, "the passkey “Work laptop” was added")
		w.Do("GET", "/users/me", other.Access, "").Refused(401, "TOKEN_INVALID")
		require.Equal(t, true, w.Do("GET", "/users/me", s.Access, "").OK(200).Body["twoFactorEnabled"])

		temp := w.Temp(ada)
		asked := w.Do("POST", "/auth/passkeys/login-options", "", fmt.Sprintf(`{"tempToken":%q}`, temp)).OK(200)
		proof := fmt.Sprintf(`{"tempToken":%q,"passkey":%s}`, temp, d.Answer(identitytest.OptionsOf(asked)))
		w.Do("POST", "/auth/2fa/login", "", proof).OK(200)
		w.Do("POST", "/auth/2fa/login", "", proof).Refused(401, "TOKEN_INVALID")

		alone := w.LoginByPasskey(d).OK(200)
		token := alone.Text("access_token")
		list := w.Do("GET", "/auth/passkeys", token, "").OK(200).Results()
		require.Len(t, list, 1)
		require.NotNil(t, list[0]["lastUsedAt"])

		// The sign-in was two factors: what asks for a recent one is open, and closes with time.
		w.Do("POST", "/auth/passkeys/options", token, "").OK(200)
		w.DB.Clock().Advance(web.StepUpLifetime + time.Minute)
		w.Do("POST", "/auth/passkeys/options", token, "").Refused(403, "STEP_UP_REQUIRED")
		w.Do("POST", "/auth/2fa/step-up", token, w.PasskeyProof(token, d)).OK(200)
		w.Do("POST", "/auth/passkeys/options", token, "").OK(200)
	})
}

func TestPasskeyThatDoesNotFitIsRefused(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		d := w.Device()
		w.AddPasskey(s.Access, "Phone", d).OK(201)

		asked := identitytest.OptionsOf(w.Do("POST", "/auth/passkeys/login-options", "", "").OK(200))
		attempt := func(answer string) identitytest.Answer {
			return w.Do("POST", "/auth/passkeys/login", "", `{"credential":`+answer+`}`)
		}
		refused := func(a identitytest.Answer) { t.Helper(); a.Refused(403, "PASSKEY_INVALID") }

		answer := d.Answer(asked)
		attempt(answer).OK(200)
		refused(attempt(answer)) // a challenge is answered once

		late := d.Answer(identitytest.OptionsOf(w.Do("POST", "/auth/passkeys/login-options", "", "").OK(200)))
		w.DB.Clock().Advance(passkey.ChallengeLifetime)
		refused(attempt(late))

		phishing := *d
		phishing.Origin = "https://pay.example.org.evil.example"
		refused(w.LoginByPasskey(&phishing))

		touched := *d
		touched.Unverified = true
		refused(w.LoginByPasskey(&touched))

		// Made for one session, an answer proves nothing in another, and does not sign in.
		session := w.LoginByPasskey(d).OK(200).Text("access_token")
		second := w.LoginByPasskey(d).OK(200).Text("access_token")
		proof := w.PasskeyProof(session, d)
		refused(w.Do("POST", "/auth/2fa/step-up", second, proof))
		refused(attempt(strings.TrimSuffix(strings.TrimPrefix(w.PasskeyProof(session, d), `{"passkey":`), "}")))
		w.Do("POST", "/auth/2fa/step-up", session, proof).OK(200)

		// Another person's passkey proves nothing.
		eve := w.Someone("eve@example.com").Access
		evil := w.Device()
		w.AddPasskey(eve, "Phone", evil).OK(201)
		own := identitytest.OptionsOf(w.Do("POST", "/auth/passkeys/challenge", session, "").OK(200))
		stranger := strings.Replace(own, `"allowCredentials"`, `"ignored"`, 1)
		refused(w.Do("POST", "/auth/2fa/step-up", session, `{"passkey":`+evil.Answer(stranger)+`}`))

		for _, nonsense := range []string{`{}`, `{"id":"x","response":{}}`} {
			refused(attempt(nonsense))
		}

		attempt(`"text"`).Refused(400, "TYPE_MISMATCH", "/credential TYPE_MISMATCH")
		w.Do("POST", "/auth/2fa/step-up", session, `{}`).Refused(422, "REQUIRED", "/code REQUIRED")
		w.Do("POST", "/auth/2fa/step-up", session, `{"code":"1","passkey":{}}`).
			Refused(422, "NOT_ALLOWED", "/passkey NOT_ALLOWED")
		w.Do("POST", "/auth/passkeys/login-options", "", `{"tempToken":"tt_no"}`).Refused(401, "TOKEN_INVALID")
	})
}

func TestCopiedPasskeyIsRefusedAndItsOwnerTold(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := w.Device()
		d.Count = 7
		w.AddPasskey(w.Someone(ada).Access, "Key ring", d).OK(201)

		d.Count = 8
		w.LoginByPasskey(d).OK(200)

		d.Count = 8
		w.LoginByPasskey(d).Refused(403, "PASSKEY_COPIED")
		require.Contains(t, w.Mails(ada)[0].Text, "the passkey “Key ring” was refused")
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM audit_log WHERE action = 'passkey.copied'"))

		d.Count = 9
		w.LoginByPasskey(d).OK(200)
	})
}

func TestPasskeyUsesATempTokenUp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := w.Device()
		w.AddPasskey(w.Someone(ada).Access, "Phone", d).OK(201)
		temp := w.Temp(ada)
		ask := func() identitytest.Answer {
			return w.Do("POST", "/auth/passkeys/login-options", "", fmt.Sprintf(`{"tempToken":%q}`, temp))
		}

		touched := *d
		touched.Unverified = true

		for range 5 {
			w.Do(
				"POST",
				"/auth/2fa/login",
				"",
				fmt.Sprintf(
					`{"tempToken":%q,"passkey":%s}`,
					temp,
					touched.Answer(identitytest.OptionsOf(ask().OK(200))),
				),
			).
				Refused(403, "PASSKEY_INVALID")
		}

		ask().Refused(401, "TOKEN_INVALID")
	})
}

func TestPasskeysAreNamedAndDeleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		d := w.Device()
		first := w.AddPasskey(s.Access, "Phone", d).OK(201).Text("_id")
		path := "/auth/passkeys/" + first

		w.Do("PATCH", path, s.Access, `{"name":" "}`).Refused(422, "REQUIRED", "/name REQUIRED")
		w.Do("PATCH", path, s.Access, `{"name":"`+strings.Repeat("x", 61)+`"}`).Refused(422, "TOO_LONG")
		w.Do("PATCH", path, s.Access, `{"name":"Tablet"}`, identitytest.Header{Name: "If-Match", Value: `"9"`}).
			Refused(412, "VERSION_MISMATCH")
		renamed := w.Do("PATCH", path, s.Access, `{"name":"Tablet"}`).OK(200)
		require.Equal(t, "Tablet", renamed.Text("name"))
		require.EqualValues(t, 2, renamed.Body["version"])

		eve := w.Someone("eve@example.com").Access
		w.Do("PATCH", path, eve, `{"name":"Mine"}`).Refused(404, "NOT_FOUND")
		w.Do("DELETE", path, eve, "").Refused(404, "NOT_FOUND")
		require.Empty(t, w.Do("GET", "/auth/passkeys", eve, "").OK(200).Results())

		w.Do("DELETE", path, s.Access, "").Refused(409, "LAST_SECOND_FACTOR")

		w.AddPasskey(s.Access, "Laptop", w.Device()).OK(201)
		w.Do("DELETE", path, s.Access, "").OK(204)
		require.Contains(t, w.Mails(ada)[0].Text, "the passkey “Tablet” was deleted")
		w.Do("DELETE", path, s.Access, "").Refused(404, "NOT_FOUND")
		w.LoginByPasskey(d).Refused(403, "PASSKEY_INVALID")
	})
}

func TestPasskeyStandsBesideAnAuthenticatorApp(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		d := w.Device()
		w.AddPasskey(s.Access, "Phone", d).OK(201)

		// Without an app no code of one is right, also not one of an empty secret.
		w.Do("POST", "/auth/2fa/step-up", s.Access, code("328482")).Refused(403, "TWO_FACTOR_CODE_INVALID")

		app := w.AppOf(w.Do("POST", "/auth/2fa/generate", s.Access, "").OK(200))
		w.Do("POST", "/auth/2fa/verify", s.Access, code(app.Code())).OK(200)
		w.LoginWith(ada, app.Code())

		id := w.Do("GET", "/auth/passkeys", s.Access, "").OK(200).Results()[0]["_id"].(string)
		w.Do("DELETE", "/auth/passkeys/"+id, s.Access, "").OK(204)
		w.LoginWith(ada, app.Code())
	})
}

func TestSwitchingOffDeletesPasskeys(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		d := w.Device()
		w.AddPasskey(s.Access, "Phone", d).OK(201)

		w.Do("POST", "/auth/2fa/disable", s.Access, w.PasskeyProof(s.Access, d)).OK(200)
		require.Equal(t, false, w.Do("GET", "/users/me", s.Access, "").OK(200).Body["twoFactorEnabled"])
		w.LoginByPasskey(d).Refused(403, "PASSKEY_INVALID")
		w.Login(ada)
		w.Do("POST", "/auth/passkeys/challenge", s.Access, "").Refused(409, "PASSKEY_NONE")

		again := w.AddPasskey(s.Access, "Phone", d).OK(201)
		require.Len(t, again.Body["recoveryCodes"], 10)
	})
}

func TestPasskeyDoesNotOpenAnAccountThatIsOff(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		d := w.Device()
		w.AddPasskey(w.Someone(ada).Access, "Phone", d).OK(201)
		w.Exec("UPDATE users SET is_active = FALSE")
		w.LoginByPasskey(d).Refused(403, "ACCOUNT_INACTIVE")
	})
}

func TestPasskeysHaveABoundAndNeedAName(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		d := w.Device()

		for range passkey.Most {
			w.AddPasskey(s.Access, "Phone", d).OK(201)
		}

		w.Do("POST", "/auth/passkeys/options", s.Access, "").Refused(409, "PASSKEY_LIMIT")
	})
}
