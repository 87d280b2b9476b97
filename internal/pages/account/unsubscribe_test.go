package account_test

import (
	"context"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/pages/account"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/mail"
)

// subscriber is a person with the link of a mail to her.
type subscriber struct {
	*identitytest.World
	token, id, link string // link: path and query
}

func subscribed(t *testing.T, w *identitytest.World, email string, c mail.Category) subscriber {
	t.Helper()
	s := subscriber{World: w, token: w.Someone(email).Access}
	s.id = w.Do("GET", "/users/me", s.token, "").OK(200).Text("_id")
	s.link = strings.TrimPrefix(w.Preferences.StopLink(s.id, email, c, w.DB.Now()), identitytest.BaseURL)

	return s
}

func (s subscriber) gets(c mail.Category) bool {
	on, err := s.Preferences.Wants(context.Background(), s.id, c)
	require.NoError(s.T, err)
	return on
}

func (s subscriber) refusals() int64 { return s.Count("SELECT count(*) FROM email_refusals") }

func eachUnsubscribe(t *testing.T, test func(t *testing.T, w *identitytest.World)) {
	identitytest.Each(t, func(t *testing.T, w *identitytest.World) {
		account.UnsubscribeRoutes(w.API, w.Preferences, nil)
		test(t, w)
	})
}

// whatever opens the link reads a page; only its button changes something, that one thing, however often it is
// pressed.
func TestOpeningTheLinkChangesNothingAndItsButtonOneThing(t *testing.T) {
	eachUnsubscribe(t, func(t *testing.T, w *identitytest.World) {
		s := subscribed(t, w, "ada@example.com", mail.Transaction)

		other := subscribed(t, w, "grace@example.com", mail.Transaction)
		for _, purpose := range []identitytest.Header{
			{},
			{Name: "Purpose", Value: "prefetch"},
			{Name: "Sec-Purpose", Value: "prefetch;prerender"},
		} {
			a := w.Do("GET", s.link, "", "", purpose).OK(200)
			require.Contains(t, a.Raw, "Stop these mails?")
			require.Contains(t, a.Raw, `<form method="post">`)
			require.NotContains(t, a.Raw, "ada@example.com", "the page tells nobody whose link it is")
			require.Contains(t, a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
			require.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"), "the token stays here")
			require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
			require.NotRegexp(t, `<script|<style|style="`, a.Raw, "the policy would stop it")
		}

		w.Do("HEAD", s.link, "", "")
		require.Zero(t, s.refusals())

		for range 3 {
			require.Contains(t, w.Do("POST", s.link, "", "").OK(200).Raw, "They are stopped")
		}

		require.False(t, s.gets(mail.Transaction))
		require.True(t, s.gets(mail.Product))
		require.True(t, s.gets(mail.Security))
		require.True(t, other.gets(mail.Transaction))
		require.EqualValues(t, 1, s.refusals())
		require.EqualValues(t, 1,
			w.Count("SELECT count(*) FROM audit_log WHERE action = 'email.unsubscribed' AND object = ?", s.id))
		require.Contains(t, w.Do("GET", "/email/preferences", s.token, "").OK(200).Raw, `"transaction":false`)
		w.Do("POST", "/email/resubscribe", s.token, "").OK(200)
		require.True(t, s.gets(mail.Transaction))
	})
}

// Mail programs send a form, without cookies or credentials, and follow no redirect (RFC 8058, 3.2).
func TestOneClickTakesBothFormsOfTheStandard(t *testing.T) {
	bodies := map[string]string{
		"application/x-www-form-urlencoded":                       "List-Unsubscribe=One-Click",
		"multipart/form-data; boundary=---FormBoundaryjWmhtjORrn": "-----FormBoundaryjWmhtjORrn\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n-----FormBoundaryjWmhtjORrn--\r\n",
	}

	for contentType, body := range bodies {
		w := identitytest.New(t, dbtest.SQLite(t))
		account.UnsubscribeRoutes(w.API, w.Preferences, nil)
		s := subscribed(t, w, "ada@example.com", mail.Product)
		r := httptest.NewRequest("POST", s.link, strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		rec := httptest.NewRecorder()
		w.Handler.ServeHTTP(rec, r)
		require.Equal(t, 200, rec.Code, rec.Body.String())
		require.Empty(t, rec.Header().Get("Location"))
		require.Empty(t, rec.Result().Cookies())
		require.False(t, s.gets(mail.Product), contentType)
	}
}

// The request of the standard's example, with our link in place of its own.
func TestOneClickOfTheStandardsExample(t *testing.T) {
	folder := os.Getenv("SLIPWAY_FIXTURES")
	if folder == "" {
		t.Skip("SLIPWAY_FIXTURES names no folder: the standard's example is left out")
	}

	raw, err := os.ReadFile(folder + "/webhooks_http/rfc8058_one_click.json")
	require.NoError(t, err)

	var example struct {
		Request string `json:"request"`
	}
	require.NoError(t, json.Unmarshal(raw, &example))
	w := identitytest.New(t, dbtest.SQLite(t))
	account.UnsubscribeRoutes(w.API, w.Preferences, nil)
	s := subscribed(t, w, "ada@example.com", mail.Product)
	head, body, _ := strings.Cut(example.Request, "\r\n\r\n")
	require.True(t, strings.HasPrefix(head, "POST "))
	r := httptest.NewRequest("POST", s.link, strings.NewReader(body))
	r.Header.Set("Content-Type", regexp.MustCompile(`Content-Type: (.*)\r`).FindStringSubmatch(head)[1])
	rec := httptest.NewRecorder()
	w.Handler.ServeHTTP(rec, r)
	require.Equal(t, 200, rec.Code)
	require.False(t, s.gets(mail.Product))
}

func TestALinkIsGoodForItsPersonCategoryAddressAndYear(t *testing.T) {
	eachUnsubscribe(t, func(t *testing.T, w *identitytest.World) {
		s := subscribed(t, w, "ada@example.com", mail.Product)
		other := subscribed(t, w, "grace@example.com", mail.Product)
		u, err := url.Parse(s.link)
		require.NoError(t, err)
		token := u.Query().Get("token")
		parts := strings.Split(token, ".")
		with := func(i int, text string) string {
			p := append([]string(nil), parts...)
			p[i] = text
			return strings.Join(p, ".")
		}

		security := strings.Split(w.Preferences.StopLink(s.id, "ada@example.com", mail.Security, w.DB.Now()), "token=")[1]
		for name, bad := range map[string]string{
			"another person":          with(1, other.id),
			"another category":        with(2, "transaction"),
			"a later day":             with(3, "99999999"),
			"another key":             with(0, "k9"),
			"nobody":                  with(1, "usr_00000000000000000000000000"),
			"cut":                     token[:len(token)-2],
			"no signature":            with(4, ""),
			"more":                    token + "A",
			"no token":                "x",
			"security":                security,
			"a day that is no number": with(3, "1e3"),
			"too many days":           with(3, "999999999999999999"),
		} {
			for _, method := range []string{"GET", "POST"} {
				a := w.Do(method, "/email/unsubscribe?token="+url.QueryEscape(bad), "", "").Refused(
					404,
					"UNSUBSCRIBE_TOKEN_INVALID",
					"?token UNSUBSCRIBE_TOKEN_INVALID",
				)

				require.NotContains(t, a.Raw, "example.com", name)
			}
		}

		w.Do("POST", "/email/unsubscribe", "", "").Refused(422, "REQUIRED", "?token REQUIRED")
		html := identitytest.Header{Name: "Accept", Value: "text/html,application/xhtml+xml"}
		require.Contains(t, w.Do("GET", "/email/unsubscribe?token=x", "", "", html).OK(404).Raw,
			"<h1>This link is not complete</h1>", "people read a page")

		w.Exec("UPDATE users SET email = 'lovelace@example.com', email_key = 'lovelace@example.com' WHERE id = ?", s.id)
		w.Do("POST", s.link, "", "").Refused(404, "UNSUBSCRIBE_TOKEN_INVALID")
		w.Exec("UPDATE users SET email = 'Ada@Example.com', email_key = 'ada@example.com' WHERE id = ?", s.id)
		w.DB.Clock().Advance(364 * 24 * time.Hour)
		w.Exec("UPDATE users SET is_active = FALSE WHERE id = ?", s.id)
		w.Do("POST", s.link, "", "").OK(200)
		require.False(t, s.gets(mail.Product),
			"a letter case is no other address, and a sleeping account may still end its mails")
		w.Exec("DELETE FROM email_refusals")
		w.DB.Clock().Advance(3 * 24 * time.Hour)
		w.Do("POST", s.link, "", "").Refused(410, "UNSUBSCRIBE_TOKEN_EXPIRED", "?token UNSUBSCRIBE_TOKEN_EXPIRED")
		require.Contains(t, w.Do("POST", s.link, "", "", html).OK(410).Raw, "too old")
		require.Zero(t, s.refusals())
	})
}
