//go:build !nosandbox

package matrix

import (
	"context"
	"encoding/base32"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/standards/otp"
)

// credential makes what opens or ends something, of a fresh person where it is used up. What belongs together is made together.
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
		v["TEMPTOKEN"], v["CODE"] = s.secondStep()
	case "CLIENT", "CLIENTSECRET":
		a := s.send(call{method: "POST", path: "/auth/api-key", token: s.host.admin}).is(200)
		s.exec("UPDATE api_clients SET revoked_at = created_at WHERE id <> ? AND user_id = (SELECT user_id FROM api_clients WHERE id = ?)", a.text("clientId"), a.text("clientId"))
		v["CLIENT"], v["CLIENTSECRET"] = a.text("clientId"), a.text("secret")
		s.secrets = append(s.secrets, a.text("secret"))
	case "SESSION":
		return s.spareSession(caller)
	case "PERSON":
		return s.someone("mailed").email
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
	s.exec("INSERT INTO link_tokens (hash, purpose, user_id, expires_at, created_at) VALUES (?, ?, ?, ?, ?)", digestOf(token), purpose, s.idOf(p.email),
		db.Micros(now.Add(time.Hour)), db.Micros(now))
	return token
}

// secondStep brings a fresh person to where only a code is missing.
func (s *stage) secondStep() (temp, code string) {
	p := s.signedIn("careful")
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(s.send(call{method: "POST", path: "/auth/2fa/generate", token: p.token}).is(200).text("secret"))
	require.NoError(s.t, err)
	key := otp.Usual(raw)
	step := key.Step(s.app.DB.Now())
	s.send(call{method: "POST", path: "/auth/2fa/verify", token: p.token, body: `{"code":"` + key.Code(step-1) + `"}`}).is(200)
	temp = s.send(call{method: "POST", path: "/auth/login", body: `{"email":"` + p.email + `","password":"` + password + `"}`}).is(200).text("tempToken")
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
	s.exec("INSERT INTO sessions (id, user_id, generation, rotated_at, rotated_source, expires_at, created_at) VALUES (?, ?, 1, 1, '', ?, 1)", id, s.idOf(email),
		db.Micros(s.app.DB.Now().Add(time.Hour)))
	return id
}
