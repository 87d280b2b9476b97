//go:build !nosandbox

package matrix

import (
	"context"
	"encoding/base32"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/id"
	"slipway/internal/identity/passkey"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/web"
	"slipway/internal/standards/otp"
)

// credential makes what opens or ends something, of a fresh person where it is used up. What belongs together is made
// together.
func (s *stage) credential(caller *person, name string, v values) string {
	switch name {
	case "CONFIRMTOKEN":
		return s.link("confirm", s.someone("unconfirmed"))
	case "RESETTOKEN":
		return s.link("reset", s.someone("forgetful"))

	case "COMPLETETOKEN":
		p := s.someone("incomplete")
		s.exec("DELETE FROM passwords WHERE user_id = (SELECT id FROM users WHERE email = ?)", p.email)
		s.exec("UPDATE users SET is_account_setup = FALSE WHERE email = ?", p.email)

		return s.link("complete", p)

	case "TEMPTOKEN", "CODE":
		v["TEMPTOKEN"], v["CODE"] = s.secondStep(s.signedIn("careful"))

	case "CLIENT", "CLIENTSECRET":
		a := s.send(call{
			method: "POST",
			path:   "/auth/api-key",
			token:  s.host.admin,
			body:   `{"password":"` + password + `"}`,
		}).is(200)

		s.exec(
			`UPDATE api_clients SET revoked_at = created_at
				WHERE id <> ? AND user_id = (SELECT user_id FROM api_clients WHERE id = ?)`,
			a.text("clientId"),
			a.text("clientId"),
		)

		v["CLIENT"] = a.text("clientId")
		v["CLIENTSECRET"] = a.text("secret")
		s.secrets = append(s.secrets, a.text("secret"))

	case "SESSION":
		return s.spareSession(caller)
	case "PASSKEY":
		return s.sparePasskey(caller)
	case "PERSON":
		return s.someone("mailed").email

	case "SECUREDID":
		p := s.signedIn("secured")
		s.secondStep(p)

		return s.idOf(p.email)

	case "PERSONID":
		return s.idOf(s.someone("switched").email)
	}

	return v[name]
}

func (s *stage) idOf(email string) string {
	id, err := db.Value[string](context.Background(), s.app.DB, "SELECT id FROM users WHERE email = ?", email)
	require.NoError(s.t, err)
	return id
}

// link makes the token of a mail without the mail.
func (s *stage) link(purpose string, p *person) string {
	token := secret.Token("lk_")
	s.secrets = append(s.secrets, token)
	now := s.app.DB.Now()
	s.exec(
		"INSERT INTO link_tokens (hash, purpose, user_id, expires_at, created_at) VALUES (?, ?, ?, ?, ?)",
		digestOf(token),
		purpose,
		s.idOf(p.email),
		db.Micros(now.Add(time.Hour)),
		db.Micros(now),
	)

	return token
}

// stopToken is that of the link of a mail to a fresh person, which ends the news of the service.
func (s *stage) stopToken() string {
	p := s.someone("told")
	_, token, _ := strings.Cut(
		s.app.Preferences.StopLink(s.idOf(p.email), p.email, mail.Product, s.app.DB.Now()),
		"token=",
	)
	s.secrets = append(s.secrets, token)

	return token
}

// client is an API client that acts for a person within scopes; none: all of them.
func (s *stage) client(p *person, scopes string) *person {
	made := s.send(call{
		method: "POST",
		path:   "/auth/api-key",
		token:  p.token,
		body:   `{"password":"` + password + `","scopes":[` + scopes + `]}`,
	}).is(200)
	s.secrets = append(s.secrets, made.text("secret"))
	token := s.send(call{
		method: "POST",
		path:   "/auth/token",
		body:   `{"clientId":"` + made.text("clientId") + `","secret":"` + made.text("secret") + `"}`,
	}).is(200).text("access_token")

	return &person{email: p.email, token: token, home: p.home}
}

// secondStep gives a person a second factor and signs him in to where only a code is missing.
func (s *stage) secondStep(p *person) (temp, code string) {
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(s.send(call{
		method: "POST",
		path:   "/auth/2fa/generate",
		token:  p.token,
		body:   `{"password":"` + password + `"}`,
	}).is(200).text("secret"))
	require.NoError(s.t, err)
	key := otp.Usual(raw)
	step := key.Step(s.app.DB.Now())
	s.send(call{
		method: "POST",
		path:   "/auth/2fa/verify",
		token:  p.token,
		body:   `{"code":"` + key.Code(step-1) + `"}`,
	}).is(200)
	temp = s.send(call{
		method: "POST",
		path:   "/auth/login",
		body:   `{"email":"` + p.email + `","password":"` + password + `"}`,
	}).is(200).text("tempToken")
	s.secrets = append(s.secrets, temp, digestOf(temp))

	return temp, key.Code(key.Step(s.app.DB.Now()))
}

// spareSession is a second session of the caller, or of somebody where nobody calls.
func (s *stage) spareSession(caller *person) string {
	email := caller.email
	if email == "" {
		email = s.cast["viewer"].email
	}

	s.made++
	id := "ses_spare" + time.Duration(s.made).String()
	s.exec(
		`INSERT INTO sessions (id, user_id, generation, rotated_at, rotated_source, expires_at, created_at)
			VALUES (?, ?, 1, 1, '', ?, 1)`,
		id,
		s.idOf(email),
		db.Micros(s.app.DB.Now().Add(time.Hour)),
	)

	return id
}

// sparePasskey is a second passkey of the caller, or of somebody where nobody calls: no device holds it.
func (s *stage) sparePasskey(caller *person) string {
	email := caller.email
	if email == "" {
		email = s.cast["viewer"].email
	}

	var spare string
	for range 2 {
		spare = id.New(passkey.Prefix, s.app.DB.Now())
		s.exec(
			`INSERT INTO passkeys (id, user_id, credential, public_key, backup_eligible, backed_up, sign_count, name,
				version, created_at)
				VALUES (?, ?, ?, '', FALSE, FALSE, 0, 'Spare', 1, ?)`,
			spare,
			s.idOf(email),
			spare,
			db.Micros(s.app.DB.Now()),
		)
	}

	return spare
}

// stale is an admin who may accept, and who has proven his second factor too long ago. code proves it.
func (s *stage) stale(home *tenant) (p *person, code func() string) {
	p = s.member(home, "careful", `"admin", "initiator"`, "authorized")
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(s.send(call{
		method: "POST",
		path:   "/auth/2fa/generate",
		token:  p.token,
		body:   `{"password":"` + password + `"}`,
	}).is(200).text("secret"))
	require.NoError(s.t, err)
	key := otp.Usual(raw)
	code = func() string {
		s.app.DB.Clock().Advance(time.Minute)
		return key.Code(key.Step(s.app.DB.Now()))
	}
	s.send(call{method: "POST", path: "/auth/2fa/verify", token: p.token, body: `{"code":"` + code() + `"}`}).is(200)
	s.app.DB.Clock().Advance(11 * time.Minute)

	return p, code
}

// TestWhatAsksForARecentSecondFactor calls every route with a session that proved its second factor eleven
// minutes ago: whatever moves money, gives power or says where money goes is refused, and nothing else.
func TestWhatAsksForARecentSecondFactor(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		home := s.cast["admin"].home
		p, _ := s.stale(home)

		var asked []string
		for _, r := range s.requests() {
			if r.access == web.Public || r.access == web.Staff || r.access == web.Operator ||
				strings.HasPrefix(r.path, "/sandbox/") ||
				r.path == "/auth/logout" {
				continue
			}

			if s.do(r.call(s.fill(r, home, p), p)).code() == "STEP_UP_REQUIRED" {
				asked = append(asked, r.route)
			}
		}

		require.ElementsMatch(t, []string{
			"POST /transactions/{id}/accept",
			"POST /transactions/{id}/agree",
			"POST /schedules/{id}/accept",
			"POST /payables/{id}/approve",
			"POST /payables/approve",
			"POST /payables/{id}/reopen",
			"POST /payables/invoice-links/{tokenId}/confirm",
			"PATCH /bank-accounts/{id}",
			"PATCH /wallets/{id}",
			"PATCH /receivers/{id}",
			"POST /auth/api-key",
			"POST /chat-channels",
			"PATCH /chat-channels/{id}",
			"POST /webhook-endpoints",
			"PATCH /webhook-endpoints/{id}",
			"POST /webhook-endpoints/{id}/rotate-secret",
			"POST /auth/2fa/generate",
			"POST /auth/passkeys/options",
			"DELETE /auth/passkeys/{id}",
			"POST /auth/change-email",
			"PATCH /organisations/{id}/members/{memberId}",
			"POST /organisations/{id}/invitations",
			"POST /organisations/{id}/invitations/{invitationId}/resend",
			"PUT /organisations/{id}/approval-policy",
			"PUT /organisations/{id}/sign-on",
			"DELETE /organisations/{id}/sign-on",
			"POST /organisations/{id}/sign-on/domains",
			"POST /organisations/{id}/sign-on/domains/{domainId}/check",
			"DELETE /organisations/{id}/sign-on/domains/{domainId}",
			"DELETE /organisations/{id}/sign-on/links/{linkId}",
			"POST /organisations/{id}/sign-on/scim-token",
			"DELETE /organisations/{id}/sign-on/scim-token",
			"POST /approvals/{id}/approve",
			"POST /approvals/{id}/reject",
		}, asked)
	})
}

// TestAcceptAsksForARecentSecondFactor: of people who have one. An API client needs the scope instead.
func TestAcceptAsksForARecentSecondFactor(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		home := s.cast["admin"].home
		p, code := s.stale(home)
		id := s.waiting(home)
		accept := func(token string, header map[string]string) answer {
			return s.do(call{method: "POST", path: "/transactions/" + id + "/accept", token: token, header: header})
		}
		require.Equal(t, "STEP_UP_REQUIRED", accept(p.token, nil).is(403).code())
		require.Equal(
			t,
			"TWO_FACTOR_CODE_INVALID",
			accept(p.token, map[string]string{"X-2FA-Code": "000000"}).is(403).code(),
		)
		require.Equal(t, "WAITING_ACCEPTANCE", s.send(call{
			method: "GET",
			path:   "/transactions/" + id,
			token:  p.token,
		}).is(200).text("status"))
		keyed := map[string]string{"X-2FA-Code": code(), "Idempotency-Key": "once"}
		first := accept(p.token, keyed).is(200)
		require.Equal(t, first.raw, accept(p.token, keyed).is(200).raw, "the repeated request needs no second code")

		writer := s.client(p, `"read","write"`).token
		payer := s.client(p, `"transactions:accept"`).token
		id = s.waiting(home)
		require.Equal(t, "SCOPE_REQUIRED", accept(writer, nil).is(403).code())
		accept(payer, nil).is(200)
		require.Equal(t, "SCOPE_REQUIRED", s.do(call{
			method: "GET",
			path:   "/transactions/" + id,
			token:  payer,
		}).is(403).code())
	})
}
