package observe

import (
	"math"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// MemoryLimit is the memory that a process may have.
type MemoryLimit struct {
	Bytes int64  // 0: there is no limit
	From  string // what has set it: cgroup or GOMEMLIMIT
}

// gomemlimit is the variable by which an operator sets the soft limit of Go's heap himself.
const gomemlimit = "GOMEMLIMIT"

// FindMemoryLimit returns the tightest limit of the process's cgroup and those above it, or GOMEMLIMIT where there is
// none.
func FindMemoryLimit() MemoryLimit {
	return memoryLimit(memlimit.FromCgroup, os.Getenv(gomemlimit) != "", debug.SetMemoryLimit(-1))
}

// memoryLimit decides by the cgroup's limit and by Go's, which the operator may have set.
func memoryLimit(cgroup memlimit.Provider, set bool, heap int64) MemoryLimit {
	// an error is no limit: whoever runs where cgroups cannot be read is told what was found
	if n, err := cgroup(); err == nil && n > 0 && n < noLimit {
		return MemoryLimit{Bytes: int64(n), From: "cgroup"}
	}

	if set && heap < noLimit {
		return MemoryLimit{Bytes: heap, From: gomemlimit}
	}

	return MemoryLimit{}
}

// noLimit is more than any machine has: version 1 of cgroups says so many bytes for none.
const noLimit = math.MaxInt64 >> 12

// Heap returns the soft limit of Go's heap under a limit of the process: beside is what the process takes outside of it
// at most, and a tenth is for the program itself, the stacks of threads, and what the kernel counts. It is never less
// than a quarter: a heap that cannot be made small enough would be collected without end.
func (m MemoryLimit) Heap(beside int64) int64 { return max(m.Bytes-m.Bytes/10-beside, m.Bytes/4) }

// LimitHeap makes Go collect garbage before the process reaches its limit, beside what it takes outside of the heap. It
// returns the soft limit of the heap, and leaves one that the operator has set in GOMEMLIMIT as it is. A second call
// does the same again.
func LimitHeap(m MemoryLimit, beside int64) int64 {
	if m.Bytes > 0 && os.Getenv(gomemlimit) == "" {
		debug.SetMemoryLimit(m.Heap(beside))
	}

	return debug.SetMemoryLimit(-1)
}
