package db

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A folder that is missing yet is judged by where it will be, and a link by where it leads.
func TestTheFileSystemOfAFolderIsFound(t *testing.T) {
	dir := t.TempDir()

	here, err := fileSystemOf(dir)
	require.NoError(t, err)
	require.NotZero(t, here.magic)

	missing, err := fileSystemOf(filepath.Join(dir, "a", "b"))
	require.NoError(t, err)
	require.Equal(t, here, missing)

	require.NoError(t, os.Symlink("/proc", filepath.Join(dir, "link")))
	there, err := fileSystemOf(filepath.Join(dir, "link"))
	require.NoError(t, err)
	require.EqualValues(t, 0x9fa0, there.magic)
	require.NoError(t, CheckFolder(dir))
}

func TestTheMountOfAPathIsTheLongestAndLast(t *testing.T) {
	const mounts = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:45 / /srv rw - xfs /dev/sdb1 rw
41 22 0:46 / /srv/with\040space rw - fuse.sshfs host:/x rw
42 40 0:47 / /srv rw master:1 - fuse.s3fs s3fs rw
broken
`
	for path, want := range map[string]string{
		"/var/lib":            "ext4",
		"/srv":                "fuse.s3fs",
		"/srv/data":           "fuse.s3fs",
		"/srvx":               "ext4",
		"/srv/with space/a/b": "fuse.sshfs",
	} {
		require.Equal(t, want, mountType(mounts, path), path)
	}
}
