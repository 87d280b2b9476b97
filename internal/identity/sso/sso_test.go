package sso_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/sso"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
)

// TestPersonSignsInByTheProvider: who is new gets an account and a membership with the roles that the rules say.
func TestPersonSignsInByTheProvider(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		b := h.browser()
		in(b.signIn("grace@example.com", person("g-1", "grace@example.com", "finance")))

		me := b.calls("/users/me", "").OK(200)
		require.Equal(t, "grace@example.com", me.Text("email"))
		require.Equal(t, "Hopper", me.Text("lastName"))
		require.Equal(
			t,
			int64(1),
			h.Count("SELECT count(*) FROM members WHERE roles = 'initiator' AND user_type = 'viewer'"),
		)

		// She comes again, in another group: the roles follow.
		b = h.browser()
		in(b.signIn("grace@example.com", person("g-1", "grace@example.com", "other")))
		require.Equal(t, int64(1), h.Count("SELECT count(*) FROM members WHERE roles = 'viewer'"))
		require.Equal(t, int64(1), h.Count("SELECT count(*) FROM sign_on_links"))
		require.InDelta(t, 2, h.Service.Outcomes()["signed_in"], 0)

		// She has no password, and none is made up for her.
		h.Do(
			"POST",
			"/auth/login",
			"",
			`{"email":"grace@example.com","password":"x"}`,
		).Refused(
			401,
			"CREDENTIALS_INVALID",
		)
	})
}

// TestNobodyElseIsLetIn: what the provider says must fit the organisation.
func TestNobodyElseIsLetIn(t *testing.T) { // S-05
	each(t, func(t *testing.T, h *house) {
		for name, one := range map[string]struct {
			change func(c map[string]any)
			why    string
		}{
			"unverified":     {func(c map[string]any) { c["email_verified"] = false }, "does not say that the address"},
			"verified no":    {func(c map[string]any) { c["email_verified"] = "false" }, "does not say that the address"},
			"not said":       {func(c map[string]any) { delete(c, "email_verified") }, "does not say that the address"},
			"foreign domain": {func(c map[string]any) { c["email"] = "ada@other.example" }, "in no domain"},
			"subdomain":      {func(c map[string]any) { c["email"] = "ada@sub.example.com" }, "in no domain"},
			"two addresses":  {func(c map[string]any) { c["email"] = "eve@evil.example,ada@example.com" }, "does not say your e-mail"},
			"no address":     {func(c map[string]any) { delete(c, "email") }, "does not say your e-mail"},
			"left out": {func(c map[string]any) {
				delete(c, "groups")
				c["_claim_names"] = map[string]any{"groups": "src1"}
				c["_claim_sources"] = map[string]any{"src1": map[string]any{"endpoint": "https://graph.example"}}
			}, "leaves out the claim"},
		} {
			t.Run(name, func(t *testing.T) {
				b := h.browser()
				claims := person("g-1", "grace@example.com")
				one.change(claims)
				b.stopped(b.signIn("grace@example.com", claims), one.why)
			})
		}

		require.Zero(t, h.Count("SELECT count(*) FROM sign_on_links"))
		require.Equal(t, int64(1), h.Count("SELECT count(*) FROM users"))
	})
}

func TestWithoutARuleNobodyIsLetIn(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		h.setUp(`"claim":"groups","rules":[{"value":"finance","roles":["viewer"]}]`)

		b := h.browser()
		b.stopped(
			b.signIn("grace@example.com", person("g-1", "grace@example.com", "Finance")),
			"None of the organisation's rules",
		)
	})
}

// TestAnAnswerIsTakenOnceInItsBrowser: the state of another browser, a code that comes again, another provider's
// address.
func TestAnAnswerIsTakenOnceInItsBrowser(t *testing.T) { // S-06
	each(t, func(t *testing.T, h *house) {
		h.idp.Claims = person("g-1", "grace@example.com")
		mallory, grace := h.browser(), h.browser()

		// Mallory sends Grace the answer that he got: she would work in his account.
		stolen := h.idp.SignIn(mallory.leave("grace@example.com"))
		grace.leave("grace@example.com")
		grace.stopped(grace.back(h.org, stolen), "begun in another browser")

		// The same without any cookie, at another address, and made up.
		none := h.browser()
		none.stopped(none.back(h.org, stolen), "begun in another browser")
		mallory.stopped(mallory.back("platform", stolen), "begun in another browser")
		none.stopped(none.back(h.org, url.Values{"state": {"x"}, "code": {"y"}}), "begun in another browser")

		// In the browser that has begun it works once.
		address := grace.leave("grace@example.com")
		cookie := grace.jar["__Host-slipway-sign-on"]
		answer := h.idp.SignIn(address)
		in(grace.back(h.org, answer))
		require.Empty(t, grace.jar["__Host-slipway-sign-on"])

		again := h.browser()
		again.jar["__Host-slipway-sign-on"] = cookie
		again.stopped(again.back(h.org, answer), "begun in another browser")

		// It is too late after ten minutes, and void once the setting is another one.
		late := h.browser()
		answer = h.idp.SignIn(late.leave("grace@example.com"))
		h.Exec("UPDATE sign_on_attempts SET expires_at = 1 WHERE used_at = 0")
		late.stopped(late.back(h.org, answer), "took too long")

		changed := h.browser()
		answer = h.idp.SignIn(changed.leave("grace@example.com"))
		h.setUp(`"admitsOthers":true`)
		changed.stopped(changed.back(h.org, answer), "took too long")

		n, err := h.Service.Forget(t.Context(), 100)
		require.NoError(t, err)
		require.Positive(t, n)
	})
}

// TestASubjectIsOnePerson: an address is taken over by nobody, neither by a second subject nor by a second address.
func TestASubjectIsOnePerson(t *testing.T) { // S-07
	each(t, func(t *testing.T, h *house) {
		in(h.browser().signIn("grace@example.com", person("g-1", "grace@example.com")))

		b := h.browser()
		b.stopped(b.signIn("grace@example.com", person("g-2", "grace@example.com")), "Another account of the provider")
		b.stopped(b.signIn("eve@example.com", person("g-1", "eve@example.com")), "another e-mail address than here")
		b.stopped(b.signIn("ada@example.com", person("g-1", "ada@example.com")), "another e-mail address than here")

		links := h.Do("GET", h.path("/links"), h.admin.Access, "").OK(200)
		require.Contains(t, links.Raw, `"subject":"g-1"`)

		// An admin removes the link: the sessions end, and the address counts once more.
		id := links.Body["data"].([]any)[0].(map[string]any)["_id"].(string)
		before := h.browser()
		in(before.signIn("grace@example.com", person("g-1", "grace@example.com")))
		h.Do("DELETE", h.path("/links/"+id), h.admin.Access, "").OK(204)
		before.calls("/users/me", "").Refused(401, "TOKEN_INVALID")
		in(h.browser().signIn("grace@example.com", person("g-2", "grace@example.com")))
		require.Equal(t, int64(2), h.Count("SELECT count(*) FROM users"))
	})
}

// TestAProviderSignsInForItsOrganisationAlone: its admin can name anybody of the domain, and reaches nothing elsewhere.
func TestAProviderSignsInForItsOrganisationAlone(t *testing.T) { // S-03
	each(t, func(t *testing.T, h *house) {
		grace := h.Someone("grace@example.com")
		elsewhere := h.Organisation(grace.Access)
		h.Exec("UPDATE users SET email_confirmed_at = 1, staff = 'operator'")

		b := h.browser()
		in(b.signIn("grace@example.com", person("g-1", "grace@example.com")))
		b.calls("/organisations/"+h.org+"/members", h.org).OK(200)
		b.calls("/organisations/"+elsewhere+"/members", elsewhere).Refused(404, "NOT_FOUND")
		b.calls("/organisations/"+elsewhere+"/members", "").Refused(404, "NOT_FOUND")
		require.NotContains(t, b.calls("/organisations/me", "").OK(200).Raw, elsewhere)
		require.NotContains(t, b.calls("/users/me", "").OK(200).Raw, elsewhere)
		b.calls("/operations/approvals", "").Refused(403, "ROLE_REQUIRED")

		// Her own password opens both, and her role.
		own := h.Login("grace@example.com")
		h.Do("GET", "/organisations/"+elsewhere+"/members", own.Access, "").OK(200)
		h.Do("GET", "/operations/approvals", own.Access, "").OK(200)

		// The session ends with the membership.
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

		b.calls("/users/me", "").Refused(401, "TOKEN_INVALID")
	})
}

// TestWhoRegistersAnAddressFirstKeepsNothing: an account that nobody has confirmed becomes the person's, and the
// password of whoever has made it is gone.
func TestWhoRegistersAnAddressFirstKeepsNothing(t *testing.T) { // S-04
	each(t, func(t *testing.T, h *house) {
		mallory := h.Someone("grace@example.com") // with a password that Mallory knows
		h.SetUp(mallory.Access)

		b := h.browser()
		in(b.signIn("grace@example.com", person("g-1", "grace@example.com")))
		h.Do("GET", "/users/me", mallory.Access, "").Refused(401, "TOKEN_INVALID")
		h.Do("POST", "/auth/login", "", `{"email":"grace@example.com","password":"`+identitytest.Password+`"}`).
			Refused(401, "CREDENTIALS_INVALID")
		require.Zero(t, h.Count("SELECT count(*) FROM two_factors WHERE enabled_at > 0"))
	})
}

// TestADomainBelongsToWhoProvesIt: nothing counts before, and one domain is one organisation's.
func TestADomainBelongsToWhoProvesIt(t *testing.T) { // S-08
	each(t, func(t *testing.T, h *house) {
		h.dns["_slipway-sign-on.example.com"] = nil
		eve := h.Someone("eve@evil.example")
		org := h.Organisation(eve.Access)
		path := "/organisations/" + org + "/sign-on"

		d := h.Do("POST", path+"/domains", eve.Access, `{"domain":"Example.COM."}`).OK(201)
		require.Equal(t, "example.com", d.Text("domain"))
		check := path + "/domains/" + d.Text("_id") + "/check"
		h.Do("POST", check, eve.Access, "").Refused(409, "DOMAIN_NOT_PROVEN")

		h.dns[d.Text("recordName")] = []string{d.Text("recordValue")}
		h.Do("POST", check, eve.Access, "").Refused(409, "DOMAIN_TAKEN")

		other := h.Do("POST", path+"/domains", eve.Access, `{"domain":"evil.example"}`).OK(201)
		h.browser().ask("/console/session/sign-on", url.Values{"email": {"eve@evil.example"}}).OK(404)

		// Who is nobody there learns nothing.
		h.Do("GET", path, h.admin.Access, "").Refused(404, "NOT_FOUND")
		h.Do("DELETE", path+"/domains/"+other.Text("_id"), h.admin.Access, "").Refused(404, "NOT_FOUND")
		h.Do("DELETE", h.path("/domains/"+other.Text("_id")), h.admin.Access, "").Refused(404, "NOT_FOUND")

		for _, wrong := range []string{"", "localhost", "exa mple.com", "a@b.com", "http://example.com", "example.com/x"} {
			h.Do("POST", path+"/domains", eve.Access, `{"domain":"`+wrong+`"}`).OK(422)
		}

		// An operator confirms one for who cannot set a record.
		h.Exec("UPDATE users SET staff = 'operator' WHERE email = 'ada@example.com'")
		operator := h.Login("ada@example.com")
		h.Do("POST", "/operations/organisations/"+org+"/sign-on/domains", operator.Access,
			`{"domain":"evil.example","reason":"contract"}`).OK(200)
		h.Do("POST", "/operations/organisations/"+org+"/sign-on/domains", operator.Access,
			`{"domain":"example.com","reason":"contract"}`).Refused(409, "DOMAIN_TAKEN")
		h.Do("POST", "/operations/organisations/"+org+"/sign-on/domains", eve.Access,
			`{"domain":"evil.example","reason":"me"}`).OK(403)
	})
}

// TestTheProviderCanBeRequired: passwords of the domain do not sign in any more, but for the emergency.
func TestTheProviderCanBeRequired(t *testing.T) { // S-09
	each(t, func(t *testing.T, h *house) {
		grace, _ := h.Member(h.admin.Access, h.org, "grace@example.com", `"viewer"`)
		guest, _ := h.Member(h.admin.Access, h.org, "guest@other.example", `"viewer"`)
		ada := h.Do("GET", "/users/me", h.admin.Access, "").OK(200).Text("_id")

		required := `"admitsOthers":true,"isRequired":true,"emergencyUsers":["` + ada + `"]`
		h.Do("PUT", h.path(""), h.admin.Access, h.body(`"isRequired":true`)).Refused(409, "SIGN_ON_EMERGENCY_MISSING")
		h.Do(
			"PUT",
			h.path(""),
			h.admin.Access,
			h.body(required),
		).Refused(
			409,
			"SIGN_ON_EMERGENCY_MISSING",
		) // no second factor

		app, _ := h.SetUp(h.admin.Access)
		h.Exec("UPDATE users SET email_confirmed_at = 1")
		h.admin = h.LoginWith("ada@example.com", app.Code())
		h.setUp(required)

		// Her session has ended, and she is led to the provider; the guest and the emergency go on.
		h.Do("GET", "/users/me", grace.Access, "").Refused(401, "TOKEN_INVALID")
		h.Do("GET", "/users/me", guest.Access, "").OK(200)
		h.Do("POST", "/auth/login", "", `{"email":"grace@example.com","password":"`+identitytest.Password+`"}`).
			Refused(403, "SIGN_ON_REQUIRED")
		h.Do("POST", "/auth/login", "", `{"email":"grace@example.com","password":"wrong"}`).
			Refused(401, "CREDENTIALS_INVALID")
		require.NotEmpty(t, h.Temp("ada@example.com"))
		h.Login("guest@other.example")

		b := h.browser()
		form := url.Values{
			"email":    {"grace@example.com"},
			"password": {identitytest.Password},
			"next":     {"/console/ops"},
		}
		h.idp.Claims = person("g-1", "grace@example.com")
		in(b.back(h.org, h.idp.SignIn(led(b.ask("/console/session", form)))))

		// Elsewhere her password goes on, and does not act here.
		h.Exec("INSERT INTO members (id, organisation, user_id, user_type, roles, applicant_id, onboarding_status, "+
			"is_active, version, created_at, updated_at) SELECT 'mem_x', ?, id, 'viewer', 'viewer', '', 'PENDING', TRUE, 1, 1, 1 "+
			"FROM users WHERE email = 'grace@example.com'", h.Organisation(guest.Access))
		own := h.Login("grace@example.com")
		h.Do("GET", "/organisations/"+h.org+"/members", own.Access, "").Refused(404, "NOT_FOUND")
		h.Do("GET", "/users/me", own.Access, "", identitytest.Header{Name: "Slipway-Organisation", Value: h.org}).
			Refused(403, "SIGN_ON_REQUIRED")
		require.NotContains(t, h.Do("GET", "/organisations/me", own.Access, "").OK(200).Raw, h.org)

		// An operator lets passwords in again.
		h.Exec("UPDATE users SET staff = 'operator' WHERE email = 'ada@example.com'")
		h.admin = h.LoginWith("ada@example.com", app.Code())
		h.Do(
			"POST",
			"/operations/organisations/"+h.org+"/sign-on/passwords",
			h.admin.Access,
			`{"reason":"called"}`,
		).OK(
			200,
		)
		h.Login("grace@example.com")
		require.NotEmpty(t, h.Mails("ada@example.com"))
	})
}

// TestASecondFactorIsAskedForOnce: the service's own, unless the owner lets the provider's count.
func TestASecondFactorIsAskedForOnce(t *testing.T) { // S-10
	each(t, func(t *testing.T, h *house) {
		grace := h.Someone("grace@example.com")
		app, _ := h.SetUp(grace.Access)
		h.Exec("UPDATE users SET email_confirmed_at = 1")

		claims := person("g-1", "grace@example.com")
		claims["amr"] = []string{"pwd", "mfa"}

		b := h.browser()
		a := b.signIn("grace@example.com", claims)
		require.Equal(t, "/console/session/second?next=%2Fconsole%2Fops", a.Header.Get("Location"))
		require.Empty(t, b.jar["__Host-slipway"])
		in(b.ask("/console/session/second", url.Values{"code": {app.Code()}, "next": {"/console/ops"}}))
		b.calls("/organisations/"+h.org+"/members", h.org).OK(200)
		require.Equal(
			t,
			int64(1),
			h.Count("SELECT count(*) FROM sessions WHERE sign_on = ? AND organisation = ?", h.org, h.org),
		)

		h.setUp(`"admitsOthers":true,"secondFactorValues":["mfa"]`)
		b = h.browser()
		in(b.signIn("grace@example.com", claims))
		require.Equal(
			t,
			int64(1),
			h.Count("SELECT count(*) FROM sessions WHERE sign_on = ? AND second_factor_at = 0", h.org),
			"what moves money asks for the service's own",
		)

		claims["amr"] = []string{"pwd"}
		require.Contains(t, h.browser().signIn("grace@example.com", claims).Header.Get("Location"), "/second")
	})
}

// TestATestChangesNothing shows an admin what the provider says.
func TestATestChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		b := h.browser()
		b.ask("/console/session", url.Values{"email": {"ada@example.com"}, "password": {identitytest.Password}}).OK(303)
		cookie := b.jar["__Host-slipway"]

		h.idp.Claims = person("x-1", "grace@example.com", "finance")
		h.idp.Claims["note"] = "<script>alert(1)</script>"
		page := b.back(
			h.org,
			h.idp.SignIn(led(b.ask("/console/session/sign-on/test?organisation="+h.org, nil))),
		).OK(
			200,
		)
		require.Contains(t, page.Raw, "initiator")
		require.Contains(t, page.Raw, "grace@example.com")
		require.NotContains(t, page.Raw, "<script>alert")
		require.Equal(t, cookie, b.jar["__Host-slipway"])
		require.Zero(t, h.Count("SELECT count(*) FROM sign_on_links"))

		h.idp.Claims = person("x-1", "grace@other.example")
		page = b.back(h.org, h.idp.SignIn(led(b.ask("/console/session/sign-on/test?organisation="+h.org, nil)))).OK(200)
		require.Contains(t, page.Raw, "in no domain")

		nobody := h.browser()
		nobody.ask("/console/session/sign-on/test?organisation="+h.org, nil).OK(401)
	})
}

// TestTwoAdminsDecideOnAProvider: one alone could name himself the other.
func TestTwoAdminsDecideOnAProvider(t *testing.T) { // S-11
	each(t, func(t *testing.T, h *house) {
		grace, _ := h.Member(h.admin.Access, h.org, "grace@example.com", `"admin"`)
		h.Do(
			"PUT",
			"/organisations/"+h.org+"/approval-policy",
			h.admin.Access,
			`{"fourEyes":true,"payeeApproval":false}`,
		).OK(
			200,
		)

		asked := h.Do(
			"PUT",
			h.path(""),
			h.admin.Access,
			strings.Replace(h.body(`"admitsOthers":true,"defaultRoles":["admin"]`),
				h.idp.Issuer(), "http://127.0.0.1:1", 1),
		).OK(
			200,
		)
		require.Equal(t, h.idp.Issuer(), asked.Text("issuer"), "what was in force goes on")
		approval := asked.Text("pendingApproval")
		in(h.browser().signIn("hedy@example.com", person("h-1", "hedy@example.com")))

		shown := h.Do("GET", "/approvals/"+approval, grace.Access, "").OK(200)
		require.Contains(t, shown.Raw, "http://127.0.0.1:1")
		decide := "/approvals/" + approval + "/approve"
		h.Do("POST", decide, h.admin.Access, "{}").OK(403)
		h.Do("POST", decide, grace.Access, "{}").OK(200)
		require.Equal(t, "http://127.0.0.1:1", h.Do("GET", h.path(""), grace.Access, "").OK(200).Text("issuer"))
		require.Equal(t, int64(1), h.Count("SELECT count(*) FROM sign_on_providers"))
	})
}

// TestAProviderThatIsDownSaysSo, and one that refuses is quoted in a line.
func TestAProviderThatIsDownSaysSo(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		b := h.browser()
		state := h.idp.SignIn(b.leave("grace@example.com")).Get("state")
		b.stopped(
			b.back(h.org, url.Values{"state": {state}, "error": {"access_denied"}, "error_description": {"no <b>"}}),
			"you were refused",
		)

		h.Do("POST", h.path("/check"), h.admin.Access, "").OK(200)
		h.setUp(`"admitsOthers":true`)
		h.Exec("UPDATE sign_on_providers SET issuer = 'http://127.0.0.1:1'")
		page := b.ask("/console/session/sign-on", url.Values{"email": {"grace@example.com"}}).OK(503)
		require.Contains(t, page.Raw, "cannot be reached")
		seen := h.Do("POST", h.path("/check"), h.admin.Access, "").OK(200)
		require.Equal(t, false, seen.Body["isReachable"])
	})
}

func TestASettingIsCheckedAndItsSecretIsNeverShown(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		shown := h.Do("GET", h.path(""), h.admin.Access, "").OK(200)
		require.NotContains(t, shown.Raw, "only here")
		require.Equal(t, true, shown.Body["hasClientSecret"])
		require.Zero(t, h.Count("SELECT count(*) FROM sign_on_providers WHERE secret LIKE '%only here%'"))

		// Left out, the secret stays; with another issuer it does not go there.
		h.Do(
			"PUT",
			h.path(""),
			h.admin.Access,
			`{"isEnabled":true,"issuer":"`+h.idp.Issuer()+`","clientId":"slipway"}`,
		).OK(
			200,
		)
		require.Equal(t, true, h.Do("GET", h.path(""), h.admin.Access, "").OK(200).Body["hasClientSecret"])
		other := h.Do(
			"PUT",
			h.path(""),
			h.admin.Access,
			`{"isEnabled":true,"issuer":"https://evil.example","clientId":"slipway"}`,
		).OK(
			200,
		)
		require.Equal(t, false, other.Body["hasClientSecret"])

		wrong := h.Do(
			"PUT",
			h.path(""),
			h.admin.Access,
			`{"isEnabled":true,"issuer":"https://login.microsoftonline.com/common/v2.0",`+
				`"clientId":"x","rules":[{"value":"x","roles":["owner"]}]}`,
		).OK(
			422,
		)
		for _, place := range []string{"SIGN_ON_ISSUER_INVALID", "/claim", "/rules/0/roles"} {
			require.Contains(t, wrong.Raw, place)
		}

		viewer, _ := h.Member(h.admin.Access, h.org, "v@other.example", `"viewer"`)
		h.Do("GET", h.path(""), viewer.Access, "").Refused(403, "ROLE_REQUIRED")
		h.Do("PUT", h.path(""), viewer.Access, h.body("")).Refused(403, "ROLE_REQUIRED")

		h.Do("DELETE", h.path(""), h.admin.Access, "").OK(204)
		h.Do("DELETE", h.path(""), h.admin.Access, "").Refused(404, "NOT_FOUND")
		h.browser().ask("/console/session/sign-on", url.Values{"email": {"grace@example.com"}}).OK(404)
	})
}

// TestWhoWasShutOutStaysOut: the provider's word does not undo an admin's.
func TestWhoWasShutOutStaysOut(t *testing.T) {
	each(t, func(t *testing.T, h *house) {
		in(h.browser().signIn("grace@example.com", person("g-1", "grace@example.com")))
		h.Exec("UPDATE members SET is_active = FALSE WHERE roles = 'viewer'")

		b := h.browser()
		b.stopped(b.signIn("grace@example.com", person("g-1", "grace@example.com")), "You have been shut out")
	})
}

// TestThePlatformsOwnPeopleSignInByTheConfiguration with the role that the claim says.
func TestThePlatformsOwnPeopleSignInByTheConfiguration(t *testing.T) { // S-12
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newHouse(t, d, sso.Platform{
			Domains:   []string{"platform.example"},
			Claim:     "groups",
			Operators: []string{"ops"},
			Staff:     []string{"support"},
			Required:  true,
			Emergency: []string{"root@platform.example"},
		})
		h.org = "platform"

		b := h.browser()
		page := b.signIn("oscar@platform.example", person("o-1", "oscar@platform.example", "ops", "support")).OK(200)
		require.Contains(t, page.Raw, "data:image/png", "a second factor is set up at once")
		require.Equal(
			t,
			int64(1),
			h.Count("SELECT count(*) FROM users WHERE staff = 'operator' AND two_factor_required = TRUE"),
		)

		b = h.browser()
		b.stopped(
			b.signIn("eve@platform.example", person("e-1", "eve@platform.example", "sales")),
			"None of the organisation's rules",
		)

		// A password makes nobody an operator any more, but for the emergency.
		for _, email := range []string{"pat@platform.example", "root@platform.example"} {
			h.Register(email)
			h.Exec("UPDATE users SET staff = 'operator' WHERE email = ?", email)
		}

		h.Do("POST", "/auth/login", "", `{"email":"pat@platform.example","password":"`+identitytest.Password+`"}`).
			Refused(403, "SIGN_ON_REQUIRED")
		h.Do("GET", "/operations/approvals", h.Login("root@platform.example").Access, "").OK(200)

		// No customer claims the domain.
		org := h.Organisation(h.admin.Access)
		added := h.Do(
			"POST",
			"/organisations/"+org+"/sign-on/domains",
			h.admin.Access,
			`{"domain":"platform.example"}`,
		).OK(
			201,
		)
		h.dns[added.Text("recordName")] = []string{added.Text("recordValue")}
		h.Do("POST", "/organisations/"+org+"/sign-on/domains/"+added.Text("_id")+"/check", h.admin.Access, "").
			Refused(409, "DOMAIN_TAKEN")
	})
}
