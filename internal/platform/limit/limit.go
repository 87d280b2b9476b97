// Package limit limits how often something may happen, with token buckets for accounts, addresses and keys.
//
// A bucket is one number, the time at which it will be full again (the generic cell rate algorithm). So taking from it
// is one atomic step, and an unused bucket needs no upkeep. It promises, for a key that it remembers, never more than
// Burst at once and Events for each Per afterwards, and a limit on memory whatever keys come. It does not promise
// limits over several processes: each counts by itself. Nor does it promise to remember a key if more are in use than
// fit; those with most left are forgotten first.
//
// Read in this order: limit.go, meters.go, source.go (what of an address counts), door.go and work.go (strangers), then
// budget.go, places.go, rota.go, share.go and turns.go, which limit what is under way.
package limit

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"
)

// Rate is how often something may happen. The zero value means no limit.
type Rate struct {
	Events int           // so many
	Per    time.Duration // in this time
	Burst  int           // at once, before the rate counts; 0: Events
}

// On reports whether the rate limits anything.
func (r Rate) On() bool { return r.Events > 0 && r.Per > 0 }

// interval returns the time in which one event comes back.
func (r Rate) interval() int64 { return int64(r.Per) / int64(r.Events) }

func (r Rate) burst() int {
	if r.Burst > 0 {
		return r.Burst
	}

	return r.Events
}

// Quota is what is left after a request for one event.
type Quota struct {
	OK         bool
	Limit      int           // the most that can be left
	Remaining  int           // left now
	Reset      time.Duration // until nothing is used up
	RetryAfter time.Duration // until one event is possible; 0 if it was possible now
}

// Meter is the bucket of one key. It is safe for concurrent use.
type Meter struct {
	interval int64
	burst    int
	full     atomic.Int64 // when the bucket is full again, in Unix nanoseconds
}

// NewMeter returns a full bucket, or nil for a rate that limits nothing.
func NewMeter(r Rate) *Meter {
	if !r.On() {
		return nil
	}

	return &Meter{interval: max(1, r.interval()), burst: r.burst()}
}

// Take takes one event. A refused one takes nothing. A nil meter allows everything.
func (m *Meter) Take(now time.Time) Quota {
	if m == nil {
		return Quota{OK: true}
	}

	at := now.UnixNano()

	most := m.interval * int64(m.burst)
	for {
		was := m.full.Load()

		next := max(m.emptied(was, at), at) + m.interval
		if used := next - at; used > most {
			return Quota{
				Limit:      m.burst,
				Reset:      time.Duration(used - m.interval),
				RetryAfter: time.Duration(used - most),
			}
		}

		if m.full.CompareAndSwap(was, next) {
			return Quota{
				OK:        true,
				Limit:     m.burst,
				Remaining: int((most - (next - at)) / m.interval),
				Reset:     time.Duration(next - at),
			}
		}
	}
}

// emptied returns when the bucket will be full again. A time further ahead than it takes to fill an empty bucket was
// written before the clock was set back, and is ignored.
func (m *Meter) emptied(full, at int64) int64 {
	if full-at > m.interval*int64(m.burst)+int64(time.Second) {
		return at
	}

	return full
}

// Return gives back one event that Take has taken, because it does not count after all. It never gives back more than
// was taken.
func (m *Meter) Return(now time.Time) {
	if m == nil {
		return
	}

	for {
		was := m.full.Load()
		if was <= now.UnixNano() || m.full.CompareAndSwap(was, was-m.interval) {
			return
		}
	}
}

// Left returns what Take would return, and takes nothing.
func (m *Meter) Left(now time.Time) Quota {
	if m == nil {
		return Quota{OK: true}
	}

	at := now.UnixNano()
	most := m.interval * int64(m.burst)
	used := max(m.emptied(m.full.Load(), at)-at, 0)

	q := Quota{
		OK:        used+m.interval <= most,
		Limit:     m.burst,
		Remaining: int(max(0, most-used) / m.interval),
		Reset:     time.Duration(used),
	}
	if !q.OK {
		q.RetryAfter = time.Duration(used + m.interval - most)
	}

	return q
}

const shards = 16

// looked is how many buckets a full shard examines to find one to forget.
const looked = 32

// Limiter keeps a bucket for each key. It is safe for concurrent use; a nil limiter allows everything.
type Limiter struct {
	rate  Rate
	limit int // per shard
	seed  maphash.Seed
	parts [shards]part
}

type part struct {
	sync.Mutex
	meters map[string]*Meter
}

// New returns a limiter that remembers at most keys keys, or nil for a rate that limits nothing.
func New(r Rate, keys int) *Limiter {
	if !r.On() {
		return nil
	}

	l := &Limiter{rate: r, limit: max(1, keys/shards), seed: maphash.MakeSeed()}
	for i := range l.parts {
		l.parts[i].meters = map[string]*Meter{}
	}

	return l
}

// Take takes one event of a key.
func (l *Limiter) Take(key string, now time.Time) Quota { return l.Meter(key, now).Take(now) }

// Return gives back one event of a key.
func (l *Limiter) Return(key string, now time.Time) { l.Meter(key, now).Return(now) }

// Left returns what Take would return, and takes nothing.
func (l *Limiter) Left(key string, now time.Time) Quota { return l.Meter(key, now).Left(now) }

// Meter returns the bucket of a key, for callers that keep it for a short while. A nil limiter returns nil.
func (l *Limiter) Meter(key string, now time.Time) *Meter {
	if l == nil {
		return nil
	}

	p := &l.parts[maphash.String(l.seed, key)%shards]
	p.Lock()
	defer p.Unlock()

	if m := p.meters[key]; m != nil {
		return m
	}

	if len(p.meters) >= l.limit {
		p.makeRoom(now.UnixNano())
	}

	m := NewMeter(l.rate)
	p.meters[key] = m

	return m
}

// makeRoom forgets the full ones among the buckets it examines or, if there are none, the fullest.
func (p *part) makeRoom(now int64) {
	n := 0
	dropped := 0
	least := int64(0)

	fullest := ""
	for key, m := range p.meters {
		at := m.full.Load()
		if at <= now {
			delete(p.meters, key)
			dropped++
		} else if fullest == "" || at < least {
			least = at
			fullest = key
		}

		if n++; n >= looked {
			break
		}
	}

	if dropped == 0 {
		delete(p.meters, fullest)
	}
}

// Len returns the number of keys that are remembered.
func (l *Limiter) Len() int {
	n := 0
	for i := range l.parts {
		l.parts[i].Lock()
		n += len(l.parts[i].meters)
		l.parts[i].Unlock()
	}

	return n
}
