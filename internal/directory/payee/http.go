package payee

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type createIn struct{ Body receiver.CreateBody }

type byID struct {
	ID string `path:"id" maxLength:"64"`
}

type changeIn struct {
	byID
	Body receiver.ChangeBody
}

type listIn struct {
	web.Paging
	PaymentType string   `query:"paymentType" enum:"FIAT,CRYPTO" doc:"FIAT: has a usable bank account; CRYPTO: has a usable wallet"`
	IsSelf      *bool    `query:"isSelf" doc:"true: only the organisation's own; false: without it"`
	IsHidden    *bool    `query:"isHidden" doc:"true includes hidden ones; they are left out otherwise"`
	Type        string   `query:"type" enum:"INDIVIDUAL,COMPANY" doc:"only persons, or only companies"`
	Countries   []string `query:"countryIsoCode[]" maxItems:"50" pattern:"^[A-Z]{2}$" patternDescription:"must be two capital letters" doc:"only those of these countries"`
	SearchTerm  string   `query:"searchTerm" maxLength:"200" doc:"words, each of which is part of a name, the e-mail address or the id; or the number of a bank account, whole or its last four characters"`
	Direction   int      `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
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
	create.Location = "/receivers/{id}"
	create.Stages = true
	web.Register(api, create, s.create)
	web.Register(api, op("GET", "/receivers/me", "listReceivers", "List the organisation's receivers"), s.list)
	web.Register(api, op("GET", "/receivers/self", "readSelfReceiver", "Read the organisation's own receiver"), s.self)
	web.Register(api, op("GET", "/receivers/{id}", "readReceiver", "Read a receiver"), s.read)
	api.Shows("receiver", s.referred)

	change := op(
		"PATCH",
		"/receivers/{id}",
		"changeReceiver",
		"Change a receiver",
		fault.ReceiverSelf,
		fault.CountryUnknown,
	)

	change.Stages = true
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
		return s.Receivers.Create(
			ctx,
			in.Body.Receiver(p.Organisation, p.User),
			func(tx *db.Tx, r receiver.Receiver) error {
				return s.finish(ctx, tx, r, done)
			},
		)
	})
}

func (s *Service) change(ctx context.Context, in *changeIn) (*View, error) {
	return s.written(ctx, func(organisation string, done func(*db.Tx, receiver.Receiver) error) error {
		return s.Receivers.Change(ctx, organisation, in.ID, in.Body.Apply, done)
	})
}

func (s *Service) remove(ctx context.Context, in *byID) (*View, error) {
	return s.written(ctx, func(organisation string, done func(*db.Tx, receiver.Receiver) error) error {
		return s.Receivers.Delete(ctx, organisation, in.ID, done)
	})
}

// written answers with what a use case has made of a receiver, as it stands at the end of its write.
func (s *Service) written(
	ctx context.Context,
	run func(organisation string, done func(*db.Tx, receiver.Receiver) error) error,
) (*View, error) {
	organisation := caller.Of(ctx).Organisation

	return web.Once(ctx, 200, same, func(done func(*db.Tx, View) error) error {
		return run(organisation, func(tx *db.Tx, r receiver.Receiver) error {
			return s.finish(ctx, tx, r, done)
		})
	})
}

// finish passes the answer to done, at the end of a write body.
func (s *Service) finish(ctx context.Context, tx *db.Tx, r receiver.Receiver, done func(*db.Tx, View) error) error {
	views, err := s.Views(ctx, tx, r.Organisation, []receiver.Receiver{r}, tx.Now)
	if err != nil {
		return err
	}

	return done(tx, views[0])
}

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	organisation := caller.Of(ctx).Organisation
	r, err := receiver.ByID(ctx, s.DB, organisation, in.ID)

	return s.shown(ctx, organisation, r, err)
}

// referred returns a receiver as requests may refer to it: with the code of its country too, as requests that make one
// and the copies in payments have it.
func (s *Service) referred(ctx context.Context, id string) (any, error) {
	type withCode struct {
		View
		CountryCode string `json:"countryIsoCode,omitempty"`
	}

	v, err := s.read(ctx, &byID{ID: id})
	if err != nil {
		return nil, err
	}

	out := withCode{View: *v}
	if v.Country != nil {
		out.CountryCode = v.Country.Alpha2
	}

	return out, nil
}

func (s *Service) self(ctx context.Context, _ *struct{}) (*View, error) {
	organisation := caller.Of(ctx).Organisation
	r, err := receiver.Self(ctx, s.DB, organisation)

	return s.shown(ctx, organisation, r, err)
}

func (s *Service) shown(ctx context.Context, organisation string, r receiver.Receiver, err error) (*View, error) {
	if err != nil {
		return nil, err
	}

	return web.Only(s.Views(ctx, s.DB, organisation, []receiver.Receiver{r}, s.DB.Now()))
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	f := receiver.Filter{
		Organisation: caller.Of(ctx).Organisation,
		Self:         in.IsSelf,
		Hidden:       in.IsHidden != nil && *in.IsHidden,
		Search:       in.SearchTerm,
		OrHas:        bankaccount.ReceiverNumbered(s.DB, caller.Of(ctx).Organisation, in.SearchTerm),
		Type:         in.Type,
		Countries:    in.Countries,
		Ascending:    in.Direction > 0,
	}
	switch in.PaymentType {
	case "FIAT":
		f.Has, f.HasArgs = bankaccount.ReceiverUsable(s.DB.Now())
	case "CRYPTO":
		f.Has, f.HasArgs = wallet.ReceiverUsable(s.DB.Now())
	}

	type rows = []receiver.Receiver

	return web.ListOf(ctx, s.DB, in.Paging, func(q db.Querier, page caller.Window) (rows, int64, error) {
		return receiver.List(ctx, q, f, page)
	}, func(r receiver.Receiver) string { return r.ID }, func(q db.Querier, all rows) ([]View, error) {
		return s.Views(ctx, q, f.Organisation, all, s.DB.Now())
	})
}
