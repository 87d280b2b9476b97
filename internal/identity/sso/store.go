package sso

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
)

// This file holds all SQL of providers, domains, links and attempts.

var (
	providerRows = db.NewTable("sign_on_providers", (*row).columns)
	requiredRows = providerRows.Only("required", "version", "updated_at")
	domainRows   = db.NewTable("sign_on_domains", (*Domain).columns)
	domainProof  = domainRows.Only("proven_at", "proven_by", "checked_at")
	linkRows     = db.NewTable("sign_on_links", (*Link).columns)
	linkUse      = linkRows.Only("used_at")
	attemptRows  = db.NewTable("sign_on_attempts", (*attempt).columns)
	attemptUse   = attemptRows.Only("used_at")

	sealedSecret = db.SealColumn("sign_on_providers", "secret", "id")
)

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{sealedSecret} }

// row is a provider as it is stored.
type row struct {
	Provider

	rules string
}

func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("organisation", &r.Organisation)
	c.Bool("live", &r.Live)
	c.Bool("enabled", &r.Enabled)
	c.Text("issuer", &r.Issuer)
	c.Text("client_id", &r.ClientID)
	c.Sealed(sealedSecret, db.Key{&r.ID}, &r.Secret)
	c.Text("rules", &r.rules)
	c.Bool("vouches", &r.Vouches)
	c.Words("second_factor", &r.SecondFactor)
	c.Bool("required", &r.Required)
	c.Words("emergency", &r.Emergency)
	c.Text("created_by", &r.CreatedBy)
	c.Int64("version", &r.Version)
	c.Time("created_at", &r.CreatedAt)
	c.Time("updated_at", &r.UpdatedAt)
}

func rowOf(p Provider) *row {
	raw, err := json.Marshal(p.Rules)
	if err != nil { // texts and truth values can always be written
		panic(err)
	}

	return &row{Provider: p, rules: string(raw)}
}

func (r *row) provider() (Provider, error) {
	p := r.Provider
	if err := json.Unmarshal([]byte(r.rules), &p.Rules); err != nil {
		return p, fmt.Errorf("rules of provider %s: %w", p.ID, err)
	}

	return p, nil
}

// liveOf returns the provider of an organisation that is in force, or db.ErrNone.
func liveOf(ctx context.Context, q db.Querier, orgID string) (Provider, error) {
	r, err := providerRows.One(ctx, q, "WHERE organisation = ? AND live = TRUE", orgID)
	if err != nil {
		return Provider{}, err
	}

	return r.provider()
}

// providerByID returns a setting of an organisation, in force or not, or NOT_FOUND.
func providerByID(ctx context.Context, q db.Querier, orgID, providerID string) (Provider, error) {
	r, err := providerRows.One(ctx, q, "WHERE organisation = ? AND id = ?", orgID, providerID)
	if errors.Is(err, db.ErrNone) {
		return Provider{}, fault.Missing("provider")
	}

	if err != nil {
		return Provider{}, err
	}

	return r.provider()
}

func deleteProvider(tx *db.Tx, orgID, providerID string) error {
	_, err := tx.Exec("DELETE FROM sign_on_providers WHERE organisation = ? AND id = ?", orgID, providerID)
	return err
}

// forgetProposals deletes what waited for a second admin.
func forgetProposals(tx *db.Tx, orgID string) error {
	_, err := tx.Exec("DELETE FROM sign_on_providers WHERE organisation = ? AND live = FALSE", orgID)
	return err
}

func (d *Domain) columns(c *db.Columns) {
	c.Text("id", &d.ID)
	c.Text("organisation", &d.Organisation)
	c.Text("domain", &d.Domain)
	c.Text("token", &d.Token)
	c.Time("proven_at", &d.ProvenAt)
	c.Text("proven_by", &d.ProvenBy)
	c.Time("checked_at", &d.CheckedAt)
	c.Text("created_by", &d.CreatedBy)
	c.Time("created_at", &d.CreatedAt)
}

func domainsOf(ctx context.Context, q db.Querier, orgID string) ([]Domain, error) {
	return domainRows.Select(ctx, q, "WHERE organisation = ? ORDER BY domain LIMIT ?", orgID, int64(maxDomains))
}

func domainByID(ctx context.Context, q db.Querier, orgID, domainID string) (Domain, error) {
	d, err := domainRows.One(ctx, q, "WHERE organisation = ? AND id = ?", orgID, domainID)
	if errors.Is(err, db.ErrNone) {
		err = fault.Missing("domain")
	}

	return d, err
}

// ownerOf returns the organisation that has proven a domain, or "".
func ownerOf(ctx context.Context, q db.Querier, domain string) (string, error) {
	owner, err := db.Value[string](ctx, q,
		"SELECT organisation FROM sign_on_domains WHERE domain = ? AND proven_at > 0", domain)
	if errors.Is(err, db.ErrNone) {
		return "", nil
	}

	return owner, err
}

// provenOf returns the domains that an organisation has proven.
func provenOf(ctx context.Context, q db.Querier, orgID string) ([]string, error) {
	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT domain FROM sign_on_domains WHERE organisation = ? AND proven_at > 0 ORDER BY domain LIMIT ?",
		orgID, int64(maxDomains))
}

func deleteDomain(tx *db.Tx, d Domain) error {
	_, err := tx.Exec("DELETE FROM sign_on_domains WHERE organisation = ? AND id = ?", d.Organisation, d.ID)
	return err
}

// Link says who a subject is.
type Link struct {
	ID, Organisation, Issuer, Subject, User string
	CreatedAt, UsedAt                       time.Time
}

func (k *Link) columns(c *db.Columns) {
	c.Text("id", &k.ID)
	c.Text("organisation", &k.Organisation)
	c.Text("issuer", &k.Issuer)
	c.Text("subject", &k.Subject)
	c.Text("user_id", &k.User)
	c.Time("created_at", &k.CreatedAt)
	c.Time("used_at", &k.UsedAt)
}

func linkOf(ctx context.Context, q db.Querier, orgID, issuer, subject string) (Link, error) {
	return linkRows.One(ctx, q, "WHERE organisation = ? AND issuer = ? AND subject = ?", orgID, issuer, subject)
}

func linkOfUser(ctx context.Context, q db.Querier, orgID, issuer, userID string) (Link, error) {
	return linkRows.One(ctx, q, "WHERE organisation = ? AND issuer = ? AND user_id = ?", orgID, issuer, userID)
}

func linksOf(ctx context.Context, q db.Querier, orgID string, limit int) ([]Link, error) {
	return linkRows.Select(ctx, q, "WHERE organisation = ? ORDER BY id LIMIT ?", orgID, int64(limit))
}

func linkByID(ctx context.Context, q db.Querier, orgID, linkID string) (Link, error) {
	k, err := linkRows.One(ctx, q, "WHERE organisation = ? AND id = ?", orgID, linkID)
	if errors.Is(err, db.ErrNone) {
		err = fault.Missing("link")
	}

	return k, err
}

func deleteLink(tx *db.Tx, k Link) error {
	_, err := tx.Exec("DELETE FROM sign_on_links WHERE organisation = ? AND id = ?", k.Organisation, k.ID)
	return err
}

func (a *attempt) columns(c *db.Columns) {
	c.Text("hash", &a.hash)
	c.Text("browser", &a.browser)
	c.Text("organisation", &a.organisation)
	c.Text("provider", &a.provider)
	c.Text("tester", &a.tester)
	c.Text("next", &a.next)
	c.Time("used_at", &a.usedAt)
	c.Time("expires_at", &a.expiresAt)
}

// Forget deletes attempts that are over, at most limit.
func (s *Service) Forget(ctx context.Context, limit int) (n int64, err error) {
	err = s.DB.Write(ctx, func(tx *db.Tx) error {
		n, err = tx.Exec("DELETE FROM sign_on_attempts WHERE hash IN (SELECT hash FROM sign_on_attempts "+
			"WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)", db.Micros(tx.Now), int64(limit))

		return err
	})

	return n, err
}
