package setup

import (
	"context"
	"time"

	"slipway/internal/platform/db"
)

// archived returns when a PostgreSQL server has last put its write-ahead log into its archive; the zero time if it
// never has, or does not tell.
func archived(ctx context.Context, open *db.DB) time.Time {
	const query = "SELECT COALESCE(CAST(EXTRACT(EPOCH FROM last_archived_time) * 1000000 AS BIGINT), 0) " +
		"FROM pg_stat_archiver"

	micros, err := db.Value[int64](ctx, open, query)
	if err != nil {
		return time.Time{}
	}

	return db.Time(micros)
}
