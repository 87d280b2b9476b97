//go:build !nosandbox

package contract

import (
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"
)

// A world is a chain with a router, and a payer who holds a plain token and approved the router without limit.
type world struct {
	*chain
	router common.Address
	token  common.Address // a TestToken
	next   int64          // the next unused batch number
}

var (
	routerABI  = NewSlipwayRouter()
	tokenABI   = SampleOf("TestToken")
	hostileABI = testOnly("HostileToken")

	unlimited = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))
	fortune   = new(big.Int).Lsh(big.NewInt(1), 90)
)

// testOnly reads the artefact of a contract that no binary has.
func testOnly(name string) Sample {
	text, err := os.ReadFile(filepath.Join("artifacts", name+".json"))
	if err != nil {
		panic(err)
	}

	return sampleIn(text)
}

func newWorld(t *testing.T) *world { return newWorldUnder(t, osaka) }

func newWorldUnder(t *testing.T, rules func(*params.ChainConfig)) *world {
	t.Helper()
	w := &world{chain: newChain(t, rules), next: 1}
	w.router = w.deployRouter()
	w.token = w.deploy(deployer, tokenABI.Code)
	w.fund(w.token)

	return w
}

func (w *world) deployRouter() common.Address {
	w.t.Helper()
	return w.deploy(deployer, RouterCreationCode(owner.address, operator.address, guardian.address, DefaultLegGas))
}

// fund gives the payer a fortune in the token and the router the right to all of it.
func (w *world) fund(token common.Address) {
	w.t.Helper()
	w.must(deployer, token, tokenABI.Pack("mint", payer.address, fortune))
	w.must(payer, token, tokenABI.Pack("approve", w.router, unlimited))
}

// hostile deploys a funded token of which each payee meets the manner at its place in the list.
func (w *world) hostile(manners ...uint8) common.Address {
	w.t.Helper()
	token := w.deploy(deployer, hostileABI.Code)
	w.fund(token)

	for i, manner := range manners {
		w.must(deployer, token, hostileABI.Pack("misbehave", payee(i), manner))
	}

	return token
}

// batch is a batch of n legs of token to payees 0 to n-1, of 100, 101, ... units, with a number of its own.
func (w *world) batch(token common.Address, n int) Batch {
	b := Batch{Payer: payer.address, Token: token, Number: big.NewInt(w.next)}
	w.next++

	for i := range n {
		b.Legs = append(b.Legs, Leg{payee(i), big.NewInt(int64(100 + i))})
	}

	return b
}

func payee(i int) common.Address {
	return common.BytesToAddress(crypto.Keccak256([]byte{'p', byte(i >> 8), byte(i)}))
}

// pay executes the batch and returns what the receipt proves.
func (w *world) pay(b Batch) Outcome {
	w.t.Helper()
	return w.outcome(b, w.must(operator, w.router, w.encode(b)))
}

func (w *world) outcome(b Batch, r *types.Receipt) Outcome {
	w.t.Helper()
	out, err := ParseReceipt(w.router, b, r)
	require.NoError(w.t, err)

	return out
}

func (w *world) encode(b Batch) []byte {
	w.t.Helper()
	data, err := EncodePay(b)
	require.NoError(w.t, err)

	return data
}

func (w *world) balance(token, holder common.Address) *big.Int {
	w.t.Helper()
	data, err := w.call(stranger, token, tokenABI.Pack("balanceOf", holder))
	require.NoError(w.t, err)
	n, err := Token().UnpackBalanceOf(data)
	require.NoError(w.t, err)

	return n
}

func (w *world) executed(n *big.Int) bool {
	w.t.Helper()
	data, err := w.call(stranger, w.router, routerABI.PackExecuted(n))
	require.NoError(w.t, err)
	used, err := routerABI.UnpackExecuted(data)
	require.NoError(w.t, err)

	return used
}

// statuses is the outcome in short: P paid, F failed, U unclear, one letter a leg.
func statuses(o Outcome) string {
	var s []byte
	for _, leg := range o.Legs {
		s = append(s, leg.Status[0])
	}

	return string(s)
}

// requireEmptyRouter holds the rule that the router has nothing, ever. X-03
func (w *world) requireEmptyRouter(token common.Address) {
	w.t.Helper()
	require.Zero(w.t, w.balance(token, w.router).Sign(), "the router holds tokens")
}
