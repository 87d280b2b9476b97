//go:build !nosandbox

package devchain

import (
	"context"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
)

// Limits of a batch, as public nodes have them.
const (
	batchCalls   = 1000
	batchAnswers = 64 << 20
)

// server serves the chain's JSON-RPC on loopback.
type server struct {
	url   string
	rpc   *rpc.Server
	http  *http.Server
	ended chan struct{}
}

// serve listens on a port, or on a free one when it is 0.
func serve(c *Chain, port int) (*server, error) {
	calls := rpc.NewServer()
	calls.SetBatchLimits(batchCalls, batchAnswers)

	services := map[string]any{
		"eth":    newETHAPI(c),
		"net":    netAPI{c},
		"web3":   web3API{},
		"txpool": poolAPI{c},
		"debug":  debugAPI{c},
	}
	for name, service := range services {
		if err := calls.RegisterName(name, service); err != nil {
			return nil, err
		}
	}

	listen := &net.ListenConfig{}

	at, err := listen.Listen(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}

	s := &server{
		url:   "http://" + at.Addr().String(),
		rpc:   calls,
		http:  &http.Server{Handler: anyOrigin(calls), ReadHeaderTimeout: 30 * time.Second},
		ended: make(chan struct{}),
	}

	go func() {
		defer close(s.ended)
		_ = s.http.Serve(at) // it ends with the listener
	}()

	return s, nil
}

// anyOrigin lets pages of any origin call: a wallet in a browser does.
func anyOrigin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Access-Control-Allow-Origin", "*")

		if r.Method == http.MethodOptions {
			w.Header().Set("Access-Control-Allow-Methods", "POST")
			w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
			w.WriteHeader(http.StatusNoContent)

			return
		}

		next.ServeHTTP(w, r)
	})
}

// close ends all connections. What was being answered is cut off.
func (s *server) close() error {
	err := s.http.Close()
	s.rpc.Stop()
	<-s.ended

	return err
}
