// Package faultrpc is a proxy between a client and an Ethereum node that misbehaves by script: it loses answers after
// the node has acted, swallows transactions, returns error texts of other nodes, shows an old head, lies about prices.
// It counts every call and every raw transaction, so that a test can compare requests with the chain. It is for tests
// only.
//
// Read faultrpc.go; hash.go has what a node answers to a raw transaction.
package faultrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"strings"
	"sync"
)

// Kind is a kind of misbehaviour.
type Kind int

// The kinds. The first six affect the complete HTTP exchange if one of its calls matches; the others affect one call.
const (
	Down          Kind = iota + 1 // 502, nothing is forwarded
	LoseWith502                   // forwarded, then 502
	LoseByHanging                 // forwarded, then no answer until the client disconnects
	LoseAsGarbage                 // forwarded, then something that is not JSON
	Oversize                      // forwarded, then an endless answer
	Redirect                      // a redirect to the node itself
	Swallow                       // eth_sendRawTransaction: answered with the hash, never forwarded
	Refuse                        // answered with Error, not forwarded
	ActThenRefuse                 // forwarded, then answered with Error
)

// Fault is one rule. The first rule that matches a call applies.
type Fault struct {
	Kind   Kind
	Method string // "": every method
	Times  int    // how often it applies; 0: until Clear
	Code   int    // of Refuse and ActThenRefuse
	Text   string
	// Match limits the rule to calls with certain parameters; nil: all.
	Match func(params []json.RawMessage) bool
}

// Batches is how a provider refuses long batches.
type Batches struct {
	Most   int    // calls that it takes; 0: any number
	Status int    // of the refusal; 0: 200
	Body   string // of the refusal; "": geth's, a list that answers the first call alone
}

// Proxy is a running proxy. Safe for concurrent use.
type Proxy struct {
	target string
	server *http.Server
	addr   string
	client *http.Client
	closed chan struct{}
	tasks  sync.WaitGroup

	mu       sync.Mutex
	faults   []*Fault
	calls    map[string]int
	asked    []string // raw transactions received
	passed   []string // raw transactions forwarded to the node
	frozen   *frozen
	batches  Batches
	num, den int64
	edit     func(method string, params []json.RawMessage, result json.RawMessage) json.RawMessage
}

type frozen struct{ head, final string }

// New starts a proxy for the node at target, without faults.
func New(target string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("fault proxy: %w", err)
	}

	p := &Proxy{
		target: target,
		addr:   listener.Addr().String(),
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}},
		closed: make(chan struct{}),
		calls:  map[string]int{},
		num:    1,
		den:    1,
	}
	p.server = &http.Server{Handler: p}
	p.tasks.Go(func() { _ = p.server.Serve(listener) })

	return p, nil
}

// URL returns the proxy's address.
func (p *Proxy) URL() string { return "http://" + p.addr }

// Close stops the proxy and all open exchanges.
func (p *Proxy) Close() {
	close(p.closed)
	_ = p.server.Close()
	p.tasks.Wait()
	p.client.CloseIdleConnections()
}

// Add appends a rule.
func (p *Proxy) Add(f Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = append(p.faults, &f)
}

// LimitBatches makes the proxy refuse long batches, until Clear.
func (p *Proxy) LimitBatches(b Batches) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.batches = b
}

// LongerThan matches an eth_getLogs over more blocks, both ends included.
func LongerThan(blocks int64) func(params []json.RawMessage) bool {
	return func(params []json.RawMessage) bool {
		var f struct {
			From string `json:"fromBlock"`
			To   string `json:"toBlock"`
		}

		if len(params) == 0 || json.Unmarshal(params[0], &f) != nil {
			return false
		}

		length := new(big.Int).Sub(hexNumber(f.To), hexNumber(f.From))

		return length.Cmp(big.NewInt(blocks)) >= 0
	}
}

// Clear removes all rules and the limit of batches, and unfreezes the head and the prices.
func (p *Proxy) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
	p.frozen = nil
	p.batches = Batches{}
	p.num = 1
	p.den = 1
	p.edit = nil
}

// Edit lets a test change any result: a lying node.
func (p *Proxy) Edit(f func(method string, params []json.RawMessage, result json.RawMessage) json.RawMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.edit = f
}

// ScaleFees multiplies every base fee and suggested tip by num/den.
func (p *Proxy) ScaleFees(num, den int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.num = num
	p.den = den
}

// Freeze makes the node answer from one head and one final block, whatever is mined later. Numbers are hexadecimal, as
// in JSON-RPC.
func (p *Proxy) Freeze(head, final uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = &frozen{head: fmt.Sprintf("0x%x", head), final: fmt.Sprintf("0x%x", final)}
}

// Calls returns how often a method was called, batches included.
func (p *Proxy) Calls(method string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls[method]
}

// Asked lists the raw transactions that the client sent, including repeats; Passed those that reached the node.
func (p *Proxy) Asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.asked...)
}

// Passed lists the raw transactions that reached the node, including repeats.
func (p *Proxy) Passed() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.passed...)
}

type request struct {
	Version string            `json:"jsonrpc"`
	ID      json.RawMessage   `json:"id"`
	Method  string            `json:"method"`
	Params  []json.RawMessage `json:"params"`
}

type rpcError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

// ServeHTTP handles one exchange.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, 16<<20))
	if err != nil {
		return
	}

	batch, requests, err := parse(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}

	if p.refuse(w, batch, requests) {
		return
	}

	rules := make([]*Fault, len(requests))

	exchange := Kind(0)
	for i, q := range requests {
		rules[i] = p.rule(q)
		if rules[i] != nil && rules[i].Kind <= Redirect && exchange == 0 {
			exchange = rules[i].Kind
		}
	}

	switch exchange {
	case Down:
		http.Error(w, "bad gateway", http.StatusBadGateway)
		return
	case Redirect:
		http.Redirect(w, r, p.target, http.StatusTemporaryRedirect)
		return
	default: // the node is asked; reply changes its answer
	}

	responses, err := p.answer(r, requests, rules)
	if err != nil {
		http.Error(w, "bad gateway", http.StatusBadGateway)
		return
	}

	p.reply(w, r, exchange, batch, responses)
}

// refuse answers a batch that is longer than the limit, and reports whether it did.
func (p *Proxy) refuse(w http.ResponseWriter, batch bool, requests []request) bool {
	p.mu.Lock()
	l := p.batches
	p.mu.Unlock()

	if !batch || l.Most == 0 || len(requests) <= l.Most {
		return false
	}

	if l.Body == "" {
		l.Body = fmt.Sprintf(
			`[{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"batch too large"}}]`,
			requests[0].ID,
		)
	}

	w.Header().Set("Content-Type", "application/json")

	if l.Status != 0 {
		w.WriteHeader(l.Status)
	}

	_, _ = io.WriteString(w, l.Body)

	return true
}

func (p *Proxy) reply(w http.ResponseWriter, r *http.Request, exchange Kind, batch bool, responses []response) {
	switch exchange {
	case LoseWith502:
		http.Error(w, "bad gateway", http.StatusBadGateway)
		return

	case LoseByHanging:
		select {
		case <-r.Context().Done():
		case <-p.closed:
		}

		return

	case LoseAsGarbage:
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":0,"resu<html>`)
		return

	case Oversize:
		for filler := bytes.Repeat([]byte(" "), 1<<20); ; {
			if _, err := w.Write(filler); err != nil {
				return
			}
		}

	default: // faults of single calls are already in responses
	}

	w.Header().Set("Content-Type", "application/json")

	if batch {
		_ = json.NewEncoder(w).Encode(responses)
	} else {
		_ = json.NewEncoder(w).Encode(responses[0])
	}
}

func parse(body []byte) (batch bool, out []request, err error) {
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' {
		err = json.Unmarshal(body, &out)
		return true, out, err
	}

	out = make([]request, 1)

	return false, out, json.Unmarshal(body, &out[0])
}

// rule counts a call and returns the first rule for it.
func (p *Proxy) rule(q request) *Fault {
	p.mu.Lock()
	defer p.mu.Unlock()

	p.calls[q.Method]++
	if q.Method == "eth_sendRawTransaction" && len(q.Params) == 1 {
		p.asked = append(p.asked, text(q.Params[0]))
	}

	for i, f := range p.faults {
		if (f.Method != "" && f.Method != q.Method) || (f.Match != nil && !f.Match(q.Params)) {
			continue
		}

		if f.Times > 0 {
			if f.Times--; f.Times == 0 {
				p.faults = append(p.faults[:i:i], p.faults[i+1:]...)
			}
		}

		return f
	}

	return nil
}

// answer forwards the calls that may be forwarded, in one batch, and invents the other answers.
func (p *Proxy) answer(r *http.Request, requests []request, rules []*Fault) ([]response, error) {
	out := make([]response, len(requests))

	var (
		forward []request
		place   []int
	)
	for i, q := range requests {
		out[i] = response{Version: "2.0", ID: q.ID}

		switch f := rules[i]; {
		case f != nil && f.Kind == Refuse:
			out[i].Error = &rpcError{Code: f.Code, Message: f.Text}
		case f != nil && f.Kind == Swallow:
			out[i].Result = hashOf(text(q.Params[0]))
		default:
			forward = append(forward, p.aged(q))
			place = append(place, i)
		}
	}

	if len(forward) == 0 {
		return out, nil
	}

	answers, err := p.forward(r, forward)
	if err != nil {
		return nil, err
	}

	for k, i := range place {
		out[i].Result = answers[k].Result

		out[i].Error = answers[k].Error
		if f := rules[i]; f != nil && f.Kind == ActThenRefuse {
			out[i].Result = nil
			out[i].Error = &rpcError{Code: f.Code, Message: f.Text}
		}

		if out[i].Error == nil {
			out[i].Result = p.edited(requests[i], out[i].Result)
		}
	}

	return out, nil
}

// forward sends calls to the node and returns its answers in their order.
func (p *Proxy) forward(r *http.Request, requests []request) ([]response, error) {
	p.mu.Lock()
	for i := range requests {
		if requests[i].Method == "eth_sendRawTransaction" {
			p.passed = append(p.passed, text(requests[i].Params[0]))
		}
	}

	p.mu.Unlock()

	wire := make([]request, len(requests))
	for i, q := range requests {
		wire[i] = request{Version: "2.0", ID: json.RawMessage(fmt.Sprint(i)), Method: q.Method, Params: q.Params}
		if wire[i].Params == nil {
			wire[i].Params = []json.RawMessage{}
		}
	}

	body, err := json.Marshal(wire)
	if err != nil {
		return nil, err
	}

	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, p.target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}

	req.Header.Set("Content-Type", "application/json")

	res, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()

	var answers []response
	if err := json.NewDecoder(res.Body).Decode(&answers); err != nil {
		return nil, err
	}

	out := make([]response, len(requests))
	for _, a := range answers {
		var id int
		if json.Unmarshal(a.ID, &id) == nil && id >= 0 && id < len(out) {
			out[id] = a
		}
	}

	return out, nil
}

// aged replaces the tags of a call while the head is frozen.
func (p *Proxy) aged(q request) request {
	p.mu.Lock()
	f := p.frozen
	p.mu.Unlock()

	if f == nil {
		return q
	}

	params := make([]json.RawMessage, len(q.Params))
	for i, v := range q.Params {
		switch text(v) {
		case "latest", "pending", "safe":
			v = quote(f.head)
		case "finalized":
			v = quote(f.final)
		}

		params[i] = v
	}

	q.Params = params

	return q
}

// edited applies the frozen head, the prices and the test's own changes to a result.
func (p *Proxy) edited(q request, result json.RawMessage) json.RawMessage {
	p.mu.Lock()
	f := p.frozen
	num := p.num
	den := p.den
	edit := p.edit
	p.mu.Unlock()

	if f != nil {
		switch q.Method {
		case "eth_blockNumber":
			result = quote(f.head)
		case "eth_getBlockByNumber":
			result = hideAfter(f.head, result, "number")
		case "eth_getTransactionReceipt":
			result = hideAfter(f.head, result, "blockNumber")
		}
	}

	if num != den {
		switch q.Method {
		case "eth_getBlockByNumber", "eth_getBlockByHash":
			var b map[string]json.RawMessage
			if json.Unmarshal(result, &b) == nil && b["baseFeePerGas"] != nil {
				b["baseFeePerGas"] = quote(scaled(text(b["baseFeePerGas"]), num, den))
				result, _ = json.Marshal(b)
			}

		case "eth_maxPriorityFeePerGas", "eth_gasPrice":
			result = quote(scaled(text(result), num, den))
		}
	}

	if edit != nil {
		result = edit(q.Method, q.Params, result)
	}

	return result
}

func hideAfter(head string, result json.RawMessage, field string) json.RawMessage {
	var b map[string]json.RawMessage
	if json.Unmarshal(result, &b) != nil || b == nil {
		return result
	}

	if hexNumber(text(b[field])).Cmp(hexNumber(head)) > 0 {
		return json.RawMessage("null")
	}

	return result
}

func scaled(hex string, num, den int64) string {
	n := hexNumber(hex)
	n.Mul(n, big.NewInt(num)).Div(n, big.NewInt(den))
	return "0x" + n.Text(16)
}

func hexNumber(s string) *big.Int {
	n, ok := new(big.Int).SetString(strings.TrimPrefix(s, "0x"), 16)
	if !ok {
		return new(big.Int)
	}

	return n
}

func text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s)
	return s
}

func quote(s string) json.RawMessage {
	b, _ := json.Marshal(s)
	return b
}
