package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// tasks runs the parts of the process side by side. When one ends with an error, all are stopped.
type tasks struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
}

func newTasks(ctx context.Context) *tasks {
	ctx, cancel := context.WithCancelCause(ctx)
	return &tasks{ctx: ctx, cancel: cancel}
}

func (t *tasks) run(name string, f func(ctx context.Context) error) {
	t.wg.Go(func() {
		if err := f(t.ctx); err != nil && t.ctx.Err() == nil {
			t.cancel(fmt.Errorf("%s: %w", name, err))
		}
	})
}

// wait blocks until all parts have ended and returns the first error of one, or nil when ctx was canceled from outside.
func (t *tasks) wait() error {
	t.wg.Wait()

	err := context.Cause(t.ctx)
	if errors.Is(err, context.Canceled) {
		return nil
	}

	return err
}
