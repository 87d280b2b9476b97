package web

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/server"
)

// pipes is a listener whose connections are in memory, so that their deadlines are those of virtual time.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	c, ok := <-p
	if !ok {
		return nil, net.ErrClosed
	}

	return c, nil
}

func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) Close() error {
	close(p)
	return nil
}

// overPipe serves an API for one connection, in virtual time.
func overPipe(t *testing.T, k *kitchen, use func(c net.Conn)) {
	t.Helper()
	l := make(pipes, 1)
	s := server.New(server.Config{Handler: k.handler, Log: discarding(), Connections: 8})
	ctx, cancel := context.WithCancel(t.Context())

	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l, 0) }()

	ours, theirs := net.Pipe()
	l <- theirs
	use(ours)
	require.NoError(t, ours.Close())
	cancel()
	<-ended //nolint:errcheck // how the server ended is not what is tested
	synctest.Wait()
}

// head is a request up to its body.
func head(length int) string {
	return fmt.Sprintf("POST /cook HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", length)
}

// I-08, I-10: a body has to keep coming. One that stands still is refused after bodyPause, and so is one that drips;
// one that takes long because it is large is read.
func TestBodyMustKeepComing(t *testing.T) {
	for _, c := range []struct {
		name   string
		size   int // of the body
		piece  int // bytes that come at once
		pause  time.Duration
		status int
		after  time.Duration
	}{
		{"stands still", 1000, 10, time.Hour, 400, bodyPause},
		{"drips", 1000, 1, time.Second, 400, bodyPause},
		{"large and steady", 640 << 10, 32 << 10, time.Second / 2, 204, 19 * time.Second / 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				k := newKitchen(Config{})
				close(k.end)

				overPipe(t, k, func(conn net.Conn) {
					begin := time.Now()
					body := dish(c.size)
					_, err := io.WriteString(conn, head(c.size))
					require.NoError(t, err)

					var sending sync.WaitGroup
					sending.Go(func() {
						for at := 0; at < c.size; at += c.piece {
							if _, err := io.WriteString(conn, body[at:at+c.piece]); err != nil {
								return
							}

							time.Sleep(c.pause)
						}
					})

					answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
					require.NoError(t, err)
					require.Equal(t, c.status, answer.StatusCode)
					require.Equal(t, c.after, time.Since(begin).Truncate(time.Second/2))
					require.NoError(t, conn.Close())
					sending.Wait()
				})
			})
		})
	}
}

// I-10: whoever is refused before his body was read does not keep the connection with it.
func TestBodyOfARefusedRequestIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := newKitchen(Config{})

		overPipe(t, k, func(conn net.Conn) {
			begin := time.Now()
			_, err := io.WriteString(conn, strings.Replace(head(1000), "/cook", "/nowhere", 1)+"{")
			require.NoError(t, err)

			answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			require.Equal(t, 404, answer.StatusCode)
			require.Equal(t, unreadTime, time.Since(begin))
			require.True(t, answer.Close)
		})
	})
}
