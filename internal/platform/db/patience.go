package db

import (
	"context"
	"net"
	"time"
)

const (
	// of an exchange with the server that has no caller's time; no statement of ours takes as long
	answerLimit  = 20 * time.Second
	connectLimit = 5 * time.Second
)

// patience connects writers. Their statements have no caller whose time could end, since a group belongs to many;
// without a limit a server that is there and says nothing would hold all of them for ever.
type patience time.Duration

func (p patience) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}

	return patient{c, time.Duration(p)}, nil
}

// patient is a connection on which each wait has a limit.
type patient struct {
	net.Conn
	limit time.Duration
}

// Read waits for the server's next words.
func (c patient) Read(b []byte) (int, error) {
	if err := c.SetReadDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}

	return c.Conn.Read(b)
}

// Write waits until the server has taken them.
func (c patient) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.limit)); err != nil {
		return 0, err
	}

	return c.Conn.Write(b)
}
