//go:build !nosandbox && !noconsole

package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/platform/browsertest"
)

// TestAStoppedNetworkIsSaid looks at a payment that was accepted while its network is stopped: in the list, and on its
// own page, where it says that it waits for the network and not that its tokens are on their way.
func TestAStoppedNetworkIsSaid(t *testing.T) {
	s := newStage(t)
	s.h.Operators().Do("POST", "/operations/rails/net_dev/pause", apptest.Object{
		"paused": true,
		"reason": "The nodes disagree",
	}).OK(200)

	id := s.c.Accepted("USDC", "1250.50")
	s.h.Until("the send waits", func() bool {
		s.h.RunJobs()
		return s.h.Count("SELECT count(*) FROM chain_sends WHERE state = 'PLANNED'") == 1
	})

	p := browsertest.Start(t).Page(t, browsertest.Look{})
	p.Open(s.home() + "/transactions")
	p.Await("tbody .status")
	require.Equal(t, "Network stopped", p.Text("tbody .status"))
	p.Shot("list")

	p.Open(s.home() + "/transactions/" + id)
	p.Await("main li.now .waiting")
	require.Contains(t, p.Text("main"), "The operator has stopped the network: nothing leaves on it at present.")
	require.Contains(t, p.Text("main li.now .waiting"), "has stopped the network")
	require.NotContains(t, p.Text("main"), "on their way")
	p.Shot("page")
	sound(t, p)
}
