package organisation

import (
	"context"
	"errors"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
)

// This file holds all SQL of invitations.

func insertInvitation(tx *db.Tx, in Invitation) {
	tx.Insert(insertInv,
		in.ID,
		in.Organisation,
		in.EmailKey,
		in.Address,
		hashOf(in.Token),
		strings.Join(in.Roles, ","),
		in.ApprovedBy,
		in.CreatedBy,
		db.Micros(in.ExpiresAt),
		db.Micros(in.CreatedAt),
	)
}

// endInvitations ends the open invitations of the same organisation for the same address.
func endInvitations(tx *db.Tx, in Invitation) error {
	_, err := tx.Exec(`UPDATE invitations SET expires_at = ?
			WHERE organisation = ? AND email_key = ? AND used_at = 0 AND expires_at > ?`,
		db.Micros(tx.Now), in.Organisation, in.EmailKey, db.Micros(tx.Now))

	return err
}

// endInvitation ends an open invitation. If another request has used it, the write fails with db.ErrStale.
func endInvitation(tx *db.Tx, in Invitation) {
	tx.Change("UPDATE invitations SET expires_at = ? WHERE id = ? AND used_at = 0 AND expires_at > ?",
		db.Micros(in.ExpiresAt), in.ID, db.Micros(tx.Now))
}

// approveInvitation approves an invitation and gives it a new token.
func approveInvitation(tx *db.Tx, in Invitation, by string) {
	tx.Change(`UPDATE invitations SET approved_by = ?, token_hash = ?, expires_at = ?
			WHERE id = ? AND used_at = 0 AND approved_by = ''`,
		by, hashOf(in.Token), db.Micros(in.ExpiresAt), in.ID)
}

// useInvitation marks an invitation as used. If another request has used it, the write fails with db.ErrStale.
func useInvitation(tx *db.Tx, in Invitation, userID string) {
	tx.Change("UPDATE invitations SET used_at = ?, used_by = ? WHERE id = ? AND used_at = 0",
		db.Micros(tx.Now), userID, in.ID)
}

func openInvitations(ctx context.Context, q db.Querier, orgID string, now time.Time) (int64, error) {
	return db.Value[int64](ctx, q,
		"SELECT count(*) FROM invitations WHERE organisation = ? AND used_at = 0 AND expires_at > ?",
		orgID, db.Micros(now))
}

// openInvitationsOf returns a page of the invitations that can still be used, the newest first.
func openInvitationsOf(
	ctx context.Context, q db.Querier, orgID string, page caller.Window, now time.Time,
) ([]Invitation, error) {
	var w db.Where

	w.And("organisation = ?", orgID)
	w.And("used_at = 0")
	w.And("expires_at > ?", db.Micros(now))

	if page.After != "" {
		w.And("id < ?", page.After)
	}

	rows, err := db.Select(ctx, q, (*invitationRow).dest,
		strings.TrimSuffix(selectInvitation, " WHERE ")+w.SQL()+" ORDER BY id DESC LIMIT ? OFFSET ?",
		append(w.Args, page.Limit, page.Offset)...)

	out := make([]Invitation, len(rows))
	for i := range rows {
		out[i] = rows[i].invitation()
	}

	return out, err
}

// invitationsSince counts the invitations of an organisation since a moment.
func invitationsSince(ctx context.Context, q db.Querier, orgID string, since time.Time) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT count(*) FROM invitations WHERE organisation = ? AND created_at > ?",
		orgID, db.Micros(since))
}

// invitationsTo counts the invitations to one address since a moment, whoever made them.
func invitationsTo(ctx context.Context, q db.Querier, emailKey string, since time.Time) (int64, error) {
	return db.Value[int64](ctx, q, "SELECT count(*) FROM invitations WHERE email_key = ? AND created_at > ?",
		emailKey, db.Micros(since))
}

const selectInvitation = `SELECT id, organisation, email_key, address, roles, approved_by, created_by, used_by,
	used_at, expires_at, created_at FROM invitations WHERE `

type invitationRow struct {
	Invitation
	roles                  string
	used, expires, created int64
}

func (r *invitationRow) dest() []any {
	return []any{
		&r.ID,
		&r.Organisation,
		&r.EmailKey,
		&r.Address,
		&r.roles,
		&r.ApprovedBy,
		&r.CreatedBy,
		&r.UsedBy,
		&r.used,
		&r.expires,
		&r.created,
	}
}

func (r *invitationRow) invitation() Invitation {
	in := r.Invitation
	in.Roles = db.Words(r.roles)
	in.UsedAt = db.Time(r.used)
	in.ExpiresAt = db.Time(r.expires)
	in.CreatedAt = db.Time(r.created)

	return in
}

// invitationByHash returns the invitation with the hash of a token, or db.ErrNone.
func invitationByHash(ctx context.Context, q db.Querier, hash string) (Invitation, error) {
	r, err := db.One(ctx, q, (*invitationRow).dest, selectInvitation+"token_hash = ?", hash)

	return r.invitation(), err
}

// invitationByID returns an invitation of the organisation, or the refusal NOT_FOUND.
func invitationByID(ctx context.Context, q db.Querier, orgID, invitationID string) (Invitation, error) {
	in, err := invitationOf(ctx, q, invitationID)
	if err == nil && in.Organisation != orgID {
		return Invitation{}, fault.Missing("invitation")
	}

	return in, err
}

// invitationOf returns an invitation of any organisation, or the refusal NOT_FOUND.
func invitationOf(ctx context.Context, q db.Querier, invitationID string) (Invitation, error) {
	if !id.Valid(invitationPrefix, invitationID) {
		return Invitation{}, fault.Missing("invitation")
	}

	r, err := db.One(ctx, q, (*invitationRow).dest, selectInvitation+"id = ?", invitationID)
	if errors.Is(err, db.ErrNone) {
		err = fault.Missing("invitation")
	}

	return r.invitation(), err
}

// untoldInvitations returns invitations that have ended unused and whose end has no event, in the order in which they
// ended.
func untoldInvitations(ctx context.Context, tx *db.Tx, most int) ([]Invitation, error) {
	rows, err := db.Select(ctx, tx, (*invitationRow).dest, selectInvitation+
		"used_at = 0 AND end_told = FALSE AND expires_at <= ? ORDER BY expires_at LIMIT ?",
		db.Micros(tx.Now), int64(most))

	out := make([]Invitation, len(rows))
	for i := range rows {
		out[i] = rows[i].invitation()
	}

	return out, err
}

// markInvitationTold notes that the end of an invitation has its event. If another process was first, the write fails
// with db.ErrStale.
func markInvitationTold(tx *db.Tx, in Invitation) {
	tx.Change("UPDATE invitations SET end_told = TRUE WHERE id = ? AND end_told = FALSE", in.ID)
}
