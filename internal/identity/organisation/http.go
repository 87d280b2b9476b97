package organisation

import (
	"context"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type idInput struct {
	ID string `path:"id"`
}

type createInput struct {
	Body struct {
		OrganisationType   string               `json:"organisationType" enum:"Organisation,HNWI" doc:"HNWI: an individual, who sends firstName, lastName and dateOfBirth"`
		Name               string               `json:"name,omitempty" maxLength:"200" doc:"legal name; fixed once documents are submitted"`
		FirstName          string               `json:"firstName,omitempty" maxLength:"100"`
		LastName           string               `json:"lastName,omitempty" maxLength:"100"`
		DateOfBirth        string               `json:"dateOfBirth,omitempty" maxLength:"40" doc:"a day or date-time" example:"1980-05-17"`
		RegistrationNumber string               `json:"registrationNumber,omitempty" maxLength:"64" doc:"of the commercial register"`
		Country            string               `json:"country,omitempty" maxLength:"64" doc:"ISO 3166-1 alpha-2 code or identifier"`
		Address            *OrganisationAddress `json:"address,omitempty"`
		PayablesEmail      string               `json:"payablesEmail,omitempty" maxLength:"254" doc:"where invoices are sent to"`
	}
}

type changeInput struct {
	ID   string `path:"id"`
	Body struct {
		Name                  *string     `json:"name,omitempty" nullable:"false" maxLength:"200" doc:"legal name; fixed once documents are submitted"`
		PayablesEmail         *string     `json:"payablesEmail,omitempty" maxLength:"254" doc:"where invoices are sent to"`
		RequireIdempotencyKey *bool       `json:"requireIdempotencyKey,omitempty" doc:"refuse requests that move money without the header Idempotency-Key"`
		QuoteHeadroomPercent  *string     `json:"quoteHeadroomPercent,omitempty" maxLength:"8" doc:"by how many percent wallets approve more than a FIAT transaction costs, 0 to 5, so that a rate that moves needs no second signature; empty: what the deployment has set. The debit is exact all the same" example:"1.5"`
		DefaultWallet         *caller.Ref `json:"defaultWallet,omitempty" record:"wallet" doc:"a wallet of the organisation's own receiver: payables are paid from it; empty: none"`
		DefaultToken          *caller.Ref `json:"defaultToken,omitempty" record:"token" doc:"identifier or symbol of the token that payables are paid with where a request names none; empty: none"`
		HomeCurrency          *caller.Ref `json:"homeCurrency,omitempty" record:"currency" doc:"identifier or code of the currency of the organisation's books: exports and invoices state values in it; empty: the operator's currency"`
		TimeZone              *string     `json:"timeZone,omitempty" maxLength:"64" example:"Europe/Zurich" doc:"IANA name of the time zone in which the days of the organisation's books are; empty: that of its country"`
		TaxID                 *string     `json:"taxId,omitempty" maxLength:"64" doc:"the organisation's tax number, for invoices to it; empty: none"`
		VATID                 *string     `json:"vatId,omitempty" maxLength:"32" doc:"the organisation's VAT identification number, for invoices to it; empty: none" example:"DE123456789"`
	}
}

type listInput struct {
	web.Paging
	Direction int `query:"direction" enum:"-1,1" default:"-1" doc:"-1: newest first"`
}

// Routes registers the operations of organisations and members.
func (s *Service) Routes(api *web.API) {
	s.auditRoute(api)
	s.policyRoutes(api)
	s.organisationRoutes(api)
	s.memberRoutes(api)
	s.invitationRoutes(api)
}

func (s *Service) organisationRoutes(api *web.API) {
	web.Register(api, web.Operation{
		Method:      "POST",
		Path:        "/organisations/create",
		ID:          "createOrganisation",
		Tag:         "organisations",
		Access:      web.Bearer,
		Status:      201,
		Location:    "/organisations/{id}",
		Stages:      true,
		PeopleOnly:  true,
		Summary:     "Create an organisation",
		Description: "It starts PENDING with its self-receiver; the caller becomes its admin and an authorized member.",
		Codes:       []fault.Code{fault.CountryUnknown, fault.OrganisationLimit},
	}, s.handleCreate)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/me",
		ID:      "listMyOrganisations",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "The caller's organisations",
	}, s.handleList)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/{id}",
		ID:      "getOrganisation",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "One organisation",
	}, s.handleGet)

	web.Register(api, web.Operation{
		Method:      "PATCH",
		Path:        "/organisations/{id}",
		ID:          "changeOrganisation",
		Tag:         "organisations",
		Access:      web.Bearer,
		Summary:     "Change an organisation",
		Stages:      true,
		Description: "For its admins. Fields that are left out stay as they are.",
		Codes:       []fault.Code{fault.RoleRequired, fault.OrganisationNameFixed, fault.CurrencyUnknown},
	}, s.handleChange)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/organisations/{id}/senders-info",
		ID:      "getSendersInfo",
		Tag:     "organisations",
		Access:  web.Bearer,
		Summary: "From whose bank accounts deposits may come",
	}, s.handleSenders)
}

func (s *Service) handleCreate(ctx context.Context, in *createInput) (*OrganisationView, error) {
	b := in.Body

	n := Details{
		Type:               b.OrganisationType,
		Name:               b.Name,
		FirstName:          b.FirstName,
		LastName:           b.LastName,
		DateOfBirth:        b.DateOfBirth,
		RegistrationNumber: b.RegistrationNumber,
		PayablesEmail:      b.PayablesEmail,
		Country:            b.Country,
	}
	if a := b.Address; a != nil {
		n.AddressLine1 = a.AddressLine1
		n.PostCode = a.PostCode
		n.City = a.City
	}

	return s.once(ctx, 201, func(done func(*db.Tx, Organisation) error) error {
		return s.create(ctx, caller.Of(ctx).User, n, done)
	})
}

func (s *Service) handleChange(ctx context.Context, in *changeInput) (*OrganisationView, error) {
	c := Changes{
		Name:          in.Body.Name,
		PayablesEmail: in.Body.PayablesEmail,
		RequireKey:    in.Body.RequireIdempotencyKey,
		Headroom:      in.Body.QuoteHeadroomPercent,
		DefaultWallet: (*string)(in.Body.DefaultWallet),
		DefaultToken:  (*string)(in.Body.DefaultToken),
		HomeCurrency:  (*string)(in.Body.HomeCurrency),
		TimeZone:      in.Body.TimeZone,
		TaxID:         in.Body.TaxID,
		VATID:         in.Body.VATID,
	}

	return s.once(ctx, 200, func(done func(*db.Tx, Organisation) error) error {
		return s.change(ctx, caller.Of(ctx).User, in.ID, c, done)
	})
}

// once runs a use case that ends with an organisation and shows the organisation as of that transaction.
func (s *Service) once(
	ctx context.Context, status int, run func(done func(*db.Tx, Organisation) error) error,
) (*OrganisationView, error) {
	asIs := func(v OrganisationView) OrganisationView { return v }

	return web.Once(ctx, status, asIs, func(done func(*db.Tx, OrganisationView) error) error {
		return run(func(tx *db.Tx, o Organisation) error {
			v, err := s.view(ctx, tx, o)
			if err != nil {
				return err
			}

			return done(tx, v)
		})
	})
}

func (s *Service) handleList(ctx context.Context, in *listInput) (*web.List[OrganisationView], error) {
	window, err := in.Window()
	if err != nil {
		return nil, err
	}

	var w db.Where
	if window.After != "" {
		if !id.Valid(Prefix, window.After) {
			return nil, badCursor()
		}

		if in.Direction < 0 {
			w.And("o.id < ?", window.After)
		} else {
			w.And("o.id > ?", window.After)
		}
	}

	p := caller.Of(ctx)

	only := ""
	if p.Client || p.SignedOn { // it is in one organisation, whatever others its person is in
		only = p.Organisation
	}

	read := func(q db.Querier, page caller.Window) ([]Organisation, int64, error) {
		return listOf(ctx, q, p.User, only, w, page.Limit+1, page.Offset, in.Direction < 0)
	}
	position := func(o Organisation) string { return o.ID }

	return web.ListOf(ctx, s.db, in.Paging, read, position, func(q db.Querier, page []Organisation) (
		[]OrganisationView, error,
	) {
		return s.views(ctx, q, page)
	})
}

func badCursor() error {
	var l fault.List
	l.AddParameter("query", "cursor", fault.CursorInvalid, "is not a cursor of this list.")
	return l.Err()
}

// visible returns an organisation to its members and to the platform's people. To others it returns NOT_FOUND.
func (s *Service) visible(ctx context.Context, q db.Querier, orgID string) (Organisation, error) {
	p := caller.Of(ctx)
	if p.Staff != user.NoStaff {
		return ByID(ctx, q, orgID)
	}

	o, _, err := ForMember(ctx, q, orgID, p.User)

	return o, err
}

func (s *Service) handleGet(ctx context.Context, in *idInput) (*OrganisationView, error) {
	var v OrganisationView
	err := s.db.Snapshot(ctx, func(q db.Querier) error {
		o, err := s.visible(ctx, q, in.ID)
		if err != nil {
			return err
		}

		v, err = s.view(ctx, q, o)

		return err
	})

	return &v, err
}

func (s *Service) handleSenders(ctx context.Context, in *idInput) (*SendersInfoView, error) {
	o, err := s.visible(ctx, s.db, in.ID)
	if err != nil {
		return nil, err
	}

	belongings, err := s.config.Belongings(ctx, s.db, []string{o.ID})
	out := &SendersInfoView{Senders: []Sender{}, Policy: "OWN_ACCOUNTS_ONLY"}
	out.Senders = append(out.Senders, belongings[o.ID].Senders...)

	return out, err
}
