package review

import (
	"context"
	"mime"
	"net/http"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// ListedView is a case in the list, without what the applicant has written.
type ListedView struct {
	ID             string     `json:"_id"`
	Type           string     `json:"type" enum:"user,organisation" doc:"which form: a person's, or a company's"`
	Subject        string     `json:"subject" doc:"the user or the organisation"`
	LevelName      string     `json:"levelName"`
	Status         Status     `json:"status" enum:"OPEN,SUBMITTED,APPROVED,REJECTED" doc:"SUBMITTED: two people decide"`
	Screening      Screening  `json:"screening" doc:"PENDING, CLEAR, FOUND; empty before the form was sent"`
	Proposal       Verdict    `json:"proposal" doc:"what the first person has proposed: APPROVE, REJECT_RETRY, REJECT_FINAL; empty: nothing that still counts"`
	ProposedBy     string     `json:"proposedBy"`
	Proposer       string     `json:"proposedByName,omitempty" example:"Olga Keller" doc:"what that person is called"`
	SubmittedAt    *time.Time `json:"submittedAt"`
	DecidedAt      *time.Time `json:"decidedAt"`
	UpdatedAt      time.Time  `json:"updatedAt"`
	AllowedActions []string   `json:"allowedActions" nullable:"false" example:"[\"checklist\",\"comments\",\"approve\",\"reject-retry\",\"reject-final\"]"`
}

// pointView is a point of the checklist.
type pointView struct {
	Point string     `json:"point"`
	Done  bool       `json:"done"`
	By    string     `json:"by"`
	Name  string     `json:"byName,omitempty" example:"Olga Keller" doc:"what that person is called"`
	At    *time.Time `json:"at"`
}

type documentView struct {
	Key       string    `json:"documentStorageKey"`
	Kind      string    `json:"kind" doc:"what it is to prove"`
	CreatedAt time.Time `json:"createdAt"`
}

type commentView struct {
	Author    string    `json:"author"`
	Name      string    `json:"authorName,omitempty" example:"Olga Keller" doc:"what the author is called"`
	Comment   string    `json:"comment"`
	CreatedAt time.Time `json:"createdAt"`
}

// caseView is a case with everything.
type caseView struct {
	ListedView

	Form      map[string]string `json:"form" doc:"what the applicant has written, by the name of the question"`
	Retry     bool              `json:"retryAllowed"`
	Comment   string            `json:"comment" doc:"what the applicant reads of a rejection"`
	Proposed  string            `json:"proposedComment" doc:"what he will read if the proposal is confirmed"`
	DecidedBy string            `json:"decidedBy"`
	Decider   string            `json:"decidedByName,omitempty" example:"Otto Weber" doc:"what that person is called"`
	Checklist []pointView       `json:"checklist" nullable:"false"`
	Documents []documentView    `json:"documents" nullable:"false"`
	Comments  []commentView     `json:"comments" nullable:"false" doc:"of the platform's people, newest first"`
	Basis     int64             `json:"basis" doc:"number of what a decision rests on; send it with the decision"`
}

// listed returns the function that shows cases to the caller.
func listed(ctx context.Context, now time.Time) func(q db.Querier, all []Case) ([]ListedView, error) {
	return func(q db.Querier, all []Case) ([]ListedView, error) {
		notSecond, err := user.CallerAsSecond(ctx, q, user.Staff, now)
		if err != nil {
			return nil, err
		}

		out := make([]ListedView, len(all))

		var people []string

		for i, c := range all {
			out[i] = listedViewOf(ctx, c, notSecond)
			people = append(people, out[i].ProposedBy)
		}

		names, err := user.NamesOf(ctx, q, people...)
		if err != nil {
			return nil, err
		}

		for i, v := range out {
			out[i].Proposer = names(v.ProposedBy)
		}

		return out, nil
	}
}

func listedViewOf(ctx context.Context, c Case, notSecond error) ListedView {
	v := ListedView{
		AllowedActions: c.allowedActions(ctx, notSecond),
		ID:             c.ID,
		Type:           string(c.Kind),
		Subject:        c.Subject,
		LevelName:      c.Level,
		Status:         c.Status,
		Screening:      c.Screening,
		SubmittedAt:    shown(c.SubmittedAt),
		DecidedAt:      shown(c.DecidedAt),
		UpdatedAt:      c.UpdatedAt.Truncate(time.Millisecond),
	}

	if c.ProposedBasis == c.Basis {
		v.Proposal = c.Proposal
		v.ProposedBy = c.ProposedBy
	}

	return v
}

// shown returns a time as it is shown, or nil for none.
func shown(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}

	t = t.Truncate(time.Millisecond)

	return &t
}

func caseViewOf(
	ctx context.Context, c Case, notSecond error, documents []Document, comments []Comment,
) caseView {
	v := caseView{
		ListedView: listedViewOf(ctx, c, notSecond),
		Form:       c.answers(),
		Retry:      c.Status == Rejected && c.Retry,
		Comment:    c.Comment,
		Proposed:   c.ProposedWords,
		DecidedBy:  c.DecidedBy,
		Checklist:  []pointView{},
		Documents:  []documentView{},
		Comments:   []commentView{},
		Basis:      c.Basis,
	}

	for _, point := range Points(c.Kind) {
		t, ticked := c.Checklist[point]
		v.Checklist = append(v.Checklist, pointView{Point: point, Done: ticked, By: t.By, At: shown(t.At)})
	}

	for _, d := range documents {
		v.Documents = append(v.Documents, documentView{d.Key, d.Kind, d.CreatedAt.Truncate(time.Millisecond)})
	}

	for _, m := range comments {
		v.Comments = append(v.Comments, commentView{
			Author:    m.Author,
			Comment:   m.Text,
			CreatedAt: m.CreatedAt.Truncate(time.Millisecond),
		})
	}

	return v
}

// named adds to a case what the people are called who have had a part in it.
func (v *caseView) named(ctx context.Context, q db.Querier) error {
	people := []string{v.ProposedBy, v.DecidedBy}
	for _, p := range v.Checklist {
		people = append(people, p.By)
	}

	for _, m := range v.Comments {
		people = append(people, m.Author)
	}

	names, err := user.NamesOf(ctx, q, people...)
	if err != nil {
		return err
	}

	v.Proposer = names(v.ProposedBy)
	v.Decider = names(v.DecidedBy)

	for i, p := range v.Checklist {
		v.Checklist[i].Name = names(p.By)
	}

	for i, m := range v.Comments {
		v.Comments[i].Name = names(m.Author)
	}

	return nil
}

type byCase struct {
	ID string `path:"id" maxLength:"64"`
}

type byDocument struct {
	ID  string `path:"id" maxLength:"64"`
	Key string `path:"key" maxLength:"64"`
}

type casesIn struct {
	web.Paging
	Status []string `query:"status[]" maxItems:"4" enum:"OPEN,SUBMITTED,APPROVED,REJECTED" doc:"in one of these states"`
}

type checkIn struct {
	ID    string `path:"id" maxLength:"64"`
	Point string `path:"point" maxLength:"64"`
	Body  struct {
		Done bool `json:"done" doc:"whether it is checked and right"`
	}
}

type noteIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Comment string `json:"comment" minLength:"1" maxLength:"2000" doc:"for the platform's people alone" verbatim:"true"`
	}
}

type decideIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Decision Verdict `json:"decision" enum:"APPROVE,REJECT_RETRY,REJECT_FINAL" doc:"REJECT_RETRY: the form may be sent again"`
		Comment  string  `json:"comment,omitempty" maxLength:"1000" doc:"for the applicant; needed with a rejection. The first person's counts" verbatim:"true"`
		Basis    int64   `json:"basis" minimum:"1" doc:"of the case, as it was looked at"`
	}
}

// Routes registers the operations of the platform's people.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        path,
			ID:          id,
			Tag:         "operations",
			Access:      web.Staff,
			StepUp:      method != "GET",
			Summary:     summary,
			Description: description,
			Codes:       codes,
		}
	}

	web.Register(api, op("GET", "/operations/reviews", "listReviews", "List the verifications by hand",
		"The newest come first."), s.handleList)
	web.Register(api, op("GET", "/operations/reviews/{id}", "getReview", "Show a verification by hand",
		"With the form, documents, checklist and comments. The look is in the audit log."), s.handleGet)
	web.Register(api, op("GET", "/operations/reviews/{id}/documents/{key}", "downloadReviewDocument",
		"Download a document of a verification by hand", "The look is in the audit log."), s.handleDocument)
	web.Register(api, op("PUT", "/operations/reviews/{id}/checklist/{point}", "checkReview",
		"Tick a point of a verification's checklist", "Whoever looks at a proposal made before looks again.",
		fault.ReviewNotOpen), s.handleCheck)
	web.Register(api, op("POST", "/operations/reviews/{id}/comments", "commentReview",
		"Comment on a verification by hand", "", fault.ReviewNotOpen), s.handleNote)
	web.Register(api, op(
		"POST",
		"/operations/reviews/{id}/decision",
		"decideReview",
		"Decide a verification by hand; two people have to say the same",
		"The first call proposes. The same decision by another person, about the same basis, confirms it.",
		fault.ReviewNotOpen,
		fault.ReviewChanged,
		fault.ReviewIncomplete,
		fault.SecondPersonRequired,
		fault.OperatorTooNew,
	), s.handleDecide)
}

func (s *Service) handleList(ctx context.Context, in *casesIn) (*web.List[ListedView], error) {
	var w db.Where
	if len(in.Status) > 0 {
		db.In(&w, "status", in.Status)
	}

	return web.ListOf(
		ctx,
		s.DB,
		in.Paging,
		func(q db.Querier, page caller.Window) ([]caseRow, int64, error) {
			return caseTable.Page(ctx, q, db.Page{Where: w, Window: page})
		},
		func(r caseRow) string { return r.ID },
		func(q db.Querier, rows []caseRow) ([]ListedView, error) {
			return listed(ctx, s.DB.Now())(q, casesOf(rows))
		},
	)
}

func (s *Service) handleGet(ctx context.Context, in *byCase) (*caseView, error) {
	c, documents, comments, err := s.Looked(ctx, in.ID)
	if err != nil {
		return nil, err
	}

	notSecond, err := user.CallerAsSecond(ctx, s.DB, user.Staff, s.DB.Now())
	if err != nil {
		return nil, err
	}

	v := caseViewOf(ctx, c, notSecond, documents, comments)

	return &v, v.named(ctx, s.DB)
}

// casesOf returns the cases of rows as a list shows them, without the forms.
func casesOf(rows []caseRow) []Case {
	out := make([]Case, len(rows))
	for i, r := range rows {
		out[i] = r.Case
	}

	return out
}

func (s *Service) handleDocument(ctx context.Context, in *byDocument) (*web.Stream, error) {
	f, err := s.Download(ctx, in.ID, in.Key)
	if err != nil {
		return nil, err
	}

	return &web.Stream{ContentType: f.ContentType, Size: f.Size, Body: f.Body, Header: http.Header{
		"Content-Disposition":          {mime.FormatMediaType("attachment", map[string]string{"filename": f.Name})},
		"Content-Security-Policy":      {"default-src 'none'; sandbox"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
		"Cache-Control":                {"no-store"},
	}}, nil
}

func (s *Service) handleCheck(ctx context.Context, in *checkIn) (*ListedView, error) {
	return web.OnceOf(ctx, 200, listed(ctx, s.DB.Now()), func(done func(*db.Tx, Case) error) error {
		return s.Check(ctx, in.ID, in.Point, in.Body.Done, done)
	})
}

func (s *Service) handleNote(ctx context.Context, in *noteIn) (*ListedView, error) {
	return web.OnceOf(ctx, 200, listed(ctx, s.DB.Now()), func(done func(*db.Tx, Case) error) error {
		return s.Note(ctx, in.ID, in.Body.Comment, done)
	})
}

func (s *Service) handleDecide(ctx context.Context, in *decideIn) (*ListedView, error) {
	return web.OnceOf(ctx, 200, listed(ctx, s.DB.Now()), func(done func(*db.Tx, Case) error) error {
		return s.Decide(ctx, in.ID, in.Body.Decision, in.Body.Comment, in.Body.Basis, done)
	})
}

// Of returns the cases of some organisations and people as the platform's people see them, by subject.
func Of(
	ctx context.Context, q db.Querier, subjects []string, now time.Time,
) (map[string]ListedView, error) {
	out := map[string]ListedView{}
	if len(subjects) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "subject", subjects)

	rows, err := caseTable.Select(ctx, q, w.SQL(), w.Args...)
	if err != nil {
		return nil, err
	}

	views, err := listed(ctx, now)(q, casesOf(rows))
	for _, v := range views {
		out[v.Subject] = v
	}

	return out, err
}
