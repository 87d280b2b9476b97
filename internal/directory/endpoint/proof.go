package endpoint

import (
	"context"
	"encoding/json"
	"strings"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/jsonout"
	"slipway/internal/platform/secret"
	"slipway/internal/platform/trail"
)

// VerificationType is the type of the message that asks an address whether it wants events. It is in no feed.
const VerificationType = "webhook_endpoint.verification"

// Prefixes of a verification and of what has to be answered.
const (
	verificationPrefix = "whv"
	challengePrefix    = "whc_"
)

// verification is the record of such a message.
type verification struct {
	ID        string `json:"_id"`
	Endpoint  string `json:"endpoint"`
	Challenge string `json:"challenge"`
}

// askForProof has an address that was not told of anything yet asked whether it wants events, and forgets what it was
// asked before. Until it has answered, deliveries other than tests wait. A second call asks for another answer.
func (s *Service) askForProof(tx *db.Tx, e *Endpoint) error {
	e.Challenge = secret.Token(challengePrefix)
	v := verification{ID: id.New(verificationPrefix, tx.Now), Endpoint: e.ID, Challenge: e.Challenge}

	text, err := jsonout.Marshal(v)
	if err != nil {
		return err
	}

	whole := *e
	whole.Body = Full // of an identifier alone nobody could answer

	d, err := deliveryOf(whole, feed.Event{
		ID:       id.New("evt", tx.Now),
		Type:     VerificationType,
		Object:   v.ID,
		Sequence: 1,
		Data:     string(text),
		At:       tx.Now,
	}, "verification")
	if err != nil {
		return err
	}

	if err := endVerifications(tx, *e); err != nil {
		return err
	}

	s.add(tx, []Delivery{d})

	return nil
}

// asksForProof reports whether an answer to a delivery decides whether its endpoint is told of anything.
func asksForProof(e Endpoint, d Delivery) bool {
	return d.Type == VerificationType && e.Challenge != ""
}

// proves reports whether an answer is the challenge: as text, or as the member challenge of a JSON object. What repeats
// the message does not prove anything.
func proves(challenge string, answer []byte) bool {
	if strings.TrimSpace(string(answer)) == challenge {
		return true
	}

	var object struct {
		Challenge string `json:"challenge"`
	}

	return json.Unmarshal(answer, &object) == nil && object.Challenge == challenge
}

// notProven says of a try why an answer of 2xx did not count.
const notProven = "The answer was not the challenge of the message."

// proven notes that an address wants events. It does nothing if the endpoint has another challenge by now.
func (s *Service) proven(ctx context.Context, tx *db.Tx, e Endpoint) error {
	was, err := noteProof(tx, e)
	if err != nil || !was {
		return err
	}

	trail.Audit(ctx, tx, e.Organisation, "webhook_endpoint.verified", e.ID, e.URL)

	return nil
}
