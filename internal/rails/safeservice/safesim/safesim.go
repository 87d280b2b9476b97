//go:build !nosandbox

// Package safesim stands in for Safe's transaction service: a server with the service's contract and books of its own.
//
// What it promises: like the service it takes a proposal of an owner or of a delegate, and signatures of owners alone.
// Whom it knows is told by Know. It forgets nothing until it is told to misbehave.
package safesim

import (
	"net/http"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/go-json-experiment/json"

	"slipway/internal/platform/inprocess"
	"slipway/internal/standards/safe"
)

// Key is the only API key that a Server accepts.
const Key = "simulated-key"

// Server is the service.
type Server struct {
	mu        sync.Mutex
	owners    map[common.Address]map[common.Address]bool // of each Safe
	delegates map[common.Address]bool
	domains   map[common.Address]safe.Domain
	books     map[string]*notice
	broken    int
	lag       int      // how many reads do not show the newest signature yet
	lies      []string // shown as signatures of everything
	asked     int
}

// notice is one SafeTx with its signatures, in the order in which they came.
type notice struct {
	Safe, Proposer string
	Confirmations  []confirmation
}

// proposal is what of a posted SafeTx decides; the rest is zero in what Slipway proposes.
type proposal struct {
	To        string `json:"to"`
	Data      string `json:"data"`
	Operation int64  `json:"operation"`
	Nonce     int64  `json:"nonce"`
	Hash      string `json:"contractTransactionHash"`
	Sender    string `json:"sender"`
	Signature string `json:"signature"`
}

type confirmation struct {
	Owner     string `json:"owner"`
	Signature string `json:"signature"`
	Type      string `json:"signatureType"`
}

// New returns a service without a Safe.
func New() *Server {
	return &Server{
		owners:    map[common.Address]map[common.Address]bool{},
		delegates: map[common.Address]bool{},
		domains:   map[common.Address]safe.Domain{},
		books:     map[string]*notice{},
	}
}

// Know makes the service know a Safe, as its index of the chain does.
func (s *Server) Know(d safe.Domain, owners ...common.Address) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.domains[d.Account] = d
	s.owners[d.Account] = map[common.Address]bool{}

	for _, o := range owners {
		s.owners[d.Account][o] = true
	}
}

// Delegate lets a key propose. It confirms nothing.
func (s *Server) Delegate(a common.Address) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.delegates[a] = true
}

// Break answers every request with an HTTP status (429, 503 …); 0 ends it.
func (s *Server) Break(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.broken = status
}

// Lag hides the newest signature of each SafeTx from so many reads.
func (s *Server) Lag(reads int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lag = reads
}

// Lie shows signatures that nobody has left beside those of every SafeTx; none ends it.
func (s *Server) Lie(signatures ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lies = signatures
}

// Reorganise forgets the newest so many signatures of every SafeTx, and those that are left without any: the service
// follows a chain that took its blocks back.
func (s *Server) Reorganise(signatures int) {
	s.mu.Lock()
	defer s.mu.Unlock()

	for hash, n := range s.books {
		n.Confirmations = n.Confirmations[:max(0, len(n.Confirmations)-signatures)]
		if len(n.Confirmations) == 0 {
			delete(s.books, hash)
		}
	}
}

// Asked returns the number of requests.
func (s *Server) Asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// RoundTrip answers a request within the process, so that a Client can use the simulator as its transport.
func (s *Server) RoundTrip(r *http.Request) (*http.Response, error) {
	return inprocess.Transport(s).RoundTrip(r)
}

// ServeHTTP answers as the service does.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++

	_, path, _ := strings.Cut(r.URL.Path, "/api/") // the network's name stands before it
	parts := strings.Split(strings.Trim(path, "/"), "/")

	switch {
	case s.broken != 0:
		w.WriteHeader(s.broken)
	case r.Header.Get("Authorization") != "Bearer "+Key:
		w.WriteHeader(http.StatusUnauthorized)
	case r.Method == http.MethodPost && len(parts) == 4 && parts[1] == "safes":
		w.WriteHeader(s.propose(common.HexToAddress(parts[2]), r))
	case r.Method == http.MethodPost && len(parts) == 4 && parts[3] == "confirmations":
		w.WriteHeader(s.confirm(strings.ToLower(parts[2]), r))
	case r.Method == http.MethodGet && len(parts) == 3 && parts[1] == "multisig-transactions":
		s.show(w, strings.ToLower(parts[2]))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// propose takes a SafeTx whose hash is right, from an owner or a delegate.
func (s *Server) propose(at common.Address, r *http.Request) int {
	var p proposal
	if json.UnmarshalRead(r.Body, &p) != nil {
		return http.StatusUnprocessableEntity
	}

	d, known := s.domains[at]
	if !known {
		return http.StatusNotFound
	}

	tx := safe.Tx{
		To:        common.HexToAddress(p.To),
		Data:      common.FromHex(p.Data),
		Operation: safe.Operation(p.Operation),
		Nonce:     uint64(p.Nonce),
	}
	hash := d.TxHash(tx)
	sender := common.HexToAddress(p.Sender)
	c, err := safe.Parse(hash, common.FromHex(p.Signature))

	if !strings.EqualFold(hash.Hex(), p.Hash) || err != nil || c.Owner != sender ||
		!s.owners[at][sender] && !s.delegates[sender] {
		return http.StatusUnprocessableEntity
	}

	key := strings.ToLower(p.Hash)
	if s.books[key] == nil {
		s.books[key] = &notice{Safe: at.Hex(), Proposer: sender.Hex()}
	}

	if s.owners[at][sender] {
		s.add(key, c)
	}

	return http.StatusCreated
}

// confirm takes an owner's signature over a SafeTx that was proposed.
func (s *Server) confirm(hash string, r *http.Request) int {
	n := s.books[hash]
	if n == nil {
		return http.StatusNotFound
	}

	var body struct {
		Signature string `json:"signature"`
	}
	if json.UnmarshalRead(r.Body, &body) != nil {
		return http.StatusUnprocessableEntity
	}

	c, err := safe.Parse(common.HexToHash(hash), common.FromHex(body.Signature))
	if err != nil || !s.owners[common.HexToAddress(n.Safe)][c.Owner] {
		return http.StatusUnprocessableEntity
	}

	s.add(hash, c)

	return http.StatusCreated
}

func (s *Server) add(hash string, c safe.Confirmation) {
	n := s.books[hash]
	for _, x := range n.Confirmations {
		if x.Owner == c.Owner.Hex() {
			return
		}
	}

	n.Confirmations = append(n.Confirmations, confirmation{
		Owner:     c.Owner.Hex(),
		Signature: hexutil.Encode(c.Bytes()),
		Type:      string(c.Kind),
	})
}

func (s *Server) show(w http.ResponseWriter, hash string) {
	n := s.books[hash]
	if n == nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}

	shown := n.Confirmations
	if s.lag > 0 && len(shown) > 0 {
		s.lag--
		shown = shown[:len(shown)-1]
	}

	for _, lie := range s.lies {
		shown = append(shown[:len(shown):len(shown)], confirmation{Signature: lie, Type: string(safe.ByKey)})
	}

	w.Header().Set("Content-Type", "application/json")
	_ = json.MarshalWrite(w, map[string]any{
		"safe":          n.Safe,
		"safeTxHash":    hash,
		"proposer":      n.Proposer,
		"isExecuted":    false,
		"confirmations": shown,
	})
}
