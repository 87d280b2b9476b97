package receiver

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// Person is what identifies a receiver, a person or a company. A field that is left out stays as it is; an empty text
// clears it.
type Person struct {
	FirstName   *string    `json:"firstName,omitempty" maxLength:"70"`
	MiddleName  *string    `json:"middleName,omitempty" maxLength:"70"`
	LastName    *string    `json:"lastName,omitempty" maxLength:"70"`
	LegalName   *string    `json:"legalName,omitempty" maxLength:"140"`
	TaxID       *string    `json:"taxId,omitempty" maxLength:"40" doc:"as the country of the receiver writes it"`
	PhoneNumber *string    `json:"phoneNumber,omitempty" maxLength:"32" pattern:"^\\+?[0-9 ()./-]+$" patternDescription:"is not a telephone number"`
	Address     *Address   `json:"address,omitempty"`
	Country     *string    `json:"countryIsoCode,omitempty" pattern:"^[A-Z]{2}$" patternDescription:"must be two capital letters (ISO 3166-1 alpha-2)" doc:"ISO 3166-1 alpha-2"`
	DateOfBirth *time.Time `json:"dateOfBirth,omitempty" doc:"of an INDIVIDUAL"`
}

// Details are the optional fields of both bodies.
type Details struct {
	Person
	IsHidden *bool `json:"isHidden,omitempty" doc:"left out of lists"`
}

// CreateBody is the body of POST /receivers.
type CreateBody struct {
	Type  Type   `json:"type" enum:"INDIVIDUAL,COMPANY" doc:"INDIVIDUAL needs firstName and lastName, COMPANY legalName"`
	Email string `json:"email" maxLength:"254"`
	Details
}

// ChangeBody is the body of PATCH /receivers/{id}.
type ChangeBody struct {
	Type  *Type   `json:"type,omitempty" enum:"INDIVIDUAL,COMPANY" doc:"INDIVIDUAL needs firstName and lastName, COMPANY legalName"`
	Email *string `json:"email,omitempty" maxLength:"254"`
	Details
}

func put(into *string, from *string) {
	if from != nil {
		*into = strings.TrimSpace(*from)
	}
}

// Apply writes what was given into the receiver.
func (d Person) Apply(r *Receiver) {
	put(&r.FirstName, d.FirstName)
	put(&r.MiddleName, d.MiddleName)
	put(&r.LastName, d.LastName)
	put(&r.LegalName, d.LegalName)
	put(&r.TaxID, d.TaxID)
	put(&r.Phone, d.PhoneNumber)
	put(&r.Country, d.Country)

	if d.Address != nil {
		r.Address = *d.Address
	}

	if d.DateOfBirth != nil {
		r.BirthDate = d.DateOfBirth.UTC()
		r.HasBirth = true
	}
}

// Apply writes what was given into the receiver.
func (d Details) Apply(r *Receiver) {
	d.Person.Apply(r)

	if d.IsHidden != nil {
		r.Hidden = *d.IsHidden
	}
}

// Receiver makes the record that the body asks for.
func (b CreateBody) Receiver(organisation, owner string) Receiver {
	r := Receiver{Organisation: organisation, Owner: owner, Type: b.Type, Email: strings.TrimSpace(b.Email)}
	b.Details.Apply(&r)
	return r
}

type createIn struct{ Body CreateBody }

type byID struct {
	ID string `path:"id" maxLength:"64"`
}

type changeIn struct {
	byID
	Body ChangeBody
}

type listIn struct {
	web.Paging
	PaymentType string `query:"paymentType" enum:"FIAT,CRYPTO" doc:"FIAT: has a usable bank account; CRYPTO: has a usable wallet"`
	IsSelf      *bool  `query:"isSelf" doc:"true: only the organisation's own; false: without it"`
	IsHidden    *bool  `query:"isHidden" doc:"true includes hidden ones; they are left out otherwise"`
	Direction   int    `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
}

// Routes registers the operations of receivers.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary string, codes ...fault.Code) web.Operation {
		o := web.Operation{
			Method:  method,
			Path:    path,
			ID:      id,
			Summary: summary,
			Tag:     "receivers",
			Access:  web.Tenant,
			Codes:   codes,
		}
		if method != "GET" {
			o.Roles = organisation.Writers()
		}

		return o
	}

	create := op("POST", "/receivers", "createReceiver", "Add a receiver", fault.OrgNotApproved, fault.CountryUnknown)
	create.Status = 201
	web.Register(api, create, s.create)
	web.Register(api, op("GET", "/receivers/me", "listReceivers", "List the organisation's receivers"), s.list)
	web.Register(api, op("GET", "/receivers/self", "readSelfReceiver", "Read the organisation's own receiver"), s.self)
	web.Register(api, op("GET", "/receivers/{id}", "readReceiver", "Read a receiver"), s.read)

	change := op(
		"PATCH",
		"/receivers/{id}",
		"changeReceiver",
		"Change a receiver",
		fault.ReceiverSelf,
		fault.CountryUnknown,
	)

	change.StepUp = true // its address is where changes of its bank accounts are told
	web.Register(api, change, s.change)

	web.Register(
		api,
		op("DELETE", "/receivers/{id}", "deleteReceiver", "Take a receiver out of use", fault.ReceiverSelf),
		s.remove,
	)
}

func same(v View) View { return v }

func (s *Service) create(ctx context.Context, in *createIn) (*View, error) {
	p := caller.Of(ctx)

	return web.Once(ctx, 201, same, func(done func(*db.Tx, View) error) error {
		return s.Create(ctx, in.Body.Receiver(p.Organisation, p.User), done)
	})
}

func (s *Service) change(ctx context.Context, in *changeIn) (*View, error) {
	edit := func(r *Receiver) {
		if in.Body.Type != nil && *in.Body.Type != "" {
			r.Type = *in.Body.Type
		}

		put(&r.Email, in.Body.Email)
		in.Body.Details.Apply(r)
	}

	return web.Once(ctx, 200, same, func(done func(*db.Tx, View) error) error {
		return s.Change(ctx, caller.Of(ctx).Organisation, in.ID, edit, done)
	})
}

func (s *Service) remove(ctx context.Context, in *byID) (*View, error) {
	return web.Once(ctx, 200, same, func(done func(*db.Tx, View) error) error {
		return s.Delete(ctx, caller.Of(ctx).Organisation, in.ID, done)
	})
}

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	return s.show(ctx, func(q db.Querier, org string) (Receiver, error) { return ByID(ctx, q, org, in.ID) })
}

func (s *Service) self(ctx context.Context, _ *struct{}) (*View, error) {
	return s.show(ctx, func(q db.Querier, org string) (Receiver, error) { return Self(ctx, q, org) })
}

func (s *Service) show(ctx context.Context, find func(q db.Querier, org string) (Receiver, error)) (*View, error) {
	org := caller.Of(ctx).Organisation

	r, err := find(s.deps.DB, org)
	if err != nil {
		return nil, err
	}

	views, err := s.views(ctx, s.deps.DB, org, []Receiver{r})
	if err != nil {
		return nil, err
	}

	return &views[0], nil
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	page, err := in.Window()
	if err != nil {
		return nil, err
	}

	org := caller.Of(ctx).Organisation

	var out web.List[View]
	err = s.deps.DB.Snapshot(ctx, func(q db.Querier) error {
		rows, total, err := list(ctx, q, s.where(in, org), page, in.Direction > 0)
		if err != nil {
			return err
		}

		rows, next := caller.Cut(rows, page, func(r Receiver) string { return r.ID })
		views, err := s.views(ctx, q, org, rows)
		out = web.NewList(views, total, next)

		return err
	})

	return &out, err
}

func (s *Service) where(in *listIn, org string) db.Where {
	var w db.Where
	w.And("organisation = ?", org)
	w.And("deleted_at = 0")

	if in.IsHidden == nil || !*in.IsHidden {
		w.And("NOT is_hidden")
	}

	if in.IsSelf != nil && *in.IsSelf {
		w.And("is_self")
	} else if in.IsSelf != nil {
		w.And("NOT is_self")
	}

	usable := map[string]func(time.Time) (string, []any){
		"FIAT":   s.deps.BankAccounts.Usable,
		"CRYPTO": s.deps.Wallets.Usable,
	}
	if f, asked := usable[in.PaymentType]; asked && f == nil {
		w.And("1 = 0") // the noun is not there, so nobody has one
	} else if asked {
		condition, args := f(s.deps.DB.Now())
		w.And(condition, args...)
	}

	return w
}

func sorted(s []string) []string {
	slices.Sort(s)
	return s
}
