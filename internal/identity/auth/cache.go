package auth

import (
	"crypto/sha256"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/platform/limit"
)

const (
	cacheShards  = 64
	maxCached    = 100_000
	maxPerShard  = maxCached / cacheShards
	revisionSlot = 4096 // a power of two
)

// Cache remembers verified tokens for a moment, so that most requests cost no database read. Safe for concurrent use.
//
// What is dropped is gone at once in this process: each entry carries the revisions of its user and its organisation
// and counts only while both are current, so a drop raises a revision and need not find entries. Users share
// revisions by hash: a drop may cost others one read. What was being read from the database while anything was
// dropped is not kept at all.
type Cache struct {
	seed      maphash.Seed
	shards    [cacheShards]shard
	revisions [revisionSlot]atomic.Uint64
	drops     atomic.Uint64
}

type shard struct {
	sync.RWMutex
	entries map[cacheKey]entry
}

// cacheKey is the token's hash, and the organisation that was asked for: the same token may act for several.
type cacheKey struct {
	hash         [sha256.Size]byte
	organisation string
}

type entry struct {
	principal     *caller.Principal // of every request that finds it: nobody changes it
	meters        *limit.Meters     // what its requests count against; nil: nothing
	expires       time.Time         // of the token, or CacheLifetime after it was read
	user, org     uint64            // revisions when it was kept
	userAt, orgAt uint32            // their slots
}

// NewCache makes an empty cache.
func NewCache() *Cache {
	c := &Cache{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].entries = map[cacheKey]entry{}
	}

	return c
}

// DropUser makes every cached token of a user unknown. A second call does the same.
func (c *Cache) DropUser(user string) { c.drop(user) }

// Drop makes the cached tokens of a user, and of everyone who acts for an organisation, unknown. Empty names nobody.
func (c *Cache) Drop(user, organisation string) {
	if user != "" {
		c.drop(user)
	}

	if organisation != "" {
		c.drop(organisation)
	}
}

// drop counts first and raises the revision second: whoever then takes the new revision for something he read before
// the change sees in put that the count has moved.
func (c *Cache) drop(name string) {
	c.drops.Add(1)
	c.revisions[c.slot(name)].Add(1)
}

func (c *Cache) slot(name string) uint32 {
	return uint32(maphash.String(c.seed, name)) & (revisionSlot - 1)
}

// get returns what is kept of a token, if it is known and nothing has changed since.
func (c *Cache) get(k cacheKey, now time.Time) (entry, bool) {
	s := &c.shards[k.hash[0]%cacheShards]
	s.RLock()
	e, ok := s.entries[k]
	s.RUnlock()
	left := e.expires.Sub(now)
	// longer than it is kept: it was kept before the clock was set back
	if !ok || left <= 0 || left > CacheLifetime+time.Second {
		return entry{}, false
	}

	if c.revisions[e.userAt].Load() != e.user || c.revisions[e.orgAt].Load() != e.org {
		return entry{}, false
	}

	return e, true
}

// put keeps what was read from the database, unless something was dropped since drops was taken, which was before the
// read.
func (c *Cache) put(k cacheKey, e entry, drops uint64, now time.Time) {
	e.userAt = c.slot(e.principal.User)
	e.orgAt = c.slot(e.principal.Organisation)

	e.user = c.revisions[e.userAt].Load()

	e.org = c.revisions[e.orgAt].Load()
	if c.drops.Load() != drops {
		return
	}

	s := &c.shards[k.hash[0]%cacheShards]
	s.Lock()
	defer s.Unlock()

	if _, there := s.entries[k]; !there && len(s.entries) >= maxPerShard {
		s.makeRoom(now)
	}

	s.entries[k] = e
}

// makeRoom drops what is too old, or else anything. It looks at few entries, so that no request pays for all.
func (s *shard) makeRoom(now time.Time) {
	looked := 0
	dropped := 0

	var any cacheKey
	for k, e := range s.entries {
		if !now.Before(e.expires) {
			delete(s.entries, k)
			dropped++
		}

		any = k

		if looked++; looked >= 64 {
			break
		}
	}

	if dropped == 0 {
		delete(s.entries, any)
	}
}
