//go:build !nosandbox

package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app/apptest"
	"slipway/internal/rails/idv/idvsim"
)

// onboarding is an organisation on its way through the identity provider.
type onboarding struct {
	t *testing.T
	h *apptest.Harness
	c *apptest.Client
}

// begin makes an applicant of a new organisation, over HTTP.
func begin(t *testing.T, h *apptest.Harness, name string) onboarding {
	t.Helper()
	o := onboarding{t, h, h.Person(name)}
	o.c.StaySignedIn()
	o.c.Do("POST", "/idv/companies", nil).OK(200)
	o.c.Do("POST", "/idv/get-applicant-token", apptest.Object{
		"type":           "organisation",
		"organisationId": o.c.Org,
	}).OK(200)

	return o
}

// status is the organisation's, as its people see it.
func (o onboarding) status() string {
	o.t.Helper()

	var org struct {
		Status string `json:"onboardingStatus"`
	}
	o.c.Do("GET", "/organisations/"+o.c.Org, nil).OK(200).Into(&org)

	return org.Status
}

// complete hands everything in.
func (o onboarding) complete() {
	o.t.Helper()
	_, err := o.h.World.IDV.Complete(o.c.Org)
	require.NoError(o.t, err)
}

func (o onboarding) decide(what idvsim.Outcome) {
	o.t.Helper()
	_, err := o.h.World.IDV.Decide(o.c.Org, idvsim.Verdict{Outcome: what, Level: "enhanced-kyb-level"})
	require.NoError(o.t, err)
}

// wait lets time pass, webhooks go, the service look for what was never told, and jobs run.
func (o onboarding) wait(d time.Duration) {
	o.t.Helper()
	o.h.World.Clock.Advance(d)
	o.h.IdentityRound()
	_, err := o.h.App.Verification.Poll(o.t.Context(), 100)
	require.NoError(o.t, err)
	o.h.RunJobs()
}

// W-02, W-03: the provider's webhooks may come twice, late, in another order, or never: the organisation ends where
// the provider has it.
func TestOrganisationIsApprovedHoweverTheProvidersWebhooksTravel(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		for _, way := range idvsim.Ways() {
			t.Run(string(way), func(t *testing.T) {
				require.NoError(t, h.World.IDV.SetTravel(way))
				o := begin(t, h, "Way "+string(way))
				require.Equal(t, "PENDING", o.status())
				o.complete()
				o.wait(0)
				o.decide(idvsim.Approve)
				o.wait(0)

				if way == idvsim.Held {
					hooks, err := h.World.IDV.Webhooks(o.c.Org)
					require.NoError(t, err)
					require.Equal(t, "PENDING", o.status(), "nobody has said anything yet")

					for _, i := range []int{2, 0, 1, 2, 1} { // the verdict first, and everything again
						require.NoError(t, h.World.IDV.Send(hooks[i].Number))
						o.wait(0)
						require.Equal(t, "APPROVED", o.status())
					}
				}

				if way == idvsim.Lost || way == idvsim.Late {
					require.Equal(t, "PENDING", o.status())

					for range 8 {
						o.wait(10 * time.Minute)
					}
				}

				require.Equal(t, "APPROVED", o.status())
				o.wait(30 * time.Hour) // what comes again, or is asked again, changes nothing
				require.Equal(t, "APPROVED", o.status())
			})
		}
	})
}

// The organisation's own receiver, to whom deposits and payments to itself go, is called as the organisation is:
// renamed before it is known to the provider, and corrected afterwards.
func TestOwnReceiverIsCalledAsItsOrganisation(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Person("Ada")

		var own struct {
			LegalName string `json:"legalName"`
		}
		c.Do("PATCH", "/organisations/"+c.Org, apptest.Object{"name": "Ada AG"}).OK(200)
		c.Do("GET", "/receivers/self", nil).OK(200).Into(&own)
		require.Equal(t, "Ada AG", own.LegalName)

		var made struct {
			ID string `json:"applicantId"`
		}
		c.Do("POST", "/idv/companies", nil).OK(200).Into(&made)
		c.Do(
			"POST",
			"/idv/update-applicant-info/"+made.ID+"?organisationId="+c.Org,
			apptest.Object{"fixedInfo": apptest.Object{"companyName": "Ada Holding AG"}},
		).OK(200)
		c.Do("GET", "/receivers/self", nil).OK(200).Into(&own)
		require.Equal(t, "Ada Holding AG", own.LegalName)
	})
}

func TestRejectionMayBeTriedAgainAndAFinalOneMayNot(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		o := begin(t, h, "Second Try")
		token := apptest.Object{"type": "organisation", "organisationId": o.c.Org}
		o.complete()
		o.decide(idvsim.Retry)
		o.wait(0)
		require.Equal(t, "REJECTED", o.status())

		o.c.Do("POST", "/idv/get-applicant-token", token).OK(200)
		o.complete()
		o.wait(0)

		require.Equal(
			t,
			"SUBMITTED",
			o.status(),
			"a pending review counts, though the answer of before stands beside it",
		)

		o.decide(idvsim.Hold)
		o.wait(0)
		require.Equal(t, "SUBMITTED", o.status())

		o.decide(idvsim.Final)
		o.wait(0)
		require.Equal(t, "REJECTED", o.status())
		require.GreaterOrEqual(t, o.c.Do("POST", "/idv/get-applicant-token", token).Status, 400)
	})
}

// An approval does not outlive what it rested on: a reset, a later rejection.
func TestApprovalIsWithdrawnWhenTheProviderWithdrawsIt(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		for what, want := range map[idvsim.Outcome]string{idvsim.Reset: "PENDING", idvsim.Final: "REJECTED"} {
			o := begin(t, h, "Withdrawn "+string(what))
			o.complete()
			o.decide(idvsim.Approve)
			o.wait(0)
			require.Equal(t, "APPROVED", o.status())

			o.decide(what)
			o.wait(0)
			require.Equal(t, want, o.status(), what)
		}
	})
}

// The names of the sandbox choose the outcome by themselves when documents are handed in.
func TestNamesOfTheSandboxChooseTheOutcomeOfVerification(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		for name, want := range map[string]string{
			"SANCTIONED":   "REJECTED",
			"FINAL-REJECT": "REJECTED",
			"RETRY-REJECT": "REJECTED",
			"RFI":          "SUBMITTED",
		} {
			o := begin(t, h, name)
			o.complete()
			o.wait(0)
			require.Equal(t, want, o.status(), name)
		}
	})
}

// While the provider cannot be asked, its webhooks decide nothing: they are kept, and followed when it answers again.
func TestProviderThatIsDownDecidesNothing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		for _, how := range []idvsim.Behaviour{idvsim.Down, idvsim.Garbled} {
			o := begin(t, h, "Down "+string(how))
			o.complete()
			o.decide(idvsim.Approve)
			h.World.IDV.Steer(how, 0)
			o.wait(0)
			require.NotEqual(t, "APPROVED", o.status(), how)
			hooks, err := h.World.IDV.Webhooks(o.c.Org)
			require.NoError(t, err)

			for _, w := range hooks {
				require.Equal(t, "200", w.Answer, "it was taken all the same")
			}

			h.World.IDV.Steer(idvsim.Normal, 0)

			for range 4 {
				o.wait(10 * time.Minute)
			}

			require.Equal(t, "APPROVED", o.status(), how)
		}
	})
}

// Behind a service that is down the provider sends its webhooks again, and what they say is not lost.
func TestWebhooksThatWereNotTakenComeAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		o := begin(t, h, "Away")
		o.complete()
		o.decide(idvsim.Approve)
		away := h.App
		h.World.IDV.SetWebhook("http://nobody.invalid/idv/webhook", refusing{})
		o.wait(0)
		require.Equal(t, "PENDING", o.status())

		h.Stop(away)
		h.App = h.Start() // the newest app is where webhooks go
		o.wait(6 * time.Minute)
		require.Equal(t, "APPROVED", o.status())
	})
}
