package idv

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Paths of the provider's API.
const (
	PathApplicants = "/resources/applicants"
	PathTokens     = "/resources/accessTokens/sdk"
)

// Limits of a webhook.
const (
	MaxEvent  = 64 << 10 // bytes; documents are not sent this way
	maxText   = 4_000    // of a comment
	maxName   = 200      // of an id, a level, a type
	maxLabels = 100
)

// wire returns the provider's name of a kind; empty for an unknown one.
func (k Kind) wire() string {
	switch k {
	case User:
		return "individual"
	case Organisation:
		return "company"
	}

	return ""
}

// kindOf parses the provider's name of a kind. An empty one means a person: older answers have no type.
func kindOf(word string) (Kind, error) {
	switch word {
	case "individual", "":
		return User, nil
	case "company":
		return Organisation, nil
	}

	return "", fmt.Errorf("%.40q is not a type of applicant", word)
}

// wireNew is the body of POST /resources/applicants.
type wireNew struct {
	ExternalUserID string         `json:"externalUserId"`
	Type           string         `json:"type"`
	Email          string         `json:"email,omitempty"`
	Phone          string         `json:"phone,omitempty"`
	FixedInfo      map[string]any `json:"fixedInfo,omitempty"`
}

type wireTokenAsk struct {
	UserID     string `json:"userId"`
	LevelName  string `json:"levelName"`
	TTLSeconds int64  `json:"ttlInSecs"`
}

type wireToken struct {
	Token  string `json:"token"`
	UserID string `json:"userId"`
}

// wireApplicant is the part of an applicant that is used.
type wireApplicant struct {
	ID             string      `json:"id"`
	InspectionID   string      `json:"inspectionId"`
	ExternalUserID string      `json:"externalUserId"`
	Type           string      `json:"type"`
	CreatedAt      string      `json:"createdAt"`
	SandboxMode    *looseBool  `json:"sandboxMode"`
	Review         *wireReview `json:"review"`
}

type wireReview struct {
	LevelName    string      `json:"levelName"`
	CreateDate   string      `json:"createDate"`
	ReviewDate   string      `json:"reviewDate"`
	ReviewStatus string      `json:"reviewStatus"`
	ReviewResult *wireResult `json:"reviewResult"`
}

type wireResult struct {
	ReviewAnswer      string   `json:"reviewAnswer"`
	ReviewRejectType  string   `json:"reviewRejectType"`
	RejectLabels      []string `json:"rejectLabels"`
	ModerationComment string   `json:"moderationComment"`
}

// outcome returns a result with its meaningful fields only. GREEN may still have the labels and the type of an earlier
// rejection. Anything but GREEN or RED is no answer.
func (w *wireResult) outcome() (answer, rejectType string, labels []string, comment string) {
	if w == nil {
		return "", "", nil, ""
	}

	comment = clip(w.ModerationComment, maxText)
	switch w.ReviewAnswer {
	case Green:
		return Green, "", nil, comment

	case Red:
		if w.ReviewRejectType == Retry || w.ReviewRejectType == Final {
			rejectType = w.ReviewRejectType
		}

		for _, l := range w.RejectLabels[:min(len(w.RejectLabels), maxLabels)] {
			labels = append(labels, clip(l, maxName))
		}

		return Red, rejectType, labels, comment
	}

	return "", "", nil, comment
}

// clip returns a text that can be stored and shown: limited in bytes, cut between characters, without invalid
// characters.
func clip(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1 // no database stores a NUL in a text
		}

		return r
	}, s)
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "")
	}

	return s
}

// named reports whether texts can be names: short and without invalid characters.
func named(texts ...string) bool {
	for _, s := range texts {
		if clip(s, maxName) != s || strings.ContainsAny(s, "\n\t") {
			return false
		}
	}

	return true
}

// read decodes the provider's JSON. Names are compared exactly, and a repeated one is refused: two readers would
// disagree. Invalid characters become U+FFFD: an applicant's half-typed name must not make it unreadable.
func read(raw []byte, into any) error {
	return json.Unmarshal(raw, into, jsontext.AllowInvalidUTF8(true))
}

// review converts a complete applicant. An applicant without a review has not been asked for documents yet.
func (w wireApplicant) review() (Review, error) {
	if w.ID == "" || w.ExternalUserID == "" || !named(w.ID, w.InspectionID, w.ExternalUserID) {
		return Review{}, errors.New("the answer names no applicant")
	}

	kind, err := kindOf(w.Type)
	if err != nil {
		return Review{}, err
	}

	r := Review{
		ApplicantID:    w.ID,
		InspectionID:   w.InspectionID,
		ExternalUserID: w.ExternalUserID,
		Kind:           kind,
		ReviewStatus:   StatusInit,
		Sandbox:        w.SandboxMode != nil && bool(*w.SandboxMode),
	}

	times := []string{w.CreatedAt}
	if v := w.Review; v != nil {
		r.LevelName = v.LevelName
		r.ReviewStatus = v.ReviewStatus
		r.ReviewAnswer, r.RejectType, r.RejectLabels, r.ModerationComment = v.ReviewResult.outcome()
		times = append(times, v.CreateDate, v.ReviewDate)
	}

	if r.ReviewStatus == "" || !named(r.ReviewStatus, r.LevelName) {
		return Review{}, errors.New("the answer lacks the review's status")
	}

	for _, s := range times {
		at, err := parseTime(s)
		if s != "" && err != nil {
			return Review{}, err
		}

		if at.After(r.UpdatedAt) {
			r.UpdatedAt = at
		}
	}

	return r, nil
}

// timeForms are the provider's formats of a time; without an offset it is UTC.
var timeForms = []string{
	"2006-01-02 15:04:05.000",
	"2006-01-02 15:04:05",
	"2006-01-02 15:04:05-0700",
	"2006-01-02 15:04:05.000-0700",
	time.RFC3339Nano,
}

func parseTime(s string) (time.Time, error) {
	for _, form := range timeForms {
		if at, err := time.Parse(form, s); err == nil {
			return at.UTC(), nil
		}
	}

	return time.Time{}, fmt.Errorf("%.40q is not a time", s)
}

// looseBool is a truth value that the provider writes as a boolean or a text: sandboxMode has been seen as "false".
type looseBool bool

// UnmarshalJSON accepts both forms.
func (b *looseBool) UnmarshalJSON(raw []byte) error {
	switch string(bytes.Trim(raw, `"`)) {
	case "true":
		*b = true
	case "false", "null":
		*b = false
	default:
		return errors.New("sandboxMode is neither true nor false")
	}

	return nil
}

// wireEvent is the part of a webhook that is used. Other fields are ignored.
type wireEvent struct {
	Type              string         `json:"type"`
	ApplicantID       string         `json:"applicantId"`
	InspectionID      string         `json:"inspectionId"`
	CorrelationID     string         `json:"correlationId"`
	ExternalUserID    string         `json:"externalUserId"`
	LevelName         string         `json:"levelName"`
	ApplicantType     string         `json:"applicantType"`
	ApplicantMemberOf jsontext.Value `json:"applicantMemberOf"`
	SandboxMode       looseBool      `json:"sandboxMode"`
	ReviewStatus      string         `json:"reviewStatus"`
	ReviewResult      *wireResult    `json:"reviewResult"`
	CreatedAt         string         `json:"createdAtMs"` // yyyy-MM-dd HH:mm:ss.SSS in UTC, despite its name
}

// ParseEvent parses a webhook's body, which Verify must have accepted. It ignores unknown fields and accepts unknown
// types: the provider adds some without notice. It refuses a body that is too long, is not a JSON object, repeats a
// name, or lacks type, applicant or time.
func ParseEvent(raw []byte) (Event, error) {
	if len(raw) > MaxEvent {
		return Event{}, errors.New("the event is longer than allowed")
	}

	var w wireEvent
	if err := read(raw, &w); err != nil {
		return Event{}, errors.New("the event is not JSON of the form that is known")
	}

	if !named(w.Type, w.ApplicantID, w.InspectionID, w.CorrelationID, w.ExternalUserID, w.LevelName, w.ReviewStatus) {
		return Event{}, errors.New("a name in the event is longer than allowed, or has characters that no name has")
	}

	if w.Type == "" || w.ApplicantID == "" {
		return Event{}, errors.New("the event has no type or no applicant")
	}

	at, err := parseTime(w.CreatedAt)
	if err != nil {
		return Event{}, fmt.Errorf("createdAtMs: %w", err)
	}

	kind, err := kindOf(w.ApplicantType)
	if err != nil {
		return Event{}, err
	}

	e := Event{
		Type:           w.Type,
		ApplicantID:    w.ApplicantID,
		InspectionID:   w.InspectionID,
		CorrelationID:  w.CorrelationID,
		ExternalUserID: w.ExternalUserID,
		LevelName:      w.LevelName,
		Kind:           kind,
		Sandbox:        bool(w.SandboxMode),
		ReviewStatus:   w.ReviewStatus,
		CreatedAt:      at,
	}
	e.MemberOf = memberOf(w.ApplicantMemberOf)
	e.ReviewAnswer, e.RejectType, e.RejectLabels, e.ModerationComment = w.ReviewResult.outcome()

	return e, nil
}

// memberOf reports whether the field has a value. It is null, or an empty list, for a separate applicant.
func memberOf(raw jsontext.Value) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", "[]", "{}", `""`, "false":
		return false
	}

	return true
}
