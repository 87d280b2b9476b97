//go:build !nosandbox

// Package transactiontest is the world in which transactions are tested: the real handlers over a real database, an
// organisation whose member may accept, a paying wallet, a payee with a wallet and a bank account, a chain whose
// answers a test chooses, and the simulators for screening and rates. Nothing settles here: accept's job is only
// counted.
package transactiontest

import (
	"context"
	"errors"
	"maps"
	"math/big"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/directory/analysis"
	"slipway/internal/directory/directorytest"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/identitytest"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/transaction"
	"slipway/internal/payments/transaction/crypto"
	"slipway/internal/payments/transaction/fiat"
	"slipway/internal/payments/transaction/onramp"
	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/rates"
	"slipway/internal/rails/rates/ratesim"
	"slipway/internal/rails/screening"
)

// Object is a JSON object.
type Object = map[string]any

// World is one test's surroundings.
type World struct {
	*directorytest.World
	Transactions *transaction.Service
	Onramp       onramp.Kind
	Node         *Node
	Market       *Market
	Deposits     []transaction.DepositAccount
	Rails        []string                                                   // on which the house pays out
	Carries      func(p transaction.Payment, rail string) map[string]string // nil: everything fits

	Org, User, Token string // the organisation, its member who may accept, and the member's token
	Payer            string // address of the paying wallet
	PayerID          string
	Payee            string // receiver
	Address          string // of the payee's stored wallet
	Wallet           string // the payee's stored wallet
	Account          string // the payee's bank account, in euros

	PayablesLock error // what the payables answer to submit

	mu      sync.Mutex
	settled []string
	ended   []string
}

// Node is a chain whose answers a test chooses. Amounts are in base units.
type Node struct {
	mu                 sync.Mutex
	Balance, Allowance int64
	empty              map[common.Address]bool
	Reverts            bool // changing a non-zero allowance fails
	Down               bool
	Code               map[common.Address][]byte // of contracts
	CodeAsked          int                       // how often somebody has asked for it
	Asked              func()                    // called with each question for funds; nil: nothing
}

// Set changes what the wallets hold and have approved.
func (n *Node) Set(balance, allowance int64) {
	n.mu.Lock()
	defer n.mu.Unlock()

	n.Balance = balance
	n.Allowance = allowance
}

// Empty lets one wallet hold nothing.
func (n *Node) Empty(owner common.Address) {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.empty == nil {
		n.empty = map[common.Address]bool{}
	}

	n.empty[owner] = true
}

var errDown = errors.New("the node does not answer")

// Funds returns Balance and Allowance.
func (n *Node) Funds(context.Context, string, common.Address, common.Address) (balance, allowance *big.Int, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.Asked != nil {
		n.Asked()
	}

	if n.Down {
		return nil, nil, errDown
	}

	return big.NewInt(n.Balance), big.NewInt(n.Allowance), nil
}

// CodeAt answers from Code.
func (n *Node) CodeAt(_ context.Context, _ string, at common.Address) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()

	n.CodeAsked++

	if n.Down {
		return nil, errDown
	}

	return n.Code[at], nil
}

// Holdings returns Balance and Allowance of every token; no balance of a wallet that is empty.
func (n *Node) Holdings(
	_ context.Context,
	_ string,
	owner common.Address,
	tokens []common.Address,
) (transaction.Point, []transaction.Holding, error) {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.Down {
		return transaction.Point{}, nil, errDown
	}

	out := make([]transaction.Holding, len(tokens))
	for i := range out {
		out[i] = transaction.Holding{Balance: big.NewInt(n.Balance), Allowance: big.NewInt(n.Allowance)}

		if n.empty[owner] {
			out[i].Balance = new(big.Int)
		}
	}

	return transaction.Point{Number: 7, Hash: "0x07"}, out, nil
}

// Allowances returns Allowance of every token to every spender.
func (n *Node) Allowances(
	_ context.Context,
	_ string,
	_ common.Address,
	tokens, spenders []common.Address,
) (transaction.Point, [][]*big.Int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.Down {
		return transaction.Point{}, nil, errDown
	}

	out := make([][]*big.Int, len(tokens))
	for i := range out {
		for range spenders {
			out[i] = append(out[i], big.NewInt(n.Allowance))
		}
	}

	return transaction.Point{Number: 7, Hash: "0x07"}, out, nil
}

// ApproveWouldRevert returns Reverts.
func (n *Node) ApproveWouldRevert(context.Context, string, common.Address, common.Address, *big.Int) (bool, error) {
	n.mu.Lock()
	defer n.mu.Unlock()

	if n.Down {
		return false, errDown
	}

	return n.Reverts, nil
}

// Market is the simulator of rates.
type Market struct {
	*ratesim.Market

	Asked func() // called with each question for a rate; nil: nothing
}

// Rate returns the simulator's rate.
func (m *Market) Rate(ctx context.Context, base, to string) (rates.Rate, error) {
	if m.Asked != nil {
		m.Asked()
	}

	return m.Market.Rate(ctx, base, to)
}

// Each runs the test once on each database.
func Each(t *testing.T, test func(t *testing.T, w *World)) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, d *db.DB) { test(t, New(t, d)) })
}

// New builds the world. The wallet holds 10,000 USDC and has approved them all; a USDC is a dollar and 0.90 euros.
func New(t testing.TB, d *db.DB) *World {
	t.Helper()

	people := identitytest.New(t, d)
	session := people.Someone("ada@example.org")
	w := &World{
		World:  directorytest.New(t, d),
		Node:   &Node{Balance: 10_000_000_000, Allowance: 10_000_000_000},
		Market: &Market{Market: ratesim.New(d.Clock())},
		Rails:  []string{"SEPA"},
		Org:    people.Organisation(session.Access),
		User:   people.Do("GET", "/users/me", session.Access, "").OK(200).Text("_id"),
		Deposits: []transaction.DepositAccount{
			{
				ID:       "house_eur",
				Currency: "EUR",
				Country:  "DE",
				Holder:   "Slipway",
				IBAN:     "DE89370400440532013000",
				Rail:     "SEPA",
			},
			{
				ID:       "house_chf",
				Currency: "CHF",
				Country:  "CH",
				Holder:   "Slipway",
				IBAN:     "CH4431999123000889012",
				Rail:     "SIC",
			},
		},
	}
	w.Token = w.Org + "/" + w.User + "//" + organisation.Authorized

	w.Exec("UPDATE organisations SET onboarding_status = 'APPROVED' WHERE id = ?", w.Org)
	w.Rate("USDC", "EUR", 90, 100)
	w.Rate("USDC", "USD", 1, 1)
	w.Rate("USD", "EUR", 90, 100)
	w.wire()
	w.people()

	return w
}

// Rate sets the price of one base.
func (w *World) Rate(base, to string, numerator, denominator int64) {
	w.T.Helper()
	require.NoError(w.T, w.Market.Set(base, to, big.NewRat(numerator, denominator)))
}

// wire makes the service and registers its operations.
func (w *World) wire() {
	quotes := quote.New(quote.Deps{
		DB:       w.DB,
		Rates:    w.Market,
		Schedule: quote.Schedule{NetworkUSD: money.FromUnits(money.Asset{Code: "USD", Decimals: 2}, big.NewInt(50))},
	})

	w.Onramp = onramp.Kind{
		Quotes:          quotes,
		DepositAccounts: func() []transaction.DepositAccount { return w.Deposits },
	}

	screenings := analysis.New(analysis.Deps{
		DB:        w.DB,
		Addresses: screening.Simulator{},
		Names:     screening.Simulator{},
		Sources:   func() []screening.Source { return nil },
	})

	headroom, ok := organisation.ParseHeadroom("1")
	require.True(w.T, ok)

	w.Transactions = transaction.New(transaction.Deps{
		DB:         w.DB,
		Chain:      w.Node,
		Screening:  screenings,
		ProofHolds: w.Wallets.ProofHolds,
		Settle:     w.settle,
		Forbidden:  func(_ string, a common.Address) bool { return a == common.Address{} },
		Effects: func(
			context.Context,
			db.Querier,
			[]transaction.Transaction,
		) (map[string][]transaction.Effect, error) {
			return nil, nil
		},
		Payables: w.payables(),
		Quotes:   quotes,
		Headroom: headroom,
		Kinds:    w.kinds(quotes),
	})

	w.Transactions.Routes(w.API)
	w.Onramp.Routes(w.API, w.Transactions)
}

func (w *World) kinds(quotes *quote.Service) map[transaction.Type]transaction.Kind {
	payouts := fiat.Kind{
		Quotes:      quotes,
		PayoutRails: func(string) []string { return w.Rails },
		Carries:     w.carries,
	}

	return map[transaction.Type]transaction.Kind{
		transaction.TypeCrypto: crypto.Kind{},
		transaction.TypeFiat:   payouts,
		transaction.TypeOnramp: w.Onramp,
	}
}

// people stores the organisation's own receiver with the paying wallet, and the payee.
func (w *World) people() {
	w.T.Helper()

	require.NoError(w.T, w.DB.Write(w.T.Context(), func(tx *db.Tx) error {
		return receiver.CreateSelf(w.T.Context(), tx, w.Org, receiver.Own{
			Type:      receiver.Company,
			LegalName: "Ada Ltd",
			Email:     "ada@example.com",
			Country:   "CH",
		})
	}))

	w.PayerID, w.Payer = w.Usable(w.Token)
	w.Payee = w.Receiver(w.Token, "Bob GmbH")

	w.Wallet, w.Address = w.ProvenWallet(w.Payee)

	w.Account = w.Send("POST", "/bank-accounts", Object{
		"receiver":    w.Payee,
		"bankCountry": "DE",
		"currency":    "EUR",
		"iban":        "DE89370400440532013000",
		"bicSwift":    "COBADEFFXXX",
	}).Status(201).Text("_id")
}

// ProvenWallet stores a wallet of a receiver, proves it and has it screened.
func (w *World) ProvenWallet(receiver string) (id, address string) {
	w.T.Helper()

	key, address := w.Key()
	a := w.Send("POST", "/wallets", Object{
		"address":  address,
		"network":  "net_ethereum",
		"receiver": receiver,
	}).Status(201)
	id = a.Text("_id")

	message := a.Text("ownership.message")
	w.Verify(w.Token, id, message, directorytest.Sign(key, message)).Status(200)
	require.NoError(w.T, w.Wallets.Screen(w.T.Context(), id))

	return id, address
}

func (w *World) carries(p transaction.Payment, rail string) map[string]string {
	if w.Carries == nil {
		return nil
	}

	return w.Carries(p, rail)
}

func (w *World) settle(tx *db.Tx, id string) {
	tx.OnCommit(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.settled = append(w.settled, id)
	})
}

// Settled returns the transactions whose settlement was asked for, in order.
func (w *World) Settled() []string {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.settled
}

// Ended returns the transactions of whose end the payables have heard, in order.
func (w *World) Ended() []string {
	w.mu.Lock()
	defer w.mu.Unlock()

	return w.ended
}

// payables are the hooks of payables that are not there.
func (w *World) payables() transaction.Payables {
	return transaction.Payables{
		Lock: func(context.Context, *db.Tx, transaction.Transaction) error { return w.PayablesLock },
		Ended: func(_ context.Context, tx *db.Tx, t transaction.Transaction) error {
			tx.OnCommit(func() {
				w.mu.Lock()
				defer w.mu.Unlock()
				w.ended = append(w.ended, t.ID)
			})

			return nil
		},
		Of: func(_ context.Context, _ db.Querier, ids []string) (map[string]map[int]string, error) {
			out := map[string]map[int]string{}
			for _, id := range ids {
				out[id] = map[int]string{0: "pyb_0"}
			}

			return out, nil
		},
	}
}

func (w *World) principal() caller.Principal {
	return caller.Principal{Organisation: w.Org, User: w.User, Roles: []string{organisation.Authorized}}
}

// Context returns a context of the member.
func (w *World) Context() context.Context { return caller.With(w.T.Context(), w.principal()) }

// UnderPolicy returns a context of the member whose token says that there is a policy on second persons.
func (w *World) UnderPolicy() context.Context {
	p := w.principal()
	p.HasPolicy = true

	return caller.With(w.T.Context(), p)
}

// Exec changes the database behind the service's back, as another process would.
func (w *World) Exec(query string, args ...any) {
	w.T.Helper()
	require.NoError(w.T, w.DB.Write(w.T.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}))
}

// Send sends a request of the member; a nil body sends none.
func (w *World) Send(method, path string, body Object) *directorytest.Answer {
	w.T.Helper()

	if body == nil {
		return w.Do(w.Token, method, path, "")
	}

	raw, err := json.Marshal(body)
	require.NoError(w.T, err)

	return w.Do(w.Token, method, path, string(raw))
}

// Crypto returns the body of a CRYPTO transaction with one payment to the payee's stored wallet.
func (w *World) Crypto(amount string) Object {
	return Object{"type": "CRYPTO", "token": "USDC", "walletAddress": w.Payer, "payments": []Object{{
		"type":     "CRYPTO",
		"receiver": w.Payee,
		"wallet":   w.Wallet,
		"amount":   amount,
		"reason":   "Invoice 7",
	}}}
}

// Fiat returns the body of a FIAT transaction with one payment to the payee's bank account.
func (w *World) Fiat(amount string) Object {
	return Object{"type": "FIAT", "token": "USDC", "walletAddress": w.Payer, "payments": []Object{{
		"type":        "FIAT",
		"receiver":    w.Payee,
		"bankAccount": w.Account,
		"amount":      amount,
		"reason":      "Invoice 8",
	}}}
}

// Deposit returns the body of an ONRAMP transaction.
func (w *World) Deposit(amount, currency string) Object {
	return Object{
		"type":           "ONRAMP",
		"token":          "USDC",
		"walletAddress":  w.Payer,
		"amountCurrency": currency,
		"payments":       []Object{{"type": "ONRAMP", "receiver": w.Payee, "amount": amount}},
	}
}

// With returns a body whose payments have other members; nil takes one away.
func With(body, members Object) Object {
	var payments []Object
	for _, p := range body["payments"].([]Object) {
		payments = append(payments, Merge(p, members))
	}

	return Merge(body, Object{"payments": payments})
}

// Merge returns an object with other members; nil takes one away.
func Merge(o, members Object) Object {
	out := maps.Clone(o)
	for name, value := range members {
		if value == nil {
			delete(out, name)
		} else {
			out[name] = value
		}
	}

	return out
}

// Draft creates a transaction and returns its id.
func (w *World) Draft(body Object) string {
	w.T.Helper()
	return w.Send("POST", "/transactions", body).Status(201).Text("_id")
}

// Submitted creates and submits a transaction and returns its id.
func (w *World) Submitted(body Object) string {
	w.T.Helper()
	id := w.Draft(body)
	w.Post(id, "submit").Status(200)

	return id
}

// Post calls one of the operations of a transaction without a body.
func (w *World) Post(id, operation string) *directorytest.Answer {
	w.T.Helper()
	return w.Send("POST", "/transactions/"+id+"/"+operation, nil)
}

// Read reads a transaction.
func (w *World) Read(id string) *directorytest.Answer {
	w.T.Helper()
	return w.Send("GET", "/transactions/"+id, nil).Status(200)
}

// SentBackIsNoChange sends what GET shows of a draft back, as a whole and with one change, and compares.
func (w *World) SentBackIsNoChange(id string) {
	w.T.Helper()

	before := w.Read(id)

	var shown Object
	require.NoError(w.T, json.Unmarshal([]byte(before.Raw), &shown))

	w.Send("PUT", "/transactions/"+id, shown).Status(200)
	require.Equal(w.T, before.Raw, w.Read(id).Raw)

	shown["payments"].([]any)[0].(Object)["instructions"] = "By noon."
	after := w.Send("PUT", "/transactions/"+id, shown).Status(200)
	require.EqualValues(w.T, 2, after.Get("version"))

	shown["status"] = "COMPLETED"
	require.Contains(w.T, w.Send("PUT", "/transactions/"+id, shown).Status(422).Faults(), "/status READ_ONLY")
}

// Number returns the one number that a statement selects.
func (w *World) Number(query string, args ...any) int64 {
	w.T.Helper()

	n, err := db.Value[int64](w.T.Context(), w.DB, query, args...)
	require.NoError(w.T, err)

	return n
}
