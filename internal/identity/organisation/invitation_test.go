package organisation_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
)

func approve(w *world, org, token string) {
	w.Do("POST", "/sandbox/organisations/"+org+"/onboarding", token, `{"status":"APPROVED"}`).OK(200)
}

// TestInvitationsAreNoMailBomb (M-10): of 300 tries at one address three get through in a day, whoever invites, and
// an organisation that nobody has verified mails to nobody.
func TestInvitationsAreNoMailBomb(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		const victim = "victim@example.com"

		sent := 0

		for i := range 10 {
			admin := w.Someone(fmt.Sprintf("admin%d@example.com", i))
			org := w.Organisation(admin.Access)
			approve(w, org, admin.Access)

			for range 30 {
				a := w.Do("POST", "/organisations/"+org+"/invitations", admin.Access, `{"email":"Victim@example.com"}`)
				if a.Status == 201 {
					sent++
					continue
				}

				a.Refused(429, "INVITATION_LIMIT")
			}
		}

		require.Equal(t, 3, sent)
		require.Len(t, w.Mails("Victim@example.com"), 3)

		unknown := w.Someone("unknown@example.com")
		org := w.Organisation(unknown.Access)
		a := w.Do(
			"POST",
			"/organisations/"+org+"/invitations",
			unknown.Access,
			`{"email":"somebody@example.com"}`,
		).OK(201)
		require.NotEmpty(t, a.Text("token"), "it is handed over by its admin")
		require.Empty(t, w.Mails("somebody@example.com"))

		w.DB.Clock().Advance(25 * time.Hour)
		w.Do(
			"POST",
			"/organisations/"+org+"/invitations",
			w.Login("unknown@example.com").Access,
			`{"email":"`+victim+`"}`,
		).OK(201)
	})
}

// TestNoLinksInNames (M-10): a name is no advertisement in other people's mails.
func TestNoLinksInNames(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)

		for _, name := range []string{"Win at https://evil.example", "www.evil.example", "Visit evil.example/win now", "HTTP://EVIL"} {
			w.Do("PATCH", "/organisations/"+org, admin.Access, fmt.Sprintf(`{"name":%q}`, name)).Refused(
				422,
				"FORMAT_INVALID",
				"/name FORMAT_INVALID",
			)

			w.Do("PATCH", "/users/me", admin.Access, fmt.Sprintf(`{"lastName":%q}`, name)).Refused(
				422,
				"FORMAT_INVALID",
				"/lastName FORMAT_INVALID",
			)
		}

		w.Do("PATCH", "/organisations/"+org, admin.Access, `{"name":"Booking.com S.A./N.V."}`).OK(200)
		approve(w, org, admin.Access)
		w.Do("POST", "/organisations/"+org+"/invitations", admin.Access, `{"email":"bob@example.com"}`).OK(201)

		m := w.Mails("bob@example.com")[0]
		require.NotContains(t, strings.ToLower(m.Text+m.HTML), "booking.com", "no mail program makes a link of it")
		require.Contains(t, m.Text, "Booking.\u200bcom")
	})
}

// An invitation that ends unused has one event, when its time is over or a newer one has replaced it; one that was used
// has none.
func TestInvitationsThatEndAreToldOnce(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		approve(w, org, admin.Access)

		invite := func(email string) string {
			a := w.Do("POST", "/organisations/"+org+"/invitations", admin.Access, `{"email":"`+email+`"}`)
			return a.OK(201).Text("_id")
		}
		told := func() (out []string) {
			_, err := w.Orgs.EndInvitations(t.Context(), 10)
			require.NoError(t, err)

			out, err = db.Select(t.Context(), w.DB, func(s *string) []any { return []any{s} },
				"SELECT object FROM events WHERE type = 'invitation.expired' ORDER BY id")
			require.NoError(t, err)

			return out
		}

		w.Member(admin.Access, org, "grace@example.com", "")
		first := invite("joan@example.com")
		require.Empty(t, told())

		w.DB.Clock().Advance(time.Hour)

		admin = w.Login("ada@example.com")
		second := invite("joan@example.com")
		require.Equal(t, []string{first}, told(), "the newer one has replaced it")

		w.DB.Clock().Advance(organisation.InvitationLifetime)
		require.Equal(t, []string{first, second}, told())
		require.Equal(t, []string{first, second}, told())
	})
}

// That the mail of an invitation was refused is told while somebody can still join by it.
func TestInvitationThatHasEndedIsNotToldAsUndelivered(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		approve(w, org, admin.Access)

		invited := w.Do(
			"POST",
			"/organisations/"+org+"/invitations",
			admin.Access,
			`{"email":"joan@example.com"}`,
		).OK(201)
		refused := func(record string) {
			require.NoError(t, w.DB.Write(t.Context(), func(tx *db.Tx) error {
				return w.Orgs.InvitationUndelivered(t.Context(), tx, mail.Failure{
					Kind:    mail.Invitation,
					Record:  record,
					Problem: mail.AddressUnknown,
				})
			}))
		}
		events := func() int64 { return w.Count("SELECT count(*) FROM events WHERE type = 'invitation.undelivered'") }

		refused("inv_unknown")
		require.Zero(t, events())

		refused(invited.Text("_id"))
		require.EqualValues(t, 1, events())
		require.Len(t, w.Mails("ada@example.com"), 2, "that it was not delivered, and the confirmation of the address")

		w.DB.Clock().Advance(organisation.InvitationLifetime)
		refused(invited.Text("_id"))
		require.EqualValues(t, 1, events())
	})
}
