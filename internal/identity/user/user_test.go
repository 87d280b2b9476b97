package user_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/standards/mailbox"
)

type world = identitytest.World

// rowOf is everything that is stored of a user, for comparing before and after.
func rowOf(t *testing.T, w *world, email string) string {
	t.Helper()
	u, err := user.ByEmail(context.Background(), w.DB, email)
	require.NoError(t, err)

	return fmt.Sprintf("%+v", u)
}

func TestChangeMeChangesOnlyWhatIsGiven(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("Ada@Example.com")

		a := w.Do(
			"PATCH",
			"/users/me",
			s.Access,
			`{"firstName":" Augusta ","phoneNumber":"+41 44 668 18 00","address":"Seestrasse 1","country":"CH",
			"citizenship":["CH","GB"],"dateOfBirth":"1980-05-17T00:00:00Z","messagingHandle":"@ada"}`,
		).OK(200)

		require.Equal(t, "Augusta", a.Text("firstName"))
		require.Equal(t, "Lovelace", a.Text("lastName"))
		require.Equal(t, "Ada@Example.com", a.Text("email"))
		require.Equal(t, "1980-05-17T00:00:00.000Z", a.Text("dateOfBirth"))
		require.Equal(t, "CH", a.Text("country.isoCode3166"))
		require.Len(t, a.Body["citizenship"], 2)

		b := w.Do(
			"PATCH",
			"/users/me",
			s.Access,
			`{"citizenship":[],"country":"","dateOfBirth":"","phoneNumber":""}`,
		).OK(200)

		require.Empty(t, b.Body["citizenship"])
		require.Nil(t, b.Body["country"])
		require.Nil(t, b.Body["dateOfBirth"])
		require.Nil(t, b.Body["phoneNumber"])
		require.Equal(t, "Lovelace", b.Text("lastName"))
		require.Equal(t, "Seestrasse 1", b.Text("address"))
		require.Equal(t, b.Raw, w.Do("GET", "/users/me", s.Access, "").OK(200).Raw)

		w.Do("PATCH", "/users/me", s.Access, `{}`).OK(200)
		w.Do("GET", "/users/me", "", "").Refused(401, "TOKEN_MISSING")
		w.Do("PATCH", "/users/me", "", `{}`).Refused(401, "TOKEN_MISSING")
	})
}

func TestChangeMeRefusals(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		before := rowOf(t, w, "ada@example.com")

		tomorrow := time.Now().Add(48 * time.Hour).Format(time.DateOnly)
		for body, fields := range map[string][]string{
			`{"firstName":"","lastName":" "}`:                     {"/firstName REQUIRED", "/lastName REQUIRED"},
			`{"firstName":"` + strings.Repeat("é", 101) + `"}`:    {"/firstName TOO_LONG"},
			`{"lastName":"a\u0007b"}`:                             {"/lastName FORMAT_INVALID"},
			`{"address":"one\ntwo"}`:                              {"/address FORMAT_INVALID"},
			`{"phoneNumber":"call me"}`:                           {"/phoneNumber FORMAT_INVALID"},
			`{"phoneNumber":"12"}`:                                {"/phoneNumber FORMAT_INVALID"},
			`{"phoneNumber":"44+123456"}`:                         {"/phoneNumber FORMAT_INVALID"},
			`{"country":"Switzerland"}`:                           {"/country COUNTRY_UNKNOWN"},
			`{"country":"ch"}`:                                    {"/country COUNTRY_UNKNOWN"},
			`{"citizenship":["CH","nowhere"]}`:                    {"/citizenship/1 COUNTRY_UNKNOWN"},
			`{"dateOfBirth":"17.5.1980"}`:                         {"/dateOfBirth FORMAT_INVALID"},
			`{"dateOfBirth":"1980-02-30"}`:                        {"/dateOfBirth FORMAT_INVALID"},
			`{"dateOfBirth":"1899-12-31"}`:                        {"/dateOfBirth OUT_OF_RANGE"},
			`{"dateOfBirth":"` + tomorrow + `"}`:                  {"/dateOfBirth OUT_OF_RANGE"},
			`{"phoneNumber":"x","country":"x","dateOfBirth":"x"}`: {"/phoneNumber FORMAT_INVALID", "/country COUNTRY_UNKNOWN", "/dateOfBirth FORMAT_INVALID"},
		} {
			code := "VALIDATION"
			if len(fields) == 1 {
				code = strings.Fields(fields[0])[1]
			}

			w.Do("PATCH", "/users/me", s.Access, body).Refused(422, code, fields...)
		}

		w.Do("PATCH", "/users/me", s.Access, `{"citizenship":"CH"}`).Refused(
			400,
			"TYPE_MISMATCH",
			"/citizenship TYPE_MISMATCH",
		)
		w.Do("PATCH", "/users/me", s.Access, `[]`).OK(400)
		require.Equal(t, before, rowOf(t, w, "ada@example.com"))
	})
}

// No field of the resource that a person may not set can be set, under no spelling.
func TestChangeMeRefusesMassAssignment(t *testing.T) { // Z-04
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")

		before := rowOf(t, w, "ada@example.com")
		for _, name := range []string{
			"_id", "id", "email", "emailKey", "password", "passwordHash", "organisationRole", "isActive", "is_active", "twoFactorRequired",
			"twoFactorEnabled", "isAccountSetup", "features", "comments", "staff", "role", "roles", "userType", "kycOnboardingInfo", "kybOnboardingInfo", "organisations",
			"version", "createdAt", "updatedAt", "FirstName", "firstname", "FIRSTNAME", "\u017ftaff", "first\u0130ame",
		} {
			for _, value := range []string{`"operator"`, `true`, `["LOANS"]`, `{"$set":1}`, `null`} {
				a := w.Do("PATCH", "/users/me", s.Access, fmt.Sprintf(`{%q:%s}`, name, value))
				if a.Status == 200 { // it is what the record holds
					continue
				}

				code, _ := a.Body["code"].(string)
				require.Contains(t, []string{"UNKNOWN_FIELD", "READ_ONLY"}, code, a.Raw)
				a.Refused(422, code, "/"+name+" "+code)
			}
		}

		require.Equal(t, before, rowOf(t, w, "ada@example.com"))
	})
}

func TestChangeMeWithAKeyHappensOnce(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		key := identitytest.Header{Name: "Idempotency-Key", Value: "k1"}
		first := w.Do("PATCH", "/users/me", s.Access, `{"lastName":"King"}`, key).OK(200)
		version := w.Count("SELECT version FROM users")
		again := w.Do("PATCH", "/users/me", s.Access, `{"lastName":"King"}`, key).OK(200)
		require.Equal(t, first.Raw, again.Raw)
		require.Equal(t, "true", again.Header.Get("Idempotent-Replayed"))
		require.Equal(t, version, w.Count("SELECT version FROM users"))

		w.Do("PATCH", "/users/me", s.Access, `{"lastName":"Byron"}`, key).Refused(422, "IDEMPOTENCY_KEY_REUSED")
	})
}

func TestGrantIsForTheCommandLine(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		w.Register("ada@example.com")
		grant := func(email, staff string) error {
			return w.DB.Write(ctx, func(tx *db.Tx) error { _, _, err := user.Grant(ctx, tx, email, staff); return err })
		}
		require.True(t, fault.Is(grant("nobody@example.com", user.Staff), fault.NotFoundCode))
		require.True(t, fault.Is(grant("ada@example.com", "root"), fault.NotInEnum))
		require.NoError(t, grant("ADA@example.com", user.Operator))

		version := w.Count("SELECT version FROM users")
		require.NoError(t, grant("ada@example.com", user.Operator), "the second call changes nothing")
		require.Equal(t, version, w.Count("SELECT version FROM users"))

		p, _, err := w.Auth.Authenticate(ctx, w.Login("ada@example.com").Access, "")
		require.NoError(t, err)
		require.Equal(t, user.Operator, p.Staff)
		require.NoError(t, grant("ada@example.com", user.NoStaff))
		require.EqualValues(t, 2, w.Count("SELECT count(*) FROM audit_log WHERE action = 'user.staff'"))
	})
}

func TestEmailRules(t *testing.T) {
	for s, ok := range map[string]bool{
		"a@b.ch":                                true,
		"first.last+tag@sub.example.com":        true,
		" a@b.ch ":                              true,
		"x_y@xn--bcher-kva.example":             true,
		"":                                      false,
		"a":                                     false,
		"@b.ch":                                 false,
		"a@":                                    false,
		"a@b":                                   false,
		"a@b.":                                  false,
		"a@.b":                                  false,
		"a b@c.ch":                              false,
		"a@b.ch>":                               false,
		"<a@b.ch>":                              false,
		"a@b.ch\n":                              true,
		"a@b\n.ch":                              false,
		"a@b.ch,c@d.ch":                         false,
		`"a b"@c.ch`:                            false,
		"ä@b.ch":                                false,
		"a@bücher.ch":                           true,
		"A <a@b.ch>":                            false,
		strings.Repeat("a", 65) + "@b.ch":       false,
		"a@" + strings.Repeat("b", 250) + ".ch": false,
	} {
		t.Run(s, func(t *testing.T) {
			var l fault.List
			got := user.CheckEmail(&l, "/email", s)
			require.Equal(t, ok, l.Empty(), "%q", s)
			require.Equal(t, mailbox.Normal(s), got)
		})
	}
}

func FuzzTextRules(f *testing.F) {
	f.Add("Ada", "a@b.ch", "+41 44", "1980-05-17")

	f.Fuzz(func(t *testing.T, name, email, phone, day string) {
		var l fault.List
		user.CheckText(&l, "/a", name, 50, true)
		user.CheckPhone(&l, "/c", phone)

		born := user.CheckBirth(&l, "/d", day, time.Now())
		if l.Empty() && (strings.ContainsAny(name+phone, "\x00\n\r") || user.BirthTime(born) == nil) {
			t.Errorf("%q %q %q", name, phone, day)
		}

		var e fault.List
		if got := user.CheckEmail(&e, "/b", email); e.Empty() &&
			(strings.Count(got, "@") != 1 || strings.ContainsAny(got, "\x00 \r\n<>,")) {
			t.Errorf("%q", got)
		}
	})
}

// Names that come otherwise than in a request are cleaned as those are.
func TestNamesAreCleaned(t *testing.T) {
	for from, want := range map[string]string{
		" Zu\u0308ri\u200bch \u00a0AG ": "Zürich AG",
		"Acme":                          "Acme",
		"\u2060":                        "",
	} {
		var l fault.List
		require.Equal(t, want, user.CheckName(&l, "/name", from, 9, want != ""))
		require.True(t, l.Empty(), from)
	}

	var l fault.List
	user.CheckName(&l, "/name", "\u200b", 9, true)
	require.Equal(t, fault.Required, l.Fields()[0].Code)
}
