package sso

import (
	"context"
	"crypto/hmac"
	"errors"
	"slices"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/organisation"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/words"
	"slipway/internal/rails/openid"
)

// check adds to l what is wrong with a setting and returns it as it is stored.
func (s *Service) check(l *fault.List, p Provider) Provider {
	p.Issuer = strings.TrimSpace(p.Issuer)

	var refusal *openid.Refusal
	if err := openid.CheckIssuer(s.Guard, p.Issuer); errors.As(err, &refusal) {
		l.Add("/issuer", fault.SignOnIssuer, "%s", refusal.Detail)
	}

	if len(p.Issuer) > maxText {
		l.Add("/issuer", fault.TooLong, "may have at most %d characters.", maxText)
	}

	p.ClientID = line(l, "/clientId", p.ClientID, true)
	p.Rules = p.Rules.check(l)

	for i, v := range p.SecondFactor {
		p.SecondFactor[i] = line(l, "/secondFactorValues", v, true)
		if strings.Contains(v, ",") {
			l.Add("/secondFactorValues", fault.FormatInvalid, "must have no commas.")
		}
	}

	return p
}

// set replaces the organisation's setting. Under a policy that asks for a second person it waits for another admin, and
// pending names the approval. A secret that was left out stays as it is, as long as issuer and client do. A second call
// with the same setting changes nothing.
func (s *Service) set(
	ctx context.Context, next Provider, done func(tx *db.Tx, p Provider, pending string) error,
) error {
	var l fault.List

	next = s.check(&l, next)
	if err := l.Err(); err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		p := next // a write body may run twice
		me := caller.Of(ctx).User

		if _, _, err := organisation.ForAdmin(ctx, tx, p.Organisation, me); err != nil {
			return err
		}

		before, err := liveOf(ctx, tx, p.Organisation)
		if err != nil && !errors.Is(err, db.ErrNone) {
			return err
		}

		if err := caller.Unchanged(ctx, before.Version); err != nil {
			return err
		}

		if p.Secret == "" && before.Issuer == p.Issuer && before.ClientID == p.ClientID {
			p.Secret = before.Secret
		}

		if before.ID != "" && p.same(before) {
			pending, err := approval.OpenAbout(ctx, tx, p.Organisation, approval.SignOn, p.Organisation)
			if err != nil {
				return err
			}

			return done(tx, before, pending)
		}

		if err := s.mayRequire(ctx, tx, p); err != nil {
			return err
		}

		p.ID = id.New(providerPrefix, tx.Now)
		p.Version = before.Version + 1
		p.CreatedBy = me
		p.CreatedAt = tx.Now
		p.UpdatedAt = tx.Now

		policy, err := organisation.PolicyOf(ctx, tx, p.Organisation)
		if err != nil {
			return err
		}

		if policy.Asks() {
			a, err := s.propose(ctx, tx, p)
			if err != nil {
				return err
			}

			before.Organisation = p.Organisation

			return done(tx, before, a.ID)
		}

		if err := s.Approvals.Withdraw(ctx, tx, p.Organisation, approval.SignOn, p.Organisation); err != nil {
			return err
		}

		if err := s.putInForce(ctx, tx, p, before); err != nil {
			return err
		}

		return done(tx, p, "")
	})
}

// same reports whether two settings say the same.
func (p Provider) same(o Provider) bool {
	sameRule := func(a, b Rule) bool { return a.Value == b.Value && slices.Equal(a.Roles, b.Roles) }

	return p.Enabled == o.Enabled && p.Issuer == o.Issuer && p.ClientID == o.ClientID &&
		hmac.Equal([]byte(p.Secret), []byte(o.Secret)) &&
		p.Vouches == o.Vouches && p.Required == o.Required && slices.Equal(p.SecondFactor, o.SecondFactor) &&
		slices.Equal(p.Emergency, o.Emergency) && p.Rules.Claim == o.Rules.Claim && p.Rules.Admit == o.Rules.Admit &&
		slices.Equal(p.Rules.Default, o.Rules.Default) && slices.EqualFunc(p.Rules.Map, o.Rules.Map, sameRule)
}

// propose asks a second admin to approve a setting, which waits as a row of its own.
func (s *Service) propose(ctx context.Context, tx *db.Tx, p Provider) (approval.Approval, error) {
	providerRows.Insert(tx, rowOf(p))

	return s.Approvals.Ask(ctx, tx, approval.Request{
		Organisation: p.Organisation,
		Kind:         approval.SignOn,
		Object:       p.Organisation,
		Data:         p.ID,
		Summary:      p.summary(),
	})
}

// summary says to a second admin what he approves. Everything that decides who gets in is in it.
func (p Provider) summary() string {
	if !p.Enabled {
		return words.Phrase("Nobody signs in by the provider %s any more.", p.Issuer)
	}

	rules := make([]string, 0, len(p.Rules.Map))
	for _, r := range p.Rules.Map {
		rules = append(rules, r.Value+" → "+strings.Join(r.Roles, " "))
	}

	others := words.Phrase("nobody")
	if p.Rules.Admit {
		others = words.Phrase("everybody of your domains as %s", strings.Join(p.Rules.Default, " "))
	}

	text := words.Phrase("People sign in by %[1]s (client %[2]s). By %[3]s: %[4]s. Besides: %[5]s.",
		p.Issuer, p.ClientID, p.Rules.Claim, strings.Join(rules, "; "), others)
	if p.Required {
		text = words.Phrase("%s Passwords do not sign in any more.", text)
	}

	return text
}

// mayRequire refuses to require a provider before somebody is named who can sign in without it: an admin with a
// password and a second factor. It refuses people who are no admins.
func (s *Service) mayRequire(ctx context.Context, tx *db.Tx, p Provider) error {
	var l fault.List

	all, err := admins(ctx, tx, p.Organisation)
	if err != nil {
		return err
	}

	ready := false

	for _, e := range p.Emergency {
		i := slices.IndexFunc(all, func(u user.User) bool { return u.ID == e })
		if i < 0 {
			l.Add("/emergencyUsers", fault.NotInEnum, "must be active admins of the organisation.")
			continue
		}

		second, err := twofactor.Enabled(ctx, tx, e)
		if err != nil {
			return err
		}

		has, err := s.Auth.HasPassword(ctx, tx, e)
		if err != nil {
			return err
		}

		ready = ready || second && has && !all[i].ConfirmedAt.IsZero()
	}

	if err := l.Err(); err != nil {
		return err
	}

	if p.Required && p.Enabled && !ready {
		return fault.New(
			fault.Conflict,
			fault.SignOnEmergency,
			"Name in emergencyUsers at least one admin who has a password and a second factor, so that somebody can sign in "+
				"when the provider cannot.",
		)
	}

	return nil
}

// putInForce makes a setting the one that counts. Where passwords do not sign in any more, the sessions end of whom
// they have signed in.
func (s *Service) putInForce(ctx context.Context, tx *db.Tx, p, before Provider) error {
	if before.ID != "" {
		if err := deleteProvider(tx, before.Organisation, before.ID); err != nil {
			return err
		}
	}

	p.Live = true
	providerRows.Insert(tx, rowOf(p))

	if err := forgetProposals(tx, p.Organisation); err != nil {
		return err
	}

	trail.Audit(ctx, tx, p.Organisation, "sign_on.changed", p.ID, words.English(p.summary()))

	if p.Enabled && p.Required && (!before.Required || !before.Enabled) {
		if err := s.endPasswordSessions(ctx, tx, p); err != nil {
			return err
		}
	}

	return s.tellAdmins(ctx, tx, p.Organisation, p.summary())
}

// endPasswordSessions ends the sessions of the members whom a password does not sign in any more. That of the caller
// goes on until it ends by itself: he has just been asked for his second factor.
func (s *Service) endPasswordSessions(ctx context.Context, tx *db.Tx, p Provider) error {
	members, err := organisation.MembersOf(ctx, tx, p.Organisation)
	if err != nil {
		return err
	}

	domains, err := provenOf(ctx, tx, p.Organisation)
	if err != nil {
		return err
	}

	ids := make([]string, len(members))
	for i, m := range members {
		ids[i] = m.User
	}

	people, err := user.ByIDs(ctx, tx, ids)
	if err != nil {
		return err
	}

	keep := caller.Of(ctx).Credential

	for _, u := range people {
		if slices.Contains(p.Emergency, u.ID) || !slices.Contains(domains, domainOf(u.Email)) {
			continue
		}

		if err := s.Auth.EndPersonal(tx, u.ID, keep, "the organisation requires its provider"); err != nil {
			return err
		}
	}

	return nil
}

// decided puts an approved setting in force. If it was changed since it was asked for, it refuses.
func (s *Service) decided(ctx context.Context, tx *db.Tx, a approval.Approval) error {
	if a.Status != approval.Approved {
		return forgetProposals(tx, a.Organisation)
	}

	p, err := providerByID(ctx, tx, a.Organisation, a.Data)
	if err != nil {
		return err
	}

	before, err := liveOf(ctx, tx, a.Organisation)
	if err != nil && !errors.Is(err, db.ErrNone) {
		return err
	}

	if p.Live || p.Version != before.Version+1 {
		return fault.New(fault.Conflict, fault.VersionMismatch, "It was changed since. Ask for it anew.")
	}

	if err := s.mayRequire(ctx, tx, p); err != nil {
		return err
	}

	if err := deleteProvider(tx, p.Organisation, p.ID); err != nil {
		return err
	}

	return s.putInForce(ctx, tx, p, before)
}

// drop ends signing in by a provider: everybody signs in by a password again, which who has none sets by a link. Links
// between people and the provider stay, for the day on which it comes back. A second call finds none.
func (s *Service) drop(ctx context.Context, orgID string, done func(*db.Tx) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := organisation.ForAdmin(ctx, tx, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		p, err := liveOf(ctx, tx, orgID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("provider")
		}

		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, p.Version); err != nil {
			return err
		}

		if err := s.Approvals.Withdraw(ctx, tx, orgID, approval.SignOn, orgID); err != nil {
			return err
		}

		if err := deleteProvider(tx, orgID, p.ID); err != nil {
			return err
		}

		trail.Audit(ctx, tx, orgID, "sign_on.dropped", p.ID, p.Issuer)

		if err := s.tellAdmins(
			ctx,
			tx,
			orgID,
			words.Phrase("Nobody signs in by the provider %s any more.", p.Issuer),
		); err != nil {
			return err
		}

		return done(tx)
	})
}

// allowPasswords lets passwords sign in again, where nobody of an organisation can sign in by its provider. It is for
// an operator whom the organisation has asked by another way. A second call changes nothing.
func (s *Service) allowPasswords(ctx context.Context, orgID, reason string, done func(*db.Tx, Provider) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		p, err := liveOf(ctx, tx, orgID)
		if errors.Is(err, db.ErrNone) {
			return fault.Missing("provider")
		}

		if err != nil {
			return err
		}

		if !p.Required {
			return done(tx, p)
		}

		p.Required = false
		p.Version++
		p.UpdatedAt = tx.Now
		requiredRows.Change(tx, rowOf(p), "organisation = ? AND id = ? AND version = ?", orgID, p.ID, p.Version-1)
		trail.Audit(ctx, tx, orgID, "sign_on.passwords_allowed", p.ID, reason)

		if err := s.tellAdmins(ctx, tx, orgID,
			words.Phrase("Passwords sign in again. The platform's people have allowed it.")); err != nil {
			return err
		}

		return done(tx, p)
	})
}

func domainProven(name string) string {
	return words.Phrase("The domain %s is proven: its people can sign in by your provider.", name)
}

// tellAdmins mails the admins of an organisation that how its people sign in has changed.
func (s *Service) tellAdmins(ctx context.Context, tx *db.Tx, orgID, what string) error {
	all, err := admins(ctx, tx, orgID)
	if err != nil {
		return err
	}

	o, err := organisation.ByID(ctx, tx, orgID)
	if err != nil {
		return err
	}

	for _, u := range all {
		s.Mail.Queue(tx, mail.Message{
			Kind:         mail.SignOnChanged,
			To:           u.Email,
			Organisation: orgID,
			Data: map[string]string{
				"name":         u.FirstName,
				"organisation": o.Name,
				"when":         words.When(tx.Now),
				"source":       caller.RequestOf(ctx).Source,
				"what":         what,
			},
		})
	}

	return nil
}
