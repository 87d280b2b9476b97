package observe

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A small heap is collected dozens of times each second under load: it may only double, and 10 MB are soon allocated.
// So while a process allocates busily, its heap may grow to heapUnderLoad before it is collected; an idle process,
// and one whose live data are large anyway, are left as they are.
const (
	heapUnderLoad = 40 << 20
	busy          = 32 << 20 // bytes allocated each second
	usualGrowth   = 100      // percent of live data, the runtime's own
	mostGrowth    = 1000
)

// collection is an object that nobody holds: its finalizer runs after each collection.
type collection struct {
	at        time.Time
	allocated uint64
	growth    int
}

// EaseCollection makes garbage collection rarer under load, for at most 40 MB of memory. Call it once in a process. If
// GOGC is set, it does nothing to the collection. Allocations are no longer sampled for heap profiles, which nobody can
// request from a process.
func EaseCollection() {
	runtime.MemProfileRate = 0

	if os.Getenv("GOGC") != "" {
		return
	}

	_, allocated := heap()
	runtime.SetFinalizer(&collection{at: time.Now(), allocated: allocated, growth: usualGrowth}, next)
}

// next decides on the growth until the collection after this one.
func next(last *collection) {
	live, allocated := heap()

	now := collection{at: time.Now(), allocated: allocated, growth: usualGrowth}
	if perSecond := float64(allocated-last.allocated) / now.at.Sub(last.at).Seconds(); perSecond > busy {
		now.growth = growthAt(live)
	}

	if now.growth != last.growth {
		debug.SetGCPercent(now.growth)
	}

	runtime.SetFinalizer(&now, next)
}

// growthAt returns the percentage that brings live data up to heapUnderLoad, and never less than usual.
func growthAt(live uint64) int {
	if live >= heapUnderLoad/2 {
		return usualGrowth
	}

	return int(min((heapUnderLoad-live)*100/max(live, 1), mostGrowth))
}

// heap reads the bytes that the latest collection left and those allocated so far.
func heap() (live, allocated uint64) {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64(), samples[1].Value.Uint64()
}
