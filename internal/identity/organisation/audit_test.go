package organisation_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
)

func TestAuditLogIsForAdminsOfTheOrganisation(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *identitytest.World) {
		owner := w.Someone("ada@example.com")
		stranger := w.Someone("eve@example.com")
		org := w.Organisation(owner.Access)
		w.Organisation(stranger.Access)

		member, id := w.Member(owner.Access, org, "grace@example.com", `"viewer"`)
		for range 5 {
			w.Do(
				"PATCH",
				"/organisations/"+org,
				owner.Access,
				`{"payablesEmail":"pay@example.com"}`,
				identitytest.Header{Name: "X-Request-Id", Value: "find-me"},
				identitytest.Header{Name: "Source", Value: "198.51.100.7"},
			).OK(200)
		}

		w.Do("GET", "/audit-log", member.Access, "").Refused(403, "ROLE_REQUIRED")
		all := w.Do("GET", "/audit-log?limit=250", owner.Access, "").OK(200)
		lines := all.Results()
		require.Equal(t, "organisation.changed", lines[0]["action"])
		require.Equal(t, []any{"198.51.100.7", "find-me", org},
			[]any{lines[0]["source"], lines[0]["requestId"], lines[0]["object"]})
		require.Equal(t, "organisation.created", lines[len(lines)-1]["action"])
		me := w.Do("GET", "/users/me", owner.Access, "").OK(200).Text("_id")
		require.Equal(t, me, lines[0]["actor"])
		require.NotContains(t, w.Do("GET", "/audit-log?limit=250", stranger.Access, "").OK(200).Raw, org,
			"another organisation's log")

		var walked []any

		path := "/audit-log?limit=3"
		for page := 0; page < 20; page++ {
			a := w.Do("GET", path, owner.Access, "").OK(200)
			for _, l := range a.Results() {
				walked = append(walked, l["_id"])
			}

			if page == 1 { // a line that comes meanwhile moves nothing
				w.Do("PATCH", "/organisations/"+org, owner.Access, `{"payablesEmail":"new@example.com"}`).OK(200)
			}

			next, ok := a.Body["nextCursor"].(string)
			if !ok {
				break
			}

			path = "/audit-log?limit=3&cursor=" + next
		}

		var want []any
		for _, l := range lines {
			want = append(want, l["_id"])
		}

		require.Equal(t, want, walked)

		w.Do("PATCH", "/organisations/"+org+"/members/"+id, owner.Access, `{"roles":["approver"]}`).OK(200)
		require.Len(t, w.Do("GET", "/audit-log?action=member.changed&object="+id, owner.Access, "").OK(200).Results(),
			1)
		require.Empty(t, w.Do("GET", "/audit-log?to=2020-01-01T00:00:00Z", owner.Access, "").OK(200).Results())
		require.Empty(t, w.Do("GET", "/audit-log?actor=usr_1", owner.Access, "").OK(200).Results())
	})
}
