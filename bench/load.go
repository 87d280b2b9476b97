//go:build !nosandbox

package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// worker is one client: it does one thing after the other and waits for each.
type worker struct {
	do    func() error // errEnough: there is nothing left to do
	close func()
}

var errEnough = errors.New("nothing is left to do")

// outcome is what one side did in one round.
type outcome struct {
	perSecond float64
	p50, p99  time.Duration
}

// drive lets all clients work at the same moment, for a time or until nothing is left.
func drive(ctx context.Context, clients int, long time.Duration, make func(i int) (worker, error)) (outcome, error) {
	workers := []worker{}
	defer func() {
		for _, w := range workers {
			if w.close != nil {
				w.close()
			}
		}
	}()

	for i := range clients {
		w, err := make(i)
		if err != nil {
			return outcome{}, err
		}

		workers = append(workers, w)
	}

	took, elapsed, err := race(ctx, workers, long)
	if err != nil {
		return outcome{}, err
	}

	slices.Sort(took)

	out := outcome{perSecond: float64(len(took)) / elapsed.Seconds()}
	if len(took) > 0 {
		out.p50 = took[len(took)/2]
		out.p99 = took[len(took)*99/100]
	}

	return out, nil
}

func race(ctx context.Context, workers []worker, long time.Duration) ([]time.Duration, time.Duration, error) {
	var (
		wg   sync.WaitGroup
		stop atomic.Bool
	)
	took := make([][]time.Duration, len(workers))
	errs := make([]error, len(workers))

	begin := time.Now()
	for i, w := range workers {
		wg.Go(func() {
			at := time.Now()

			for !stop.Load() && at.Sub(begin) < long && ctx.Err() == nil {
				err := w.do()
				if errors.Is(err, errEnough) {
					return
				}

				if err != nil {
					errs[i] = err
					stop.Store(true)
					return
				}

				now := time.Now()
				took[i] = append(took[i], now.Sub(at))
				at = now
			}
		})
	}

	wg.Wait()
	elapsed := time.Since(begin)

	return slices.Concat(took...), elapsed, errors.Join(append(errs, ctx.Err())...)
}

// side is one of the two things that are compared.
type side func(ctx context.Context, round int) (outcome, error)

// interleaved runs yardstick and service alternately and keeps each round's ratio.
func (b *bench) interleaved(ctx context.Context, f figure, yardstick, service side) error {
	for round := range b.Rounds {
		load := loadAverage()

		a, err := yardstick(ctx, round)
		if err != nil {
			return errors.Join(errors.New(f.name+", yardstick"), err)
		}

		s, err := service(ctx, round)
		if err != nil {
			return errors.Join(errors.New(f.name+", service"), err)
		}

		f.yard = append(f.yard, a.perSecond)
		f.ours = append(f.ours, s.perSecond)
		f.ratios = append(f.ratios, s.perSecond/a.perSecond)
		f.p99 = append(f.p99, s.p99.Seconds()*1000)
		f.load = max(f.load, load)
	}

	b.report.add(f)

	return nil
}
