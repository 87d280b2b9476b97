package auth

import (
	"context"
	"crypto/sha256"
	"strconv"
	"time"

	"slipway/internal/core/caller"
)

// HashCalls counts the password hashes computed so far.
func (s *Service) HashCalls() int64 { return s.hasher.calls.Load() }

// Cached counts the tokens in memory.
func (s *Service) Cached() int { return s.cache.Len() }

// FillHasher occupies every slot and every place in the queue. The returned function frees them.
func (s *Service) FillHasher(ctx context.Context) func() {
	var taken []func()

	for i := 0; ; i++ {
		leave, err := s.hasher.waiting.Take(strconv.Itoa(i))
		if err != nil {
			break
		}

		taken = append(taken, leave)
	}

	for range s.hasher.cores {
		end, err := s.hasher.slots.Take(ctx)
		if err != nil {
			panic(err)
		}

		taken = append(taken, end)
	}

	return func() {
		for _, free := range taken {
			free()
		}
	}
}

// PutInCache and GetFromCache reach the cache without a database.
func PutInCache(c *Cache, token string, p caller.Principal, now time.Time) {
	PutStale(c, token, p, now, func() {})
}

// PutStale keeps what was read before a drop that happened meanwhile.
func PutStale(c *Cache, token string, p caller.Principal, now time.Time, meanwhile func()) {
	drops := c.drops.Load()
	meanwhile()
	e := entry{principal: &p, expires: now.Add(CacheLifetime)}
	c.put(cacheKey{hash: sha256.Sum256([]byte(token))}, e, drops, now)
}

// GetFromCache looks a token up.
func GetFromCache(c *Cache, token string, now time.Time) (*caller.Principal, bool) {
	e, ok := c.get(cacheKey{hash: sha256.Sum256([]byte(token))}, now)
	return e.principal, ok
}

// Len counts the entries of a cache.
func (c *Cache) Len() int {
	n := 0
	for i := range c.shards {
		c.shards[i].RLock()
		n += len(c.shards[i].entries)
		c.shards[i].RUnlock()
	}

	return n
}
