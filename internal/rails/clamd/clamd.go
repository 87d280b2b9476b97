// Package clamd asks ClamAV's daemon whether a content contains known malware.
//
// What it promises: a content is clean only if the daemon has confirmed all of it. No answer, a partial one, or one
// that is not understood is an error. The content is streamed and never held in memory.
package clamd

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// chunk is the number of bytes sent at once.
const chunk = 16 << 10

// longestAnswer limits what is read of an answer: the name of the finding.
const longestAnswer = 4 << 10

// DefaultTimeout limits a complete scan. The daemon takes seconds for a large PDF.
const DefaultTimeout = 30 * time.Second

// Client asks one daemon, with one connection per scan. It is safe for concurrent use.
type Client struct {
	network, address string
	timeout          time.Duration
}

// New returns a client for the daemon at host:port, or at the path of its socket. It does not connect. If timeout is 0,
// it is DefaultTimeout.
func New(address string, timeout time.Duration) (*Client, error) {
	if timeout <= 0 {
		timeout = DefaultTimeout
	}

	if strings.HasPrefix(address, "/") {
		return &Client{"unix", address, timeout}, nil
	}

	if _, _, err := net.SplitHostPort(address); err != nil {
		return nil, fmt.Errorf("clamd is at host:port or at the path of a socket: %w", err)
	}

	return &Client{"tcp", address, timeout}, nil
}

// Scan sends a content and returns the name of what was found in it, or "". Repeating it is harmless.
func (c *Client) Scan(ctx context.Context, content io.Reader) (found string, err error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()

	conn, err := (&net.Dialer{}).DialContext(ctx, c.network, c.address)
	if err != nil {
		return "", fmt.Errorf("clamd: %w", err)
	}

	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) }) // interrupts reads and writes
	defer stop()
	defer func() { err = errors.Join(err, conn.Close()) }()
	sent := send(conn, content)

	var half unread
	if errors.As(sent, &half) { // the daemon waits for the rest and does not answer
		return "", fmt.Errorf("content for clamd: %w", half.error)
	}

	answer, err := io.ReadAll(io.LimitReader(conn, longestAnswer))
	if err != nil || len(answer) == 0 {
		return "", fmt.Errorf("clamd gave no answer: %w", errors.Join(sent, err))
	}

	return verdict(strings.TrimRight(string(answer), "\x00\n"), sent)
}

// unread means that a content could not be read to its end.
type unread struct{ error }

// send writes the command INSTREAM (clamd(8)): chunks, each after its length in four bytes, and an empty one as the
// end.
func send(conn io.Writer, content io.Reader) error {
	if _, err := io.WriteString(conn, "zINSTREAM\x00"); err != nil {
		return err
	}

	buffer := make([]byte, 4+chunk)
	for {
		n, err := io.ReadFull(content, buffer[4:])

		ended := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !ended {
			return unread{err} // without the end, so that the daemon gives no verdict on a partial content
		}

		if n > 0 {
			binary.BigEndian.PutUint32(buffer, uint32(n))

			if _, err := conn.Write(buffer[:4+n]); err != nil {
				return err
			}
		}

		if ended {
			_, err := conn.Write(make([]byte, 4))
			return err
		}
	}
}

// verdict parses an answer. An answer before everything was sent counts only if it reports a finding.
func verdict(answer string, sent error) (string, error) {
	if name, ok := strings.CutSuffix(answer, " FOUND"); ok {
		return strings.TrimSpace(strings.TrimPrefix(name, "stream:")), nil
	}

	if sent != nil {
		return "", fmt.Errorf("clamd (%q): %w", answer, sent)
	}

	if answer != "stream: OK" {
		return "", fmt.Errorf("clamd said %q", answer)
	}

	return "", nil
}
