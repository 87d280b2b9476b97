package limit

import (
	"errors"
	"math/rand/v2"
	"time"

	"slipway/internal/platform/cache"
	"slipway/internal/platform/clock"
)

// How long whoever has found no place waits before the next look.
const (
	postponedFor    = 10 * time.Minute // after it the number of looks is forgotten
	maxPostponed    = 20_000
	firstPostponing = 250 * time.Millisecond
	lastPostponing  = 30 * time.Second
)

// Rota gives workers that wait for parties outside to those who need one: one key, such as a person or an
// organisation, has at most a quarter of them. Whoever finds no place comes again soon, and later each time: those
// whose parties answer quickly hardly wait, and those whose parties hang keep no worker from others. It is safe for
// concurrent use; a nil Rota allows everything.
type Rota struct {
	places    *Places
	postponed *cache.Cache[int] // who has found no place, and how often in a row
}

// NewRota returns the rota of a number of workers.
func NewRota(c *clock.Clock, workers int) *Rota {
	return &Rota{NewPlaces(workers, max(workers/4, 1)), cache.New[int](c, postponedFor, maxPostponed)}
}

// Take takes a place for who until leave is called, once. It counts for each of the keys. Without a place leave is nil,
// and again is when to look for one again.
func (r *Rota) Take(who string, keys ...string) (leave func(), again time.Duration, err error) {
	if r == nil {
		return func() {}, 0, nil
	}

	leave, err = r.places.Take(keys...)
	if errors.Is(err, ErrShare) || errors.Is(err, ErrFull) {
		return nil, r.postpone(who), nil
	}

	if err == nil {
		r.postponed.Drop(who)
	}

	return leave, 0, err
}

// postpone returns when somebody who has found no place looks for one again: up to a half later than planned, so that
// many do not come together.
func (r *Rota) postpone(who string) time.Duration {
	n, _ := r.postponed.Find(who)
	r.postponed.Keep(who, n+1)

	p := min(firstPostponing<<min(n, 10), lastPostponing)

	return p + time.Duration(rand.Float64()*0.5*float64(p)) //nolint:gosec // a pause, no secret
}

// Around returns a pause up to a fifth shorter or longer than planned, so that what has failed together is not repeated
// together.
func Around(pause time.Duration) time.Duration {
	return pause + time.Duration((rand.Float64()*0.4-0.2)*float64(pause)) //nolint:gosec // a pause, no secret
}
