package caller_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
)

func TestSomebodyElseCallsInTheSameRequest(t *testing.T) {
	ctx := caller.WithCall(t.Context(), &caller.Call{
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
	} {
		t.Run(raw, func(t *testing.T) {
			got := caller.Ref("old")
			require.NoError(t, json.Unmarshal([]byte(raw), &got))
			require.Equal(t, want, got)
		})
	}

	for _, raw := range []string{
		`1`, `true`, `["rcv_1"]`, `{"_id":1}`, `{"_id":{}}`, `{"_id":null}`, `{"_ID":"rcv_1"}`, `{}`, `{"_id":""}`,
		`"rcv 1"`, `"` + strings.Repeat("r", 65) + `"`,
	} {
		t.Run(raw, func(t *testing.T) {
			var got caller.Ref
			require.Error(t, json.Unmarshal([]byte(raw), &got))
		})
	}
}

func TestAPositionIsReadInItsOwnOrderOnly(t *testing.T) {
	byAmount := caller.Order{Column: "amount_sort"}
	position := byAmount.Position("pay_1", "10|00")

	id, value, err := byAmount.Parse(position)
	require.NoError(t, err)
	require.Equal(t, "pay_1", id)
	require.Equal(t, "10|00", value)

	for _, other := range []caller.Order{{Column: "amount_sort", Ascending: true}, {Column: "created_at"}, {}} {
		_, _, err = other.Parse(position)
		require.True(t, fault.Is(err, fault.CursorInvalid), "%+v", other)
	}

	for _, bad := range []string{"", "amount_sort-", "amount_sort-|pay_1"} {
		_, _, err = byAmount.Parse(bad)
		require.True(t, fault.Is(err, fault.CursorInvalid), bad)
	}
}

func TestTheValueOfATimeIsANumber(t *testing.T) {
	byTime := caller.Order{Column: "created_at", Ascending: true}

	_, value, err := byTime.Parse(byTime.Position("pay_1", "1700000000000000"))
	require.NoError(t, err)
	require.Equal(t, int64(1_700_000_000_000_000), value)

	_, _, err = byTime.Parse(byTime.Position("pay_1", "yesterday"))
	require.True(t, fault.Is(err, fault.CursorInvalid))
}
