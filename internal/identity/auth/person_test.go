package auth_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
)

const purpose = "bank resolve pay_1 REJECT"

// prove proves a person with a password, and with a code where one is asked for.
func prove(w *world, email, pass, code string) (u user.User, asked bool, err error) {
	u, err = w.Auth.ProvePerson(context.Background(), email, pass, purpose, func() (string, error) {
		asked = true
		return code, nil
	})

	return u, asked, err
}

// At a terminal a person proves the same as at a sign-in: password, then a code that works once. No session begins,
// and the audit log says who has proven what for.
func TestPersonProvesPasswordAndCode(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)

		u, asked, err := prove(w, "ADA@example.com", identitytest.Password, "")
		require.NoError(t, err)
		require.False(t, asked, "nobody is asked for what he does not have")
		require.Equal(t, ada, u.Email)

		app, recovery := w.SetUp(s.Access)
		sessions := w.Count("SELECT count(*) FROM sessions")
		proven := func() int64 {
			return w.Count("SELECT count(*) FROM audit_log WHERE action = 'person.proven' AND actor = ? AND detail = ?",
				u.ID, purpose)
		}
		require.EqualValues(t, 1, proven())

		_, asked, err = prove(w, ada, "not hers at all", app.Code())
		require.True(t, fault.Is(err, fault.CredentialsInvalid))
		require.False(t, asked, "a wrong password is not followed by a question")

		_, _, err = prove(w, "nobody@example.com", identitytest.Password, "")
		require.True(t, fault.Is(err, fault.CredentialsInvalid))

		_, _, err = prove(w, ada, identitytest.Password, "")
		require.True(t, fault.Is(err, fault.Required), err)
		_, _, err = prove(w, ada, identitytest.Password, "000000")
		require.True(t, fault.Is(err, fault.CodeInvalid))
		require.EqualValues(t, 1, proven())

		right := app.Code()
		again, asked, err := prove(w, ada, identitytest.Password, right)
		require.NoError(t, err)
		require.True(t, asked)
		require.Equal(t, u.ID, again.ID)
		require.EqualValues(t, 2, proven())

		_, _, err = prove(w, ada, identitytest.Password, right)
		require.True(t, fault.Is(err, fault.CodeInvalid), "a code works once")
		_, _, err = prove(w, ada, identitytest.Password, recovery[0])
		require.NoError(t, err)
		require.Equal(t, sessions, w.Count("SELECT count(*) FROM sessions"))
	})
}

// Wrong codes at a terminal and at a sign-in are counted together: the sixth code is not looked at, whatever it is.
func TestWrongCodesAtTheTerminalAreCounted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		app, _ := w.SetUp(w.Someone(ada).Access)

		for range 5 {
			_, _, err := prove(w, ada, identitytest.Password, "000000")
			require.True(t, fault.Is(err, fault.CodeInvalid))
		}

		_, _, err := prove(w, ada, identitytest.Password, app.Code())
		require.True(t, fault.Is(err, fault.TooManyAttempts))
		require.EqualValues(t, 0, w.Count("SELECT count(*) FROM audit_log WHERE action = 'person.proven'"))
		require.EqualValues(t, 5, w.Count("SELECT count(*) FROM audit_log WHERE action = 'two_factor.wrong_code'"))
	})
}

// Wrong passwords are counted by one process: the next command counts anew. Wrong codes are not, see above.
func TestWrongPasswordsAtTheTerminalAreCountedByOneProcess(t *testing.T) {
	d := dbtest.SQLite(t)
	l := auth.Limits{SignIn: limit.Rate{Events: 3, Per: time.Minute}}
	w := limited(t, d, l)
	next := limited(t, d, l)
	w.Register(ada)

	for range 3 {
		_, _, err := prove(w, ada, "not hers at all", "")
		require.True(t, fault.Is(err, fault.CredentialsInvalid))
	}

	_, _, err := prove(w, ada, identitytest.Password, "")
	require.True(t, fault.Is(err, fault.TooManyAttempts))
	_, _, err = prove(next, ada, "not hers at all", "")
	require.True(t, fault.Is(err, fault.CredentialsInvalid))
	_, _, err = prove(next, ada, identitytest.Password, "")
	require.NoError(t, err)
}

// Who is switched off proves nothing, also when that happens between the password and the code. Nor does whoever has no
// second factor where the platform's people must have one.
func TestNotEverybodyProvesHimself(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		app, _ := w.SetUp(w.Someone(ada).Access)
		switchOff := func() {
			require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
				_, err := tx.Exec("UPDATE users SET is_active = FALSE WHERE email = ?", ada)
				return err
			}))
		}

		_, err := w.Auth.ProvePerson(context.Background(), ada, identitytest.Password, purpose,
			func() (string, error) {
				switchOff()
				return app.Code(), nil
			})
		require.True(t, fault.Is(err, fault.AccountInactive))

		_, asked, err := prove(w, ada, identitytest.Password, app.Code())
		require.True(t, fault.Is(err, fault.AccountInactive))
		require.False(t, asked)
		require.EqualValues(t, 0, w.Count("SELECT count(*) FROM audit_log WHERE action = 'person.proven'"))
	})

	w := identitytest.NewWith(t, dbtest.SQLite(t), func(c *auth.Config) { c.OperatorsProve = true })
	w.Register(ada)
	_, _, err := prove(w, ada, identitytest.Password, "")
	require.True(t, fault.Is(err, fault.TwoFactorSetup))
}

// Whoever has the command line can make an operator, and take operators away. The operators and the person learn it.
func TestOperatorsLearnOfGrants(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		grants := func(to string) int {
			n := 0
			for _, m := range w.Mails(to) {
				if m.Kind == string(mail.RoleGranted) {
					n++
				}
			}

			return n
		}

		for _, email := range []string{ada, "ben@example.com", "sock@example.com"} {
			w.Register(email)
		}

		require.NoError(t, w.Auth.Grant(ctx, ada, user.Operator))
		require.NoError(t, w.Auth.Grant(ctx, "ben@example.com", user.Operator))
		require.NoError(t, w.Auth.Grant(ctx, "sock@example.com", user.Operator))
		require.Equal(t, 3, grants(ada), "hers, and both of the others")
		require.NoError(t, w.Auth.Grant(ctx, "sock@example.com", user.Operator), "again")
		require.Equal(t, 3, grants(ada))

		require.NoError(t, w.Auth.Grant(ctx, ada, user.NoStaff))
		require.Equal(t, 4, grants(ada), "she learns that she is none any more")
		require.Contains(t, w.Mails("ben@example.com")[0].Text, "in the platform is: none")
	})
}

// A role that was given to an account which nobody has completed is no stock of old operators: whoever completes one
// today, with a new link, is new today, and the operators learn it.
func TestOperatorIsNewWhenTheAccountIsCompleted(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := context.Background()

		w.Register(ada)
		w.Register("ben@example.com")
		require.NoError(t, w.Auth.Grant(ctx, ada, user.Operator))
		require.NoError(t, w.Auth.Grant(ctx, "ben@example.com", user.Operator))

		sock := user.Person{FirstName: "Sock", LastName: "Puppet", Email: "sock@example.com"}
		prepare := func() string {
			page, err := w.Auth.Prepare(ctx, sock, user.Operator)
			require.NoError(t, err)

			return page
		}
		second := func() error {
			u, err := user.ByEmail(ctx, w.DB, sock.Email)
			require.NoError(t, err)

			return user.SecondPerson(ctx, w.DB, u.ID, user.Operator, w.DB.Now())
		}

		prepare()
		w.DB.Clock().Advance(30 * 24 * time.Hour)
		require.True(t, fault.Is(second(), fault.RoleRequired), "nobody can sign in with it")

		_, token, _ := strings.Cut(prepare(), "#")
		mails := len(w.Mails(ada))
		body := `{"token": "` + token + `", "firstName": "Sock", "lastName": "Puppet", "password": "` +
			identitytest.Password + `"}`
		w.Do("PATCH", "/users/complete", "", body).OK(200)
		require.True(t, fault.Is(second(), fault.OperatorTooNew))
		require.Len(t, w.Mails(ada), mails+1)
		require.Contains(t, w.Mails(ada)[0].Text, sock.Email)

		w.DB.Clock().Advance(user.GrantDelay)
		require.NoError(t, second())
	})
}
