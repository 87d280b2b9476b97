package db

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// B-15: an SQLite file on another machine's disk is refused, with what to do instead. Nothing is made there.
func TestSQLiteOnANetworkFileSystemIsRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		on   fileSystem
	}{
		{"NFS", fileSystem{magic: 0x6969}},
		{"CIFS", fileSystem{magic: 0xff534d42}},
		{"SMB2", fileSystem{magic: 0xfe534d42}},
		{"9P", fileSystem{magic: 0x01021997}},
		{"FUSE fuse.sshfs", fileSystem{magic: fuse, mount: "fuse.sshfs"}},
		{"FUSE fuse.s3fs", fileSystem{magic: fuse, mount: "fuse.s3fs"}},
		{"FUSE", fileSystem{magic: fuse}},
		{"smbfs", fileSystem{mount: "smbfs"}},
	} {
		dir := filepath.Join(t.TempDir(), "data")
		on := func(string) (fileSystem, error) { return c.on, nil }

		_, err := openSQLite(t.Context(), Config{URL: "sqlite:" + filepath.Join(dir, "slipway.db")}, on)
		require.ErrorContains(t, err, "("+c.name+")")
		require.ErrorContains(t, err, "PostgreSQL")
		require.ErrorContains(t, err, dir)
		require.NoDirExists(t, dir)
	}

	for _, local := range []fileSystem{
		{magic: 0xef53}, // ext4
		{magic: 0x58465342},
		{magic: 0x794c7630}, // an overlay of containers
		{magic: 0x01021994}, // memory
		{magic: fuse, mount: "fuseblk"},
		{magic: fuse, mount: "virtiofs"},
	} {
		e, err := openSQLite(t.Context(), Config{URL: "sqlite:" + filepath.Join(t.TempDir(), "slipway.db")},
			func(string) (fileSystem, error) { return local, nil })
		require.NoError(t, err)
		require.NoError(t, e.close())
	}
}
