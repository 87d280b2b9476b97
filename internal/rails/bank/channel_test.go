package bank_test

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/pkg/sftp"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/ssh"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/bank"
)

// bankServer is a bank's SFTP server in this process, over two folders.
type bankServer struct {
	t    *testing.T
	dir  string
	addr string
	user string

	host    ssh.Signer
	hostKey ed25519.PrivateKey
	client  ed25519.PrivateKey

	mu    sync.Mutex
	conns []net.Conn
	mute  sync.RWMutex // locked: the server says nothing more
}

// muted is a connection on which the server may fall silent.
type muted struct {
	net.Conn
	mute *sync.RWMutex
}

// Write waits while the server is silent.
func (c muted) Write(p []byte) (int, error) {
	c.mute.RLock()
	defer c.mute.RUnlock()
	return c.Conn.Write(p)
}

func newBankServer(t *testing.T) *bankServer {
	t.Helper()
	_, hostKey, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	_, clientKey, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	s := &bankServer{t: t, dir: t.TempDir(), user: "slipway", hostKey: hostKey, client: clientKey}
	s.host, err = ssh.NewSignerFromKey(hostKey)
	require.NoError(t, err)

	for _, folder := range []string{"in", "out"} {
		require.NoError(t, os.MkdirAll(filepath.Join(s.dir, folder), 0o700))
	}

	allowed, err := ssh.NewPublicKey(clientKey.Public())
	require.NoError(t, err)
	config := &ssh.ServerConfig{
		PublicKeyCallback: func(c ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if c.User() == s.user && string(key.Marshal()) == string(allowed.Marshal()) {
				return nil, nil
			}

			return nil, os.ErrPermission
		},
	}
	config.AddHostKey(s.host)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.addr = l.Addr().String()

	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}

			s.mu.Lock()
			s.conns = append(s.conns, conn)
			s.mu.Unlock()
			serving.Go(func() { s.serve(conn, config) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		s.cut()
		serving.Wait()
	})

	return s
}

// serve speaks SFTP on one connection, as sshd with internal-sftp does.
func (s *bankServer) serve(conn net.Conn, config *ssh.ServerConfig) {
	defer func() { _ = conn.Close() }()

	_, channels, requests, err := ssh.NewServerConn(muted{conn, &s.mute}, config)
	if err != nil {
		return
	}

	go ssh.DiscardRequests(requests)

	for c := range channels {
		channel, reqs, err := c.Accept()
		if err != nil {
			return
		}

		go func() {
			for r := range reqs {
				_ = r.Reply(r.Type == "subsystem", nil)
			}
		}()

		server, err := sftp.NewServer(channel, sftp.WithServerWorkingDirectory(s.dir))
		if err != nil {
			return
		}

		_ = server.Serve()
		_ = server.Close()
	}
}

// cut ends every connection.
func (s *bankServer) cut() {
	s.mu.Lock()
	defer s.mu.Unlock()

	for _, c := range s.conns {
		_ = c.Close()
	}

	s.conns = nil
}

func (s *bankServer) config() bank.SFTPConfig {
	s.t.Helper()
	block, err := ssh.MarshalPrivateKey(s.client, "")
	require.NoError(s.t, err)

	return bank.SFTPConfig{
		Address:    s.addr,
		User:       s.user,
		PrivateKey: pem.EncodeToMemory(block),
		HostKey:    string(ssh.MarshalAuthorizedKey(s.host.PublicKey())),
		ToBank:     "in",
		FromBank:   "out",
	}
}

func (s *bankServer) channel() *bank.SFTP {
	s.t.Helper()
	c, err := bank.NewSFTP(s.config())
	require.NoError(s.t, err)
	s.t.Cleanup(func() { require.NoError(s.t, c.Close()) })

	return c
}

// Both channels promise the same.
func TestChannels(t *testing.T) {
	ctx := context.Background()

	for name, open := range map[string]func(t *testing.T) (c bank.Channel, in, out string){
		"folder": func(t *testing.T) (bank.Channel, string, string) {
			dir := t.TempDir()
			c, err := bank.NewFolder(filepath.Join(dir, "in"), filepath.Join(dir, "out"))
			require.NoError(t, err)

			return c, filepath.Join(dir, "in"), filepath.Join(dir, "out")
		},
		"sftp": func(t *testing.T) (bank.Channel, string, string) {
			s := newBankServer(t)
			return s.channel(), filepath.Join(s.dir, "in"), filepath.Join(s.dir, "out")
		},
		"openssh": func(t *testing.T) (bank.Channel, string, string) {
			s, start := realBankServer(t)
			start()

			return s.channel(), filepath.Join(s.dir, "in"), filepath.Join(s.dir, "out")
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, in, out := open(t)

			const staged = "a.xml.1.tmp"
			where, _, err := c.Look(ctx, staged, "a.xml")
			require.NoError(t, err)
			require.Equal(t, bank.Gone, where)
			require.Error(t, c.Commit(ctx, staged, "a.xml"), "nothing is staged")

			require.NoError(t, c.Stage(ctx, staged, []byte("first and longer")))
			require.NoError(t, c.Stage(ctx, staged, []byte("second")), "staging again replaces")
			where, size, err := c.Look(ctx, staged, "a.xml")
			require.NoError(t, err)
			require.Equal(t, bank.Staged, where)
			require.EqualValues(t, 6, size)
			require.Equal(t, []string{staged}, files(t, in))
			require.NoError(t, c.Commit(ctx, staged, "a.xml"))
			where, _, err = c.Look(ctx, staged, "a.xml")
			require.NoError(t, err)
			require.Equal(t, bank.Present, where)
			require.Equal(t, []string{"a.xml"}, files(t, in))

			require.NoError(t, c.Stage(ctx, staged, []byte("left over")))
			where, _, err = c.Look(ctx, staged, "a.xml")
			require.NoError(t, err)
			require.Equal(t, bank.Present, where)
			require.NoError(t, c.Discard(ctx, staged))
			require.NoError(t, c.Discard(ctx, staged), "again is no error")
			require.Equal(t, []string{"a.xml"}, files(t, in))
			ours, err := c.Handed(ctx)
			require.NoError(t, err)
			require.Len(t, ours, 1, "there need be no folder done")

			for _, n := range []string{"b.xml", "a.xml", "half.xml.tmp", ".hidden", "half.part"} {
				require.NoError(t, os.WriteFile(filepath.Join(out, n), []byte(n), 0o600))
			}

			list, err := c.List(ctx)
			require.NoError(t, err)
			require.Len(t, list, 2, "what is not whole is left alone (F-04)")
			require.Equal(t, "a.xml", list[0].Name)
			r, err := c.Get(ctx, "b.xml")
			require.NoError(t, err)
			raw, err := io.ReadAll(r)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			require.Equal(t, "b.xml", string(raw))
			require.NoError(t, c.Done(ctx, "b.xml"))
			require.NoError(t, c.Done(ctx, "b.xml"), "again is no error")
			require.Equal(t, []string{"b.xml"}, files(t, filepath.Join(out, "done")))
			require.NoError(t, os.WriteFile(filepath.Join(out, "b.xml"), []byte("new"), 0o600))
			require.NoError(t, c.Done(ctx, "b.xml"), "one of that name is there already")

			require.NoError(t, os.MkdirAll(filepath.Join(in, "done"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(in, "done", "taken.xml"), []byte("taken"), 0o600))
			require.NoError(t, os.WriteFile(filepath.Join(in, "half.xml.tmp"), nil, 0o600))
			ours, err = c.Handed(ctx)
			require.NoError(t, err)
			require.Len(t, ours, 2)
			require.Equal(t, []string{"a.xml", "taken.xml"}, []string{ours[0].Name, ours[1].Name})

			for i, want := range []string{"second", "taken"} {
				r, err := c.Reopen(ctx, ours[i])
				require.NoError(t, err)
				raw, err := io.ReadAll(r)
				require.NoError(t, err)
				require.NoError(t, r.Close())
				require.Equal(t, want, string(raw))
			}

			for _, bad := range []string{"../x", "a/b", `a\b`} {
				require.Error(t, c.Stage(ctx, bad, nil), bad)
				require.Error(t, c.Stage(ctx, bad+".tmp", nil), bad)
				require.Error(t, c.Discard(ctx, bad), bad)
				require.Error(t, c.Commit(ctx, staged, bad), bad)
				require.Error(t, c.Done(ctx, bad), bad)
				_, err := c.Get(ctx, bad)
				require.Error(t, err, bad)
			}
		})
	}
}

// The client that carries payment files is another user, of the folders' group: it reads them whatever the umask.
func TestPaymentFilesAreForTheFoldersGroup(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))

	in := filepath.Join(t.TempDir(), "in")
	c, err := bank.NewFolder(in, t.TempDir())
	require.NoError(t, err)
	require.NoError(t, c.Stage(t.Context(), "a.xml.1.tmp", []byte("pay")))
	require.NoError(t, c.Commit(t.Context(), "a.xml.1.tmp", "a.xml"))

	info, err := os.Stat(filepath.Join(in, "a.xml"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o640), info.Mode().Perm())

	folder, err := os.Stat(in)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), folder.Mode().Perm(), "nobody else unless the folder is given to a group")
}

// No other server than the one whose key is pinned is spoken to, and none without our key.
func TestSFTPPinsTheServersKey(t *testing.T) {
	s := newBankServer(t)
	other := newBankServer(t)
	ctx := context.Background()
	c := s.config()
	c.Address = other.addr
	wrong, err := bank.NewSFTP(c)
	require.NoError(t, err)
	_, err = wrong.List(ctx)
	require.ErrorContains(t, err, "host key")
	c = s.config()
	c.PrivateKey = other.config().PrivateKey
	stranger, err := bank.NewSFTP(c)
	require.NoError(t, err)
	_, err = stranger.List(ctx)
	require.ErrorContains(t, err, "unable to authenticate")

	for _, change := range []func(*bank.SFTPConfig){
		func(c *bank.SFTPConfig) {
			c.HostKey = ""
		}, func(c *bank.SFTPConfig) { c.User = "" }, func(c *bank.SFTPConfig) { c.Address = "host" },
		func(c *bank.SFTPConfig) { c.PrivateKey = nil }, func(c *bank.SFTPConfig) { c.PrivateKey = []byte("x") },
	} {
		c := s.config()
		change(&c)
		_, err := bank.NewSFTP(c)
		require.Error(t, err)
	}
}

// A connection that was cut is made anew, and the whole of a payout's way goes over SFTP too: F-01, F-02.
func TestPayoutsOverSFTP(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := newBankServer(t)
		f := &fickle{Channel: s.channel()}
		w := openWorld(t, d, t.TempDir(), func(c *bank.Config) { c.Channel = f })
		w.out = filepath.Join(s.dir, "in")
		w.in = filepath.Join(s.dir, "out")
		// the rename is done, its answer is lost with the connection
		f.commit = func(ctx context.Context, staged, name string) error {
			require.NoError(t, f.Channel.Commit(ctx, staged, name))
			s.cut()
			return io.ErrUnexpectedEOF
		}
		w.plan(pay(0), pay(1))
		require.Error(t, w.rail.Work(context.Background()))
		w.is(0, bank.Filed)
		f.commit = nil

		for range 3 {
			_ = w.rail.Work(context.Background()) // the first notices that the connection is gone
		}

		w.is(0, bank.HandedOver)
		w.exactlyOnce(2)
		require.NoError(
			t,
			os.WriteFile(filepath.Join(w.in, "statement.xml"), []byte(stmt(debit(0, "D0")).xml()), 0o600),
		)
		w.work()
		w.is(0, bank.Booked)
	})
}

// A server that falls silent in the middle of a file does not keep us: reading ends, and the next exchange has a
// connection of its own.
func TestSFTPServerThatFallsSilent(t *testing.T) {
	ctx := context.Background()
	s := newBankServer(t)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "out", "day.xml"), make([]byte, 1<<20), 0o600))

	config := s.config()
	config.Timeout = 500 * time.Millisecond
	c, err := bank.NewSFTP(config)
	require.NoError(t, err)

	t.Cleanup(func() { _ = c.Close() })
	f, err := c.Get(ctx, "day.xml")
	require.NoError(t, err)

	s.mute.Lock()
	_, err = io.ReadAll(f)
	require.Error(t, err)

	_ = f.Close()
	s.mute.Unlock()
	_, err = c.List(ctx)
	require.Error(t, err, "the connection has ended")

	list, err := c.List(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
}
