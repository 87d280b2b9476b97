package notice

import "context"

// WriteTwice writes each mail that is due twice, as two processes do that have read the same.
func (s *Mornings) WriteTwice(ctx context.Context) error {
	due, err := dueMornings(ctx, s.DB, s.DB.Now(), "", morningPage)

	for _, m := range append(due, due...) {
		if err == nil {
			err = s.writeMorning(ctx, m)
		}
	}

	return err
}
