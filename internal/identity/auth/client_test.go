package auth_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
)

// key is an API client as its person was shown it.
type key struct{ id, secret string }

func newKey(w *world, token, body string) key {
	w.T.Helper()
	a := w.Do("POST", "/auth/api-key", token, identitytest.WithPassword(body)).OK(200)
	return key{a.Text("clientId"), a.Text("secret")}
}

func (k key) body() string { return fmt.Sprintf(`{"clientId":%q,"secret":%q}`, k.id, k.secret) }

func (k key) tokens(w *world) identitytest.Session {
	w.T.Helper()
	a := w.Do("POST", "/auth/token", "", k.body()).OK(200)
	return identitytest.Session{Access: a.Text("access_token"), Refresh: a.Text("refresh_token")}
}

func TestAPIClientActsForItsPerson(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Do("POST", "/auth/api-key", s.Access, "").Refused(403, "NO_ORGANISATION")
		org := w.Organisation(s.Access)
		made := w.Do("POST", "/auth/api-key", s.Access, identitytest.WithPassword(`{"name":"Accounting"}`)).OK(200)
		require.Equal(t, []any{[]any{}, []any{}, nil, org},
			[]any{made.Body["scopes"], made.Body["allowedIps"], made.Body["expiresAt"], made.Body["organisation"]})
		k := key{made.Text("clientId"), made.Text("secret")}
		require.True(t, strings.HasPrefix(k.id, "ak_"))
		require.True(t, secret.TokenForm("sk_test_", k.secret), "43 letters, 6 of a sum")
		stored := value(t, w, "SELECT salt || secret_hash || id FROM api_clients")
		require.NotContains(t, stored, k.secret)
		require.NotContains(t, w.Do("GET", "/auth/api-key", s.Access, "").OK(200).Raw, "sk_test_", "shown once")
		m := w.Mails(ada)[0]
		require.Equal(t, string(mail.NewKey), m.Kind)
		require.NotContains(t, m.Text, k.secret)

		for _, wrong := range []key{
			{k.id, k.secret + "x"},
			{k.id, ""},
			{"ak_unknown", k.secret},
			{k.id, secret.Token("sk_test_")},
			{"", ""},
		} {
			if wrong.id == "" || wrong.secret == "" {
				require.Equal(t, 422, w.Do("POST", "/auth/token", "", wrong.body()).Status)
				continue
			}

			w.Do("POST", "/auth/token", "", wrong.body()).Refused(401, "CREDENTIALS_INVALID")
		}

		c := k.tokens(w)
		me := w.Do("GET", "/users/me", c.Access, "").OK(200)
		require.Equal(t, []string{ada, "admin"}, []string{me.Text("email"), me.Text("organisationRole")})
		w.Do("PATCH", "/organisations/"+org, c.Access, `{"payablesEmail":"pay@example.com"}`).OK(200)

		for _, call := range [][3]string{
			{"POST", "/auth/api-key", ""},
			{"GET", "/auth/api-key", ""},
			{"POST", "/auth/api-key/revoke", ""},
			{"POST", "/auth/2fa/generate", ""},
			{"POST", "/auth/change-password", `{"oldPassword":"x","newPassword":"y"}`},
			{"PATCH", "/users/me", `{}`},
			{"GET", "/auth/sessions", ""},
		} {
			w.Do(call[0], call[1], c.Access, call[2]).Refused(403, "PEOPLE_ONLY")
		}

		a := w.Do("POST", "/auth/refresh", c.Refresh, "").OK(200)
		w.Do("GET", "/users/me", a.Text("access_token"), "").OK(200)
		require.Contains(t, w.Do("GET", "/audit-log", s.Access, "").OK(200).Raw, `"actor":"`+k.id+`"`,
			"what a client does is done in its own name")
	})
}

func TestAPIClientIsHeldToItsScopesAddressesAndEnd(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org := w.Organisation(s.Access)
		second := ""
		second = w.Organisation(s.Access)

		now := w.DB.Now()
		for body, field := range map[string]string{
			`{"scopes":["users:reed"]}`:            "/scopes SCOPE_UNKNOWN",
			`{"scopes":["*"]}`:                     "/scopes SCOPE_UNKNOWN",
			`{"allowedIps":["192.0.2.256"]}`:       "/allowedIps FORMAT_INVALID",
			`{"allowedIps":["example.com"]}`:       "/allowedIps FORMAT_INVALID",
			`{"expiresAt":"2020-01-01T00:00:00Z"}`: "/expiresAt OUT_OF_RANGE",
			`{"expiresAt":"2099-01-01T00:00:00Z"}`: "/expiresAt OUT_OF_RANGE",
			`{"name":"a\nb"}`:                      "/name FORMAT_INVALID",
		} {
			w.Do("POST", "/auth/api-key", s.Access, identitytest.WithPassword(body)).Refused(
				422,
				strings.Fields(field)[1],
				field,
			)
		}

		reader := newKey(
			w,
			s.Access,
			`{"scopes":["organisations:read"],"allowedIps":["198.51.100.0/24","2001:db8::/64"],"expiresAt":"`+now.Add(
				10*time.Minute,
			).Format(time.RFC3339)+`"}`,
		)
		from := header("Source", "198.51.100.7")
		w.Do("POST", "/auth/token", "", reader.body(), header("Source", "203.0.113.7")).Refused(
			403,
			"SOURCE_NOT_ALLOWED",
		)
		a := w.Do("POST", "/auth/token", "", reader.body(), from).OK(200)
		access := a.Text("access_token")
		refresh := a.Text("refresh_token")
		w.Do("GET", "/organisations/"+org, access, "", from).OK(200)
		// cached
		w.Do("GET", "/organisations/"+org, access, "", header("Source", "203.0.113.7")).Refused(
			403,
			"SOURCE_NOT_ALLOWED",
		)
		w.Do("POST", "/auth/refresh", refresh, "", header("Source", "203.0.113.7")).Refused(403, "SOURCE_NOT_ALLOWED")
		w.Do("GET", "/users/me", access, "", from).Refused(403, "SCOPE_REQUIRED")
		w.Do("PATCH", "/organisations/"+org, access, `{}`, from).Refused(403, "SCOPE_REQUIRED")
		w.Do("GET", "/organisations/"+org, access, "", from, header("Slipway-Organisation", second)).Refused(
			404,
			"NOT_FOUND",
		)
		w.Do("GET", "/organisations/"+org, access, "", from, header("Slipway-Organisation", org)).OK(200)
		w.DB.Clock().Advance(10 * time.Minute)
		w.Do("GET", "/organisations/"+org, access, "", from).Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/refresh", refresh, "", from).Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/token", "", reader.body(), from).Refused(401, "API_CLIENT_EXPIRED")

		guessed := key{reader.id, secret.Token("sk_test_")}
		w.Do("POST", "/auth/token", "", guessed.body(), from).Refused(401, "CREDENTIALS_INVALID")

		w.Do("POST", "/auth/api-key/revoke", w.Login(ada).Access, `{"clientId":"`+reader.id+`"}`).OK(200)
		w.Do("POST", "/auth/token", "", reader.body(), from).Refused(401, "CREDENTIALS_INVALID")
	})
}

// The end of a client is told before it, by an event and a mail, and at it, by an event; each once. A client without an
// end, and one that was revoked before, are told of by nothing.
func TestEndOfAClientIsTold(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Organisation(s.Access)

		expires := func(in time.Duration) string {
			return `{"name":"Accounting","expiresAt":"` + w.DB.Now().Add(in).Format(time.RFC3339) + `"}`
		}

		const day = 24 * time.Hour

		newKey(w, s.Access, `{}`)

		revoked := newKey(w, s.Access, expires(30*day))
		long := newKey(w, s.Access, expires(30*day))
		short := newKey(w, s.Access, expires(4*day))
		w.Do("POST", "/auth/api-key/revoke", s.Access, `{"clientId":"`+revoked.id+`"}`).OK(200)

		told := func(after time.Duration) (out []string) {
			w.DB.Clock().Advance(after)

			for range 2 {
				_, err := w.Auth.NoticeExpiry(t.Context(), 10)
				require.NoError(t, err)
			}

			out, err := db.Select(t.Context(), w.DB, func(s *string) []any { return []any{s} },
				"SELECT type || ' ' || object FROM events WHERE type LIKE 'api_client.%' ORDER BY id")
			require.NoError(t, err)

			return out
		}
		mails := func() (out []string) {
			for _, m := range w.Mails(ada) {
				if m.Kind == string(mail.KeyExpires) {
					out = append(out, m.Text)
				}
			}

			return out
		}

		want := []string{"api_client.expiring " + short.id}
		require.Empty(t, told(3*day-time.Hour))
		require.Equal(t, want, told(2*time.Hour))

		want = append(want, "api_client.expired "+short.id)
		require.Equal(t, want, told(day))
		require.Len(t, mails(), 1)

		want = append(want, "api_client.expiring "+long.id)
		require.Equal(t, want, told(20*day))
		require.Len(t, mails(), 2)
		require.Contains(t, mails()[0], long.id)
		require.Contains(t, mails()[0], "Accounting")

		want = append(want, "api_client.expired "+long.id)
		require.Equal(t, want, told(7*day))
		require.Len(t, mails(), 2)
	})
}

func TestTokensOfARevokedClientDieAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org := w.Organisation(s.Access)
		one := newKey(w, s.Access, "")
		two := newKey(w, s.Access, "")
		first := one.tokens(w)

		other := two.tokens(w)
		for _, c := range []identitytest.Session{first, other} {
			w.Do("GET", "/users/me", c.Access, "").OK(200)
		}

		stranger := w.Someone("eve@example.com")
		w.Organisation(stranger.Access)
		w.Do("POST", "/auth/api-key/revoke", stranger.Access, `{"clientId":"`+one.id+`"}`).Refused(404, "NOT_FOUND")
		a := w.Do("POST", "/auth/api-key/revoke", s.Access, `{"clientId":"`+one.id+`"}`).OK(200)
		require.Equal(t, `"revoked"`, strings.TrimSpace(a.Raw))
		w.Do("GET", "/users/me", first.Access, "").Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/refresh", first.Refresh, "").Refused(401, "TOKEN_INVALID")
		w.Do("POST", "/auth/token", "", one.body()).Refused(401, "CREDENTIALS_INVALID")
		w.Do("GET", "/users/me", other.Access, "").OK(200)
		w.Do("POST", "/auth/api-key/revoke", s.Access, `{"clientId":"`+one.id+`"}`).OK(200) // once more changes nothing
		w.Do("POST", "/auth/api-key/revoke", s.Access, "").OK(200)
		w.Do("GET", "/users/me", other.Access, "").Refused(401, "TOKEN_INVALID")
		w.Do("GET", "/users/me", s.Access, "").OK(200)

		member, _ := w.Member(s.Access, org, "grace@example.com", `"viewer"`)
		hers := newKey(w, member.Access, "")
		w.Do("POST", "/auth/api-key/revoke", s.Access, `{"clientId":"`+hers.id+`"}`).OK(200) // an admin's right
		w.Do("POST", "/auth/token", "", hers.body()).Refused(401, "CREDENTIALS_INVALID")
	})
}

func TestAPIClientFollowsItsPersonsRights(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		org := w.Organisation(s.Access)
		member, id := w.Member(s.Access, org, "grace@example.com", `"admin"`)
		c := newKey(w, member.Access, "").tokens(w)
		w.Do("PATCH", "/organisations/"+org, c.Access, `{"payablesEmail":"pay@example.com"}`).OK(200)
		w.Do("PATCH", "/organisations/"+org+"/members/"+id, s.Access, `{"roles":["viewer"]}`).OK(200)
		w.Do("PATCH", "/organisations/"+org, c.Access, `{}`).Refused(403, "ROLE_REQUIRED")
		w.Do("PATCH", "/organisations/"+org+"/members/"+id, s.Access, `{"isActive":false}`).OK(200)
		w.Do("GET", "/organisations/"+org, c.Access, "").Refused(404, "NOT_FOUND")
		w.Exec("UPDATE users SET staff = 'operator' WHERE email_key = 'grace@example.com'")
		w.DB.Clock().Advance(auth.CacheLifetime)
		w.Do("GET", "/organisations/"+org, c.Access, "").Refused(404, "NOT_FOUND") // staff are people
		w.Do("GET", "/organisations/"+org, member.Access, "").OK(200)
	})
}

func TestLastUseOfAClientIsKept(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)
		w.Organisation(s.Access)
		k := newKey(w, s.Access, "")
		shown := func() map[string]any {
			return w.Do("GET", "/auth/api-key", s.Access, "").OK(200).Results()[0]
		}
		require.Nil(t, shown()["lastUsedAt"])

		c := k.tokens(w)
		first := shown()["lastUsedAt"]
		require.NotNil(t, first)

		w.DB.Clock().Advance(time.Minute)
		w.Do("GET", "/users/me", c.Access, "").OK(200)
		require.Equal(t, first, shown()["lastUsedAt"], "not every request writes")

		w.DB.Clock().Advance(6 * time.Minute)
		w.Do("GET", "/users/me", c.Access, "", header("Source", "198.51.100.9")).OK(200)
		require.NotEqual(t, first, shown()["lastUsedAt"])
		require.Equal(t, "198.51.100.9", shown()["lastUsedFrom"])
	})
}

func TestClientsOfOnePersonAreBounded(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	s := w.Someone(ada)
	w.Organisation(s.Access)

	for range 50 {
		newKey(w, s.Access, "")
	}

	w.Do("POST", "/auth/api-key", s.Access, identitytest.WithPassword("")).Refused(409, "API_CLIENT_LIMIT")
	w.Do("POST", "/auth/api-key/revoke", s.Access, "").OK(200)
	newKey(w, s.Access, "")
}

func TestLiveSecretsSaySo(t *testing.T) {
	w := identitytest.NewWith(t, dbtest.SQLite(t), func(c *auth.Config) { c.RealMoney = true })
	s := w.Someone(ada)
	w.Organisation(s.Access)
	require.True(t, secret.TokenForm("sk_live_", newKey(w, s.Access, "").secret))
}
