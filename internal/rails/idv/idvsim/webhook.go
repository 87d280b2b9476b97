//go:build !nosandbox

package idvsim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/rails/idv"
)

// answerTime is how long the provider waits for the answer to a webhook.
const answerTime = 5 * time.Second

// retries are the delays after which a failed webhook is sent again (Sumsub, receive verification results). After the
// last one it is abandoned.
func retries() []time.Duration {
	return []time.Duration{5 * time.Minute, time.Hour, 5 * time.Hour, 18 * time.Hour}
}

// lateBy is the delay of a late webhook.
const lateBy = 10 * time.Minute

// Travel is what happens to webhooks on the way.
type Travel string

// The ways.
const (
	Once     Travel = "once"
	Twice    Travel = "twice"
	Late     Travel = "late"     // ten minutes later
	Reversed Travel = "reversed" // held until the outcome, then newest first
	Held     Travel = "held"     // held until a tester sends them
	Lost     Travel = "lost"     // never delivered, although the provider believes so
)

// Ways lists all kinds of Travel.
func Ways() []Travel { return []Travel{Once, Twice, Late, Reversed, Held, Lost} }

func ways() []choice {
	return []choice{
		{string(Once), "At once"},
		{string(Twice), "Twice"},
		{string(Late), "Ten minutes late"},
		{string(Reversed), "Newest first, with the outcome"},
		{string(Held), "Kept back, sent by hand"},
		{string(Lost), "Lost"},
	}
}

// webhook is a webhook to be sent, or sent.
type webhook struct {
	Number    int       `json:"number"`
	Applicant string    `json:"applicant"`
	Type      string    `json:"type"`
	At        time.Time `json:"at"`   // of the event
	Body      string    `json:"body"` // the exact bytes that are signed and sent
	Due       time.Time `json:"due"`
	Held      bool      `json:"held,omitempty"`
	Tries     int       `json:"tries,omitempty"`
	Answer    string    `json:"answer,omitempty"` // to the last attempt
	Done      bool      `json:"done,omitempty"`   // delivered, abandoned, or lost
}

// Webhook is the state of one.
type Webhook struct {
	Number                  int
	ApplicantID, Type, Body string
	At, Due                 time.Time
	Held, Done              bool
	Tries                   int
	Answer                  string
}

// payload is the body of a webhook, with the fields in the provider's order.
type payload struct {
	ApplicantID       string  `json:"applicantId"`
	InspectionID      string  `json:"inspectionId"`
	ApplicantType     string  `json:"applicantType"`
	CorrelationID     string  `json:"correlationId"`
	LevelName         string  `json:"levelName"`
	SandboxMode       bool    `json:"sandboxMode"`
	ExternalUserID    string  `json:"externalUserId"`
	Type              string  `json:"type"`
	ReviewResult      *result `json:"reviewResult,omitempty"`
	ReviewStatus      string  `json:"reviewStatus"`
	CreatedAt         string  `json:"createdAt"`
	CreatedAtMs       string  `json:"createdAtMs"`
	ApplicantMemberOf []any   `json:"applicantMemberOf"` // null: a separate applicant
	ClientID          string  `json:"clientId"`
}

type result struct {
	ModerationComment string   `json:"moderationComment,omitempty"`
	ReviewAnswer      string   `json:"reviewAnswer"`
	RejectLabels      []string `json:"rejectLabels,omitempty"`
	ReviewRejectType  string   `json:"reviewRejectType,omitempty"`
}

// clientID is the provider's name of its client.
const clientID = "slipway.sandbox"

func (a applicant) result() *result {
	if a.Answer == "" {
		return nil
	}

	return &result{
		ModerationComment: a.Comment,
		ReviewAnswer:      a.Answer,
		RejectLabels:      a.Labels,
		ReviewRejectType:  a.RejectType,
	}
}

// webhooksFor creates the webhooks of an event that happens now. before are webhooks of the same change that are not in
// the books yet. Call it only inside alone.
func (s *Server) webhooksFor(a *applicant, event string, before []webhook) []webhook {
	at := s.now()
	if !at.After(a.LastEventAt) {
		at = a.LastEventAt.Add(time.Millisecond)
	}

	a.LastEventAt = at

	body, err := json.Marshal(payload{
		ApplicantID:    a.ID,
		InspectionID:   a.InspectionID,
		ApplicantType:  wireKind(a.Kind),
		CorrelationID:  "req-" + newID(at),
		LevelName:      a.Level,
		SandboxMode:    true,
		ExternalUserID: a.ExternalUserID,
		Type:           event,
		ReviewResult:   a.result(),
		ReviewStatus:   a.Status,
		CreatedAt:      at.Format(wireTime + "+0000"),
		CreatedAtMs:    at.Format(wireTime + ".000"),
		ClientID:       clientID,
	}, json.FormatNilSliceAsNull(true))
	if err != nil {
		panic(fmt.Sprintf("a webhook's body: %v", err)) // cannot happen: it consists of texts and booleans
	}

	w := webhook{
		Number:    len(s.webhooks) + len(before) + 1,
		Applicant: a.ID,
		Type:      event,
		At:        at,
		Body:      string(body),
		Due:       s.config.Clock.Now(),
	}

	switch s.travel {
	case Once:
	case Late:
		w.Due = w.Due.Add(lateBy)
	case Held:
		w.Held = true
	case Lost:
		w.Done = true
		w.Answer = "lost on the way"

	case Twice:
		again := w
		again.Number++
		return []webhook{w, again}

	case Reversed:
		if event == idv.ApplicantPending || event == idv.ApplicantCreated {
			w.Held = true
			break
		}

		return append([]webhook{w}, s.release(a.ID, w.Due, before)...)
	}

	return []webhook{w}
}

// release makes held webhooks of an applicant due, newest first, starting at a time.
func (s *Server) release(applicantID string, after time.Time, before []webhook) []webhook {
	held := slices.DeleteFunc(slices.Clone(before), func(w webhook) bool { return !w.Held })
	for _, w := range s.webhooks {
		if w.Held && !w.Done && w.Applicant == applicantID {
			held = append(held, w)
		}
	}

	slices.SortFunc(held, func(a, b webhook) int { return b.Number - a.Number })

	for i := range held {
		held[i].Held = false
		held[i].Due = after.Add(time.Duration(i+1) * time.Microsecond)
	}

	return held
}

func wireKind(k idv.Kind) string {
	if k == idv.Organisation {
		return "company"
	}

	return "individual"
}

// SetWebhook sets where webhooks are sent. A nil transport is the network. Without an address they wait.
func (s *Server) SetWebhook(target string, transport http.RoundTripper) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.target = target

	s.carrier = &http.Client{
		Transport:     transport,
		Timeout:       answerTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// SetTravel sets what happens to the webhooks of later events.
func (s *Server) SetTravel(t Travel) error {
	if !slices.Contains(Ways(), t) {
		return refuse(400, 0, "%q is no way for webhooks to travel.", string(t))
	}

	return s.alone(func() error { return s.keep(entry{Travel: t}) })
}

// Webhooks lists those of an applicant, or all if ref is empty, in the order of their events.
func (s *Server) Webhooks(ref string) ([]Webhook, error) {
	var out []Webhook
	err := s.alone(func() error {
		a, ok := s.find(ref)
		if !ok && ref != "" {
			return ErrNotFound
		}

		for _, w := range s.webhooks {
			if ref == "" || w.Applicant == a.ID {
				out = append(out, Webhook{
					Number:      w.Number,
					ApplicantID: w.Applicant,
					Type:        w.Type,
					Body:        w.Body,
					At:          w.At,
					Due:         w.Due,
					Held:        w.Held,
					Done:        w.Done,
					Tries:       w.Tries,
					Answer:      w.Answer,
				})
			}
		}

		return nil
	})
	slices.SortFunc(out, func(a, b Webhook) int { return a.Number - b.Number })

	return out, err
}

// Send makes a webhook due now, whether it was held, lost, or has already arrived: then it is sent again.
func (s *Server) Send(number int) error {
	return s.alone(func() error {
		w, ok := s.webhooks[number]
		if !ok {
			return refuse(404, 0, "There is no webhook %d.", number)
		}

		w.Due = s.config.Clock.Now()
		w.Held = false
		w.Done = false

		return s.keep(entry{Webhooks: []webhook{w}})
	})
}

// maxRound limits the webhooks of one Deliver.
const maxRound = 1_000

// Deliver sends the due webhooks in the order in which they became due, and returns how many it tried. A webhook
// without a 2xx answer is retried later, at most four times.
func (s *Server) Deliver(ctx context.Context) (int, error) {
	s.sending.Lock()
	defer s.sending.Unlock()

	tried := 0
	for ; tried < maxRound; tried++ {
		w, target, carrier, err := s.next()
		if err != nil || target == "" {
			return tried, err
		}

		answer, arrived := s.post(ctx, carrier, target, w)
		if ctx.Err() != nil {
			return tried, ctx.Err() // it may have arrived: it is sent again later
		}

		if err := s.tried(w.Number, answer, arrived); err != nil {
			return tried, err
		}
	}

	return tried, nil
}

// next returns the webhook that has been due for the longest time. An empty target means that none is due, or no
// address is set.
func (s *Server) next() (w webhook, target string, carrier *http.Client, err error) {
	err = s.alone(func() error {
		now := s.config.Clock.Now()
		for _, x := range s.webhooks {
			if x.Done || x.Held || x.Due.After(now) || s.target == "" {
				continue
			}

			if target == "" || x.Due.Before(w.Due) || x.Due.Equal(w.Due) && x.Number < w.Number {
				w = x
				target = s.target
				carrier = s.carrier
			}
		}

		return nil
	})

	return w, target, carrier, err
}

// post sends a webhook once.
func (s *Server) post(
	ctx context.Context,
	carrier *http.Client,
	target string,
	w webhook,
) (answer string, arrived bool) {
	digest, err := idv.Sign(s.config.WebhookSecret, s.config.Algorithm, []byte(w.Body))
	if err != nil {
		return err.Error(), false
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader([]byte(w.Body)))
	if err != nil {
		return err.Error(), false
	}

	r.Header.Set("Content-Type", "application/json")
	r.Header.Set(idv.HeaderDigest, digest)
	r.Header.Set(idv.HeaderAlgorithm, s.config.Algorithm)

	res, err := carrier.Do(r)
	if err != nil {
		return fmt.Sprintf("%.200s", err), false
	}

	_, _ = io.CopyN(io.Discard, res.Body, 64<<10)
	_ = res.Body.Close()

	return fmt.Sprint(res.StatusCode), res.StatusCode >= 200 && res.StatusCode < 300
}

// tried records the result of one attempt.
func (s *Server) tried(number int, answer string, arrived bool) error {
	return s.alone(func() error {
		w := s.webhooks[number]
		w.Tries = w.Tries + 1
		w.Answer = answer

		w.Done = arrived
		if delays := retries(); !arrived && w.Tries <= len(delays) {
			w.Due = s.config.Clock.Now().Add(delays[w.Tries-1])
		} else {
			w.Done = true
		}

		return s.keep(entry{Webhooks: []webhook{w}})
	})
}

// Run sends webhooks until ctx ends: those of new events at once, others within a period of their time.
func (s *Server) Run(ctx context.Context, period time.Duration) error {
	tick := time.NewTicker(period)
	defer tick.Stop()

	for {
		if _, err := s.Deliver(ctx); err != nil && !errors.Is(err, context.Canceled) {
			s.config.Log.Error("webhooks of the simulated identity provider", "error", err)
		}

		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		case <-s.wake:
		}
	}
}
