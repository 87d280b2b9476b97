package chatchannel

import (
	"context"
	"slices"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/feed"
)

// OnSeal returns what writes the messages of newly numbered events, for feed.With. Channels that are off get none: what
// happens meanwhile is not told afterwards.
func (s *Service) OnSeal(ctx context.Context, events []feed.Event) (func(tx *db.Tx), error) {
	told := topics()
	oldest := s.DB.Now().Add(-GiveUp)

	worthy := slices.DeleteFunc(slices.Clone(events), func(e feed.Event) bool {
		return told[e.Type] == nil || e.Organisation == "" || e.At.Before(oldest) || !worth(e)
	})
	if len(worthy) == 0 {
		return func(*db.Tx) {}, nil
	}

	var organisations []string
	for _, e := range worthy {
		organisations = append(organisations, e.Organisation)
	}

	slices.Sort(organisations)

	channels, err := enabledOf(ctx, s.DB, slices.Compact(organisations))
	if err != nil {
		return nil, err
	}

	var made []Message

	for _, e := range worthy {
		for _, to := range channels {
			if to.isTold(e) {
				made = append(made, messageOf(to, e))
			}
		}
	}

	return func(tx *db.Tx) { s.queueMessages(tx, made) }, nil
}

// isTold reports whether a channel that is on is told of an event: one of its organisation that happened since it was
// made, and is not about itself.
func (c *Channel) isTold(e feed.Event) bool {
	return c.Organisation == e.Organisation && c.ID != e.Object && !e.At.Before(c.CreatedAt) &&
		c.wantsAny(topics()[e.Type])
}

func messageOf(to Channel, e feed.Event) Message {
	return Message{
		Organisation: to.Organisation,
		Channel:      to.ID,
		Event:        e.ID,
		Type:         e.Type,
		Object:       e.Object,
		State:        Queued,
		CreatedAt:    e.At,
	}
}

// queueMessages writes messages, and has those of each channel sent.
func (s *Service) queueMessages(tx *db.Tx, made []Message) {
	channels := map[string]bool{}

	for _, m := range made {
		m.ID = id.New(messagePrefix, tx.Now)
		onceMessage.Insert(tx, &m)
		channels[m.Channel] = true
	}

	for c := range channels {
		s.demand(tx, c)
	}
}
