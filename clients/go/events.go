package slipway

import (
	"context"
	"iter"
)

// longPoll is how many seconds the service waits for an event before it answers that there is none.
const longPoll = 30

// Events returns the organisation's events after a number, oldest first, and waits for further ones until ctx ends.
// after is the Number of the last event that was worked off, stored with what was done because of it; "": from the
// oldest one that is kept. types such as "transaction.*" leave others out.
//
// It ends with the first error. 410 EVENTS_GONE says that events after that number are no longer kept.
func (c *Client) Events(ctx context.Context, after string, types ...string) iter.Seq2[FeedView, error] {
	return func(yield func(FeedView, error) bool) {
		for {
			page, err := c.ListEvents(ctx, ListEventsParams{After: after, Types: types, Wait: longPoll})
			if err != nil {
				yield(FeedView{}, err)
				return
			}

			for _, e := range page.Results {
				if !yield(e, nil) {
					return
				}
			}

			after = page.Next
		}
	}
}
