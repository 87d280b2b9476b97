package bank

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"

	"slipway/internal/platform/failpoint"
)

// SFTPConfig configures the connection to a bank's SFTP server.
type SFTPConfig struct {
	Address    string // host:port
	User       string
	PrivateKey []byte // PEM; empty: use Password
	Password   string
	// the server's public key as in authorized_keys: "ssh-ed25519 AAAA…"; no other server is accepted
	HostKey  string
	ToBank   string        // folder for our files
	FromBank string        // folder with the bank's files; it contains a folder "done"
	Timeout  time.Duration // for connecting, and for one exchange; 0: 30 s
}

// SFTP is a channel over one connection, which is opened on demand and again after an error. It is safe for concurrent
// use.
type SFTP struct {
	config SFTPConfig
	client ssh.ClientConfig

	mu   sync.Mutex
	open *session
}

type session struct {
	conn net.Conn
	ssh  *ssh.Client
	*sftp.Client
}

func (s *session) close() {
	_ = s.Client.Close()
	_ = s.ssh.Close()
	_ = s.conn.Close()
}

// NewSFTP checks the configuration. It does not connect.
func NewSFTP(c SFTPConfig) (*SFTP, error) {
	if c.Timeout <= 0 {
		c.Timeout = 30 * time.Second
	}

	host, _, _, _, err := ssh.ParseAuthorizedKey([]byte(c.HostKey))
	if err != nil {
		return nil, fmt.Errorf("host key of the bank's SFTP server: %w", err)
	}

	if c.User == "" || c.ToBank == "" || c.FromBank == "" {
		return nil, errors.New("the bank's SFTP server needs a user, a folder for our files and one with the bank's")
	}

	if _, _, err := net.SplitHostPort(c.Address); err != nil {
		return nil, fmt.Errorf("address of the bank's SFTP server: %w", err)
	}

	auth := ssh.Password(c.Password)
	if len(c.PrivateKey) > 0 {
		signer, err := ssh.ParsePrivateKey(c.PrivateKey)
		if err != nil {
			return nil, fmt.Errorf("private key for the bank's SFTP server: %w", err)
		}

		auth = ssh.PublicKeys(signer)
	} else if c.Password == "" {
		return nil, errors.New("the bank's SFTP server needs a private key or a password")
	}

	return &SFTP{
		config: c,
		client: ssh.ClientConfig{
			User:              c.User,
			Auth:              []ssh.AuthMethod{auth},
			HostKeyCallback:   ssh.FixedHostKey(host),
			HostKeyAlgorithms: algorithms(host.Type()),
			Timeout:           c.Timeout,
		},
	}, nil
}

// algorithms returns the host key algorithms that make the server present the pinned key, not another one it has. An
// RSA key signs with SHA-2 (RFC 8332).
func algorithms(keyType string) []string {
	if keyType == ssh.KeyAlgoRSA {
		return []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256}
	}

	return []string{keyType}
}

func (c *SFTP) connect(ctx context.Context) (*session, error) {
	dialer := net.Dialer{Timeout: c.config.Timeout}

	conn, err := dialer.DialContext(ctx, "tcp", c.config.Address)
	if err != nil {
		return nil, err
	}

	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()

	sc, channels, requests, err := ssh.NewClientConn(conn, c.config.Address, &c.client)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}

	s := ssh.NewClient(sc, channels, requests)

	f, err := sftp.NewClient(s)
	if err != nil {
		_ = s.Close()
		return nil, err
	}

	return &session{conn: conn, ssh: s, Client: f}, nil
}

// with runs one exchange.
func (c *SFTP) with(ctx context.Context, do func(s *session) error) error {
	return c.within(ctx, c.config.Timeout, do)
}

// within is like with, for an exchange that may take longer. It closes the connection if the context ends or an error
// is not the server's own answer.
func (c *SFTP) within(ctx context.Context, limit time.Duration, do func(s *session) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()

	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	if c.open == nil {
		s, err := c.connect(ctx)
		if err != nil {
			return fmt.Errorf("connect to the bank's SFTP server: %w", err)
		}

		c.open = s
	}

	s := c.open
	stop := context.AfterFunc(ctx, func() { _ = s.conn.Close() })

	err := do(s)
	if !stop() || err != nil && !answered(err) {
		s.close()
		c.open = nil
	}

	return err
}

// answered reports whether an error is the server's answer, so that the connection still works.
func answered(err error) bool {
	var status *sftp.StatusError

	return errors.As(err, &status) || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) ||
		errors.Is(err, fs.ErrExist) ||
		errors.Is(err, errName)
}

// Close closes the connection. The channel can be used again.
func (c *SFTP) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()

	if c.open != nil {
		c.open.close()
		c.open = nil
	}

	return nil
}

// slowest is the minimum speed of a connection to a bank, in bytes per second: a file gets this time in addition to
// that of an exchange.
const slowest = 64 << 10

// Stage uploads the file under its temporary name. If the server supports it, it syncs the file to disk.
func (c *SFTP) Stage(ctx context.Context, staged string, content []byte) error {
	if err := stagedName(staged); err != nil {
		return err
	}

	return c.within(ctx, c.config.Timeout+time.Duration(len(content)/slowest)*time.Second, func(s *session) error {
		to := path.Join(c.config.ToBank, staged)

		f, err := s.Create(to)
		if err != nil {
			return err
		}

		half := len(content) / 2
		_, err = f.Write(content[:half])
		failpoint.Hit("bank.upload_half")

		if err == nil {
			_, err = f.Write(content[half:])
		}

		if _, can := s.HasExtension("fsync@openssh.com"); can && err == nil {
			err = f.Sync()
		}

		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}

		info, err := s.Stat(to)
		if err == nil && info.Size() != int64(len(content)) {
			err = fmt.Errorf("the server has %d of %d bytes", info.Size(), len(content))
		}

		return err
	})
}

// Discard removes a staged file.
func (c *SFTP) Discard(ctx context.Context, staged string) error {
	if err := stagedName(staged); err != nil {
		return err
	}

	return c.with(ctx, func(s *session) error {
		if err := s.Remove(path.Join(c.config.ToBank, staged)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}

		return nil
	})
}

// Commit renames the file. The protocol's plain rename fails if the name exists, so nothing is ever replaced.
func (c *SFTP) Commit(ctx context.Context, staged, name string) error {
	if err := bothNames(staged, name); err != nil {
		return err
	}

	return c.with(ctx, func(s *session) error {
		return s.Rename(path.Join(c.config.ToBank, staged), path.Join(c.config.ToBank, name))
	})
}

// Look returns where the file is.
func (c *SFTP) Look(ctx context.Context, staged, name string) (where Presence, size int64, err error) {
	if err := bothNames(staged, name); err != nil {
		return Gone, 0, err
	}

	err = c.with(ctx, func(s *session) error {
		for _, p := range []struct {
			name  string
			where Presence
		}{{name, Present}, {staged, Staged}} {
			info, err := s.Stat(path.Join(c.config.ToBank, p.name))
			if err == nil {
				where = p.where
				size = info.Size()
				return nil
			}

			if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}

		return nil
	})

	return where, size, err
}

// List returns the files that the bank has put out.
func (c *SFTP) List(ctx context.Context) ([]Remote, error) {
	return c.list(ctx, c.config.FromBank)
}

// Handed lists our files, also in the folder "done" beside them, which may be missing.
func (c *SFTP) Handed(ctx context.Context) ([]Remote, error) {
	out, err := c.list(ctx, c.config.ToBank)
	if err != nil {
		return nil, err
	}

	done, err := c.list(ctx, path.Join(c.config.ToBank, doneFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}

	for _, f := range done {
		f.Done = true
		out = append(out, f)
	}

	return out, nil
}

// Reopen opens one of our files, as Get does.
func (c *SFTP) Reopen(ctx context.Context, f Remote) (io.ReadCloser, error) {
	if f.Done {
		return c.read(ctx, path.Join(c.config.ToBank, doneFolder), f.Name)
	}

	return c.read(ctx, c.config.ToBank, f.Name)
}

// list returns the complete files in a folder, sorted by name.
func (c *SFTP) list(ctx context.Context, folder string) ([]Remote, error) {
	var out []Remote
	err := c.with(ctx, func(s *session) error {
		entries, err := s.ReadDirContext(ctx, folder)
		for _, e := range entries {
			if e.Mode().IsRegular() && !unfinished(e.Name()) && plainName(e.Name()) == nil {
				out = append(out, Remote{Name: e.Name(), Size: e.Size(), ModTime: e.ModTime()})
			}
		}

		return err
	})
	slices.SortFunc(out, byName)

	return out, err
}

// Get opens a file that the bank has put out. Each read may take as long as one exchange; after that, or when the
// context ends, the connection is closed.
func (c *SFTP) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	return c.read(ctx, c.config.FromBank, name)
}

func (c *SFTP) read(ctx context.Context, folder, name string) (io.ReadCloser, error) {
	if err := plainName(name); err != nil {
		return nil, err
	}

	r := &reading{limit: c.config.Timeout}

	err := c.with(ctx, func(s *session) (err error) {
		r.File, err = s.Open(path.Join(folder, name))
		r.cut = func() { _ = s.conn.Close() }
		return err
	})
	if err != nil {
		return nil, err
	}

	r.stop = context.AfterFunc(ctx, r.cut)

	return r, nil
}

// reading is a file of the bank being read. A server that stops responding does not block it forever.
type reading struct {
	*sftp.File
	limit time.Duration
	cut   func() // closes the connection
	stop  func() bool
}

// Read reads with a time limit.
func (r *reading) Read(p []byte) (int, error) {
	late := time.AfterFunc(r.limit, r.cut)
	defer late.Stop()
	return r.File.Read(p)
}

// WriteTo replaces the method of the embedded file, which would read everything without a time limit.
func (r *reading) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{r})
}

// Close closes the file with a time limit.
func (r *reading) Close() error {
	r.stop()

	late := time.AfterFunc(r.limit, r.cut)
	defer late.Stop()

	return r.File.Close()
}

// Done moves a file to the folder "done". It replaces a file of the same name: the archive holds what was read.
func (c *SFTP) Done(ctx context.Context, name string) error {
	if err := plainName(name); err != nil {
		return err
	}

	return c.with(ctx, func(s *session) error {
		from := path.Join(c.config.FromBank, name)
		folder := path.Join(c.config.FromBank, doneFolder)

		if _, err := s.Stat(from); errors.Is(err, fs.ErrNotExist) {
			return nil
		}

		if err := s.MkdirAll(folder); err != nil {
			return err
		}

		to := path.Join(folder, name)
		if err := s.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}

		return s.Rename(from, to)
	})
}
