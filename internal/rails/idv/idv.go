// Package idv is the client of the identity verification provider: an HTTP API compatible with Sumsub's, with signed
// requests and signed webhooks.
//
// What it promises: only the provider's own answer counts. A network error, an answer that cannot be parsed or is too
// large is an error, and only ErrNotFound means that an applicant does not exist. An unknown result is no verdict.
//
// Read in this order: idv.go, sign.go (both signatures), client.go (requests), wire.go (encoding). idvsim is a
// simulated provider for sandboxes and tests.
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

// The results of a review, as the provider writes them.
const (
	StatusInit       = "init"
	StatusPending    = "pending"
	StatusPrechecked = "prechecked"
	StatusQueued     = "queued"
	StatusCompleted  = "completed"
	StatusOnHold     = "onHold"

	Green = "GREEN"
	Red   = "RED"

	Retry = "RETRY" // documents may be submitted again
	Final = "FINAL" // the rejection is permanent
)

// The types of events that are used here.
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
	// ErrNotFound means that the provider itself reports no such applicant.
	ErrNotFound = errors.New("the provider has no such applicant")
	// ErrUnknown means no answer, a broken answer or a fault of the provider: nothing is known. Ask again.
	ErrUnknown = errors.New("the identity provider's state is unknown")
	// ErrRefused means that the provider itself refused the request: repeating it does not help.
	ErrRefused = errors.New("the identity provider refused the request")
)

// Review is the provider's state of an applicant. ReviewAnswer is GREEN, RED or empty. RejectType is RETRY, FINAL or
// empty, and is only meaningful with RED.
type Review struct {
	ApplicantID, InspectionID, ExternalUserID, LevelName string
	Kind                                                 Kind
	ReviewStatus, ReviewAnswer, RejectType               string
	RejectLabels                                         []string
	ModerationComment                                    string
	// of the review; zero if the provider gives none
	UpdatedAt time.Time
	Sandbox   bool // whether it is in the provider's sandbox
}

// New is an applicant to create. Info is what we already know and the applicant need not enter again: the provider's
// fields of fixedInfo for a person (firstName, lastName, dob, country as alpha-3), of companyInfo for an organisation
// (companyName, registrationNumber, country).
type New struct {
	Kind                                    Kind
	ExternalUserID, LevelName, Email, Phone string
	Info                                    map[string]any
}

// Token gives the widget access to one applicant until it expires. URL is where the token opens a form, if it is not
// for a widget in the caller's own page.
type Token struct {
	Value     string
	URL       string
	ExpiresAt time.Time
}

// Event is a webhook of the provider.
type Event struct {
	Type                                     string
	ApplicantID, InspectionID, CorrelationID string
	ExternalUserID, LevelName                string
	Kind                                     Kind // a person if the event does not state it
	// it concerns an applicant within another one, such as the owner of a company: it is ignored
	MemberOf                               bool
	Sandbox                                bool
	ReviewStatus, ReviewAnswer, RejectType string
	RejectLabels                           []string
	ModerationComment                      string
	CreatedAt                              time.Time // milliseconds, UTC
}
