// Package idv has people and organisations verified by the identity provider, and moves their onboarding to what it
// finds.
//
// The provider is the one source of truth. An event that it sends is only a hint: it is stored before it is answered,
// and afterwards the provider is asked for the applicant's review. So events may come in any order, twice, or never.
// While a review is open the provider is also asked every half hour, and once a day while an approval stands.
//
// It promises:
//   - Onboarding moves only by a review of our own applicant, on the level and in the mode that we asked for.
//   - Nothing becomes APPROVED by an event alone.
//   - Without an answer of the provider nothing changes.
//
// It does not promise how soon.
//
// Read in this order: idv.go (what a review means), service.go (use cases), info.go (corrections of what the provider
// was told), webhook.go (the inbox), process.go (the job that empties it), store.go, http.go, http_webhook.go (how
// events come in).
package idv

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/identity/organisation"
	provider "slipway/internal/rails/idv"
)

// Prefixes of identifiers.
const (
	applicantPrefix = "idv"
	eventPrefix     = "ide"
)

// TokenLifetime is how long a widget token works, unless configured otherwise. It is Sumsub's own default; Sumsub
// recommends short ones.
const TokenLifetime = 10 * time.Minute

// How often the provider is asked without an event, since events get lost.
const (
	openInterval     = 30 * time.Minute // while a review is open
	approvedInterval = 24 * time.Hour   // while an approval stands
	watchTime        = 48 * time.Hour   // how long a review counts as open after a widget token was issued
)

// Provider is the outside party; *provider.Client implements it. Every call may be repeated.
type Provider interface {
	Create(ctx context.Context, n provider.New) (provider.Review, error)
	Applicant(ctx context.Context, applicantID string) (provider.Review, error)
	UpdateInfo(ctx context.Context, kind provider.Kind, applicantID string, info map[string]any) error
	Token(ctx context.Context, externalUserID, levelName string, ttl time.Duration) (provider.Token, error)
}

// Levels are the names of the verification levels in the provider's settings.
type Levels struct{ Users, Companies, HNWI string }

// Applicant is a person or an organisation at the provider. Subject is the user or the organisation, and the
// provider's externalUserId.
type Applicant struct {
	ID          string
	Kind        provider.Kind // whose onboarding follows: a user's memberships, or an organisation
	Subject     string
	ApplicantID string // the provider's identifier; empty until the provider has created the applicant
	Level       string
	Status      organisation.Status // the meaning of the review
	review      review
	eventAt     time.Time // the provider's time of the newest event that the review covers
	checkAt     time.Time // when the provider is asked without an event; zero: it is not
	watchUntil  time.Time
	Version     int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// review is the provider's review as it was last read.
type review struct {
	status, answer, rejectType string
	labels                     []string
	comment                    string
	at                         time.Time
}

// RetryAllowed reports whether documents may be handed in again after a rejection.
func (a Applicant) RetryAllowed() bool {
	return a.Status == organisation.Rejected && a.review.rejectType == provider.Retry
}

// open reports whether the provider has not finished the review.
func (r review) open() bool {
	return slices.Contains(
		[]string{provider.StatusPending, provider.StatusPrechecked, provider.StatusQueued, provider.StatusOnHold},
		r.status,
	)
}

// ended reports whether there is an answer, other than one that asks for further documents.
func (a Applicant) ended() bool {
	return a.Status == organisation.Approved ||
		a.Status == organisation.Rejected && a.review.rejectType != provider.Retry
}

// meaning returns the onboarding status that a review means. ok is false if the review is not understood. An answer on
// another level than ours counts as none: an approval must not come from, or survive, a change of level.
func (a Applicant) meaning(r provider.Review) (s organisation.Status, ok bool) {
	if r.ReviewStatus == provider.StatusInit {
		return organisation.Pending, true
	}

	if r.LevelName == "" {
		return "", false
	}

	if r.LevelName != a.Level {
		return organisation.Pending, true
	}

	switch r.ReviewStatus {
	case provider.StatusPending, provider.StatusPrechecked, provider.StatusQueued:
		return a.whileReviewed(r.ReviewAnswer, r.RejectType), true
	case provider.StatusOnHold:
		return organisation.Submitted, true
	case provider.StatusCompleted:
		return verdict(r.ReviewAnswer)
	}

	return "", false
}

// whileReviewed returns the meaning of an unfinished review. If the provider reviews again what it has answered, it
// keeps sending that answer, and the answer stands. Any other answer counts only when the review is finished, and an
// answer that the provider stops sending was withdrawn.
func (a Applicant) whileReviewed(answer, rejectType string) organisation.Status {
	stillGreen := answer == provider.Green && a.Status == organisation.Approved
	stillFinal := answer == provider.Red && rejectType != provider.Retry &&
		a.Status == organisation.Rejected && !a.RetryAllowed()

	if stillGreen || stillFinal {
		return a.Status
	}

	return organisation.Submitted
}

// verdict returns the meaning of a finished review's answer.
func verdict(answer string) (s organisation.Status, ok bool) {
	switch answer {
	case provider.Green:
		return organisation.Approved, true
	case provider.Red:
		return organisation.Rejected, true
	}

	return "", false
}

// expects returns the meaning of the review that an event announces. ok is false if it announces none.
func (a Applicant) expects(e provider.Event) (s organisation.Status, ok bool) {
	switch {
	case e.Type == provider.ApplicantReset:
		return organisation.Pending, true
	case e.LevelName != "" && e.LevelName != a.Level:
		return organisation.Pending, e.Type == provider.ApplicantLevelChanged
	}

	switch e.Type {
	case provider.ApplicantPending, provider.ApplicantPrechecked:
		return a.whileReviewed(e.ReviewAnswer, e.RejectType), true
	case provider.ApplicantOnHold:
		return organisation.Submitted, true
	case provider.ApplicantReviewed:
		return verdict(e.ReviewAnswer)
	}

	return "", false
}

// aboutApplicant reports whether an event is about an applicant's state, and not about an action, a call or a payment.
func aboutApplicant(e provider.Event) bool {
	return strings.HasPrefix(e.Type, "applicant") && !strings.HasPrefix(e.Type, "applicantAction")
}

// reviewOf returns the parts of the provider's review that are stored.
func reviewOf(p provider.Review) review {
	r := review{
		status:     p.ReviewStatus,
		answer:     p.ReviewAnswer,
		rejectType: p.RejectType,
		comment:    p.ModerationComment,
		at:         p.UpdatedAt,
	}
	for _, label := range p.RejectLabels {
		r.labels = append(r.labels, strings.ReplaceAll(label, ",", " ")) // they are stored separated by commas
	}

	return r
}

// cover records that the review was read after an event. An event from the future counts as of now: otherwise all later
// events would seem older.
func (a *Applicant) cover(event, now time.Time) {
	if event.After(now) {
		event = now
	}

	if event.After(a.eventAt) {
		a.eventAt = event
	}
}

// nextCheck returns when the provider is asked without an event, or the zero time.
func (a Applicant) nextCheck(now time.Time) time.Time {
	switch {
	case a.ApplicantID == "":
	case a.Status == organisation.Submitted || a.review.open() || now.Before(a.watchUntil):
		return now.Add(openInterval)
	case a.Status == organisation.Approved:
		return now.Add(approvedInterval)
	}

	return time.Time{}
}
