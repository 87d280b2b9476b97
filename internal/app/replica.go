package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Announce makes this process one of those that work on the database. Call it before anything takes a lease. Call leave
// when all work has ended, and not before, since the leases end with it. A second call of leave does nothing.
func (a *App) Announce(ctx context.Context) (leave func(), err error) {
	joined := make(chan error, 1)
	go func() { joined <- a.Replica.Join(ctx) }()

	select {
	case err = <-joined:
	case <-ctx.Done(): // if it is written after all, the others wait for the heartbeat to stop
		err = context.Cause(ctx)
	}

	if err != nil {
		return nil, fmt.Errorf("start working: %w", err)
	}

	ctx = context.WithoutCancel(ctx)
	beating, stop := context.WithCancelCause(ctx)

	ended := make(chan error, 1)
	go func() { ended <- a.Replica.Run(beating) }()

	var once sync.Once

	return func() {
		once.Do(func() {
			stop(errors.New("the work has ended"))

			// If the end is not written, the others wait for the heartbeat to stop.
			err := a.end("the announcement of this replica", partLimit, func(ctx context.Context) error {
				return errors.Join(<-ended, a.Replica.Leave(ctx))
			})
			if err != nil {
				a.Log.Warn("the end of this replica could not be written", "replica", a.Replica.ID(), "error", err)
			}
		})
	}, nil
}
