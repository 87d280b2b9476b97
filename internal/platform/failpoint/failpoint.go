// Package failpoint kills the process at a named place, so that tests can show the effects of a power cut there.
//
// SLIPWAY_FAILPOINT=name:n kills the process when the place is passed for the n-th time (name alone: the first).
// Without the variable, Hit costs one comparison. A production build (-tags nosandbox) ignores it.
//
// Read failpoint.go; sandbox.go and nosandbox.go say whether this build has it.
package failpoint

import (
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// Variable is the environment variable that names the place.
const Variable = "SLIPWAY_FAILPOINT"

type point struct {
	name  string
	after int64
	seen  atomic.Int64
}

var armed = sync.OnceValue(func() *point {
	if !enabled {
		return nil
	}

	name, count, _ := strings.Cut(os.Getenv(Variable), ":")
	if name == "" {
		return nil
	}

	n, err := strconv.ParseInt(count, 10, 64)
	if err != nil {
		n = 1
	}

	return &point{name: name, after: n}
})

// Hit marks a place. If it is the armed one and was passed often enough, the process dies as by kill -9.
func Hit(name string) {
	p := armed()
	if p == nil || p.name != name {
		return
	}

	if p.seen.Add(1) >= p.after {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)

		select {}
	}
}
