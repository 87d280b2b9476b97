package review

import (
	"context"
	"errors"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// What the applicant does on the hosted pages. A token opens a visit, once.

// visitLifetime is how long an applicant may take over the form before another token is needed.
const visitLifetime = 2 * time.Hour

// maxDocuments is how many files a case has at most.
const maxDocuments = 40

// Begin exchanges a token for a visit. A token works once.
func (s *Service) Begin(ctx context.Context, token string) (visit string, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		caseID, err := visited(ctx, tx, hashOf(token), kindToken, tx.Now)
		if errors.Is(err, db.ErrNone) {
			return linkInvalid()
		}

		if err != nil {
			return err
		}

		if err := endVisit(tx, hashOf(token)); err != nil {
			return err
		}

		visit = newVisit(tx, caseID, kindVisit, tx.Now.Add(visitLifetime))

		return nil
	})

	return visit, err
}

func linkInvalid() error {
	return fault.New(fault.Gone, fault.LinkInvalid, "The link is used, expired or not complete. Ask for a new one.")
}

// Visit is what the applicant sees.
type Visit struct {
	Case      Case
	Documents []Document
}

// Editable reports whether the form can be filled in.
func (v Visit) Editable() bool { return v.Case.editable() }

// Answers returns what is known and filled in.
func (v Visit) Answers() map[string]string { return v.Case.answers() }

// Fixed reports whether a question was answered by the registration.
func (v Visit) Fixed(question string) bool { return v.Case.Registered[question] != "" }

// Comment returns what the applicant is to do better.
func (v Visit) Comment() string { return v.Case.Comment }

// Find returns the case of a visit. An unknown or expired visit is refused with LINK_INVALID.
func (s *Service) Find(ctx context.Context, visit string) (v Visit, err error) {
	caseID, err := visited(ctx, s.DB, hashOf(visit), kindVisit, s.DB.Now())
	if errors.Is(err, db.ErrNone) {
		return v, linkInvalid()
	}

	if err != nil {
		return v, err
	}

	if v.Case, err = byID(ctx, s.DB, caseID); err != nil {
		return v, err
	}

	v.Documents, err = documentsOf(ctx, s.DB, caseID)

	return v, err
}

// HandIn stores a document of a visit's case. A second one of the same kind stands beside the first.
func (s *Service) HandIn(ctx context.Context, visit, kind string, f NewFile) error {
	v, err := s.Find(ctx, visit)
	if err != nil {
		return err
	}

	known := false
	for _, p := range Proofs(v.Case.Kind) {
		known = known || p.Kind == kind
	}

	switch {
	case !known:
		return fault.Missing("document")
	case !v.Editable():
		return notEditable()
	case len(v.Documents) >= maxDocuments:
		return fault.New(fault.Conflict, fault.ApplicantFixed, "No further files are taken for this case.")
	}

	f.Case = v.Case.ID

	return s.Store(ctx, f, func(tx *db.Tx, key string) error {
		c, err := byID(ctx, tx, v.Case.ID)
		if err != nil {
			return err
		}

		if !c.editable() {
			return notEditable()
		}

		c.Basis++
		update(tx, c)
		insertDocument(tx, Document{Key: key, Case: c.ID, Kind: kind, CreatedAt: tx.Now})

		return nil
	})
}

func notEditable() error {
	return fault.New(fault.Conflict, fault.ApplicantFixed, "The form was sent, and is being looked at.")
}

// Save stores the answers of a visit's form. Answers that are known from the registration are not changed here: who is
// verified must be who pays. It returns every fault.
func (s *Service) Save(ctx context.Context, visit string, answers map[string]string) error {
	v, err := s.Find(ctx, visit)
	if err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := byID(ctx, tx, v.Case.ID)
		if err != nil {
			return err
		}

		if !c.editable() {
			return notEditable()
		}

		var l fault.List

		for _, q := range Questions(c.Kind) {
			answer, given := answers[q.Name]
			if !given || c.Registered[q.Name] != "" {
				continue
			}

			c.Form[q.Name] = q.check(answer, tx.Now, &l)
		}

		if err := l.Err(); err != nil {
			return err
		}

		c.Basis++
		update(tx, c)

		return nil
	})
}

// check returns an answer as it is stored, and notes what is wrong with it.
func (q Question) check(answer string, now time.Time, l *fault.List) string {
	at := "/" + q.Name
	answer = strings.TrimSpace(answer)

	if strings.ContainsFunc(answer, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		l.Add(at, fault.FormatInvalid, "must be one line of text.")
	}

	switch {
	case answer == "" && !q.Optional:
		l.Add(at, fault.Required, "is needed.")
	case answer == "":

	case q.Kind == "date":
		day, err := time.Parse(time.DateOnly, answer)
		if err != nil || day.After(now) || day.Year() < 1900 {
			l.Add(at, fault.FormatInvalid, "must be a day such as 1980-05-17.")
		}

	case q.Kind == "country":
		if len(answer) != 2 && len(answer) != 3 {
			l.Add(at, fault.FormatInvalid, "must be a country.")
		}

	case len([]rune(answer)) > q.Max:
		l.Add(at, fault.TooLong, "may have at most %d characters.", q.Max)
	}

	return answer
}

// Send hands the form in: every question is answered and every document is there. From then on two people decide. A
// second call is refused.
func (s *Service) Send(ctx context.Context, visit string) error {
	v, err := s.Find(ctx, visit)
	if err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		c, err := byID(ctx, tx, v.Case.ID)
		if err != nil {
			return err
		}

		if !c.editable() {
			return notEditable()
		}

		documents, err := documentsOf(ctx, tx, c.ID)
		if err != nil {
			return err
		}

		if err := complete(c, documents); err != nil {
			return err
		}

		c.Status = Submitted
		c.SubmittedAt = tx.Now
		c.Checklist = map[string]Tick{} // of the try before
		c.Screening = ScreeningPending
		c.Proposal = ""
		c.Comment = ""
		c.ProposedWords = ""
		c.Basis++
		update(tx, c)
		trail.Audit(ctx, tx, auditOf(c), "review.submitted", c.Subject, c.ID)
		s.Jobs.Demand(tx, screenJob, screenJob+"/"+c.ID, c.ID)

		return s.Reviewed(tx, c.Subject)
	})
}

// auditOf returns the organisation whose audit log has what is done with a case; none for a person.
func auditOf(c Case) string {
	if strings.HasPrefix(c.Subject, "org_") {
		return c.Subject
	}

	return ""
}

// complete returns what is missing of a form.
func complete(c Case, documents []Document) error {
	var l fault.List

	answers := c.answers()

	for _, q := range Questions(c.Kind) {
		if answers[q.Name] == "" && !q.Optional {
			l.Add("/"+q.Name, fault.Required, "is needed.")
		}
	}

	for _, p := range Proofs(c.Kind) {
		there := p.Optional
		for _, d := range documents {
			there = there || d.Kind == p.Kind
		}

		if !there {
			l.Add("/"+p.Kind, fault.Required, "is needed.")
		}
	}

	return l.Err()
}

func split(names string) []string {
	var out []string

	for name := range strings.SplitSeq(names, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}

	return out
}
