package bank

import (
	"context"
	"fmt"
)

// Signs asks the bank's folders and the copies outside of the database whether a payment file of ours has left that the
// database does not know. A file's row is written before anything of it leaves, so such a file shows that the database
// is old. It returns a sentence for each, the same every time. Nothing is changed.
func (r *Rail) Signs(ctx context.Context) (signs []string, err error) {
	files, err := r.sentFiles(ctx) // outside first: what is written meanwhile is known by the time it is looked for
	if err != nil {
		return nil, err
	}

	for _, h := range files {
		known, err := filesByMessage(ctx, r.db, []string{h.message})
		if err != nil {
			return nil, fmt.Errorf("payment file %s: %w", h.message, err)
		}

		if len(known) == 0 {
			signs = append(signs, fmt.Sprintf("the payment file %s left, and this database does not know it", h.message))
		}
	}

	return signs, nil
}
