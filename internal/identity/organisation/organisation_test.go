package organisation_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

func TestCreateOrganisation(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		a := w.Do(
			"POST",
			"/organisations/create",
			s.Access,
			`{"organisationType":"Organisation","name":" Analytical Engines Ltd ","registrationNumber":"CHE-123.456.789",
			"country":"CH","address":{"addressLine1":"Seestrasse 1","postCode":"8002","city":"Zürich"},"payablesEmail":"bills@example.com"}`,
		).OK(201)
		require.Equal(t, "PENDING", a.Text("onboardingStatus"))
		require.Equal(t, "Analytical Engines Ltd", a.Text("name"))
		require.Equal(t, "Zürich", a.Text("address.city"))
		require.Equal(t, "CH", a.Text("country.isoCode3166"))
		require.Equal(t, "LOW", a.Text("risk"))
		require.Equal(t, "0", a.Text("transactionValueLimit"))
		require.Len(t, a.Text("referenceCode"), 10)

		for _, field := range []string{
			"_id", "name", "firstName", "lastName", "registrationNumber", "referenceCode", "payablesEmail", "dateOfBirth", "country", "wallets", "members",
			"address", "organisationType", "onboardingStatus", "transactionValueLimit", "minUSDPaymentAmount", "cumulativeAmount", "isOnChainOrganisation", "complexStructure",
			"isActive", "risk", "features", "customCommissions", "senders", "comments", "documents", "defaultWallet", "defaultToken",
		} {
			require.Contains(t, a.Body, field)
		}

		m := a.Body["members"].([]any)[0].(map[string]any)
		for _, field := range []string{"_id", "user", "organisation", "userType", "levelName", "applicantId", "onboardingStatus", "isActive"} {
			require.Contains(t, m, field)
		}

		require.Equal(t, "authorized", m["userType"])
		o, ok := w.OnCreate(a.Text("_id"))
		require.True(t, ok)
		require.Equal(t, "CH", o.Country)
		require.Equal(t, a.Raw, w.Do("GET", "/organisations/"+o.ID, s.Access, "").OK(200).Raw)

		h := w.Do("POST", "/organisations/create", s.Access,
			`{"organisationType":"HNWI","firstName":"Ada","lastName":"Lovelace","dateOfBirth":"1815-12-10"}`)
		h.Refused(422, "OUT_OF_RANGE", "/dateOfBirth OUT_OF_RANGE")
		h = w.Do(
			"POST",
			"/organisations/create",
			s.Access,
			`{"organisationType":"HNWI","firstName":"Ada","lastName":"Lovelace","dateOfBirth":"1980-12-10"}`,
		).OK(201)
		require.Equal(t, "Ada Lovelace", h.Text("name"))
		require.Equal(t, "1980-12-10T00:00:00.000Z", h.Text("dateOfBirth"))
	})
}

// The platform's people find an organisation by its name however they write it, and by the present one alone.
func TestOrganisationsAreFoundAsTheyAreNamed(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		org := w.Do("POST", "/organisations/create", s.Access,
			`{"organisationType":"Organisation","name":"Ölmühle A.G."}`).OK(201).Text("_id")

		found := func(term string) int64 {
			page := caller.Window{Limit: 10}
			_, total, err := organisation.Find(t.Context(), w.DB, organisation.Search{Term: term}, page)
			require.NoError(t, err)

			return total
		}

		for _, term := range []string{"Ölmühle", "O\u0308LMU\u0308HLE", "olmuhle AG", "öl\u00admühle  a.g."} {
			require.EqualValues(t, 1, found(term), "%+q", term)
		}

		w.Do("PATCH", "/organisations/"+org, s.Access, `{"name":"Windmühle"}`).OK(200)
		require.EqualValues(t, 0, found("ölmühle"))
		require.EqualValues(t, 1, found("WINDMUHLE"))
		require.EqualValues(t, 0, found("%"))
	})
}

func TestCreateOrganisationRefusals(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		for body, fields := range map[string][]string{
			`{}`:                                  {"/organisationType REQUIRED"},
			`{"organisationType":"organisation"}`: {"/organisationType NOT_IN_ENUM"},
			`{"organisationType":"HNWI"}`:         {"/firstName REQUIRED", "/lastName REQUIRED", "/dateOfBirth REQUIRED"},
			`{"organisationType":"HNWI","firstName":" ","lastName":"L","dateOfBirth":"x"}`:              {"/firstName REQUIRED", "/dateOfBirth FORMAT_INVALID"},
			`{"organisationType":"Organisation","country":"Atlantis","payablesEmail":"x"}`:              {"/country COUNTRY_UNKNOWN", "/payablesEmail FORMAT_INVALID"},
			`{"organisationType":"Organisation","name":"a\u0001"}`:                                      {"/name FORMAT_INVALID"},
			`{"organisationType":"Organisation","address":{"street":"x"}}`:                              {"/address/street UNKNOWN_FIELD"},
			`{"organisationType":"Organisation","address":{"city":"` + strings.Repeat("x", 101) + `"}}`: {"/address/city TOO_LONG"},
		} {
			code := "VALIDATION"
			if len(fields) == 1 {
				code = strings.Fields(fields[0])[1]
			}

			w.Do("POST", "/organisations/create", s.Access, body).Refused(422, code, fields...)
		}

		// Z-04
		for _, name := range []string{
			"_id", "onboardingStatus", "OnboardingStatus", "transactionValueLimit", "minUSDPaymentAmount", "cumulativeAmount", "isActive", "risk", "features",
			"members", "owner", "userType", "customCommissions", "isOnChainOrganisation", "complexStructure", "referenceCode", "defaultWallet", "version", "requireIdempotencyKey",
		} {
			w.Do("POST", "/organisations/create", s.Access,
				fmt.Sprintf(`{"organisationType":"Organisation",%q:"APPROVED"}`, name)).
				Refused(422, "UNKNOWN_FIELD", "/"+name+" UNKNOWN_FIELD")
		}

		w.Do(
			"POST",
			"/organisations/create",
			s.Access,
			`{"organisationType":"Organisation","address":"Seestrasse"}`,
		).Refused(400, "TYPE_MISMATCH")
		w.Do("POST", "/organisations/create", "", `{"organisationType":"Organisation"}`).Refused(401, "TOKEN_MISSING")
		w.Refuse = errors.New("no self-receiver")
		w.Do("POST", "/organisations/create", s.Access, `{"organisationType":"Organisation"}`).Refused(500, "INTERNAL")
		require.Zero(t, w.Count("SELECT count(*) FROM organisations"))
		require.Zero(t, w.Count("SELECT count(*) FROM members"))
	})
}

func TestCreateWithOneKeyFiftyTimesAtOnce(t *testing.T) { // N-07
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")

		var mu sync.Mutex
		answers := map[string]int{}

		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				a := w.Do("POST", "/organisations/create", s.Access, `{"organisationType":"Organisation"}`,
					identitytest.Header{Name: "Idempotency-Key", Value: "one"})
				if a.Status != 201 {
					t.Errorf("%d %s", a.Status, a.Raw)
				}

				mu.Lock()
				defer mu.Unlock()
				answers[a.Raw]++
			})
		}

		wg.Wait()
		require.Len(t, answers, 1)
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM organisations"))
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM members"))
	})
}

func TestListOfOrganisations(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		other := w.Someone("bob@example.com")

		var ids []string
		for range 5 {
			ids = append(ids, w.Organisation(s.Access))
		}

		w.Organisation(other.Access)
		get := func(query string) identitytest.Answer { return w.Do("GET", "/organisations/me"+query, s.Access, "") }
		names := func(a identitytest.Answer) (out []string) {
			for _, o := range a.OK(200).Results() {
				out = append(out, o["_id"].(string))
			}

			return out
		}
		newest := []string{ids[4], ids[3], ids[2], ids[1], ids[0]}
		require.Equal(t, newest, names(get("")))
		require.Equal(t, ids, names(get("?direction=1")))
		require.Equal(t, newest[1:3], names(get("?limit=2&offset=1")))
		require.Equal(t, newest[2:4], names(get("?limit=2&page=2")))
		require.EqualValues(t, 5, get("?limit=2").Body["total"])
		require.EqualValues(t, 2, get("?limit=2").Body["page_total"])

		for _, direction := range []string{"-1", "1"} {
			var walked []string

			query := "?limit=2&direction=" + direction
			for range 5 {
				a := get(query)
				walked = append(walked, names(a)...)

				next, more := a.Body["nextCursor"].(string)
				if !more {
					break
				}

				query = "?limit=2&direction=" + direction + "&cursor=" + next
			}

			require.ElementsMatch(t, ids, walked)
			require.Len(t, walked, 5)
		}

		for query, code := range map[string]string{
			"?limit=0":         "OUT_OF_RANGE",
			"?limit=251":       "OUT_OF_RANGE",
			"?direction=0":     "NOT_IN_ENUM",
			"?direction=2":     "NOT_IN_ENUM",
			"?offset=-1":       "OUT_OF_RANGE",
			"?page=1&offset=1": "PAGING_CONFLICT",
			"?cursor=x":        "CURSOR_INVALID",
			"?cursor=djE6AAA":  "CURSOR_INVALID",
			"?owner=x":         "UNKNOWN_PARAMETER",
		} {
			get(query).Refused(422, code)
		}

		require.Empty(t, w.Do("GET", "/organisations/me", w.Someone("new@example.com").Access, "").OK(200).Results())
	})
}

// Of whatever number of organisations a person asks for his, it takes as many statements.
func TestListOfOrganisationsAsksOnceForAll(t *testing.T) { // I-10
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		w.Organisation(s.Access)

		asked := func() (n int) {
			w.DB.Watch(func(string, []any) { n++ })
			defer w.DB.Watch(nil)

			w.Do("GET", "/organisations/me?limit=250", s.Access, "").OK(200)

			return n
		}

		asked() // the token is in the cache from now on
		one := asked()

		for range 6 {
			w.Organisation(s.Access)
		}

		asked() // and again: what a person belongs to has changed
		require.Equal(t, one, asked())
	})
}

// To a stranger a foreign organisation and an unknown one are the same, word for word, on every operation with an
// identifier.
func TestStrangersCannotTellAnOrganisationFromNone(t *testing.T) { // Z-02
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		stranger := w.Someone("eve@example.com")
		org := w.Organisation(admin.Access)
		own := w.Organisation(stranger.Access)
		_, member := w.Member(admin.Access, org, "grace@example.com", "")
		left, leftID := w.Member(admin.Access, org, "left@example.com", `"admin"`)
		w.Do("PATCH", "/organisations/"+org+"/members/"+leftID, admin.Access, `{"isActive":false}`).OK(200)

		const unknown, nobody = "org_00000000000000000000000000", "mem_00000000000000000000000000"
		for _, c := range []struct{ method, path, body string }{
			{"GET", "/organisations/ORG", ""},
			{"GET", "/organisations/ORG/senders-info", ""},
			{"GET", "/organisations/ORG/members", ""},
			{"PATCH", "/organisations/ORG", `{"name":"Mine"}`},
			{"POST", "/organisations/ORG/invitations", `{"email":"eve@example.com","roles":["admin"]}`},
			{"PATCH", "/organisations/ORG/members/MEM", `{"userType":"authorized"}`},
			{"POST", "/sandbox/organisations/ORG/onboarding", `{"status":"APPROVED"}`},
			{"POST", "/sandbox/organisations/ORG/members/MEM", `{"userType":"authorized"}`},
		} {
			for _, caller := range []identitytest.Session{stranger, left} {
				ask := func(org, member string) string {
					path := strings.NewReplacer("ORG", org, "MEM", member).Replace(c.path)
					a := w.Do(c.method, path, caller.Access, c.body, identitytest.Header{
						Name:  "X-Request-Id",
						Value: "same",
					}).Refused(404, "NOT_FOUND")

					return strings.ReplaceAll(a.Raw, path, "PATH")
				}

				want := ask(unknown, nobody)
				require.Equal(t, want, ask(org, member), c.path)
				require.Equal(t, want, ask(org, nobody), c.path)
				require.Equal(t, want, ask("x'--", "y"), c.path)
			}

			if strings.Contains(c.path, "MEM") { // another tenant's member under one's own organisation
				path := strings.NewReplacer("ORG", own, "MEM", member).Replace(c.path)
				w.Do(c.method, path, stranger.Access, c.body).Refused(404, "NOT_FOUND")
			}

			w.Do(c.method, strings.NewReplacer("ORG", org, "MEM", member).Replace(c.path), "", c.body).Refused(
				401,
				"TOKEN_MISSING",
			)
		}

		require.EqualValues(t, 1,
			w.Count("SELECT count(*) FROM members WHERE user_type = 'authorized' AND organisation = ?", org))
	})
}

func TestStaffSeesEveryOrganisationButChangesNone(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		staff := w.Someone("ops@example.com")
		org := w.Organisation(admin.Access)
		ctx := context.Background()

		require.NoError(t, w.DB.Write(ctx, func(tx *db.Tx) error {
			_, _, err := user.Grant(ctx, tx, "ops@example.com", user.Staff)
			return err
		}))

		w.Do("GET", "/organisations/"+org, staff.Access, "").OK(200)
		w.Do("GET", "/organisations/"+org+"/members", staff.Access, "").OK(200)
		w.Do("GET", "/organisations/org_00000000000000000000000000", staff.Access, "").Refused(404, "NOT_FOUND")
		w.Do("PATCH", "/organisations/"+org, staff.Access, `{"name":"X"}`).Refused(404, "NOT_FOUND")

		w.Do("POST", "/organisations/"+org+"/invitations", staff.Access, `{"email":"ops@example.com"}`).Refused(
			404,
			"NOT_FOUND",
		)
	})
}

func TestChangeOrganisation(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		viewer, _ := w.Member(admin.Access, org, "grace@example.com", `"viewer","approver"`)
		path := "/organisations/" + org
		a := w.Do(
			"PATCH",
			path,
			admin.Access,
			`{"name":"New Name","payablesEmail":"pay@example.com","requireIdempotencyKey":true}`,
		).OK(200)
		require.Equal(t, "New Name", a.Text("name"))
		require.Equal(t, true, a.Body["requireIdempotencyKey"])
		require.Nil(t, w.Do("PATCH", path, admin.Access, `{"payablesEmail":""}`).OK(200).Body["payablesEmail"])
		w.Do("PATCH", path, admin.Access, `{"name":"","payablesEmail":"x"}`).Refused(
			422,
			"VALIDATION",
			"/name REQUIRED",
			"/payablesEmail FORMAT_INVALID",
		)
		w.Do("PATCH", path, viewer.Access, `{"name":"Mine"}`).Refused(403, "ROLE_REQUIRED")
		// Z-04
		for _, name := range []string{"onboardingStatus", "isActive", "risk", "features", "transactionValueLimit", "organisationType", "members", "country", "registrationNumber"} {
			w.Do("PATCH", path, admin.Access, fmt.Sprintf(`{%q:"REJECTED"}`, name)).Refused(
				422,
				"READ_ONLY",
				"/"+name+" READ_ONLY",
			)
		}

		w.Do("POST", "/sandbox"+path+"/onboarding", admin.Access, `{"status":"APPROVED"}`).OK(200)
		w.Do("PATCH", path, admin.Access, `{"name":"Another"}`).Refused(409, "ORGANISATION_NAME_FIXED")
		w.Do("PATCH", path, admin.Access, `{"name":"New Name","payablesEmail":"p@example.com"}`).OK(200)
		w.Exec("UPDATE organisations SET is_active = FALSE")
		w.Do("PATCH", path, admin.Access, `{"payablesEmail":""}`).Refused(403, "ACCOUNT_INACTIVE")
		require.Equal(t, "OWN_ACCOUNTS_ONLY",
			w.Do("GET", path+"/senders-info", admin.Access, "").OK(200).Text("policy"))
		require.Contains(t, w.Do("GET", path+"/senders-info", admin.Access, "").Raw, `"senders":[]`)
	})
}

func TestMembersAreChangedByAdminsOnly(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		base := "/organisations/" + org + "/members/"
		grace, graceID := w.Member(admin.Access, org, "grace@example.com", `"viewer"`)
		second, secondID := w.Member(admin.Access, org, "second@example.com", `"admin"`)

		adminID := ""
		for _, m := range w.Do("GET", "/organisations/"+org+"/members", grace.Access, "").OK(200).Results() {
			if m["userType"] == "authorized" {
				adminID = m["_id"].(string)
			}
		}

		w.Do("PATCH", base+graceID, grace.Access, `{"userType":"authorized"}`).Refused(403, "ROLE_REQUIRED")
		w.Do("POST", "/organisations/"+org+"/invitations", grace.Access, `{"email":"x@example.com"}`).Refused(
			403,
			"ROLE_REQUIRED",
		)
		w.Do("PATCH", base+secondID, second.Access, `{"userType":"Authorized"}`).Refused(
			422,
			"NOT_ALLOWED",
			"/userType NOT_ALLOWED",
		)
		w.Do("PATCH", base+graceID, admin.Access, `{"userType":"boss","roles":["admin","root"]}`).Refused(
			422,
			"VALIDATION",
			"/userType NOT_IN_ENUM",
			"/roles NOT_IN_ENUM",
		)
		// Z-04
		for name, code := range map[string]string{
			"onboardingStatus": "READ_ONLY",
			"user":             "READ_ONLY",
			"organisation":     "READ_ONLY",
			"applicantId":      "READ_ONLY",
			"UserType":         "UNKNOWN_FIELD",
			"_id":              "READ_ONLY",
		} {
			w.Do(
				"PATCH",
				base+graceID,
				admin.Access,
				fmt.Sprintf(`{%q:"x"}`, name),
			).Refused(
				422,
				code,
				"/"+name+" "+code,
			)
		}

		a := w.Do(
			"PATCH",
			base+graceID,
			admin.Access,
			`{"userType":"AUTHORIZED","roles":["approver","Approver","initiator"]}`,
		).OK(200)
		require.Equal(t, "authorized", a.Text("userType"))
		require.Equal(t, []any{"approver", "initiator"}, a.Body["roles"])

		w.Do("PATCH", base+adminID, second.Access, `{"roles":[]}`).OK(200) // one admin remains
		w.Do("PATCH", base+secondID, second.Access, `{"roles":["viewer"]}`).Refused(409, "LAST_ADMIN")
		w.Do("PATCH", base+secondID, second.Access, `{"isActive":false}`).Refused(409, "LAST_ADMIN")
		w.Do("POST", "/sandbox"+base+secondID, grace.Access, `{"isActive":false}`).Refused(409, "LAST_ADMIN")
		w.Do("PATCH", base+graceID, admin.Access, `{"isActive":false}`).Refused(403, "ROLE_REQUIRED")
		w.Do("POST", "/sandbox"+base+secondID, second.Access, `{"userType":"authorized"}`).OK(200)
		w.Do("PATCH", base+graceID, second.Access, `{"isActive":false}`).OK(200)
		w.Do("GET", "/organisations/"+org, grace.Access, "").Refused(404, "NOT_FOUND")
		require.Empty(t, w.Do("GET", "/organisations/me", grace.Access, "").OK(200).Results())
	})
}

func TestTwoAdminsCannotRemoveEachOtherAtOnce(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		for round := range 5 {
			one := w.Someone(fmt.Sprintf("one%d@example.com", round))
			org := w.Organisation(one.Access)
			two, twoID := w.Member(one.Access, org, fmt.Sprintf("two%d@example.com", round), `"admin"`)
			oneID := w.Do("GET", "/organisations/"+org+"/members?limit=1", one.Access, "").OK(200).Results()[0]["_id"].(string)

			var wg sync.WaitGroup
			for _, c := range []struct{ by, whom string }{{one.Access, twoID}, {two.Access, oneID}} {
				wg.Go(func() {
					a := w.Do("PATCH", "/organisations/"+org+"/members/"+c.whom, c.by, `{"roles":["viewer"]}`)
					if a.Status != 200 && a.Status != 403 {
						t.Errorf("%d %s", a.Status, a.Raw)
					}
				})
			}

			wg.Wait()
			require.EqualValues(
				t,
				1,
				w.Count("SELECT count(*) FROM members WHERE organisation = ? AND roles = 'admin' AND is_active = TRUE",
					org),
			)
		}
	})
}

func TestJoinWithAnAccount(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		bob := w.Someone("bob@example.com")
		org := w.Organisation(admin.Access)
		invite := func() identitytest.Answer {
			return w.Do("POST", "/organisations/"+org+"/invitations", admin.Access, `{"email":"Bob@example.com"}`)
		}
		token := invite().OK(201).Text("token")
		join := func(by, token string) identitytest.Answer {
			return w.Do("POST", "/organisations/join", by, `{"invitationToken":"`+token+`"}`)
		}
		join(admin.Access, token).Refused(422, "INVITATION_INVALID", "/invitationToken INVITATION_INVALID")
		join("", token).Refused(401, "TOKEN_MISSING")
		require.Equal(t, org, join(bob.Access, token).OK(200).Text("_id"))
		join(bob.Access, token).Refused(422, "INVITATION_INVALID")
		invite().Refused(409, "MEMBER_EXISTS")
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM organisations"), "nothing new was created")

		// Someone who left comes back by invitation, and is not authorized although he was.
		w.Exec("UPDATE members SET is_active = FALSE, user_type = 'authorized' WHERE user_type = 'viewer'")
		join(bob.Access, invite().OK(201).Text("token")).OK(200)
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM members WHERE user_type = 'authorized'"))
		require.EqualValues(t, 2, w.Count("SELECT count(*) FROM members WHERE is_active = TRUE"))
	})
}

func TestLimitsOfMembersAndInvitations(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		bob := w.Someone("bob@example.com")
		org := w.Organisation(admin.Access)

		token := w.Do(
			"POST",
			"/organisations/"+org+"/invitations",
			admin.Access,
			`{"email":"bob@example.com"}`,
		).OK(201).Text("token")

		require.NoError(t, w.DB.Write(context.Background(), func(tx *db.Tx) error {
			members := db.InsertInto("members", "id, organisation, user_id, user_type, version, created_at, updated_at")

			invitations := db.InsertInto("invitations",
				"id, organisation, email_key, address, token_hash, roles, created_by, expires_at, created_at")
			for i := range 500 {
				n := fmt.Sprint(i)
				if i < 249 {
					tx.Insert(members, "mem_"+n, org, "usr_"+n, "viewer", int64(1), int64(1), int64(1))
				}

				tx.Insert(invitations, "inv_"+n, org, n+"@example.com", "", n, "", "", db.Micros(tx.Now)+1e12, int64(1))
			}

			return nil
		}))

		w.Do("POST", "/organisations/"+org+"/invitations", admin.Access, `{"email":"new@example.com"}`).Refused(
			409,
			"MEMBER_LIMIT",
		)

		w.Do("POST", "/organisations/join", bob.Access, `{"invitationToken":"`+token+`"}`).Refused(409, "MEMBER_LIMIT")

		w.Exec("UPDATE members SET user_id = ?, organisation = id",
			w.Do("GET", "/users/me", bob.Access, "").Text("_id"))

		w.Do("POST", "/organisations/create", bob.Access, `{"organisationType":"Organisation"}`).Refused(
			409,
			"ORGANISATION_LIMIT",
		)
	})
}

// Only a sandbox registers the sandbox's operations.
func TestLiveDeploymentsHaveNoSandboxRoutes(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		var live, sandbox []string
		for _, r := range w.API.Routes() {
			if strings.HasPrefix(r.Path, "/sandbox/") {
				sandbox = append(sandbox, r.Path)
			} else {
				live = append(live, r.Method+" "+r.Path+" "+string(r.Access))
			}
		}

		require.Len(t, sandbox, 2)
		require.Contains(t, live, "POST /organisations/create bearer")
		doc, err := w.API.OpenAPI()
		require.NoError(t, err)
		require.NotContains(t, string(doc), "passwordHash")
	})
}
