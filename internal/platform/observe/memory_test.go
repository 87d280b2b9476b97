package observe

import (
	"errors"
	"math"
	"runtime/debug"
	"testing"

	"github.com/KimMachineGun/automemlimit/memlimit"
	"github.com/stretchr/testify/require"
)

// The cgroup's limit counts before that of the heap, which counts only if the operator has set it.
func TestTheLimitOfMemoryIsTheCgroups(t *testing.T) {
	none := func() (uint64, error) { return 0, memlimit.ErrNoLimit }
	unreadable := func() (uint64, error) { return 0, errors.New("no /proc") }

	for name, c := range map[string]struct {
		cgroup memlimit.Provider
		set    bool
		heap   int64
		want   MemoryLimit
	}{
		"cgroup":                 {memlimit.Limit(1 << 30), false, math.MaxInt64, MemoryLimit{1 << 30, "cgroup"}},
		"both":                   {memlimit.Limit(1 << 30), true, 1 << 29, MemoryLimit{1 << 30, "cgroup"}},
		"the operator's":         {none, true, 1 << 29, MemoryLimit{1 << 29, "GOMEMLIMIT"}},
		"off":                    {none, true, math.MaxInt64, MemoryLimit{}},
		"ours of an earlier run": {none, false, 1 << 29, MemoryLimit{}},
		"none":                   {none, false, math.MaxInt64, MemoryLimit{}},
		"none of version 1":      {memlimit.Limit(math.MaxInt64 &^ 0xfff), false, math.MaxInt64, MemoryLimit{}},
		"unreadable":             {unreadable, false, math.MaxInt64, MemoryLimit{}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, memoryLimit(c.cgroup, c.set, c.heap))
		})
	}
}

// The heap leaves room for what lies outside of it, unless the operator has set its limit.
func TestTheHeapsLimitFollowsTheProcesss(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)

	t.Setenv("GOMEMLIMIT", "")
	require.EqualValues(t, before, LimitHeap(MemoryLimit{}, 1<<20), "without a limit nothing changes")
	require.EqualValues(t, 1000<<20-100<<20-300<<20, LimitHeap(MemoryLimit{1000 << 20, "cgroup"}, 300<<20))
	require.EqualValues(t, 250<<20, LimitHeap(MemoryLimit{1000 << 20, "cgroup"}, 900<<20))

	t.Setenv("GOMEMLIMIT", "250MiB")
	require.EqualValues(t, 250<<20, LimitHeap(MemoryLimit{1000 << 20, "cgroup"}, 0))
}
