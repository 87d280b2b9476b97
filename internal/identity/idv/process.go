package idv

import (
	"context"
	"errors"
	"fmt"
	"time"

	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	provider "slipway/internal/rails/idv"
)

// job looks at one subject: its events, and the provider.
const job = "idv-follow"

func jobKey(subject string) string { return "idv/" + subject }

// pollInterval is how often it is looked for applicants that are due; maxPolled bounds one look.
const (
	pollInterval = 5 * time.Minute
	maxPolled    = 500
)

// A review that says something else than its newest event may be an old copy of the provider's: for so long after the
// event came it is read again, after a pause that doubles.
const (
	doubt      = 10 * time.Minute
	firstPause = 10 * time.Second
	longest    = 4 // doublings
)

// Poll asks for a look at the applicants that are due, at most limit of them, and returns their number: events get
// lost. The second call finds the same ones until they were looked at.
func (s *Service) Poll(ctx context.Context, limit int) (n int, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		subjects, err := due(ctx, tx, tx.Now, limit)
		for _, subject := range subjects {
			s.config.Jobs.Demand(tx, job, jobKey(subject), subject)
		}

		n = len(subjects)

		return err
	})

	return n, err
}

// AskAnew has the provider asked about every applicant soon, whatever is known of them: events that came since a
// back-up are in no inbox when it is put back. It returns their number.
func (s *Service) AskAnew(ctx context.Context) (n int64, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = tx.Exec("UPDATE idv_applicants SET check_at = ? WHERE applicant_id <> ''", db.Micros(tx.Now))
		return err
	})

	return n, err
}

// follow empties the inbox of a subject and, when there is reason to, asks the provider how its applicant stands. It
// may be called at any time and any number of times.
func (s *Service) follow(ctx context.Context, subject string) (jobs.Result, error) {
	a, err := bySubject(ctx, s.db, subject)

	nobody := errors.Is(err, db.ErrNone)
	if err != nil && !nobody {
		return jobs.Result{}, err
	}

	open, err := openEvents(ctx, s.db, subject)
	if err != nil {
		return jobs.Result{}, err
	}

	if !nobody && a.ApplicantID == "" { // he is being made; whoever makes him asks for this job
		return jobs.Done(), nil
	}

	fresh, err := s.sift(ctx, a, nobody, open)
	if err != nil {
		return jobs.Result{}, err
	}

	if s.config.Provider == nil { // it was configured when the events came
		return jobs.Done(), nil
	}

	again := len(open) == maxOpen

	isDue := !a.checkAt.IsZero() && !s.db.Now().Before(a.checkAt)
	if len(fresh) == 0 && !isDue {
		return result(again, 0), nil
	}

	pause, err := s.reread(ctx, a, fresh)
	if err != nil {
		return jobs.Result{}, err
	}

	return result(again || pause > 0, pause), nil
}

func result(again bool, pause time.Duration) jobs.Result {
	if again {
		return jobs.Again(pause)
	}

	return jobs.Done()
}

// sift ends the events that change nothing, whatever the provider says, and returns the others.
func (s *Service) sift(ctx context.Context, a Applicant, nobody bool, open []inboxRow) (fresh []inboxRow, err error) {
	why := map[string]string{}
	for _, e := range open {
		switch {
		case nobody:
			why[e.id] = "it is about nobody of ours"
		case e.applicantID != a.ApplicantID:
			why[e.id] = "the applicant is not the one that we have for " + a.Subject
		case e.at.Before(a.eventAt):
			why[e.id] = "it is older than what was applied"
		default:
			fresh = append(fresh, e)
		}
	}

	if len(why) == 0 {
		return fresh, nil
	}

	return fresh, s.db.Write(ctx, func(tx *db.Tx) error {
		for _, e := range open {
			if outcome := why[e.id]; outcome != "" {
				end(tx, e, ignored, outcome)
			}
		}

		return nil
	})
}

// reread asks the provider and applies what it says. pause is more than zero when it contradicts the newest event and
// is to be asked again.
func (s *Service) reread(ctx context.Context, a Applicant, fresh []inboxRow) (pause time.Duration, err error) {
	r, err := s.read(ctx, a)
	if errors.Is(err, provider.ErrNotFound) {
		s.config.Log.ErrorContext(ctx, "the identity provider has lost an applicant", "subject", a.Subject, "applicant",
			a.ApplicantID)

		return 0, s.lost(ctx, a, fresh)
	}

	if err != nil {
		return 0, err
	}

	failpoint.Hit("webhook_half")
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		pause = 0

		now, err := bySubject(ctx, tx, a.Subject)
		if err != nil {
			return err
		}

		if now.Version != a.Version {
			// somebody has read the provider meanwhile, perhaps later than we have: the job runs again
			return db.ErrStale
		}

		_, pause, err = s.settle(ctx, tx, now, r, fresh)

		return err
	})

	return pause, err
}

// settle applies a review that was read after the events came, and ends them. When it contradicts the newest of them,
// that one stays for another try, and meanwhile nothing becomes APPROVED.
func (s *Service) settle(
	ctx context.Context, tx *db.Tx, a Applicant, r provider.Review, fresh []inboxRow,
) (now Applicant, pause time.Duration, err error) {
	was := a
	is, understood := a.meaning(r)
	outcome := fmt.Sprintf("the provider says %s %s on %s", r.ReviewStatus, r.ReviewAnswer, r.LevelName)

	if last := len(fresh) - 1; last >= 0 {
		if tx.Now.Before(fresh[last].received.Add(doubt)) && a.contradicts(fresh[last], is, understood) {
			pause = firstPause << min(fresh[last].tries, longest)
			keep(tx, fresh[last])
			fresh = fresh[:last]
		} else {
			a.cover(fresh[last].at, tx.Now)
		}
	}

	for _, e := range fresh {
		end(tx, e, applied, outcome)
	}

	if pause > 0 && is == organisation.Approved && a.Status != organisation.Approved {
		return update(tx, a), pause, nil
	}

	now, err = s.apply(ctx, tx, was, a, r)

	return now, pause, err
}

// contradicts reports whether an event leads to expect another review than the one that was read.
func (a Applicant) contradicts(e inboxRow, is organisation.Status, understood bool) bool {
	event, err := provider.ParseEvent(e.raw)
	if err != nil {
		return false
	}

	expected, known := a.expects(event)

	return known && (!understood || expected != is)
}

// lost ends the events of an applicant that the provider does not have. What was found of him before stands.
func (s *Service) lost(ctx context.Context, a Applicant, fresh []inboxRow) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		for _, e := range fresh {
			end(tx, e, ignored, "the provider has no such applicant")
		}

		now, err := bySubject(ctx, tx, a.Subject)
		if err != nil {
			return err
		}

		update(tx, now) // asked again later, if there is reason to

		return nil
	})
}

// apply writes what the provider says of an applicant and lets the onboarding follow. It is the only way from a
// review to a status. was is the applicant as he was read in this transaction, a the same with what else is new. A
// review that is not understood changes the words that are shown, and no status.
func (s *Service) apply(ctx context.Context, tx *db.Tx, was, a Applicant, r provider.Review) (Applicant, error) {
	to, understood := a.meaning(r)
	if !understood {
		s.config.Log.ErrorContext(
			ctx,
			"review that is not understood",
			"subject",
			a.Subject,
			"status",
			r.ReviewStatus,
			"answer",
			r.ReviewAnswer,
			"level",
			r.LevelName,
		)

		to = a.Status
	}

	a.review = wordsOf(r)
	a.Status = to

	a = update(tx, a)
	if a.Status == was.Status && a.ApplicantID == was.ApplicantID {
		return a, nil
	}

	if err := advance(ctx, tx, was, a, r.ReviewStatus+" "+r.ReviewAnswer); err != nil {
		return a, err
	}

	return a, s.tell(ctx, tx, was, a)
}

// advance takes the memberships of a person, or an organisation, to the applicant's status.
func advance(ctx context.Context, tx *db.Tx, was, a Applicant, why string) error {
	if a.Kind == provider.User {
		trail.Audit(ctx, tx, "", "idv.reviewed", a.Subject, string(was.Status)+" to "+string(a.Status)+": "+why)

		return organisation.AdvancePerson(ctx, tx, a.Subject, organisation.Verified{
			ApplicantID: a.ApplicantID,
			Status:      a.Status,
		}, why)
	}

	if a.Status == was.Status {
		return nil
	}

	_, err := organisation.AdvanceTo(ctx, tx, a.Subject, a.Status, why)

	return err
}

// tell writes to the person, or to the admins of the organisation, when there is an answer or one was withdrawn.
func (s *Service) tell(ctx context.Context, tx *db.Tx, was, a Applicant) error {
	answered := a.Status == organisation.Approved || a.Status == organisation.Rejected
	if s.config.Mail == nil || was.Status == a.Status || !answered && was.Status != organisation.Approved {
		return nil
	}

	people := []string{a.Subject}

	subject := "Your identity"
	if a.Kind == provider.Organisation {
		o, err := organisation.ByID(ctx, tx, a.Subject)
		if err != nil {
			return err
		}

		if people, err = organisation.Admins(ctx, tx, a.Subject); err != nil {
			return err
		}

		subject = o.Name
	}

	for _, userID := range people {
		u, err := user.ByID(ctx, tx, userID)
		if err != nil {
			return err
		}

		s.config.Mail.Queue(tx, letter(u, subject, a, s.config.BaseURL))
	}

	return nil
}

// letter says what was found, and what the person can do now. What is to be done better stands in the provider's own
// words.
func letter(u user.User, subject string, a Applicant, base string) mail.Message {
	data := map[string]string{"name": u.FirstName, "subject": subject, "why": "", "link": base}
	switch {
	case a.Status == organisation.Approved:
		data["outcome"] = "is verified"
		data["next"] = "There is nothing left to do."
	case a.RetryAllowed():
		data["outcome"] = "could not be verified yet"
		data["why"] = a.review.comment
		data["next"] = "Documents can be handed in again."
	case a.Status == organisation.Rejected:
		data["outcome"] = "could not be verified"
		data["why"] = a.review.comment
		data["next"] = "No further documents are taken. Write to us if you think that this is wrong."
	default:
		data["outcome"] = "must be verified anew"
		data["next"] = "What was found before no longer counts. Payments " +
			"wait until it has been done."
	}

	return mail.Message{Kind: mail.Verification, To: u.Email, Data: data}
}
