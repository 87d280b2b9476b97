package db

import (
	"context"
	"errors"
	"net"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// answerLimit limits an exchange with the server that has no caller's deadline; no statement of ours takes as long.
	answerLimit  = 20 * time.Second
	connectLimit = 5 * time.Second
)

// aliveEvery and aliveTries find a server whose machine is gone while nothing is sent to it: within 20 seconds.
const (
	aliveEvery = 5 * time.Second
	aliveTries = 3
)

// line is the way of one writer's connection to its server. Writers' statements have no caller's deadline, since a
// group belongs to many callers, so it limits each wait for the server: a server that is reachable but silent would
// block them all for ever.
//
// While a COMMIT is under way it does not: see pgWriter.confirm. Nothing is cancelled then. A server that waits for its
// standby ends that wait when it is asked to cancel: the transaction counts from then on, without being where a
// failover would look for it.
type line struct {
	limit      time.Duration
	conn       atomic.Pointer[limitedConn]
	committing atomic.Bool // a COMMIT was sent and has no answer yet
	local      atomic.Bool // the server has said that it did not wait for its standby
}

// prepare makes the connection that config opens go over this line.
func (l *line) prepare(config *pgx.ConnConfig) {
	config.DialFunc = l.dial
	config.OnNotice = l.notice
	config.AfterConnect = func(_ context.Context, c *pgconn.PgConn) error {
		c.CustomData()[lineOfConn] = l
		return nil
	}
}

// lineOfConn is where a connection keeps its line.
const lineOfConn = "slipway.line"

// lineOf returns the line of a writer's connection.
func lineOf(c *pgxpool.Conn) *line { return c.Conn().PgConn().CustomData()[lineOfConn].(*line) }

var errNotCancelled = errors.New("a COMMIT that was sent is never cancelled")

// dial connects. The driver dials once more to cancel what the connection waits for.
func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if l.committing.Load() {
		return nil, errNotCancelled
	}

	dialer := net.Dialer{KeepAliveConfig: net.KeepAliveConfig{
		Enable:   true,
		Idle:     aliveEvery,
		Interval: aliveEvery,
		Count:    aliveTries,
	}}

	c, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}

	conn := &limitedConn{c, l}
	l.conn.Store(conn)

	return conn, nil
}

// notice looks for the warning of a server that has committed without its standby: somebody has cancelled the
// wait. It is known by the server's function, since its text may be in any language.
func (l *line) notice(_ *pgconn.PgConn, n *pgconn.Notice) {
	if n.Routine == "SyncRepWaitForLSN" {
		l.local.Store(true)
	}
}

// cut closes the connection without a word to the server. Whoever waits for it gets an error.
func (l *line) cut() {
	if c := l.conn.Load(); c != nil {
		_ = c.Close()
	}
}

// limitedConn is a connection that limits each wait.
type limitedConn struct {
	net.Conn
	line *line
}

// Read waits for the server's next bytes.
func (c *limitedConn) Read(b []byte) (int, error) {
	var until time.Time // none: whoever has sent the COMMIT limits the wait for its answer
	if !c.line.committing.Load() {
		until = time.Now().Add(c.line.limit)
	}

	if err := c.SetReadDeadline(until); err != nil {
		return 0, err
	}

	return c.Conn.Read(b)
}

// Write waits until the server has accepted the bytes.
func (c *limitedConn) Write(b []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.line.limit)); err != nil {
		return 0, err
	}

	return c.Conn.Write(b)
}
