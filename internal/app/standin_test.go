//go:build !nosandbox

package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
)

// holiday is a team on which nothing waits: Ada and Ben are admins who accept, Cleo draws up, and Dan looks on.
type holiday struct {
	team
	h   *apptest.Harness
	dan *apptest.Client
}

func newHoliday(h *apptest.Harness) holiday {
	x := holiday{newTeam(h), h, nil}
	x.dan = x.ada.Colleague("Dan", "viewer", "viewer")

	for _, c := range []*apptest.Client{x.ada, x.ben, x.cleo, x.dan} {
		c.StaySignedIn()
	}

	return x
}

// standsIn has an admin let one member accept for another one, from and until so long from now.
func (x holiday) standsIn(by, who, other *apptest.Client, from, until time.Duration) apptest.Answer {
	now := x.h.DB().Now()

	return by.Do("PATCH", "/organisations/"+by.Org+"/members/"+who.Member, object{"standsIn": object{
		"member": other.Member,
		"from":   now.Add(from).UTC().Format(time.RFC3339),
		"until":  now.Add(until).UTC().Format(time.RFC3339),
	}})
}

const wholeDay = 24 * time.Hour

// While it runs and no moment longer, Dan accepts what Ben may accept. What Ben or Dan has had a part in, Dan does not
// accept, while Fay still does (Z-07).
func TestAMemberAcceptsForAnotherForATime(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newHoliday(h)
		fay := x.ada.Colleague("Fay", "authorized", "viewer")
		fay.StaySignedIn()
		x.standsIn(x.ada, x.dan, x.ben, time.Hour, 3*time.Hour).OK(200)
		require.Empty(t, policy(x.ada, object{"fourEyes": true}))

		byCleo := x.cleo.Submitted("USDC", "1.00")
		byBen := x.ben.Submitted("USDC", "2.00")
		late := x.cleo.Submitted("USDC", "3.00")

		x.dan.Act(byCleo, "accept").Refused(403, "MEMBER_NOT_AUTHORIZED")
		h.World.Clock.Advance(time.Hour + time.Minute)

		require.Contains(t, x.dan.Do("GET", "/transactions/"+byCleo, nil).OK(200).Raw, `"accept"`)
		require.NotContains(t, x.dan.Do("GET", "/transactions/"+byBen, nil).OK(200).Raw, `"accept"`)
		require.Contains(
			t,
			x.dan.Act(byBen, "accept").Refused(403, "SECOND_PERSON_REQUIRED").Raw,
			"for whom you stand in",
		)
		x.dan.Act(byCleo, "accept").OK(200)
		require.EqualValues(t, 1, h.Count(
			"SELECT count(*) FROM audit_log WHERE action = 'transaction.accepted_for' AND actor = ? AND detail = ?",
			x.dan.User, x.ben.User))
		fay.Act(byBen, "accept").OK(200)

		h.World.Clock.Advance(2 * time.Hour)
		x.dan.Act(late, "accept").Refused(403, "MEMBER_NOT_AUTHORIZED")
	})
}

// TestNobodyGetsRoundAStandIn: who stands in passes nothing on, nobody stands in by his own word, who accepts himself
// stands in for nobody, his programs do not, and under a policy two admins decide. It ends with what it came from.
func TestNobodyGetsRoundAStandIn(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		x := newHoliday(h)
		eve := x.ada.Colleague("Eve", "viewer", "admin")
		eve.StaySignedIn()

		x.standsIn(x.ada, x.dan, x.ben, 0, 14*wholeDay).OK(200)
		x.standsIn(x.ada, x.cleo, x.dan, 0, wholeDay).Refused(422, "NOT_ALLOWED", "/standsIn/member NOT_ALLOWED")
		x.standsIn(eve, eve, x.ben, 0, wholeDay).Refused(422, "NOT_ALLOWED", "/standsIn NOT_ALLOWED")
		x.standsIn(x.ada, x.ben, x.ada, 0, wholeDay).Refused(422, "NOT_ALLOWED", "/standsIn NOT_ALLOWED")
		x.standsIn(x.ada, x.cleo, x.ben, 0, 94*wholeDay).Refused(422, "OUT_OF_RANGE", "/standsIn/until OUT_OF_RANGE")
		x.standsIn(
			x.ada,
			x.cleo,
			x.ben,
			-2*wholeDay,
			-wholeDay,
		).Refused(
			422,
			"OUT_OF_RANGE",
			"/standsIn/until OUT_OF_RANGE",
		)
		x.standsIn(x.cleo, x.dan, x.ben, 0, wholeDay).Refused(403, "ROLE_REQUIRED")

		// A program of Dan's does not accept, though he does.
		var key struct {
			ID     string `json:"clientId"`
			Secret string `json:"secret"`
		}
		x.dan.Do("POST", "/auth/api-key", object{"password": apptest.Password, "name": "Robot"}).OK(200).Into(&key)

		var token struct {
			Access string `json:"access_token"`
		}
		x.dan.Do("POST", "/auth/token", object{"clientId": key.ID, "secret": key.Secret}).OK(200).Into(&token)

		waiting := x.cleo.Submitted("USDC", "1.00")
		h.Do(h.App, "POST", "/transactions/"+waiting+"/accept", token.Access, nil).Refused(403, "MEMBER_NOT_AUTHORIZED")

		// Under a policy one admin alone makes no second person.
		require.Empty(t, policy(x.ada, object{"fourEyes": true}))
		mine := x.ada.Submitted("USDC", "1.00")
		asked := x.standsIn(x.ada, x.cleo, x.ben, 0, wholeDay).OK(200)
		require.Contains(t, asked.Raw, `"standsIn":null`)
		x.cleo.Act(mine, "accept").Refused(403, "MEMBER_NOT_AUTHORIZED")

		pending := approvals(x.ada, "")
		require.Len(t, pending, 1)
		require.Contains(t, x.ada.Do("GET", "/approvals/"+pending[0], nil).OK(200).Raw, "accepts for Ben Muster from")
		x.ada.Do("POST", "/approvals/"+pending[0]+"/approve", object{}).Refused(403, "SECOND_PERSON_REQUIRED")
		eve.Do("POST", "/approvals/"+pending[0]+"/approve", object{}).OK(200)
		x.cleo.Act(mine, "accept").OK(200)

		// Ben accepts no more: nobody does for him.
		h.Exec("UPDATE members SET user_type = 'viewer' WHERE id = ?", x.ben.Member)
		x.dan.Act(waiting, "accept").Refused(403, "MEMBER_NOT_AUTHORIZED")
		h.Exec("UPDATE members SET user_type = 'authorized' WHERE id = ?", x.ben.Member)
		h.Exec("UPDATE users SET is_active = FALSE WHERE id = ?", x.ben.User)
		x.dan.Act(waiting, "accept").Refused(403, "MEMBER_NOT_AUTHORIZED")
	})
}
