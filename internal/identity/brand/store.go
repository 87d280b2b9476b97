package brand

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"slipway/internal/platform/db"
)

// This file holds all SQL of brands.

var (
	brands = db.NewTable("organisation_brands", (*Brand).columns)
	logos  = db.NewTable("brand_logos", (*logo).columns)
)

// columns lists every column once. A new field needs one line here.
func (b *Brand) columns(c *db.Columns) {
	c.Text("organisation", &b.Organisation)
	c.Text("name", &b.Name)
	c.Text("colour", &b.Colour)
	c.Text("logo", &b.LogoSHA256)
	c.Int64("version", &b.Version)
	c.Time("updated_at", &b.UpdatedAt)
}

// logo is a picture that a brand has or had.
type logo struct {
	organisation, sha256, content string // content in base64
	createdAt                     time.Time
}

func (x *logo) columns(c *db.Columns) {
	c.Text("organisation", &x.organisation)
	c.Text("sha256", &x.sha256)
	c.Text("content", &x.content)
	c.Time("created_at", &x.createdAt)
}

// Of returns an organisation's brand. Whoever has set none has one of version 0, without anything.
func Of(ctx context.Context, q db.Querier, organisation string) (Brand, error) {
	b, err := brands.One(ctx, q, "WHERE organisation = ?", organisation)
	if errors.Is(err, db.ErrNone) {
		return Brand{Organisation: organisation}, nil
	}

	if err != nil {
		return b, fmt.Errorf("brand of %s: %w", organisation, err)
	}

	b.Logo, err = Logo(ctx, q, organisation, b.LogoSHA256)

	return b, err
}

// Logo returns a logo of an organisation by its hash, or nil if it is not kept any more.
func Logo(ctx context.Context, q db.Querier, organisation, sha256 string) ([]byte, error) {
	if sha256 == "" {
		return nil, nil
	}

	x, err := logos.One(ctx, q, "WHERE organisation = ? AND sha256 = ?", organisation, sha256)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}

	if err != nil {
		return nil, fmt.Errorf("logo %s of %s: %w", sha256, organisation, err)
	}

	return base64.StdEncoding.DecodeString(x.content)
}

// store writes the next version of a brand, and its logo if that is another one.
func (b *Brand) store(ctx context.Context, tx *db.Tx) error {
	if b.drawn {
		if err := b.keepLogo(ctx, tx); err != nil {
			return err
		}
	}

	before := b.Version
	b.Version++
	b.UpdatedAt = tx.Now

	if before == 0 {
		brands.Insert(tx, b)
		return nil
	}

	brands.Update(tx, b, before)

	return nil
}

// keepLogo stores the logo as the newest one, and deletes those that are too many.
func (b *Brand) keepLogo(ctx context.Context, tx *db.Tx) error {
	if b.LogoSHA256 == "" {
		return nil
	}

	if _, err := tx.Exec("DELETE FROM brand_logos WHERE organisation = ? AND sha256 = ?",
		b.Organisation, b.LogoSHA256); err != nil {
		return err
	}

	old, err := logos.Select(ctx, tx, "WHERE organisation = ? ORDER BY created_at DESC, sha256 LIMIT ?",
		b.Organisation, int64(maxLogos))
	if err != nil {
		return err
	}

	for _, x := range old[min(len(old), maxLogos-1):] {
		if _, err := tx.Exec("DELETE FROM brand_logos WHERE organisation = ? AND sha256 = ?",
			x.organisation, x.sha256); err != nil {
			return err
		}
	}

	logos.Insert(tx, &logo{
		organisation: b.Organisation,
		sha256:       b.LogoSHA256,
		content:      base64.StdEncoding.EncodeToString(b.Logo),
		createdAt:    tx.Now,
	})

	return nil
}
