package db

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// SQLite's write-ahead log needs memory that all its connections share, and locks that hold. Neither is true of files
// that lie on another machine: a commit may be lost there, or the file broken (sqlite.org/wal.html, "WAL does not work
// over a network filesystem").

// networkSystems are the file systems of other machines by their numbers (linux/magic.h).
var networkSystems = map[uint32]string{
	0x00006969: "NFS",
	0x0000517b: "SMB",
	0xfe534d42: "SMB2",
	0xff534d42: "CIFS",
	0x5346414f: "AFS",
	0x00c36400: "Ceph",
	0x73757245: "Coda",
	0x0000564c: "NCP",
	0x01021997: "9P",
	0x0bd00bd0: "Lustre",
	0x01161970: "GFS2",
	0x7461636f: "OCFS2",
}

// fuse is the number of all file systems that a program serves. Most of them show what lies elsewhere (sshfs, s3fs,
// gcsfuse, glusterfs). The type of the mount tells which it is.
const fuse = 0x65735546

// localFuse are the types of mounts under that number whose files lie on this machine: block devices, layers of
// containers, and folders that a virtual machine is given by its host.
var localFuse = []string{"fuseblk", "fuse.fuse-overlayfs", "virtiofs", "fakeowner"}

// fileSystem is what a folder lies on.
type fileSystem struct {
	magic uint32
	mount string // the type of the mount, such as fuse.sshfs; on Linux only of FUSE
}

// networkMounts are the types of other machines' file systems where there are no numbers.
var networkMounts = []string{"nfs", "smbfs", "afpfs", "webdav", "ftp", "macfuse", "osxfuse"}

// network returns the name of a file system that lies on another machine, or "".
func (f fileSystem) network() string {
	if slices.Contains(networkMounts, f.mount) {
		return f.mount
	}

	if name := networkSystems[f.magic]; name != "" {
		return name
	}

	if f.magic == fuse && !slices.Contains(localFuse, f.mount) {
		return strings.TrimSpace("FUSE " + f.mount)
	}

	return ""
}

// CheckFolder returns why the file of an SQLite database must not lie in a folder; nil if it may. A folder that is
// missing is judged by the one that it will be in.
func CheckFolder(dir string) error { return checkFolder(dir, fileSystemOf) }

func checkFolder(dir string, systemOf func(dir string) (fileSystem, error)) error {
	f, err := systemOf(dir)
	if err != nil {
		return fmt.Errorf("file system of %s: %w", dir, err)
	}

	if name := f.network(); name != "" {
		return fmt.Errorf("%s lies on a network file system (%s), where SQLite can lose a committed payment: put "+
			"the database on a disk of this machine, or use PostgreSQL (database.url)", dir, name)
	}

	return nil
}

// fileSystemOf looks at what a folder lies on.
func fileSystemOf(dir string) (fileSystem, error) {
	dir, err := existing(dir)
	if err != nil {
		return fileSystem{}, err
	}

	return systemAt(dir)
}

// existing returns the folder, or the next one above it that there is, without symbolic links.
func existing(dir string) (string, error) {
	dir, err := filepath.Abs(dir)

	for err == nil {
		var at string
		if at, err = filepath.EvalSymlinks(dir); err == nil {
			return at, nil
		}

		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}

		dir = filepath.Dir(dir)
		err = nil
	}

	return "", err
}
