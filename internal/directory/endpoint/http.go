package endpoint

import (
	"context"
	"strconv"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

func numberText(n int64) string { return strconv.FormatInt(n, 10) }

type byID struct {
	ID string `path:"id" maxLength:"64"`
}

type byDelivery struct {
	byID
	Delivery string `path:"delivery" maxLength:"64" doc:"identifier of the delivery"`
}

type createIn struct {
	Body struct {
		URL         string   `json:"url" maxLength:"500" example:"https://example.org/hooks/slipway" doc:"https, on the public internet"`
		Description string   `json:"description,omitempty" maxLength:"200" example:"Accounting" doc:"what it is for, in your words"`
		Types       []string `json:"types,omitempty" maxItems:"50" maxLength:"80" pattern:"^[a-z_]+(\\.[a-z_]+)*(\\.\\*)?$" patternDescription:"must be a type such as transaction.completed, or a noun such as transaction.*" doc:"types of events that it is told of; none: all" example:"[\"transaction.*\"]"`
		Body        Body     `json:"body,omitempty" enum:"FULL,THIN" doc:"FULL if left out"`
	}
}

type changeIn struct {
	byID
	Body struct {
		URL         *string   `json:"url,omitempty" nullable:"false" maxLength:"500" example:"https://example.org/hooks/slipway"`
		Description *string   `json:"description,omitempty" maxLength:"200" example:"Accounting" doc:"what it is for, in your words"`
		Types       *[]string `json:"types,omitempty" nullable:"false" maxItems:"50" maxLength:"80" pattern:"^[a-z_]+(\\.[a-z_]+)*(\\.\\*)?$" patternDescription:"must be a type such as transaction.completed, or a noun such as transaction.*" doc:"types of events that it is told of; none: all" example:"[\"transaction.*\"]"`
		Body        *Body     `json:"body,omitempty" nullable:"false" enum:"FULL,THIN" doc:"what a message holds of the record"`
		IsEnabled   *bool     `json:"isEnabled,omitempty" nullable:"false" doc:"true: what has waited is sent"`
	}
}

type rotateIn struct {
	byID
	Body struct {
		OverlapHours *int `json:"overlapHours,omitempty" minimum:"0" maximum:"168" example:"24" doc:"for how long the present key signs beside the new one; 24 if left out"`
	}
}

type listIn struct{ web.Paging }

type deliveriesIn struct {
	byID
	web.Paging
	Status []string `query:"status[]" maxItems:"3" enum:"PENDING,DELIVERED,FAILED" doc:"only these"`
}

type replayIn struct {
	byID
	Body struct {
		From       string `json:"from" pattern:"^[1-9][0-9]{0,17}$" patternDescription:"must be a number" example:"1001" doc:"number of the first event"`
		To         string `json:"to" pattern:"^[1-9][0-9]{0,17}$" patternDescription:"must be a number" example:"1042" doc:"number of the last event"`
		OnlyFailed bool   `json:"onlyFailed,omitempty" doc:"only events that were given up and did not arrive since"`
		Preview    bool   `json:"preview,omitempty" doc:"true: count, and send nothing"`
	}
}

// ReplayView is what a replay will do.
type ReplayView struct {
	ID    *string `json:"_id" example:"whr_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"null for a preview"`
	Count int64   `json:"count" example:"42" doc:"deliveries that are made"`
}

// Routes registers the operations of webhook endpoints.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		o := web.Operation{
			Method:      method,
			Path:        "/webhook-endpoints" + path,
			ID:          id,
			Summary:     summary,
			Description: description,
			Tag:         "events",
			Access:      web.Tenant,
			Codes:       codes,
		}
		if method != "GET" {
			o.Roles = []string{organisation.Admin}
		}

		return o
	}

	// whoever names an address, or reads a secret, decides who learns of every payment
	secret := func(o web.Operation) web.Operation {
		o.StepUp = true
		o.NoIdempotency = true

		return o
	}

	create := secret(op(
		"POST",
		"",
		"createWebhookEndpoint",
		"Add a webhook endpoint",
		"The answer has the key that signs (Standard Webhooks); it is shown once. The address is sent a message of the type "+
			"`webhook_endpoint.verification`, and is told of events once it has answered 2xx with its "+
			"`data.object.challenge`, as text or as `{\"challenge\": …}`.",
		fault.WebhookURL,
		fault.WebhookLimit,
	))
	create.Status = 201
	create.Location = "/webhook-endpoints/{id}"
	web.Register(api, create, s.create)

	web.Register(api, op("GET", "", "listWebhookEndpoints", "List the organisation's webhook endpoints", "",
		fault.CursorInvalid), s.list)
	web.Register(api, op("GET", "/{id}", "readWebhookEndpoint", "Read a webhook endpoint", ""), s.read)

	change := op(
		"PATCH",
		"/{id}",
		"changeWebhookEndpoint",
		"Change a webhook endpoint, or switch it off or on",
		"While it is off its deliveries wait. A new address is asked for a proof as that of a new endpoint is.",
		fault.WebhookURL,
	)
	change.StepUp = true
	web.Register(api, change, s.patch)

	web.Register(api, op("DELETE", "/{id}", "deleteWebhookEndpoint", "Delete a webhook endpoint",
		"What waits for it is not sent any more."), s.remove)

	web.Register(api, secret(op("POST", "/{id}/rotate-secret", "rotateWebhookSecret", "Give an endpoint a new key",
		"The present key signs beside it for `overlapHours`; messages then have several signatures.")), s.rotate)

	test := op(
		"POST",
		"/{id}/test",
		"testWebhookEndpoint",
		"Send an endpoint an event about itself",
		"Its type is `webhook_endpoint.test`. Read the delivery to see what came back. An address that has not answered its "+
			"verification is asked again.",
	)
	test.Status = 202
	web.Register(api, test, s.test)

	web.Register(api, op("GET", "/{id}/deliveries", "listWebhookDeliveries", "List an endpoint's deliveries",
		"Newest first, for 90 days.", fault.CursorInvalid), s.deliveries)
	web.Register(api, op("GET", "/{id}/deliveries/{delivery}", "readWebhookDelivery",
		"Read a delivery with what was sent and what came back", ""), s.delivery)

	resend := op("POST", "/{id}/deliveries/{delivery}/resend", "resendWebhookDelivery", "Send a delivery again",
		"A further delivery with the same bytes and the same webhook-id.")
	resend.Status = 202
	web.Register(api, resend, s.resend)

	again := op("POST", "/{id}/replay", "replayWebhookEvents", "Deliver a part of the feed again",
		"With `preview` nothing is sent: the answer says how many deliveries there would be.", fault.WebhookReplayOpen)
	again.Status = 202
	web.Register(api, again, s.replayed)
}

func (s *Service) create(ctx context.Context, in *createIn) (*View, error) {
	b := in.Body
	e := Endpoint{
		Organisation: caller.Of(ctx).Organisation,
		URL:          b.URL,
		Description:  b.Description,
		Types:        b.Types,
		Body:         b.Body,
	}

	if e.Body == "" {
		e.Body = Full
	}

	return web.Once(ctx, 201, withSecret(ctx), func(done func(*db.Tx, Endpoint) error) error {
		return s.Create(ctx, e, done)
	})
}

func (s *Service) patch(ctx context.Context, in *changeIn) (*View, error) {
	b := in.Body

	return web.Once(ctx, 200, viewOf(ctx), func(done func(*db.Tx, Endpoint) error) error {
		return s.Change(ctx, caller.Of(ctx).Organisation, in.ID, func(e *Endpoint) {
			set(&e.URL, b.URL)
			set(&e.Description, b.Description)
			set(&e.Types, b.Types)
			set(&e.Body, b.Body)
			set(&e.Enabled, b.IsEnabled)
		}, done)
	})
}

// set replaces a value by one that was sent.
func set[T any](field, sent *T) {
	if sent != nil {
		*field = *sent
	}
}

func (s *Service) remove(ctx context.Context, in *byID) (*View, error) {
	return web.Once(ctx, 200, viewOf(ctx), func(done func(*db.Tx, Endpoint) error) error {
		return s.Delete(ctx, caller.Of(ctx).Organisation, in.ID, done)
	})
}

func (s *Service) rotate(ctx context.Context, in *rotateIn) (*View, error) {
	overlap := 24 * time.Hour
	if h := in.Body.OverlapHours; h != nil {
		overlap = time.Duration(*h) * time.Hour
	}

	return web.Once(ctx, 200, withSecret(ctx), func(done func(*db.Tx, Endpoint) error) error {
		return s.Rotate(ctx, caller.Of(ctx).Organisation, in.ID, overlap, done)
	})
}

func (s *Service) test(ctx context.Context, in *byID) (*DeliveryView, error) {
	return web.Once(ctx, 202, deliveryViewOf, func(done func(*db.Tx, Delivery) error) error {
		return s.Test(ctx, caller.Of(ctx).Organisation, in.ID, done)
	})
}

func (s *Service) resend(ctx context.Context, in *byDelivery) (*DeliveryView, error) {
	return web.Once(ctx, 202, deliveryViewOf, func(done func(*db.Tx, Delivery) error) error {
		return s.Resend(ctx, caller.Of(ctx).Organisation, in.ID, in.Delivery, done)
	})
}

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	e, err := ByID(ctx, s.DB, caller.Of(ctx).Organisation, in.ID)
	v := show(ctx, e)

	return &v, err
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	return web.ListOf(ctx, s.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Endpoint, int64, error) {
		return list(ctx, q, caller.Of(ctx).Organisation, page)
	}, func(e Endpoint) string { return e.ID }, web.Each(viewOf(ctx)))
}

func (s *Service) deliveries(ctx context.Context, in *deliveriesIn) (*web.List[DeliveryView], error) {
	o := caller.Of(ctx).Organisation

	return web.ListOf(ctx, s.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Delivery, int64, error) {
		if _, err := ByID(ctx, q, o, in.ID); err != nil {
			return nil, 0, err
		}

		return deliveries(ctx, q, o, in.ID, in.Status, page)
	}, func(d Delivery) string { return d.ID }, web.Each(deliveryViewOf))
}

func (s *Service) delivery(ctx context.Context, in *byDelivery) (*DeliveryDetailView, error) {
	d, err := deliveryByID(ctx, s.DB, caller.Of(ctx).Organisation, in.ID, in.Delivery)
	if err != nil {
		return nil, err
	}

	tries, err := attemptsOf(ctx, s.DB, d)
	v := detailViewOf(d, tries)

	return &v, err
}

func (s *Service) replayed(ctx context.Context, in *replayIn) (*ReplayView, error) {
	o := caller.Of(ctx).Organisation
	r := Range{OnlyFailed: in.Body.OnlyFailed}
	r.First, _ = strconv.ParseInt(in.Body.From, 10, 64) // the pattern admits only numbers
	r.Last, _ = strconv.ParseInt(in.Body.To, 10, 64)

	n, err := s.Preview(ctx, o, in.ID, r)
	if err != nil {
		return nil, err
	}

	if in.Body.Preview {
		return &ReplayView{Count: n}, nil
	}

	return web.Once(ctx, 202, func(started string) ReplayView { return ReplayView{&started, n} },
		func(done func(*db.Tx, string) error) error { return s.Replay(ctx, o, in.ID, r, done) })
}
