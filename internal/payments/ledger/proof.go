package ledger

import (
	"context"
	"errors"
)

// Verify proves the whole book as it is now. It links journals that have no link yet, and compares the book with the
// head that was kept outside of the database. A head that this service has not signed is a fault. watch is called now
// and then with how many journals were read, and of how many; it may be nil. It must not wait for a write of the book.
func (w Witness) Verify(ctx context.Context, watch func(read, all int)) (Report, error) {
	head, err := w.Kept(ctx)
	forged := errors.Is(err, ErrHeadForged)

	if err != nil && !forged {
		return Report{}, err
	}

	if _, err := Seal(ctx, w.DB, w.Keys); err != nil {
		return Report{}, err
	}

	r, err := Verify(ctx, w.DB, Proof{Keys: w.Keys, Head: head, Watch: watch})
	if forged {
		r.fault("%s", ErrHeadForged)
	}

	if head != nil {
		r.HeadAt = head.At
	}

	if err != nil || w.Derived == nil {
		return r, err
	}

	faults, err := w.Derived(ctx)
	for _, f := range faults {
		r.fault("%s", f)
	}

	return r, err
}
