//go:build !nosandbox

package conformance

import (
	"encoding/base32"
	"fmt"
	"regexp"
	"strings"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/mail"
	"slipway/internal/standards/otp"
)

// newcomer is somebody with an account and no organisation.
type newcomer struct{ email, token, refresh string }

func (s *stage) newEmail() string {
	s.people++
	return fmt.Sprintf("newcomer%d@example.org", s.people)
}

// registration is the body of both registrations.
func registration(email string) apptest.Object {
	return apptest.Object{
		"firstName": "Nora",
		"lastName":  "Muster",
		"email":     email,
		"password":  apptest.Password,
	}
}

// newPerson registers somebody and signs in, by what the interface shows.
func (s *stage) newPerson() newcomer {
	p := newcomer{email: s.newEmail()}
	s.h.Do(s.h.App, "POST", "/auth/register", "", registration(p.email)).OK(200)
	s.h.RunJobs()

	in := s.parse(s.login(p.email))
	p.token = in["access_token"].(string)
	p.refresh = in["refresh_token"].(string)

	return p
}

func (s *stage) newPersonWithOrganisation() *apptest.Client {
	s.people++

	c := s.h.Person(fmt.Sprint("Founder ", s.people))
	c.StaySignedIn()

	return c
}

func (s *stage) login(email string) apptest.Answer {
	return s.h.Do(s.h.App, "POST", "/auth/login", "", apptest.Object{
		"email":    email,
		"password": apptest.Password,
	}).OK(200)
}

var mailedToken = regexp.MustCompile(`/account/[a-z-]+#([A-Za-z0-9_]+)`)

// mailed returns the token of the newest mail to somebody.
func (s *stage) mailed(email string) string {
	s.h.RunJobs()

	for _, text := range s.c.Mails(email) {
		if found := mailedToken.FindStringSubmatch(text); found != nil {
			return found[1]
		}
	}

	require.Fail(s.t, "no mail with a link", email)

	return ""
}

// authenticator is what an app for codes holds.
type authenticator struct{ otp.Key }

// begun starts to set up a second factor.
func (s *stage) begun(p newcomer) authenticator {
	made := s.parse(s.h.Do(s.h.App, "POST", "/auth/2fa/generate", p.token, nil).OK(200))
	raw, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(made["secret"].(string))
	require.NoError(s.t, err)

	return authenticator{otp.Usual(raw)}
}

// code returns the code of a time step beside the present one: -1, 0 or 1. Each works once.
func (s *stage) code(of authenticator, step int64) apptest.Object {
	return apptest.Object{"code": of.Code(of.Step(s.h.DB().Now()) + step)}
}

// secured is somebody with a second factor.
func (s *stage) secured() (newcomer, authenticator) {
	p := s.newPerson()
	app := s.begun(p)
	s.h.Do(s.h.App, "POST", "/auth/2fa/verify", p.token, s.code(app, -1)).OK(200)

	return p, app
}

func (s *stage) accountExchanges() map[string]func() []sent {
	by := func(path string, body apptest.Object) func() []sent {
		return one(func() sent { return sent{by: s.newPerson().token, path: path, body: body} })
	}
	public := func(path string, body func() apptest.Object) func() []sent {
		return one(func() sent { return sent{path: path, body: body()} })
	}

	out := map[string]func() []sent{
		"POST /auth/login": public("/auth/login", func() apptest.Object {
			return apptest.Object{"email": s.newPerson().email, "password": apptest.Password}
		}),
		"POST /auth/register": public("/auth/register", func() apptest.Object { return registration(s.newEmail()) }),
		"POST /auth/register-with-organisation": public("/auth/register-with-organisation", func() apptest.Object {
			return registration(s.newEmail())
		}),
		"POST /auth/refresh": one(func() sent { return sent{by: s.newPerson().refresh, path: "/auth/refresh"} }),
		"POST /auth/change-password": by("/auth/change-password", apptest.Object{
			"oldPassword": apptest.Password,
			"newPassword": "eight orange ladders 51",
		}),
		"POST /auth/forgot-password": public("/auth/forgot-password", func() apptest.Object {
			return apptest.Object{"email": s.newPerson().email}
		}),
		"POST /auth/reset-password": public("/auth/reset-password", func() apptest.Object {
			p := s.newPerson()
			s.h.Do(s.h.App, "POST", "/auth/forgot-password", "", apptest.Object{"email": p.email}).OK(200)

			return apptest.Object{"newPasswordToken": s.mailed(p.email), "newPassword": "eight orange ladders 51"}
		}),
		"POST /auth/logout": by("/auth/logout", nil),
		"POST /auth/confirm-account": public("/auth/confirm-account", func() apptest.Object {
			return apptest.Object{"token": s.mailed(s.newPerson().email)}
		}),
		"POST /email/resubscribe": by("/email/resubscribe", nil),
		"GET /email/preferences":  by("/email/preferences", nil),
		"GET /email/unsubscribe": one(func() sent {
			link := s.h.App.Preferences.StopLink(s.c.User, s.c.Email, mail.Product, s.h.DB().Now())
			_, token, _ := strings.Cut(link, "token=")

			return sent{path: "/email/unsubscribe?token=" + token}
		}),
	}
	s.addSecondFactor(out)
	s.addClients(out)

	return out
}

func (s *stage) addSecondFactor(to map[string]func() []sent) {
	to["POST /auth/2fa/generate"] = one(func() sent {
		return sent{by: s.newPerson().token, path: "/auth/2fa/generate"}
	})
	to["POST /auth/2fa/verify"] = one(func() sent {
		p := s.newPerson()
		return sent{by: p.token, path: "/auth/2fa/verify", body: s.code(s.begun(p), -1)}
	})
	to["POST /auth/2fa/disable"] = one(func() sent {
		p, app := s.secured()
		return sent{by: p.token, path: "/auth/2fa/disable", body: s.code(app, 0)}
	})
	to["POST /auth/2fa/login"] = one(func() sent {
		p, app := s.secured()
		body := s.code(app, 0)
		body["tempToken"] = s.parse(s.login(p.email))["tempToken"]

		return sent{path: "/auth/2fa/login", body: body}
	})
}

func (s *stage) addClients(to map[string]func() []sent) {
	to["POST /auth/api-key"] = one(func() sent {
		c := s.newPersonWithOrganisation()
		return sent{by: c.Token, path: "/auth/api-key"}
	})
	to["POST /auth/token"] = one(func() sent {
		made := s.parse(s.newPersonWithOrganisation().Do("POST", "/auth/api-key", nil).OK(200))

		return sent{path: "/auth/token", body: apptest.Object{
			"clientId": made["clientId"],
			"secret":   made["secret"],
		}}
	})
	to["POST /auth/api-key/revoke"] = one(func() sent {
		c := s.newPersonWithOrganisation()
		c.Do("POST", "/auth/api-key", nil).OK(200)

		return sent{by: c.Token, path: "/auth/api-key/revoke"}
	})
}

func (s *stage) personExchanges() map[string]func() []sent {
	staff := func(path string) func() []sent { return one(func() sent { return s.operator(path, nil) }) }

	return map[string]func() []sent{
		"GET /users/me": one(func() sent { return s.mine("/users/me", nil) }),
		"PATCH /users/me": one(func() sent {
			return sent{by: s.newPerson().token, path: "/users/me", body: apptest.Object{
				"firstName":       "Nora",
				"lastName":        "Keller",
				"address":         "Seestrasse 1",
				"phoneNumber":     "+41441234567",
				"messagingHandle": "@nora",
				"country":         "CH",
				"citizenship":     []string{"CH"},
				"dateOfBirth":     "1980-05-17T00:00:00+02:00",
			}}
		}),
		"GET /users/complete/info": one(func() sent {
			return sent{path: "/users/complete/info?token=" + s.prepared()}
		}),
		"PATCH /users/complete": one(func() sent {
			return sent{path: "/users/complete", body: apptest.Object{
				"token":       s.prepared(),
				"password":    apptest.Password,
				"firstName":   "Paula",
				"lastName":    "Muster",
				"phoneNumber": "+41441234567",
			}}
		}),
		"POST /users/send-user-confirmation-email":           staff("/users/send-user-confirmation-email"),
		"POST /users/send-complete-your-kyc-email":           staff("/users/send-complete-your-kyc-email"),
		"POST /users/send-complete-your-beneficiary-account": staff("/users/send-complete-your-beneficiary-account"),
		"POST /users/send-complete-your-hnwi":                staff("/users/send-complete-your-hnwi"),
		"POST /users/{id}/change-status": one(func() sent {
			p := s.newPerson()
			me := s.parse(s.h.Do(s.h.App, "GET", "/users/me", p.token, nil).OK(200))

			return s.operator("/users/"+me["_id"].(string)+"/change-status", nil)
		}),
	}
}

// prepared has an account opened for somebody, and returns the token of the mail that asks to complete it.
func (s *stage) prepared() string {
	email := s.newEmail()
	s.operators.Do("POST", "/users/send-complete-your-hnwi", apptest.Object{"email": email}).OK(202)

	return s.mailed(email)
}
