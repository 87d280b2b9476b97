package sso

import (
	"context"
	"errors"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
)

// View is how the people of an organisation sign in.
type View struct {
	Enabled      bool       `json:"isEnabled" doc:"false: nobody is led to the provider"`
	Issuer       string     `json:"issuer" doc:"of the provider; empty: none is set up" example:"https://login.example.com"`
	ClientID     string     `json:"clientId" doc:"by which the provider knows Slipway" example:"slipway"`
	HasSecret    bool       `json:"hasClientSecret" doc:"whether a secret is stored; it is never shown"`
	RedirectURI  string     `json:"redirectUri" doc:"to be registered at the provider" example:"https://pay.example.org/console/session/sign-on/back/org_1"`
	Claim        string     `json:"claim" doc:"what rules compare, by its name or path; empty: nothing" example:"groups"`
	Rules        []RuleView `json:"rules" nullable:"false" doc:"roles by values of the claim; with a rule, roles follow the provider at each sign-in"`
	Admits       bool       `json:"admitsOthers" doc:"whether people are let in whom no rule fits"`
	Default      []string   `json:"defaultRoles" nullable:"false" doc:"what those have" example:"[\"viewer\"]"`
	Vouches      bool       `json:"vouchesForAddresses" doc:"whether an address counts without the claim email_verified, because the directory's admins alone can set it"`
	SecondFactor []string   `json:"secondFactorValues" nullable:"false" doc:"values of the claims amr and acr by which signing in needs no second factor here; empty: none does" example:"[\"mfa\"]"`
	Required     bool       `json:"isRequired" doc:"whether passwords of people with an address in the domains do not sign in"`
	Emergency    []string   `json:"emergencyUsers" nullable:"false" doc:"admins whose password signs in all the same" example:"[\"usr_06f2k8s0m4x3v7q9\"]"`

	Domains []DomainView `json:"domains" nullable:"false" doc:"whose addresses the provider signs in"`
	Pending string       `json:"pendingApproval,omitempty" doc:"the approval that a change waits for"`
	HasSCIM bool         `json:"hasScimToken" doc:"whether the directory can say who has left, by SCIM"`
	SCIMURL string       `json:"scimUrl" doc:"what the directory calls" example:"https://pay.example.org/scim/v2"`

	Version   int64      `json:"version" doc:"0 while nothing was set up; send it as If-Match to change what you have read"`
	UpdatedAt *time.Time `json:"updatedAt"`
}

// Record returns no identifier, since the organisation's path is the setting's, and the version.
func (v View) Record() (id string, version int64) { return "", v.Version }

// RuleView gives roles to whoever has a value in the claim.
type RuleView struct {
	Value string   `json:"value" minLength:"1" maxLength:"300" doc:"of the claim, exactly" example:"finance"`
	Roles []string `json:"roles" nullable:"false" maxItems:"4" doc:"viewer, initiator, approver, admin" example:"[\"initiator\"]"`
}

// DomainView is a domain of an organisation.
type DomainView struct {
	ID          string     `json:"_id"`
	Domain      string     `json:"domain" doc:"of e-mail addresses" example:"example.com"`
	RecordName  string     `json:"recordName" doc:"name of the TXT record that proves it" example:"_slipway-sign-on.example.com"`
	RecordValue string     `json:"recordValue" doc:"what the record must say" example:"slipway-sign-on=…"`
	ProvenAt    *time.Time `json:"provenAt" doc:"null: not yet, and it does not count"`
	CreatedAt   time.Time  `json:"createdAt"`
}

// LinkView says whom a subject of a provider is.
type LinkView struct {
	ID        string    `json:"_id"`
	User      string    `json:"user"`
	Name      string    `json:"name"`
	Email     string    `json:"email"`
	Issuer    string    `json:"issuer" doc:"of the provider" example:"https://login.example.com"`
	Subject   string    `json:"subject" doc:"by which the provider knows the person"`
	CreatedAt time.Time `json:"createdAt"`
	UsedAt    time.Time `json:"lastUsedAt"`
}

func domainView(d Domain) DomainView {
	name, text := d.record()
	v := DomainView{
		ID:          d.ID,
		Domain:      d.Domain,
		RecordName:  name,
		RecordValue: text,
		CreatedAt:   user.Shown(d.CreatedAt),
	}

	if !d.ProvenAt.IsZero() {
		at := user.Shown(d.ProvenAt)
		v.ProvenAt = &at
	}

	return v
}

// view returns a setting with what belongs to it.
func (s *Service) view(ctx context.Context, q db.Querier, p Provider) (View, error) {
	v := View{
		Enabled:      p.Enabled,
		Issuer:       p.Issuer,
		ClientID:     p.ClientID,
		HasSecret:    p.Secret != "",
		RedirectURI:  s.redirectURI(p.Organisation),
		Claim:        p.Rules.Claim,
		Rules:        []RuleView{},
		Admits:       p.Rules.Admit,
		Default:      texts(p.Rules.Default),
		Vouches:      p.Vouches,
		SecondFactor: texts(p.SecondFactor),
		Required:     p.Required,
		Emergency:    texts(p.Emergency),
		Domains:      []DomainView{},
		SCIMURL:      s.BaseURL + "/scim/v2",
		Version:      p.Version,
	}

	for _, r := range p.Rules.Map {
		v.Rules = append(v.Rules, RuleView(r))
	}

	if !p.UpdatedAt.IsZero() {
		at := user.Shown(p.UpdatedAt)
		v.UpdatedAt = &at
	}

	domains, err := domainsOf(ctx, q, p.Organisation)
	if err != nil {
		return v, err
	}

	for _, d := range domains {
		v.Domains = append(v.Domains, domainView(d))
	}

	if v.HasSCIM, err = hasSCIM(ctx, q, p.Organisation); err != nil {
		return v, err
	}

	v.Pending, err = approval.OpenAbout(ctx, q, p.Organisation, approval.SignOn, p.Organisation)

	return v, err
}

func texts(list []string) []string {
	if list == nil {
		return []string{}
	}

	return list
}

// find returns the setting of an organisation for one of its admins; that of version 0 where there is none.
func (s *Service) find(ctx context.Context, orgID string) (v View, err error) {
	err = s.DB.Snapshot(ctx, func(q db.Querier) error {
		if _, _, err := organisation.ForAdmin(ctx, q, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		p, err := liveOf(ctx, q, orgID)
		if err != nil && !errors.Is(err, db.ErrNone) {
			return err
		}

		p.Organisation = orgID
		v, err = s.view(ctx, q, p)

		return err
	})

	return v, err
}

// links returns who of an organisation is linked to which subject, at most maxLinks.
func (s *Service) links(ctx context.Context, orgID string) (out []LinkView, err error) {
	out = []LinkView{}

	err = s.DB.Snapshot(ctx, func(q db.Querier) error {
		if _, _, err := organisation.ForAdmin(ctx, q, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		all, err := linksOf(ctx, q, orgID, maxLinks)
		if err != nil {
			return err
		}

		ids := make([]string, len(all))
		for i, k := range all {
			ids[i] = k.User
		}

		people, err := user.BriefsOf(ctx, q, ids)

		for _, k := range all {
			out = append(out, LinkView{
				ID:        k.ID,
				User:      k.User,
				Name:      people[k.User].Name(),
				Email:     people[k.User].Email,
				Issuer:    k.Issuer,
				Subject:   k.Subject,
				CreatedAt: user.Shown(k.CreatedAt),
				UsedAt:    user.Shown(k.UsedAt),
			})
		}

		return err
	})

	return out, err
}

// maxLinks limits the links that are shown: an organisation has at most 250 members, and some have left.
const maxLinks = 1000
