//go:build !nosandbox

package app_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/core/text"
	"slipway/internal/platform/db"
)

// tenant is what tests look at of an organisation as the platform's people see it.
type tenant struct {
	ID      string `json:"_id"`
	Name    string `json:"name"`
	Status  string `json:"onboardingStatus"`
	Members int    `json:"memberCount"`
	Limit   string `json:"transactionValueLimit"`
	Asked   string `json:"termsPending"`
	People  []struct {
		User    string   `json:"user"`
		Name    string   `json:"name"`
		Active  bool     `json:"isActive"`
		Second  bool     `json:"twoFactorEnabled"`
		Actions []string `json:"allowedActions"`
	} `json:"members"`
	Actions []string `json:"allowedActions"`
}

func tenantsOf(c *apptest.Client, query url.Values) (ids []string) {
	var out struct {
		Results []tenant `json:"results"`
	}

	c.Do("GET", "/operations/organisations?"+query.Encode(), nil).OK(200).Into(&out)

	for _, o := range out.Results {
		ids = append(ids, o.ID)
	}

	return ids
}

func readTenant(c *apptest.Client, id string) (out tenant) {
	c.Do("GET", "/operations/organisations/"+id, nil).OK(200).Into(&out)

	return out
}

// The platform's people find organisations by name, whatever its case, and by how far their verification is. They see
// terms and people, and what they may do about them: staff switches accounts, an operator asks for other terms (Z-09).
func TestOperatorsLookAfterOrganisations(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		o := h.Operators()
		staff := h.Person("Sina")
		staff.Staff("staff")
		staff.StaySignedIn()

		ada := h.Client("Ada")
		bea := h.Client("Bea")

		require.NoError(t, h.DB().Write(t.Context(), func(tx *db.Tx) error {
			for org, name := range map[string]string{ada.Org: "Österreich Handel", bea.Org: "Nordwind"} {
				const set = "UPDATE organisations SET name = ?, search = ? WHERE id = ?"
				if _, err := tx.Exec(set, name, text.Searchable(name), org); err != nil {
					return err
				}
			}

			return nil
		}))

		require.Subset(t, tenantsOf(staff, nil), []string{ada.Org, bea.Org})

		for _, term := range []string{"Österreich", "ÖSTERREICH", "O\u0308sterreich", "osterr", "handel  öst"} {
			require.Equal(t, []string{ada.Org}, tenantsOf(staff, url.Values{"searchTerm": {term}}), "%+q", term)
		}

		require.Equal(t, []string{bea.Org}, tenantsOf(staff, url.Values{"searchTerm": {"nORDwind"}}))
		require.Empty(t, tenantsOf(staff, url.Values{"searchTerm": {"%"}}))
		require.ElementsMatch(
			t,
			[]string{ada.Org, bea.Org},
			tenantsOf(staff, url.Values{"onboardingStatus[]": {"APPROVED"}}),
		)
		require.Empty(t, tenantsOf(staff, url.Values{"onboardingStatus[]": {"REJECTED"}}))
		require.Empty(t, tenantsOf(staff, url.Values{"isActive": {"false"}}))

		one := readTenant(staff, ada.Org)
		require.Equal(t, "APPROVED", one.Status)
		require.Equal(t, 1, one.Members)
		require.Empty(t, one.Actions, "staff asks for no other terms")
		require.True(t, one.People[0].Active)
		require.Equal(t, []string{"change-status"}, one.People[0].Actions)
		require.Equal(t, []string{"terms"}, readTenant(o.Client, ada.Org).Actions)

		asked := o.Do(
			"PATCH",
			"/operations/organisations/"+ada.Org+"/terms",
			object{"transactionValueLimit": "5000.00"},
		)
		require.Equal(t, asked.OK(202).ID(), readTenant(staff, ada.Org).Asked)
		o.Decide(asked, "APPROVED").OK(200)
		require.Equal(t, "5000.00", readTenant(staff, ada.Org).Limit)
		require.Empty(t, readTenant(staff, ada.Org).Asked)

		ada.Do("GET", "/operations/organisations/"+bea.Org, nil).Refused(403, "ROLE_REQUIRED")
		staff.Do("GET", "/operations/organisations/org_none", nil).Refused(404, "NOT_FOUND")
	})
}

// The platform's people see by name who of them has asked and who has decided.
func TestOperatorsAreNamed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		o := h.Operators()
		c := h.Client("Ada")

		asked := o.Do("PATCH", "/operations/organisations/"+c.Org+"/terms", object{"transactionValueLimit": "5000.00"})
		require.Contains(t, asked.OK(202).Raw, `"requestedByName":"Olga`)
		require.Contains(t, o.Decide(asked, "APPROVED").OK(200).Raw, `"decidedByName":"Otto`)

		all := o.Do("GET", "/operations/approvals", nil).OK(200).Raw
		require.Contains(t, all, `"requestedByName":"Olga`)
		require.Contains(t, all, `"decidedByName":"Otto`)

		pause := object{"paused": true, "reason": "The nodes disagree"}
		require.Contains(t, o.Do("POST", "/operations/rails/net_dev/pause", pause).OK(200).Raw, `"byName":"Olga`)
	})
}

// Staff adds a customer without any call of the customer's: the organisation is PENDING, and the mailed link makes its
// admin. A second call for the same admin and name adds nothing. Nobody else adds organisations for others.
func TestStaffAddsAnOrganisation(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		staff := h.Person("Sina")
		staff.Staff("staff")
		staff.StaySignedIn()

		const path = "/operations/organisations"

		body := object{
			"organisationType":   "Organisation",
			"name":               "Muster Handels AG",
			"registrationNumber": "CHE-123.456.789",
			"country":            "CH",
			"address":            object{"addressLine1": "Seestrasse 1", "postCode": "8002", "city": "Zürich"},
			"email":              "mia@example.org",
			"firstName":          "Mia",
			"lastName":           "Muster",
		}
		h.Client("Ada").Do("POST", path, body).Refused(403, "ROLE_REQUIRED")
		staff.Do("POST", path, object{
			"organisationType": "Organisation",
			"country":          "XX",
			"email":            "x",
			"firstName":        "M",
			"lastName":         "M",
		}).Refused(422, "VALIDATION", "/email FORMAT_INVALID", "/name REQUIRED", "/country COUNTRY_UNKNOWN")

		added := staff.Do("POST", path, body).OK(201)
		require.Contains(t, added.Raw, `"onboardingStatus":"PENDING"`)
		require.Contains(t, added.Raw, `"CHE-123.456.789"`)

		h.World.Clock.Advance(10 * time.Minute)
		require.Equal(t, added.ID(), staff.Do("POST", path, body).OK(201).ID(), "a second call adds nothing")
		require.Equal(t, []string{added.ID()}, tenantsOf(staff, url.Values{"searchTerm": {"Muster Handels"}}))

		mails := staff.Mails("mia@example.org")
		require.Len(t, mails, 2)

		_, link, _ := strings.Cut(mails[0], "/account/complete#")
		token := strings.FieldsFunc(link, func(r rune) bool { return r <= ' ' })[0]
		mia := *staff
		mia.Email = "mia@example.org"
		staff.Do("PATCH", "/users/complete", object{
			"token": token, "password": apptest.Password, "firstName": "Mia", "lastName": "Muster",
		}).OK(200)
		mia.Login()

		one := mia.Do("GET", "/organisations/"+added.ID(), nil).OK(200).Raw
		require.Contains(t, one, `"userType":"authorized","roles":["admin"]`)

		body["name"] = "Muster Zweite AG"
		h.World.Clock.Advance(10 * time.Minute)
		require.NotEqual(t, added.ID(), staff.Do("POST", path, body).OK(201).ID(), "another customer of the same admin")
		require.Contains(t, staff.Mails("mia@example.org")[0], "/console", "who has an account is led there")
	})
}
