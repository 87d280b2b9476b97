//go:build !nosandbox && !noconsole

package console_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/pages/pagestest"
	"slipway/internal/platform/browsertest"
)

// capSet is a call of the router that sets a daily cap, up to the cap itself.
var capSet = regexp.MustCompile(`("data":"0xda09a331[0-9a-f]{64})[0-9a-f]{64}"`)

// TestAWalletsLimitsAreSet has the browser wallet set on the router what the organisation's policy wants, by keyboard
// alone. A call that does not set what it says is not sent.
func TestAWalletsLimitsAreSet(t *testing.T) {
	s := newDoor(t)
	berta := s.c.Colleague("Berta", "authorized", "admin") // a policy needs two
	s.c.Do("PUT", "/organisations/"+s.c.Org+"/approval-policy", object{
		"fourEyes":      false,
		"payeeApproval": false,
		"signedIntents": true,
		"dailyCaps":     []object{{"token": "USDC", "amount": "50.00"}},
	}).OK(200)

	p := browsertest.Start(t).Page(t, browsertest.Phone())
	own := walletOf(s.h, s.c.Payer)
	pagestest.Install(p, map[string]*pagestest.Wallet{"Birch": own})

	const (
		limits  = "ul[aria-label='Spending limits']"
		summary = "details:nth-of-type(2) summary"
	)

	s.stand(func(w http.ResponseWriter, r *http.Request, service http.Handler) {
		if !strings.HasSuffix(r.URL.Path, "/limits") {
			service.ServeHTTP(w, r)
			return
		}

		r.Header.Del("Accept-Encoding")

		answer := httptest.NewRecorder()
		service.ServeHTTP(answer, r)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(capSet.ReplaceAll(answer.Body.Bytes(), []byte("${1}"+strings.Repeat("f", 64)+`"`)))
	})
	s.enter(t, p, berta, s.path("/wallets"))
	p.Await(summary)
	press(t, p, summary)
	p.Await(limits + " .fault")
	require.Contains(t, p.Text(limits), "not one that the console can read")
	require.Contains(t, p.Text(limits), "Require this wallet's signature for every batch")

	s.stand(nil)
	p.Open(s.home() + "/wallets")
	p.Await(summary)
	press(t, p, summary)
	p.Await(limits + " button")
	require.NotContains(t, p.Text(limits), "can read")
	require.Contains(t, p.Text(limits), "USDC: no daily cap")
	p.Shot("limits")
	sound(t, p)

	for n := range 2 {
		press(t, p, limits+" button")
		p.Await(limits + " button:not(.link)")
		sound(t, p)
		press(t, p, limits+" button:not(.link)")
		s.h.Until("it is on the chain", func() bool {
			return strings.Count(p.Text(limits), "Set it") == 1-n && !strings.Contains(p.Text(limits), "Waiting")
		})
		require.Equal(t, n+1, own.Sends())
	}

	require.Contains(t, p.Text(limits), "Every batch needs this wallet's signature.")
	require.Contains(t, p.Text(limits), "50.00")
	p.Shot("limits-set")
	sound(t, p)
}
