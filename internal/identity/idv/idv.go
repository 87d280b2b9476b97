// Package idv has people and organisations verified by the identity provider, and lets their onboarding follow what
// it finds.
//
// The provider is the one source of truth. An event that it sends is a hint, kept before it is answered; what is
// applied is always what the provider says of the applicant when it is asked afterwards. So it does not matter in
// which order events come, how often, or whether they come at all: while a review is open, and once a day while an
// approval stands, the provider is asked by itself, too.
//
// Promised: onboarding moves only by a review of our own applicant, on the level that we asked for, in our own mode;
// nothing becomes APPROVED on the word of an event alone; what the provider did not say changes nothing. Not
// promised: how soon.
//
// Read in this order: idv.go (what a review means), service.go (use cases), webhook.go (the inbox), process.go (the
// job that empties it), store.go, http.go.
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

// TokenLifetime is how long a widget token is good, unless configured otherwise (Sumsub's own default; it recommends
// short ones).
const TokenLifetime = 10 * time.Minute

// watch is how long the provider is asked by itself after a widget token was given out: the event that documents were
// handed in may be lost.
const watch = 48 * time.Hour

// checkInterval is the time between two questions about an open review, and standing that between two about an
// approval: the event that withdraws it may be lost, too.
const (
	checkInterval = 30 * time.Minute
	standing      = 24 * time.Hour
)

// Provider is the outside party; *provider.Client is one. Every call may be repeated.
type Provider interface {
	Create(ctx context.Context, n provider.New) (provider.Review, error)
	Applicant(ctx context.Context, applicantID string) (provider.Review, error)
	UpdateInfo(ctx context.Context, kind provider.Kind, applicantID string, info map[string]any) error
	Token(ctx context.Context, externalUserID, levelName string, ttl time.Duration) (provider.Token, error)
}

// Levels are what the provider is asked to look at: names of levels in its settings.
type Levels struct{ Users, Companies, HNWI string }

// Applicant is a person or an organisation at the provider. Subject is the user or the organisation, and the
// provider's externalUserId.
type Applicant struct {
	ID          string
	Kind        provider.Kind // whose status follows: a user's memberships, or an organisation
	Subject     string
	ApplicantID string // the provider's; empty while it is being made
	Level       string
	Status      organisation.Status // what the review means here
	review      review
	eventAt     time.Time // the provider's time of the newest event that the review covers
	checkAt     time.Time // when the provider is asked without an event; zero: it is not
	watchUntil  time.Time
	Version     int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// review is the provider's words, as they were read last.
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

// open reports whether the provider is still looking.
func (r review) open() bool {
	return slices.Contains(
		[]string{provider.StatusPending, provider.StatusPrechecked, provider.StatusQueued, provider.StatusOnHold},
		r.status,
	)
}

// ended reports whether an answer stands, and not one that asks for other documents.
func (a Applicant) ended() bool {
	return a.Status == organisation.Approved ||
		a.Status == organisation.Rejected && a.review.rejectType != provider.Retry
}

// meaning is what a review means for the onboarding; ok is false where it says nothing that is understood. An answer
// on another level than ours is none: a level that was changed must not keep, or give, an approval.
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
		return a.underWay(r.ReviewAnswer, r.RejectType), true
	case provider.StatusOnHold:
		return organisation.Submitted, true
	case provider.StatusCompleted:
		return verdict(r.ReviewAnswer)
	}

	return "", false
}

// underWay is what documents that are looked at mean. An answer that has been given stands while the provider carries
// it on: it looks once more at what it has answered. It returns none anew before it has ended; one that it no longer
// carries was withdrawn.
func (a Applicant) underWay(answer, rejectType string) organisation.Status {
	green := answer == provider.Green && a.Status == organisation.Approved

	final := answer == provider.Red && rejectType != provider.Retry && a.Status == organisation.Rejected &&
		!a.RetryAllowed()
	if green || final {
		return a.Status
	}

	return organisation.Submitted
}

func verdict(answer string) (s organisation.Status, ok bool) {
	switch answer {
	case provider.Green:
		return organisation.Approved, true
	case provider.Red:
		return organisation.Rejected, true
	}

	return "", false
}

// expects is what an event leads us to expect of the review; ok is false when it says nothing about it.
func (a Applicant) expects(e provider.Event) (s organisation.Status, ok bool) {
	switch {
	case e.Type == provider.ApplicantReset:
		return organisation.Pending, true
	case e.LevelName != "" && e.LevelName != a.Level:
		return organisation.Pending, e.Type == provider.ApplicantLevelChanged
	}

	switch e.Type {
	case provider.ApplicantPending, provider.ApplicantPrechecked:
		return a.underWay(e.ReviewAnswer, e.RejectType), true
	case provider.ApplicantOnHold:
		return organisation.Submitted, true
	case provider.ApplicantReviewed:
		return verdict(e.ReviewAnswer)
	}

	return "", false
}

// about reports whether an event is about the state of an applicant at all: not about one of his actions, his calls, or
// his payments.
func about(e provider.Event) bool {
	return strings.HasPrefix(e.Type, "applicant") && !strings.HasPrefix(e.Type, "applicantAction")
}

// wordsOf takes what the provider says of an applicant.
func wordsOf(p provider.Review) review {
	r := review{p.ReviewStatus, p.ReviewAnswer, p.RejectType, nil, p.ModerationComment, p.UpdatedAt}
	for _, label := range p.RejectLabels {
		r.labels = append(r.labels, strings.ReplaceAll(label, ",", " ")) // they are stored with commas between
	}

	return r
}

// cover notes that the review was read after an event. One of the future counts as of now: else all that follow would
// be older.
func (a *Applicant) cover(event, now time.Time) {
	if event.After(now) {
		event = now
	}

	if event.After(a.eventAt) {
		a.eventAt = event
	}
}

// nextCheck is when the provider is asked by itself.
func (a Applicant) nextCheck(now time.Time) time.Time {
	switch {
	case a.ApplicantID == "":
	case a.Status == organisation.Submitted || a.review.open() || now.Before(a.watchUntil):
		return now.Add(checkInterval)
	case a.Status == organisation.Approved:
		return now.Add(standing)
	}

	return time.Time{}
}
