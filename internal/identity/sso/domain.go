package sso

import (
	"context"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// recordName is where the TXT record is, before the domain.
const recordName = "_slipway-sign-on."

// byDNS is what proven a domain was by, where no operator was asked.
const byDNS = "dns"

// Domain is a domain of which an organisation says that it is its own. It counts from ProvenAt on.
type Domain struct {
	ID, Organisation, Domain string
	Token                    string // what the record says
	ProvenAt                 time.Time
	ProvenBy                 string // byDNS, or an operator
	CheckedAt                time.Time
	CreatedBy                string
	CreatedAt                time.Time
}

// record returns the name of the TXT record and its text.
func (d Domain) record() (name, text string) {
	return recordName + d.Domain, "slipway-sign-on=" + d.Token
}

// checkDomain returns a domain in the form in which it is stored, and adds to l what is wrong with it.
func checkDomain(l *fault.List, pointer, s string) string {
	name, err := idna.Lookup.ToASCII(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), "."))
	if err != nil || !strings.Contains(name, ".") || len(name) > 200 || strings.ContainsAny(name, "/:@_ ") {
		l.Add(pointer, fault.FormatInvalid, "must be a domain such as example.com.")
	}

	return name
}

// domainOf returns the domain of an e-mail address as it is stored.
func domainOf(email string) string {
	_, domain, _ := strings.Cut(email, "@")
	return strings.ToLower(domain)
}

// addDomain adds a domain of the caller's organisation, which counts when it is proven. A second call with the same
// domain returns the one that there is.
func (s *Service) addDomain(ctx context.Context, orgID, name string, done func(*db.Tx, Domain) error) error {
	var l fault.List

	name = checkDomain(&l, "/domain", name)
	if err := l.Err(); err != nil {
		return err
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := organisation.ForAdmin(ctx, tx, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		mine, err := domainsOf(ctx, tx, orgID)
		if err != nil {
			return err
		}

		if i := slices.IndexFunc(mine, func(d Domain) bool { return d.Domain == name }); i >= 0 {
			return done(tx, mine[i])
		}

		if len(mine) >= maxDomains {
			return fault.New(
				fault.Conflict,
				fault.DomainLimit,
				"An organisation may have at most %d domains.",
				maxDomains,
			)
		}

		d := Domain{
			ID:           id.New(domainPrefix, tx.Now),
			Organisation: orgID,
			Domain:       name,
			Token:        secret.Token(statePrefix),
			CreatedBy:    caller.Of(ctx).User,
			CreatedAt:    tx.Now,
		}
		domainRows.Insert(tx, &d)
		trail.Audit(ctx, tx, orgID, "sign_on.domain_added", d.ID, name)

		return done(tx, d)
	})
}

// proveDomain looks for the record of a domain and records that it is there. It refuses one that is not there yet, and
// one that another organisation has proven. A second call changes nothing.
func (s *Service) proveDomain(ctx context.Context, orgID, domainID string, done func(*db.Tx, Domain) error) error {
	var d Domain

	err := s.DB.Snapshot(ctx, func(q db.Querier) (err error) {
		if _, _, err = organisation.ForAdmin(ctx, q, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		d, err = domainByID(ctx, q, orgID, domainID)

		return err
	})
	if err != nil {
		return err
	}

	name, text := d.record()

	found, err := s.DNS.Texts(ctx, name)
	if err != nil {
		return fault.New(
			fault.Conflict,
			fault.DomainUnproven,
			"DNS does not answer for %s at the moment. Try again later.",
			name,
		)
	}

	if !slices.Contains(found, text) {
		return fault.New(fault.Conflict, fault.DomainUnproven,
			"There is no TXT record at %s that says %s. A new record can take an hour to be seen.", name, text)
	}

	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := organisation.ForAdmin(ctx, tx, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		return s.recordProof(ctx, tx, orgID, domainID, byDNS, done)
	})
}

// confirmDomain records that a domain is the organisation's, because an operator has looked at other evidence.
func (s *Service) confirmDomain(
	ctx context.Context,
	orgID, name, reason string,
	done func(*db.Tx, Domain) error,
) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		mine, err := domainsOf(ctx, tx, orgID)
		if err != nil {
			return err
		}

		i := slices.IndexFunc(mine, func(d Domain) bool { return d.Domain == strings.ToLower(name) })
		if i < 0 {
			return fault.Missing("domain")
		}

		trail.Audit(ctx, tx, orgID, "sign_on.domain_confirmed", mine[i].ID, reason)

		return s.recordProof(ctx, tx, orgID, mine[i].ID, caller.Of(ctx).User, done)
	})
}

// recordProof writes that a domain is proven, unless it is another organisation's.
func (s *Service) recordProof(
	ctx context.Context, tx *db.Tx, orgID, domainID, by string, done func(*db.Tx, Domain) error,
) error {
	d, err := domainByID(ctx, tx, orgID, domainID)
	if err != nil {
		return err
	}

	if !d.ProvenAt.IsZero() {
		return done(tx, d)
	}

	owner, err := ownerOf(ctx, tx, d.Domain)
	if err != nil {
		return err
	}

	if owner != "" || s.Platform.has(d.Domain) {
		return fault.New(
			fault.Conflict,
			fault.DomainTaken,
			"Another organisation has proven that %s is its own. Ask the platform's people if that is not so.",
			d.Domain,
		)
	}

	d.ProvenAt = tx.Now
	d.ProvenBy = by
	d.CheckedAt = tx.Now
	domainProof.Change(tx, &d, "id = ? AND organisation = ? AND proven_at = 0", d.ID, orgID)
	trail.Audit(ctx, tx, orgID, "sign_on.domain_proven", d.ID, d.Domain+" by "+by)

	if err := s.tellAdmins(ctx, tx, orgID, domainProven(d.Domain)); err != nil {
		return err
	}

	return done(tx, d)
}

// dropDomain deletes a domain: its people are not led to the provider any more. A second call finds none.
func (s *Service) dropDomain(ctx context.Context, orgID, domainID string, done func(*db.Tx) error) error {
	return s.DB.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := organisation.ForAdmin(ctx, tx, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		d, err := domainByID(ctx, tx, orgID, domainID)
		if err != nil {
			return err
		}

		if err := deleteDomain(tx, d); err != nil {
			return err
		}

		trail.Audit(ctx, tx, orgID, "sign_on.domain_dropped", d.ID, d.Domain)

		return done(tx)
	})
}
