package db

import (
	"context"
	"net"
	"time"
)

const (
	// for an exchange with the server that has no caller's deadline; no statement of ours takes as long
	answerLimit  = 20 * time.Second
	connectLimit = 5 * time.Second
)

// patience connects writers. Their statements have no caller's deadline, since a group belongs to many callers. Without
// a limit, a server that is reachable but silent would block all of them for ever.
type patience time.Duration

func (p patience) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}

	return patient{c, time.Duration(p)}, nil
}

// patient is a connection that limits each wait.
type patient struct {
	net.Conn
	limit time.Duration
}

// Read waits for the server's next bytes.
func (c patient) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}

	return c.Conn.Read(b)
}

// Write waits until the server has accepted the bytes.
func (c patient) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}

	return c.Conn.Write(b)
}
