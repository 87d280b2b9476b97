package analysis

import (
	"context"
	"fmt"
)

// Sweep holds what is stored against the lists in use, once for each edition: rescreen does it, and may be called
// more than once. It is the housekeeping job. Several processes may have read a newer list at different times; each
// edition that one of them uses is swept.
func (s *Service) Sweep(ctx context.Context, rescreen func(ctx context.Context) error) error {
	if s.Sources == nil {
		return nil
	}

	edition := s.edition()

	swept, err := used(ctx, s.DB, edition, s.Sources())
	if err != nil || swept {
		return err
	}

	if err := rescreen(ctx); err != nil {
		return fmt.Errorf("hold what is stored against edition %s: %w", edition, err)
	}

	return setSwept(ctx, s.DB, edition)
}
