package auth_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/identitytest"
	"slipway/internal/platform/db/dbtest"
)

func TestCacheIsBounded(t *testing.T) {
	c := auth.NewCache()

	now := time.Now()
	for i := range 120_000 {
		auth.PutInCache(c, fmt.Sprint(i), caller.Principal{User: "u"}, now)
	}

	require.LessOrEqual(t, c.Len(), 100_000)
	require.Greater(t, c.Len(), 90_000)
	_, ok := auth.GetFromCache(c, "119999", now)
	require.True(t, ok)
	_, ok = auth.GetFromCache(c, "119999", now.Add(auth.CacheLifetime))
	require.False(t, ok, "an entry ends by itself")
}

func TestDropReachesUserAndOrganisationOnly(t *testing.T) {
	c := auth.NewCache()
	now := time.Now()
	put := func() {
		auth.PutInCache(c, "a", caller.Principal{User: "usr_a", Organisation: "org_x"}, now)
		auth.PutInCache(c, "b", caller.Principal{User: "usr_b", Organisation: "org_x"}, now)
		auth.PutInCache(c, "c", caller.Principal{User: "usr_c", Organisation: "org_y"}, now)
	}
	has := func() (out string) {
		for _, k := range []string{"a", "b", "c"} {
			if _, ok := auth.GetFromCache(c, k, now); ok {
				out += k
			}
		}

		return out
	}
	// Names share revisions by hash, so a drop may reach others too: what must be gone is always gone, what may stay
	// mostly stays.
	stayed := 0
	for range 50 {
		c = auth.NewCache()
		put()
		require.Equal(t, "abc", has())
		c.DropUser("usr_a")
		require.NotContains(t, has(), "a")

		if has() == "bc" {
			stayed++
		}

		put()
		c.Drop("", "org_x")
		require.NotContains(t, has(), "a")
		require.NotContains(t, has(), "b")

		if has() == "c" {
			stayed++
		}
	}

	require.Greater(t, stayed, 90)
}

// What was read before a revocation and arrives after it must not be kept.
func TestDropWhileReadingKeepsNothing(t *testing.T) {
	c := auth.NewCache()
	now := time.Now()
	auth.PutStale(c, "a", caller.Principal{User: "usr_a"}, now, func() { c.DropUser("usr_a") })
	_, ok := auth.GetFromCache(c, "a", now)
	require.False(t, ok)
}

func TestRevocationByAnotherProcessIsSeenWithinTheCacheLifetime(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		require.Equal(t, 200, alive(w, s))
		require.Equal(t, 1, w.Auth.Cached())
		w.Exec("UPDATE sessions SET revoked_at = 1")
		w.DB.Clock().Advance(auth.CacheLifetime)
		require.Equal(t, 401, alive(w, s))
	})
}

func TestCacheIsSafeForManyAtOnce(t *testing.T) {
	c := auth.NewCache()
	now := time.Now()

	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 2000 {
				k := fmt.Sprint((n * i) % 300)
				auth.PutInCache(c, k, caller.Principal{User: k}, now)

				if p, ok := auth.GetFromCache(c, k, now); ok && p.User != k {
					t.Errorf("%s got %s", k, p.User)
				}

				c.Drop(k, k)
			}
		})
	}

	wg.Wait()
}

func TestActingForAnOrganisationNeedsMembership(t *testing.T) { // Z-02
	each(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		ada := w.Someone("ada@example.com")
		bob := w.Someone("bob@example.com")
		p, _, err := w.Auth.Authenticate(ctx, ada.Access, "")
		require.NoError(t, err)
		require.Empty(t, p.Organisation)
		first := w.Organisation(ada.Access)
		second := w.Organisation(ada.Access)
		foreign := w.Organisation(bob.Access)

		p, _, err = w.Auth.Authenticate(ctx, ada.Access, "")
		require.NoError(t, err, "known at once, not after the cache lifetime")
		require.Equal(t, first, p.Organisation, "the first one is the default")
		require.Equal(t, []string{"admin", "authorized"}, p.Roles)
		p, _, err = w.Auth.Authenticate(ctx, ada.Access, second)
		require.NoError(t, err)
		require.Equal(t, second, p.Organisation)

		as := func(org string) identitytest.Answer {
			return w.Do("GET", "/users/me", ada.Access, "", identitytest.Header{
				Name:  "Slipway-Organisation",
				Value: org,
			}, identitytest.Header{Name: "X-Request-Id", Value: "same"})
		}
		strange := as(foreign).Refused(404, "NOT_FOUND").Raw
		require.Equal(t, strange, as("org_00000000000000000000000000").Raw)
		require.Equal(t, strange, as("x' OR 1=1").Raw)

		w.Do("PATCH", "/organisations/"+first, ada.Access, `{"requireIdempotencyKey":true}`).OK(200)
		p, _, err = w.Auth.Authenticate(ctx, ada.Access, "")
		require.NoError(t, err)
		require.True(t, p.RequireKey)

		w.Exec("UPDATE organisations SET is_active = FALSE WHERE id = ?", first)
		w.Exec("UPDATE members SET is_active = FALSE WHERE organisation = ?", second)
		w.DB.Clock().Advance(auth.CacheLifetime)
		as(first).Refused(404, "NOT_FOUND")
		as(second).Refused(404, "NOT_FOUND")
		p, _, err = w.Auth.Authenticate(ctx, ada.Access, "")
		require.NoError(t, err)
		require.Empty(t, p.Organisation)
		require.Empty(t, p.Roles)
	})
}

func TestChangedMemberIsKnownAtTheNextRequest(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		grace, member := w.Member(admin.Access, org, "grace@example.com", `"viewer"`)

		roles := func() []string {
			p, _, err := w.Auth.Authenticate(ctx, grace.Access, "")
			require.NoError(t, err)
			return p.Roles
		}

		require.Equal(t, []string{"viewer"}, roles())

		w.Do(
			"PATCH",
			"/organisations/"+org+"/members/"+member,
			admin.Access,
			`{"userType":"AUTHORIZED","roles":["approver"]}`,
		).OK(200)

		require.Equal(t, []string{"approver", "authorized"}, roles())

		w.Do("PATCH", "/organisations/"+org+"/members/"+member, admin.Access, `{"isActive":false}`).OK(200)
		require.Empty(t, roles())
	})
}

// A token that was verified a moment ago costs a request no memory.
func TestAuthenticatingAKnownTokenAllocatesNothing(t *testing.T) {
	w := identitytest.New(t, dbtest.SQLite(t))
	s := w.Someone("ada@example.com")
	ctx := context.Background()

	require.Zero(t, testing.AllocsPerRun(100, func() {
		if _, _, err := w.Auth.Authenticate(ctx, s.Access, ""); err != nil {
			t.Fatal(err)
		}
	}))
}

func BenchmarkAuthenticateHit(b *testing.B) {
	w := identitytest.New(b, dbtest.SQLite(b))
	s := w.Someone("ada@example.com")
	ctx := context.Background()
	b.ReportAllocs()

	for b.Loop() {
		if _, _, err := w.Auth.Authenticate(ctx, s.Access, ""); err != nil {
			b.Fatal(err)
		}
	}
}
