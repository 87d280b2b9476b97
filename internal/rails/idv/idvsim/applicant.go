//go:build !nosandbox

package idvsim

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"slipway/internal/rails/idv"
)

// Limits of an applicant's documents.
const (
	maxDocument  = 10 << 20 // bytes
	maxDocuments = 20
	maxField     = 200
)

// applicant is an applicant in the books.
type applicant struct {
	ID             string         `json:"id"`
	InspectionID   string         `json:"inspectionId"`
	ExternalUserID string         `json:"externalUserId"`
	Kind           idv.Kind       `json:"kind"`
	Level          string         `json:"level"`
	Email          string         `json:"email,omitempty"`
	Phone          string         `json:"phone,omitempty"`
	Info           map[string]any `json:"info,omitempty"` // fixedInfo, or companyInfo for an organisation
	Documents      []document     `json:"documents,omitempty"`

	Status     string   `json:"status"`
	Answer     string   `json:"answer,omitempty"`
	RejectType string   `json:"rejectType,omitempty"`
	Labels     []string `json:"labels,omitempty"`
	Comment    string   `json:"comment,omitempty"`

	CreatedAt   time.Time  `json:"createdAt"`
	StartedAt   time.Time  `json:"startedAt"` // of the current or the last review
	ReviewedAt  *time.Time `json:"reviewedAt,omitempty"`
	LastEventAt time.Time  `json:"lastEventAt"`
	Attempts    int        `json:"attempts"` // number of reviews
}

// document is a submitted document. Its bytes are in the folder, under its id.
type document struct {
	ID       string    `json:"id"`
	Type     string    `json:"type"`
	Country  string    `json:"country,omitempty"`
	FileName string    `json:"fileName"`
	Size     int       `json:"size"`
	SHA256   string    `json:"sha256"`
	At       time.Time `json:"at"`
	Inactive bool      `json:"inactive,omitempty"` // from an earlier round, before a reset
}

// Applicant is the state of an applicant.
type Applicant struct {
	ID, InspectionID, ExternalUserID    string
	Kind                                idv.Kind
	Level, Name                         string
	Status, Answer, RejectType, Comment string
	Labels                              []string
	Documents                           []Document
	CreatedAt                           time.Time
	LastEventAt                         time.Time // of the newest webhook
}

// Document is a document of the current review.
type Document struct {
	Type, Country, FileName string
	Size                    int
}

func (a applicant) view() Applicant {
	v := Applicant{
		ID:             a.ID,
		InspectionID:   a.InspectionID,
		ExternalUserID: a.ExternalUserID,
		Kind:           a.Kind,
		Level:          a.Level,
		Name:           a.name(),
		Status:         a.Status,
		Answer:         a.Answer,
		RejectType:     a.RejectType,
		Comment:        a.Comment,
		Labels:         slices.Clone(a.Labels),
		CreatedAt:      a.CreatedAt,
		LastEventAt:    a.LastEventAt,
	}
	for _, d := range a.active() {
		v.Documents = append(v.Documents, Document{
			Type:     d.Type,
			Country:  d.Country,
			FileName: d.FileName,
			Size:     d.Size,
		})
	}

	return v
}

func (a applicant) active() []document {
	return slices.DeleteFunc(slices.Clone(a.Documents), func(d document) bool { return d.Inactive })
}

// company returns an organisation's data.
func (a applicant) company() map[string]any {
	c, _ := a.Info["companyInfo"].(map[string]any)
	return c
}

// name returns the applicant's name, as far as it is known.
func (a applicant) name() string {
	text := func(m map[string]any, key string) string {
		s, _ := m[key].(string)
		return s
	}
	if a.Kind == idv.Organisation {
		return text(a.company(), "companyName")
	}

	return strings.TrimSpace(text(a.Info, "firstName") + " " + text(a.Info, "lastName"))
}

// setInfo changes data: other fields stay. For an organisation they are those of companyInfo.
func (a *applicant) setInfo(fields map[string]any) {
	info := maps.Clone(a.Info)
	if info == nil {
		info = map[string]any{}
	}

	if a.Kind == idv.Organisation {
		company := maps.Clone(a.company())
		if company == nil {
			company = map[string]any{}
		}

		maps.Copy(company, fields)
		fields = map[string]any{"companyInfo": company}
	}

	maps.Copy(info, fields)
	a.Info = info
}

// refused is an action that the applicant's state does not allow. Code is the provider's number for it, or 0.
type refused struct {
	status, code int
	text         string
}

// Error returns the text.
func (r refused) Error() string { return r.text }

// Refusal returns the provider's text if it refused a request, and false for any other error.
func Refusal(err error) (string, bool) {
	var no refused
	if errors.As(err, &no) {
		return no.text, true
	}

	return "", false
}

func refuse(status, code int, format string, args ...any) error {
	return refused{status: status, code: code, text: fmt.Sprintf(format, args...)}
}

// The provider's error numbers (Sumsub, error codes).
const (
	codeDuplicate      = 1000
	codeTooMany        = 1001
	codeTooBig         = 1002
	codeEmpty          = 1003
	codeFormat         = 1005
	codeBeingChecked   = 1006
	codeFinalReject    = 1009
	codeAlreadyInState = 3000
)

// mayChange refuses data and documents during a review and after the final decision.
func (a applicant) mayChange() error {
	switch {
	case checking(a.Status):
		return refuse(409, codeBeingChecked, "The applicant is being checked. Nothing can be added now.")
	case a.Answer == idv.Green:
		return refuse(409, codeAlreadyInState, "The applicant is approved already.")
	case a.Answer == idv.Red && a.RejectType == idv.Final:
		return refuse(409, codeFinalReject, "The applicant is rejected for good. Nothing can be added.")
	}

	return nil
}

func checking(status string) bool {
	return status == idv.StatusPending || status == idv.StatusPrechecked || status == idv.StatusQueued
}

// documentTypes are the kinds of documents that the widget accepts, with labels for people.
func documentTypes(k idv.Kind) []choice {
	if k == idv.Organisation {
		return []choice{
			{"COMPANY_DOC", "Extract of the commercial register"},
			{"POWER_OF_ATTORNEY", "Power of attorney"},
		}
	}

	return []choice{
		{"PASSPORT", "Passport"},
		{"ID_CARD", "Identity card"},
		{"DRIVERS", "Driving licence"},
		{"RESIDENCE_PERMIT", "Residence permit"},
		{"SELFIE", "Photo of yourself"},
		{"UTILITY_BILL", "Proof of address"},
	}
}

// choice is one option with its label.
type choice struct{ Value, Label string }

func known(choices []choice, value string) bool {
	return slices.ContainsFunc(choices, func(c choice) bool { return c.Value == value })
}

// upload is a document being uploaded.
type upload struct {
	Type, Country, FileName string
	Content                 []byte
}

// addDocument adds a document: a PDF, PNG or JPEG of at most 10 MB, judged by its first bytes and not by its name.
func (s *Server) addDocument(ref string, u upload) (Applicant, error) {
	if err := u.check(); err != nil {
		return Applicant{}, err
	}

	h := sha256.Sum256(u.Content)
	sum := hex.EncodeToString(h[:])

	return s.change(ref, func(a *applicant) ([]webhook, error) {
		if err := a.mayChange(); err != nil {
			return nil, err
		}

		if !known(documentTypes(a.Kind), u.Type) {
			return nil, refuse(400, 0, "This kind of document is not asked for at level %s.", a.Level)
		}

		if len(a.Documents) >= maxDocuments {
			return nil, refuse(400, codeTooMany, "There are %d documents already.", len(a.Documents))
		}

		if slices.ContainsFunc(a.active(), func(d document) bool { return d.SHA256 == sum }) {
			return nil, refuse(409, codeDuplicate, "The same file was handed in before.")
		}

		d := document{
			ID:       newID(s.now()),
			Type:     u.Type,
			Country:  u.Country,
			FileName: filepath.Base(u.FileName),
			Size:     len(u.Content),
			SHA256:   sum,
			At:       s.now(),
		}
		a.Documents = append(a.Documents, d)

		return nil, s.store(d.ID, u.Content)
	})
}

func (u upload) check() error {
	switch {
	case len(u.Content) == 0:
		return refuse(400, codeEmpty, "The file is empty.")
	case len(u.Content) > maxDocument:
		return refuse(400, codeTooBig, "The file is larger than 10 MB.")
	case len(u.FileName) > maxField || len(u.Country) > 3:
		return refuse(400, 0, "A name is longer than allowed.")
	}

	for _, begin := range []string{"%PDF-", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff"} {
		if bytes.HasPrefix(u.Content, []byte(begin)) {
			return nil
		}
	}

	return refuse(400, codeFormat, "The file is neither a PDF nor a PNG nor a JPEG.")
}

// store writes a document's bytes into the folder, before the books refer to it.
func (s *Server) store(id string, content []byte) error {
	if s.config.Folder == "" {
		return nil
	}

	dir := filepath.Join(s.config.Folder, "documents")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}

	return os.WriteFile(filepath.Join(dir, id), content, 0o600)
}

// setInfo changes data, on behalf of the applicant on the widget or the service through the API.
func (s *Server) setInfo(ref string, fields map[string]any) (Applicant, error) {
	return s.change(ref, func(a *applicant) ([]webhook, error) {
		a.setInfo(fields)
		return nil, nil
	})
}

// submit submits the applicant for review. If its name selects the outcome, that happens at once.
func (s *Server) submit(ref string) (Applicant, error) {
	return s.change(ref, func(a *applicant) ([]webhook, error) {
		if err := a.mayChange(); err != nil {
			return nil, err
		}

		if err := a.complete(); err != nil {
			return nil, err
		}

		hooks := s.startReview(a)
		for _, t := range triggers() {
			if strings.Contains(strings.ToUpper(a.name()), t.word) {
				more, err := s.decide(a, t.verdict, hooks)
				return append(hooks, more...), err
			}
		}

		return hooks, nil
	})
}

// complete reports whether everything required is there.
func (a applicant) complete() error {
	if a.Kind == idv.Organisation && a.name() == "" {
		return refuse(400, 0, "The company's data is missing.")
	}

	identity := documentTypes(a.Kind)[:1]
	if a.Kind == idv.User {
		identity = documentTypes(a.Kind)[:4]
	}

	if !slices.ContainsFunc(a.active(), func(d document) bool { return known(identity, d.Type) }) {
		words := make([]string, len(identity))
		for i, c := range identity {
			words[i] = strings.ToLower(c.Label)
		}

		return refuse(400, 0, "A document is missing: %s.", strings.Join(words, ", "))
	}

	return nil
}

// startReview makes the review pending. The applicant keeps the earlier answer until it is reviewed again, as at the
// provider.
func (s *Server) startReview(a *applicant) []webhook {
	a.Status = idv.StatusPending
	a.Attempts++
	a.StartedAt = s.now()

	return s.webhooksFor(a, idv.ApplicantPending, nil)
}

// Outcome is the result of a review.
type Outcome string

// The outcomes that a tester can choose.
const (
	Approve Outcome = "approve" // GREEN
	Retry   Outcome = "retry"   // RED: the applicant may submit again
	Final   Outcome = "final"   // RED, permanently
	Hold    Outcome = "hold"    // a person at the provider has a question
	Reset   Outcome = "reset"   // start again without the documents; not during a review
	Recheck Outcome = "recheck" // the same documents are reviewed again
	Level   Outcome = "level"   // the applicant must now pass another level
)

// outcomes lists them with their labels.
func outcomes() []choice {
	return []choice{
		{string(Approve), "Approve (GREEN)"},
		{string(Retry), "Reject, may try again (RED, RETRY)"},
		{string(Final), "Reject for good (RED, FINAL)"},
		{string(Hold), "Put on hold"},
		{string(Recheck), "Review once more"},
		{string(Reset), "Reset, ask for documents anew"},
		{string(Level), "Move to another level"},
	}
}

// Verdict is an outcome with the provider's explanation.
type Verdict struct {
	Outcome Outcome
	Labels  []string // for a rejection; none: the default ones
	Comment string   // shown to the applicant
	Level   string   // for the outcome Level
}

// trigger is a word in an applicant's name that selects the outcome.
type trigger struct {
	word    string
	verdict Verdict
}

func triggers() []trigger {
	return []trigger{
		{"SANCTIONED", Verdict{Outcome: Final, Labels: []string{"SANCTIONS"}}},
		{"FINAL-REJECT", Verdict{Outcome: Final, Labels: []string{"FORGERY"}}},
		{"RETRY-REJECT", Verdict{
			Outcome: Retry,
			Labels:  []string{"BAD_PHOTO"},
			Comment: "The photo cannot be read. Take it again in better light.",
		}},
		{"RFI", Verdict{Outcome: Hold, Comment: "We need to know more about where your money comes from."}},
	}
}

// Decide applies a verdict at once, and sends its webhook.
func (s *Server) Decide(ref string, v Verdict) (Applicant, error) {
	return s.change(ref, func(a *applicant) ([]webhook, error) { return s.decide(a, v, nil) })
}

// decide changes the applicant and returns the webhook that reports it. before are webhooks of the same change.
func (s *Server) decide(a *applicant, v Verdict, before []webhook) ([]webhook, error) {
	if len(v.Comment) > maxField*5 || len(v.Level) > maxField {
		return nil, refuse(400, 0, "A text is longer than allowed.")
	}

	switch v.Outcome {
	case Approve:
		s.review(a, idv.Green, "", nil, v.Comment)
	case Retry:
		s.review(a, idv.Red, idv.Retry, orUsual(v.Labels, "BAD_PHOTO"), v.Comment)
	case Final:
		s.review(a, idv.Red, idv.Final, orUsual(v.Labels, "FORGERY"), v.Comment)

	case Hold:
		a.Status = idv.StatusOnHold
		a.Comment = v.Comment
		return s.webhooksFor(a, idv.ApplicantOnHold, before), nil

	case Recheck:
		return s.startReview(a), nil

	case Reset:
		if checking(a.Status) {
			return nil, refuse(409, codeBeingChecked, "The applicant is being checked and cannot be reset now.")
		}

		s.restart(a)

		return s.webhooksFor(a, idv.ApplicantReset, before), nil

	case Level:
		if kind, ok := s.config.Levels[v.Level]; !ok || kind != a.Kind {
			return nil, refuse(400, 0, "There is no level %q for such applicants.", v.Level)
		}

		s.restart(a)
		a.Level = v.Level

		return s.webhooksFor(a, idv.ApplicantLevelChanged, before), nil

	default:
		return nil, refuse(400, 0, "%q is no outcome.", string(v.Outcome))
	}

	return s.webhooksFor(a, idv.ApplicantReviewed, before), nil
}

func orUsual(labels []string, usual string) []string {
	if len(labels) == 0 {
		return []string{usual}
	}

	return labels
}

func (s *Server) review(a *applicant, answer, rejectType string, labels []string, comment string) {
	at := s.now()
	a.Status = idv.StatusCompleted
	a.Answer = answer
	a.RejectType = rejectType
	a.Labels = labels
	a.Comment = comment
	a.ReviewedAt = &at
}

// restart requests the documents again.
func (s *Server) restart(a *applicant) {
	for i := range a.Documents {
		a.Documents[i].Inactive = true
	}

	a.Status = idv.StatusInit
	a.Answer = ""
	a.RejectType = ""
	a.Labels = nil
	a.Comment = ""
	a.ReviewedAt = nil
	a.StartedAt = s.now()
}
