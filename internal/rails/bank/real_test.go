package bank_test

import (
	"encoding/pem"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/platform/platformtest/parts"
	"slipway/internal/rails/bank"
)

// realBankServer is OpenSSH over two folders, as banks run it: SFTP and nothing else.
func realBankServer(t *testing.T) (s *bankServer, start func()) {
	t.Helper()
	program := parts.Need(t, "sshd")[0]

	s = newBankServer(t) // its keys; its own server hears nothing here
	s.dir = parts.Dir(t)
	port := parts.Port(t)
	s.addr = parts.Address(port)

	for _, folder := range []string{"in", "out"} {
		require.NoError(t, os.MkdirAll(filepath.Join(s.dir, folder), 0o700))
	}

	block, err := ssh.MarshalPrivateKey(s.hostKey, "")
	require.NoError(t, err)
	key := filepath.Join(s.dir, "host.key")
	require.NoError(t, os.WriteFile(key, pem.EncodeToMemory(block), 0o600))

	client, err := ssh.NewPublicKey(s.client.Public())
	require.NoError(t, err)
	allowed := parts.File(t, s.dir, "authorized", string(ssh.MarshalAuthorizedKey(client)))

	if os.Getuid() == 0 {
		require.NoError(t, os.MkdirAll("/run/sshd", 0o755)) // its own folder for giving up rights
	}

	config := parts.File(t, s.dir, "sshd.conf", fmt.Sprintf(`Port %d
ListenAddress 127.0.0.1
HostKey %s
AuthorizedKeysFile %s
StrictModes no
UsePAM no
PermitRootLogin prohibit-password
PasswordAuthentication no
PidFile none
Subsystem sftp internal-sftp -d %s
ForceCommand internal-sftp -d %s
`, port, key, allowed, s.dir, s.dir))

	me, err := user.Current()
	require.NoError(t, err)
	s.user = me.Username

	return s, func() { parts.Start(t, port, program, "-D", "-e", "-f", config) }
}

// A payout's way over OpenSSH: it waits while nobody is there, and is handed over once. (F-01, F-02)
func TestPayoutsOverRealSFTP(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s, start := realBankServer(t)

		w := openWorld(t, d, t.TempDir(), func(c *bank.Config) { c.Channel = s.channel() })
		w.out = filepath.Join(s.dir, "in")
		w.in = filepath.Join(s.dir, "out")
		w.plan(pay(0), pay(1))

		require.Error(t, w.rail.Work(t.Context()), "nobody is there yet")
		w.is(0, bank.Filed)

		start()

		for range 2 {
			require.NoError(t, w.rail.Work(t.Context()))
		}

		w.is(0, bank.HandedOver)
		w.exactlyOnce(2)
	})
}

// OpenSSH refuses to rename onto a file that is there, and a wrong key.
func TestRealSFTPRefuses(t *testing.T) {
	s, start := realBankServer(t)
	start()
	c := s.channel()

	require.NoError(t, c.Stage(t.Context(), "a.xml.1.tmp", []byte("first")))
	require.NoError(t, c.Commit(t.Context(), "a.xml.1.tmp", "a.xml"))
	require.NoError(t, c.Stage(t.Context(), "a.xml.2.tmp", []byte("second")))
	require.Error(t, c.Commit(t.Context(), "a.xml.2.tmp", "a.xml"), "the first is not overwritten")

	raw, err := os.ReadFile(filepath.Join(s.dir, "in", "a.xml"))
	require.NoError(t, err)
	require.Equal(t, "first", string(raw))

	config := s.config()
	config.PrivateKey = newBankServer(t).config().PrivateKey
	stranger, err := bank.NewSFTP(config)
	require.NoError(t, err)
	_, err = stranger.List(t.Context())
	require.ErrorContains(t, err, "unable to authenticate")

	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "out", "long.xml"), make([]byte, 30<<20), 0o600))
	in, err := c.Get(t.Context(), "long.xml")
	require.NoError(t, err)
	n, err := io.Copy(io.Discard, in)
	require.NoError(t, err)
	require.NoError(t, in.Close())
	require.EqualValues(t, 30<<20, n)
}
