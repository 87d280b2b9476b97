package brand

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"

	"slipway/internal/platform/db"
)

// This file holds all SQL of brands.

var brands = db.NewTable("organisation_brands", (*Brand).columns)

// columns lists every column once. A new field needs one line here.
func (b *Brand) columns(c *db.Columns) {
	c.Text("organisation", &b.Organisation)
	c.Text("name", &b.Name)
	c.Text("colour", &b.Colour)
	c.Text("logo", &b.encoded)
	c.Int64("version", &b.Version)
	c.Time("updated_at", &b.UpdatedAt)
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

	b.Logo, err = base64.StdEncoding.DecodeString(b.encoded)

	return b, err
}

// store writes the next version of a brand.
func (b *Brand) store(tx *db.Tx) {
	before := b.Version
	b.Version++
	b.UpdatedAt = tx.Now
	b.encoded = base64.StdEncoding.EncodeToString(b.Logo)

	if before == 0 {
		brands.Insert(tx, b)
		return
	}

	brands.Update(tx, b, before)
}
