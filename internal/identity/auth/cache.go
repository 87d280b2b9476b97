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

// Cache keeps verified tokens for CacheLifetime, so that most requests cost no database read. It is safe for concurrent
// use.
//
// A drop takes effect at once in this process. Each entry carries the revisions of its user and its organisation and
// counts only while both are current, so a drop raises a revision and need not find entries. Users share revisions by
// hash: a drop may cost others one read. What was read from the database while anything was dropped is not kept.
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

// cacheKey is a token's hash and the organisation that was asked for: one token may act for several.
type cacheKey struct {
	hash         [sha256.Size]byte
	organisation string
}

type entry struct {
	principal         *caller.Principal // shared by all requests that find it: never changed
	meters            *limit.Meters     // count the requests; nil: nothing is counted
	expires           time.Time         // of the token, or CacheLifetime after it was read
	lastUse           time.Time         // that is recorded of a session of the console; zero: it is none
	user, org         uint64            // revisions when it was put in
	userSlot, orgSlot uint32            // the slots of these revisions
}

// useIsDue reports whether another use of a session of the console is to be recorded.
func (e entry) useIsDue(now time.Time) bool {
	return !e.lastUse.IsZero() && now.Sub(e.lastUse) >= noteInterval
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	c := &Cache{seed: maphash.MakeSeed()}
	for i := range c.shards {
		c.shards[i].entries = map[cacheKey]entry{}
	}

	return c
}

// DropUser drops every cached token of a user.
func (c *Cache) DropUser(user string) { c.drop(user) }

// Drop drops the cached tokens of a user and of everyone who acts for an organisation. An empty argument drops nothing.
func (c *Cache) Drop(user, organisation string) {
	if user != "" {
		c.drop(user)
	}

	if organisation != "" {
		c.drop(organisation)
	}
}

// drop counts first and raises the revision second. A request that read the database before the change and then takes
// the new revision finds in put that the count has moved.
func (c *Cache) drop(name string) {
	c.drops.Add(1)
	c.revisions[c.slot(name)].Add(1)
}

func (c *Cache) slot(name string) uint32 {
	return uint32(maphash.String(c.seed, name)) & (revisionSlot - 1)
}

// get returns the entry of a token, if there is one and nothing was dropped since.
func (c *Cache) get(k cacheKey, now time.Time) (entry, bool) {
	s := &c.shards[k.hash[0]%cacheShards]
	s.RLock()
	e, ok := s.entries[k]
	s.RUnlock()

	left := e.expires.Sub(now)
	clockSetBack := left > CacheLifetime+time.Second // it would live longer than entries do

	if !ok || left <= 0 || clockSetBack {
		return entry{}, false
	}

	if c.revisions[e.userSlot].Load() != e.user || c.revisions[e.orgSlot].Load() != e.org {
		return entry{}, false
	}

	return e, true
}

// put keeps what was read from the database. drops is the count of drops from before the read: if it has moved since,
// nothing is kept.
func (c *Cache) put(k cacheKey, e entry, drops uint64, now time.Time) {
	e.userSlot = c.slot(e.principal.User)
	e.orgSlot = c.slot(e.principal.Organisation)
	e.user = c.revisions[e.userSlot].Load()
	e.org = c.revisions[e.orgSlot].Load()

	if c.drops.Load() != drops {
		return
	}

	s := &c.shards[k.hash[0]%cacheShards]
	s.Lock()
	defer s.Unlock()

	if _, exists := s.entries[k]; !exists && len(s.entries) >= maxPerShard {
		s.evict(now)
	}

	s.entries[k] = e
}

// maxEvictScan bounds how many entries one request looks at to make room.
const maxEvictScan = 64

// evict deletes expired entries, or one arbitrary entry if it finds none expired.
func (s *shard) evict(now time.Time) {
	var (
		last             cacheKey
		scanned, deleted int
	)

	for k, e := range s.entries {
		if !now.Before(e.expires) {
			delete(s.entries, k)
			deleted++
		}

		last = k

		if scanned++; scanned >= maxEvictScan {
			break
		}
	}

	if deleted == 0 {
		delete(s.entries, last)
	}
}
