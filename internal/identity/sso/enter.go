package sso

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/text"
	"slipway/internal/identity/auth"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/rails/openid"
)

// judge returns the roles and the address of the person whom a provider names, or why he is not let in. It looks at
// what the provider says alone.
func (s *Service) judge(x setting, c openid.Claims) (roles []string, email string, err error) {
	var l fault.List

	email = user.CheckEmail(&l, "/email", c.Text("email"))
	verified, denied := c.EmailVerified()

	switch {
	case !l.Empty():
		return nil, "", noAccess("The provider does not say your e-mail address. It must send the claim email.")
	case denied, !verified && !x.provider.Vouches:
		return nil, "", noAccess(
			"The provider does not say that the address %s is yours (email_verified). Its admins can "+
				"confirm it, or let the claim be sent.",
			email,
		)
	case !slices.Contains(x.domains, domainOf(email)):
		return nil, "", noAccess(
			"The address %s is in no domain that the organisation has proven to be its own.",
			email,
		)
	case !c.OfOrganisation(x.domains):
		return nil, "", noAccess("The account at Google is a private one and does not belong to the organisation.")
	}

	roles, in, err := x.provider.Rules.roles(c)
	if err == nil && !in {
		err = noAccess("None of the organisation's rules lets you in. Its admins say which groups they let in.")
	}

	return roles, email, err
}

// enter begins a session of the person whom a provider names. All of it is one transaction: the link, the account, the
// membership, the roles and the session, or nothing.
func (s *Service) enter(ctx context.Context, x setting, c openid.Claims) (auth.ConsoleSignIn, error) {
	roles, email, err := s.judge(x, c)
	if err != nil {
		return auth.ConsoleSignIn{}, err
	}

	var out auth.ConsoleSignIn

	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		if err := s.stillCounts(ctx, tx, x, domainOf(email)); err != nil {
			return err
		}

		back, err := s.mayCome(ctx, tx, x, email)
		if err != nil {
			return err
		}

		u, err := s.personOf(ctx, tx, x, c, email)
		if err != nil {
			return err
		}

		as := caller.With(ctx, caller.Principal{User: u.ID})
		by := auth.Platform

		if x.organisation == "" {
			err = s.Auth.GrantRole(as, tx, u.Email, roles[0])
		} else {
			by = x.organisation
			err = s.become(as, tx, x, u, roles, back)
		}

		if err != nil {
			return err
		}

		out, err = s.Auth.BeginSignOn(as, tx, auth.SignOn{User: u.ID, By: by, Proven: x.proves(c)})

		return err
	})
	if db.IsUnique(err, "users") || db.IsUnique(err, "sign_on_links") { // another sign-in of the same person came first
		err = fault.New(fault.Gone, fault.SignOnState, "You were signing in elsewhere at the same moment. Begin again.")
	}

	return out, err
}

// proves reports whether the provider has checked a second factor, and whether that counts.
func (x setting) proves(c openid.Claims) bool {
	said := append(c.Values("amr"), c.Values("acr")...)

	return slices.ContainsFunc(x.provider.SecondFactor, func(v string) bool { return slices.Contains(said, v) })
}

// stillCounts refuses if the setting or the domain has changed while the provider was asked.
func (s *Service) stillCounts(ctx context.Context, tx *db.Tx, x setting, domain string) error {
	if x.organisation == "" {
		return nil
	}

	now, err := liveOf(ctx, tx, x.organisation)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return err
	}

	owner, err := ownerOf(ctx, tx, domain)
	if err != nil {
		return err
	}

	if now.ID != x.provider.ID || now.Version != x.provider.Version || owner != x.organisation {
		return fault.New(fault.Gone, fault.SignOnState, "The provider was set up anew meanwhile. Begin again.")
	}

	o, err := organisation.ByID(ctx, tx, x.organisation)
	if err == nil && !o.IsActive {
		err = fault.New(fault.Forbidden, fault.AccountInactive, "The organisation has been switched off.")
	}

	return err
}

// personOf returns whose subject it is. Who is not linked yet is found by his address, or gets an account.
func (s *Service) personOf(
	ctx context.Context, tx *db.Tx, x setting, c openid.Claims, email string,
) (user.User, error) {
	k, err := linkOf(ctx, tx, x.organisation, c.Issuer, c.Subject)
	if err == nil {
		u, err := user.ByID(ctx, tx, k.User)
		if err != nil {
			return u, err
		}

		// A subject with another address is another person, as far as anybody here can know: some providers give a
		// leaver's subject to his successor.
		if user.Key(u.Email) != user.Key(email) {
			return u, noAccess(
				"At the provider you now have another e-mail address than here. An admin of the organisation " +
					"can remove the link between the two accounts; then sign in again.",
			)
		}

		k.UsedAt = tx.Now
		linkUse.Change(tx, &k, "id = ?", k.ID)

		return u, nil
	}

	if !errors.Is(err, db.ErrNone) {
		return user.User{}, err
	}

	u, err := s.accountOf(ctx, tx, c, email)
	if err != nil {
		return u, err
	}

	if _, err := linkOfUser(ctx, tx, x.organisation, c.Issuer, u.ID); !errors.Is(err, db.ErrNone) {
		if err == nil {
			err = noAccess(
				"Another account of the provider has this e-mail address here. An admin of the organisation can " +
					"remove that link; then sign in again.",
			)
		}

		return u, err
	}

	k = Link{
		ID:           id.New(linkPrefix, tx.Now),
		Organisation: x.organisation,
		Issuer:       c.Issuer,
		Subject:      c.Subject,
		User:         u.ID,
		CreatedAt:    tx.Now,
		UsedAt:       tx.Now,
	}
	linkRows.Insert(tx, &k)
	trail.Audit(caller.With(ctx, caller.Principal{User: u.ID}), tx, x.organisation, "sign_on.linked", k.ID, u.ID)

	return u, nil
}

// accountOf returns the account with an address that the provider has verified, or a new one.
func (s *Service) accountOf(ctx context.Context, tx *db.Tx, c openid.Claims, email string) (user.User, error) {
	u, err := user.ByEmail(ctx, tx, email)
	if err == nil {
		return s.Auth.TakeOver(ctx, tx, u)
	}

	if !errors.Is(err, db.ErrNone) {
		return u, err
	}

	var l fault.List

	first, last := names(c, email)
	p := user.Person{FirstName: first, LastName: last, Email: email}

	if p.Check(&l); !l.Empty() { // the provider's names cannot stand in mails
		p.FirstName, p.LastName = names(openid.Claims{}, email)
	}

	return user.Confirm(ctx, tx, user.Create(ctx, tx, p)), nil
}

// names returns what a provider calls a person, or else what his address does.
func names(c openid.Claims, email string) (first, last string) {
	first, last = c.Text("given_name"), c.Text("family_name")

	if first == "" || last == "" {
		first, last, _ = strings.Cut(c.Text("name"), " ")
	}

	local, _, _ := strings.Cut(email, "@")
	if first == "" {
		first, last, _ = strings.Cut(local, ".")
	}

	if last == "" {
		last = first
	}

	return cut(first, 100), cut(last, 100)
}

func cut(s string, most int) string {
	if utf8.RuneCountInString(s) > most {
		return string([]rune(s)[:most])
	}

	return s
}

// become makes the person a member with the roles that the rules give him.
func (s *Service) become(
	ctx context.Context, tx *db.Tx, x setting, u user.User, roles []string, back bool,
) error {
	m, err := s.Organisations.Enter(ctx, tx, x.organisation, u, roles, back)
	if err != nil || !x.provider.Rules.follows() || slices.Contains(x.provider.Emergency, u.ID) {
		return err
	}

	return s.Organisations.FollowRoles(ctx, tx, m, roles)
}

// shown returns the claims as a person reads them, by name. Each is cut to a length that fits on a page.
func shown(c openid.Claims) []Claim {
	const most = 300

	var out []Claim

	for _, name := range slices.Sorted(maps.Keys(c.Raw)) {
		raw, err := json.Marshal(c.Raw[name])
		if err != nil {
			continue
		}

		value, ok := c.Raw[name].(string)
		if !ok {
			value = string(raw)
		}

		if len(out) < maxRules {
			out = append(out, Claim{Name: cut(oneLine(name), most), Value: cut(oneLine(value), most)})
		}
	}

	return out
}

// oneLine returns a text from outside if it can stand in a line of ours, else nothing.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if !text.OneLine(s) {
		return fmt.Sprintf("%.200q", s)
	}

	return cut(s, maxText)
}
