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
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
	provider "slipway/internal/rails/idv"
)

// Config is what verification needs from the rest of the program. Mail and Alpha3 may be nil.
type Config struct {
	DB       *db.DB
	Jobs     *jobs.Runner
	Log      *slog.Logger
	Mail     *mail.Outbox
	BaseURL  string   // begins links in mails
	Provider Provider // nil: there is none, and what needs it returns 503
	Levels   Levels
	Webhook  Webhook
	Sandbox  bool          // the mode in which the provider must answer
	Lifetime time.Duration // of widget tokens; 0: TokenLifetime
	// Correct writes a correction of an organisation: organisation.Service.Correct.
	Correct func(ctx context.Context, tx *db.Tx, orgID string, c organisation.Correction) error
	// Alpha3 returns the ISO 3166-1 alpha-3 code of an alpha-2 code, or "" for an unknown one.
	Alpha3 func(alpha2 string) string
}

// Webhook configures which events are accepted.
type Webhook struct {
	Secrets    []secret.Text  // two while one is being replaced; none: every event is refused
	Algorithms []string       // empty: provider.DefaultAlgorithms
	Sources    []netip.Prefix // addresses of the provider; empty: any
}

// Service holds the use cases of verification.
type Service struct {
	db      *db.DB
	config  Config
	refused atomic.Int64 // webhooks since the process began
}

// New returns the service and registers its jobs.
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

// Known returns what is known about a person's identity.
func Known(ctx context.Context, q db.Querier, userID string) (organisation.Verified, error) {
	a, err := bySubject(ctx, q, userID)
	if errors.Is(err, db.ErrNone) {
		return organisation.Verified{}, nil
	}

	return organisation.Verified{ApplicantID: a.ApplicantID, Status: a.Status}, err
}

// LevelsOf returns the level at which each person is verified, by user. A person who has not begun has none.
func LevelsOf(ctx context.Context, q db.Querier, users []string) (map[string]string, error) {
	all, err := bySubjects(ctx, q, users)

	out := make(map[string]string, len(all))
	for _, a := range all {
		out[a.Subject] = a.Level
	}

	return out, err
}

// Onboarding returns the status of a person's verification and, if an organisation is named, of the organisation's.
func Onboarding(ctx context.Context, q db.Querier, userID, orgID string) (person, company string, err error) {
	v, err := Known(ctx, q, userID)
	if err != nil || orgID == "" {
		return string(v.Status), "", err
	}

	o, err := organisation.ByID(ctx, q, orgID)

	return string(v.Status), string(o.Onboarding), err
}

// subject is a person or an organisation that is to be verified.
type subject struct {
	id           string
	kind         provider.Kind // whose onboarding follows
	as           provider.Kind // what it is to the provider: a private client's organisation is a person
	organisation string        // for the audit log; empty for a person
	level        string
	email, phone string
	info         map[string]any
}

// person returns the caller as a subject. An API client is refused: a person must ask in person.
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

// company returns an organisation as a subject. The caller must be one of its admins.
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
		info: withoutEmpty(map[string]string{
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

// individual returns what the provider is told about a person.
func (s *Service) individual(first, last, birth, country string) map[string]any {
	return withoutEmpty(map[string]string{
		"firstName": first,
		"lastName":  last,
		"dob":       birth,
		"country":   s.config.Alpha3(country),
	})
}

// withoutEmpty returns the fields that are not empty.
func withoutEmpty(fields map[string]string) map[string]any {
	out := map[string]any{}
	for name, v := range fields {
		if v != "" {
			out[name] = v
		}
	}

	return out
}

// finder returns a subject, or refuses a caller who may not act for it.
type finder func(ctx context.Context, q db.Querier) (subject, error)

// register creates the applicant of a subject at the provider. A second call returns the same applicant without asking
// the provider.
func (s *Service) register(ctx context.Context, find finder, done func(tx *db.Tx, a Applicant) error) error {
	sub, err := find(ctx, s.db)
	if err != nil {
		return err
	}

	created, err := s.create(ctx, sub.id, find)
	if err != nil {
		return err
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		a, err := s.adopt(ctx, tx, sub, created)
		if err != nil {
			return err
		}

		return done(tx, a)
	})
}

// create has the provider create the applicant. It returns an empty review if there is one already.
//
// The row is written before the provider is asked, for two reasons: an event may arrive before the provider's answer,
// and the name must not change from then on, since a lost answer may have been a yes. If the provider refuses, the row
// is deleted again.
func (s *Service) create(ctx context.Context, subjectID string, find finder) (provider.Review, error) {
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
		if sub, err = find(ctx, tx); err == nil {
			writeUncreated(tx, sub)
		}

		return err
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
		if err := s.db.Write(ctx, func(tx *db.Tx) error { return deleteUncreated(tx, sub.id) }); err != nil {
			return r, err
		}
	}

	return r, s.providerError(ctx, "create applicant", err)
}

// adopt writes the applicant that the provider has created, with its review.
func (s *Service) adopt(ctx context.Context, tx *db.Tx, sub subject, created provider.Review) (Applicant, error) {
	a, err := bySubject(ctx, tx, sub.id)
	if err != nil || a.ApplicantID != "" {
		return a, err // another request was first: the provider gave both the same applicant
	}

	if err := s.check(a, created); err != nil {
		return a, err
	}

	before := a
	a.ApplicantID = created.ApplicantID
	trail.Audit(ctx, tx, sub.organisation, "idv.registered", a.Subject, a.ApplicantID)
	s.config.Jobs.Demand(tx, job, jobKey(a.Subject), a.Subject) // events may have arrived already

	return s.apply(ctx, tx, before, a, created)
}

// check returns an internal error if the provider's answer is about another applicant or of the other mode.
func (s *Service) check(a Applicant, r provider.Review) error {
	switch {
	case r.ApplicantID == "" || a.ApplicantID != "" && r.ApplicantID != a.ApplicantID || r.ExternalUserID != a.Subject:
		return fmt.Errorf("%w: asked for %s %q, the answer is about %.60q %.60q",
			provider.ErrUnknown, a.Subject, a.ApplicantID, r.ExternalUserID, r.ApplicantID)

	case r.Sandbox != s.config.Sandbox:
		return fmt.Errorf("%w: the answer is of the provider's other mode", provider.ErrUnknown)
	}

	return nil
}

// visible returns an applicant that the caller may see: the caller's own, that of an organisation whose admin the
// caller is, or any for the platform's people. Others get NOT_FOUND.
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

// within refuses an applicant that is neither the organisation nor one of its active members.
func (s *Service) within(ctx context.Context, q db.Querier, a Applicant, orgID string) error {
	missing := fault.Missing("applicant")
	if p := caller.Of(ctx); !p.MayActIn(orgID) {
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

// refresh sends the provider the caller's correction, if there is one, and reads the review again. Waiting events are
// processed with it, as the job does.
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

	fresh, err := s.endPointless(ctx, a, false, open)
	if err != nil {
		return err
	}

	r, err := s.read(ctx, a)
	if err != nil {
		return s.providerError(ctx, "read applicant", err)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		now, err := bySubject(ctx, tx, a.Subject)
		if err != nil {
			return err
		}

		if now.Version == a.Version { // else a job has read the provider, perhaps later
			if now, _, err = s.settle(ctx, tx, now, r, fresh); err != nil {
				return err
			}
		}

		return done(tx, now)
	})
}

// read reads the review of an applicant from the provider.
func (s *Service) read(ctx context.Context, a Applicant) (provider.Review, error) {
	r, err := s.config.Provider.Applicant(ctx, a.ApplicantID)
	if err == nil {
		err = s.check(a, r)
	}

	return r, err
}

// correct sends the provider a correction of an applicant's details, and writes the same to the organisation: who is
// verified must be who pays. A second call with the same details changes nothing more.
//
// It is allowed while documents can still be handed in. The provider is asked whether that is so, because the event
// that documents were handed in may not have arrived yet.
func (s *Service) correct(ctx context.Context, a Applicant, orgID string, info FixedInfo) error {
	kind, err := s.kindAt(ctx, a)
	if err != nil {
		return err
	}

	fields, ours, err := s.fields(info, kind, s.db.Now())
	if err != nil || len(fields) == 0 {
		return err
	}

	r, err := s.read(ctx, a)
	if err != nil {
		return s.providerError(ctx, "read applicant", err)
	}

	status, understood := a.meaning(r)
	a.Status = status
	a.review = reviewOf(r)

	if !understood || status == organisation.Submitted || a.ended() {
		return fault.New(fault.Conflict, fault.ApplicantFixed,
			"The details cannot be changed any more: the provider is reviewing them, or has answered.")
	}

	if err := s.config.Provider.UpdateInfo(ctx, kind, a.ApplicantID, fields); err != nil {
		return s.providerError(ctx, "update applicant", err)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		trail.Audit(ctx, tx, orgID, "idv.info", a.Subject, "corrected what was given")

		if a.Kind == provider.User {
			return nil
		}

		return s.config.Correct(ctx, tx, a.Subject, ours)
	})
}

// kindAt returns what an applicant is to the provider.
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

// widgetToken is a token for the provider's widget and the applicant that it opens.
type widgetToken struct {
	Token     provider.Token
	Applicant Applicant
}

// token has the provider issue a widget token, and creates the applicant first if there is none. A rejected applicant
// gets a token only if documents may be handed in again. The token opens the applicant at the provider, so it is not
// stored here.
func (s *Service) token(ctx context.Context, find finder, done func(tx *db.Tx, t widgetToken) error) error {
	sub, err := find(ctx, s.db)
	if err != nil {
		return err
	}

	var a Applicant
	if err := s.register(ctx, find, func(_ *db.Tx, created Applicant) error { a = created; return nil }); err != nil {
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
	if a.Status == organisation.Approved { // another level would end the approval
		level = a.Level
	}

	t, err := s.config.Provider.Token(ctx, a.Subject, level, s.config.Lifetime)
	if err != nil {
		return s.providerError(ctx, "widget token", err)
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		a, err := bySubject(ctx, tx, sub.id)
		if err != nil {
			return err
		}

		a.Level = level
		a.watchUntil = tx.Now.Add(watchTime)
		a = update(tx, a)
		trail.Audit(ctx, tx, sub.organisation, "idv.token", a.Subject, level)

		return done(tx, widgetToken{t, a})
	})
}

// Refused returns how many webhooks were refused since the process began, for a wrong signature or a source that is not
// the provider's.
func (s *Service) Refused() int64 { return s.refused.Load() }

func unavailable() error {
	return fault.New(fault.Unavailable, fault.UpstreamFailed,
		"The identity provider does not answer at the moment. Nothing was changed; try again.")
}

// providerError turns an error of the provider into the caller's answer. A refusal gets an answer of its own, because
// asking again does not help then.
func (s *Service) providerError(ctx context.Context, attempt string, err error) error {
	s.config.Log.WarnContext(ctx, "the identity provider failed",
		"attempt", attempt, "error", err.Error(), "requestId", caller.RequestOf(ctx).ID)

	if errors.Is(err, provider.ErrRefused) || errors.Is(err, provider.ErrNotFound) {
		return fault.New(fault.Conflict, fault.ProviderRefused,
			"The identity provider refused the request. Correct the details, or ask the platform's support.")
	}

	return unavailable()
}
