// Package cache keeps a limited number of values for a short time, for reads whose answer may be a few seconds old.
// What such a read leads to must be checked again inside the transaction that decides.
package cache

import (
	"hash/maphash"
	"sync"
	"time"

	"slipway/internal/platform/clock"
)

const shards = 16

// Cache maps strings to values. It is safe for concurrent use.
type Cache[V any] struct {
	clock  *clock.Clock
	ttl    time.Duration
	limit  int // weight per shard
	weight func(V) int
	used   uint64
	seed   maphash.Seed
	parts  [shards]part[V]
}

type part[V any] struct {
	sync.RWMutex
	values map[string]entry[V]
	weight int
}

type entry[V any] struct {
	value  V
	weight int
	until  time.Time
}

// New returns a cache of at most limit values (and at least one), each valid for ttl.
func New[V any](c *clock.Clock, ttl time.Duration, limit int) *Cache[V] {
	return Weighed(c, ttl, limit, func(V) int { return 1 })
}

// Weighed returns a cache of values with a total weight of at most limit. weight returns at least 1 for each. A value
// heavier than a sixteenth of the limit has a shard to itself.
func Weighed[V any](c *clock.Clock, ttl time.Duration, limit int, weight func(V) int) *Cache[V] {
	used := min(shards, max(1, limit))

	out := &Cache[V]{
		clock:  c,
		ttl:    ttl,
		limit:  max(1, limit/used),
		weight: weight,
		used:   uint64(used),
		seed:   maphash.MakeSeed(),
	}
	for i := range out.parts {
		out.parts[i].values = map[string]entry[V]{}
	}

	return out
}

func (c *Cache[V]) part(key string) *part[V] { return &c.parts[maphash.String(c.seed, key)%c.used] }

// Find returns the value if it is there and not too old.
func (c *Cache[V]) Find(key string) (V, bool) {
	p := c.part(key)
	p.RLock()
	e, ok := p.values[key]
	p.RUnlock()

	left := e.until.Sub(c.clock.Now())
	if !ok || left <= 0 || left > c.ttl { // longer than its ttl: it was stored before the clock was set back
		var none V
		return none, false
	}

	return e.value, true
}

// Keep stores a value. A full shard drops arbitrary other values first: the cache is a shortcut, never a record.
func (c *Cache[V]) Keep(key string, value V) {
	weight := c.weight(value)
	p := c.part(key)
	p.Lock()
	defer p.Unlock()
	p.drop(key)

	if p.weight+weight > c.limit {
		for k := range p.values {
			p.drop(k)

			if p.weight+weight <= c.limit-c.limit/8 {
				break
			}
		}
	}

	p.values[key] = entry[V]{value, weight, c.clock.Now().Add(c.ttl)}
	p.weight += weight
}

// Drop removes a key.
func (c *Cache[V]) Drop(key string) {
	p := c.part(key)
	p.Lock()
	p.drop(key)
	p.Unlock()
}

func (p *part[V]) drop(key string) {
	p.weight -= p.values[key].weight
	delete(p.values, key)
}
