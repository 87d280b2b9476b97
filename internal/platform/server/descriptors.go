package server

import (
	"fmt"
	"syscall"
)

const (
	// ownDescriptors are reserved for the service's own files besides its database connections: logs, lists, banks'
	// folders, chain nodes, mails, outside parties.
	ownDescriptors = 256
	// descriptorsOfOne is what a connection may need: itself, and the staged file of its upload.
	descriptorsOfOne = 2
	// fewest is the smallest useful number of connections.
	fewest = 32
)

// Connections returns how many of the wanted connections the process has descriptors for, beside those of its database.
// The hard limit counts: the Go runtime raises the soft limit to it when the process starts.
func Connections(wanted, database int) (int, error) {
	var l syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &l); err != nil {
		return 0, fmt.Errorf("read the limit of open files: %w", err)
	}

	return connections(l.Cur, wanted, database)
}

func connections(limit uint64, wanted, database int) (int, error) {
	own := uint64(ownDescriptors + spareConnections + database)
	if limit < own+fewest*descriptorsOfOne {
		return 0, fmt.Errorf("the process may open %d files at once and needs %d: "+
			"raise the limit (ulimit -n, or LimitNOFILE of systemd)", limit, own+fewest*descriptorsOfOne)
	}

	return int(min(uint64(wanted), (limit-own)/descriptorsOfOne)), nil
}
