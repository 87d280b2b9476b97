package app

import (
	"time"

	"slipway/internal/platform/feed"
)

// buildFeed builds the order of events that clients follow.
func (a *App) buildFeed() {
	a.Feed = feed.New(a.DB, a.Log)

	every(a, "old-events", time.Hour, a.Feed.Forget, 10_000)
}
