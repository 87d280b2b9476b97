package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// tasks runs the parts of the process side by side. When one ends with an error, all are stopped.
type tasks struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	running map[string]struct{}
}

func newTasks(ctx context.Context) *tasks {
	ctx, cancel := context.WithCancelCause(ctx)
	return &tasks{ctx: ctx, cancel: cancel, running: map[string]struct{}{}}
}

func (t *tasks) run(name string, f func(ctx context.Context) error) {
	t.mu.Lock()
	t.running[name] = struct{}{}
	t.mu.Unlock()

	t.wg.Go(func() {
		err := f(t.ctx)

		t.mu.Lock()
		delete(t.running, name)
		t.mu.Unlock()

		if err != nil && t.ctx.Err() == nil {
			t.cancel(fmt.Errorf("%s: %w", name, err))
		}
	})
}

// wait blocks until all parts have ended, but once they are stopped no longer than limit. It returns the names of those
// that still run, and the first error of one, or nil when ctx was canceled from outside.
func (t *tasks) wait(limit time.Duration) (left []string, err error) {
	ended := make(chan struct{})
	go func() {
		t.wg.Wait()
		close(ended)
	}()

	select {
	case <-ended:
	case <-t.ctx.Done():
		late := time.NewTimer(limit)
		defer late.Stop()

		select {
		case <-ended:
		case <-late.C:
		}
	}

	t.mu.Lock()
	defer t.mu.Unlock()

	left = slices.Sorted(maps.Keys(t.running))

	err = context.Cause(t.ctx)
	if errors.Is(err, context.Canceled) {
		return left, nil
	}

	return left, err
}
