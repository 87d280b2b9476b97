package endpoint

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/rails/webhook"
)

// View is an endpoint as members see it.
type View struct {
	ID             string     `json:"_id" example:"whe_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	URL            string     `json:"url" example:"https://example.org/hooks/slipway"`
	Description    string     `json:"description,omitempty" example:"Accounting" doc:"what it is for, in the words of who made it"`
	Types          []string   `json:"types" nullable:"false" doc:"types of events it is told of; transaction.* is all of a noun; none: all" example:"[\"transaction.*\"]"`
	Body           Body       `json:"body" enum:"FULL,THIN" doc:"FULL: the event as GET /events shows it. THIN: of the record its identifier alone"`
	APIVersion     string     `json:"apiVersion" example:"2026-11-01" doc:"version that the form of its messages has; fixed when it was made"`
	IsEnabled      bool       `json:"isEnabled" doc:"false: deliveries wait until it is switched on"`
	IsVerified     bool       `json:"isVerified" doc:"false: the address has not answered the challenge of webhook_endpoint.verification; until then deliveries other than tests wait"`
	OffReason      string     `json:"offReason,omitempty" enum:"GONE,FAILING" doc:"why the service switched it off. GONE: it answered 410. FAILING: nothing arrived for five days"`
	FailingSince   *time.Time `json:"failingSince,omitempty" doc:"first failure since something has arrived"`
	Keys           []KeyView  `json:"keys" nullable:"false" doc:"keys that sign, the newest first"`
	Secret         string     `json:"secret,omitempty" example:"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw" doc:"the newest key; only in the answer that made it"`
	AllowedActions []string   `json:"allowedActions" nullable:"false" example:"[\"update\",\"test\",\"rotate-secret\",\"replay\",\"delete\"]"`
	Version        int64      `json:"version"`
	CreatedAt      time.Time  `json:"createdAt"`
	UpdatedAt      time.Time  `json:"updatedAt"`
}

// KeyView is a key without its secret.
type KeyView struct {
	PublicKey  string     `json:"publicKey,omitempty" example:"whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=" doc:"verifies the v1a signatures of this key (Ed25519); null for a key of before they were made: rotate it"`
	SignsUntil *time.Time `json:"signsUntil,omitempty" doc:"null: until another one takes its place"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// viewOf returns the function that shows endpoints to the caller, without their secrets.
func viewOf(ctx context.Context) func(Endpoint) View {
	return func(e Endpoint) View { return show(ctx, e) }
}

func show(ctx context.Context, e Endpoint) View {
	v := View{
		ID:          e.ID,
		URL:         e.URL,
		Description: e.Description,
		Types:       e.Types,
		Body:        e.Body,
		APIVersion:  e.APIVersion,
		IsEnabled:   e.Enabled,
		IsVerified:  e.Challenge == "",
		OffReason:   e.OffReason,
		Keys:        []KeyView{},
		AllowedActions: caller.Allowed(ctx,
			caller.Act{Word: "update", Operation: "changeWebhookEndpoint"},
			caller.Act{Word: "test", Operation: "testWebhookEndpoint"},
			caller.Act{Word: "rotate-secret", Operation: "rotateWebhookSecret"},
			caller.Act{Word: "replay", Operation: "replayWebhookEvents"},
			caller.Act{Word: "delete", Operation: "deleteWebhookEndpoint"},
		),
		Version:   e.Version,
		CreatedAt: e.CreatedAt,
		UpdatedAt: e.UpdatedAt,
	}
	if v.Types == nil {
		v.Types = []string{}
	}

	if !e.FailingSince.IsZero() {
		v.FailingSince = &e.FailingSince
	}

	for _, k := range e.Keys {
		var until *time.Time
		if !k.Until.IsZero() {
			until = &k.Until
		}

		v.Keys = append(v.Keys, KeyView{webhook.PublicKey(k.Private), until})
	}

	return v
}

// withSecret returns the function that shows endpoints with their newest key.
func withSecret(ctx context.Context) func(Endpoint) View {
	return func(e Endpoint) View {
		v := show(ctx, e)
		v.Secret = e.Keys[0].Secret

		return v
	}
}

// DeliveryView is a delivery in a list.
type DeliveryView struct {
	ID            string     `json:"_id" example:"whd_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Event         string     `json:"event" example:"evt_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the event, which is the webhook-id of each try"`
	Type          string     `json:"type" example:"transaction.completed"`
	Object        string     `json:"object" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the record that has changed"`
	Number        string     `json:"number" example:"1042" doc:"place of the event in the feed; 0 for a test"`
	Status        Status     `json:"status" enum:"PENDING,DELIVERED,FAILED"`
	Attempts      int64      `json:"attempts" example:"1" doc:"tries so far"`
	NextAttemptAt *time.Time `json:"nextAttemptAt,omitempty" doc:"when it is tried next; null once it has arrived or was given up"`
	CreatedAt     time.Time  `json:"createdAt"`
	EndedAt       *time.Time `json:"endedAt,omitempty" doc:"when it arrived or was given up"`
}

// DeliveryDetailView is a delivery with what was sent and what came back.
type DeliveryDetailView struct {
	DeliveryView
	Body  string        `json:"body" example:"{}" doc:"the bytes that each try sends"`
	Tries []AttemptView `json:"tries" nullable:"false" doc:"the oldest first"`
}

// AttemptView is one try.
type AttemptView struct {
	CreatedAt     time.Time `json:"createdAt"`
	ElapsedMicros int64     `json:"elapsedMicros" example:"81250" doc:"time until the answer"`
	HTTPStatus    int64     `json:"httpStatus" example:"200" doc:"0: there was no answer"`
	Problem       string    `json:"problem,omitempty" example:"The name was not found." doc:"why there was no answer, or why it did not count"`
	Signature     string    `json:"signature" example:"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" doc:"the webhook-signature that was sent"`
	Answer        string    `json:"answer" example:"ok" doc:"the first 16 kB of the answer's body"`
}

func deliveryViewOf(d Delivery) DeliveryView {
	v := DeliveryView{
		ID:        d.ID,
		Event:     d.Event,
		Type:      d.Type,
		Object:    d.Object,
		Number:    numberText(d.Number),
		Status:    d.Status,
		Attempts:  d.Attempts,
		CreatedAt: d.CreatedAt,
	}
	if !d.EndedAt.IsZero() {
		v.EndedAt = &d.EndedAt
	} else {
		v.NextAttemptAt = &d.NextAt
	}

	return v
}

func detailViewOf(d Delivery, tries []Attempt) DeliveryDetailView {
	v := DeliveryDetailView{DeliveryView: deliveryViewOf(d), Body: d.Body, Tries: []AttemptView{}}

	for _, a := range tries {
		v.Tries = append(v.Tries, AttemptView{
			CreatedAt:     a.CreatedAt,
			ElapsedMicros: a.Elapsed.Microseconds(),
			HTTPStatus:    a.HTTPStatus,
			Problem:       a.Problem,
			Signature:     a.Signature,
			Answer:        a.Answer,
		})
	}

	return v
}
