//go:build !nosandbox

// Package demo shows Slipway's main story from end to end. It plays a client that uses HTTP alone, a person with a
// wallet, and an auditor who compares the chain, the bank's books and the ledger afterwards.
//
// Read in this order:
//
//   - demo.go: Run lists the parts of the story; answers.go has what it reads of the API's answers, teller.go what it
//     prints.
//   - The parts, each in a file of its own: identity.go (signing up and being verified), people.go with wallet.go
//     (payees and their proofs), payment.go (in tokens), payables.go with invoice_paper.go and invoice_link.go, bank.go
//     (fiat out and in), safe.go (a Safe pays), audit.go with balances.go.
//   - What other commands use: person.go (a user with an approved organisation), trigger.go (one flow in a sandbox that
//     runs).
package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/app/apiclient"
	"slipway/internal/app/world"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
)

// Config is where the story takes place.
type Config struct {
	API      string // base address
	World    *world.World
	DB       *db.DB     // for the auditor
	Bank     *bank.Rail // for the auditor: files and statements as they were read
	Out      io.Writer
	Terminal bool // Out is a terminal: colours and a moving line
}

// story is the state of one run.
type story struct {
	Config
	t      *teller
	c      *apiclient.Client
	chain  *ethclient.Client
	payer  world.Account
	alice  world.Account // a receiver with a stored wallet
	street common.Address
	pause  time.Duration // between two looks; 0: 50 ms

	organisation string
	secret       string // of the second factor
	self         string // the organisation's own receiver
	aliceID      string
	bobID        string
	aliceWallet  string
	before       map[string]*big.Int // balances before the first payment, by token and address

	paid   []transactionAnswer // CRYPTO
	fiat   []transactionAnswer
	onramp transactionAnswer
}

// object is a JSON object of a request.
type object = apiclient.Object

// organisationName is the name of the payer; the bank writes it as the sender of the deposit.
const organisationName = "Muster Trading AG"

// Run plays the story and returns its person. It returns an error as soon as something is not what it must be.
func Run(ctx context.Context, c Config) (Person, error) {
	chain, err := ethclient.DialContext(ctx, c.World.Chain.URL())
	if err != nil {
		return Person{}, err
	}
	defer chain.Close()

	s := &story{
		Config: c,
		t:      newTeller(c.Out, c.Terminal),
		c:      apiclient.New(c.API),
		chain:  chain,
		payer:  c.World.Accounts[0],
		alice:  c.World.Accounts[1],
		street: crypto.CreateAddress(c.World.Accounts[2].Address, 7),
		before: map[string]*big.Int{},
	}

	for _, part := range []func(context.Context) error{
		s.signUp,
		s.secondFactor,
		s.onboard,
		s.people,
		s.pay,
		s.follow,
		s.payFromSafe,
		s.payOut,
		s.deposit,
		s.payables,
		s.endOfDay,
		s.audit,
		s.files,
	} {
		if err := part(ctx); err != nil {
			s.t.still()
			return Person{}, err
		}
	}

	return Person{
		Email:        personEmail,
		Password:     personPassword,
		Organisation: s.organisation,
		Token:        s.c.Token,
		Secret:       s.secret,
	}, nil
}

// all returns every transaction of the story.
func (s *story) all() []transactionAnswer {
	return append(slices.Concat(s.paid, s.fiat), s.onramp)
}

// refused sends a request that must be refused, and returns the refusal.
func (s *story) refused(ctx context.Context, method, path string, body any) (*apiclient.Problem, error) {
	err := s.c.Call(ctx, method, path, body, nil)

	var problem *apiclient.Problem
	if errors.As(err, &problem) {
		return problem, nil
	}

	if err == nil {
		err = errors.New("it was not refused")
	}

	return nil, err
}

// until calls ready until it returns true or an error, for at most limit.
func (s *story) until(ctx context.Context, limit time.Duration, ready func() (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()

	for {
		ok, err := ready()
		if err != nil || ok {
			return err
		}

		select {
		case <-ctx.Done():
			return fmt.Errorf("not reached within %s", limit)
		case <-time.After(cmp.Or(s.pause, 50*time.Millisecond)):
		}
	}
}
