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
	"slipway/internal/platform/words"
	provider "slipway/internal/rails/idv"
)

// job processes the events of one subject and asks the provider. Its payload is the subject.
const job = "idv-follow"

func jobKey(subject string) string { return "idv/" + subject }

// pollInterval is how often due applicants are looked for; maxPolled bounds how many at once.
const (
	pollInterval = 5 * time.Minute
	maxPolled    = 500
)

// A review that contradicts its newest event may be an old copy at the provider. It is read again, after pauses that
// double, until the event is retryTime old.
const (
	retryTime    = 10 * time.Minute
	firstPause   = 10 * time.Second
	maxDoublings = 4
)

// Poll queues the job for the applicants that are due, at most limit of them, and returns how many. A second call finds
// the same ones until their jobs have run.
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

// Reviewed makes an applicant due at once, in the write in which a provider within this program has changed its review.
// As with an event, the review is then read, and nothing follows from the announcement alone.
func (s *Service) Reviewed(tx *db.Tx, subject string) error {
	if err := makeDue(tx, subject); err != nil {
		return err
	}

	s.config.Jobs.Demand(tx, job, jobKey(subject), subject)

	return nil
}

// AskAnew makes every applicant due, and returns how many there are. It is for a restored back-up, whose inbox lacks
// the events that came since.
func (s *Service) AskAnew(ctx context.Context) (n int64, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) (err error) {
		n, err = makeAllDue(tx)
		return err
	})

	return n, err
}

// follow runs the job. It empties the inbox of a subject and, if an event or the time asks for it, asks the provider
// for the review. It may be called at any time and any number of times.
func (s *Service) follow(ctx context.Context, subject string) (jobs.Result, error) {
	a, err := bySubject(ctx, s.db, subject)

	unknown := errors.Is(err, db.ErrNone)
	if err != nil && !unknown {
		return jobs.Result{}, err
	}

	open, err := openEvents(ctx, s.db, subject)
	if err != nil {
		return jobs.Result{}, err
	}

	if !unknown && a.ApplicantID == "" { // it is being created; whoever creates it queues this job again
		return jobs.Done(), nil
	}

	fresh, err := s.endPointless(ctx, a, unknown, open)
	if err != nil {
		return jobs.Result{}, err
	}

	if s.config.Provider == nil { // there was one when the events came
		return jobs.Done(), nil
	}

	more := len(open) == maxOpen
	isDue := !a.checkAt.IsZero() && !s.db.Now().Before(a.checkAt)

	if len(fresh) == 0 && !isDue {
		return result(more, 0), nil
	}

	pause, err := s.reread(ctx, a, fresh)
	if err != nil {
		return jobs.Result{}, err
	}

	return result(more || pause > 0, pause), nil
}

// result ends the job, or lets it run again after a pause.
func result(again bool, pause time.Duration) jobs.Result {
	if again {
		return jobs.Again(pause)
	}

	return jobs.Done()
}

// endPointless ends the events that change nothing, whatever the provider says, and returns the others.
func (s *Service) endPointless(
	ctx context.Context, a Applicant, unknown bool, open []inboxRow,
) (fresh []inboxRow, err error) {
	reasons := map[string]string{}

	for _, e := range open {
		switch {
		case unknown:
			reasons[e.id] = "it is about nobody of ours"
		case e.applicantID != a.ApplicantID:
			reasons[e.id] = "the applicant is not the one that we have for " + a.Subject
		case e.at.Before(a.eventAt):
			reasons[e.id] = "it is older than what was applied"
		default:
			fresh = append(fresh, e)
		}
	}

	if len(reasons) == 0 {
		return fresh, nil
	}

	return fresh, s.db.Write(ctx, func(tx *db.Tx) error {
		for _, e := range open {
			if outcome := reasons[e.id]; outcome != "" {
				end(tx, e, ignored, outcome)
			}
		}

		return nil
	})
}

// reread asks the provider for the review and applies it. If the review contradicts the newest event, pause is how long
// to wait before asking again.
func (s *Service) reread(ctx context.Context, a Applicant, fresh []inboxRow) (pause time.Duration, err error) {
	r, err := s.read(ctx, a)
	if errors.Is(err, provider.ErrNotFound) {
		s.config.Log.ErrorContext(ctx, "the identity provider does not know an applicant that it has created",
			"subject", a.Subject, "applicant", a.ApplicantID)

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

		if now.Version != a.Version { // somebody else has read the provider, perhaps later: the job runs again
			return db.ErrStale
		}

		_, pause, err = s.settle(ctx, tx, now, r, fresh)

		return err
	})

	return pause, err
}

// settle applies a review that was read after the events arrived, and ends the events. If the review contradicts the
// newest event, that event stays for another try, and meanwhile nothing becomes APPROVED.
func (s *Service) settle(
	ctx context.Context, tx *db.Tx, a Applicant, r provider.Review, fresh []inboxRow,
) (now Applicant, pause time.Duration, err error) {
	before := a
	status, understood := a.meaning(r)
	outcome := fmt.Sprintf("the provider says %s %s on %s", r.ReviewStatus, r.ReviewAnswer, r.LevelName)

	if last := len(fresh) - 1; last >= 0 {
		young := tx.Now.Before(fresh[last].received.Add(retryTime))

		if young && a.contradicts(fresh[last], status, understood) {
			pause = firstPause << min(fresh[last].tries, maxDoublings)
			countTry(tx, fresh[last])
			fresh = fresh[:last]
		} else {
			a.cover(fresh[last].at, tx.Now)
		}
	}

	for _, e := range fresh {
		end(tx, e, applied, outcome)
	}

	if pause > 0 && status == organisation.Approved && a.Status != organisation.Approved {
		return update(tx, a), pause, nil
	}

	now, err = s.apply(ctx, tx, before, a, r)

	return now, pause, err
}

// contradicts reports whether an event announces another status than the review that was read.
func (a Applicant) contradicts(e inboxRow, status organisation.Status, understood bool) bool {
	event, err := provider.ParseEvent(e.raw)
	if err != nil {
		return false
	}

	expected, known := a.expects(event)

	return known && (!understood || expected != status)
}

// lost ends the events of an applicant that the provider does not know any more. Its status stays.
func (s *Service) lost(ctx context.Context, a Applicant, fresh []inboxRow) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		for _, e := range fresh {
			end(tx, e, ignored, "the provider has no such applicant")
		}

		now, err := bySubject(ctx, tx, a.Subject)
		if err != nil {
			return err
		}

		update(tx, now) // sets when to ask again

		return nil
	})
}

// apply writes a review of an applicant and moves the onboarding to its meaning. It is the only way from a review to a
// status. before is the applicant as read in this transaction; a is the same with other changes. A review that is not
// understood changes what is shown of it, but no status.
func (s *Service) apply(ctx context.Context, tx *db.Tx, before, a Applicant, r provider.Review) (Applicant, error) {
	status, understood := a.meaning(r)
	if !understood {
		s.config.Log.ErrorContext(ctx, "the identity provider's review is not understood",
			"subject", a.Subject, "status", r.ReviewStatus, "answer", r.ReviewAnswer, "level", r.LevelName)

		status = a.Status
	}

	a.review = reviewOf(r)
	a.Status = status
	a = update(tx, a)

	if a.Status == before.Status && a.ApplicantID == before.ApplicantID {
		return a, nil
	}

	if err := advance(ctx, tx, before, a, r.ReviewStatus+" "+r.ReviewAnswer); err != nil {
		return a, err
	}

	return a, s.notify(ctx, tx, before, a)
}

// advance moves the memberships of a person, or an organisation, to the applicant's status.
func advance(ctx context.Context, tx *db.Tx, before, a Applicant, reason string) error {
	if a.Kind == provider.User {
		trail.Audit(ctx, tx, "", "idv.reviewed", a.Subject, string(before.Status)+" to "+string(a.Status)+": "+reason)

		v := organisation.Verified{ApplicantID: a.ApplicantID, Status: a.Status}

		return organisation.AdvancePerson(ctx, tx, a.Subject, v, reason)
	}

	if a.Status == before.Status {
		return nil
	}

	_, err := organisation.AdvanceTo(ctx, tx, a.Subject, a.Status, reason)

	return err
}

// notify queues mails to the person, or to the admins of the organisation, if there is an answer or an approval was
// withdrawn.
func (s *Service) notify(ctx context.Context, tx *db.Tx, before, a Applicant) error {
	answered := a.Status == organisation.Approved || a.Status == organisation.Rejected
	if s.config.Mail == nil || before.Status == a.Status || !answered && before.Status != organisation.Approved {
		return nil
	}

	subject := words.Phrase("Your identity")
	people := []string{a.Subject}

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

// letter returns the mail with the result and what the person can do now. The reason of a rejection is in the
// provider's own words.
func letter(u user.User, subject string, a Applicant, base string) mail.Message {
	data := map[string]string{"name": u.FirstName, "subject": subject, "why": "", "link": base}

	switch {
	case a.Status == organisation.Approved:
		data["outcome"] = words.Phrase("is verified")
		data["next"] = words.Phrase("There is nothing left to do.")
	case a.RetryAllowed():
		data["outcome"] = words.Phrase("could not be verified yet")
		data["why"] = a.review.comment
		data["next"] = words.Phrase("Documents can be handed in again.")
	case a.Status == organisation.Rejected:
		data["outcome"] = words.Phrase("could not be verified")
		data["why"] = a.review.comment
		data["next"] = words.Phrase("No further documents are taken. Write to us if you think that this is wrong.")
	default:
		data["outcome"] = words.Phrase("must be verified again")
		data["next"] = words.Phrase(
			"The earlier result no longer counts. Payments wait until the new verification is complete.",
		)
	}

	return mail.Message{Kind: mail.Verification, To: u.Email, Data: data}
}
