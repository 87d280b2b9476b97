//go:build !nosandbox

package app_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/url"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/apptest"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db/dbtest"
)

// P-04: the answer is lost after the commit. The repeated request gets the same body, marked as repeated, and there
// is one effect; the key with another body is refused, and a refusal is not kept: the client may mend and repeat.
func TestLostAnswerIsGivenAgain(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		c := h.Client("Ada")
		other := h.Start()
		body := c.Body("USDC", c.Payment(c.Payee, "5.00"))

		again := func(method, path string, body any, status int) apptest.Answer {
			t.Helper()
			key := apptest.Key("key of " + path)

			first := h.Do(h.App, method, path, c.Token, body, key).OK(status)
			for _, a := range []*app.App{h.App, other} {
				second := h.Do(a, method, path, c.Token, body, key).OK(status)
				require.Equal(t, first.Raw, second.Raw)
				require.Equal(t, "true", second.Header.Get("Idempotent-Replayed"))
			}

			return first
		}

		id := again("POST", "/transactions", body, 201).ID()

		c.Do(
			"POST",
			"/transactions",
			c.Body("USDC", c.Payment(c.Payee, "6.00")),
			apptest.Key("key of /transactions"),
		).Refused(422, "IDEMPOTENCY_KEY_REUSED")

		again("POST", "/transactions/"+id+"/submit", nil, 200)
		again("POST", "/transactions/"+id+"/accept", nil, 200)
		h.Settle()
		again("POST", "/transactions/"+id+"/accept", nil, 200) // long after its end
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM transactions"))
		require.EqualValues(t, 1, h.Count("SELECT count(*) FROM chain_sends"))

		deleted := c.Draft("USDC", "1.00")
		again("DELETE", "/transactions/"+deleted, nil, 200)
		h.Oracle()
	})
}

// mixed accepts some transactions over HTTP from one child after the other, each of which dies or is stopped at a
// moment of its own.
func mixed(t *testing.T, h *apptest.Harness, rounds int, end func(p *apptest.Process)) {
	t.Helper()
	c := h.Client("Ada")
	c.StaySignedIn()

	var ids []string
	for i := range 6 * rounds {
		ids = append(ids, c.Submitted([]string{"USDC", "USDT", "DAI"}[i%3], "1.00", "2.00"))
	}

	h.Stop(h.App)

	var requests []apptest.Request
	for round := range rounds {
		for _, id := range ids[6*round : 6*round+6] {
			requests = append(requests, apptest.Request{
				Method: "POST",
				Path:   "/transactions/" + id + "/accept",
				Token:  c.Token,
				Key:    "accept " + id,
			})
		}

		// What was asked before is asked again: the client does not know what became of it.
		p := h.Spawn(apptest.Work{Requests: requests, Ahead: time.Duration(round) * later, Forever: true}, "")
		end(p)
	}

	h.Spawn(apptest.Work{Requests: requests, Ahead: time.Duration(rounds) * later}, "").Wait().Ended()
	h.Ahead(time.Duration(rounds) * later)

	for _, id := range ids {
		c.Ends(id, transaction.StatusCompleted)
	}

	moved, _ := h.Ground()
	require.Len(t, moved, 2*len(ids))
	h.Oracle()
}

// P-02: processes are killed at random moments of a mixed workload.
func TestKilledAtRandomMoments(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))

	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		mixed(t, h, 4, func(p *apptest.Process) {
			p.MineFor(time.Duration(50+random.IntN(300)) * time.Millisecond)
			p.Signal(syscall.SIGKILL)
			p.Wait().Killed()
		})
	})
}

// P-07: a process that is told to end in the middle of its work ends in order, and leaves nothing half done.
func TestToldToEndInTheMiddle(t *testing.T) {
	apptest.Each(t, func(t *testing.T, h *apptest.Harness) {
		mixed(t, h, 2, func(p *apptest.Process) {
			h.World.Chain.Mine(1) // what the one before has sent
			p.Until("something is sent", func() bool { waiting, _ := h.World.Chain.PoolSize(); return waiting > 0 })
			p.Signal(syscall.SIGTERM)
			p.Wait().Ended()
		})
	})
}

// line leads to a database, until it is cut: what is said then is heard by nobody, and nobody hangs up.
type line struct {
	net.Listener
	to  string
	cut atomic.Bool
}

// lineTo returns a line to a PostgreSQL database, and the address at which it is reached by it.
func lineTo(t *testing.T, address string) (through string, l *line) {
	t.Helper()

	u, err := url.Parse(address)
	require.NoError(t, err)

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })

	l = &line{Listener: listener, to: u.Host}
	u.Host = listener.Addr().String()

	go l.connect()

	return u.String(), l
}

func (l *line) connect() {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}

		server, err := net.Dial("tcp", l.to)
		if err != nil {
			_ = client.Close()
			continue
		}

		go l.pass(server, client)
		go l.pass(client, server)
	}
}

func (l *line) pass(to, from net.Conn) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if l.cut.Load() {
			n = 0
		}

		if _, wrong := to.Write(buffer[:n]); err != nil || wrong != nil {
			_, _ = to.Close(), from.Close()
			return
		}
	}
}

// A database that says nothing any more keeps no process from ending in time and well: what is left is named.
func TestAStopBesideASilentDatabaseEnds(t *testing.T) {
	t.Run("while it works", func(t *testing.T) { endsBesideSilence(t, true) })
	t.Run("while it starts", func(t *testing.T) { endsBesideSilence(t, false) })
}

// endsBesideSilence stops a process whose database says nothing any more, before it has begun or while it works.
func endsBesideSilence(t *testing.T, works bool) {
	t.Helper()
	t.Parallel()

	h := apptest.New(t, apptest.Config{}, dbtest.PostgresURL(t))
	own := h.URL

	var l *line

	h.URL, l = lineTo(t, own)
	h.Environ = append(h.Environ, "SLIPWAY_SHUTDOWN__GRACE=0s")
	a, err := h.Open()
	require.NoError(t, err)

	h.URL = own

	front, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)

	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)

	l.cut.Store(!works)

	go func() { ended <- errors.Join(a.Run(ctx, front), a.Close()) }()

	if works {
		h.Await("it works", func() bool {
			status, _ := ready(h, a)
			return status == "ok" && h.Count("SELECT count(*) FROM replicas WHERE id = $1", a.Replica.ID()) == 1
		})
		l.cut.Store(true)
	}

	stop()

	select { // the grace time, and ten seconds for what is open
	case err := <-ended:
		require.NoError(t, err)
	case <-time.After(25 * time.Second):
		t.Fatal("it does not end")
	}
}
