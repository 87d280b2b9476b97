//go:build !nosandbox

// Package world is the sandbox's outside: a development chain in this process with test tokens, the router, and keys
// that everybody knows, a bank with an account of ours in each currency, and an identity provider. Nothing here has
// any worth, and a live deployment is built without it or refuses it.
//
// A world that is started on a folder finds its chain, contracts, books, balances and applicants again; addresses and
// account numbers are the same in every world.
//
// Read in this order: world.go (what there is), chain.go, safe.go (Safes on it), bank.go, identity.go, time.go (the
// clock that testers move).
package world

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"

	"slipway/internal/platform/clock"
	"slipway/internal/rails/bank/banksim"
	"slipway/internal/rails/chain/contract"
	"slipway/internal/rails/chain/devchain"
	"slipway/internal/rails/idv/idvsim"
)

// Network identifiers of the sandbox.
const (
	NetworkID = "net_dev"
	ChainID   = 31337
)

// FinalityDepth is how many blocks make a block final here: the chain never replaces one unless a test asks it to.
const FinalityDepth = 2

// Token is a test token of the world.
type Token struct {
	Code     string
	Address  common.Address
	Decimals int
}

// Account is a test person's key with funds.
type Account struct {
	Name    string
	Key     *ecdsa.PrivateKey
	Address common.Address
}

// Places is what is where on every sandbox chain: it follows from the fixed keys alone, so that another process knows
// it too.
type Places struct {
	URL      string // of the chain's JSON-RPC
	Router   common.Address
	Tokens   []Token
	Operator Account // signs batches; owns and guards the router
	// the house's own wallet: receives debits and fees, sends refunds and deliveries; it has approved the router
	Treasury   Account
	Accounts   []Account // test people: gas money and tokens
	BankFolder string    // of the bank; empty when this process has no way to it
	Books      string    // folder of the books of simulated providers of liquidity; empty: BankFolder
	Identity   Identity  // the identity provider; without an address when this process has no way to it
	minter     Account
}

// At describes the sandbox chain that answers at an address.
func At(url string) Places {
	p := Places{
		URL:      url,
		Identity: identityAt(""),
		Operator: account("operator"),
		Treasury: account("treasury"),
		minter:   account("minter"),
	}
	for i := range people {
		p.Accounts = append(p.Accounts, account(fmt.Sprintf("person %d", i+1)))
	}

	at := func(nonce uint64) common.Address { return crypto.CreateAddress(p.minter.Address, nonce) }
	p.Tokens = []Token{{"USDC", at(0), 6}, {"USDT", at(1), 6}, {"DAI", at(2), 18}}
	p.Router = at(3)

	return p
}

// World is a running chain with its contracts.
type World struct {
	Places
	Chain  Chain
	Bank   *banksim.Bank
	IDV    *idvsim.Server
	Clock  *clock.Clock // whose time bank and identity provider live in: the service beside them should take it too
	time   timekeeper
	client *ethclient.Client
	end    []func() error // in the order in which Close calls them
	mu     sync.Mutex     // held while somebody sends
	// next has everybody's next nonce: the pool's own count lags behind new blocks.
	next map[common.Address]uint64
}

// Config says where everything is kept and when the chain makes blocks. With Mode Manual the bank works only when it
// is told to, by Bank.Step, and the identity provider sends webhooks by IDV.Deliver.
type Config struct {
	Dir          string // of the chain; empty: in memory
	BankDir      string // empty: a temporary folder, gone with Close
	IdentityDir  string // of the identity provider; empty: in memory
	ClockFile    string // keeps by how much the clock was moved; empty: it starts at the wall clock's time
	Port         int    // of the chain; 0: a free one
	IdentityPort int    // 0: a free one
	Without      Parts  // not started: others stand in their place
	Mode         devchain.Mode
	Period       time.Duration
	OpenChain    func(devchain.Config) (Chain, error) // nil: the development chain
	Log          *slog.Logger                         // of bank and identity provider; nil: none
}

// Parts are parts of a world.
type Parts struct{ Chain, Bank, Identity bool }

// people is how many test accounts there are.
const people = 5

// Start runs every part of the world and puts on it what is missing. Fields of parts that are left out stay nil.
func Start(ctx context.Context, c Config) (*World, error) {
	w := &World{Places: At(""), time: timekeeper{file: c.ClockFile}, next: map[common.Address]uint64{}}

	var err error
	if w.Clock, err = ClockAt(c.ClockFile); err != nil {
		return nil, err
	}

	start := []struct {
		part string
		out  bool
		open func(context.Context, Config) error
	}{
		{"chain", c.Without.Chain, w.openChain},
		{"bank", c.Without.Bank, w.openBank},
		{"identity provider", c.Without.Identity, w.openIdentity},
		{"contracts", c.Without.Chain, w.openContracts},
		{"Safe contracts", c.Without.Chain, w.openSafe},
	}
	for _, x := range start {
		if x.out {
			continue
		}

		if err := x.open(ctx, c); err != nil {
			return nil, errors.Join(fmt.Errorf("sandbox %s: %w", x.part, err), w.Close())
		}
	}

	return w, nil
}

// openChain starts the development chain, on which the operator, the minter and the people have gas money.
func (w *World) openChain(_ context.Context, c Config) error {
	alloc := map[common.Address]*big.Int{w.Operator.Address: ether(100_000), w.minter.Address: ether(1_000)}
	for _, a := range w.Accounts {
		alloc[a.Address] = ether(1_000)
	}

	start := c.OpenChain
	if start == nil {
		start = startDevchain
	}

	chain, err := start(devchain.Config{
		ChainID: ChainID,
		Dir:     c.Dir,
		Port:    c.Port,
		Mode:    c.Mode,
		Period:  c.Period,
		Alloc:   alloc,
		Code:    map[common.Address][]byte{contract.Permit2: contract.SampleOf("TestPermit2").Runtime},
	})
	if err != nil {
		return err
	}

	w.Chain = chain
	w.URL = chain.URL()

	return nil
}

// openContracts puts on the chain what is missing.
func (w *World) openContracts(ctx context.Context, _ Config) (err error) {
	if w.client, err = ethclient.DialContext(ctx, w.URL); err != nil {
		return err
	}

	return errors.Join(w.furnish(ctx), w.openTreasury(ctx))
}

// Close stops the identity provider, the bank and the chain; what is in a folder has been written there. A second
// call does nothing.
func (w *World) Close() error {
	var err error
	for _, end := range w.end {
		err = errors.Join(err, end())
	}

	w.end = nil
	if w.client != nil {
		w.client.Close()
	}

	if w.Chain != nil {
		err = errors.Join(err, w.Chain.Close())
	}

	return err
}

// account derives a key from a name that everybody can read here.
func account(name string) Account {
	key, err := crypto.ToECDSA(crypto.Keccak256([]byte("slipway development key: " + name)))
	if err != nil {
		panic(err) // a fixed text: it works or never does
	}

	return Account{Name: name, Key: key, Address: crypto.PubkeyToAddress(key.PublicKey)}
}

func ether(n int64) *big.Int { return units(n, 18) }

func units(n int64, decimals int) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil))
}

// furnish deploys the contracts with the minter's first nonces, where At expects them, and gives the people tokens.
func (w *World) furnish(ctx context.Context) error {
	code, err := w.client.CodeAt(ctx, w.Router, nil)
	if err != nil || len(code) > 0 {
		return err
	}

	for _, data := range [][]byte{
		contract.SampleOf("TestUSDC").Code,
		contract.SampleOf("TestUSDT").Code,
		contract.SampleOf("TestDAI").Code,
		contract.RouterCreationCode(w.Operator.Address, w.Operator.Address, w.Operator.Address, contract.DefaultLegGas),
	} {
		if err := w.send(w.minter, nil, data, nil); err != nil {
			return err
		}
	}

	w.Chain.Mine(1)

	for _, a := range w.Accounts {
		for _, t := range w.Tokens {
			if err := w.Mint(t, a.Address, units(1_000_000, t.Decimals)); err != nil {
				return err
			}
		}
	}

	w.Chain.Mine(1)

	if code, err = w.client.CodeAt(ctx, w.Router, nil); err == nil && len(code) == 0 {
		err = errors.New("the router was not deployed")
	}

	return err
}

// What the treasury has of each token at the beginning, and what it approves: a bounded sum, as a live treasury should.
// When it is used up, what the treasury sends waits until it approves anew. In whole units.
const (
	treasuryStart    = 10_000_000
	treasuryApproval = 100 * treasuryStart
)

// openTreasury gives the treasury gas money and tokens and has it approve the router, once: a live treasury does the
// same from its own wallet.
func (w *World) openTreasury(ctx context.Context) error {
	for _, t := range w.Tokens {
		out, err := w.client.CallContract(ctx, ethereum.CallMsg{
			To:   &t.Address,
			Data: contract.Token().PackAllowance(w.Treasury.Address, w.Router),
		}, nil)
		if err != nil {
			return fmt.Errorf("allowance of the treasury: %w", err)
		}

		if new(big.Int).SetBytes(out).Sign() > 0 {
			return nil
		}
	}

	if err := w.Chain.Fund(w.Treasury.Address, ether(10)); err != nil {
		return err
	}

	for _, t := range w.Tokens {
		if err := w.Mint(t, w.Treasury.Address, units(treasuryStart, t.Decimals)); err != nil {
			return err
		}
	}

	w.Chain.Mine(1)

	for _, t := range w.Tokens {
		approve := contract.Token().PackApprove(w.Router, units(treasuryApproval, t.Decimals))
		if err := w.send(w.Treasury, &t.Address, approve, nil); err != nil {
			return err
		}
	}

	w.Chain.Mine(1)

	return nil
}

// mintable is what the test tokens have in common.
var mintable = sync.OnceValue(func() contract.Sample { return contract.SampleOf("TestToken") })

// Mint gives an address test tokens, with the next block.
func (w *World) Mint(t Token, to common.Address, amount *big.Int) error {
	return w.send(w.minter, &t.Address, mintable().Pack("mint", to, amount), nil)
}

// Admin sends a call of the tokens' owner, such as blacklist(address), with the next block.
func (w *World) Admin(t Token, data []byte) error { return w.send(w.minter, &t.Address, data, nil) }

// Token finds a test token by its code.
func (w *Places) Token(code string) Token {
	for _, t := range w.Tokens {
		if t.Code == code {
			return t
		}
	}

	return Token{}
}

// Balance reads what an address holds of a token.
func (w *World) Balance(ctx context.Context, t Token, of common.Address) (*big.Int, error) {
	data := contract.Token().PackBalanceOf(of)
	out, err := w.client.CallContract(ctx, ethereum.CallMsg{To: &t.Address, Data: data}, nil)
	return new(big.Int).SetBytes(out), err
}

// send signs a transaction and leaves it in the pool. The gas price is far above what the empty chain asks.
func (w *World) send(from Account, to *common.Address, data []byte, value *big.Int) error {
	gas := uint64(5_000_000)
	if to != nil {
		gas = 300_000
	}

	return w.sendWith(from, to, data, value, gas)
}

// sendWith is send with a limit of gas.
func (w *World) sendWith(from Account, to *common.Address, data []byte, value *big.Int, gas uint64) error {
	w.mu.Lock()
	defer w.mu.Unlock()

	if ready, behind := w.Chain.PoolSize(); ready+behind == 0 {
		w.next = map[common.Address]uint64{} // nothing waits, and nothing that was dropped is missed
	}

	nonce := max(w.next[from.Address], w.Chain.Nonce(from.Address))

	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(w.Chain.ChainID()), &types.DynamicFeeTx{
		ChainID:   w.Chain.ChainID(),
		Nonce:     nonce,
		GasTipCap: big.NewInt(1_000_000_000),
		GasFeeCap: big.NewInt(50_000_000_000),
		Gas:       gas,
		To:        to,
		Data:      data,
		Value:     value,
	})
	if err != nil {
		return err
	}

	if err := w.Chain.Submit(tx); err != nil {
		return err
	}

	w.next[from.Address] = nonce + 1

	return nil
}
