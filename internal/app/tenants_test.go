//go:build !nosandbox

package app_test

import (
	"net/url"
	"testing"

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
