package user_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// A grant of this day makes nobody a second person: the other operators get time to notice it. On the platform's first
// day there are no others, and taking their roles away does not bring that day back.
func TestNewOperatorIsNoSecondPerson(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		ids := map[string]string{}

		grant := func(name, staff string) {
			require.NoError(t, w.DB.Write(ctx, func(tx *db.Tx) error {
				u, _, err := user.Grant(ctx, tx, name+"@example.com", staff)
				ids[name] = u.ID

				return err
			}))
		}
		second := func(name string) error { return user.SecondPerson(ctx, w.DB, ids[name], user.Operator, w.DB.Now()) }
		tooNew := func(name string) bool { return fault.Is(second(name), fault.OperatorTooNew) }

		for _, name := range []string{"ada", "ben", "sock", "clerk"} {
			w.Register(name + "@example.com")
		}

		grant("ada", user.Operator)
		w.DB.Clock().Advance(48 * time.Hour)
		grant("ben", user.Operator)
		require.NoError(t, second("ben"), "the platform has its second operator only now")

		w.DB.Clock().Advance(24*time.Hour - time.Second)
		grant("sock", user.Operator)
		require.NoError(t, second("sock"))
		w.DB.Clock().Advance(time.Second)
		require.True(t, tooNew("sock"))
		require.NoError(t, second("ada"))
		require.NoError(t, second("ben"))

		grant("ada", user.NoStaff)
		grant("ben", user.NoStaff)
		require.True(t, tooNew("sock"), "although there is no other one")
		require.True(t, fault.Is(second("ben"), fault.RoleRequired))
		grant("ben", user.Operator)
		require.True(t, tooNew("ben"), "he is new again")

		w.DB.Clock().Advance(24 * time.Hour)
		require.NoError(t, second("sock"))
		require.NoError(t, second("ben"))

		grant("clerk", user.Staff)
		require.True(t, fault.Is(second("clerk"), fault.RoleRequired))
		clerk := func() error { return user.SecondPerson(ctx, w.DB, ids["clerk"], user.Staff, w.DB.Now()) }
		require.True(t, fault.Is(clerk(), fault.OperatorTooNew), "a new one of staff is new, too")
		require.NoError(t, user.SecondPerson(ctx, w.DB, ids["ben"], user.Staff, w.DB.Now()), "an operator is staff")
		w.DB.Clock().Advance(user.GrantDelay)
		require.NoError(t, clerk())
		require.True(
			t,
			fault.Is(user.SecondPerson(ctx, w.DB, "usr_nobody", user.Operator, w.DB.Now()), fault.RoleRequired),
		)
	})
}
