//go:build !nosandbox

package app_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// comments returns what was written about a record, newest first.
func comments(c *apptest.Client, path string) []string {
	var page struct {
		Results []struct {
			Comment string `json:"comment"`
		} `json:"results"`
	}
	c.Do("GET", path+"/comments", nil).OK(200).Into(&page)

	var out []string
	for _, x := range page.Results {
		out = append(out, x.Comment)
	}

	return out
}

// Members write and read comments on their own records; the platform's people on all, and their notes are shown to
// nobody else, not even by a version that rises.
func TestWhoReadsComments(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		viewer := c.Colleague("Vera", "viewer", "viewer")
		staff := h.Client("Olga")
		staff.Staff("staff")

		id := c.Draft("USDC", "3.00")
		path := "/transactions/" + id
		above := "/operations/records/" + id

		c.Do("POST", path+"/comments", object{"comment": " For November. "}).OK(201)
		version := shownVersion(c, path)
		staff.Do("POST", above+"/comments", object{"comment": "Same address as a case of June."}).OK(201)
		require.Equal(t, version, shownVersion(c, path), "a note leaves no trace")
		staff.Do("POST", above+"/comments", object{"comment": "Please name the contract.", "internal": false}).OK(201)
		require.Greater(t, shownVersion(c, path), version)

		want := []string{"Please name the contract.", "For November."}
		require.Equal(t, want, comments(c, path))
		require.Equal(t, want, comments(viewer, path))

		shown := c.Do("GET", path, nil).OK(200).Raw
		require.Contains(t, shown, "For November.", "a transaction is read with its comments")
		require.NotContains(t, shown, "Same address", "and without the platform's notes")
		require.Equal(t, []string{want[0], "Same address as a case of June.", want[1]}, comments(staff, above))

		body := object{"comment": "x"}
		viewer.Do("POST", path+"/comments", body).Refused(403, "ROLE_REQUIRED")
		other.Do("GET", path+"/comments", nil).Refused(404, "NOT_FOUND")
		other.Do("POST", path+"/comments", body).Refused(404, "NOT_FOUND")
		other.Do("GET", above+"/comments", nil).Refused(403, "ROLE_REQUIRED")
		c.Do("GET", "/organisations/"+other.Org+"/comments", nil).Refused(404, "NOT_FOUND")
		c.Do("GET", "/payables/"+id+"/comments", nil).Refused(404, "NOT_FOUND")
		c.Do("GET", "/transactions/"+c.User+"/comments", nil).Refused(404, "NOT_FOUND")

		c.Do("POST", path+"/comments", object{"comment": "  "}).Refused(422, "REQUIRED", "/comment REQUIRED")
		c.Do("POST", path+"/comments", object{"comment": "x", "documents": []string{"doc_x"}}).
			Refused(422, "DOCUMENT_UNKNOWN", "/documents/0 DOCUMENT_UNKNOWN")
		c.Do("POST", path+"/comments", object{"comment": "x", "internal": false}).
			Refused(422, "UNKNOWN_FIELD", "/internal UNKNOWN_FIELD")

		staff.Do(
			"POST",
			"/operations/records/"+c.User+"/comments",
			object{"comment": "Called back.", "internal": false},
		).
			OK(
				201,
			)

		var me object
		c.Do("GET", "/users/me", nil).OK(200).Into(&me)
		require.Len(t, me["comments"], 1)
	})
}

// A payee is commented on like a payment: by its organisation's writers and approvers, and read by all of its members.
func TestPayeesAreCommentedOn(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Client("Bob")
		viewer := c.Colleague("Vera", "viewer", "viewer")
		path := "/receivers/" + c.Receiver

		c.Do("POST", path+"/comments", object{"comment": "Their bank moves in January."}).OK(201)
		c.Colleague("Anna", "approver", "approver").Do("POST", path+"/comments", object{"comment": "Called."}).OK(201)
		require.Equal(t, []string{"Called.", "Their bank moves in January."}, comments(viewer, path))

		viewer.Do("POST", path+"/comments", object{"comment": "x"}).Refused(403, "ROLE_REQUIRED")
		other.Do("GET", path+"/comments", nil).Refused(404, "NOT_FOUND")
		other.Do("POST", path+"/comments", object{"comment": "x"}).Refused(404, "NOT_FOUND")

		c.Do("DELETE", path, nil).OK(200)
		c.Do("GET", path+"/comments", nil).Refused(404, "NOT_FOUND")
	})
}

func shownVersion(c *apptest.Client, path string) float64 {
	var v struct {
		Version float64 `json:"version"`
	}
	c.Do("GET", path, nil).OK(200).Into(&v)

	return v.Version
}
