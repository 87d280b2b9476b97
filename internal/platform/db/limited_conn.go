package db

import (
	"context"
	"net"
	"time"
)

const (
	// answerLimit limits an exchange with the server that has no caller's deadline; no statement of ours takes as long.
	answerLimit  = 20 * time.Second
	connectLimit = 5 * time.Second
)

// connLimit is how long a writer's connection waits for the server. Writers' statements have no caller's deadline,
// since a group belongs to many callers. Without a limit, a server that is reachable but silent would block them all
// for ever.
type connLimit time.Duration

func (l connLimit) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}

	return limitedConn{c, time.Duration(l)}, nil
}

// limitedConn is a connection that limits each wait.
type limitedConn struct {
	net.Conn
	limit time.Duration
}

// Read waits for the server's next bytes.
func (c limitedConn) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}

	return c.Conn.Read(b)
}

// Write waits until the server has accepted the bytes.
func (c limitedConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}

	return c.Conn.Write(b)
}
