package sso

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
)

type byOrganisation struct {
	ID string `path:"id" maxLength:"64"`
}

type setIn struct {
	byOrganisation
	Body struct {
		Enabled      bool       `json:"isEnabled" doc:"false: nobody is led to the provider"`
		Issuer       string     `json:"issuer" maxLength:"300" doc:"exactly as the provider writes it" example:"https://login.example.com"`
		ClientID     string     `json:"clientId" maxLength:"300" doc:"by which the provider knows Slipway" example:"slipway"`
		Secret       string     `json:"clientSecret,omitempty" maxLength:"1000" verbatim:"true" doc:"left out: as it is; needed anew with another issuer or client" example:"a-long-random-text"`
		Claim        string     `json:"claim,omitempty" maxLength:"300" doc:"what rules compare, by its name or path" example:"groups"`
		Rules        []RuleView `json:"rules,omitempty" maxItems:"100" doc:"roles by values of the claim; with a rule, roles follow the provider at each sign-in"`
		Admits       bool       `json:"admitsOthers,omitempty" doc:"whether people are let in whom no rule fits"`
		Default      []string   `json:"defaultRoles,omitempty" maxItems:"4" doc:"what those have" example:"[\"viewer\"]"`
		Vouches      bool       `json:"vouchesForAddresses,omitempty" doc:"whether an address counts without the claim email_verified, because the directory's admins alone can set it"`
		SecondFactor []string   `json:"secondFactorValues,omitempty" maxItems:"10" doc:"values of the claims amr and acr by which signing in needs no second factor here" example:"[\"mfa\"]"`
		Required     bool       `json:"isRequired,omitempty" doc:"whether passwords of people with an address in the domains do not sign in"`
		Emergency    []string   `json:"emergencyUsers,omitempty" maxItems:"20" doc:"admins whose password signs in all the same" example:"[\"usr_06f2k8s0m4x3v7q9\"]"`
	}
}

type domainIn struct {
	byOrganisation
	Body struct {
		Domain string `json:"domain" minLength:"1" maxLength:"200" doc:"of e-mail addresses" example:"example.com"`
	}
}

type byDomain struct {
	byOrganisation
	Domain string `path:"domainId" maxLength:"64" doc:"identifier of the domain"`
}

type byLink struct {
	byOrganisation
	Link string `path:"linkId" maxLength:"64" doc:"identifier of the link"`
}

type confirmIn struct {
	byOrganisation
	Body struct {
		Domain string `json:"domain" minLength:"1" maxLength:"200" doc:"of e-mail addresses" example:"example.com"`
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"by what it was seen that the domain is the organisation's; the audit log has it"`
	}
}

type reasonIn struct {
	byOrganisation
	Body struct {
		Reason string `json:"reason" minLength:"1" maxLength:"500" doc:"how the organisation has asked for it; the audit log has it"`
	}
}

// CheckView is what a look at a provider has found.
type CheckView struct {
	Reachable    bool   `json:"isReachable" doc:"whether its description and its keys can be read"`
	Problem      string `json:"problem" doc:"what is wrong, in words; empty: nothing"`
	ClockSeconds int64  `json:"clockAheadSeconds" doc:"by how much its clock is before ours, as far as it says"`
}

// LinkList is who of an organisation is linked to which subject.
type LinkList struct {
	Data []LinkView `json:"data" nullable:"false"`
}

// Routes registers the operations.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        "/organisations/{id}/sign-on" + path,
			ID:          id,
			Tag:         "organisations",
			Access:      web.Bearer,
			PeopleOnly:  true,
			StepUp:      method != "GET", // whoever names a provider decides who gets in
			Summary:     summary,
			Description: description,
			Codes:       append(codes, fault.RoleRequired),
		}
	}

	web.Register(
		api,
		op("GET", "", "getSignOn", "How the organisation's people sign in by its provider", "For admins."),
		s.handleFind,
	)

	web.Register(api, op("PUT", "", "setSignOn", "Set up the provider that signs the organisation's people in",
		"For admins. A provider of OpenID Connect. Under a policy that asks for a second person the change waits for "+
			"another admin, and `pendingApproval` names what it waits for.",
		fault.SignOnIssuer, fault.SignOnEmergency), s.handleSet)

	drop := op("DELETE", "", "deleteSignOn", "End signing in by the provider",
		"For admins. Everybody signs in by a password again; who has none sets one by a link.")
	drop.Versioned = true
	web.Register(api, drop, s.handleDrop)

	check := op("POST", "/check", "checkSignOn", "Ask the provider for its description and its keys",
		"For admins. It changes nothing. To go the whole way in a browser, open "+Path+"/test.", fault.SignOnNone)
	check.NoIdempotency = true // each call is a question of its own
	check.StepUp = false
	web.Register(api, check, s.handleCheck)

	add := op("POST", "/domains", "addSignOnDomain", "Add a domain whose people the provider signs in",
		"For admins. It counts when it is proven, by a TXT record in its DNS or by an operator.", fault.DomainLimit)
	add.Status = 201
	web.Register(api, add, s.handleAddDomain)

	web.Register(
		api,
		op("POST", "/domains/{domainId}/check", "checkSignOnDomain", "Look for the record that proves a domain",
			"For admins. A proven domain stays so.", fault.DomainUnproven, fault.DomainTaken),
		s.handleProveDomain,
	)

	web.Register(api, op("DELETE", "/domains/{domainId}", "deleteSignOnDomain", "Drop a domain",
		"For admins. Its people are not led to the provider any more."), s.handleDropDomain)

	links := op("GET", "/links", "listSignOnLinks", "Who is who at the provider", "For admins.")
	web.Register(api, links, s.handleLinks)

	web.Register(api, op(
		"DELETE",
		"/links/{linkId}",
		"deleteSignOnLink",
		"Forget who somebody is at the provider",
		"For admins. At the next sign-in the person is found by a verified address again. Sessions that the provider has "+
			"begun end.",
	), s.handleDropLink)

	s.operatorRoutes(api)
	s.scimRoutes(api)
}

func (s *Service) operatorRoutes(api *web.API) {
	op := func(path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      "POST",
			Path:        "/operations/organisations/{id}/sign-on" + path,
			ID:          id,
			Tag:         "operations",
			Access:      web.Operator,
			StepUp:      true,
			Summary:     summary,
			Description: description,
			Codes:       codes,
		}
	}

	web.Register(api, op("/domains", "confirmSignOnDomain", "Confirm that a domain is an organisation's",
		"For who cannot set a TXT record. The organisation has added the domain before.", fault.DomainTaken),
		s.handleConfirm)

	web.Register(api, op(
		"/passwords",
		"allowPasswords",
		"Let passwords of an organisation's people sign in again",
		"For an organisation whose provider is down and whose emergency admins cannot be reached. It makes the provider "+
			"optional; its admins get a mail.",
	), s.handleAllow)
}

func (s *Service) handleFind(ctx context.Context, in *byOrganisation) (*View, error) {
	v, err := s.find(ctx, in.ID)
	return &v, err
}

func (s *Service) handleSet(ctx context.Context, in *setIn) (*View, error) {
	b := in.Body
	p := Provider{
		Organisation: in.ID,
		Enabled:      b.Enabled,
		Issuer:       b.Issuer,
		ClientID:     b.ClientID,
		Secret:       b.Secret,
		Rules:        Rules{Claim: b.Claim, Admit: b.Admits, Default: b.Default},
		Vouches:      b.Vouches,
		SecondFactor: b.SecondFactor,
		Required:     b.Required,
		Emergency:    b.Emergency,
	}

	for _, r := range b.Rules {
		p.Rules.Map = append(p.Rules.Map, Rule(r))
	}

	return s.answer(ctx, 200, func(done func(*db.Tx, View) error) error {
		return s.set(ctx, p, func(tx *db.Tx, p Provider, pending string) error {
			v, err := s.view(ctx, tx, p)
			if err != nil {
				return err
			}

			if pending != "" {
				v.Pending = pending
			}

			return done(tx, v)
		})
	})
}

func (s *Service) answer(
	ctx context.Context, status int, run func(done func(*db.Tx, View) error) error,
) (*View, error) {
	return web.Once(ctx, status, func(v View) View { return v }, run)
}

func (s *Service) handleDrop(ctx context.Context, in *byOrganisation) (*web.Empty, error) {
	return onceEmpty(ctx, func(done func(*db.Tx) error) error { return s.drop(ctx, in.ID, done) })
}

// onceEmpty runs a use case whose answer has no body.
func onceEmpty(ctx context.Context, run func(done func(*db.Tx) error) error) (*web.Empty, error) {
	nothing := func(struct{}) web.Empty { return web.Empty{} }

	return web.Once(ctx, 204, nothing, func(done func(*db.Tx, struct{}) error) error {
		return run(func(tx *db.Tx) error { return done(tx, struct{}{}) })
	})
}

func (s *Service) handleCheck(ctx context.Context, in *byOrganisation) (*CheckView, error) {
	if _, _, err := organisation.ForAdmin(ctx, s.DB, in.ID, caller.Of(ctx).User); err != nil {
		return nil, err
	}

	x, err := s.settingOf(ctx, in.ID)
	if err != nil {
		return nil, err
	}

	ahead, err := s.Client.Check(ctx, x.registration.Issuer)
	if err = s.refused(err); err == nil {
		return &CheckView{Reachable: true, ClockSeconds: int64(ahead / time.Second)}, nil
	}

	f, ok := fault.As(err)
	if !ok {
		return nil, err
	}

	return &CheckView{Problem: f.Detail}, nil
}

func (s *Service) handleAddDomain(ctx context.Context, in *domainIn) (*DomainView, error) {
	return web.Once(ctx, 201, domainView, func(done func(*db.Tx, Domain) error) error {
		return s.addDomain(ctx, in.ID, in.Body.Domain, done)
	})
}

func (s *Service) handleProveDomain(ctx context.Context, in *byDomain) (*DomainView, error) {
	return web.Once(ctx, 200, domainView, func(done func(*db.Tx, Domain) error) error {
		return s.proveDomain(ctx, in.ID, in.Domain, done)
	})
}

func (s *Service) handleDropDomain(ctx context.Context, in *byDomain) (*web.Empty, error) {
	return onceEmpty(ctx, func(done func(*db.Tx) error) error { return s.dropDomain(ctx, in.ID, in.Domain, done) })
}

func (s *Service) handleConfirm(ctx context.Context, in *confirmIn) (*DomainView, error) {
	return web.Once(ctx, 200, domainView, func(done func(*db.Tx, Domain) error) error {
		return s.confirmDomain(ctx, in.ID, in.Body.Domain, in.Body.Reason, done)
	})
}

func (s *Service) handleAllow(ctx context.Context, in *reasonIn) (*View, error) {
	return s.answer(ctx, 200, func(done func(*db.Tx, View) error) error {
		return s.allowPasswords(ctx, in.ID, in.Body.Reason, func(tx *db.Tx, p Provider) error {
			v, err := s.view(ctx, tx, p)
			if err != nil {
				return err
			}

			return done(tx, v)
		})
	})
}

func (s *Service) handleLinks(ctx context.Context, in *byOrganisation) (*LinkList, error) {
	all, err := s.links(ctx, in.ID)
	return &LinkList{Data: all}, err
}

func (s *Service) handleDropLink(ctx context.Context, in *byLink) (*web.Empty, error) {
	return onceEmpty(ctx, func(done func(*db.Tx) error) error { return s.dropLink(ctx, in.ID, in.Link, done) })
}

// dropLink forgets who a subject is. A second call finds none.
func (s *Service) dropLink(ctx context.Context, orgID, linkID string, done func(*db.Tx) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := organisation.ForAdmin(ctx, tx, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		k, err := linkByID(ctx, tx, orgID, linkID)
		if err != nil {
			return err
		}

		if err := deleteLink(tx, k); err != nil {
			return err
		}

		if err := s.Auth.EndSignedOn(tx, k.User, orgID); err != nil {
			return err
		}

		trail.Audit(ctx, tx, orgID, "sign_on.unlinked", k.ID, k.User)

		return done(tx)
	})
}
