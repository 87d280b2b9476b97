//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/browsertest"
)

// TestAPersonChoosesWhenMailsCome chooses one mail a day by keyboard, and finds that again.
func TestAPersonChoosesWhenMailsCome(t *testing.T) {
	s := newDoor(t)
	s.alive(t)
	b := browsertest.Start(t)
	p := b.Page(t, browsertest.Look{})
	grace := s.c.Colleague("Grace", "authorized", "admin")

	s.enter(t, p, grace, s.path("/me"))
	p.Await("#payment-mails")
	require.True(t, p.Holds("document.querySelector('#payment-mails').value === 'AT_ONCE'"))
	p.TabTo("#payment-mails")
	p.Type("Once")
	p.Await("#payment-mails:not(:disabled)")
	s.h.Until("it is stored", func() bool {
		return s.h.Count("SELECT count(*) FROM morning_mails WHERE user_id = ?", grace.User) == 1
	})
	p.Shot("morning")
	sound(t, p)

	p.Open(s.home() + "/me")
	p.Await("#payment-mails")
	require.True(t, p.Holds("document.querySelector('#payment-mails').value === 'MORNING'"))

	p.Resize(390, 844)
	p.Shot("phone")
	p.Fits()
	sound(t, p)
}
