//go:build !nosandbox

// Package directorytest is the world in which the directory's nouns are tested: the real handlers over a real
// database, two tenants and an operator, a chain whose answers a test chooses, and the simulator for screening.
package directorytest

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/network"
	"slipway/internal/directory/payee"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/user"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
	"slipway/internal/platform/mail"
	"slipway/internal/platform/platformtest"
	"slipway/internal/platform/web"
	"slipway/internal/rails/screening"
	"slipway/internal/standards/eip191"
	"slipway/internal/standards/safe"
)

// Callers: a token is organisation/user/staff/role.
const (
	A        = "org_a/usr_a//admin"
	B        = "org_b/usr_b//admin"
	Pending  = "org_pending/usr_p//admin" // its organisation is not APPROVED
	Viewer   = "org_a/usr_v//viewer"
	Operator = "/usr_op/operator/"
	Second   = "/usr_op2/operator/" // another operator
	Staff    = "/usr_st/staff/"
	Homeless = "/usr_h//" // belongs to no organisation
)

// World is one test's surroundings.
type World struct {
	T            testing.TB
	DB           *db.DB
	API          *web.API
	Networks     *network.Service
	Approvals    *approval.Service
	Receivers    *receiver.Service
	Wallets      *wallet.Service
	BankAccounts *bankaccount.Service
	Chain        *Chain
	Screening    *Screening
	InUse        bool   // the answer to whether a network has open transactions
	Sending      bool   // the answer to whether something is on its way
	Configured   string // the network that the configuration names

	mu    sync.Mutex
	jobs  []string
	mails []mail.Message
}

// Screening is the simulator, or what a test puts in its place.
type Screening struct {
	mu    sync.Mutex
	Calls int
	Ask   func(address string) (screening.Result, error)
}

// Screen answers.
func (s *Screening) Screen(ctx context.Context, network, address string) (screening.Result, error) {
	s.mu.Lock()
	s.Calls++
	ask := s.Ask
	s.mu.Unlock()

	if ask != nil {
		return ask(address)
	}

	return screening.Simulator{}.Screen(ctx, network, address)
}

// Edition is the simulator's.
func (s *Screening) Edition() string { return screening.Simulator{}.Edition() }

// Chain is a node whose answers a test chooses.
type Chain struct {
	mu    sync.Mutex
	Code  map[common.Address][]byte
	Valid func(wallet common.Address, hash [32]byte, signature []byte) bool
	Safes map[common.Address]safe.State
	Err   error
	Calls int

	// Tokens are the contracts of tokens on every network. Where there is none, there is no code.
	Tokens map[string]network.Contract
}

// TokenAt makes the chain show a token's contract; a contract without code takes it away.
func (c *Chain) TokenAt(address string, t network.Contract) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Tokens[address] = t
}

// Contract answers from Tokens.
func (c *Chain) Contract(_ context.Context, n network.Network, address string) (network.Contract, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Calls++

	if len(n.NodeURLs()) == 0 {
		return network.Contract{}, network.ErrNoNode
	}

	return c.Tokens[address], c.Err
}

// CodeAt answers from Code.
func (c *Chain) CodeAt(_ context.Context, _ string, a common.Address) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Calls++

	return c.Code[a], c.Err
}

// IsValidSignature answers with Valid.
func (c *Chain) IsValidSignature(
	_ context.Context,
	_ string,
	a common.Address,
	hash [32]byte,
	sig []byte,
) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.Valid != nil && c.Valid(a, hash, sig), c.Err
}

// SafeAt answers from Safes.
func (c *Chain) SafeAt(_ context.Context, _ string, a common.Address) (safe.State, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()

	s, ok := c.Safes[a]

	return s, ok, c.Err
}

// SafeSays answers nothing.
func (c *Chain) SafeSays(context.Context, string, common.Address, []byte) (common.Hash, error) {
	return common.Hash{}, c.Err
}

// OwnerConfirms answers for no contract.
func (c *Chain) OwnerConfirms(
	context.Context,
	string,
	string,
	common.Address,
	[]byte,
	common.Hash,
	[]byte,
) (bool, error) {
	return false, c.Err
}

// New builds the world: the seeded networks, of which Ethereum and Base are offered, and a self-receiver for each
// tenant.
func New(t testing.TB, d *db.DB) *World {
	t.Helper()
	ctx := context.Background()
	w := &World{T: t, DB: d, Chain: &Chain{
		Code:   map[common.Address][]byte{},
		Tokens: map[string]network.Contract{},
	}, Screening: &Screening{}}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	w.API = web.New(web.Config{
		Title:        "test",
		BaseURL:      "https://pay.example",
		Log:          log,
		DB:           d,
		Authenticate: authenticate,
	})
	w.Approvals = approval.New(approval.Deps{
		DB:       d,
		Is:       func(context.Context, db.Querier, string, string, []string) (bool, error) { return false, nil },
		Schedule: func(tx *db.Tx, approvalID string) { w.enqueue(tx, approval.Job, approvalID, "") },
	})
	w.Networks = network.New(network.Deps{
		DB:           d,
		Guard:        &network.Guard{AllowPrivate: true},
		InUse:        func(context.Context, db.Querier, string) (bool, error) { return w.InUse, nil },
		WalletStored: wallet.Stored,
		Approvals:    w.Approvals,
		Configured:   func(id string) bool { return id == w.Configured },
		Contract:     w.Chain.Contract,
		Sending:      func(context.Context, db.Querier, string, string) (bool, error) { return w.Sending, nil },
	})
	w.Receivers = receiver.New(receiver.Deps{DB: d, OrgApproved: approved, OnDelete: w.deleteDestinations})
	w.Wallets = wallet.New(wallet.Deps{
		DB:        d,
		Log:       log,
		Site:      wallet.Site{Host: "pay.example", BaseURL: "https://pay.example"},
		OrgName:   orgName,
		Chain:     w.Chain,
		Screening: w.Screening,
		Demand:    w.enqueue,
	})
	w.BankAccounts = bankaccount.New(w.BankAccountDeps())
	refdata.New(refdata.Deps{DB: d, Addresses: network.Addresses}).Routes(w.API)
	w.Networks.Routes(w.API)
	w.Approvals.Routes(w.API)
	(&payee.Service{DB: d, Receivers: w.Receivers}).Routes(w.API)
	w.Wallets.Routes(w.API)
	w.BankAccounts.Routes(w.API)
	analysis.New(analysis.Deps{DB: d}).Routes(w.API)
	require.NoError(t, network.Seed(ctx, d))
	identitytest.Staff(t, d, user.Staff, "usr_st")
	identitytest.Staff(t, d, user.Operator, "usr_op", "usr_op2")

	for _, id := range []string{"net_ethereum", "net_base"} {
		w.Do(
			Operator,
			"PATCH",
			"/networks/"+id,
			`{"rpcUrl":"http://127.0.0.1:8545","isClientVisible":true}`,
		).Status(200)
	}

	require.NoError(t, d.Write(ctx, func(tx *db.Tx) error {
		for _, org := range []string{"org_a", "org_b", "org_pending"} {
			if err := receiver.CreateSelf(ctx, tx, org, receiver.Own{
				Type:      receiver.Company,
				LegalName: org + " Ltd",
				Email:     org + "@example.com",
				Country:   "CH",
			}); err != nil {
				return err
			}
		}

		return nil
	}))

	return w
}

// deleteDestinations takes out of use what a deleted receiver was paid to.
func (w *World) deleteDestinations(ctx context.Context, tx *db.Tx, r receiver.Receiver) error {
	if err := w.BankAccounts.DeleteOf(ctx, tx, r.Organisation, r.ID); err != nil {
		return err
	}

	return w.Wallets.DeleteOf(ctx, tx, r.Organisation, r.ID)
}

// BankAccountDeps is what bank accounts need here, offline: tests that want a provider or tables make a service of
// their own with it.
func (w *World) BankAccountDeps() bankaccount.Deps {
	return bankaccount.Deps{
		DB:          w.DB,
		Log:         slog.New(slog.NewTextHandler(io.Discard, nil)),
		OrgApproved: approved,
		Enqueue:     w.enqueue,
		OrgName:     orgName,
		Mail:        w.mail,
	}
}

func authenticate(_ context.Context, token, _ string) (*caller.Principal, *limit.Meters, error) {
	p := strings.Split(token, "/")
	if len(p) != 4 {
		return nil, nil, fault.New(fault.Unauthenticated, fault.TokenInvalid, "no")
	}

	out := &caller.Principal{Organisation: p[0], User: p[1], Staff: p[2], Credential: token}
	if p[3] != "" {
		out.Roles = []string{p[3]}
	}

	return out, nil, nil
}

func approved(_ context.Context, _ db.Querier, org string) error {
	if org == "org_pending" {
		return fault.New(fault.Forbidden, fault.OrgNotApproved, "no")
	}

	return nil
}

func orgName(_ context.Context, _ db.Querier, org string) (string, error) {
	return map[string]string{"org_a": "Müller & Söhne AG", "org_b": "Beta 株式会社"}[org], nil
}

func (w *World) enqueue(tx *db.Tx, kind, key, payload string) {
	tx.OnCommit(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.jobs = append(w.jobs, kind+" "+key+" "+payload)
	})
}

func (w *World) mail(tx *db.Tx, m mail.Message) {
	tx.OnCommit(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.mails = append(w.mails, m)
	})
}

// Mails returns what was queued since the last call.
func (w *World) Mails() []mail.Message {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.mails
	w.mails = nil

	return out
}

// Jobs returns what was enqueued since the last call.
func (w *World) Jobs() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	out := w.jobs
	w.jobs = nil

	return out
}

// Advance moves the clock.
func (w *World) Advance(d time.Duration) { w.DB.Clock().Advance(d) }

// Answer is what came back.
type Answer struct {
	t    testing.TB
	Code int
	Body map[string]any
	Raw  string
	Head map[string][]string
}

// Do sends a request; body may be empty. headers are name, value, name, value.
func (w *World) Do(token, method, path, body string, headers ...string) *Answer {
	w.T.Helper()
	r := httptest.NewRequest(method, path, bytes.NewBufferString(body))
	r.Header.Set("X-Request-Id", "req_test")

	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}

	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}

	rec := httptest.NewRecorder()
	w.API.Handler().ServeHTTP(rec, r)
	a := &Answer{t: w.T, Code: rec.Code, Raw: rec.Body.String(), Head: rec.Header()}
	_ = json.Unmarshal(rec.Body.Bytes(), &a.Body)

	return a
}

// Status requires the status and returns the answer again.
func (a *Answer) Status(want int) *Answer {
	a.t.Helper()
	require.Equal(a.t, want, a.Code, a.Raw)
	return a
}

// Faults returns the values that are refused, as "pointer CODE".
func (a *Answer) Faults() []string {
	a.t.Helper()

	out := []string{}
	for _, e := range a.List("errors") {
		out = append(out, platformtest.PlaceOf(e)+" "+e.(map[string]any)["code"].(string))
	}

	return out
}

// NotTaken requires that a member was refused because requests do not set it: nothing knows it, or it is only shown.
func (a *Answer) NotTaken(pointer string) *Answer {
	a.t.Helper()
	require.Equal(a.t, 422, a.Code, a.Raw)
	require.Subset(a.t, []string{pointer + " UNKNOWN_FIELD", pointer + " READ_ONLY"}, a.Faults(), a.Raw)

	return a
}

// Refused requires a refusal with the status and code, and, when a pointer is given, that field with that code.
func (a *Answer) Refused(status int, code fault.Code, pointer string) *Answer {
	a.t.Helper()
	require.Equal(a.t, status, a.Code, a.Raw)

	if pointer == "" {
		require.Equal(a.t, string(code), a.Get("code"), a.Raw)
		return a
	}

	for _, e := range a.List("errors") {
		if m := e.(map[string]any); platformtest.PlaceOf(e) == pointer && m["code"] == string(code) {
			return a
		}
	}

	require.Failf(a.t, "refusal", "no error %s at %s in %s", code, pointer, a.Raw)

	return a
}

// Get reads a text or other plain value by its names with points between; nil when it is not there.
func (a *Answer) Get(path string) any {
	var v any = a.Body
	for _, name := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}

		v = m[name]
	}

	return v
}

// Text is Get for a text; "" when it is not one.
func (a *Answer) Text(path string) string { s, _ := a.Get(path).(string); return s }

// List is Get for a list.
func (a *Answer) List(path string) []any { l, _ := a.Get(path).([]any); return l }

// Receiver adds a receiver and returns its identifier.
func (w *World) Receiver(token, name string) string {
	w.T.Helper()

	return w.Do(
		token,
		"POST",
		"/receivers",
		`{"type":"COMPANY","email":"p@example.com","legalName":"`+name+`","address":"Street 1","countryIsoCode":"DE"}`,
	).Status(201).Text("_id")
}

// Self is the identifier of the tenant's own receiver.
func (w *World) Self(token string) string {
	w.T.Helper()
	return w.Do(token, "GET", "/receivers/self", "").Status(200).Text("_id")
}

// Key makes a key and its address.
func (w *World) Key() (*ecdsa.PrivateKey, string) {
	w.T.Helper()
	key, address := NewKey(w.T)

	return key, address.Hex()
}

// NewKey makes a key whose address the simulator of screening approves. One address in 20,000 ends as those do that it
// does not, and all tests together make thousands.
func NewKey(t testing.TB) (*ecdsa.PrivateKey, common.Address) {
	t.Helper()

	for {
		key, err := crypto.GenerateKey()
		require.NoError(t, err)

		address := crypto.PubkeyToAddress(key.PublicKey)
		found, err := screening.Simulator{}.Screen(context.Background(), "", address.Hex())
		require.NoError(t, err)

		if found.Status == screening.Approved {
			return key, address
		}
	}
}

// Wallet adds a wallet of the tenant's own receiver on Ethereum.
func (w *World) Wallet(token, address string) *Answer {
	w.T.Helper()

	return w.Do(
		token,
		"POST",
		"/wallets",
		`{"address":"`+address+`","network":"net_ethereum","receiver":"`+w.Self(token)+`"}`,
	).Status(201)
}

// Sign makes the signature of a text as wallets do.
func Sign(key *ecdsa.PrivateKey, message string) string {
	hash := eip191.Hash([]byte(message))

	sig, err := crypto.Sign(hash[:], key)
	if err != nil {
		panic(err)
	}

	sig[64] += 27

	return "0x" + hex.EncodeToString(sig)
}

// Verify sends a signature.
func (w *World) Verify(token, id, message, signature string) *Answer {
	w.T.Helper()
	body, err := json.Marshal(map[string]string{"message": message, "signedMessage": signature})
	require.NoError(w.T, err)

	return w.Do(token, "POST", "/wallets/"+id+"/verify-wallet", string(body))
}

// Usable adds a wallet of the tenant's own receiver, proves it and has it screened.
func (w *World) Usable(token string) (id, address string) {
	w.T.Helper()
	key, address := w.Key()
	a := w.Wallet(token, address)
	id = a.Text("_id")
	w.Verify(token, id, a.Text("ownership.message"), Sign(key, a.Text("ownership.message"))).Status(200)
	require.NoError(w.T, w.Wallets.Screen(context.Background(), id))

	return id, address
}

// Screened is a record of what screening was asked and what it answered.
type Screened struct {
	ID        string
	Status    screening.Status
	Reference string
}

// Screened returns what the platform's people are shown of an object's screenings, the newest first.
func (w *World) Screened(object string) []Screened {
	w.T.Helper()

	var out []Screened

	for _, v := range w.Do(Staff, "GET", "/operations/screenings?object="+object, "").Status(200).List("results") {
		r := v.(map[string]any)
		out = append(out, Screened{
			ID:        r["_id"].(string),
			Status:    screening.Status(r["status"].(string)),
			Reference: r["reference"].(string),
		})
	}

	return out
}
