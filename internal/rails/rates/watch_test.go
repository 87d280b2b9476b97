package rates_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/rates"
)

// A source that dies is known within a minute, with its reason and its age, though nobody asks for a rate. It is logged
// once when it dies and once when it is back.
func TestADeadSourceOfRatesMakesASound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer

		c := clock.New()
		began := c.Now()
		feed := table{"USDC/USD": "1"}
		w := rates.NewWatch(c, slog.New(slog.NewTextHandler(&log, nil)),
			rates.Probe{Name: "ECB", Base: "EUR", Quote: "USD", Source: table{"EUR/USD": "1.08"}},
			rates.Probe{Name: "USDC/USD net_x", Base: "USDC", Quote: "USD", Source: feed},
		)

		ctx, cancel := context.WithCancel(t.Context())

		done := make(chan error, 1)
		go func() { done <- w.Run(ctx) }()

		synctest.Wait()
		require.Equal(t, []rates.Condition{
			{Name: "ECB", AsOf: time.Unix(4, 0)},
			{Name: "USDC/USD net_x", AsOf: time.Unix(1, 0)},
		}, w.Look(ctx))
		require.Empty(t, log.String())

		feed["USDC/USD"] = fmt.Errorf("feed USDC/USD: %w: no node answers", rates.ErrUnavailable)

		time.Sleep(3 * time.Minute)
		synctest.Wait()

		dead := w.Look(ctx)[1]
		require.Contains(t, dead.Problem, "no node answers")
		require.Equal(t, time.Unix(1, 0), dead.AsOf, "what it gave last")
		require.WithinRange(t, dead.Since, began.Add(time.Second), began.Add(time.Minute))
		require.Equal(t, 1, strings.Count(log.String(), "cannot be used"))
		require.Empty(t, w.Look(ctx)[0].Problem)

		feed["USDC/USD"] = &rates.Stale{Base: "USDC", Quote: "USD", AsOf: time.Unix(77, 0), Limit: "1h"}

		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, time.Unix(77, 0), w.Look(ctx)[1].AsOf, "the age of a rate that is too old to be used")

		feed["USDC/USD"] = "1"

		time.Sleep(time.Minute)
		synctest.Wait()
		require.Empty(t, w.Look(ctx)[1].Problem)
		require.Equal(t, 1, strings.Count(log.String(), "can be used again"))

		cancel()
		require.NoError(t, <-done)
	})
}

// Who asks while nothing runs gets a look, and the same one for a while.
func TestALookIsKeptForAWhile(t *testing.T) {
	c := clock.New()
	feed := table{"USDC/USD": "1"}
	w := rates.NewWatch(c, slog.New(slog.DiscardHandler),
		rates.Probe{Name: "feed", Base: "USDC", Quote: "USD", Source: feed})
	require.Empty(t, w.Look(t.Context())[0].Problem)

	feed["USDC/USD"] = rates.ErrUnavailable

	require.Empty(t, w.Look(t.Context())[0].Problem)
	c.Advance(3 * time.Minute)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.Empty(t, w.Look(gone)[0].Problem, "a caller who went away proves nothing")
	require.NotEmpty(t, w.Look(t.Context())[0].Problem)
}
