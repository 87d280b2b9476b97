package mail

import (
	"context"

	"github.com/go-json-experiment/json"

	"slipway/internal/platform/db"
)

// Filled is what a mail says that was read when it is sent.
type Filled struct {
	Data  map[string]string
	Items []Item
	// Organisation is whose letterhead the mail has; empty: the service's own.
	Organisation string
	// Tells are the gathered mails that it tells of. They end with it.
	Tells []string
}

// Filling reads what a mail to a person says. ok is false if there is nothing to say: then it is not sent.
type Filling func(ctx context.Context, user string) (f Filled, ok bool, err error)

// OnSend sets what mails of a kind say. fill is called each time before one is sent. Call it before jobs run.
func (o *Outbox) OnSend(k Kind, fill Filling) { o.onSend[k] = fill }

// readAnew returns what a mail says, or nil if that was written down when it was queued.
func (o *Outbox) readAnew(ctx context.Context, r record) (f *Filled, ok bool, err error) {
	fill := o.onSend[Kind(r.kind)]
	if fill == nil {
		return nil, true, nil
	}

	filled, ok, err := fill(ctx, r.user)

	return &filled, ok, err
}

// gathers reports whether a mail is kept for the person's morning mail.
func (o *Outbox) gathers(ctx context.Context, r record) (bool, error) {
	if !r.switchable() || Kind(r.kind) == Morning {
		return false, nil
	}

	return o.config.Preferences.Gathers(ctx, r.user, Category(r.category))
}

// gather keeps a mail, with what it says, until the person's morning mail has told of it.
func (o *Outbox) gather(ctx context.Context, mailID string) error {
	return o.config.DB.Write(ctx, func(tx *db.Tx) error { return markGathered(tx, mailID) })
}

// endSent records that a mail was sent, and ends those that it tells of.
func (o *Outbox) endSent(ctx context.Context, r record, f *Filled) error {
	if f == nil {
		return o.settle(ctx, r.id, Sent)
	}

	c, err := r.content()
	if err != nil {
		return err
	}

	return o.config.DB.Write(ctx, func(tx *db.Tx) error {
		if o.config.Keep { // the mailbox shows what was sent
			if err := o.keep(tx, r.id, c.filledWith(f)); err != nil {
				return err
			}
		}

		if _, err := o.end(tx, r.id, Sent, "", ""); err != nil {
			return err
		}

		for _, told := range f.Tells {
			if err := endGathered(tx, "id", told, Sent); err != nil {
				return err
			}
		}

		return nil
	})
}

// filledWith returns the content of a mail with what was read when it was sent.
func (c content) filledWith(f *Filled) content {
	c.Data = f.Data
	c.Items = f.Items
	c.Head = f.Organisation

	return c
}

// keep stores what a mail has said.
func (o *Outbox) keep(tx *db.Tx, mailID string, c content) error {
	raw, err := json.Marshal(c, json.Deterministic(true))
	if err != nil {
		return err
	}

	return setPayload(tx, mailID, string(raw))
}

// empty ends a mail that has nothing to say, and those that it would have told of.
func (o *Outbox) empty(ctx context.Context, r record, f *Filled) error {
	return o.config.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := o.end(tx, r.id, Unwanted, "", ""); err != nil {
			return err
		}

		for _, told := range f.Tells {
			if err := endGathered(tx, "id", told, Unwanted); err != nil {
				return err
			}
		}

		return nil
	})
}

// unwanted ends a mail that the person does not want. With a morning mail end those that it would tell of.
func (o *Outbox) unwanted(ctx context.Context, r record) error {
	if Kind(r.kind) != Morning {
		return o.settle(ctx, r.id, Unwanted)
	}

	return o.config.DB.Write(ctx, func(tx *db.Tx) error {
		if _, err := o.end(tx, r.id, Unwanted, "", ""); err != nil {
			return err
		}

		return endGathered(tx, "user_id", r.user, Unwanted)
	})
}

// maxGathered limits the mails that one morning mail tells of. The rest is told the next morning.
const maxGathered = 200

// Waiting is a mail that waits for its reader's morning mail.
type Waiting struct {
	ID      string
	Message Message
}

// GatheredOf returns what waits for a person's morning mail, oldest first.
func (o *Outbox) GatheredOf(ctx context.Context, q db.Querier, user string) ([]Waiting, error) {
	rows, err := gathered(ctx, q, user, maxGathered)
	if err != nil {
		return nil, err
	}

	out := make([]Waiting, len(rows))

	for i, r := range rows {
		c, err := r.content()
		if err != nil {
			return nil, err
		}

		out[i] = Waiting{r.id, Message{
			Kind:         Kind(r.kind),
			To:           r.recipient,
			User:         r.user,
			Record:       c.Record,
			Data:         c.Data,
			Items:        c.Items,
			Organisation: c.Head,
		}}
	}

	return out, nil
}
