package chain

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/platform/db"
)

// Ahead asks the nodes of every network whether they know of transactions of our signers that the database does not: a
// nonce is stored before anything with it leaves, so the database is older than the chain, or somebody else uses the
// key. It returns a sentence for each such signer, the same until its next nonce moves. It fails if too few nodes of a
// network answer on which the database has a signer. A network that is paused is not asked. Nothing is changed.
func (r *Rail) Ahead(ctx context.Context) (signs []string, err error) {
	var problems []error

	for _, l := range r.all() {
		sign, err := l.ahead(ctx)

		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("network %s: %w", l.net.ID, err))
		case sign != "":
			signs = append(signs, sign)
		}
	}

	return signs, errors.Join(problems...)
}

// ahead reads the chain first, and then the row: between the two, another process may take a nonce and use it.
func (l *lane) ahead(ctx context.Context) (string, error) {
	known := func() (signerRow, error) {
		row, err := db.One(ctx, l.r.db, (*signerRow).dest, readSigner, l.net.ID, l.address)
		if errors.Is(err, db.ErrNone) {
			return signerRow{next: -1}, nil
		}

		return row, err
	}

	if l.successor != "" {
		return "", nil // the key of an earlier signer may be anybody's by now: it was replaced because it was stolen
	}

	// A signer that has sent nothing for this database has nothing to compare. One that was found ahead before is known
	// to be. And of a network that people have paused nobody waits for an answer: its nodes may be gone for good.
	if row, err := known(); err != nil || row.next <= 0 || row.frozen != "" || row.paused {
		return "", err
	}

	v, err := l.readNodes(ctx)
	if err != nil {
		return "", err
	}

	if !v.confirmed {
		return "", fmt.Errorf("%w: too few nodes tell how many transactions the signer has", ErrUnreachable)
	}

	row, err := known()
	if err != nil || int64(v.mined) <= row.next {
		return "", err
	}

	return fmt.Sprintf("the chain %s has transactions of %s from nonce %d on, which this database has not given out",
		l.net.ID, l.address, row.next), nil
}
