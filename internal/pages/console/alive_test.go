//go:build !nosandbox && !noconsole

package console_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// alive runs the feed, so that pages hear of events at once. Jobs, chain and bank are stepped by the test as before.
func (s *stage) alive(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())

	var feed sync.WaitGroup
	feed.Go(func() { require.NoError(t, s.h.App.Feed.Run(ctx)) })

	t.Cleanup(func() {
		s.h.App.Feed.Close()
		cancel()
		feed.Wait()
	})
}
