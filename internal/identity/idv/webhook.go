package idv

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	provider "slipway/internal/rails/idv"
)

// receive writes an event into the inbox, with the job that looks at it. One that was delivered before changes nothing.
func (s *Service) receive(ctx context.Context, raw []byte) error {
	e, err := provider.ParseEvent(raw)
	if err != nil {
		s.config.Log.ErrorContext(ctx, "event of the identity provider", "error", err.Error(), "requestId",
			caller.RequestOf(ctx).ID)

		return s.store(ctx, provider.Event{}, raw, "it cannot be read: "+err.Error())
	}

	return s.store(ctx, e, raw, s.pointless(e))
}

// pointless says why an event needs no look at the provider; empty: it does.
func (s *Service) pointless(e provider.Event) string {
	switch {
	case e.Sandbox != s.config.Sandbox:
		return "it is of the provider's other mode"
	case e.MemberOf:
		return "it is about somebody who belongs to an applicant"
	case !about(e):
		return "it says nothing of an applicant's state"
	case e.ExternalUserID == "":
		return "it names nobody of ours"
	}

	return ""
}

// identityOf is what makes two deliveries the same event. One that cannot be read is known by its bytes. The times
// within the signature are the event's own, so a delivery can be repeated for ever by whoever has seen it.
func identityOf(e provider.Event, raw []byte) string {
	text := string(raw)
	if e.Type != "" {
		text = strings.Join(
			[]string{
				e.ApplicantID,
				e.InspectionID,
				e.Type,
				e.CorrelationID,
				e.CreatedAt.UTC().Format(time.RFC3339Nano),
			},
			"\x00",
		)
	}

	sum := sha256.Sum256([]byte(text))

	return hex.EncodeToString(sum[:])
}

func (s *Service) store(ctx context.Context, e provider.Event, raw []byte, pointless string) error {
	identity := identityOf(e, raw)
	if twice, err := known(ctx, s.db, identity); err != nil || twice {
		return err
	}

	return s.db.Write(ctx, func(tx *db.Tx) error {
		state := received

		ended := int64(0)
		if pointless != "" {
			state = ignored
			ended = db.Micros(tx.Now)
		}

		eventID := id.New(eventPrefix, tx.Now)

		tx.Insert(
			insertEvent,
			eventID,
			identity,
			e.Type,
			e.ApplicantID,
			e.ExternalUserID,
			db.Micros(e.CreatedAt),
			rawEvents.OfBytes(db.Key{eventID}, raw),
			state,
			pointless,
			db.Micros(tx.Now),
			ended,
		)

		if pointless == "" {
			s.config.Jobs.Demand(tx, job, jobKey(e.ExternalUserID), e.ExternalUserID)
		}

		return nil
	})
}
