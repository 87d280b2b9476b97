//go:build !nosandbox

package contract

import (
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"slipway/internal/rails/chain/safecode"
	"slipway/internal/standards/safe"
)

// yardLegs is how many payments each way of paying makes.
const yardLegs = 30

// usualDeadline is four bytes, none of which is zero, as of nearly every time: the same in every run.
var usualDeadline = big.NewInt(0xf0f0f0f0)

var (
	disperseABI = testOnly("YardstickDisperse")
	proxyABI    = testOnly("YardstickFeeProxy")
	requestABI  = testOnly("YardstickBatchPayments")
)

// A yardWorld has what the router is compared with: the contracts of contracts/src/yardstick, and a Safe as published.
type yardWorld struct {
	*gasWorld
	disperse, request common.Address
	safe              safeAccount
}

// A safeAccount is a Safe whose owners are owner, guardian and stranger, of whom two have to sign.
type safeAccount struct {
	address, batcher common.Address
	nonce            uint64
}

func newYardWorld(t *testing.T, rules func(*params.ChainConfig)) *yardWorld {
	t.Helper()
	w := &yardWorld{gasWorld: newGasWorld(t, rules)}
	w.disperse = w.deploy(deployer, disperseABI.Code)
	w.request = w.deploy(deployer, append(requestABI.Code, requestABI.Pack("", w.deploy(deployer, proxyABI.Code))...))

	for _, spender := range []common.Address{w.disperse, w.request} {
		w.must(payer, w.token, tokenABI.Pack("approve", spender, unlimited))
	}

	w.safe = w.newSafe()
	w.must(deployer, w.token, tokenABI.Pack("mint", w.safe.address, fortune))

	return w
}

func (w *yardWorld) newSafe() safeAccount {
	w.t.Helper()

	release := safecode.Of(safe.V150)
	put := func(name string) common.Address { return w.deploy(deployer, release.Creation(name)) }
	factory := put(safecode.ProxyFactory)
	owners := []common.Address{owner.address, guardian.address, stranger.address}
	setup := safecode.Setup(owners, 2, put(safecode.FallbackHandler))
	made := w.must(deployer, factory, safecode.Create(put(safecode.Singleton), setup, 0))

	log := made.Logs[len(made.Logs)-1] // ProxyCreation, whose first topic is the account
	require.Equal(w.t, factory, log.Address)

	return safeAccount{address: common.BytesToAddress(log.Topics[1][:]), batcher: put(safecode.MultiSendCallOnly)}
}

// bySafe carries out a batch of the Safe, signed by two owners and sent by somebody.
func (w *yardWorld) bySafe(steps ...safe.Step) *types.Receipt {
	w.t.Helper()

	domain, err := safe.DomainOf(safe.V150, w.id, w.safe.address)
	require.NoError(w.t, err)

	tx := safe.Tx{
		To:        w.safe.batcher,
		Data:      safe.Batch(steps),
		Operation: safe.DelegateCall,
		Nonce:     w.safe.nonce,
	}
	w.safe.nonce++
	hash := domain.TxHash(tx)

	var confirmed []safe.Confirmation
	for _, by := range []account{owner, guardian} {
		c, err := safe.Parse(hash, sign(w.t, by, hash))
		require.NoError(w.t, err)

		confirmed = append(confirmed, c)
	}

	signatures, err := safe.Join(confirmed)
	require.NoError(w.t, err)

	return w.must(operator, w.safe.address, safe.Execute(tx, signatures))
}

// A way pays the legs of a batch, whatever its payer and number, and returns the gas of it all.
type way struct {
	name string
	pays func(Batch) uint64
}

func (w *yardWorld) ways() []way {
	return []way{
		{"a transfer each, by the payer's own key", w.transfers},
		{"Disperse, a transferFrom each", func(b Batch) uint64 { return w.disperses(b, "disperseTokenSimple") }},
		{"Disperse, one pull of the sum", func(b Batch) uint64 { return w.disperses(b, "disperseToken") }},
		{"Request's fee proxy, in a batch", w.requests},
		{"pay, by the operator", func(b Batch) uint64 { return w.must(operator, w.router, w.encode(b)).GasUsed }},
		{"a Safe's batch of transfers", w.safeTransfers},
		{"payOwn, in a Safe's batch", w.safePaysOwn},
		{"payOwn, in a Safe's batch, first of the Safe's in 256 numbers", func(b Batch) uint64 {
			b.Number = new(big.Int).Lsh(b.Number, 8)
			return w.safePaysOwn(b)
		}},
	}
}

func (w *yardWorld) transfers(b Batch) uint64 {
	var sum uint64
	for _, leg := range b.Legs {
		sum += w.must(payer, b.Token, tokenABI.Pack("transfer", leg.To, leg.Amount)).GasUsed
	}

	return sum
}

func (w *yardWorld) disperses(b Batch, function string) uint64 {
	to, amounts := columnsOf(b.Legs)
	return w.must(payer, w.disperse, disperseABI.Pack(function, b.Token, to, amounts)).GasUsed
}

// requests pays under references of the 8 bytes that Request's have, with no fee.
func (w *yardWorld) requests(b Batch) uint64 {
	to, amounts := columnsOf(b.Legs)

	var (
		references [][]byte
		fees       []*big.Int
	)

	for _, address := range to {
		references = append(references, address[:8])
		fees = append(fees, new(big.Int))
	}

	return w.must(payer, w.request, requestABI.Pack(
		"batchERC20PaymentsWithReference", b.Token, to, amounts, references, fees, common.Address{},
	)).GasUsed
}

func columnsOf(legs []Leg) (to []common.Address, amounts []*big.Int) {
	for _, leg := range legs {
		to = append(to, leg.To)
		amounts = append(amounts, leg.Amount)
	}

	return to, amounts
}

func (w *yardWorld) safeTransfers(b Batch) uint64 {
	var steps []safe.Step
	for _, leg := range b.Legs {
		steps = append(steps, safe.Step{To: b.Token, Data: tokenABI.Pack("transfer", leg.To, leg.Amount)})
	}

	return w.bySafe(steps...).GasUsed
}

// safePaysOwn is what the service asks a Safe for: it approves the sum and pays.
func (w *yardWorld) safePaysOwn(b Batch) uint64 {
	w.t.Helper()
	return w.bySafe(w.ownSteps(b)...).GasUsed
}

func (w *yardWorld) ownSteps(b Batch) []safe.Step {
	w.t.Helper()

	b.Payer = w.safe.address
	pay, err := EncodePayOwn(b, usualDeadline)
	require.NoError(w.t, err)

	return []safe.Step{
		{To: b.Token, Data: tokenABI.Pack("approve", w.router, b.Sum())},
		{To: w.router, Data: pay},
	}
}

// yardTable measures each way of paying under some rules, and that it has paid.
func yardTable(t *testing.T, rules func(*params.ChainConfig)) string {
	t.Helper()

	w := newYardWorld(t, rules)

	measure := func(way way, holds bool) uint64 {
		b := w.gasBatch(holds, yardLegs)
		used := way.pays(b)

		had := new(big.Int)
		if holds {
			had.SetInt64(1)
		}

		for _, leg := range b.Legs {
			require.Equal(t, new(big.Int).Add(had, leg.Amount), w.balance(w.token, leg.To), way.name)
		}

		return (used + yardLegs - 1) / yardLegs
	}

	table := "\n| Gas for each payment of 30, whoever pays | payees hold nothing | payees hold the token |\n" +
		"|---|---|---|\n"

	for _, way := range w.ways() {
		measure(way, false) // opens the way's own slots
		table += tableRow(way.name, measure(way, false), measure(way, true))
	}

	return table
}

// Nothing of an approval that a Safe's batch gives is left over.
func TestPayOwnUsesTheApprovalOfItsBatchUp(t *testing.T) {
	w := newYardWorld(t, osaka)
	w.safePaysOwn(w.gasBatch(false, yardLegs))

	left, err := w.call(stranger, w.token, tokenABI.Pack("allowance", w.safe.address, w.router))
	require.NoError(t, err)
	require.Zero(t, new(big.Int).SetBytes(left).Sign())
	w.requireEmptyRouter(w.token)
}

// From PullFrom payments on an own batch is pulled once. What the token does not give a payee is back with the payer in
// the same call, and counts towards no cap, as nothing of an own batch does. What else the payer moves in the
// transaction is no part of the batch.
func TestLongOwnBatchesArePulledOnce(t *testing.T) { // X-03 X-10
	w := newYardWorld(t, osaka)
	token := w.deploy(deployer, usdcABI.Code)
	w.must(deployer, token, usdcABI.Pack("mint", w.safe.address, fortune))
	w.must(deployer, token, usdcABI.Pack("blacklist", payee(1)))
	w.bySafe(safe.Step{To: w.router, Data: routerABI.PackSetDailyCap(token, big.NewInt(1))})

	for _, n := range []int{3, PullFrom - 1, PullFrom, MaxLegs} {
		b := w.batch(token, n)
		b.Payer = w.safe.address
		before := w.balance(token, b.Payer)

		beside := safe.Step{To: token, Data: tokenABI.Pack("transfer", b.Legs[0].To, b.Legs[0].Amount)}
		receipt := w.bySafe(append([]safe.Step{beside}, append(w.ownSteps(b), beside)...)...)

		out, err := ParseOwnReceipt(w.router, b, receipt)
		require.NoError(t, err)
		require.Equal(t, "PF"+strings.Repeat("P", n-2), statuses(out), "%d payments", n)

		gone := new(big.Int).Sub(before, w.balance(token, b.Payer))
		gone.Sub(gone, new(big.Int).Add(b.Legs[0].Amount, b.Legs[0].Amount))
		require.Equal(t, new(big.Int).Sub(b.Sum(), b.Legs[1].Amount), gone)
		w.requireEmptyRouter(token)

		left, err := w.call(stranger, token, tokenABI.Pack("allowance", b.Payer, w.router))
		require.NoError(t, err)
		require.Equal(t, n >= PullFrom, new(big.Int).SetBytes(left).Sign() == 0, "a pull uses up the whole approval")
	}
}
