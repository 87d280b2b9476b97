// Package idv speaks to the identity verification provider: an HTTP API compatible with Sumsub's, whose requests are
// signed, and its webhooks, which are signed too.
//
// Promised: what the provider did not say is never taken for an answer. A fault of the network, an answer that cannot
// be read, one that is too large: all are errors, and only ErrNotFound says that there is no such applicant. A word
// that nobody knows is no verdict.
//
// Read in this order: idv.go, sign.go (both signatures), client.go (requests), wire.go (what is said on the wire).
// idvsim is a provider with books of its own, for sandboxes and tests.
package idv

import (
	"errors"
	"time"
)

// Kind is what is verified.
type Kind string

// The kinds of applicant.
const (
	User         Kind = "user"         // a person: "individual" at the provider
	Organisation Kind = "organisation" // a legal person: "company" at the provider
)

// The words of a review, as the provider writes them.
const (
	StatusInit       = "init"
	StatusPending    = "pending"
	StatusPrechecked = "prechecked"
	StatusQueued     = "queued"
	StatusCompleted  = "completed"
	StatusOnHold     = "onHold"

	Green = "GREEN"
	Red   = "RED"

	Retry = "RETRY" // documents may be handed in again
	Final = "FINAL" // they may not
)

// The types of events that matter here.
const (
	ApplicantCreated      = "applicantCreated"
	ApplicantPending      = "applicantPending"
	ApplicantPrechecked   = "applicantPrechecked"
	ApplicantReviewed     = "applicantReviewed"
	ApplicantOnHold       = "applicantOnHold"
	ApplicantReset        = "applicantReset"
	ApplicantLevelChanged = "applicantLevelChanged"
)

// Errors that callers compare with errors.Is.
var (
	// ErrNotFound is the provider's own word that it has no such applicant.
	ErrNotFound = errors.New("the provider has no such applicant")
	// ErrUnknown is silence, a broken answer or a provider's fault: nothing is known. Ask again.
	ErrUnknown = errors.New("it is not known what the identity provider holds")
	// ErrRefused is the provider's own word that it does not do what it was asked: asking the same again does not help.
	ErrRefused = errors.New("the identity provider did not take the request")
)

// Review is what the provider says of an applicant. ReviewAnswer is GREEN, RED or empty; RejectType is RETRY, FINAL
// or empty, and only means something beside RED.
type Review struct {
	ApplicantID, InspectionID, ExternalUserID, LevelName string
	Kind                                                 Kind
	ReviewStatus, ReviewAnswer, RejectType               string
	RejectLabels                                         []string
	ModerationComment                                    string
	// of the review; zero where the provider does not say
	UpdatedAt time.Time
	Sandbox   bool // whether it is of the provider's sandbox
}

// New is an applicant to be made. Info is what we know already and the applicant need not give again: the provider's
// fields of fixedInfo for a person (firstName, lastName, dob, country as alpha-3), of its companyInfo for an
// organisation (companyName, registrationNumber, country).
type New struct {
	Kind                                    Kind
	ExternalUserID, LevelName, Email, Phone string
	Info                                    map[string]any
}

// Token lets the widget act for one applicant until it expires.
type Token struct {
	Value     string
	ExpiresAt time.Time
}

// Event is a webhook of the provider.
type Event struct {
	Type                                     string
	ApplicantID, InspectionID, CorrelationID string
	ExternalUserID, LevelName                string
	Kind                                     Kind // a person where the event does not say
	// of another applicant, such as the owner of a company: not ours to act on
	MemberOf                               bool
	Sandbox                                bool
	ReviewStatus, ReviewAnswer, RejectType string
	RejectLabels                           []string
	ModerationComment                      string
	CreatedAt                              time.Time // milliseconds, UTC
}
