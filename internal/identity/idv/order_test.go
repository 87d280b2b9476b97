//go:build !nosandbox

package idv_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	provider "slipway/internal/rails/idv"
)

// W-03. For every history of an applicant at the provider, and every way in which its events are delivered (any
// order, any number of times, some only at the end, the provider's answers at times an old copy):
//
//  1. in the end the organisation stands where the provider's last review puts it, as when every event comes once and
//     in order;
//  2. it is never APPROVED unless the provider has given GREEN on our level before, and never so after what withdraws
//     it was applied;
//  3. the onboarding moves only along its table, and every event that was delivered has ended.
func TestAnyOrderOfEventsEndsInTheSameState(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)

		for seed := range uint64(80) {
			r := &dice{seed}
			org, applicant := w.company(s.Access)
			h := history(r, w, org, applicant)
			w.DB.Clock().Advance(2 * time.Minute) // no event is of the future
			w.deliver(r, h)
			got := value(t, w, "SELECT onboarding_status FROM organisations WHERE id = ?", org)
			require.Equal(t, h.end(), got, "seed %d: %s", seed, h)

			require.Zero(
				t,
				w.Count("SELECT count(*) FROM idv_events WHERE external_user_id = ? AND state = 'RECEIVED'", org),
				"seed %d",
				seed,
			)

			require.EqualValues(t, len(h.steps),
				w.Count("SELECT count(*) FROM idv_events WHERE external_user_id = ?", org), "seed %d", seed)

			w.alongTheTable(org, seed)
			s = w.Login(ada)
		}
	})
}

// dice give the same throws for the same seed (SplitMix64).
type dice struct{ state uint64 }

// IntN returns a number below n.
func (d *dice) IntN(n int) int {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb

	return int((z ^ z>>31) % uint64(n))
}

func value(t *testing.T, w *world, query string, args ...any) string {
	t.Helper()
	v, err := db.Value[string](context.Background(), w.DB, query, args...)
	require.NoError(t, err)

	return v
}

// step is a review of the provider and the event that announces it.
type step struct {
	review provider.Review
	event  event
	status string // where it puts the organisation
}

type story struct {
	org   string
	steps []step
}

func (h story) end() string { return h.steps[len(h.steps)-1].status }

func (h story) String() string {
	out := ""
	for _, s := range h.steps {
		out += fmt.Sprintf("%s %s → %s; ", s.event.Type, s.review.ReviewAnswer, s.status)
	}

	return out
}

// history walks through what may happen to an applicant: documents come, are looked at, held, answered, handed in
// again, and started anew. An answer that the provider looks at once more is left out here: it stands meanwhile only
// for those who have seen it.
func history(r *dice, w *world, org, applicant string) story {
	h := story{org: org}
	state := "init"
	when := w.DB.Now()

	next := map[string][]string{
		"init":       {"pending"},
		"pending":    {"prechecked", "hold", "green", "retry", "final"},
		"prechecked": {"green", "retry", "final", "hold"},
		"hold":       {"green", "final", "retry"},
		"green":      {"reset", "hold", "level", "level", "final"},
		"retry":      {"pending", "reset"},
		"final":      {"reset"},
		"level":      {"reset"},
	}
	for range 2 + r.IntN(9) {
		ways := next[state]
		state = ways[r.IntN(len(ways))]
		when = when.Add(time.Duration(1+r.IntN(9_000)) * time.Millisecond)
		s := step{
			review: provider.Review{
				ApplicantID:    applicant,
				ExternalUserID: org,
				Kind:           provider.Organisation,
				LevelName:      levels.Companies,
				Sandbox:        true,
			},
			event: event{
				ApplicantID:    applicant,
				InspectionID:   "i",
				CorrelationID:  fmt.Sprint(len(h.steps)),
				ExternalUserID: org,
				LevelName:      levels.Companies,
				SandboxMode:    true,
				CreatedAt:      at(when),
			},
		}

		set := func(typ, status, answer, rejectType, means string) {
			s.event.Type = typ
			s.event.ReviewStatus = status
			s.status = means
			s.review.ReviewStatus = status
			s.review.ReviewAnswer = answer

			s.review.RejectType = rejectType
			if answer != "" {
				s.event.Result = &result{answer, rejectType}
			}
		}
		switch state {
		case "pending":
			set(provider.ApplicantPending, provider.StatusPending, "", "", "SUBMITTED")
		case "prechecked":
			set(provider.ApplicantPrechecked, provider.StatusQueued, "", "", "SUBMITTED")
		case "hold":
			set(provider.ApplicantOnHold, provider.StatusOnHold, "", "", "SUBMITTED")
		case "green":
			set(provider.ApplicantReviewed, provider.StatusCompleted, provider.Green, "", "APPROVED")
		case "retry":
			set(provider.ApplicantReviewed, provider.StatusCompleted, provider.Red, provider.Retry, "REJECTED")
		case "final":
			set(provider.ApplicantReviewed, provider.StatusCompleted, provider.Red, provider.Final, "REJECTED")
		case "level": // the answer of the old level is carried on, as the provider does it
			set(provider.ApplicantLevelChanged, provider.StatusCompleted, provider.Green, "", "PENDING")
			s.review.LevelName = "strict"
			s.event.LevelName = "strict"
		case "reset":
			set(provider.ApplicantReset, provider.StatusInit, "", "", "PENDING")
			state = "init"
		}

		h.steps = append(h.steps, s)
	}

	return h
}

// deliver lets the provider live through the history while its events come in some order, some of them several times.
func (w *world) deliver(r *dice, h story) {
	reached := -1
	stale := 0

	w.asked.answer(func(_ context.Context, applicantID string) (provider.Review, error) {
		i := reached
		if stale > 0 && i > 0 {
			stale--
			i--
		}

		if i < 0 || h.steps[i].review.ApplicantID != applicantID {
			return w.asked.Provider.Applicant(context.Background(), applicantID)
		}

		return h.steps[i].review, nil
	})
	defer w.asked.answer(nil)

	open := map[int]bool{}
	for reached < len(h.steps)-1 || len(open) > 0 {
		switch r.IntN(6) {
		case 0, 1:
			if reached < len(h.steps)-1 {
				reached++
				open[reached] = true
			}

		case 2:
			w.work(h, reached)
		case 3:
			stale = r.IntN(3)

		default:
			if reached < 0 {
				continue
			}

			i := r.IntN(reached + 1)
			w.send(h.steps[i].event)
			delete(open, i)
		}
	}

	for range 16 { // until nothing is in doubt any more
		w.DB.Clock().Advance(time.Minute)
		w.work(h, reached)
	}
}

// work runs jobs and looks whether the organisation stands where it may.
func (w *world) work(h story, reached int) {
	w.RunJobs()

	if value(w.T.(*testing.T), w, "SELECT onboarding_status FROM organisations WHERE id = ?", h.org) != "APPROVED" {
		return
	}

	for i := reached; i >= 0; i-- {
		if h.steps[i].status == "APPROVED" {
			return
		}
	}

	w.T.Fatalf("APPROVED without an answer: %s after step %d", h, reached)
}

// alongTheTable follows the organisation's events.
func (w *world) alongTheTable(org string, seed uint64) {
	w.T.Helper()

	type row struct{ data string }
	rows, err := db.Select(context.Background(), w.DB, func(r *row) []any { return []any{&r.data} },
		"SELECT data FROM events WHERE type = 'organisation.onboarding.updated' AND object = ? ORDER BY sequence", org)
	require.NoError(w.T, err)
	allowed := map[string]bool{
		"PENDING SUBMITTED":  true,
		"SUBMITTED APPROVED": true,
		"SUBMITTED REJECTED": true,
		"REJECTED SUBMITTED": true,
		"APPROVED PENDING":   true,
		"SUBMITTED PENDING":  true,
		"REJECTED PENDING":   true,
	}

	at := "PENDING"
	for _, r := range rows {
		e := decoded(w.T, r.data)
		require.Equal(w.T, at, e["previousOnboardingStatus"], "seed %d", seed)
		at = e["onboardingStatus"].(string)
		require.True(w.T, allowed[e["previousOnboardingStatus"].(string)+" "+at], "seed %d: %s", seed, r.data)
	}
}

// A late event about documents never overwrites an answer, and a late answer never a later one: each permutation of
// three.
func TestLateEventsDoNotGoBack(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Someone(ada)

		for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			for last, want := range map[string]string{provider.Green: "APPROVED", provider.Red: "REJECTED"} {
				org, applicant := w.company(s.Access)
				w.RunJobs()
				now := w.DB.Now()
				events := []event{w.reviewed(org, applicant), w.reviewed(org, applicant), w.reviewed(org, applicant)}
				events[0].Type = provider.ApplicantPending
				events[0].ReviewStatus = provider.StatusPending
				events[0].Result = nil
				events[1].Result = &result{provider.Red, provider.Retry}

				events[2].Result = &result{last, ""}
				for i := range events {
					events[i].CreatedAt = at(now.Add(time.Duration(i) * time.Second))
					events[i].CorrelationID = fmt.Sprint(i)
				}

				w.asked.answer(func(context.Context, string) (provider.Review, error) {
					return provider.Review{
						ApplicantID:    applicant,
						ExternalUserID: org,
						LevelName:      levels.Companies,
						ReviewStatus:   provider.StatusCompleted,
						ReviewAnswer:   last,
						RejectType:     map[string]string{provider.Red: provider.Final}[last],
						Sandbox:        true,
					}, nil
				})

				for _, i := range order {
					w.send(events[i])
					w.RunJobs()
				}

				for range 12 {
					w.DB.Clock().Advance(time.Minute)
					w.RunJobs()
				}

				require.Equal(t, want, w.status(s.Access, org), "%v", order)
				w.asked.answer(nil)
				s = w.Login(ada)
			}
		}
	})
}
