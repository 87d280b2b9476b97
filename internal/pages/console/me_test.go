//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestAMemberSignsOutEverywhere ends all sessions from one of two browsers. Neither is signed in afterwards, and what a
// program holds goes on.
func TestAMemberSignsOutEverywhere(t *testing.T) {
	b := browsertest.Start(t)
	s := newDoor(t)
	p := b.Page(t, browsertest.Look{})
	s.signIn(p, s.c, nil, s.path("/me"))
	p.Await("main h1")
	other := b.Page(t, browsertest.Phone())
	s.signIn(other, s.c, nil, s.path("/me"))
	other.Await("main h1")

	const opener = "section header > .button.danger"

	p.Await(opener)
	press(t, p, opener)
	p.Await("dialog[open] button[type=submit], dialog[open] .danger")
	require.Contains(t, p.Text("dialog[open]"), "this one too")
	p.Shot("asked")
	sound(t, p)
	p.TabTo("dialog[open] .actions .button.danger")
	p.Submit()
	require.Contains(t, p.Address(), "/console/session/ended")
	require.Empty(t, p.Complaints())

	p.Open(s.site + s.path("/me"))
	p.Await("input[name=email]")
	s.forget(p, "401")
	other.Open(s.site + s.path("/me"))
	other.Await("input[name=email]")
	require.EqualValues(t, 0, s.h.Count(
		"SELECT count(*) FROM sessions WHERE user_id = ? AND revoked_at = 0", s.c.User,
	))
}
