//go:build !nosandbox

// Package ebicssim is the EBICS server of the simulated bank: what a customer sends arrives in the inbox of a
// banksim.Bank, and what that bank writes is fetched from its outbox. It speaks version 3.0 (H005) and 2.5 (H004).
//
// It is the independent truth of tests: it shares no code with the client in rails/bank/ebics. What it promises:
//
//   - It acts on nothing that is not signed by a key that it knows, and on no nonce twice.
//   - An order reaches the bank complete, once for its content (AcceptDoubles asks for more), and after all its segments
//     came in order.
//   - Downloaded files stay until they are acknowledged.
//   - Keys, orders and its customer protocol survive a restart. Transactions do not, as at banks.
//
// It lies on demand (lie.go). Builds with -tags nosandbox do not include it. Read in this order: ebicssim.go, state.go,
// envelope.go, crypt.go, setup.go, upload.go, download.go, document.go, lie.go.
package ebicssim

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/beevik/etree"

	"slipway/internal/platform/clock"
)

// Engine is the bank behind the server. *banksim.Bank implements it.
type Engine interface {
	Inbox() string  // folder in which it looks for payment files
	Outbox() string // folder of its answers
	Step(ctx context.Context) (int, error)
}

// Config configures the server.
type Config struct {
	Engine Engine
	Folder string // for its own state; created if missing
	Host   string // HostID
	// Users are the subscribers that the bank has set up on paper, each "PARTNER/USER".
	Users []string
	// Activate makes a subscriber ready as soon as both INI and HIA arrived. Otherwise Ready does, as the clerk who
	// compares the letter.
	Activate bool
	// AcceptDoubles accepts a file again that the bank has, as a careless bank does.
	AcceptDoubles bool
	// SegmentSize is the most base64 that an answer carries; 0: 700 kB. Small ones make downloads of many segments.
	SegmentSize int
	// NewKey makes a key of the server; nil makes a new one of 2048 bits. Tests save the time.
	NewKey func() (*rsa.PrivateKey, error)
	Clock  *clock.Clock // nil: the wall clock
	Log    *slog.Logger // nil: none
}

// Host is the server. It is safe for concurrent use, and does one thing at a time.
type Host struct {
	c Config

	mu           sync.Mutex
	state        state
	transactions map[string]*transaction
	lies         []Lie
	denied       *refusal // of the next order; nil: none
	previous     []byte   // the answer before, for a lie
}

// transaction is a transfer that is under way.
type transaction struct {
	id       string
	version  string
	user     string
	upload   *upload
	download *download
}

// New starts the server on its folder, with the keys and orders that are there.
func New(c Config) (*Host, error) {
	if c.Clock == nil {
		c.Clock = clock.New()
	}

	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}

	if c.SegmentSize == 0 {
		c.SegmentSize = 700_000
	}

	if c.NewKey == nil {
		c.NewKey = func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }
	}

	h := &Host{c: c, transactions: map[string]*transaction{}}

	return h, h.load()
}

// Limits of one request.
const mostRequest = 4 << 20

// ServeHTTP answers one request. A request that is incomplete is not acted on.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		http.Error(w, "EBICS is spoken by POST", http.StatusMethodNotAllowed)
		return
	}

	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostRequest))
	if err != nil {
		http.Error(w, "the request is incomplete", http.StatusBadRequest)
		return
	}

	out, ok := h.Answer(r.Context(), text)
	if !ok { // a lie: the connection breaks
		w.Header().Set("Content-Length", strconv.Itoa(len(out)+1))
		_, _ = w.Write(out)
		panic(http.ErrAbortHandler)
	}

	w.Header().Set("Content-Type", "text/xml; charset=UTF-8")
	_, _ = w.Write(out)
}

// Answer answers the text of one request. If ok is false, the connection breaks after what is returned.
func (h *Host) Answer(ctx context.Context, text []byte) (out []byte, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()

	return h.lyingly(text, func() []byte { return h.handle(ctx, text) })
}

// handle reads a request and answers it.
func (h *Host) handle(ctx context.Context, text []byte) []byte {
	root, err := parse(text)
	if err != nil {
		h.c.Log.Info("EBICS request that is no XML", "error", err.Error())
		return h.managementAnswer("H005", codeInvalidXML, codeInvalidXML, nil)
	}

	if root.Tag == "ebicsHEVRequest" {
		return h.versions(root)
	}

	version := root.SelectAttrValue("Version", "")
	if version != "H004" && version != "H005" || root.NamespaceURI() != "urn:org:ebics:"+version {
		return h.managementAnswer("H005", codeVersion, codeVersion, nil)
	}

	q := &request{root: root, version: version, header: child(root, "header"), body: child(root, "body")}

	out, err := h.dispatch(ctx, q)
	if err == nil {
		return out
	}

	return h.refuse(q, err)
}

func (h *Host) dispatch(ctx context.Context, q *request) ([]byte, error) {
	if host := q.static("HostID"); host != h.c.Host {
		return nil, fail("091011", "EBICS_INVALID_HOST_ID")
	}

	switch q.root.Tag {
	case "ebicsUnsecuredRequest":
		return h.takeKeys(q)
	case "ebicsNoPubKeyDigestsRequest":
		return h.giveKeys(q)
	case "ebicsRequest":
		return h.inTransaction(ctx, q)
	}

	return nil, fail("061002", "EBICS_INVALID_REQUEST")
}

// inTransaction answers a request of one of the three phases. Each is verified with the user's key.
func (h *Host) inTransaction(ctx context.Context, q *request) ([]byte, error) {
	phase := q.mutable("TransactionPhase")
	if phase == "Initialisation" {
		return h.initialise(q)
	}

	t := h.transactions[strings.ToUpper(q.static("TransactionID"))]
	if t == nil || t.version != q.version {
		return nil, fail("091101", "EBICS_TX_UNKNOWN_TXID")
	}

	q.transaction = t.id
	if err := h.verified(q, t.user); err != nil {
		return nil, err
	}

	switch {
	case phase == "Transfer" && t.upload != nil:
		return h.takeSegment(ctx, q, t)
	case phase == "Transfer" && t.download != nil:
		return h.giveSegment(q, t)
	case phase == "Receipt" && t.download != nil:
		return h.takeReceipt(q, t)
	}

	return nil, fail("091010", "EBICS_INVALID_XML")
}

// initialise begins a transaction, after the checks that every order needs.
func (h *Host) initialise(q *request) ([]byte, error) {
	user := q.static("PartnerID") + "/" + q.static("UserID")

	u := h.state.Users[user]
	if u == nil || u.State != ready {
		return nil, fail("061001", "EBICS_AUTHENTICATION_FAILED")
	}

	if err := h.verified(q, user); err != nil {
		return nil, err
	}

	if err := h.freshOnce(q); err != nil {
		return nil, err
	}

	if err := h.knowsOurKeys(q); err != nil {
		return nil, err
	}

	switch o := q.order(); {
	case o.kind == "SPR":
		return h.suspend(q, user)
	case o.isUpload():
		return h.beginUpload(q, user, o)
	default:
		return h.beginDownload(q, user, o)
	}
}

// begin registers a transaction.
func (h *Host) begin(q *request, user string) *transaction {
	t := &transaction{id: randomHex(16), version: q.version, user: user}
	h.transactions[t.id] = t

	return t
}

func randomHex(n int) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)

	return strings.ToUpper(hex.EncodeToString(b))
}

// refusal is an error of the protocol, with its code.
type refusal struct {
	technical, business string
	text                string
	segment             int // the last that we have, with 061101
}

// Error returns code and words.
func (r *refusal) Error() string { return r.technical + "/" + r.business + " " + r.text }

// fail returns a refusal of the protocol.
func fail(code, text string) *refusal {
	return &refusal{technical: code, business: "000000", text: text}
}

// failOrder returns a refusal of the order.
func failOrder(code, text string) *refusal {
	return &refusal{technical: "000000", business: code, text: text}
}

// Codes that are used at several places.
const (
	codeOK         = "000000"
	codeInvalidXML = "091010"
	codeVersion    = "091011"
)

// refuse answers with an error: signed in a transaction, unsigned where keys are exchanged.
func (h *Host) refuse(q *request, err error) []byte {
	var r *refusal
	if !errors.As(err, &r) {
		h.c.Log.Error("EBICS server", "error", err.Error())
		r = fail("061099", "EBICS_INTERNAL_ERROR")
	}

	if q.root.Tag != "ebicsRequest" {
		return h.managementAnswer(q.version, r.technical, r.business, nil)
	}

	return h.response(q, response{refusal: r})
}

// Ready activates a subscriber whose keys arrived, as the clerk does who has compared its letter.
func (h *Host) Ready(user string) error {
	h.mu.Lock()
	defer h.mu.Unlock()

	u := h.state.Users[user]
	if u == nil || u.Signature == nil || u.Encryption == nil {
		return fmt.Errorf("%s has sent no keys", user)
	}

	u.State = ready

	return h.save()
}

// Reset lets a subscriber send keys again, as a bank does on the telephone.
func (h *Host) Reset(user string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.state.Users[user] = &subscriber{}

	return h.save()
}

// Order is an upload that the bank has accepted.
type Order struct {
	ID     string // OrderID
	User   string
	Kind   string // BTU, or the order type of version 2.5
	SHA256 string // of the content, without line ends
	File   string // name in the bank's inbox
}

// Orders returns the accepted uploads, oldest first.
func (h *Host) Orders() []Order {
	h.mu.Lock()
	defer h.mu.Unlock()

	return append([]Order(nil), h.state.Orders...)
}

// Forget ends all transactions, as a restart of the bank's server does.
func (h *Host) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	clear(h.transactions)
}

// child returns the first child of a name, of any namespace.
func child(e *etree.Element, tag string) *etree.Element {
	if e == nil {
		return nil
	}

	for _, c := range e.ChildElements() {
		if c.Tag == tag {
			return c
		}
	}

	return nil
}
