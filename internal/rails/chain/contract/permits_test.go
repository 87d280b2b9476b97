//go:build !nosandbox

package contract

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"
)

var (
	usdcABI   = SampleOf("TestUSDC")
	daiABI    = SampleOf("TestDAI")
	walletABI = SampleOf("TestWallet1271")
)

// A permitWorld has a payer who has approved nothing to the router, and tokens that take signatures.
type permitWorld struct {
	*world
	usdc, dai common.Address
}

func newPermitWorld(t *testing.T) *permitWorld {
	t.Helper()
	return newPermitWorldUnder(t, osaka)
}

func newPermitWorldUnder(t *testing.T, rules func(*params.ChainConfig)) *permitWorld {
	t.Helper()
	w := &permitWorld{world: newWorldUnder(t, rules)}
	w.usdc = w.deploy(deployer, usdcABI.Code)
	w.dai = w.deploy(deployer, daiABI.Code)

	for _, token := range []common.Address{w.usdc, w.dai} {
		w.must(deployer, token, usdcABI.Pack("mint", payer.address, fortune))
	}

	return w
}

func (w *permitWorld) domain(token common.Address) Domain {
	name := "USD Coin (test)"
	if token == w.dai {
		name = "Dai Stablecoin (test)"
	}

	return Domain{Name: name, Version: "1", ChainID: w.id, Contract: token}
}

func (w *permitWorld) digest(typed TypedData, err error) common.Hash {
	w.t.Helper()
	require.NoError(w.t, err)
	digest, err := typed.Digest()
	require.NoError(w.t, err)

	return digest
}

// call returns the batch with the signatures that its manner needs, all made by one key.
func (w *permitWorld) signedCall(m Manner, b Batch, deadline *big.Int, by account) Call {
	w.t.Helper()

	c := Call{Batch: b, Manner: m, Deadline: deadline}

	switch m {
	case ByPermit:
		digest := w.digest(PermitTypedData(w.domain(b.Token), w.router, b, w.nonce(b), deadline))
		c.Permit = sign(w.t, by, digest)
	case ByAuthorization:
		c.Signature = sign(w.t, by, w.digest(AuthorizationTypedData(w.domain(b.Token), w.router, b, deadline)))
	case ByPermit2:
		c.Signature = sign(w.t, by, w.digest(Permit2TypedData(w.id, w.router, b, deadline)))
	case ByIntent:
		c.Signature = signIntent(w.t, w.world, by, b, deadline)
	}

	return c
}

func (w *permitWorld) nonce(b Batch) *big.Int {
	w.t.Helper()
	out, err := w.world.call(stranger, b.Token, usdcABI.Pack("nonces", b.Payer))
	require.NoError(w.t, err)

	return new(big.Int).SetBytes(out)
}

func (w *permitWorld) allowance(token, owner, spender common.Address) *big.Int {
	w.t.Helper()
	out, err := w.world.call(stranger, token, tokenABI.Pack("allowance", owner, spender))
	require.NoError(w.t, err)

	return new(big.Int).SetBytes(out)
}

func (w *permitWorld) bytesOf(c Call) []byte {
	w.t.Helper()
	data, err := c.Encode()
	require.NoError(w.t, err)

	again, err := DecodeCall(data)
	require.NoError(w.t, err)
	require.Equal(w.t, c.Manner, again.Manner)

	return data
}

func (w *permitWorld) pays(c Call) {
	w.t.Helper()
	r := w.must(operator, w.router, w.bytesOf(c))

	for _, leg := range w.outcome(c.Batch, r).Legs {
		require.Equal(w.t, LegPaid, leg.Status, leg.Reason)
	}

	w.requireEmptyRouter(c.Token)
	require.Zero(w.t, w.allowance(c.Token, c.Payer, w.router).Sign(), "an approval is left over")
}

// each runs a test for every manner that rests on the payer's signature alone, with a token that has it.
func eachSignature(t *testing.T, test func(t *testing.T, w *permitWorld, m Manner, token common.Address)) {
	for _, m := range []Manner{ByPermit, ByAuthorization, ByPermit2} {
		t.Run(string(m), func(t *testing.T) {
			w := newPermitWorld(t)
			if m == ByPermit2 {
				w.must(payer, w.usdc, tokenABI.Pack("approve", Permit2, unlimited))
			}

			test(t, w, m, w.usdc)
		})
	}
}

// A payer who never sent a transaction pays: the signature travels with the batch and leaves no approval.
func TestOneSignaturePaysWithoutAnApproval(t *testing.T) { // X-01 X-03 X-05
	eachSignature(t, func(t *testing.T, w *permitWorld, m Manner, token common.Address) {
		for _, n := range []int{1, 30, 32} {
			c := w.signedCall(m, w.batch(token, n), farFuture, payer)
			w.pays(c)

			require.Contains(t, w.refused(operator, w.router, w.bytesOf(c)), "was executed before")
		}
	})

	w := newPermitWorld(t)
	w.pays(w.signedCall(ByPermit, w.batch(w.dai, 3), farFuture, payer)) // a plain EIP-2612 token
}

// A signature pays nothing but what was signed: not another sum, token, number or time, and for manners that name the
// payees no other payees. Nobody else's signature counts.
func TestSignaturesBindTheBatch(t *testing.T) { // X-02 X-05 X-11
	eachSignature(t, func(t *testing.T, w *permitWorld, m Manner, token common.Address) {
		signed := w.signedCall(m, w.batch(token, 3), farFuture, payer)

		changes := map[string]func(c *Call){
			"amount":   func(c *Call) { c.Legs[0].Amount = big.NewInt(7_777) },
			"deadline": func(c *Call) { c.Deadline = new(big.Int).Add(farFuture, big.NewInt(1)) },
			"payer":    func(c *Call) { c.Payer = owner.address },
			"fewer":    func(c *Call) { c.Legs = c.Legs[:2] },
		}
		if m != ByPermit {
			changes["payee"] = func(c *Call) { c.Legs[1].To = stranger.address }
			changes["number"] = func(c *Call) { c.Number = big.NewInt(9_999) }
		}

		for name, change := range changes {
			c := signed
			c.Legs = append([]Leg{}, signed.Legs...)
			change(&c)
			require.NotEmpty(t, w.refused(operator, w.router, w.bytesOf(c)), name)
		}

		other := w.signedCall(m, signed.Batch, farFuture, stranger)

		reason := w.refused(operator, w.router, w.bytesOf(other))
		if m == ByAuthorization {
			require.Contains(t, reason, "is used or not valid")
		}

		require.Contains(t, w.refused(stranger, w.router, w.bytesOf(signed)), "is not the router's operator")

		late := w.signedCall(m, signed.Batch, big.NewInt(w.now().Unix()-1), payer)
		require.Contains(t, w.refused(operator, w.router, w.bytesOf(late)), "expired")
		w.pays(signed)
	})
}

// Somebody who sees the permit in the pool and gives it to the token first stops nothing: the allowance is there.
func TestPermitUsedByAnotherIsNoFailure(t *testing.T) {
	w := newPermitWorld(t)
	c := w.signedCall(ByPermit, w.batch(w.dai, 2), farFuture, payer)

	w.must(stranger, w.dai, w.daiPermit(c))
	w.pays(c)

	// Used up before, by whatever: the batch reverts whole, and its number stays unused.
	again := w.signedCall(ByPermit, w.batch(w.dai, 2), farFuture, payer)
	again.Permit = c.Permit
	require.Contains(t, w.refused(operator, w.router, w.bytesOf(again)), "the permit of payer")
	require.False(t, w.executed(again.Number))
}

// daiPermit is the call by which anybody gives a permit to the token.
func (w *permitWorld) daiPermit(c Call) []byte {
	var r, s [32]byte

	copy(r[:], c.Permit[:32])
	copy(s[:], c.Permit[32:64])

	return daiABI.Pack("permit", c.Payer, w.router, c.Sum(), c.Deadline, c.Permit[64], r, s)
}

// A token without permits may answer anything, even success; nothing is paid without an allowance.
func TestPermitOfATokenWithoutPermitsPaysNothing(t *testing.T) {
	w := newPermitWorld(t)
	hostile := w.hostile()
	w.must(payer, hostile, tokenABI.Pack("approve", w.router, new(big.Int)))

	c := Call{Batch: w.batch(hostile, 1), Manner: ByPermit, Deadline: farFuture, Permit: make([]byte, 65)}
	require.Contains(t, w.refused(operator, w.router, w.bytesOf(c)), "the permit of payer")

	for _, m := range []Manner{ByAuthorization, ByPermit2} {
		c.Manner = m
		c.Signature = make([]byte, 65)
		w.refused(operator, w.router, w.bytesOf(c))
	}
}

// A payer who requires signed intents is not opened by a permit, which names no payees; with an intent besides it is,
// and the manners that name the payees are intents themselves.
func TestSignedIntentsOnlyHoldsForPermits(t *testing.T) {
	w := newPermitWorld(t)
	w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(true))

	c := w.signedCall(ByPermit, w.batch(w.usdc, 2), farFuture, payer)
	require.Contains(t, w.refused(operator, w.router, w.bytesOf(c)), "requires its signature")

	c.Signature = signIntent(t, w.world, stranger, c.Batch, farFuture)
	require.Contains(t, w.refused(operator, w.router, w.bytesOf(c)), "is not that of payer")

	c.Signature = signIntent(t, w.world, payer, c.Batch, farFuture)
	w.pays(c)
	w.pays(w.signedCall(ByAuthorization, w.batch(w.usdc, 2), farFuture, payer))

	b := w.batch(w.token, 1)
	pull, err := Call{Batch: b, Manner: ByPull}.Encode()
	require.NoError(t, err)
	require.Contains(t, w.refused(operator, w.router, pull), "requires its signature")
}

// A daily cap holds for what is signed, too, and what came back does not count.
func TestDailyCapHoldsForSignedBatches(t *testing.T) {
	eachSignature(t, func(t *testing.T, w *permitWorld, m Manner, token common.Address) {
		w.must(payer, w.router, routerABI.PackSetDailyCap(token, big.NewInt(250)))
		w.must(deployer, token, usdcABI.Pack("blacklist", payee(1)))

		c := w.signedCall(m, w.batch(token, 2), farFuture, payer) // 100 and 101, of which the second fails
		require.Equal(t, "PF", statuses(w.outcome(c.Batch, w.must(operator, w.router, w.bytesOf(c)))))

		c = w.signedCall(m, w.batch(token, 1), farFuture, payer)
		require.Equal(t, "P", statuses(w.outcome(c.Batch, w.must(operator, w.router, w.bytesOf(c)))))

		c = w.signedCall(m, w.batch(token, 1), farFuture, payer)
		require.Contains(t, w.refused(operator, w.router, w.bytesOf(c)), "50 base units are left")
	})
}

// One payee that the token refuses fails alone; what was pulled for it is back with the payer in the same call.
func TestWhatIsPulledAndNotPaidGoesBack(t *testing.T) { // X-03 X-10
	eachSignature(t, func(t *testing.T, w *permitWorld, m Manner, token common.Address) {
		w.must(deployer, token, usdcABI.Pack("blacklist", payee(1)))

		for _, n := range []int{3, PullFrom - 1, PullFrom} {
			before := w.balance(token, payer.address)

			c := w.signedCall(m, w.batch(token, n), farFuture, payer)
			receipt := w.must(operator, w.router, w.bytesOf(c))
			require.Equal(t, m != ByPermit || n >= PullFrom, w.pulled(receipt), "%d payments", n)

			out := w.outcome(c.Batch, receipt)
			require.Equal(t, "PF"+strings.Repeat("P", n-2), statuses(out))
			require.Contains(t, out.Legs[1].Reason, "blacklisted")

			paid := new(big.Int).Sub(before, w.balance(token, payer.address))
			require.Equal(t, new(big.Int).Sub(c.Sum(), c.Legs[1].Amount), paid)
			w.requireEmptyRouter(token)
		}
	})
}

// pulled reports whether a token has gone to the router.
func (w *permitWorld) pulled(receipt *types.Receipt) bool {
	return slices.ContainsFunc(receipt.Logs, func(log *types.Log) bool {
		return log.Topics[0] == transferTopic && log.Topics[2] == addressTopic(w.router)
	})
}

// A pull under an allowance has the same results as a transfer for each leg, whatever a payee makes of the token.
func TestPullPaysLikeTransfers(t *testing.T) { // X-03 X-04
	w := newPermitWorld(t)
	b := w.batch(w.token, 30)
	data := w.bytesOf(Call{Batch: b, Manner: ByPull})
	require.Contains(t, w.refused(stranger, w.router, data), "is not the router's operator")
	require.NotContains(t, statuses(w.outcome(b, w.must(operator, w.router, data))), "F")
	require.Contains(t, w.refused(operator, w.router, data), "was executed before")

	// Whatever else is in the router stays there: it is nobody's payment.
	w.must(payer, w.token, tokenABI.Pack("transfer", w.router, big.NewInt(5)))
	w.outcome(b, w.must(operator, w.router, w.bytesOf(Call{Batch: w.renumber(&b), Manner: ByPull})))
	require.Equal(t, int64(5), w.balance(w.token, w.router).Int64())
}

func (w *permitWorld) renumber(b *Batch) Batch {
	b.Number = big.NewInt(w.next)
	w.next++

	return *b
}

// A token that keeps a part of what is pulled moves nothing at all. X-04
func TestPullOfLessThanTheSumReverts(t *testing.T) {
	w := newPermitWorld(t)
	token := w.hostile()
	w.must(deployer, token, hostileABI.Pack("misbehave", w.router, uint8(11))) // TakeFee

	b := w.batch(token, 2)
	reason := w.refused(operator, w.router, w.bytesOf(Call{Batch: b, Manner: ByPull}))
	require.Contains(t, reason, "201 base units were pulled and")
	require.False(t, w.executed(b.Number))

	for manner, reason := range map[uint8]string{
		1: "did not answer true",           // ReturnFalse
		3: "were pulled and 0 arrived",     // ReturnTrueButKeep
		8: "no reason was given",           // RevertEmpty
		2: "the token did not answer true", // ReturnFalseButMove
	} {
		w.must(deployer, token, hostileABI.Pack("misbehave", w.router, manner))
		require.Contains(t, w.refused(operator, w.router, w.bytesOf(Call{Batch: b, Manner: ByPull})), reason)
	}
}

// What the router has pulled and passes on is as safe as what it pays leg by leg: a leg of an odd payee fails alone,
// and what it did not take is back with the payer. A token that says true and delivers less ends the batch as a whole.
// Read beside TestOddTokensFailAlone.
func TestOddTokensFailAloneWhenPassedOn(t *testing.T) { // X-03 X-04 X-10
	const contradicts = "what was not paid did not go back to the payer"

	w := newPermitWorld(t)

	for manner, want := range map[uint8]string{
		mannerHonest:             "PPP",
		mannerReturnFalse:        "PFP",
		mannerReturnFalseButMove: contradicts,
		mannerReturnTwo:          contradicts,
		mannerReturnShort:        contradicts,
		mannerReturnHuge:         "PPP",
		mannerRevertHuge:         "PFP",
		mannerRevertEmpty:        "PFP",
		mannerRevertPanic:        "PFP",
		mannerBurnGas:            "PFP",
		mannerNeedGas:            "PPP",
		mannerReturnTrueButKeep:  "101 base units that the token reported as paid were not",
		mannerTakeFee:            "1 base units that the token reported as paid were not",
	} {
		token := w.hostile(mannerHonest, manner, mannerHonest)
		before := w.balance(token, payer.address)
		b := w.batch(token, 3)
		data := w.bytesOf(Call{Batch: b, Manner: ByPull})

		switch {
		// It moved what it says it did not: the receipt is evidence of nothing, and people look.
		case want == contradicts:
			_, err := ParseReceipt(w.router, b, w.must(operator, w.router, data))
			require.ErrorContains(t, err, contradicts, "manner %d", manner)
			w.requireEmptyRouter(token)

			continue
		case len(want) != 3:
			require.Equal(t, want, w.refused(operator, w.router, data), "manner %d", manner)
			require.Equal(t, before, w.balance(token, payer.address))

			continue
		}

		require.Equal(t, want, statuses(w.outcome(b, w.must(operator, w.router, data))), "manner %d", manner)
		w.requireEmptyRouter(token)

		debit := int64(303)
		if want == "PFP" {
			debit -= 101
		}

		require.Equal(t, debit, new(big.Int).Sub(before, w.balance(token, payer.address)).Int64(), "manner %d", manner)
		require.Equal(t, big.NewInt(102), w.balance(token, payee(2)))
	}
}

// The worst batch of a token that passes on badly still ends within the chain's limit, and no payee may be the router.
func TestPassingOnIsBounded(t *testing.T) { // X-03 X-04 X-10
	w := newPermitWorld(t)

	manners := make([]uint8, MaxLegs)
	for i := range manners[:MaxLegs-1] {
		manners[i] = mannerBurnGas
	}

	b := w.batch(w.hostile(manners...), MaxLegs)
	r := w.must(operator, w.router, w.bytesOf(Call{Batch: b, Manner: ByPull}))
	require.Equal(t, strings.Repeat("F", MaxLegs-1)+"P", statuses(w.outcome(b, r)))
	require.Less(t, r.GasUsed, uint64(MaxLegs*(DefaultLegGas+8_000)))

	for at := range 3 {
		b := w.batch(w.token, 3)
		b.Legs[at].To = w.router
		require.Equal(
			t,
			"a payee is the router itself",
			w.refused(operator, w.router, w.bytesOf(Call{Batch: b, Manner: ByPull})),
		)
	}
}

// A batch that is passed on with any gas limit has its true outcome or no effect, as in TestShortGasNeverFailsALeg.
func TestShortGasNeverFailsALegPassedOn(t *testing.T) {
	w := newPermitWorld(t)
	token := w.hostile(mannerNeedGas, mannerNeedGas, mannerRevertEmpty, mannerNeedGas)
	executed := 0

	for gas := uint64(60_000); gas < 900_000; gas += 9_000 {
		b := w.batch(token, 4)

		r := w.send(operator, &w.router, w.bytesOf(Call{Batch: b, Manner: ByPull}), gas)
		if r.Status == types.ReceiptStatusFailed {
			require.False(t, w.executed(b.Number))
			continue
		}

		executed++
		require.Equal(t, "PPFP", statuses(w.outcome(b, r)), "with %d gas", gas)
	}

	require.Greater(t, executed, 10)
}

// A permit's deadline holds for the batch, too: what somebody gave to the token in time pays nothing after it.
func TestAPermitUsedInTimePaysNothingAfterIt(t *testing.T) {
	w := newPermitWorld(t)
	deadline := big.NewInt(w.now().Unix() + 3600)
	c := w.signedCall(ByPermit, w.batch(w.dai, 2), deadline, payer)
	w.must(stranger, w.dai, w.daiPermit(c))
	w.pass(2 * time.Hour)
	require.Contains(t, w.refused(operator, w.router, w.bytesOf(c)), "expired")
}

// A wallet contract signs a permit and an authorization by EIP-1271, where the token has the form with bytes.
func TestWalletContractSignsPermits(t *testing.T) {
	w := newPermitWorld(t)
	wallet := w.deploy(deployer, append(walletABI.Code, walletABI.Pack("", payer.address)...))
	w.must(deployer, w.usdc, tokenABI.Pack("mint", wallet, fortune))
	w.must(payer, wallet, walletABI.Pack("execute", w.usdc, tokenABI.Pack("approve", Permit2, unlimited)))

	for _, m := range []Manner{ByPermit, ByAuthorization, ByPermit2} {
		b := w.batch(w.usdc, 2)
		b.Payer = wallet
		w.refused(operator, w.router, w.bytesOf(w.signedCall(m, b, farFuture, stranger)))
		w.pays(w.signedCall(m, b, farFuture, payer))
	}
}

// payOwn needs nobody: the payer pays its own batch under numbers of its own, of which nobody can use up any.
func TestPayersPayTheirOwnBatches(t *testing.T) { // X-01 X-02
	w := newPermitWorld(t)
	b := w.batch(w.token, 3)
	data, err := EncodePayOwn(b, farFuture)
	require.NoError(t, err)

	_, err = DecodeCall(data)
	require.Error(t, err, "the operator's signer signs no such call")

	// A stranger has the same number for itself, and takes neither the payer's nor the operator's.
	strangers := b
	strangers.Payer = stranger.address
	w.must(deployer, w.token, tokenABI.Pack("mint", stranger.address, fortune))
	w.must(stranger, w.token, tokenABI.Pack("approve", w.router, unlimited))
	own, err := ParseOwnReceipt(w.router, strangers, w.must(stranger, w.router, data))
	require.NoError(t, err)
	require.Equal(t, "PPP", statuses(own))
	require.False(t, w.executed(b.Number))

	r := w.must(payer, w.router, data)
	own, err = ParseOwnReceipt(w.router, b, r)
	require.NoError(t, err)
	require.Equal(t, "PPP", statuses(own))

	_, err = ParseReceipt(w.router, b, r)
	require.Error(t, err, "it is no batch of the operator's")

	other := b
	other.Legs = b.Legs[:2]
	_, err = ParseOwnReceipt(w.router, other, r)
	require.ErrorContains(t, err, "other legs")

	// Both ways at once pay once, in either order.
	require.Contains(t, w.refused(payer, w.router, data), "was executed before")
	require.Contains(t, w.refused(operator, w.router, w.encode(b)), "was executed before")

	b = w.batch(w.token, 1)
	w.pay(b)
	data, err = EncodePayOwn(b, farFuture)
	require.NoError(t, err)
	require.Contains(t, w.refused(payer, w.router, data), "was executed before")
	w.pay(w.batch(w.token, 2)) // the operator goes on under other numbers
}

// What was never executed until its deadline never is; and a pause stops payers, too.
func TestOwnBatchesExpireAndPause(t *testing.T) {
	w := newPermitWorld(t)
	b := w.batch(w.token, 1)
	late, err := EncodePayOwn(b, big.NewInt(w.now().Unix()-1))
	require.NoError(t, err)
	require.Contains(t, w.refused(payer, w.router, late), "expired")

	data, err := EncodePayOwn(b, farFuture)
	require.NoError(t, err)
	w.must(guardian, w.router, routerABI.PackPause())
	require.Contains(t, w.refused(payer, w.router, data), "the router is paused")
	w.must(owner, w.router, routerABI.PackUnpause())

	// The payer's own rules are for the operator; they stay as they are.
	w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(true))
	w.must(payer, w.router, routerABI.PackSetDailyCap(w.token, big.NewInt(1)))
	w.must(payer, w.router, data)
	require.Contains(t, w.refused(operator, w.router, w.encode(w.batch(w.token, 1))), "requires its signature")

	data, err = EncodePayOwn(w.renumber(&b), farFuture)
	require.NoError(t, err)
	w.must(payer, w.router, data)
	require.Contains(t, w.refused(operator, w.router, w.encode(w.batch(w.token, 1))), "requires its signature")
	require.Contains(t, w.refusedAgain(b), "was executed before")
}

// Own batches are refused for the same shapes as the operator's.
func TestOwnBatchesOfAnotherShapeAreRefused(t *testing.T) {
	w := newPermitWorld(t)

	for _, length := range []int{0, 31, (MaxLegs + 1) * 32} {
		data := routerABI.PackPayOwn(w.token, big.NewInt(w.next), make([]byte, length), farFuture)
		require.Contains(t, w.refused(payer, w.router, data), "are not 1 to 32 legs", "%d bytes", length)
	}

	data, err := EncodePayOwn(w.batch(stranger.address, 1), farFuture)
	require.NoError(t, err)
	require.Contains(t, w.refused(payer, w.router, data), "there is no contract")
}

// A token that says that it gave back what no payee took, and kept it, reverts the batch: the router keeps nothing.
func TestWhatIsNotGivenBackReverts(t *testing.T) {
	w := newPermitWorld(t)
	token := w.hostile()
	w.must(deployer, token, hostileABI.Pack("misbehave", payee(1), uint8(8)))      // RevertEmpty
	w.must(deployer, token, hostileABI.Pack("misbehave", payer.address, uint8(3))) // ReturnTrueButKeep

	b := w.batch(token, 2)
	reason := w.refused(operator, w.router, w.bytesOf(Call{Batch: b, Manner: ByPull}))
	require.Contains(t, reason, "did not take 101 base units back")
	require.False(t, w.executed(b.Number))
}

// word is a number as an ABI word.
func word(n *big.Int) []byte { return common.LeftPadBytes(n.Bytes(), 32) }

func (w *permitWorld) refusedAgain(b Batch) string {
	w.t.Helper()
	return w.refusedIntent(b, payer, farFuture)
}

// A receipt of a pull proves payments only with the whole way of the money.
func TestReceiptOfAPullIsComparedWhole(t *testing.T) {
	w := newPermitWorld(t)
	b := w.batch(w.token, 2)
	r := w.must(operator, w.router, w.bytesOf(Call{Batch: b, Manner: ByPull}))
	require.Equal(t, "PP", statuses(w.outcome(b, r)))

	forged := *r
	forged.Logs = forged.Logs[1:] // without the pull the router paid out of nothing
	out, err := ParseReceipt(w.router, b, &forged)
	require.NoError(t, err)
	require.Equal(t, "UU", statuses(out))

	forged.Logs = append(forged.Logs[:0:0], r.Logs...)
	pull := *forged.Logs[0]
	pull.Data = common.LeftPadBytes([]byte{1}, 32)
	forged.Logs[0] = &pull
	_, err = ParseReceipt(w.router, b, &forged)
	require.ErrorContains(t, err, "is not the sum")
}
