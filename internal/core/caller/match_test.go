package caller_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
)

func TestIfMatchNamesVersions(t *testing.T) {
	for value, seen := range map[string]map[int64]bool{
		"":                 {},
		`"3-00ff"`:         {3: true, 4: false},
		`W/"3-00ff"`:       {3: true, 4: false},
		`3`:                {3: true, 4: false},
		`"3"`:              {3: true, 30: false},
		`"0-1"`:            {0: true, 1: false},
		`"1-a", W/"3-b",7`: {1: true, 3: true, 7: true, 2: false},
		`"a,b", "3-c" ,,`:  {3: true, 1: false}, // another service's tag, and empty elements
		`"abc"`:            {1: false},
		`W/"h12ff",2`:      {2: true, 12: false},
		`""`:               {0: false},
		` * `:              {1: true, 99: true},
	} {
		t.Run(value, func(t *testing.T) {
			var call caller.Call
			if value != "" {
				match, ok := caller.ParseMatch(value)
				require.True(t, ok)
				require.True(t, match.Given())
				call.Match = match
			}

			ctx := caller.WithCall(t.Context(), &call)
			require.False(t, call.Match.Compared())
			require.NoError(t, caller.Unchanged(context.Background(), 5), "outside of a request nothing is compared")

			if value == "" {
				require.NoError(t, caller.Unchanged(ctx, 5))
			}

			for version, same := range seen {
				require.Equal(t, !same, fault.Is(caller.Unchanged(ctx, version), fault.VersionMismatch), version)
			}

			if len(seen) > 0 {
				require.True(t, call.Match.Compared())
			}
		})
	}

	for _, bad := range []string{`abc`, `"3`, `3"`, `"3"4`, `"3" "4"`, `-1`, `,`, `*, "3"`, `9999999999999999999`} {
		_, ok := caller.ParseMatch(bad)
		require.False(t, ok, bad)
	}
}

func TestAUseCaseContinuesTheFaultsOfItsRequest(t *testing.T) {
	l := caller.Faults(t.Context())
	require.True(t, l.Empty())

	ctx := caller.WithCall(t.Context(), &caller.Call{Faults: []fault.Field{{Pointer: "/a", Code: fault.TooLong}}})
	l = caller.Faults(ctx)
	l.Add("/a", fault.Required, "is required.")
	l.Add("/b", fault.Required, "is required.")
	require.Len(t, l.Fields(), 2)
}
