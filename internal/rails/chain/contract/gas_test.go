//go:build !nosandbox

package contract

import (
	"flag"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"
)

// usualAmount is 1234.567890 of a token with 6 decimals, the amount of the published figures.
var usualAmount = big.NewInt(1_234_567_890)

// A gasCase is one line of the table; before says what the payer does first.
type gasCase struct {
	name         string
	holds        bool // payees hold the token already
	finite       bool // the allowance is exactly what is paid, so that each leg writes it and the last one clears it
	firstOfWord  bool // the first batch of 256
	accessList   bool // the transaction lists the storage it touches (EIP-2930)
	limits       map[int]uint64
	amsterdamToo bool
}

// The figures are exact: gas is the same on every machine. A change of the contract that makes a payment dearer has to
// change this table. The last two bounds are the project's own limits for a batch of 30.
var gasCases = []gasCase{
	{
		name: "payees hold the token", holds: true, amsterdamToo: true,
		limits: map[int]uint64{1: 53_850, 10: 13_490, 30: 10_500},
	},
	{
		name: "payees hold nothing", amsterdamToo: true,
		limits: map[int]uint64{1: 70_950, 10: 30_590, 30: 27_600},
	},
	{
		name: "payees hold the token, exact allowance", holds: true, finite: true,
		limits: map[int]uint64{1: 52_250, 10: 14_000, 30: 11_200},
	},
	{
		name: "payees hold nothing, exact allowance", finite: true,
		limits: map[int]uint64{1: 69_350, 10: 31_100, 30: 28_300},
	},
	{
		name: "payees hold the token, first batch of 256", holds: true, firstOfWord: true,
		limits: map[int]uint64{1: 71_000, 10: 15_200, 30: 11_070},
	},
	{
		name: "payees hold the token, access list", holds: true, accessList: true,
		limits: map[int]uint64{1: 54_000, 10: 13_500, 30: 10_400},
	},
}

var update = flag.Bool("update", false, "write docs/reference/gas.md anew")

// gasPage is the table that people read.
const gasPage = "../../../../docs/reference/gas.md"

// Every figure is exact, so the page is compared with what is measured: a change of the contract that makes anything
// dearer changes it.
func TestGasTableIsFresh(t *testing.T) {
	page := gasPageHead + gasTable(t, "The rules of today (Osaka)", osaka) +
		gasTable(t, "The rules of the next fork (Amsterdam)", amsterdam)
	t.Log(page)

	if *update {
		require.NoError(t, os.WriteFile(gasPage, []byte(page), 0o644))
	}

	want, err := os.ReadFile(gasPage)
	require.NoError(t, err)
	require.Equal(t, string(want), page, "make generate writes it anew")
}

const gasPageHead = `# Gas

What a payment costs in gas, exactly: what the whole transaction used, divided by its payments. The token is
OpenZeppelin's 5.7 with 6 decimals, the allowance has no end unless said, and the payer keeps a balance. A test measures
everything here and writes this page.

A node's estimate is not enough: the service adds room for a leg that turns bad, so that it is recorded and does not end
the batch. What is not used is not paid for.

The last table of each section measures other ways to pay 30 beside pay and payOwn, each after a first payment that
opens its own slots. Only pay and payOwn have a number that pays once for ever, and legs that fail alone. A Safe's
signatures are good once; Disperse and Request's fee proxy pay again when they are called again; and of all three, one
leg that fails fails all. Disperse and the fee proxy (which is given no fee) are contracts of the same form in
[contracts/src/yardstick](../../contracts/src/yardstick), compiled as the router is. The Safe is version 1.5.0 as
published; two of its three owners sign. It pays by a batch (MultiSendCallOnly) of transfers, or by one of an approval
of the sum and payOwn. The second is dearer by that approval, by the pull that uses it up, and by the number.
`

// gasTable measures one table under some rules. Under today's rules it holds the limits, too.
func gasTable(t *testing.T, title string, rules func(*params.ChainConfig)) string {
	t.Helper()

	today := strings.Contains(title, "today")
	table := tableHead(title)

	for _, c := range gasCases {
		if !today && !c.amsterdamToo {
			continue
		}

		g := newGasWorld(t, rules)

		var figures []uint64
		for _, n := range []int{1, 10, 30} {
			per := (g.measure(c, n) + uint64(n) - 1) / uint64(n)
			figures = append(figures, per)

			if today {
				require.LessOrEqual(t, per, c.limits[n], "%s, %d legs", c.name, n)
			}
		}

		table += tableRow(c.name, figures...)
	}

	g := newGasWorld(t, rules)
	table += tableRow("bare transferFrom, the payee holds the token", same(g.bare(true))...)
	table += tableRow("bare transferFrom, the payee holds nothing", same(g.bare(false))...)

	return table + signatureTable(t, rules, today) + yardTable(t, rules)
}

func same(figure uint64) []uint64 { return []uint64{figure, figure, figure} }

func tableHead(title string) string {
	return "\n## " + title + "\n\n| Gas for each payment, of a batch of | 1 | 10 | 30 |\n|---|---|---|---|\n"
}

func tableRow(name string, figures ...uint64) string {
	row := "| " + name + " |"
	for _, f := range figures {
		row += " " + grouped(int64(f)) + " |"
	}

	return row + "\n"
}

// grouped writes a number with a comma between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}

	return digits
}

// The published cost of a bare transferFrom proves that rules and token are the ones that the figures are compared
// under: 54 206 to an empty payee, and 17 100 less (the price of a new storage slot) to one that holds the token. The
// published 37 104 is the mean over payees of whom some addresses contain a zero byte.
func TestGasRulesAreThePublishedOnes(t *testing.T) {
	g := newGasWorld(t, osaka)
	require.Equal(t, uint64(54_206), g.bare(false))
	require.Equal(t, uint64(54_206-17_100), g.bare(true))
}

// A gasWorld adds an operator that may call the token itself, and payees with no zero byte in their addresses.
type gasWorld struct {
	*world
	salt byte
}

func newGasWorld(t *testing.T, rules func(*params.ChainConfig)) *gasWorld {
	t.Helper()
	g := &gasWorld{world: newWorldUnder(t, rules)}
	g.next = 300_000 // a usual number: three bytes
	g.must(operator, g.router, g.encode(g.gasBatch(false, 1)))
	g.must(payer, g.token, tokenABI.Pack("approve", operator.address, unlimited))

	return g
}

func (g *gasWorld) gasBatch(holds bool, n int) Batch {
	g.t.Helper()
	g.salt++

	b := g.batch(g.token, n)
	for i := range b.Legs {
		b.Legs[i] = Leg{fullAddress(i, g.salt), usualAmount}
		if holds {
			g.must(deployer, g.token, tokenABI.Pack("mint", b.Legs[i].To, big.NewInt(1)))
		}
	}

	return b
}

func fullAddress(i int, salt byte) common.Address {
	for try := byte(0); ; try++ {
		a := common.BytesToAddress(crypto.Keccak256([]byte{byte(i), salt, try}))
		if !strings.Contains(string(a[:]), "\x00") {
			return a
		}
	}
}

func (g *gasWorld) measure(c gasCase, n int) uint64 {
	g.t.Helper()

	b := g.gasBatch(c.holds, n)
	if c.finite {
		sum := new(big.Int).Mul(usualAmount, big.NewInt(int64(n)))
		g.must(payer, g.token, tokenABI.Pack("approve", g.router, sum))
	}

	if c.firstOfWord {
		g.next = (g.next/256 + 1) * 256
		b.Number = big.NewInt(g.next)
		g.next++
	}

	tx := &types.DynamicFeeTx{To: &g.router, Data: g.encode(b), Gas: plentyOfGas}
	if c.accessList {
		tx.AccessList = g.accessList(b)
	}

	r := g.sendTx(operator, tx)
	require.Equal(g.t, strings.Repeat("P", n), statuses(g.outcome(b, r)))

	return r.GasUsed
}

// accessList names the token's slots that the batch touches: balances (slot 0) and the allowance (slot 1) of
// OpenZeppelin's layout. The router's own three slots would cost more to announce than they save.
func (g *gasWorld) accessList(b Batch) types.AccessList {
	key := func(a common.Address, slot []byte) common.Hash {
		return crypto.Keccak256Hash(common.LeftPadBytes(a[:], 32), common.LeftPadBytes(slot, 32))
	}
	allowances := key(b.Payer, []byte{1})

	keys := []common.Hash{key(b.Payer, nil), key(g.router, allowances[:])}
	for _, leg := range b.Legs {
		keys = append(keys, key(leg.To, nil))
	}

	return types.AccessList{{Address: b.Token, StorageKeys: keys}}
}

func (g *gasWorld) bare(holds bool) uint64 {
	g.t.Helper()
	leg := g.gasBatch(holds, 1).Legs[0]
	return g.must(operator, g.token, tokenABI.Pack("transferFrom", payer.address, leg.To, leg.Amount)).GasUsed
}

// signatureTable measures what policies and signatures add to a batch of 30, once a batch, in the same send.
func signatureTable(t *testing.T, rules func(*params.ChainConfig), today bool) string {
	t.Helper()

	w := newPermitWorldUnder(t, rules)
	w.must(payer, w.token, tokenABI.Pack("approve", Permit2, unlimited))

	used := func(c Call) int64 { return int64(w.must(operator, w.router, w.bytesOf(c)).GasUsed) }
	each := func(token common.Address) Call { return Call{Batch: w.fresh(token), Manner: ByAllowance} }

	used(each(w.token)) // the first batch of a word
	plain := used(each(w.token))
	pull := used(Call{Batch: w.fresh(w.token), Manner: ByPull})
	intent := used(w.signedCall(ByIntent, w.fresh(w.token), farFuture, payer)) - plain
	permit2 := used(w.signedCall(ByPermit2, w.fresh(w.token), farFuture, payer)) - plain

	w.must(payer, w.dai, tokenABI.Pack("approve", w.router, unlimited))
	used(each(w.dai))
	dai := used(each(w.dai))
	w.must(payer, w.dai, tokenABI.Pack("approve", w.router, new(big.Int)))
	first := used(w.signedCall(ByPermit, w.fresh(w.dai), farFuture, payer)) - dai
	later := used(w.signedCall(ByPermit, w.fresh(w.dai), farFuture, payer)) - dai
	authorized := used(w.signedCall(ByAuthorization, w.fresh(w.usdc), farFuture, payer))

	w.must(payer, w.router, routerABI.PackSetDailyCap(w.token, fortune))
	used(each(w.token)) // the first payment under a cap opens its slot
	capped := used(each(w.token)) - plain

	if today {
		require.LessOrEqual(t, later, int64(15_500))
		require.LessOrEqual(t, first, int64(32_600)) // 17 100 of it are the token's new slot for the payer's count
		require.LessOrEqual(t, intent/30, int64(380))
	}

	rows := "\n| What is added to a batch of 30 whose payees hold nothing | in all | for each payment |\n" +
		"|---|---|---|\n"

	for _, r := range []struct {
		name string
		gas  int64
	}{
		{"a pull of the sum, and a transfer of each leg, in place of a transferFrom of each", pull - plain},
		{"a daily cap", capped},
		{"the payer's signature of the batch (intent)", intent},
		{"a permit (EIP-2612), the payer's first for the token", first},
		{"a permit (EIP-2612), a later one", later},
		{"a Permit2 transfer in place of an approval", permit2},
	} {
		rows += "| " + r.name + " | " + grouped(r.gas) + " | " + grouped(r.gas/30) + " |\n"
	}

	return rows + "\nAn authorization (EIP-3009) of a token like USDC costs " + grouped(authorized) +
		" for a batch of 30 in all.\n"
}

// From PullFrom payments on, an allowance that is counted down is used once, by a pull: it costs less gas than the
// other way, for each kind of token. Below, and without end, each payment is a transfer from the payer.
func TestUnderAnAllowanceTheCheaperMannerIsChosen(t *testing.T) {
	w := newPermitWorld(t)
	batch := func(token common.Address, n int) Batch {
		b := w.fresh(token)
		b.Legs = b.Legs[:n]

		return b
	}

	for _, token := range []common.Address{w.token, w.dai, w.usdc} {
		require.Equal(t, ByAllowance, batch(token, 30).UnderAllowance(unlimited))

		gas := func(n int, m Manner) uint64 {
			b := batch(token, n)
			w.must(payer, token, tokenABI.Pack("approve", w.router, b.Sum()))

			return w.must(operator, w.router, w.bytesOf(Call{Batch: b, Manner: m})).GasUsed
		}
		gas(1, ByAllowance) // opens the slots of payer and router

		for n, other := range map[int]Manner{1: ByPull, 5: ByPull, 30: ByAllowance} {
			b := batch(token, n)
			chosen := b.UnderAllowance(b.Sum())
			require.NotEqual(t, other, chosen)
			require.Less(t, gas(n, chosen), gas(n, other), "%d payments", n)
		}
	}
}

// fresh returns a batch of 30 to payees who hold nothing.
func (w *permitWorld) fresh(token common.Address) Batch {
	b := w.batch(token, 30)
	for i := range b.Legs {
		b.Legs[i].To = fullAddress(i, byte(100+w.next))
		b.Legs[i].Amount = usualAmount
	}

	return b
}
