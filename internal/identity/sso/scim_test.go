package sso_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
)

// directory calls as the directory of the house's organisation.
func (h *house) directory(token, method, path, body string) identitytest.Answer {
	return h.Do(
		method,
		"/scim/v2"+path,
		token,
		body,
		identitytest.Header{Name: "Content-Type", Value: "application/scim+json"},
	)
}

// TestADirectoryEndsALeaver by what Entra ID and Okta send: sessions, membership and API clients end, and the provider
// does not let him in again before the directory does.
func TestADirectoryEndsALeaver(t *testing.T) { // S-13
	for name, off := range map[string]string{
		"entra": `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"Replace","path":"active","value":"False"}]}`,
		"okta":  `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"replace","value":{"active":false}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, h *house) {
				token := h.Do("POST", h.path("/scim-token"), h.admin.Access, "").OK(201).Text("token")

				require.Equal(
					t,
					float64(0),
					h.directory(token, "GET", `/Users?filter=userName+eq+"grace%40example.com"`, "").
						OK(200).Body["totalResults"],
				)
				id := h.directory(token, "POST", "/Users", `{"schemas":["urn:ietf:params:scim:schemas:core:2.0:User"],`+
					`"userName":"grace@example.com","externalId":"00u1","active":true,"name":{"givenName":"Grace","familyName":"Hopper"},`+
					`"emails":[{"primary":true,"type":"work","value":"grace@example.com"}],"password":"never kept"}`).OK(201).Text("id")
				h.directory(token, "POST", "/Users", `{"userName":"GRACE@example.com"}`).OK(409)
				require.Zero(
					t,
					h.Count("SELECT count(*) FROM users WHERE email = 'grace@example.com'"),
					"it brings nobody in",
				)

				b := h.browser()
				in(b.signIn("grace@example.com", person("g-1", "grace@example.com")))
				h.directory(token, "PATCH", "/Users/"+id, off).OK(200)
				b.calls("/users/me", "").Refused(401, "TOKEN_INVALID")
				require.Equal(
					t,
					int64(1),
					h.Count("SELECT count(*) FROM sessions WHERE revoked_why = 'switched off by the directory'"),
				)
				require.Equal(
					t,
					int64(1),
					h.Count("SELECT count(*) FROM members WHERE is_active = FALSE AND left_by = 'scim'"),
				)

				b = h.browser()
				b.stopped(b.signIn("grace@example.com", person("g-1", "grace@example.com")), "switched you off")

				h.directory(
					token,
					"PATCH",
					"/Users/"+id,
					strings.NewReplacer(`"False"`, `"True"`, "false", "true").Replace(off),
				).OK(
					200,
				)
				in(h.browser().signIn("grace@example.com", person("g-1", "grace@example.com")))
				require.Equal(t, int64(2), h.Count("SELECT count(*) FROM members WHERE is_active = TRUE"))

				h.directory(token, "DELETE", "/Users/"+id, "").OK(204)
				require.Equal(t, false, h.directory(token, "GET", "/Users/"+id, "").OK(200).Body["active"])
			})
		})
	}
}

// TestADirectoryEndsNobodyElse: its token opens nothing else, it speaks of its own domains alone, and the last admin
// stays.
func TestADirectoryEndsNobodyElse(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		old := h.Do("POST", h.path("/scim-token"), h.admin.Access, "").OK(201).Text("token")
		token := h.Do("POST", h.path("/scim-token"), h.admin.Access, "").OK(201).Text("token")
		h.directory(old, "GET", "/Users", "").OK(401)
		h.directory(h.admin.Access, "GET", "/Users", "").OK(401)
		h.directory("", "GET", "/Users", "").OK(401)
		h.Do("GET", "/users/me", token, "").OK(401)

		guest, _ := h.Member(h.admin.Access, h.org, "guest@other.example", `"viewer"`)
		h.directory(token, "POST", "/Users", `{"userName":"guest@other.example","active":false}`).OK(201)
		h.Do("GET", "/users/me", guest.Access, "").OK(200)

		h.directory(token, "POST", "/Users", `{"userName":"ada@example.com","active":false}`).OK(409)
		h.Do("GET", "/users/me", h.admin.Access, "").OK(200)

		for _, bad := range []string{
			"", "{", `{"userName":""}`, `{"userName":"x"}`, `{"userName":"a@example.com","active":"maybe"}`,
			`{"userName":"a@example.com","externalId":"` + strings.Repeat("x", 400) + `"}`,
		} {
			h.directory(token, "POST", "/Users", bad).OK(400)
		}

		h.directory(token, "POST", "/Users", `{"userName":"`+strings.Repeat("x", 100<<10)+`"}`).OK(413)
		h.directory(token, "GET", `/Users?filter=userName+sw+"a"`, "").OK(400)
		h.directory(token, "PATCH", "/Users/scu_none", `{"Operations":[]}`).OK(404)
		h.directory(token, "GET", "/ServiceProviderConfig", "").OK(200)

		h.Do("DELETE", h.path("/scim-token"), h.admin.Access, "").OK(204)
		h.directory(token, "GET", "/Users", "").OK(401)
	})
}

// TestWhatAnAdminEndedTheDirectoryDoesNotBeginAgain.
func TestWhatAnAdminEndedTheDirectoryDoesNotBeginAgain(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		token := h.Do("POST", h.path("/scim-token"), h.admin.Access, "").OK(201).Text("token")
		id := h.directory(token, "POST", "/Users", `{"userName":"grace@example.com"}`).OK(201).Text("id")
		in(h.browser().signIn("grace@example.com", person("g-1", "grace@example.com")))

		for _, active := range []string{"false", "true"} {
			h.directory(
				token,
				"PATCH",
				"/Users/"+id,
				`{"Operations":[{"op":"replace","value":{"active":`+active+`}}]}`,
			).OK(
				200,
			)
		}

		in(h.browser().signIn("grace@example.com", person("g-1", "grace@example.com")))

		for _, m := range h.Do("GET", "/organisations/"+h.org+"/members", h.admin.Access, "").OK(200).Results() {
			if m["user"].(map[string]any)["email"] == "grace@example.com" {
				h.Do(
					"PATCH",
					"/organisations/"+h.org+"/members/"+m["_id"].(string),
					h.admin.Access,
					`{"isActive":false}`,
				).OK(
					200,
				)
			}
		}

		b := h.browser()
		b.stopped(b.signIn("grace@example.com", person("g-1", "grace@example.com")), "You have been shut out")
	})
}
