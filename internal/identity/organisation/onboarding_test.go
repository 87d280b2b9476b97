package organisation_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
)

type world = identitytest.World

var statuses = []organisation.Status{
	organisation.Pending,
	organisation.Submitted,
	organisation.Approved,
	organisation.Rejected,
}

// moves is the interface's table once more, by hand, and the three ways back that
// docs/explanation/interface-decisions.md adds.
var moves = map[[2]organisation.Status]bool{
	{"PENDING", "SUBMITTED"}:  true,
	{"SUBMITTED", "APPROVED"}: true,
	{"SUBMITTED", "REJECTED"}: true,
	{"REJECTED", "SUBMITTED"}: true,
	{"APPROVED", "PENDING"}:   true,
	{"SUBMITTED", "PENDING"}:  true,
	{"REJECTED", "PENDING"}:   true,
}

func advance(w *world, org string, to organisation.Status) error {
	ctx := context.Background()

	return w.DB.Write(ctx, func(tx *db.Tx) error {
		o, err := organisation.ByID(ctx, tx, org)
		if err != nil {
			return err
		}

		o, err = organisation.Advance(ctx, tx, o, to, "test")
		if err == nil && o.Onboarding != to {
			return errors.New("Advance gives the organisation as it was")
		}

		return err
	})
}

func TestOnboardingWalksEveryPair(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		org := w.Organisation(s.Access)
		require.ElementsMatch(t, statuses, organisation.Onboarding.States())

		for _, from := range statuses {
			for _, to := range append(statuses, "", "approved", "DELETED") {
				w.Exec("UPDATE organisations SET onboarding_status = ? WHERE id = ?", string(from), org)
				version := w.Count("SELECT version FROM organisations WHERE id = ?", org)
				events := w.Count("SELECT count(*) FROM events")
				err := advance(w, org, to)
				now, rerr := db.Value[string](context.Background(), w.DB,
					"SELECT onboarding_status FROM organisations WHERE id = ?", org)
				require.NoError(t, rerr)

				if moves[[2]organisation.Status{from, to}] {
					require.NoError(t, err, "%s to %s", from, to)
					require.EqualValues(t, to, now)
					require.Equal(t, version+1, w.Count("SELECT version FROM organisations WHERE id = ?", org))
					require.Equal(t, events+1, w.Count("SELECT count(*) FROM events"))
				} else {
					require.True(t, fault.Is(err, fault.OnboardingMove), "%s to %s: %v", from, to, err)
					f, _ := fault.As(err)
					require.Equal(t, fault.Conflict, f.Kind)
					require.EqualValues(t, from, now)
					require.Equal(t, version, w.Count("SELECT version FROM organisations WHERE id = ?", org))
					require.Equal(t, events, w.Count("SELECT count(*) FROM events"))
				}
			}
		}
	})
}

func TestAdvanceRefusesAnOrganisationReadBefore(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		ctx := context.Background()
		s := w.Someone("ada@example.com")
		org := w.Organisation(s.Access)
		stale, err := organisation.ByID(ctx, w.DB, org)
		require.NoError(t, err)
		require.NoError(t, advance(w, org, organisation.Submitted))

		err = w.DB.Write(ctx, func(tx *db.Tx) error {
			_, err := organisation.Advance(ctx, tx, stale, organisation.Submitted, "twice")
			return err
		})

		require.ErrorIs(t, err, db.ErrStale)
		require.EqualValues(t, 1, w.Count("SELECT count(*) FROM events"))
	})
}

func TestOnboardingEventTellsTheMove(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		org := w.Organisation(s.Access)
		w.Do("POST", "/sandbox/organisations/"+org+"/onboarding", s.Access, `{"status":"APPROVED"}`).OK(200)

		type event struct {
			kind, object, data string
			sequence           int64
		}
		events, err := db.Select(context.Background(), w.DB, func(e *event) []any {
			return []any{&e.kind, &e.object, &e.data, &e.sequence}
		},
			"SELECT type, object, data, sequence FROM events WHERE organisation = ? ORDER BY id", org)
		require.NoError(t, err)
		require.Len(t, events, 2)

		for i, want := range []string{"SUBMITTED", "APPROVED"} {
			var data map[string]any
			require.NoError(t, json.Unmarshal([]byte(events[i].data), &data))
			require.Equal(t, "organisation.onboarding.updated", events[i].kind)
			require.Equal(t, org, events[i].object)
			require.Equal(t, want, data["onboardingStatus"])
			require.EqualValues(t, i+2, events[i].sequence)
		}
	})
}

func TestSandboxPlaysTheProvider(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		stranger := w.Someone("bob@example.com")
		org := w.Organisation(s.Access)

		path := "/sandbox/organisations/" + org + "/onboarding"
		for _, from := range statuses {
			for _, to := range statuses {
				w.Exec("UPDATE organisations SET onboarding_status = ? WHERE id = ?", string(from), org)
				before := w.Count("SELECT count(*) FROM events")
				a := w.Do("POST", path, s.Access, fmt.Sprintf(`{"status":%q}`, to)).OK(200)
				require.EqualValues(t, to, a.Text("onboardingStatus"), "%s to %s", from, to)

				if from == to {
					require.Equal(t, before, w.Count("SELECT count(*) FROM events"))
				}
			}
		}

		w.Do("POST", path, s.Access, `{"status":"approved"}`).Refused(422, "NOT_IN_ENUM", "/status NOT_IN_ENUM")
		w.Do("POST", path, s.Access, `{}`).Refused(422, "REQUIRED", "/status REQUIRED")
		w.Do("POST", path, s.Access, `{"status":"APPROVED","force":true}`).Refused(422, "UNKNOWN_FIELD")
		w.Do("POST", path, stranger.Access, `{"status":"APPROVED"}`).Refused(404, "NOT_FOUND")
		w.Do("POST", path, "", `{"status":"APPROVED"}`).Refused(401, "TOKEN_MISSING")
	})
}

// The gate is what the accept of a transaction relies on: it is open for exactly one combination.
func TestAcceptGateOpensForOneCombinationOnly(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		s := w.Someone("ada@example.com")
		other := w.Someone("bob@example.com")
		org := w.Organisation(s.Access)
		foreign := w.Organisation(other.Access)
		me := w.Do("GET", "/users/me", s.Access, "").OK(200).Text("_id")

		ctx := context.Background()
		for _, status := range statuses {
			for _, orgOn := range []bool{true, false} {
				for _, userType := range []string{"authorized", "viewer", "admin"} {
					for _, memberOn := range []bool{true, false} {
						for _, userOn := range []bool{true, false} {
							w.Exec("UPDATE organisations SET onboarding_status = ?, is_active = ? WHERE id = ?",
								string(status), orgOn, org)
							w.Exec("UPDATE members SET user_type = ?, is_active = ? WHERE organisation = ?", userType,
								memberOn, org)
							w.Exec("UPDATE users SET is_active = ? WHERE id = ?", userOn, me)
							want := status == "APPROVED" && orgOn && userType == "authorized" && memberOn && userOn

							err := w.DB.Write(ctx, func(tx *db.Tx) error {
								tx.Change(
									"UPDATE organisations SET name = 'touched' WHERE id = ? AND "+organisation.AcceptGate,
									append(
										[]any{foreign},
										organisation.GateArgs(org, me, organisation.Judged{}, tx.Now)...)...)

								return nil
							})
							if want {
								require.NoError(t, err)
							} else {
								require.ErrorIs(
									t,
									err,
									db.ErrStale,
									"%s %v %s %v %v",
									status,
									orgOn,
									userType,
									memberOn,
									userOn,
								)
							}

							o, err := organisation.ByID(ctx, w.DB, org)
							require.NoError(t, err)
							m, err := organisation.MemberOf(ctx, w.DB, org, me)
							require.NoError(t, err)
							require.Equal(t, want, o.Approved() == nil && m.MayAccept() == nil && userOn,
								"the gate and the sentences agree")
						}
					}
				}
			}
		}

		_, err := organisation.MemberOf(ctx, w.DB, foreign, me)
		require.True(t, fault.Is(err, fault.NotFoundCode))
	})
}

// TestAcceptGateOpensForAStandInWhileItRuns: for the one for whom the request was judged, in the time that was set, and
// as long as that one accepts himself.
func TestAcceptGateOpensForAStandInWhileItRuns(t *testing.T) {
	identitytest.Each(t, func(t *testing.T, w *world) {
		admin := w.Someone("ada@example.com")
		org := w.Organisation(admin.Access)
		approve(w, org, admin.Access)

		guest, member := w.Member(admin.Access, org, "grace@example.com", `"viewer"`)
		ada := w.Do("GET", "/users/me", admin.Access, "").OK(200).Text("_id")
		grace := w.Do("GET", "/users/me", guest.Access, "").OK(200).Text("_id")
		from := w.DB.Now().Truncate(time.Microsecond)
		until := from.Add(time.Hour)
		w.Exec(`UPDATE members SET stands_in_from = ?, stands_in_until = ?,
			stands_in_for = (SELECT id FROM members WHERE user_id = ?) WHERE id = ?`,
			db.Micros(from), db.Micros(until), ada, member)

		opens := func(judgedFor string, at time.Time) bool {
			err := w.DB.Write(t.Context(), func(tx *db.Tx) error {
				by := organisation.Judged{StandsInFor: judgedFor}
				tx.Change("UPDATE organisations SET name = 'touched' WHERE id = ? AND "+organisation.AcceptGate,
					append([]any{org}, organisation.GateArgs(org, grace, by, at)...)...)

				return nil
			})
			if err != nil {
				require.ErrorIs(t, err, db.ErrStale)
			}

			return err == nil
		}

		require.True(t, opens(ada, from))
		require.True(t, opens(ada, until.Add(-time.Microsecond)))
		require.False(t, opens(ada, until))
		require.False(t, opens(ada, from.Add(-time.Microsecond)))
		require.False(t, opens(grace, from), "judged for somebody else")
		require.False(t, opens("", from), "not judged at all")

		for _, off := range []string{
			"UPDATE members SET is_active = FALSE WHERE user_id = ?",
			"UPDATE members SET user_type = 'admin', is_active = TRUE WHERE user_id = ?",
		} {
			w.Exec(off, ada)
			require.False(t, opens(ada, from), off)
		}

		w.Exec("UPDATE members SET user_type = 'authorized' WHERE user_id = ?", ada)
		require.True(t, opens(ada, from))
		w.Exec("UPDATE users SET is_active = FALSE WHERE id = ?", ada)
		require.False(t, opens(ada, from))
	})
}

func TestRefusalsOfTheGateInWords(t *testing.T) {
	o := organisation.Organisation{IsActive: true, Onboarding: organisation.Submitted}
	require.True(t, fault.Is(o.Approved(), fault.OrgNotApproved))

	o.IsActive = false
	require.True(t, fault.Is(o.Approved(), fault.AccountInactive))

	m := organisation.Member{IsActive: true, UserType: "AUTHORIZED"}
	require.NoError(t, m.MayAccept(), "compared without case")

	m.UserType = "authorised"
	require.True(t, fault.Is(m.MayAccept(), fault.MemberNotAuthor))

	f, _ := fault.As(m.MayAccept())
	require.Equal(t, fault.Forbidden, f.Kind)
}
