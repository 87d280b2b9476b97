package db

import (
	"os"
	"strings"
	"syscall"
)

// systemAt asks for the number of a file system, and for the type of the mount where the number does not tell enough.
func systemAt(dir string) (f fileSystem, err error) {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(dir, &stat); err != nil {
		return f, err
	}

	f.magic = uint32(stat.Type) // the number has 32 bits
	if f.magic != fuse {
		return f, nil
	}

	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return f, err
	}

	f.mount = mountType(string(mounts), dir)

	return f, nil
}

// mountType finds the type of the mount that a path lies on: of the longest mount point above it, the last one, which
// covers those before (proc(5), mountinfo).
func mountType(mounts, path string) (found string) {
	longest := -1

	for line := range strings.Lines(mounts) {
		left, right, ok := strings.Cut(line, " - ")
		fields := strings.Fields(left)
		types := strings.Fields(right)

		if !ok || len(fields) < 5 || len(types) == 0 {
			continue
		}

		point := unescape(fields[4])
		if above(point, path) && len(point) >= longest {
			longest = len(point)
			found = types[0]
		}
	}

	return found
}

// above reports whether a path is a mount point or lies below it.
func above(point, path string) bool {
	return path == point || strings.HasPrefix(path, strings.TrimSuffix(point, "/")+"/")
}

// unescape returns a mount point whose white space and backslashes are written as octal numbers.
func unescape(s string) string {
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(s)
}

// lockOfOpening is F_OFD_SETLK (linux/fcntl.h): a lock that belongs to one opening of a file and not to the process.
const lockOfOpening = 37
