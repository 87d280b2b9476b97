package user

import (
	"context"
	"errors"
	"regexp"
	"slices"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/record"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Country is what the directory knows about a country: the code that is stored and what clients see.
type Country struct {
	Code string // ISO 3166-1 alpha-2
	View record.Country
}

// Countries returns a country by its ISO 3166-1 alpha-2 code or its identifier, or db.ErrNone.
type Countries func(ctx context.Context, q db.Querier, ref string) (Country, error)

// Membership is one line of a user's organisations.
type Membership struct {
	Organisation string   `json:"_id"`
	Name         string   `json:"name"`
	Role         string   `json:"role" doc:"the strongest of roles; empty: none"`
	Roles        []string `json:"roles"`
	UserType     string   `json:"userType" doc:"authorized: may accept transactions"`
}

// Config is what users need from the rest of the program.
type Config struct {
	DB *db.DB
	// Countries finds countries; nil: any two letters pass, and only the code is shown.
	Countries Countries
	// Memberships is organisation.MembershipsOf.
	Memberships func(ctx context.Context, q db.Querier, user string) ([]Membership, error)
	// TwoFactor reports whether a user has a second factor; nil: nobody has.
	TwoFactor func(ctx context.Context, q db.Querier, user string) (bool, error)
	// Onboarding returns the verification status of a person and of the organisation acted for; nil: "" for both.
	Onboarding func(ctx context.Context, q db.Querier, user, organisation string) (person, company string, err error)
	// Changed is called after the commit of a change that may matter to tokens; may be nil.
	Changed func(user string)
}

// Service holds the use cases of users.
type Service struct {
	db          *db.DB
	countries   Countries
	memberships func(ctx context.Context, q db.Querier, user string) ([]Membership, error)
	changed     func(user string)
	twoFactor   func(ctx context.Context, q db.Querier, user string) (bool, error)
	onboarding  func(ctx context.Context, q db.Querier, user, organisation string) (person, company string, err error)
}

// New returns the service.
func New(c Config) *Service {
	s := &Service{
		db:          c.DB,
		countries:   c.Countries,
		memberships: c.Memberships,
		changed:     c.Changed,
		twoFactor:   c.TwoFactor,
		onboarding:  c.Onboarding,
	}
	if s.countries == nil {
		s.countries = anyCountry
	}

	if s.memberships == nil {
		s.memberships = func(context.Context, db.Querier, string) ([]Membership, error) { return nil, nil }
	}

	if s.twoFactor == nil {
		s.twoFactor = func(context.Context, db.Querier, string) (bool, error) { return false, nil }
	}

	if s.onboarding == nil {
		s.onboarding = func(context.Context, db.Querier, string, string) (person, company string, err error) {
			return "", "", nil
		}
	}

	if s.changed == nil {
		s.changed = func(string) {}
	}

	return s
}

var alpha2 = regexp.MustCompile(`^[A-Z]{2}$`)

// anyCountry is Countries without a directory.
func anyCountry(_ context.Context, _ db.Querier, ref string) (Country, error) {
	if !alpha2.MatchString(ref) {
		return Country{}, db.ErrNone
	}

	return Country{Code: ref, View: record.Country{ID: ref, Name: ref, Alpha2: ref, Rails: []record.RailRef{}}}, nil
}

// Resolve returns the code of the country that a request field names. If there is none, it adds that to l. An error is
// internal.
func (find Countries) Resolve(ctx context.Context, q db.Querier, l *fault.List, pointer, ref string) (string, error) {
	if find == nil {
		find = anyCountry
	}

	if len(ref) > 64 || !visibleASCII(ref) {
		l.Add(pointer, fault.CountryUnknown, "is not a country this service knows.")
		return "", nil
	}

	c, err := find(ctx, q, ref)
	if errors.Is(err, db.ErrNone) || fault.Is(err, fault.CountryUnknown) || fault.Is(err, fault.NotFoundCode) {
		l.Add(pointer, fault.CountryUnknown, "is not a country this service knows.")
		return "", nil
	}

	return c.Code, err
}

// Show returns the Country of a stored code as records show it; nil for none.
func (find Countries) Show(ctx context.Context, q db.Querier, code string) (*record.Country, error) {
	if code == "" {
		return nil, nil
	}

	if find == nil {
		find = anyCountry
	}

	c, err := find(ctx, q, code)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}

	return &c.View, err
}

// Ref names the country of a stored code; nil for none.
func (find Countries) Ref(ctx context.Context, q db.Querier, code string) (*record.CountryRef, error) {
	c, err := find.Show(ctx, q, code)
	if c == nil || err != nil {
		return nil, err
	}

	ref := c.Ref()

	return &ref, nil
}

// Create writes a new, active user in the caller's transaction and returns it. The caller has checked the person and
// looked for the address with ByEmail. If another account has it by then, the write fails with a unique violation of
// table users (db.IsUnique).
func Create(ctx context.Context, tx *db.Tx, p Person) User {
	u := User{
		ID:             id.New(Prefix, tx.Now),
		Email:          p.Email,
		FirstName:      p.FirstName,
		LastName:       p.LastName,
		IsAccountSetup: true,
		IsActive:       true,
		Version:        1,
		CreatedAt:      tx.Now,
		UpdatedAt:      tx.Now,
	}
	insert(tx, u)
	trail.Audit(ctx, tx, "", "user.created", u.ID, "")

	return u
}

// change writes changes to one user. It calls done with the result in the same transaction.
func (s *Service) change(ctx context.Context, userID string, c Changes, done func(tx *db.Tx, u User) error) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		u, err := ByID(ctx, tx, userID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, u.Version); err != nil {
			return err
		}

		checked, err := s.checked(ctx, tx, c)
		if err != nil {
			return err
		}

		next := checked.apply(u)
		if next.equal(u) {
			return done(tx, u)
		}

		u = save(ctx, tx, next, "user.changed", "")
		tx.OnCommit(func() { s.changed(u.ID) })

		return done(tx, u)
	})
}

// checked returns a checked copy of c: a write body may run twice and must find its input unchanged.
func (s *Service) checked(ctx context.Context, tx *db.Tx, c Changes) (Changes, error) {
	l := caller.Faults(ctx)

	var failed error

	c = c.clone()
	c.check(&l, tx.Now, func(pointer, ref string) string {
		code, err := s.countries.Resolve(ctx, tx, &l, pointer, ref)
		failed = errors.Join(failed, err)
		return code
	})

	return c, errors.Join(failed, l.Err())
}

// clone returns a copy that shares nothing with c.
func (c Changes) clone() Changes {
	for _, p := range []**string{
		&c.FirstName,
		&c.LastName,
		&c.Address,
		&c.PhoneNumber,
		&c.MessagingHandle,
		&c.Country,
		&c.DateOfBirth,
	} {
		if *p != nil {
			s := **p
			*p = &s
		}
	}

	c.Citizenship = slices.Clone(c.Citizenship)

	return c
}
