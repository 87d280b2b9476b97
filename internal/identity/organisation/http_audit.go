package organisation

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
)

// auditPrefix begins a line's identifier.
const auditPrefix = "aud"

// AuditLineView is one line of the audit log: who did what, when, and from where.
type AuditLineView struct {
	ID        string    `json:"_id"`
	Actor     string    `json:"actor" doc:"a user, an API client, or system"`
	Action    string    `json:"action"`
	Object    string    `json:"object" doc:"identifier of the record it was done to"`
	Detail    string    `json:"detail"`
	Source    string    `json:"source" doc:"address of the caller"`
	RequestID string    `json:"requestId"`
	CreatedAt time.Time `json:"createdAt"`
}

type auditInput struct {
	web.Paging
	web.Period
	Actor  string `query:"actor" maxLength:"64" doc:"only what this user or API client did"`
	Action string `query:"action" maxLength:"64" doc:"only this action"`
	Object string `query:"object" maxLength:"64" doc:"only what was done to this record"`
}

func (s *Service) auditRoute(api *web.API) {
	web.Register(api, web.Operation{
		Method:      "GET",
		Path:        "/audit-log",
		ID:          "listAuditLog",
		Tag:         "organisations",
		Access:      web.Tenant,
		Roles:       []string{Admin},
		Summary:     "Who did what in the organisation",
		Description: "Newest first. Lines are only ever added.",
	}, s.handleAudit)
}

func (s *Service) handleAudit(ctx context.Context, in *auditInput) (*web.List[AuditLineView], error) {
	window, err := in.Window()
	if err != nil {
		return nil, err
	}

	if window.After != "" && !id.Valid(auditPrefix, window.After) {
		return nil, badCursor()
	}

	from, to, err := in.Times()
	if err != nil {
		return nil, err
	}

	f := trail.Filter{
		Organisation: caller.Of(ctx).Organisation,
		Actor:        in.Actor,
		Action:       in.Action,
		Object:       in.Object,
		From:         from,
		To:           to,
	}

	read := func(q db.Querier, page caller.Window) ([]trail.Line, int64, error) {
		return trail.List(ctx, q, f, page.After, page.Limit+1, page.Offset)
	}
	position := func(l trail.Line) string { return l.ID }

	return web.ListOf(ctx, s.db, in.Paging, read, position, web.Each(func(l trail.Line) AuditLineView {
		return AuditLineView{
			ID:        l.ID,
			Actor:     l.Actor,
			Action:    l.Action,
			Object:    l.Object,
			Detail:    l.Detail,
			Source:    l.Source,
			RequestID: l.RequestID,
			CreatedAt: user.Shown(l.At),
		}
	}))
}
