package endpoint

import (
	"context"
	"slices"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/feed"
	"slipway/internal/platform/jsonout"
)

// OnSeal returns what writes the deliveries of newly numbered events, for feed.With. Endpoints that are off get theirs
// too: they are sent when the endpoint is on again.
func (s *Service) OnSeal(ctx context.Context, events []feed.Event) (func(tx *db.Tx), error) {
	var organisations []string
	for _, e := range events {
		organisations = append(organisations, e.Organisation)
	}

	slices.Sort(organisations)

	endpoints, err := endpointsOf(ctx, s.DB, slices.Compact(organisations))
	if err != nil {
		return nil, err
	}

	var made []Delivery

	for _, e := range events {
		for _, to := range endpoints {
			if to.Organisation != e.Organisation || !to.wants(e.Type) {
				continue
			}

			d, err := deliveryOf(to, e, "")
			if err != nil {
				return nil, err
			}

			made = append(made, d)
		}
	}

	return func(tx *db.Tx) { s.add(tx, made) }, nil
}

// add writes deliveries, and has those of endpoints sent.
func (s *Service) add(tx *db.Tx, made []Delivery) {
	endpoints := map[string]bool{}

	for _, d := range made {
		d.ID = id.New(deliveryPrefix, tx.Now)
		d.CreatedAt = tx.Now
		d.NextAt = tx.Now
		onceDelivery.Insert(tx, &d)

		endpoints[d.Endpoint] = true
	}

	for e := range endpoints {
		s.demand(tx, e)
	}
}

// deliveryOf returns the delivery of an event to an endpoint, with the bytes that each try sends.
func deliveryOf(to Endpoint, e feed.Event, round string) (Delivery, error) {
	v := feed.ViewOf(e)
	v.APIVersion = to.APIVersion

	if to.Body == Thin {
		text, err := jsonout.Marshal(struct {
			ID string `json:"_id"`
		}{e.Object})
		if err != nil {
			return Delivery{}, err
		}

		v.Data = feed.Data{Object: feed.Object(text)}
	}

	body, err := jsonout.Marshal(v)

	return Delivery{
		Organisation: to.Organisation,
		Endpoint:     to.ID,
		Event:        e.ID,
		Type:         e.Type,
		Object:       e.Object,
		Number:       e.Number,
		Round:        round,
		Body:         string(body),
		Status:       Pending,
		Version:      1,
	}, err
}
