package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// leaveLimit limits how long a process that ends waits until its end is written. If it is not written, the others wait
// for the heartbeat to stop.
const leaveLimit = 2 * time.Second

// Announce makes this process one of those that work on the database. Call it before anything takes a lease. Call leave
// when all work has ended, and not before, since the leases end with it. A second call of leave does nothing.
func (a *App) Announce(ctx context.Context) (leave func(), err error) {
	if err := a.Replica.Join(ctx); err != nil {
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
			err := <-ended

			limited, cancel := context.WithTimeout(ctx, leaveLimit)
			defer cancel()

			err = errors.Join(err, a.Replica.Leave(limited))
			if err != nil {
				a.Log.Warn("the end of this replica could not be written", "replica", a.Replica.ID(), "error", err)
			}
		})
	}, nil
}
