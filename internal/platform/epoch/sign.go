package epoch

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/platform/db"
)

// Something outside can show that the database is old although the witness agrees with it: both were restored together,
// as from a snapshot of the whole machine. The copies that the witness keeps are as old then, so reading the world
// again may not find everything that left: two persons confirm.

// looker asks one part of the world whether it knows of something that the database does not.
type looker struct {
	name string
	look func(ctx context.Context) (signs []string, err error)
}

// Looker adds a part of the world that is asked by Look. Each sign is a sentence for people, and the same for as long
// as the same thing shows it. look reads outside first and the database after it. Call Looker before Look.
func (i *Instance) Looker(name string, look func(ctx context.Context) (signs []string, err error)) {
	i.lookers = append(i.lookers, looker{name, look})
}

// Look asks every part of the world that has not answered yet. If one shows that the database is old, nothing may
// leave. A part that does not answer is an error, and is asked again by the next call.
func (i *Instance) Look(ctx context.Context) error {
	i.looking.Lock()
	defer i.looking.Unlock()

	var (
		left     []looker
		problems []error
	)

	for _, l := range i.lookers {
		signs, err := l.look(ctx)
		for _, s := range signs {
			err = errors.Join(err, i.behind(ctx, s))
		}

		if err != nil {
			left = append(left, l)
			problems = append(problems, fmt.Errorf("ask %s whether this database is old: %w", l.name, err))
		}
	}

	i.lookers = left

	return errors.Join(problems...)
}

// behind is Behind in a transaction of its own.
func (i *Instance) behind(ctx context.Context, sign string) error {
	body := func(tx *db.Tx) error { return i.Behind(ctx, tx, sign) }

	err := i.db.Write(ctx, body)
	if db.IsUnique(err, "rereadings") || db.IsUnique(err, "rereading_signs") { // another process has found something
		err = i.db.Write(ctx, body)
	}

	return err
}

// Behind makes nothing leave, in the transaction that has found a sign that the database is old. Where nothing leaves
// already, the sign is dealt with by what is under way: the world is read once more if it was read before. A sign that
// was dealt with changes nothing, so that what stays to be seen, such as transactions on the chain, holds things once.
func (i *Instance) Behind(ctx context.Context, tx *db.Tx, sign string) error {
	known, err := signKnown(ctx, tx, sign)
	if err != nil || known {
		return err
	}

	open, err := openRereading(ctx, tx)

	switch {
	case errors.Is(err, db.ErrNone):
		open.ID = insertSignedRereading(tx, sign)
		i.ask(tx)

	case err != nil:
		return err

	case open.State == StateWaiting:
		open.State = StateOpen
		noteRereading(tx, open)
		i.ask(tx)
	}

	insertSign(tx, sign, open.ID)
	tx.OnCommit(func() {
		i.log.Error("nothing leaves: something outside shows that this database is old", "sign", sign, "look",
			"slipway reread show")
	})

	return nil
}

// Gate is what a rail asks before something leaves that must not leave twice.
type Gate struct{ *Instance }

// Advance is that of the instance, once every part of the world has said that the database is not old.
func (g Gate) Advance(ctx context.Context) error {
	if err := g.Look(ctx); err != nil {
		return err
	}

	return g.Instance.Advance(ctx)
}
