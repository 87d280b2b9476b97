package mail

import (
	"context"

	"slipway/internal/platform/db"
)

// Failure is a mail that has ended undelivered.
type Failure struct {
	Kind         Kind
	To           string
	Record       string // Message.Record
	Organisation string // Message.Organisation
	Problem      Problem
}

// OnFailure sets what happens when a mail of a kind ends undelivered. then is called in the transaction that ends the
// mail, once for each mail. Call it before jobs run.
func (o *Outbox) OnFailure(k Kind, then func(ctx context.Context, tx *db.Tx, f Failure) error) {
	o.onFailure[k] = then
}

// fail ends a mail undelivered, in one transaction with what its kind does then. A second call changes nothing.
func (o *Outbox) fail(ctx context.Context, r record, p Problem, why string) error {
	c, err := r.content()
	if err != nil {
		return err
	}

	f := Failure{
		Kind:         Kind(r.kind),
		To:           r.recipient,
		Record:       c.Record,
		Organisation: c.Head,
		Problem:      p,
	}

	return o.config.DB.Write(ctx, func(tx *db.Tx) error {
		ended, err := o.end(tx, r.id, Failed, p, why)
		if err != nil || !ended {
			return err
		}

		tx.OnCommit(func() {
			o.config.Log.Warn("a mail was not delivered and has ended",
				"mail", r.id,
				"kind", r.kind,
				"record", f.Record,
				"problem", string(p),
				"why", why,
			)
		})

		if then := o.onFailure[f.Kind]; then != nil {
			return then(ctx, tx, f)
		}

		return nil
	})
}
