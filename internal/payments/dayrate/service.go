package dayrate

import (
	"context"
	"slices"
	"sync"
	"time"

	"slipway/internal/platform/db"
	"slipway/internal/rails/rates"
	"slipway/internal/standards/ecb"
)

// Job is the name of the job that calls Refresh, and Every is its interval.
const (
	Job   = "day-rates"
	Every = time.Hour
)

// pause is the least time between two requests to the publisher.
const pause = 10 * time.Minute

// daysAtOnce is how many days one write stores.
const daysAtOnce = 100

// Service stores what a publisher has published.
type Service struct {
	db        *db.DB
	publisher rates.Publisher // nil: there is none, and days without stored rates have none

	mu    sync.Mutex
	asked time.Time
}

// New returns the service. publisher may be nil.
func New(d *db.DB, publisher rates.Publisher) *Service { return &Service{db: d, publisher: publisher} }

// Refresh stores the days that were published and are not stored, unless the newest one that can be expected is there
// or the publisher was asked in the last minutes. It calls the publisher outside of any database transaction. Two calls
// at once do no harm.
func (s *Service) Refresh(ctx context.Context) error {
	now := s.db.Now()

	newest, err := newestDay(ctx, s.db)
	if err != nil || s.publisher == nil || newest >= text(ecb.Latest(now)) || !s.turn(now) {
		return err
	}

	days, err := s.publisher.Days(ctx)
	if err != nil || len(days) == 0 {
		return err
	}

	stored, err := storedDays(ctx, s.db, text(days[len(days)-1].Date))
	if err != nil {
		return err
	}

	days = slices.DeleteFunc(days, func(d ecb.Day) bool {
		return slices.Contains(stored, text(d.Date)) || d.Date.After(now)
	})

	for part := range slices.Chunk(days, daysAtOnce) {
		err := s.db.Write(ctx, func(tx *db.Tx) error {
			for _, d := range part {
				insertDay(tx, d, s.publisher.Name())
			}

			return nil
		})
		if err != nil {
			return err
		}
	}

	return nil
}

// turn reports whether the publisher may be asked now.
func (s *Service) turn(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	if since := now.Sub(s.asked); since >= 0 && since < pause {
		return false
	}

	s.asked = now

	return true
}

// text returns a day as it is stored.
func text(day time.Time) string { return day.UTC().Format(time.DateOnly) }
