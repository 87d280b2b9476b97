package idv

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/web"
	provider "slipway/internal/rails/idv"
)

// webhook takes the provider's events. It is answered when the event is in the inbox, and never waits for what comes
// of it: the provider gives up after five seconds and sends again after 5 minutes, 1, 5 and 18 hours.
func (s *Service) webhook(api *web.API) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, provider.MaxEvent))
		if err != nil {
			api.Refuse(w, r, unreadable(err))
			return
		}

		if !s.fromProvider(r.Context(), r.Header, raw) {
			s.refused.Add(1)
			api.Refuse(
				w,
				r,
				fault.New(
					fault.Unauthenticated,
					fault.WebhookSignature,
					"The event does not carry the provider's signature.",
				),
			)

			return
		}

		if err := s.receive(r.Context(), raw); err != nil {
			api.Refuse(w, r, err)
			return
		}

		failpoint.Hit("webhook_saved")
		w.WriteHeader(http.StatusOK)
	})
}

func unreadable(err error) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fault.New(fault.TooLarge, fault.BodyTooLarge, "An event has at most %d bytes.", large.Limit)
	}

	return fault.New(fault.Malformed, fault.BodyMalformed, "The body broke off.")
}

// fromProvider says whether an event comes from the provider: from one of its addresses, where they are configured,
// and signed.
func (s *Service) fromProvider(ctx context.Context, header http.Header, raw []byte) bool {
	c := s.config.Webhook
	if len(c.Sources) > 0 {
		from, err := netip.ParseAddr(web.RequestOf(ctx).Source)
		if err != nil || !slices.ContainsFunc(c.Sources, func(p netip.Prefix) bool {
			return p.Contains(from.Unmap())
		}) {
			return false
		}
	}

	return provider.Verify(c.Secrets, c.Algorithms, header, raw) == nil
}

// receive writes an event into the inbox, with the job that looks at it. One that was delivered before changes nothing.
func (s *Service) receive(ctx context.Context, raw []byte) error {
	e, err := provider.ParseEvent(raw)
	if err != nil {
		s.config.Log.ErrorContext(
			ctx,
			"event of the identity provider",
			"error",
			err.Error(),
			"requestId",
			web.RequestOf(ctx).ID,
		)

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

		tx.Insert(
			insertEvent,
			id.New(eventPrefix, tx.Now),
			identity,
			e.Type,
			e.ApplicantID,
			e.ExternalUserID,
			db.Micros(e.CreatedAt),
			raw,
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
