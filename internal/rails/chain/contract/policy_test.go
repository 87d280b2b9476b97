//go:build !nosandbox

package contract

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"
)

const loosenDelay = 48 * time.Hour

// startOfDay moves to ten minutes past the next UTC midnight, so that a test knows how much of the day is left.
func (w *world) startOfDay() {
	w.t.Helper()
	now := w.now().UTC()
	w.pass(now.Truncate(24 * time.Hour).Add(24*time.Hour + 10*time.Minute).Sub(now))
}

func (w *world) setCap(limit *big.Int) {
	w.t.Helper()
	w.must(payer, w.router, routerABI.PackSetDailyCap(w.token, limit))
}

// payAmount pays one leg and returns an empty string, or returns why it was refused.
func (w *world) payAmount(amount int64) string {
	w.t.Helper()
	b := w.batch(w.token, 1)
	b.Legs[0].Amount = big.NewInt(amount)

	_, err := w.call(operator, w.router, w.encode(b))
	if err == nil {
		require.Equal(w.t, "P", statuses(w.pay(b)))
	}

	return explainCallError(err)
}

func (w *world) cap() DailyCapOutput {
	w.t.Helper()
	data, err := w.call(stranger, w.router, routerABI.PackDailyCap(payer.address, w.token))
	require.NoError(w.t, err)
	out, err := routerABI.UnpackDailyCap(data)
	require.NoError(w.t, err)

	return out
}

func TestDailyCapHoldsPerUTCDay(t *testing.T) {
	w := newWorld(t)
	require.Equal(t, NoCap, w.cap().Limit)

	w.startOfDay()
	w.setCap(big.NewInt(1000))
	require.Empty(t, w.payAmount(600))
	require.Contains(t, w.payAmount(401), "400 base units are left today, the batch wants 401")
	require.Empty(t, w.payAmount(400))
	require.Contains(t, w.payAmount(1), "0 base units are left today")
	require.Equal(t, big.NewInt(1000), w.cap().SpentToday)

	w.pass(24 * time.Hour)
	require.Zero(t, w.cap().SpentToday.Sign())
	require.Empty(t, w.payAmount(1000))
}

func TestDailyCapCountsTheWholeBatch(t *testing.T) {
	w := newWorld(t)
	w.startOfDay()
	w.setCap(big.NewInt(302)) // 100 + 101 + 102 is one more
	require.Contains(t, w.refused(operator, w.router, w.encode(w.batch(w.token, 3))), "the batch wants 303")
	require.Equal(t, "PP", statuses(w.pay(w.batch(w.token, 2))))
}

func TestDailyCapIsLoweredAtOnceAndRaisedAfterTwoDays(t *testing.T) {
	w := newWorld(t)
	w.startOfDay()
	w.setCap(big.NewInt(1000))
	w.setCap(big.NewInt(500))
	require.Contains(t, w.payAmount(501), "500 base units are left")

	w.setCap(big.NewInt(800)) // waits
	require.Equal(t, big.NewInt(500), w.cap().Limit)
	require.Equal(t, big.NewInt(800), w.cap().NextLimit)
	w.pass(loosenDelay - time.Minute)
	require.Contains(t, w.payAmount(501), "500 base units are left")
	w.pass(2 * time.Minute)
	require.Empty(t, w.payAmount(800))
	require.Equal(t, big.NewInt(800), w.cap().Limit)
	require.Zero(t, w.cap().NextFrom.Sign())
}

func TestScheduledRaiseIsReplacedByALaterCall(t *testing.T) {
	w := newWorld(t)
	w.startOfDay()
	w.setCap(big.NewInt(100))
	w.setCap(NoCap) // clearing is a raise
	w.pass(24 * time.Hour)
	w.setCap(big.NewInt(200)) // begins its own 48 hours
	w.pass(25 * time.Hour)
	require.Contains(t, w.payAmount(101), "100 base units are left")

	w.setCap(big.NewInt(100)) // the present value cancels
	w.pass(loosenDelay)
	require.Contains(t, w.payAmount(101), "100 base units are left")

	w.setCap(NoCap)
	w.pass(loosenDelay + time.Minute)
	require.Empty(t, w.payAmount(1_000_000))

	w.setCap(big.NewInt(50)) // what fell due counts as present: this is a lowering
	require.Contains(t, w.payAmount(51), "base units are left")
}

// A raise that fell due stays the present limit while the next raise waits.
func TestDueRaiseHoldsWhileTheNextOneWaits(t *testing.T) {
	w := newWorld(t)
	w.startOfDay()
	w.setCap(big.NewInt(100))
	w.setCap(big.NewInt(500))
	w.pass(loosenDelay + time.Minute)
	w.setCap(big.NewInt(900))
	require.Equal(t, big.NewInt(500), w.cap().Limit)
	require.Empty(t, w.payAmount(500))
}

func TestDailyCapCannotExceedItsField(t *testing.T) {
	w := newWorld(t)
	over := new(big.Int).Add(NoCap, big.NewInt(1))
	require.Contains(t, w.refused(payer, w.router, routerABI.PackSetDailyCap(w.token, over)), "does not fit 104 bits")

	require.Contains(
		t,
		w.refused(payer, w.router, routerABI.PackSetDailyCap(w.token, unlimited)),
		"does not fit 104 bits",
	)
}

func TestCapsAreApartByTokenAndPayer(t *testing.T) {
	w := newWorld(t)
	w.must(stranger, w.router, routerABI.PackSetDailyCap(w.token, big.NewInt(0)))
	w.must(payer, w.router, routerABI.PackSetDailyCap(w.hostile(), big.NewInt(0)))
	require.Empty(t, w.payAmount(1_000))
	w.setCap(big.NewInt(0)) // the payer's own stop
	require.Contains(t, w.payAmount(1), "0 base units are left")
	require.Equal(t, "P", statuses(w.pay(w.batch(w.hostile(), 1))))
}

// What a token refused is given back to the cap; what it only denied (it may have moved all the same) is not.
func TestDailyCapGivesBackOnlyWhatWasReverted(t *testing.T) { // X-05 X-06
	w := newWorld(t)
	w.startOfDay()
	w.token = w.hostile(mannerRevertEmpty, mannerReturnFalseButMove, mannerReturnFalse, mannerHonest)
	w.setCap(big.NewInt(1000))
	require.Equal(t, "FUFP", statuses(w.pay(w.batch(w.token, 4))))
	require.Equal(t, big.NewInt(101+102+103), w.cap().SpentToday)
}

func TestSignedIntentsOnlyRefusesPlainPay(t *testing.T) { // X-05 X-07
	w := newWorld(t)
	w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(true))
	require.Equal(t, "payer "+payer.address.Hex()+" requires its signature for every batch", w.payAmount(1))
	b := w.batch(w.token, 1)
	require.Equal(t, "P", statuses(w.payByIntent(b, payer)))
}

func TestSignedIntentsOnlyEndsAfterTwoDays(t *testing.T) {
	w := newWorld(t)
	set := func(on bool) { w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(on)) }
	set(false) // nothing to end
	require.Empty(t, w.payAmount(1))

	set(true)
	set(false)
	w.pass(loosenDelay - time.Minute)
	require.NotEmpty(t, w.payAmount(1))

	set(true) // cancels
	w.pass(loosenDelay)
	require.NotEmpty(t, w.payAmount(1))

	set(false)
	w.pass(24 * time.Hour)
	set(false) // a second call begins the wait again
	w.pass(25 * time.Hour)
	require.NotEmpty(t, w.payAmount(1))

	w.pass(loosenDelay)
	require.Empty(t, w.payAmount(1))

	set(true)
	require.NotEmpty(t, w.payAmount(1))
}

func TestTheTwoPoliciesDoNotTouchEachOther(t *testing.T) {
	w := newWorld(t)
	w.startOfDay()
	w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(true))
	w.setCap(big.NewInt(150))
	w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(true)) // again, with a cap in place
	require.Contains(t, w.payAmount(1), "requires its signature")

	b := w.batch(w.token, 2)
	require.Contains(t, w.refusedIntent(b, payer, farFuture), "150 base units are left today, the batch wants 201")

	w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(false))
	w.pass(loosenDelay + time.Minute)
	require.Contains(t, w.payAmount(151), "150 base units are left")
	require.Empty(t, w.payAmount(150))
}

func TestGuardianStopsPaymentsAtOnce(t *testing.T) {
	w := newWorld(t)
	for _, who := range []account{guardian, owner} {
		w.must(who, w.router, routerABI.PackPause())
		require.Equal(t, "the router is paused", w.payAmount(1))
		require.Equal(t, "the router is paused", w.refusedIntent(w.batch(w.token, 1), payer, farFuture))

		for _, other := range []account{guardian, operator, payer, stranger} {
			require.Contains(t, w.refused(other, w.router, routerABI.PackUnpause()), "is not the owner")
		}

		w.must(owner, w.router, routerABI.PackUnpause())
		require.Empty(t, w.payAmount(1))
	}

	for _, other := range []account{operator, payer, stranger} {
		require.Contains(
			t,
			w.refused(other, w.router, routerABI.PackPause()),
			"neither the router's guardian nor its owner",
		)
	}
}

func TestPayerCutsItselfOffWhilePaused(t *testing.T) {
	w := newWorld(t)
	w.must(guardian, w.router, routerABI.PackPause())
	w.setCap(big.NewInt(0))
	w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(true))
	w.must(payer, w.token, tokenABI.Pack("approve", w.router, big.NewInt(0)))
	w.must(owner, w.router, routerABI.PackUnpause())
	require.Contains(t, w.payAmount(1), "requires its signature")
}

func TestOwnerChangesOperatorAndGuardian(t *testing.T) { // X-07 X-08
	w := newWorld(t)
	w.must(guardian, w.router, routerABI.PackPause())
	w.must(owner, w.router, routerABI.PackSetOperator(stranger.address))
	require.Contains(t, w.payAmount(1), "is not the router's operator")
	require.Equal(t, "the router is paused", w.refused(stranger, w.router, w.encode(w.batch(w.token, 1))),
		"a new operator must not unpause")
	w.must(owner, w.router, routerABI.PackUnpause())
	w.must(stranger, w.router, w.encode(w.batch(w.token, 1)))

	w.must(owner, w.router, routerABI.PackSetGuardian(stranger.address))
	require.NotEmpty(t, w.refused(guardian, w.router, routerABI.PackPause()))
	w.must(stranger, w.router, routerABI.PackPause())

	for _, who := range []account{operator, guardian, payer, stranger} {
		require.Contains(t, w.refused(who, w.router, routerABI.PackSetOperator(who.address)), "is not the owner")
		require.Contains(t, w.refused(who, w.router, routerABI.PackSetGuardian(who.address)), "is not the owner")
		require.Contains(t, w.refused(who, w.router, routerABI.PackTransferOwnership(who.address)), "is not the owner")
	}

	data, err := w.call(stranger, w.router, routerABI.PackOperator())
	require.NoError(t, err)
	now, err := routerABI.UnpackOperator(data)
	require.NoError(t, err)
	require.Equal(t, stranger.address, now)
}

// isOperator asks the router.
func (w *world) isOperator(who account) bool {
	w.t.Helper()

	data, err := w.call(stranger, w.router, routerABI.PackIsOperator(who.address))
	require.NoError(w.t, err)

	is, err := routerABI.UnpackIsOperator(data)
	require.NoError(w.t, err)

	return is
}

// Several operators share the load: a further one pays as the first does, is stopped by the same pause, and is taken
// away at once without the others.
func TestFurtherOperatorsPayBesideTheFirst(t *testing.T) { // X-07 X-08 K-07
	w := newWorld(t)
	pays := func(who account) string { return w.refused(who, w.router, w.encode(w.batch(w.token, 1))) }

	require.True(t, w.isOperator(operator))
	require.False(t, w.isOperator(stranger))
	require.Contains(t, pays(stranger), "is not the router's operator")

	for _, who := range []account{operator, guardian, payer, stranger} {
		data := routerABI.PackSetFurtherOperator(stranger.address, true)
		require.Contains(t, w.refused(who, w.router, data), "is not the owner")
	}

	w.must(owner, w.router, routerABI.PackSetFurtherOperator(stranger.address, true))
	require.True(t, w.isOperator(stranger))
	b := w.batch(w.token, 2)
	w.must(stranger, w.router, w.encode(b))
	require.Contains(t, w.refused(operator, w.router, w.encode(b)), "was executed before", "one book of numbers")
	w.must(operator, w.router, w.encode(w.batch(w.token, 1)))

	w.must(guardian, w.router, routerABI.PackPause())
	require.Equal(t, "the router is paused", pays(stranger))
	require.Equal(t, "the router is paused", pays(operator))
	w.must(owner, w.router, routerABI.PackUnpause())

	w.must(owner, w.router, routerABI.PackSetOperator(common.Address{}))
	require.False(t, w.isOperator(operator))
	require.False(t, w.isOperator(account{}), "the zero address is nobody")
	w.must(stranger, w.router, w.encode(w.batch(w.token, 1)))

	w.must(owner, w.router, routerABI.PackSetFurtherOperator(stranger.address, false))
	require.Contains(t, pays(stranger), "is not the router's operator")
}

func TestOwnershipMovesInTwoStepsAndIsNeverRenounced(t *testing.T) {
	w := newWorld(t)
	require.Equal(t, "the router's ownership cannot be renounced",
		w.refused(owner, w.router, routerABI.PackRenounceOwnership()))

	w.must(owner, w.router, routerABI.PackTransferOwnership(stranger.address))
	require.Contains(t, w.refused(stranger, w.router, routerABI.PackUnpause()), "is not the owner")
	require.Contains(t, w.refused(guardian, w.router, routerABI.PackAcceptOwnership()), "is not the owner")

	w.must(stranger, w.router, routerABI.PackAcceptOwnership())
	w.must(stranger, w.router, routerABI.PackUnpause())
	require.Contains(t, w.refused(owner, w.router, routerABI.PackUnpause()), "is not the owner")
}

func TestRouterRefusesSenselessLegGas(t *testing.T) {
	c := newChain(t, osaka)

	for gas, ok := range map[uint64]bool{99_999: false, 100_000: true, 1_000_000: true, 1_000_001: false} {
		r := c.send(
			deployer,
			nil,
			RouterCreationCode(owner.address, operator.address, guardian.address, gas),
			plentyOfGas,
		)
		require.Equal(t, ok, r.Status == types.ReceiptStatusSuccessful, "%d gas a leg", gas)
	}
}

// Every change of a role or a policy is on record. X-08
func TestChangesAreLogged(t *testing.T) {
	w := newWorld(t)

	var names []string
	see := func(r *types.Receipt) {
		for _, log := range r.Logs {
			event, err := routerABI.abi.EventByID(log.Topics[0])
			require.NoError(t, err)

			names = append(names, event.Name)
		}
	}
	see(w.must(guardian, w.router, routerABI.PackPause()))
	see(w.must(owner, w.router, routerABI.PackUnpause()))
	see(w.must(owner, w.router, routerABI.PackSetOperator(stranger.address)))
	see(w.must(owner, w.router, routerABI.PackSetFurtherOperator(stranger.address, true)))
	see(w.must(owner, w.router, routerABI.PackSetGuardian(stranger.address)))
	see(w.must(payer, w.router, routerABI.PackSetDailyCap(w.token, big.NewInt(5))))
	see(w.must(payer, w.router, routerABI.PackSetDailyCap(w.token, big.NewInt(6))))
	see(w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(true)))
	see(w.must(payer, w.router, routerABI.PackSetSignedIntentsOnly(false)))
	require.Equal(t, "Paused Unpaused OperatorChanged FurtherOperatorChanged GuardianChanged DailyCapSet "+
		"DailyCapScheduled SignedIntentsRequired SignedIntentsClearScheduled", strings.Join(names, " "))
}
