package brand

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
)

// Service holds the use cases of brands.
type Service struct{ db *db.DB }

// New returns the service.
func New(d *db.DB) *Service { return &Service{d} }

// Of returns an organisation's brand, whoever asks: outsiders see it.
func (s *Service) Of(ctx context.Context, organisation string) (Brand, error) {
	return Of(ctx, s.db, organisation)
}

// find returns the brand of an organisation of which the caller is a member.
func (s *Service) find(ctx context.Context, orgID string) (b Brand, err error) {
	err = s.db.Snapshot(ctx, func(q db.Querier) error {
		if _, _, err := organisation.ForMember(ctx, q, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		b, err = Of(ctx, q, orgID)

		return err
	})

	return b, err
}

// set replaces name and colour. A second call with the same ones changes nothing.
func (s *Service) set(ctx context.Context, orgID, name, colour string, done func(*db.Tx, Brand) error) error {
	var l fault.List

	name, colour = check(&l, name, colour)
	if err := l.Err(); err != nil {
		return err
	}

	return s.change(ctx, orgID, func(b *Brand) bool {
		same := b.Name == name && b.Colour == colour
		b.Name = name
		b.Colour = colour

		return !same
	}, done)
}

// setLogo replaces the logo by the picture of a file.
func (s *Service) setLogo(ctx context.Context, orgID string, file io.Reader, done func(*db.Tx, Brand) error) error {
	logo, err := readLogo(file)
	if err != nil {
		return err
	}

	return s.change(ctx, orgID, func(b *Brand) bool { return b.draw(logo) }, done)
}

// dropLogo deletes the logo. A second call changes nothing.
func (s *Service) dropLogo(ctx context.Context, orgID string, done func(*db.Tx, Brand) error) error {
	return s.change(ctx, orgID, func(b *Brand) bool { return b.draw(nil) }, done)
}

// draw sets the logo and reports whether it is another one than before.
func (b *Brand) draw(logo []byte) bool {
	before := b.LogoSHA256
	b.Logo = logo
	b.LogoSHA256 = ""

	if len(logo) > 0 {
		sum := sha256.Sum256(logo)
		b.LogoSHA256 = hex.EncodeToString(sum[:])
	}

	b.drawn = b.LogoSHA256 != before

	return b.drawn
}

// change lets an admin change the brand. edit reports whether it has changed anything.
func (s *Service) change(
	ctx context.Context, orgID string, edit func(b *Brand) bool, done func(*db.Tx, Brand) error,
) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if _, _, err := organisation.ForAdmin(ctx, tx, orgID, caller.Of(ctx).User); err != nil {
			return err
		}

		b, err := Of(ctx, tx, orgID)
		if err != nil {
			return err
		}

		if err := caller.Unchanged(ctx, b.Version); err != nil {
			return err
		}

		if edit(&b) {
			if err := b.store(ctx, tx); err != nil {
				return err
			}

			trail.Audit(ctx, tx, orgID, "organisation.brand_changed", orgID, "")
		}

		return done(tx, b)
	})
}
