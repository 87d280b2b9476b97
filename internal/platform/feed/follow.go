package feed

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// readLimit limits the events that one read returns.
const readLimit = 250

// recentBytes limits the newest events that an organisation's followers share. Whoever is further behind reads alone.
const recentBytes = 32 << 10

// topic is what all followers of an organisation share: after an event they are all woken, and one reads for all.
type topic struct {
	organisation string
	followers    int // guarded by Feed.mu

	signal  sync.Mutex
	changed chan struct{} // closed after a change
	behind  atomic.Bool   // there may be events that recent has not

	reading sync.Mutex
	begun   bool
	newest  int64   // number up to which recent goes
	recent  []Event // the last ones up to newest, without a gap
}

// Follower waits for an organisation's events. Close it.
type Follower struct {
	feed  *Feed
	topic *topic
}

// Follow returns a follower of an organisation.
func (f *Feed) Follow(organisation string) *Follower {
	f.mu.Lock()
	defer f.mu.Unlock()

	t := f.topics[organisation]
	if t == nil {
		t = &topic{organisation: organisation, changed: make(chan struct{})}
		t.behind.Store(true)
		f.topics[organisation] = t
	}

	t.followers++

	return &Follower{f, t}
}

// Close ends following. Call it once.
func (l *Follower) Close() {
	l.feed.mu.Lock()
	defer l.feed.mu.Unlock()

	if l.topic.followers--; l.topic.followers == 0 {
		delete(l.feed.topics, l.topic.organisation)
	}
}

// Changed returns a channel that is closed when there may be further events. Take it before reading.
func (l *Follower) Changed() <-chan struct{} {
	l.topic.signal.Lock()
	defer l.topic.signal.Unlock()

	return l.topic.changed
}

// Ended returns a channel that is closed when the process stops.
func (l *Follower) Ended() <-chan struct{} { return l.feed.closed }

// Read returns events after a number, a part of them if there are many, and none if there are no more. The caller must
// not change them.
func (l *Follower) Read(ctx context.Context, after int64) ([]Event, error) {
	t := l.topic

	t.reading.Lock()

	if err := t.catchUp(ctx, l.feed); err != nil {
		t.reading.Unlock()
		return nil, err
	}

	recent := t.recent
	newest := t.newest
	t.reading.Unlock()

	if after >= newest {
		return nil, nil
	}

	if oldest := newest - int64(len(recent)) + 1; after+1 >= oldest {
		return recent[after+1-oldest:], nil
	}

	return Read(ctx, l.feed.db, t.organisation, after, readLimit)
}

// catchUp reads what was sealed since the last call. The slice of a former call stays as it is.
func (t *topic) catchUp(ctx context.Context, f *Feed) (err error) {
	if !t.behind.Swap(false) {
		return nil
	}

	defer func() {
		if err != nil {
			t.behind.Store(true)
		}
	}()

	if !t.begun {
		b, err := readBounds(ctx, f.db, t.organisation)
		if err != nil {
			return err
		}

		t.begun = true
		t.newest = b.newest

		return nil
	}

	for {
		more, err := Read(ctx, f.db, t.organisation, t.newest, readLimit)
		if err != nil || len(more) == 0 {
			return err
		}

		t.recent = newestOf(t.recent, more)
		t.newest = more[len(more)-1].Number

		if len(more) < readLimit {
			return nil
		}
	}
}

// newestOf returns a new slice with the newest events of both that fit into recentBytes.
func newestOf(recent, more []Event) []Event {
	all := slices.Concat(recent, more)
	bytes := 0

	for i, e := range slices.Backward(all) {
		if bytes += len(e.Data) + len(e.Previous); bytes > recentBytes {
			return slices.Clone(all[i+1:])
		}
	}

	return all
}

// wake wakes the followers of the events' organisations. version is the head's after their sealing.
func (f *Feed) wake(events []Event, version int64) {
	f.mu.Lock()
	defer f.mu.Unlock()

	if f.version == version-1 { // nobody else has sealed meanwhile
		f.version = version
	}

	for _, e := range events {
		if t := f.topics[e.Organisation]; t != nil {
			t.wake()
		}
	}
}

// noteVersion wakes all followers if another process has sealed events.
func (f *Feed) noteVersion(version int64) {
	f.mu.Lock()
	defer f.mu.Unlock()

	if f.version == version {
		return
	}

	f.version = version
	for _, t := range f.topics {
		t.wake()
	}
}

func (t *topic) wake() {
	t.signal.Lock()
	defer t.signal.Unlock()

	t.behind.Store(true)
	close(t.changed)
	t.changed = make(chan struct{})
}

// followed reports whether anybody follows.
func (f *Feed) followed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()

	return len(f.topics) > 0
}
