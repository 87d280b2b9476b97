package organisation

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"reflect"
	"slices"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/record"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
)

// Sender is a bank account from which an organisation's deposits may come.
type Sender struct {
	ID            string `json:"_id"`
	Name          string `json:"name"`
	IBAN          string `json:"iban,omitempty"`
	AccountNumber string `json:"accountNumber,omitempty"`
	BankName      string `json:"bankName"`
	Country       string `json:"country"`
	IsVerified    bool   `json:"isVerified"`
}

// Belongings is what an organisation has elsewhere.
type Belongings struct {
	Wallets   []record.Wallet // of its own receiver
	Senders   []Sender        // bank accounts of its own receiver
	Documents []string        // keys of what it has uploaded, the newest first
}

// Config is what organisations need from the rest of the program. Everything but DB may be nil.
type Config struct {
	DB        *db.DB
	Countries user.Countries
	// OnCreate runs in the transaction that creates an organisation: the receiver noun creates the self-receiver there.
	// An error undoes the creation.
	OnCreate func(ctx context.Context, tx *db.Tx, o Organisation) error
	// OnRename runs in the transaction that renames an organisation: the receiver noun renames the self-receiver there.
	// An error undoes the change.
	OnRename func(ctx context.Context, tx *db.Tx, o Organisation) error
	// Pair returns the identifier of the trading pair that a client's reference names.
	Pair func(ref string) (id string, ok bool)
	// Belongings returns what belongs to organisations, by organisation.
	Belongings func(ctx context.Context, q db.Querier, organisations []string) (map[string]Belongings, error)
	// Levels returns the level at which each person is verified, by user.
	Levels func(ctx context.Context, q db.Querier, users []string) (map[string]string, error)
	// Changed is called after the commit of a change to a membership or organisation that matters to tokens. user is
	// empty if the change concerns all members.
	Changed func(user, organisation string)
	// Mail sends invitations; nil: the admin hands the token over.
	Mail *mail.Outbox
	// BaseURL begins the links in mails.
	BaseURL string
	// Verified returns what is known about the identity of a person who joins, or of an organisation. The zero value
	// means nothing is known.
	Verified func(ctx context.Context, q db.Querier, subject string) (Verified, error)
	// Approvals keeps what waits for a second admin; nil: the service creates its own.
	Approvals *approval.Service
	// Pays checks the default wallet and token of an organisation and puts both into their stored form. It adds to l
	// why payables cannot be paid with them. nil: there are neither wallets nor tokens.
	Pays func(ctx context.Context, q db.Querier, o *Organisation, l *fault.List) error
	// Paid returns a token of a code as it is shown; nil for one that there is not any more.
	Paid func(ctx context.Context, q db.Querier, code string) (*record.Token, error)
	// Currency reports whether a code is a currency or a token, for the limits of policies; nil: every code is.
	Currency func(code string) bool
	// Token reports whether a code is a token, for the daily caps of policies; nil: every code is.
	Token func(code string) bool
	// Fiat returns the ISO 4217 code of the currency that a client's reference names; nil: every reference is a code.
	Fiat func(ref string) (code string, ok bool)
}

// Service holds the use cases of organisations.
type Service struct {
	db     *db.DB
	config Config
}

// New returns the service and registers what its approvals do.
func New(c Config) *Service {
	c.setDefaults()

	s := &Service{db: c.DB, config: c}
	s.handleApprovals()

	return s
}

// setDefaults fills in what the caller left out: functions that do nothing and know nothing.
func (c *Config) setDefaults() {
	if c.OnCreate == nil {
		c.OnCreate = func(context.Context, *db.Tx, Organisation) error { return nil }
	}

	if c.OnRename == nil {
		c.OnRename = func(context.Context, *db.Tx, Organisation) error { return nil }
	}

	if c.Belongings == nil {
		c.Belongings = func(context.Context, db.Querier, []string) (map[string]Belongings, error) { return nil, nil }
	}

	if c.Levels == nil {
		c.Levels = func(context.Context, db.Querier, []string) (map[string]string, error) { return nil, nil }
	}

	if c.Pair == nil {
		c.Pair = func(string) (string, bool) { return "", false }
	}

	if c.Paid == nil {
		c.Paid = func(context.Context, db.Querier, string) (*record.Token, error) { return nil, nil }
	}

	if c.Changed == nil {
		c.Changed = func(string, string) {}
	}

	if c.Pays == nil {
		c.Pays = func(_ context.Context, _ db.Querier, o *Organisation, _ *fault.List) error {
			o.DefaultWallet = ""
			o.DefaultToken = ""
			return nil
		}
	}

	if c.Verified == nil {
		c.Verified = func(context.Context, db.Querier, string) (Verified, error) { return Verified{}, nil }
	}

	if c.Currency == nil {
		c.Currency = func(string) bool { return true }
	}

	if c.Token == nil {
		c.Token = func(string) bool { return true }
	}

	if c.Fiat == nil {
		c.Fiat = func(ref string) (string, bool) { return ref, true }
	}

	if c.Approvals == nil {
		c.Approvals = approval.New(approval.Deps{DB: c.DB, Is: Holds})
	}
}

// Create writes a PENDING organisation with its creator as authorized admin in the caller's transaction, and runs
// OnCreate there. Each call creates another organisation.
func (s *Service) Create(ctx context.Context, tx *db.Tx, creator user.User, n Details) (Organisation, Member, error) {
	l := caller.Faults(ctx)

	n, err := s.Check(ctx, tx, &l, n, tx.Now)
	if err == nil {
		err = l.Err()
	}

	if err != nil {
		return Organisation{}, Member{}, err
	}

	in, err := countMemberships(ctx, tx, creator.ID)
	if err != nil {
		return Organisation{}, Member{}, err
	}

	if in >= maxOrganisations {
		return Organisation{}, Member{}, fault.New(fault.Conflict, fault.OrganisationLimit,
			"A user may be in at most %d organisations.", maxOrganisations)
	}

	o := newOrganisation(tx, creator, n)
	insertOrganisation(tx, o)

	m, err := s.enrol(ctx, tx, newMember(tx, o.ID, creator.ID, Authorized, []string{Admin}))
	if err != nil {
		return o, m, err
	}

	trail.Audit(ctx, tx, o.ID, "organisation.created", o.ID, o.Type)
	tx.OnCommit(func() { s.config.Changed(creator.ID, o.ID) })

	return o, m, s.config.OnCreate(ctx, tx, o)
}

func newOrganisation(tx *db.Tx, creator user.User, n Details) Organisation {
	o := Organisation{
		ID:                    id.New(Prefix, tx.Now),
		Type:                  n.Type,
		Name:                  n.Name,
		FirstName:             n.FirstName,
		LastName:              n.LastName,
		DateOfBirth:           n.DateOfBirth,
		RegistrationNumber:    n.RegistrationNumber,
		ReferenceCode:         rand.Text()[:10],
		PayablesEmail:         n.PayablesEmail,
		Country:               n.Country,
		AddressLine1:          n.AddressLine1,
		PostCode:              n.PostCode,
		City:                  n.City,
		Onboarding:            Pending,
		TransactionValueLimit: "0",
		MinUSDPaymentAmount:   "0",
		CumulativeTotal:       "0",
		IsActive:              true,
		Risk:                  "LOW",
		CreatedBy:             creator.ID,
		Features:              []string{},
		Version:               1,
		CreatedAt:             tx.Now,
		UpdatedAt:             tx.Now,
	}

	if o.Name = n.CalledName(); o.Name == "" { // the self-receiver needs a name; it can be changed until documents are submitted
		o.Name = strings.TrimSpace(creator.FirstName + " " + creator.LastName)
	}

	return o
}

func newMember(tx *db.Tx, organisation, userID, userType string, roles []string) Member {
	return Member{
		ID:           id.New(memberPrefix, tx.Now),
		Organisation: organisation,
		User:         userID,
		UserType:     userType,
		Roles:        roles,
		Onboarding:   Pending,
		IsActive:     true,
		Version:      1,
		CreatedAt:    tx.Now,
		UpdatedAt:    tx.Now,
	}
}

// enrol writes a new member, with the onboarding status that the person has reached already.
func (s *Service) enrol(ctx context.Context, tx *db.Tx, m Member) (Member, error) {
	insertMember(tx, m)

	v, err := s.config.Verified(ctx, tx, m.User)
	if err != nil || v == (Verified{}) {
		return m, err
	}

	return v.applyTo(ctx, tx, m, "verified before")
}

// create is Create as a use case of its own.
func (s *Service) create(
	ctx context.Context, userID string, n Details, done func(tx *db.Tx, o Organisation) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		creator, err := user.ByID(ctx, tx, userID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("user")
		}

		if err != nil {
			return err
		}

		o, _, err := s.Create(ctx, tx, creator, n)
		if err != nil {
			return err
		}

		return done(tx, o)
	})
}

// change writes an admin's changes to the organisation.
func (s *Service) change(
	ctx context.Context, userID, orgID string, c Changes, done func(tx *db.Tx, o Organisation) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		o, _, err := ForAdmin(ctx, tx, orgID, userID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, o.Version); err != nil {
			return err
		}

		before := o

		l := caller.Faults(ctx)
		if o, err = c.apply(o, &l); err != nil {
			return err
		}

		if o.HomeCurrency != before.HomeCurrency {
			if err := s.checkHome(&o); err != nil {
				return err
			}
		}

		if err := s.mayRename(ctx, tx, o, before.Name); err != nil {
			return err
		}

		if c.DefaultWallet != nil || c.DefaultToken != nil {
			if err := s.config.Pays(ctx, tx, &o, &l); err != nil {
				return err
			}
		}

		if err := l.Err(); err != nil {
			return err
		}

		if reflect.DeepEqual(o, before) {
			return done(tx, o)
		}

		o.Version++
		o.UpdatedAt = tx.Now
		writeOrganisation(tx, o, before.Version)
		trail.Audit(ctx, tx, o.ID, "organisation.changed", o.ID, "")
		tx.OnCommit(func() { s.config.Changed("", o.ID) })

		if o.Name != before.Name {
			if err := s.config.OnRename(ctx, tx, o); err != nil {
				return err
			}
		}

		return done(tx, o)
	})
}

// checkHome puts the home currency into its stored form, or refuses it.
func (s *Service) checkHome(o *Organisation) error {
	var l fault.List

	code, ok := s.config.Fiat(o.HomeCurrency)
	if !ok && o.HomeCurrency != "" {
		l.Add("/homeCurrency", fault.CurrencyUnknown, "is not a currency.")
	}

	o.HomeCurrency = code

	return l.Err()
}

// ForMember returns an organisation and the membership of one of its active members; others get NOT_FOUND. An API
// client gets the organisation that it acts for and no other, whatever others its person is in.
func ForMember(ctx context.Context, q db.Querier, orgID, userID string) (Organisation, Member, error) {
	if p := caller.Of(ctx); !p.MayActIn(orgID) {
		return Organisation{}, Member{}, fault.Missing("organisation")
	}

	m, err := MemberOf(ctx, q, orgID, userID)
	if err == nil && !m.IsActive {
		err = fault.Missing("organisation")
	}

	if err != nil {
		return Organisation{}, m, err
	}

	o, err := ByID(ctx, q, orgID)

	return o, m, err
}

// ForAdmin is ForMember for operations that only admins of an active organisation may use.
func ForAdmin(ctx context.Context, q db.Querier, orgID, userID string) (Organisation, Member, error) {
	o, m, err := ForMember(ctx, q, orgID, userID)
	if err == nil {
		err = mayAdminister(m, o.IsActive)
	}

	return o, m, err
}

// mayAdminister returns why a member may not use what only admins of an active organisation may, or nil.
func mayAdminister(m Member, active bool) error {
	switch {
	case !active:
		return fault.New(fault.Forbidden, fault.AccountInactive, "The organisation has been switched off.")
	case !m.Is(Admin):
		return fault.New(fault.Forbidden, fault.RoleRequired, "Only an admin of the organisation may do this.")
	}

	return nil
}

// mayRename refuses to rename an organisation whose name the identity provider was told: it would be verified under one
// name and pay under another.
func (s *Service) mayRename(ctx context.Context, q db.Querier, o Organisation, oldName string) error {
	if o.Name == oldName {
		return nil
	}

	v, err := s.config.Verified(ctx, q, o.ID)
	if err != nil || v == (Verified{}) {
		return err
	}

	if v.ApplicantID == "" { // the provider was asked, and its answer was lost
		return fault.New(fault.Conflict, fault.OrganisationNameFixed,
			"The identity provider may have been told the name. Finish with POST /idv/companies first.")
	}

	return fault.New(
		fault.Conflict,
		fault.OrganisationNameFixed,
		"The identity provider was told the name. Correct it there and here with POST /idv/update-applicant-info/%s.",
		v.ApplicantID,
	)
}

// Correction corrects the details of an organisation. Empty fields stay as they are; Country is an ISO 3166-1 alpha-2
// code.
type Correction struct{ Name, RegistrationNumber, FirstName, LastName, DateOfBirth, Country string }

// Correct writes a correction that the identity provider has taken, too. The caller has checked its texts.
func (s *Service) Correct(ctx context.Context, tx *db.Tx, orgID string, c Correction) error {
	o, err := ByID(ctx, tx, orgID)
	if err != nil || c == (Correction{}) {
		return err
	}

	namedAfterPerson := o.Type == TypeHNWI && o.Name == o.FirstName+" "+o.LastName

	o.Name = cmp.Or(c.Name, o.Name)
	o.RegistrationNumber = cmp.Or(c.RegistrationNumber, o.RegistrationNumber)
	o.FirstName = cmp.Or(c.FirstName, o.FirstName)
	o.LastName = cmp.Or(c.LastName, o.LastName)
	o.DateOfBirth = cmp.Or(c.DateOfBirth, o.DateOfBirth)
	o.Country = cmp.Or(c.Country, o.Country)

	if namedAfterPerson {
		o.Name = o.FirstName + " " + o.LastName
	}

	o.Version++
	o.UpdatedAt = tx.Now
	writeCorrection(tx, o)
	trail.Audit(ctx, tx, o.ID, "organisation.corrected", o.ID, o.Name)

	return s.config.OnRename(ctx, tx, o)
}

// MembershipsOf returns the active organisations that a user is an active member of, oldest membership first. An API
// client gets the one that it acts for.
func MembershipsOf(ctx context.Context, q db.Querier, userID string) ([]user.Membership, error) {
	rows, err := membershipRows(ctx, q, userID)
	if err != nil {
		return nil, err
	}

	p := caller.Of(ctx)
	rows = slices.DeleteFunc(rows, func(r membership) bool { return !p.MayActIn(r.organisation) })

	out := make([]user.Membership, len(rows))

	for i, r := range rows {
		m := Member{Roles: db.Words(r.roles)}

		out[i] = user.Membership{
			Organisation: r.organisation,
			Name:         r.name,
			Role:         m.role(),
			Roles:        m.Roles,
			UserType:     r.userType,
		}
	}

	return out, nil
}
