package analysis

import (
	"context"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/comment"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/rails/screening"
)

// HitView is a listed name that a name is like.
type HitView struct {
	List      string   `json:"list" doc:"file it stands in"`
	Entry     string   `json:"entry" doc:"the publisher's number of the entry"`
	Name      string   `json:"name" doc:"as it is listed"`
	Weak      bool     `json:"weak" doc:"a broad alias, which is not expected to match by itself"`
	Programs  []string `json:"programs" nullable:"false"`
	Countries []string `json:"countries" nullable:"false"`
	Births    []string `json:"births" nullable:"false" example:"1962-03-04" doc:"dates of birth, or what is known of them"`
	Places    []string `json:"places" nullable:"false" example:"Testburg" doc:"places of birth"`
	Numbers   []string `json:"numbers" nullable:"false" example:"National passport X0000000" doc:"of passports, registers and the like"`
	Score     int      `json:"score" doc:"of 100: the same name"`
	Why       string   `json:"why" doc:"what of the two names is the same"`
}

func hitView(h screening.Hit) HitView {
	return HitView{
		List:      h.List,
		Entry:     h.Entry,
		Name:      h.Name,
		Weak:      h.Weak,
		Programs:  append([]string{}, h.Programs...),
		Countries: append([]string{}, h.Countries...),
		Births:    append([]string{}, h.Births...),
		Places:    append([]string{}, h.Places...),
		Numbers:   append([]string{}, h.Numbers...),
		Score:     h.Score,
		Why:       h.Why,
	}
}

// RecordView is a question to screening with its answer.
type RecordView struct {
	ID           string           `json:"_id"`
	Organisation string           `json:"organisation"`
	Kind         Kind             `json:"kind" enum:"ADDRESS,NAME"`
	Subject      string           `json:"subject" doc:"the address or name that was asked about"`
	Network      string           `json:"network,omitempty"`
	Object       string           `json:"object" doc:"identifier of the record for which it was asked"`
	Purpose      Purpose          `json:"purpose" enum:"WALLET,SUBMIT,ACCEPT,SEND"`
	Status       screening.Status `json:"status" enum:"APPROVED,REVIEW,REJECTED,ERROR"`
	Message      string           `json:"message,omitempty"`
	Reference    string           `json:"reference" doc:"what the answer rests on: editions of lists, oracles"`
	Hits         []HitView        `json:"hits" nullable:"false"`
	AskedAt      time.Time        `json:"askedAt"`
	CreatedAt    time.Time        `json:"createdAt"`
}

func recordView(r Record) RecordView {
	v := RecordView{
		ID:           r.ID,
		Organisation: r.Organisation,
		Kind:         r.Kind,
		Subject:      r.Subject,
		Network:      r.Network,
		Object:       r.Object,
		Purpose:      r.Purpose,
		Status:       r.Status,
		Message:      r.Message,
		Reference:    r.Reference,
		Hits:         []HitView{},
		AskedAt:      r.AskedAt.Truncate(time.Millisecond),
		CreatedAt:    r.At.Truncate(time.Millisecond),
	}
	for _, h := range r.Hits {
		v.Hits = append(v.Hits, hitView(h))
	}

	return v
}

// CaseView is a name that is like a listed one, and what people say of it.
type CaseView struct {
	ID             string         `json:"_id"`
	Organisation   string         `json:"organisation"`
	Name           string         `json:"name" doc:"as it was asked about first"`
	Listed         HitView        `json:"listed" doc:"the listed name, as it was found first"`
	Object         string         `json:"object" doc:"identifier of the record for which it was found first"`
	Status         CaseStatus     `json:"status" enum:"OPEN,PROPOSED,CLEARED,CONFIRMED"`
	Proposal       CaseStatus     `json:"proposal,omitempty" enum:"CLEARED,CONFIRMED"`
	ProposedBy     string         `json:"proposedBy,omitempty"`
	Proposer       string         `json:"proposedByName,omitempty" example:"Olga Keller" doc:"what that person is called"`
	DecidedBy      string         `json:"decidedBy,omitempty"`
	Decider        string         `json:"decidedByName,omitempty" example:"Otto Weber" doc:"what that person is called"`
	Reason         string         `json:"reason,omitempty"`
	Comments       []comment.View `json:"comments" nullable:"false" doc:"what the platform's people have written about it, the newest last"`
	AllowedActions []string       `json:"allowedActions" nullable:"false" example:"[\"clear\",\"confirm\"]"`
	Version        int64          `json:"version"`
	CreatedAt      time.Time      `json:"createdAt"`
	UpdatedAt      time.Time      `json:"updatedAt"`
}

// caseViews returns the interface's form of cases, with what people have written about them.
func (s *Service) caseViews(ctx context.Context, q db.Querier, cases []Case) ([]CaseView, error) {
	ids := make([]string, len(cases))
	for i, c := range cases {
		ids[i] = c.ID
	}

	comments, err := comment.OfCases(ctx, q, ids...)
	if err != nil {
		return nil, err
	}

	var people []string
	for _, c := range cases {
		people = append(people, c.Said.ProposedBy, c.Said.DecidedBy)
	}

	names, err := user.NamesOf(ctx, q, people...)
	if err != nil {
		return nil, err
	}

	notSecond, err := user.CallerAsSecond(ctx, q, user.Staff, s.DB.Now())
	if err != nil {
		return nil, err
	}

	views := make([]CaseView, len(cases))
	for i, c := range cases {
		views[i] = caseView(ctx, c, notSecond)
		views[i].Comments = append(views[i].Comments, comments[c.ID]...)
		views[i].Proposer = names(c.Said.ProposedBy)
		views[i].Decider = names(c.Said.DecidedBy)
	}

	return views, nil
}

// Record returns the identifier and the version.
func (v CaseView) Record() (id string, version int64) { return v.ID, v.Version }

func caseView(ctx context.Context, c Case, notSecond error) CaseView {
	may := func(verdict CaseStatus) error {
		_, err := c.decide(caller.Of(ctx).User, notSecond, verdict, "")
		return err
	}

	return CaseView{
		AllowedActions: caller.Allowed(ctx,
			caller.Act{Word: "clear", Operation: "decideScreeningCase", Refusal: may(CaseCleared)},
			caller.Act{Word: "confirm", Operation: "decideScreeningCase", Refusal: may(CaseConfirmed)},
		),
		Comments:     []comment.View{},
		ID:           c.ID,
		Organisation: c.Organisation,
		Name:         c.Name,
		Listed:       hitView(c.Hit),
		Object:       c.Object,
		Status:       c.Status,
		Proposal:     c.Said.Verdict,
		ProposedBy:   c.Said.ProposedBy,
		DecidedBy:    c.Said.DecidedBy,
		Reason:       c.Said.Reason,
		Version:      c.Version,
		CreatedAt:    c.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:    c.UpdatedAt.Truncate(time.Millisecond),
	}
}

type recordsIn struct {
	web.Paging
	Object  string   `query:"object" maxLength:"64" doc:"identifier of the record for which it was asked"`
	Subject string   `query:"subject" maxLength:"200" doc:"the address or name, exactly as it was asked about"`
	Status  []string `query:"status[]" maxItems:"4" enum:"APPROVED,REVIEW,REJECTED,ERROR" doc:"with one of these answers"`
}

type casesIn struct {
	web.Paging
	Status []string `query:"status[]" maxItems:"4" enum:"OPEN,PROPOSED,CLEARED,CONFIRMED" doc:"in one of these states"`
}

type decideIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Decision CaseStatus `json:"decision" enum:"CLEARED,CONFIRMED" doc:"CLEARED: the name is another party's; CONFIRMED: it is the listed party's"`
		Reason   string     `json:"reason" maxLength:"500" doc:"what it rests on, such as a date of birth; kept in the audit log"`
	}
}

// Routes registers the operations of screening, which are for the platform's people.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:  method,
			Path:    path,
			ID:      id,
			Summary: summary,
			Tag:     "operations",
			Access:  web.Staff,
			Codes:   codes,
		}
	}

	web.Register(
		api,
		op("GET", "/operations/screenings", "listScreenings", "Show what screening was asked and what it answered"),
		s.listRecords,
	)

	lists := op(
		"GET",
		"/operations/screening-lists",
		"listScreeningLists",
		"Show the sanctions lists in use, with their dates",
	)

	web.Register(api, lists, s.listLists)

	web.Register(
		api,
		op("GET", "/operations/screening-cases", "listScreeningCases", "List names that are like a listed one"),
		s.listCases,
	)

	decide := op(
		"POST",
		"/operations/screening-cases/{id}/decision",
		"decideScreeningCase",
		"Say whether a name is the listed party's; two people have to say the same",
		fault.CaseDecided,
		fault.ScreeningSecondPerson,
		fault.OperatorTooNew,
	)

	decide.Description = "The first decision is a proposal; the name stays blocked until a second person has said " +
		"the same. A decision that stands is doubted in the same way."
	decide.StepUp = true
	web.Register(api, decide, s.decideCase)
}

func (s *Service) listRecords(ctx context.Context, in *recordsIn) (*web.List[RecordView], error) {
	var w db.Where
	if in.Object != "" {
		w.And("object = ?", in.Object)
	}

	if in.Subject != "" {
		w.And("subject = ?", in.Subject)
	}

	if len(in.Status) > 0 {
		db.In(&w, "status", in.Status)
	}

	return listOf(ctx, s.DB, in.Paging, prefix, func(q db.Querier, p caller.Window) ([]Record, int64, error) {
		return recordRows.Page(ctx, q, db.Page{Where: w, Window: p})
	}, func(r Record) string { return r.ID }, web.Each(recordView))
}

func (s *Service) listCases(ctx context.Context, in *casesIn) (*web.List[CaseView], error) {
	var w db.Where
	if len(in.Status) > 0 {
		db.In(&w, "status", in.Status)
	}

	return listOf(ctx, s.DB, in.Paging, CasePrefix, func(q db.Querier, p caller.Window) ([]Case, int64, error) {
		return caseRows.Page(ctx, q, db.Page{Where: w, Window: p})
	}, func(c Case) string { return c.ID }, func(q db.Querier, cases []Case) ([]CaseView, error) {
		return s.caseViews(ctx, q, cases)
	})
}

// listOf is web.ListOf, whose cursor has to be an identifier with the prefix.
func listOf[R, V any](
	ctx context.Context,
	d *db.DB,
	in web.Paging,
	prefix string,
	read func(q db.Querier, p caller.Window) ([]R, int64, error),
	position func(R) string,
	show func(q db.Querier, rows []R) ([]V, error),
) (*web.List[V], error) {
	p, err := in.Window()
	if err != nil {
		return nil, err
	}

	if p.After != "" && !id.Valid(prefix, p.After) {
		var l fault.List
		l.AddParameter("query", "cursor", fault.CursorInvalid, "is not a cursor of this list.")
		return nil, l.Err()
	}

	return web.ListOf(ctx, d, in, read, position, show)
}

func (s *Service) listLists(context.Context, *struct{}) (*web.List[screening.Source], error) {
	var sources []screening.Source
	if s.Sources != nil {
		sources = s.Sources()
	}

	out := web.NewList(sources, int64(len(sources)), "")

	return &out, nil
}

func (s *Service) decideCase(ctx context.Context, in *decideIn) (*CaseView, error) {
	reason := strings.TrimSpace(in.Body.Reason)

	same := func(v CaseView) CaseView { return v }

	return web.Once(ctx, 200, same, func(done func(*db.Tx, CaseView) error) error {
		return s.Decide(ctx, in.ID, in.Body.Decision, reason, func(tx *db.Tx, c Case) error {
			views, err := s.caseViews(ctx, tx, []Case{c})
			if err != nil {
				return err
			}

			return done(tx, views[0])
		})
	})
}
