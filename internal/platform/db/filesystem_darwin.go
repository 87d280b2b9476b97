package db

import (
	"strings"
	"syscall"
)

// systemAt asks for the type of a mount. Numbers mean something else than on Linux.
func systemAt(dir string) (f fileSystem, err error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		return f, err
	}

	var name strings.Builder

	for _, c := range stat.Fstypename {
		if c == 0 {
			break
		}

		name.WriteByte(byte(c))
	}

	f.mount = name.String()

	return f, nil
}

// lockOfOpening is F_OFD_SETLK (sys/fcntl.h): a lock that belongs to one opening of a file and not to the process.
const lockOfOpening = 90
