package idv

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/platform/db"
	provider "slipway/internal/rails/idv"
)

// receive writes an event into the inbox and queues the job that processes it. A repeated delivery changes nothing.
func (s *Service) receive(ctx context.Context, raw []byte) error {
	e, err := provider.ParseEvent(raw)
	if err != nil {
		s.config.Log.ErrorContext(ctx, "an event of the identity provider cannot be read",
			"error", err.Error(), "requestId", caller.RequestOf(ctx).ID)

		return s.store(ctx, provider.Event{}, raw, "it cannot be read: "+err.Error())
	}

	return s.store(ctx, e, raw, s.pointless(e))
}

// pointless returns why an event is no reason to ask the provider, or "" if it is one.
func (s *Service) pointless(e provider.Event) string {
	switch {
	case e.Sandbox != s.config.Sandbox:
		return "it is of the provider's other mode"
	case e.MemberOf:
		return "it is about somebody who belongs to an applicant"
	case !aboutApplicant(e):
		return "it says nothing of an applicant's state"
	case e.ExternalUserID == "":
		return "it names nobody of ours"
	}

	return ""
}

// identityOf returns the same text for two deliveries of the same event. An event that cannot be read is identified by
// its bytes. The signature covers no time of delivery, so whoever has seen a delivery can repeat it for ever.
func identityOf(e provider.Event, raw []byte) string {
	text := string(raw)
	if e.Type != "" {
		at := e.CreatedAt.UTC().Format(time.RFC3339Nano)
		parts := []string{
			e.ApplicantID,
			e.InspectionID,
			e.Type,
			e.CorrelationID,
			at,
		}
		text = strings.Join(parts, "\x00")
	}

	sum := sha256.Sum256([]byte(text))

	return hex.EncodeToString(sum[:])
}

// store writes an event. A pointless one has ended already, with pointless as its outcome.
func (s *Service) store(ctx context.Context, e provider.Event, raw []byte, pointless string) error {
	identity := identityOf(e, raw)
	if exists, err := delivered(ctx, s.db, identity); err != nil || exists {
		return err
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		writeEvent(tx, e, raw, identity, pointless)

		if pointless == "" {
			s.config.Jobs.Demand(tx, job, jobKey(e.ExternalUserID), e.ExternalUserID)
		}

		return nil
	})
}
