// Package review verifies people and organisations by hand. Applicants fill in a hosted form and hand in documents, and
// two of the platform's people decide on a case.
//
// To the rest of the program it is an identity provider like one outside: it has applicants, reviews and tokens, and
// package idv moves the onboarding by what its reviews say. So states, events and operations are the same.
//
// It promises:
//   - Nothing is decided by one person: the first proposes, another confirms the same.
//   - What is confirmed is what was looked at: when form, documents, checklist or screening have changed since, the
//     proposal counts no more.
//   - Nobody is approved before every point of the checklist is ticked and screening has found nothing, or people have
//     cleared what it found.
//   - The form, the words of a rejection and comments are sealed; documents are encrypted like all others. Every look at
//     a case is in the audit log.
//
// It does not judge documents. That is what the people are for.
//
// Read in this order: review.go (what a case is), provider.go (what package idv calls), form.go (what applicants call),
// decide.go (what the platform's people call), store.go, http.go.
package review

import (
	"maps"
	"slices"
	"time"

	"slipway/internal/core/state"
	provider "slipway/internal/rails/idv"
)

// Prefix begins identifiers of cases.
const Prefix = "rev"

// Status is the state of a case.
type Status string

// The statuses, and who acts next.
const (
	Open      Status = "OPEN"      // the applicant fills in the form
	Submitted Status = "SUBMITTED" // two of the platform's people decide
	Approved  Status = "APPROVED"
	Rejected  Status = "REJECTED" // the applicant, if another try is allowed
)

// States returns the table of moves.
func States() *state.Table[Status] { return states }

var states = state.New(
	"Review by hand",
	state.Move[Status]{To: Open, On: "somebody is to be verified"},
	state.Move[Status]{From: Open, To: Submitted, On: "the applicant sends the form"},
	state.Move[Status]{From: Submitted, To: Approved, On: "two people approve"},
	state.Move[Status]{From: Submitted, To: Rejected, On: "two people reject"},
	state.Move[Status]{
		From: Rejected,
		To:   Submitted,
		On:   "the applicant sends the form again, where a retry is allowed",
	},
)

// Verdict is what people say of a case.
type Verdict string

// The verdicts.
const (
	Approve     Verdict = "APPROVE"
	RejectRetry Verdict = "REJECT_RETRY" // the form may be sent again
	RejectFinal Verdict = "REJECT_FINAL"
)

// Screening is what screening of the applicant's name has found.
type Screening string

// The states of screening.
const (
	ScreeningPending Screening = "PENDING"
	ScreeningClear   Screening = "CLEAR"
	ScreeningFound   Screening = "FOUND" // a name is like a listed one, and people have not cleared it
)

// Tick is a point of the checklist that somebody has checked.
type Tick struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// Case is one verification by hand.
type Case struct {
	ID            string
	Kind          provider.Kind // which form
	Subject       string
	Level         string
	Status        Status
	Retry         bool
	Form          map[string]string // sealed, like what follows
	Registered    map[string]string // what is known from the registration; it is not asked
	Comment       string            // for the applicant, with a rejection
	ProposedWords string            // the comment that the first person has proposed
	Checklist     map[string]Tick
	Screening     Screening
	Basis         int64 // grows with everything that a decision rests on
	Proposal      Verdict
	ProposedBy    string
	ProposedBasis int64
	DecidedBy     string
	SubmittedAt   time.Time
	DecidedAt     time.Time
	Version       int64
	CreatedAt     time.Time
	UpdatedAt     time.Time
}

// Document is a file of a case.
type Document struct {
	Key, Case, Kind string
	CreatedAt       time.Time
}

// Comment is what one of the platform's people says about a case to the others.
type Comment struct {
	ID, Case, Author, Text string
	CreatedAt              time.Time
}

// Question is one field of the hosted form. Name is the provider's, so that what is known already fits.
type Question struct {
	Name, Label, Hint string
	Kind              string // text, date, country
	Max               int
	Optional          bool
}

// Proof is a document that the form asks for.
type Proof struct {
	Kind, Label, Hint string
	Optional          bool
}

// Questions returns the fields of a form.
func Questions(kind provider.Kind) []Question {
	if kind == provider.Organisation {
		return []Question{
			{Name: "companyName", Label: "Name of the company", Kind: "text", Max: 200},
			{Name: "registrationNumber", Label: "Registration number", Kind: "text", Max: 64},
			{Name: "country", Label: "Country of registration", Kind: "country"},
			{Name: "street", Label: "Street and number", Kind: "text", Max: 200},
			{Name: "postCode", Label: "Post code", Kind: "text", Max: 20},
			{Name: "city", Label: "City", Kind: "text", Max: 100},
			{
				Name:  "representatives",
				Label: "Who may sign for it",
				Hint:  "First and last names, with commas between them.",
				Kind:  "text",
				Max:   500,
			},
			{
				Name:  "owners",
				Label: "Who owns or controls it",
				Hint:  "Everybody with a quarter or more: first and last names, with commas between them.",
				Kind:  "text",
				Max:   500,
			},
		}
	}

	return []Question{
		{Name: "firstName", Label: "First name", Kind: "text", Max: 100},
		{Name: "lastName", Label: "Last name", Kind: "text", Max: 100},
		{Name: "dob", Label: "Date of birth", Hint: "Year, month, day: 1980-05-17.", Kind: "date", Max: 10},
		{Name: "country", Label: "Country of residence", Kind: "country"},
		{Name: "nationality", Label: "Nationality", Kind: "country"},
		{Name: "street", Label: "Street and number", Kind: "text", Max: 200},
		{Name: "postCode", Label: "Post code", Kind: "text", Max: 20},
		{Name: "city", Label: "City", Kind: "text", Max: 100},
	}
}

// Proofs returns the documents that a form asks for.
func Proofs(kind provider.Kind) []Proof {
	address := Proof{
		Kind:  "ADDRESS",
		Label: "Proof of the address",
		Hint:  "A bill or statement that is not older than three months.",
	}

	if kind == provider.Organisation {
		return []Proof{
			{Kind: "REGISTER", Label: "Extract of the register", Hint: "Not older than three months."},
			{Kind: "OWNERS", Label: "List of the owners"},
			{Kind: "SIGNATORY", Label: "Passport or identity card of who signs"},
			address,
		}
	}

	return []Proof{
		{Kind: "IDENTITY", Label: "Passport or identity card", Hint: "The side with the picture."},
		{Kind: "IDENTITY_BACK", Label: "Back of the identity card", Optional: true},
		{Kind: "PORTRAIT", Label: "A picture of you", Hint: "Your face, with the document beside it."},
		address,
	}
}

// Points returns the checklist: what must be ticked before a case is approved.
func Points(kind provider.Kind) []string {
	if kind == provider.Organisation {
		return []string{"REGISTER_CURRENT", "SIGNATORY_ENTITLED", "OWNERS_KNOWN", "ADDRESS_PROVEN"}
	}

	return []string{"DOCUMENT_GENUINE", "DOCUMENT_MATCHES_FORM", "PORTRAIT_MATCHES", "ADDRESS_PROVEN"}
}

// answers returns what is known of the applicant, by the names of the questions.
func (c Case) answers() map[string]string {
	out := maps.Clone(c.Form)
	maps.Copy(out, c.Registered)

	return out
}

// editable reports whether the applicant may change the form.
func (c Case) editable() bool { return c.Status == Open || c.Status == Rejected && c.Retry }

// names returns who is screened: the applicant, or the company with everybody who stands behind it.
func (c Case) names() []string {
	f := c.answers()
	if c.Kind == provider.User {
		return []string{f["firstName"] + " " + f["lastName"]}
	}

	out := append([]string{f["companyName"]}, split(f["representatives"])...)

	for _, name := range split(f["owners"]) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}

	return out
}

// review returns a case as package idv reads it.
func (c Case) review(sandbox bool) provider.Review {
	r := provider.Review{
		ApplicantID:    c.ID,
		ExternalUserID: c.Subject,
		LevelName:      c.Level,
		Kind:           c.Kind,
		ReviewStatus:   provider.StatusInit,
		UpdatedAt:      c.UpdatedAt,
		Sandbox:        sandbox,
	}

	switch c.Status {
	case Open:
	case Submitted:
		r.ReviewStatus = provider.StatusPending
	case Approved:
		r.ReviewStatus = provider.StatusCompleted
		r.ReviewAnswer = provider.Green
	case Rejected:
		r.ReviewStatus = provider.StatusCompleted
		r.ReviewAnswer = provider.Red
		r.ModerationComment = c.Comment
		r.RejectType = provider.Final

		if c.Retry {
			r.RejectType = provider.Retry
		}
	}

	return r
}
