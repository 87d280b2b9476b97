package auth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/identity/identitytest"
)

func TestNewClientReachesAnApprovedOrganisation(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *identitytest.World) {
		s := w.Someone("ada@example.com")
		org := w.Organisation(s.Access)
		w.Do("POST", "/sandbox/organisations/"+org+"/onboarding", s.Access, `{"status":"APPROVED"}`).OK(200)
		require.Equal(t, "APPROVED", w.Do("GET", "/organisations/"+org, s.Access, "").OK(200).Text("onboardingStatus"))
		a := w.Do("POST", "/auth/refresh", s.Refresh, "").OK(200)
		me := w.Do("GET", "/users/me", a.Text("access_token"), "").OK(200)
		require.Equal(t, "admin", me.Text("organisationRole"))
		t.Log(me.Raw, w.Do("GET", "/organisations/me", s.Access, "").OK(200).Raw)
	})
}
