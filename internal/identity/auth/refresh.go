package auth

import (
	"context"
	"errors"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/twofactor"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// refresh trades a refresh token for new tokens. A token that was used before ends its session.
func (s *Service) refresh(ctx context.Context, token string) (signIn, error) {
	if err := s.limits.fromSource(ctx, s.limits.refresh, s.db.Now()); err != nil {
		return signIn{}, err
	}

	if !secret.TokenForm(refreshPrefix, token) {
		return signIn{}, tokenInvalid()
	}

	out := signIn{Tokens: newTokens()}
	hash := digest(token)

	err := s.writeAndRefuse(ctx, func(tx *db.Tx) (refused, err error) {
		out.setup, refused, err = s.refreshSession(ctx, tx, hash, out.Tokens)
		return refused, err
	})
	if err != nil {
		return signIn{}, err
	}

	return out, nil
}

// refreshSession finds the session of a refresh token and rotates its tokens. It reports whether the new tokens open
// nothing but the set-up of a second factor.
func (s *Service) refreshSession(
	ctx context.Context, tx *db.Tx, hash string, t Tokens,
) (setup bool, refused, err error) {
	ses, generation, expires, err := sessionOfRefresh(ctx, tx, hash)
	if errors.Is(err, db.ErrNone) {
		return false, nil, tokenInvalid()
	}

	if err != nil {
		return false, nil, err
	}

	newest := generation == ses.generation
	if !ses.usable(tx.Now) || newest && !tx.Now.Before(expires) {
		return false, nil, tokenInvalid()
	}

	u, err := user.ByID(ctx, tx, ses.user)
	if err != nil {
		return false, nil, err
	}

	if !u.IsActive {
		return false, nil, accountInactive()
	}

	if err := s.checkClient(ctx, tx, ses); err != nil {
		return false, nil, err
	}

	if setup, err = mustSetUp(ctx, tx, u, ses); err != nil {
		return false, nil, err
	}

	refused, err = s.rotateSession(ctx, tx, ses, generation, t)

	return setup, refused, err
}

// mustSetUp reports whether a person's tokens open nothing but the set-up of a second factor.
func mustSetUp(ctx context.Context, q db.Querier, u user.User, ses session) (bool, error) {
	if !u.TwoFactorRequired || ses.client != "" {
		return false, nil
	}

	on, err := twofactor.Enabled(ctx, q, u.ID)

	return !on, err
}

// rotateSession carries out what session.next decides about a refresh token of a generation. refused is returned to the
// caller although the transaction commits.
func (s *Service) rotateSession(
	ctx context.Context, tx *db.Tx, ses session, generation int64, t Tokens,
) (refused, err error) {
	before := ses
	source := caller.RequestOf(ctx).Source

	switch ses.next(generation, source, tx.Now) {
	case rotate:
		ses.generation++
		ses.siblings = 0
		ses.rotatedAt = tx.Now
		ses.rotatedSource = source

	case repeat:
		ses.siblings++

	case tooMany:
		return nil, fault.New(fault.TooMany, fault.Overloaded, "This refresh token was sent too often.")

	case revoke:
		return s.endReused(ctx, tx, ses)
	}

	writeRotation(tx, ses, before.generation, before.siblings)
	writeTokens(tx, ses, t)

	return nil, nil
}

// endReused ends a session of which a used refresh token came again, and warns its person by mail.
func (s *Service) endReused(ctx context.Context, tx *db.Tx, ses session) (refused, err error) {
	actor := caller.Principal{User: ses.user}
	trail.Audit(caller.With(ctx, actor), tx, "", "session.token_reused", ses.id, "the session was ended")
	tx.OnCommit(func() { s.cache.DropUser(ses.user) })

	if err := s.alarm(ctx, tx, ses.user, mail.RefreshReuse, nil); err != nil {
		return nil, err
	}

	refused = fault.New(fault.Unauthenticated, fault.RefreshReused,
		"The refresh token was used before. Its session has been ended; log in again.")

	return refused, revokeSession(tx, ses.id, "refresh token used twice")
}
