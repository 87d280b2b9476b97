package preference_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/mail"
)

const (
	all  = `{"unsubscribed":false,"categories":{"product":true,"transaction":true,"security":true},"transactionMails":"AT_ONCE"}`
	none = `{"unsubscribed":true,"categories":{"product":false,"transaction":false,"security":true},"transactionMails":"OFF"}`
)

func TestPreferencesAreThePersonsOwn(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *identitytest.World) {
		ada := w.Someone("ada@example.com").Access
		grace := w.Someone("grace@example.com").Access
		get := func(token string) string { return w.Do("GET", "/email/preferences", token, "").OK(200).Raw }
		require.JSONEq(t, all, get(ada))

		w.Do("PATCH", "/email/preferences", ada, `{"categories":{"product":false}}`).OK(200)

		require.JSONEq(t, `{"unsubscribed":false,"categories":{"product":false,"transaction":true,"security":true},
			"transactionMails":"AT_ONCE"}`, get(ada))

		require.JSONEq(
			t,
			none,
			w.Do(
				"PATCH",
				"/email/preferences",
				ada,
				`{"categories":{"transaction":false,"product":false,"security":true}}`,
			).OK(200).Raw,
		)

		require.JSONEq(t, all, get(grace))

		require.EqualValues(t, 2, w.Count("SELECT count(*) FROM audit_log WHERE action = 'email.unsubscribed'"),
			"what was off already is not told again")

		require.JSONEq(t, all, w.Do("POST", "/email/resubscribe", ada, "").OK(200).Raw)
		require.JSONEq(t, all, w.Do("POST", "/email/resubscribe", ada, "").OK(200).Raw)
		require.EqualValues(t, 2, w.Count("SELECT count(*) FROM audit_log WHERE action = 'email.resubscribed'"))
		require.JSONEq(t, all, get(ada))
	})
}

func TestMailsAboutTheAccountCannotBeSwitchedOff(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *identitytest.World) {
		ada := w.Someone("ada@example.com").Access
		w.Do("PATCH", "/email/preferences", ada, `{"categories":{"product":false,"security":false}}`).Refused(
			422,
			"MAILS_MANDATORY",
			"/categories/security MAILS_MANDATORY",
		)
		require.JSONEq(t, all, w.Do("GET", "/email/preferences", ada, "").OK(200).Raw,
			"nothing of a refused change is kept")
		w.Do("PATCH", "/email/preferences", ada, `{}`).OK(200)
		w.Exec(
			`INSERT INTO email_refusals (user_id, category, how, created_at)
				SELECT id, 'security', 'account', 1 FROM users`,
		)
		on, err := w.Preferences.Wants(context.Background(), w.Do("GET", "/users/me", ada, "").OK(200).Text("_id"),
			mail.Security)
		require.NoError(t, err)
		require.True(t, on, "whatever stands in the table")

		for _, call := range [][3]string{
			{"GET", "/email/preferences", ""},
			{"PATCH", "/email/preferences", `{"categories":{}}`},
			{"POST", "/email/resubscribe", ""},
		} {
			w.Do(call[0], call[1], "", call[2]).Refused(401, "TOKEN_MISSING")
		}
	})
}

// How mails about payments come stands beside the categories, which say on and off as before.
func TestMailsAboutPaymentsComeInTheMorning(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *identitytest.World) {
		ada := w.Someone("ada@example.com").Access
		id := w.Do("GET", "/users/me", ada, "").OK(200).Text("_id")
		change := func(body string) identitytest.Answer { return w.Do("PATCH", "/email/preferences", ada, body) }
		gathers := func(c mail.Category) bool {
			on, err := w.Preferences.Gathers(context.Background(), id, c)
			require.NoError(t, err)

			return on
		}

		require.Equal(t, "MORNING", change(`{"transactionMails":"MORNING"}`).OK(200).Text("transactionMails"))
		require.True(t, gathers(mail.Transaction))
		require.False(t, gathers(mail.Security))
		require.False(t, gathers(mail.Product))

		require.Equal(t, "OFF", change(`{"transactionMails":"OFF"}`).OK(200).Text("transactionMails"))
		require.JSONEq(t, `{"unsubscribed":false,"categories":{"product":true,"transaction":false,"security":true},
			"transactionMails":"OFF"}`, w.Do("GET", "/email/preferences", ada, "").OK(200).Raw)

		a := change(`{"categories":{"transaction":true}}`).OK(200)
		require.Equal(t, "MORNING", a.Text("transactionMails"), "they come again as they came before")
		require.Equal(t, "AT_ONCE", change(`{"transactionMails":"AT_ONCE"}`).OK(200).Text("transactionMails"))
		require.False(t, gathers(mail.Transaction))

		change(`{"categories":{"transaction":true},"transactionMails":"OFF"}`).
			Refused(422, "NOT_ALLOWED", "/transactionMails NOT_ALLOWED")
		change(`{"transactionMails":"WEEKLY"}`).Refused(422, "NOT_IN_ENUM", "/transactionMails NOT_IN_ENUM")
	})
}
