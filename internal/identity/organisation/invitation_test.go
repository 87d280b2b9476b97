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

// Open invitations are listed for admins, the newest first, with who invites and no token. One that was used, revoked
// or is over is not among them.
func TestOpenInvitationsAreListed(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		approve(w, org, admin.Access)

		path := "/organisations/" + org + "/invitations"
		invite := func(email string) identitytest.Answer {
			return w.Do("POST", path, admin.Access, `{"email":"`+email+`","roles":["viewer"]}`).OK(201)
		}
		listed := func() (out []string) {
			for _, one := range w.Do("GET", path, admin.Access, "").OK(200).Body["results"].([]any) {
				out = append(out, one.(map[string]any)["_id"].(string))
			}

			return out
		}

		invite("past@example.com")
		w.DB.Clock().Advance(organisation.InvitationLifetime)

		admin = w.Login("ada@example.com")
		first := invite("joan@example.com").Text("_id")
		second := invite("kay@example.com")
		member, _ := w.Member(admin.Access, org, "grace@example.com", "")
		require.Equal(t, []string{second.Text("_id"), first}, listed())

		all := w.Do("GET", path+"?limit=1", admin.Access, "").OK(200)
		require.EqualValues(t, 2, all.Body["total"])
		require.Contains(t, all.Raw, `"invitedByName":"Ada Lovelace"`)
		require.NotContains(t, all.Raw, second.Text("token"))
		require.Contains(
			t,
			w.Do("GET", path+"?limit=1&cursor="+all.Text("nextCursor"), admin.Access, "").OK(200).Raw,
			first,
		)

		w.Do("GET", path, member.Access, "").Refused(403, "ROLE_REQUIRED")
		w.Do("DELETE", path+"/"+first, member.Access, "").Refused(403, "ROLE_REQUIRED")
		w.Do("DELETE", path+"/"+first, w.Someone("eve@example.com").Access, "").Refused(404, "NOT_FOUND")
		w.Do("DELETE", path+"/"+first, admin.Access, "").OK(200)
		require.Equal(t, []string{second.Text("_id")}, listed())
	})
}

// A revoked invitation lets nobody in, and is not sent again. A second revocation finds nothing.
func TestARevokedInvitationLetsNobodyIn(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		guest := w.Someone("joan@example.com")
		org := w.Organisation(admin.Access)
		path := "/organisations/" + org + "/invitations"
		in := w.Do("POST", path, admin.Access, `{"email":"joan@example.com"}`).OK(201)
		join := `{"invitationToken":"` + in.Text("token") + `"}`

		w.Do("DELETE", path+"/"+in.Text("_id"), admin.Access, "").OK(200)
		w.Do("DELETE", path+"/"+in.Text("_id"), admin.Access, "").Refused(404, "NOT_FOUND")
		w.Do("POST", path+"/"+in.Text("_id")+"/resend", admin.Access, "").Refused(404, "NOT_FOUND")
		w.Do("POST", "/organisations/join", guest.Access, join).Refused(422, "INVITATION_INVALID")
		w.Do("GET", "/auth/invitation/info?token="+in.Text("token"), "", "").Refused(410, "LINK_INVALID")
	})
}

// An invitation that is sent again works by its new link alone, and counts against the limits of mails.
func TestAnInvitationIsSentAgain(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		approve(w, org, admin.Access)

		path := "/organisations/" + org + "/invitations"
		first := w.Do("POST", path, admin.Access, `{"email":"joan@example.com","roles":["approver"]}`).OK(201)
		second := w.Do("POST", path+"/"+first.Text("_id")+"/resend", admin.Access, "").OK(201)

		require.NotEqual(t, first.Text("token"), second.Text("token"))
		require.Equal(t, []any{"approver"}, second.Body["roles"])
		require.Len(t, w.Mails("joan@example.com"), 2)
		w.Do("GET", "/auth/invitation/info?token="+first.Text("token"), "", "").Refused(410, "LINK_INVALID")

		info := w.Do("GET", "/auth/invitation/info?token="+second.Text("token"), "", "").OK(200)
		require.Equal(t, "joan@example.com", info.Text("email"))
		require.Equal(t, "Ada Lovelace", info.Text("invitedByName"))
		require.Equal(t, true, info.Body["isVerified"])
		require.NotEmpty(t, info.Text("organisationName"))

		third := w.Do("POST", path+"/"+second.Text("_id")+"/resend", admin.Access, "").OK(201)
		w.Do("POST", path+"/"+third.Text("_id")+"/resend", admin.Access, "").Refused(429, "INVITATION_LIMIT")
		require.Len(t, w.Mails("joan@example.com"), 3)
		w.Do("POST", "/organisations/join", w.Someone("joan@example.com").Access,
			`{"invitationToken":"`+third.Text("token")+`"}`).OK(200)
		w.Do("POST", path+"/"+third.Text("_id")+"/resend", admin.Access, "").Refused(404, "NOT_FOUND")
	})
}

// Under a policy an invitation that nobody has approved is not sent again; one that was approved needs no second
// approval. Revoking one that waits withdraws what was asked.
func TestAnApprovedInvitationIsSentAgainWithoutAnotherApproval(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		approve(w, org, admin.Access)

		second, _ := w.Member(admin.Access, org, "grace@example.com", `"admin"`)
		w.Do(
			"PUT",
			"/organisations/"+org+"/approval-policy",
			admin.Access,
			`{"fourEyes":true,"payeeApproval":false}`,
		).OK(
			200,
		)

		path := "/organisations/" + org + "/invitations"
		asked := w.Do("POST", path, admin.Access, `{"email":"joan@example.com"}`).OK(201)
		w.Do("POST", path+"/"+asked.Text("_id")+"/resend", admin.Access, "").Refused(409, "INVITATION_WAITS")
		w.Do("POST", "/approvals/"+asked.Text("pendingApproval")+"/approve", second.Access, "{}").OK(200)
		require.Len(t, w.Mails("joan@example.com"), 1)

		again := w.Do("POST", path+"/"+asked.Text("_id")+"/resend", admin.Access, "").OK(201)
		require.Nil(t, again.Body["pendingApproval"])
		require.Len(t, w.Mails("joan@example.com"), 2)
		w.Do("POST", "/organisations/join", w.Someone("joan@example.com").Access,
			`{"invitationToken":"`+again.Text("token")+`"}`).OK(200)

		waits := w.Do("POST", path, admin.Access, `{"email":"kay@example.com"}`).OK(201)
		w.Do("DELETE", path+"/"+waits.Text("_id"), admin.Access, "").OK(200)
		w.Do("POST", "/approvals/"+waits.Text("pendingApproval")+"/approve", second.Access, "{}").
			Refused(409, "APPROVAL_DECIDED")
	})
}
