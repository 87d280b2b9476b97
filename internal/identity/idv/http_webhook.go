package idv

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"slices"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/web"
	provider "slipway/internal/rails/idv"
)

// webhook accepts the provider's events. It answers once the event is in the inbox and does not wait for the job: the
// provider gives up after five seconds and sends again after 5 minutes, 1, 5 and 18 hours.
func (s *Service) webhook(api *web.API) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, provider.MaxEvent))
		if err != nil {
			api.Refuse(w, r, unreadable(err))
			return
		}

		if !s.fromProvider(r.Context(), r.Header, raw) {
			s.refused.Add(1)
			api.Refuse(w, r, fault.New(fault.Unauthenticated, fault.WebhookSignature,
				"The event does not carry the provider's signature."))

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

// fromProvider reports whether an event is signed by the provider and comes from one of its addresses, if they are
// configured.
func (s *Service) fromProvider(ctx context.Context, header http.Header, raw []byte) bool {
	c := s.config.Webhook
	if len(c.Sources) > 0 {
		source, err := netip.ParseAddr(caller.RequestOf(ctx).Source)
		isProvider := func(p netip.Prefix) bool { return p.Contains(source.Unmap()) }

		if err != nil || !slices.ContainsFunc(c.Sources, isProvider) {
			return false
		}
	}

	return provider.Verify(c.Secrets, c.Algorithms, header, raw) == nil
}
