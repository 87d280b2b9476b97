package dayrate

import (
	"context"
	"slices"
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

	one   chan struct{} // holds one while somebody asks the publisher
	asked time.Time     // belongs to whoever asks
}

// New returns the service. publisher may be nil.
func New(d *db.DB, publisher rates.Publisher) *Service {
	return &Service{db: d, publisher: publisher, one: make(chan struct{}, 1)}
}

// patience is how long a call waits for another one that asks the publisher.
const patience = 5 * time.Second

// Refresh stores the days that were published and are not stored, unless the newest one that can be expected is there
// or the publisher was asked in the last minutes. It calls the publisher outside of any database transaction. A second
// call at once waits for the first, some seconds at most, so that what is read afterwards has the same rates.
func (s *Service) Refresh(ctx context.Context) error {
	if missing, err := s.missing(ctx); err != nil || !missing {
		return err
	}

	wait, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	select {
	case s.one <- struct{}{}:
		defer func() { <-s.one }()
	case <-wait.Done():
		return wait.Err()
	}

	if missing, err := s.missing(ctx); err != nil || !missing {
		return err
	}

	now := s.db.Now()
	if since := now.Sub(s.asked); since >= 0 && since < pause {
		return nil
	}

	s.asked = now

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

// missing reports whether the newest day that can be expected is not stored.
func (s *Service) missing(ctx context.Context) (bool, error) {
	if s.publisher == nil {
		return false, nil
	}

	newest, err := newestDay(ctx, s.db)

	return newest < text(ecb.Latest(s.db.Now())), err
}

// text returns a day as it is stored.
func text(day time.Time) string { return day.UTC().Format(time.DateOnly) }
