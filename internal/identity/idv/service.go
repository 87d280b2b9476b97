package idv

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"sync/atomic"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	provider "slipway/internal/rails/idv"
)

// Config is what verification needs. Mail and Alpha3 may be nil.
type Config struct {
	DB       *db.DB
	Jobs     *jobs.Runner
	Log      *slog.Logger
	Mail     *mail.Outbox
	BaseURL  string   // where links in mails lead
	Provider Provider // nil: there is none; what needs it is answered 503, and no webhook is taken
	Levels   Levels
	Webhook  Webhook
	Sandbox  bool          // the provider's mode must be the same
	Lifetime time.Duration // of widget tokens; 0: TokenLifetime
	// Correct writes what was corrected of an organisation, in the transaction that notes it:
	// organisation.Service.Correct.
	Correct func(ctx context.Context, tx *db.Tx, orgID string, c organisation.Correction) error
	// Alpha3 returns the three letters of a country by its two, as the provider writes it; empty for one that is none.
	Alpha3 func(alpha2 string) string
}

// Webhook is whose events are taken.
type Webhook struct {
	Secrets    []secret.Text  // two while one is replaced; none: every event is refused
	Algorithms []string       // empty: provider.DefaultAlgorithms
	Sources    []netip.Prefix // empty: from everywhere
}

// Service holds the use cases of verification.
type Service struct {
	db      *db.DB
	config  Config
	refused atomic.Int64 // webhooks
}

// New makes the service and registers its jobs.
func New(c Config) *Service {
	if c.Lifetime == 0 {
		c.Lifetime = TokenLifetime
	}

	if c.Alpha3 == nil {
		c.Alpha3 = func(string) string { return "" }
	}

	s := &Service{db: c.DB, config: c}
	c.Jobs.Handle(job, func(ctx context.Context, j jobs.Job) (jobs.Result, error) { return s.follow(ctx, j.Payload) })
	c.Jobs.Every("idv-checks", pollInterval, func(ctx context.Context) error {
		_, err := s.Poll(ctx, maxPolled)
		return err
	})

	return s
}

// Known tells organisations what is known of a person whom they take in.
func Known(ctx context.Context, q db.Querier, userID string) (organisation.Verified, error) {
	a, err := bySubject(ctx, q, userID)
	if errors.Is(err, db.ErrNone) {
		return organisation.Verified{}, nil
	}

	return organisation.Verified{ApplicantID: a.ApplicantID, Status: a.Status}, err
}

// Onboarding tells how far the verification of a person, and of an organisation if one is named, has come.
func Onboarding(ctx context.Context, q db.Querier, userID, orgID string) (person, company string, err error) {
	v, err := Known(ctx, q, userID)
	if err != nil || orgID == "" {
		return string(v.Status), "", err
	}

	o, err := organisation.ByID(ctx, q, orgID)

	return string(v.Status), string(o.Onboarding), err
}

// subject is who is to be verified: what we know of him, and what the provider is asked to look at.
type subject struct {
	id           string
	kind         provider.Kind // whose status follows
	as           provider.Kind // what he is to the provider: a private client's organisation is a person
	organisation string        // for the audit log; empty for a person
	level        string
	email, phone string
	info         map[string]any
}

// person is the caller himself, who verifies himself and is not verified by a program of his.
func (s *Service) person(ctx context.Context, q db.Querier, userID string) (subject, error) {
	if caller.Of(ctx).Client {
		return subject{}, caller.PeopleOnly()
	}

	u, err := user.ByID(ctx, q, userID)
	if errors.Is(err, db.ErrNone) {
		return subject{}, fault.Missing("user")
	}

	sub := subject{
		id:    u.ID,
		kind:  provider.User,
		as:    provider.User,
		level: s.config.Levels.Users,
		email: u.Email,
		phone: u.PhoneNumber,
		info:  s.individual(u.FirstName, u.LastName, u.DateOfBirth, u.Country),
	}

	return sub, err
}

// company is an organisation of which the caller is an admin.
func (s *Service) company(ctx context.Context, q db.Querier, p caller.Principal, orgID string) (subject, error) {
	o, _, err := organisation.ForAdmin(ctx, q, orgID, p.User)
	if err != nil {
		return subject{}, err
	}

	sub := subject{
		id:           o.ID,
		kind:         provider.Organisation,
		as:           provider.Organisation,
		organisation: o.ID,
		level:        s.config.Levels.Companies,
		info: given(map[string]string{
			"companyName":        o.Name,
			"registrationNumber": o.RegistrationNumber,
			"country":            s.config.Alpha3(o.Country),
		}),
	}
	if o.Type == organisation.TypeHNWI {
		sub.as = provider.User
		sub.level = s.config.Levels.HNWI
		sub.info = s.individual(o.FirstName, o.LastName, o.DateOfBirth, o.Country)
	}

	return sub, nil
}

func (s *Service) individual(first, last, birth, country string) map[string]any {
	return given(map[string]string{
		"firstName": first,
		"lastName":  last,
		"dob":       birth,
		"country":   s.config.Alpha3(country),
	})
}

// given leaves out what is empty.
func given(fields map[string]string) map[string]any {
	out := map[string]any{}
	for name, v := range fields {
		if v != "" {
			out[name] = v
		}
	}

	return out
}

// finder loads a subject, and refuses who may not act for it.
type finder func(ctx context.Context, q db.Querier) (subject, error)

// register makes the applicant of a subject at the provider. One that was made before is given as it is, and nothing
// is asked.
func (s *Service) register(ctx context.Context, find finder, done func(tx *db.Tx, a Applicant) error) error {
	sub, err := find(ctx, s.db)
	if err != nil {
		return err
	}

	made, err := s.ask(ctx, sub.id, find)
	if err != nil {
		return err
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		a, err := s.adopt(ctx, tx, sub, made)
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// ask has the provider make the applicant, unless we know of him already: then the answer is empty. The row is there
// before the provider is asked, so that an event that is quicker than the provider's answer finds whom it is for, and
// so that nobody gets another name from then on: an answer that is lost may have been a yes. What the provider
// refuses it has not taken, and the row goes again.
func (s *Service) ask(ctx context.Context, subjectID string, find finder) (provider.Review, error) {
	a, err := bySubject(ctx, s.db, subjectID)
	if err == nil && a.ApplicantID != "" {
		return provider.Review{}, nil
	}

	if err != nil && !errors.Is(err, db.ErrNone) {
		return provider.Review{}, err
	}

	if s.config.Provider == nil {
		return provider.Review{}, unavailable()
	}

	var sub subject

	err = s.db.Write(ctx, func(tx *db.Tx) (err error) {
		if sub, err = find(ctx, tx); err != nil {
			return err
		}

		tx.Insert(
			insertApplicant,
			id.New(applicantPrefix, tx.Now),
			string(sub.kind),
			sub.id,
			sub.level,
			string(organisation.Pending),
			int64(1),
			db.Micros(tx.Now),
			db.Micros(tx.Now),
		)

		return nil
	})
	if err != nil {
		return provider.Review{}, err
	}

	r, err := s.config.Provider.Create(ctx, provider.New{
		Kind:           sub.as,
		ExternalUserID: sub.id,
		LevelName:      sub.level,
		Email:          sub.email,
		Phone:          sub.phone,
		Info:           sub.info,
	})
	if err == nil {
		return r, nil
	}

	if errors.Is(err, provider.ErrRefused) {
		if err := s.db.Write(ctx, func(tx *db.Tx) error { return dropUnmade(tx, sub.id) }); err != nil {
			return r, err
		}
	}

	return r, s.outside(ctx, "create applicant", err)
}

// adopt notes the applicant that the provider has made, and what it says of him.
func (s *Service) adopt(ctx context.Context, tx *db.Tx, sub subject, made provider.Review) (Applicant, error) {
	a, err := bySubject(ctx, tx, sub.id)
	if err != nil || a.ApplicantID != "" {
		return a, err // somebody else was first: the provider gave both the same applicant
	}

	if err := s.check(a, made); err != nil {
		return a, err
	}

	was := a
	a.ApplicantID = made.ApplicantID
	trail.Audit(ctx, tx, sub.organisation, "idv.registered", a.Subject, a.ApplicantID)
	s.config.Jobs.Demand(tx, job, jobKey(a.Subject), a.Subject) // events may wait

	return s.apply(ctx, tx, was, a, made)
}

// check refuses an answer that is not about the applicant, or of the other mode. It is no refusal of the caller's:
// the provider is at fault.
func (s *Service) check(a Applicant, r provider.Review) error {
	switch {
	case r.ApplicantID == "" || a.ApplicantID != "" && r.ApplicantID != a.ApplicantID || r.ExternalUserID != a.Subject:
		return fmt.Errorf("%w: asked for %s %q, it answers for %.60q %.60q", provider.ErrUnknown, a.Subject,
			a.ApplicantID, r.ExternalUserID, r.ApplicantID)

	case r.Sandbox != s.config.Sandbox:
		return fmt.Errorf("%w: the answer is of the provider's other mode", provider.ErrUnknown)
	}

	return nil
}

// visible finds an applicant whom the caller may see: himself, the organisation of which he is an admin, and for the
// platform's people everybody. To others there is none.
func (s *Service) visible(ctx context.Context, q db.Querier, applicantID string) (Applicant, error) {
	p := caller.Of(ctx)

	a, err := byApplicant(ctx, q, applicantID)
	if errors.Is(err, db.ErrNone) {
		return a, fault.Missing("applicant")
	}

	if err != nil || p.Staff != user.NoStaff || a.Kind == provider.User && a.Subject == p.User && !p.Client {
		return a, err
	}

	if _, err := s.company(ctx, q, p, a.Subject); err != nil {
		if fault.Is(err, fault.NotFoundCode) {
			err = fault.Missing("applicant")
		}

		return Applicant{}, err
	}

	return a, nil
}

// within reports whether an applicant belongs to an organisation: it is the organisation, or one of its people.
func (s *Service) within(ctx context.Context, q db.Querier, a Applicant, orgID string) error {
	missing := fault.Missing("applicant")
	if p := caller.Of(ctx); p.Client && orgID != p.Organisation {
		return missing
	}

	if a.Kind == provider.Organisation {
		if a.Subject != orgID {
			return missing
		}

		return nil
	}

	_, _, err := organisation.ForMember(ctx, q, orgID, a.Subject)
	if fault.Is(err, fault.NotFoundCode) {
		return missing
	}

	return err
}

// refresh gives the provider what the caller wants to correct, if anything, and asks it anew. Events that wait are
// weighed with the answer, as the job does.
func (s *Service) refresh(
	ctx context.Context, applicantID, orgID string, info *FixedInfo, done func(tx *db.Tx, a Applicant) error,
) error {
	a, err := s.visible(ctx, s.db, applicantID)
	if err != nil {
		return err
	}

	if err := s.within(ctx, s.db, a, orgID); err != nil {
		return err
	}

	if s.config.Provider == nil {
		return unavailable()
	}

	if info != nil {
		if err := s.correct(ctx, a, orgID, *info); err != nil {
			return err
		}
	}

	open, err := openEvents(ctx, s.db, a.Subject)
	if err != nil {
		return err
	}

	fresh, err := s.sift(ctx, a, false, open)
	if err != nil {
		return err
	}

	r, err := s.read(ctx, a)
	if err != nil {
		return s.outside(ctx, "read applicant", err)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		now, err := bySubject(ctx, tx, a.Subject)
		if err != nil {
			return err
		}

		if now.Version == a.Version { // else a job has read the provider in the meantime, perhaps later than we have
			if now, _, err = s.settle(ctx, tx, now, r, fresh); err != nil {
				return err
			}
		}

		return done(tx, now)
	})
}

// read asks the provider how an applicant stands.
func (s *Service) read(ctx context.Context, a Applicant) (provider.Review, error) {
	r, err := s.config.Provider.Applicant(ctx, a.ApplicantID)
	if err == nil {
		err = s.check(a, r)
	}

	return r, err
}

// correct gives the provider other information about an applicant, while documents can still be handed in, and then
// writes what of it is ours, too: who is verified must be who pays. Whether they can is asked of the provider: of
// documents that were handed in, no event may have told yet. The second call with the same information ends at both
// places alike.
func (s *Service) correct(ctx context.Context, a Applicant, orgID string, info FixedInfo) error {
	as, err := s.kindAt(ctx, a)
	if err != nil {
		return err
	}

	fields, ours, err := s.fields(info, as, s.db.Now())
	if err != nil || len(fields) == 0 {
		return err
	}

	r, err := s.read(ctx, a)
	if err != nil {
		return s.outside(ctx, "read applicant", err)
	}

	is, understood := a.meaning(r)
	if a.Status, a.review = is, wordsOf(r); !understood || is == organisation.Submitted || a.ended() {
		return fault.New(fault.Conflict, fault.ApplicantFixed,
			"What was given cannot be changed: the provider looks at it, or has given its answer.")
	}

	if err := s.config.Provider.UpdateInfo(ctx, as, a.ApplicantID, fields); err != nil {
		return s.outside(ctx, "update applicant", err)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		trail.Audit(ctx, tx, orgID, "idv.info", a.Subject, "corrected what was given")

		if a.Kind == provider.User {
			return nil
		}

		return s.config.Correct(ctx, tx, a.Subject, ours)
	})
}

// kindAt is what an applicant is to the provider.
func (s *Service) kindAt(ctx context.Context, a Applicant) (provider.Kind, error) {
	if a.Kind == provider.User {
		return provider.User, nil
	}

	o, err := organisation.ByID(ctx, s.db, a.Subject)
	if err == nil && o.Type == organisation.TypeHNWI {
		return provider.User, nil
	}

	return provider.Organisation, err
}

// pass is a widget token and whom it is for.
type pass struct {
	Token     provider.Token
	Applicant Applicant
}

// token has the provider make a widget token, and the applicant first if there is none. Who was rejected gets one
// only when he may hand in documents again. It opens the applicant at the provider, so it is kept nowhere here.
func (s *Service) token(ctx context.Context, find finder, done func(tx *db.Tx, p pass) error) error {
	sub, err := find(ctx, s.db)
	if err != nil {
		return err
	}

	var a Applicant
	if err := s.register(ctx, find, func(_ *db.Tx, made Applicant) error { a = made; return nil }); err != nil {
		return err
	}

	if a.Status == organisation.Rejected && !a.RetryAllowed() {
		return fault.New(fault.Conflict, fault.VerificationFinal,
			"The verification was rejected for good; no further documents are taken.")
	}

	if s.config.Provider == nil {
		return unavailable()
	}

	level := sub.level
	if a.Status == organisation.Approved { // another level would put the approval in question
		level = a.Level
	}

	t, err := s.config.Provider.Token(ctx, a.Subject, level, s.config.Lifetime)
	if err != nil {
		return s.outside(ctx, "widget token", err)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		a, err := bySubject(ctx, tx, sub.id)
		if err != nil {
			return err
		}

		a.Level = level
		a.watchUntil = tx.Now.Add(watch)
		a = update(tx, a)
		trail.Audit(ctx, tx, sub.organisation, "idv.token", a.Subject, level)

		return done(tx, pass{t, a})
	})
}

// Refused tells how many webhooks were refused since the process began: wrong signatures, and sources that are not
// the provider's.
func (s *Service) Refused() int64 { return s.refused.Load() }

func unavailable() error {
	return fault.New(fault.Unavailable, fault.UpstreamFailed,
		"The identity provider cannot be asked at the moment. Nothing was changed; try again.")
}

// outside turns an error of the provider into the caller's answer. What the provider refuses to do is told apart from
// silence: asking again does not help then.
func (s *Service) outside(ctx context.Context, what string, err error) error {
	s.config.Log.WarnContext(ctx, "identity provider", "attempt", what, "error", err.Error(), "requestId",
		caller.RequestOf(ctx).ID)

	if errors.Is(err, provider.ErrRefused) || errors.Is(err, provider.ErrNotFound) {
		return fault.New(fault.Conflict, fault.ProviderRefused,
			"The identity provider did not take the request. Correct what was given, or ask the platform's support.")
	}

	return unavailable()
}
