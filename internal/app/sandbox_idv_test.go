//go:build !nosandbox

package app_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// refusing is a network that reaches nobody.
type refusing struct{}

// RoundTrip is http.RoundTripper's.
func (refusing) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("connection refused")
}

// A tester steers the identity provider over HTTP as on its pages.
func TestIdentityProviderIsSteeredOverHTTP(t *testing.T) {
	w, post := controls(t)
	status, made := post("/idv/users", object{})
	require.Equal(t, 200, status, made)
	id := made["applicantId"].(string)
	steer := func(want int, body object) map[string]any {
		t.Helper()
		status, out := post("/sandbox/idv", body)
		require.Equal(t, want, status, out)

		return out
	}
	applicant := func(out map[string]any) map[string]any { return out["applicant"].(map[string]any) }

	out := steer(200, object{"op": "look", "applicant": made["externalUserId"]})
	require.Equal(t, id, applicant(out)["applicantId"])
	require.Equal(t, "init", applicant(out)["reviewStatus"])
	require.Len(t, out["webhooks"], 1)
	require.Equal(t, w.Identity.URL+"/widget", out["widget"])

	steer(200, object{"op": "travel", "travel": "held"})
	out = steer(200, object{"op": "complete", "applicant": id})
	require.Equal(t, "pending", applicant(out)["reviewStatus"])
	require.Equal(t, []any{"PASSPORT"}, applicant(out)["documents"])
	out = steer(200, object{"op": "retry", "applicant": id, "comment": "Too dark."})
	require.Equal(t, []any{"RED", "RETRY"}, []any{applicant(out)["reviewAnswer"], applicant(out)["rejectType"]})
	last := out["webhooks"].([]any)[2].(map[string]any)
	require.Equal(t, true, last["held"])
	out = steer(200, object{"op": "send", "webhook": last["number"], "applicant": id})
	require.Equal(t, false, out["webhooks"].([]any)[2].(map[string]any)["held"])

	steer(200, object{"op": "mode", "mode": "down", "times": 1})
	status, out = post("/idv/get-applicant-token", object{"type": "user"})
	require.Equal(t, 503, status, out)
	status, out = post("/idv/get-applicant-token", object{"type": "user"})
	require.Equal(t, 200, status, out)

	steer(404, object{"op": "approve", "applicant": "nobody"})
	steer(422, object{"op": "send"})
	steer(422, object{"op": "send", "webhook": 99})
	steer(404, object{"op": "reset"})
	steer(422, object{"op": "explode"})
	steer(422, object{"op": "level", "applicant": id, "level": "no such level"})
	require.Len(t, steer(200, object{"op": "look"})["webhooks"], 3)
}
