package db_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
)

// gate lets a test hold every statement of a Lookup and see which keys it asks for.
type gate struct {
	asked chan []string
	free  chan error
}

func (g gate) read(_ context.Context, keys []string) (map[string]string, error) {
	g.asked <- keys

	if err := <-g.free; err != nil {
		return nil, err
	}

	out := map[string]string{}
	for _, k := range keys {
		if k != "none" {
			out[k] = "value of " + k
		}
	}

	return out, nil
}

func newGate() gate { return gate{asked: make(chan []string), free: make(chan error)} }

func TestCallersThatWaitShareTheNextStatement(t *testing.T) {
	g := newGate()
	l := db.NewLookup(g.read)

	var wg sync.WaitGroup
	get := func(key, want string, wantErr error) {
		wg.Go(func() {
			v, err := l.Get(context.Background(), key)
			if v != want || !errors.Is(err, wantErr) {
				t.Errorf("%s gives %q, %v", key, v, err)
			}
		})
	}
	get("a", "value of a", nil)
	require.Equal(t, []string{"a"}, <-g.asked)
	get("b", "value of b", nil)
	require.Equal(t, []string{"b"}, <-g.asked, "two statements run at the same time")

	for _, k := range []string{"c", "d", "d"} {
		get(k, "value of "+k, nil)
	}

	get("none", "", db.ErrNone)

	for l.Waiting() < 4 {
		// the callers come on their own
	}

	g.free <- nil
	keys := <-g.asked
	slices.Sort(keys)
	require.Equal(t, []string{"c", "d", "none"}, keys, "each key once")

	g.free <- nil

	g.free <- nil
	wg.Wait()
}

func TestErrorOfAStatementIsEverybodysWhoShared(t *testing.T) {
	g := newGate()
	down := errors.New("down")
	l := db.NewLookup(g.read)

	errs := make(chan error, 4)
	for i := range 4 {
		go func() {
			_, err := l.Get(context.Background(), fmt.Sprint(i))
			errs <- err
		}()
	}

	for answered := 0; answered < 4; {
		answered += len(<-g.asked)
		g.free <- down
	}

	for range 4 {
		require.ErrorIs(t, <-errs, down)
	}
}

func TestCallerThatGivesUpTakesNobodyWithIt(t *testing.T) {
	g := newGate()
	l := db.NewLookup(g.read)
	done := make(chan error, 4)
	get := func(ctx context.Context, key string) {
		go func() {
			_, err := l.Get(ctx, key)
			done <- err
		}()
	}
	get(context.Background(), "a")
	get(context.Background(), "b")
	<-g.asked
	<-g.asked
	ctx, cancel := context.WithCancel(context.Background())
	get(ctx, "c")

	for l.Waiting() < 1 {
		// it comes on its own
	}

	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	get(context.Background(), "d")

	for l.Waiting() < 1 {
		// it comes on its own
	}

	g.free <- nil
	require.Equal(t, []string{"d"}, <-g.asked, "who left is not asked for")

	g.free <- nil

	g.free <- nil

	for range 3 {
		require.NoError(t, <-done)
	}
}

func TestReadThatPanicsLetsTheOthersGoOn(t *testing.T) {
	first := true
	l := db.NewLookup(func(_ context.Context, keys []string) (map[string]int, error) {
		if first {
			first = false
			panic("a fault of the program")
		}

		return map[string]int{keys[0]: 1}, nil
	})
	require.Panics(t, func() { _, _ = l.Get(context.Background(), "a") })

	for range 3 { // more than may run at the same time
		v, err := l.Get(context.Background(), "a")
		require.NoError(t, err)
		require.Equal(t, 1, v)
	}
}
