package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"regexp"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/clock"
	"slipway/internal/platform/config"
)

// A part that does not end is left after its time, and all parts together have one limit.
func TestPartsThatDoNotEndAreLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &App{Log: slog.New(slog.DiscardHandler), ending: ending{clock: clock.New()}}
		release := make(chan struct{})
		silent := func(context.Context) error { <-release; return nil }
		began := time.Now()

		require.NoError(t, a.end("one", partLimit, silent))
		require.Equal(t, partLimit, time.Since(began))

		refused := errors.New("refused")
		require.ErrorIs(t, a.end("two", partLimit, func(context.Context) error { return refused }), refused)

		for range 10 {
			require.NoError(t, a.end("many", partLimit, silent))
		}

		require.Equal(t, closeLimit, time.Since(began))
		close(release)
	})
}

// Tasks that are stopped have the limit; who has not ended by then is named.
func TestTasksThatDoNotEndAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		tasks := newTasks(ctx)
		release := make(chan struct{})

		tasks.run("obedient", func(ctx context.Context) error { <-ctx.Done(); return nil })
		tasks.run("silent", func(context.Context) error { <-release; return nil })

		stop()
		began := time.Now()
		left, err := tasks.wait(time.Minute)
		require.NoError(t, err)
		require.Equal(t, []string{"silent"}, left)
		require.Equal(t, time.Minute, time.Since(began))
		close(release)
	})
}

// What starts the service waits for longer than a stop takes at most, and starts it again whatever has ended it.
func TestPackagesWaitForTheEnd(t *testing.T) {
	c, err := config.Load(config.Source{})
	require.NoError(t, err)

	const forTheLog = 5 * time.Second

	longest := c.Shutdown.Drain + c.Shutdown.Grace + graceMargin + closeLimit + forTheLog

	for file, wait := range map[string]string{
		"systemd/slipway.service": `(?m)^TimeoutStopSec=(\d+)$`,
		"kubernetes/slipway.yaml": `(?m)^ +terminationGracePeriodSeconds: (\d+)$`,
		"compose/compose.yaml":    `(?m)^ +stop_grace_period: (\d+)s$`,
	} {
		text, err := os.ReadFile("../../packages/" + file)
		require.NoError(t, err)

		found := regexp.MustCompile(wait).FindSubmatch(text)
		require.NotNil(t, found, file)

		seconds, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		require.Greater(t, time.Duration(seconds)*time.Second, longest, file)
	}

	unit, err := os.ReadFile("../../packages/systemd/slipway.service")
	require.NoError(t, err)
	require.Contains(t, string(unit), "\nRestart=always\n")
}
