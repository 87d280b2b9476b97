package caller_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
)

func TestSomebodyElseCallsInTheSameRequest(t *testing.T) {
	ctx := context.WithValue(t.Context(), caller.Key{}, &caller.Call{
		Principal: &caller.Principal{User: "usr_a"},
		Request:   caller.Request{ID: "req_1"},
		Token:     "t",
	})
	as := caller.With(ctx, caller.Principal{User: "usr_b"})

	require.Equal(t, "usr_b", caller.Of(as).User)
	require.Equal(t, "req_1", caller.RequestOf(as).ID)
	require.Equal(t, "t", caller.TokenOf(as))
	require.Equal(t, "usr_a", caller.Of(ctx).User, "the request's own context is as it was")
}

func TestOutsideOfARequestNobodyCalls(t *testing.T) {
	require.Zero(t, caller.Of(t.Context()))
	require.Zero(t, caller.RequestOf(t.Context()))
	require.Empty(t, caller.TokenOf(t.Context()))

	as := caller.With(t.Context(), caller.Principal{User: "usr_a"})
	require.Equal(t, "usr_a", caller.Of(as).User)
	require.Zero(t, caller.RequestOf(as))
}

func TestARefIsAnIdentifierOrAnObjectWithOne(t *testing.T) {
	for raw, want := range map[string]caller.Ref{
		`"rcv_1"`:                    "rcv_1",
		`"a\u0062"`:                  "ab",
		`null`:                       "",
		`{"_id":"rcv_1","name":"x"}`: "rcv_1",
		`{"_id":null}`:               "",
		`{"_ID":"rcv_1"}`:            "",
		`{}`:                         "",
	} {
		t.Run(raw, func(t *testing.T) {
			got := caller.Ref("old")
			require.NoError(t, json.Unmarshal([]byte(raw), &got))
			require.Equal(t, want, got)
		})
	}

	for _, raw := range []string{`1`, `true`, `["rcv_1"]`, `{"_id":1}`, `{"_id":{}}`} {
		t.Run(raw, func(t *testing.T) {
			var got caller.Ref
			require.Error(t, json.Unmarshal([]byte(raw), &got))
		})
	}
}

func TestAPlaceIsReadInItsOwnOrderOnly(t *testing.T) {
	place := caller.Place{Order: "amount", Last: "pay_1", Value: "10|00"}

	got, err := caller.PlaceIn("amount", place.String())
	require.NoError(t, err)
	require.Equal(t, place, got)

	for _, after := range []string{"", "amount", "amount|pay_1", "date|pay_1|x"} {
		_, err = caller.PlaceIn("amount", after)
		require.True(t, fault.Is(err, fault.CursorInvalid), after)
	}
}
