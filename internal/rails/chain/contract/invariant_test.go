//go:build !nosandbox

package contract

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The adversary holds the operator's key and calls whatever it likes; the payers only follow their own plans.
//
//  1. Nothing leaves a payer that requires signatures, unless that payer signed exactly this batch.
//  2. What leaves a payer within a UTC day is at most its cap at that time.
//  3. What leaves a payer in all is at most what it approved, and the exact debit of each permit that it signed.
//  4. A batch number works at most once.
//  5. The router holds nothing after any call.
//
// The model below keeps the truth by itself and is compared after every step.
func TestStolenOperatorKeyIsBounded(t *testing.T) { // X-01 X-03 X-05 X-06
	c := newChain(t, osaka) // one for all cases; each case deploys its own contracts

	rapid.Check(t, func(rt *rapid.T) {
		m := newThief(c)

		rt.Repeat(map[string]func(*rapid.T){
			"steal":         m.steal,
			"steal signed":  m.stealSigned,
			"steal pulled":  m.stealByPull,
			"steal permit":  m.stealByPermit,
			"redirect":      m.redirect,
			"set cap":       m.setCap,
			"set signed":    m.setSigned,
			"approve":       m.approve,
			"let time pass": m.passTime,
			"call anything": m.callAnything,
			"":              m.check,
		})
	})
}

// A victim is one payer and the model of its policy.
type victim struct {
	account
	approved, left *big.Int // the allowance now; the balance the model expects
	cap, nextCap   int64    // -1: none
	nextCapAt      int64
	signed         bool
	clearsAt       int64
	day, spent     int64
}

type thief struct {
	w       *world
	victims []*victim
	used    map[int64]bool
	loot    int64
}

func newThief(c *chain) *thief {
	m := &thief{w: &world{chain: c, next: 1}, used: map[int64]bool{}}
	m.w.router = m.w.deployRouter()

	m.w.token = m.w.deploy(deployer, SampleOf("TestUSDC").Code)
	for _, who := range []account{payer, stranger} {
		v := &victim{
			account:  who,
			approved: big.NewInt(5000),
			left:     big.NewInt(20_000),
			cap:      -1,
			nextCap:  -1,
		}

		m.w.must(deployer, m.w.token, tokenABI.Pack("mint", who.address, v.left))
		m.w.must(who, m.w.token, tokenABI.Pack("approve", m.w.router, v.approved))
		m.victims = append(m.victims, v)
	}

	return m
}

func (m *thief) victim(rt *rapid.T) *victim { return rapid.SampledFrom(m.victims).Draw(rt, "victim") }

func (m *thief) draw(rt *rapid.T, v *victim) (Batch, int64, int64) {
	number := rapid.Int64Range(0, 40).Draw(rt, "number")
	b := Batch{Payer: v.address, Token: m.w.token, Number: big.NewInt(number)}

	var sum int64
	for range rapid.IntRange(1, 4).Draw(rt, "legs") {
		amount := rapid.Int64Range(1, 900).Draw(rt, "amount")
		b.Legs = append(b.Legs, Leg{guardian.address, big.NewInt(amount)})
		sum += amount
	}

	return b, number, sum
}

func (m *thief) steal(rt *rapid.T) {
	v := m.victim(rt)
	b, number, sum := m.draw(rt, v)
	r := m.w.send(operator, &m.w.router, m.w.encode(b), plentyOfGas)
	m.settle(rt, v, b, number, sum, r, !v.needsSignature(m.time()))
}

func (m *thief) stealSigned(rt *rapid.T) {
	v := m.victim(rt)
	b, number, sum := m.draw(rt, v)
	signer := rapid.SampledFrom([]account{payer, stranger, operator}).Draw(rt, "signer")
	data, err := encodeIntent(b, farFuture, signIntent(m.w.t, m.w, signer, b, farFuture))
	require.NoError(rt, err)
	r := m.w.send(operator, &m.w.router, data, plentyOfGas)
	m.settle(rt, v, b, number, sum, r, signer.address == v.address)
}

// allowed predicts whether the router lets a batch begin, and moves the model to the batch's day.
func (m *thief) allowed(v *victim, number, sum int64, authorised bool) bool {
	now := m.time()
	limit := v.capAt(now)

	if day := now / 86400; v.day != day {
		v.day = day
		v.spent = 0
	}

	return authorised && !m.used[number] && (limit < 0 || v.spent+sum <= limit)
}

// took moves the model by what the thief got.
func (m *thief) took(v *victim, units int64) {
	v.approved = new(big.Int).Sub(v.approved, big.NewInt(units))
	v.left = new(big.Int).Sub(v.left, big.NewInt(units))
	m.loot += units

	if v.cap >= 0 || v.nextCapAt != 0 {
		v.spent += units
	}
}

// stealByPull takes all or nothing.
func (m *thief) stealByPull(rt *rapid.T) {
	v := m.victim(rt)
	b, number, sum := m.draw(rt, v)
	data, err := Call{Batch: b, Manner: ByPull}.Encode()
	require.NoError(rt, err)

	r := m.w.send(operator, &m.w.router, data, plentyOfGas)
	fits := v.approved.Cmp(big.NewInt(sum)) >= 0 && v.left.Cmp(big.NewInt(sum)) >= 0

	if !m.allowed(v, number, sum, !v.needsSignature(m.time())) || !fits {
		require.Equal(rt, types.ReceiptStatusFailed, r.Status)
		return
	}

	require.Equal(rt, types.ReceiptStatusSuccessful, r.Status)

	m.used[number] = true
	m.took(v, sum)
}

// stealByPermit takes the permit that a victim has signed for an honest batch, and sends it with payees of its own: the
// sum cannot be another.
func (m *thief) stealByPermit(rt *rapid.T) {
	v := m.victim(rt)
	b, number, sum := m.draw(rt, v)

	honest := b
	honest.Legs = []Leg{{payee(1), big.NewInt(sum)}}
	domain := Domain{Name: "USD Coin (test)", Version: "1", ChainID: m.w.id, Contract: m.w.token}
	out, err := m.w.call(stranger, m.w.token, usdcABI.Pack("nonces", v.address))
	require.NoError(rt, err)

	typed, err := PermitTypedData(domain, m.w.router, honest, new(big.Int).SetBytes(out), farFuture)
	require.NoError(rt, err)
	digest, err := typed.Digest()
	require.NoError(rt, err)

	c := Call{Batch: b, Manner: ByPermit, Deadline: farFuture, Permit: sign(m.w.t, v.account, digest)}
	if rapid.Bool().Draw(rt, "more than signed") {
		c.Legs = append(append([]Leg{}, b.Legs...), Leg{guardian.address, big.NewInt(5001)})
	}

	data, err := c.Encode()
	require.NoError(rt, err)

	r := m.w.send(operator, &m.w.router, data, plentyOfGas)
	if len(c.Legs) > len(b.Legs) || !m.allowed(v, number, sum, !v.needsSignature(m.time())) {
		require.Equal(rt, types.ReceiptStatusFailed, r.Status)
		return
	}

	require.Equal(rt, types.ReceiptStatusSuccessful, r.Status)

	m.used[number] = true
	v.approved = big.NewInt(sum)

	for _, leg := range b.Legs {
		if v.left.Cmp(leg.Amount) >= 0 {
			m.took(v, leg.Amount.Int64())
		}
	}
}

// redirect takes what a victim has signed for an honest batch in a manner that names the payees, and sends it with its
// own: nothing moves.
func (m *thief) redirect(rt *rapid.T) {
	v := m.victim(rt)
	b, _, sum := m.draw(rt, v)

	honest := b
	honest.Legs = []Leg{{payee(1), big.NewInt(sum)}}
	domain := Domain{Name: "USD Coin (test)", Version: "1", ChainID: m.w.id, Contract: m.w.token}

	typed, err := AuthorizationTypedData(domain, m.w.router, honest, farFuture)
	require.NoError(rt, err)

	manner := rapid.SampledFrom([]Manner{ByAuthorization, ByPermit2, ByIntent}).Draw(rt, "manner")
	switch manner {
	case ByPermit2:
		typed, err = Permit2TypedData(m.w.id, m.w.router, honest, farFuture)
	case ByIntent:
		typed, err = IntentTypedData(m.w.id, m.w.router, honest, farFuture)
	default:
	}

	require.NoError(rt, err)
	digest, err := typed.Digest()
	require.NoError(rt, err)

	data, err := Call{Batch: b, Manner: manner, Deadline: farFuture, Signature: sign(m.w.t, v.account, digest)}.Encode()
	require.NoError(rt, err)
	require.Equal(rt, types.ReceiptStatusFailed, m.w.send(operator, &m.w.router, data, plentyOfGas).Status)
}

// settle predicts what the call must have done and moves the model.
func (m *thief) settle(rt *rapid.T, v *victim, b Batch, number, sum int64, r *types.Receipt, authorised bool) {
	now := m.time()
	limit := v.capAt(now)

	day := now / 86400
	if v.day != day {
		v.day = day
		v.spent = 0
	}

	if !authorised || m.used[number] || limit >= 0 && v.spent+sum > limit {
		require.Equal(rt, types.ReceiptStatusFailed, r.Status)
		return
	}

	require.Equal(rt, types.ReceiptStatusSuccessful, r.Status)

	m.used[number] = true
	for i, leg := range m.w.outcome(b, r).Legs {
		fits := v.approved.Cmp(leg.Leg.Amount) >= 0 && v.left.Cmp(leg.Leg.Amount) >= 0
		require.Equal(rt, fits, leg.Status == LegPaid, "leg %d", i)

		if fits {
			v.approved = new(big.Int).Sub(v.approved, leg.Leg.Amount)
			v.left = new(big.Int).Sub(v.left, leg.Leg.Amount)

			m.loot += leg.Leg.Amount.Int64()
			if v.cap >= 0 || v.nextCapAt != 0 {
				v.spent += leg.Leg.Amount.Int64()
			}
		}
	}
}

func (m *thief) setCap(rt *rapid.T) {
	v := m.victim(rt)
	limit := rapid.Int64Range(0, 3000).Draw(rt, "cap")
	m.w.must(v.account, m.w.router, routerABI.PackSetDailyCap(m.w.token, big.NewInt(limit)))
	now := m.time()
	current := v.capAt(now)
	v.cap = current

	v.nextCapAt = 0
	if current >= 0 && limit > current {
		v.nextCap = limit
		v.nextCapAt = now + int64(loosenDelay/time.Second)
	} else {
		v.cap = limit
	}
}

func (m *thief) setSigned(rt *rapid.T) {
	v := m.victim(rt)
	on := rapid.Bool().Draw(rt, "on")
	m.w.must(v.account, m.w.router, routerABI.PackSetSignedIntentsOnly(on))

	now := m.time()
	switch {
	case on:
		v.signed = true
		v.clearsAt = 0
	case v.needsSignature(now):
		v.clearsAt = now + int64(loosenDelay/time.Second)
	}
}

func (m *thief) approve(rt *rapid.T) {
	v := m.victim(rt)
	v.approved = big.NewInt(rapid.Int64Range(0, 5000).Draw(rt, "allowance"))
	m.w.must(v.account, m.w.token, tokenABI.Pack("approve", m.w.router, v.approved))
}

func (m *thief) passTime(rt *rapid.T) {
	m.w.pass(time.Duration(rapid.Int64Range(1, 50).Draw(rt, "hours")) * time.Hour)
}

// callAnything sends every other function of the router, with the operator's key, and random bytes.
func (m *thief) callAnything(rt *rapid.T) {
	data := rapid.SliceOfN(rapid.Byte(), 0, 200).Draw(rt, "bytes")
	if rapid.Bool().Draw(rt, "known function") {
		names := []string{
			"setOperator", "setGuardian", "unpause", "pause", "transferOwnership", "acceptOwnership",
			"renounceOwnership", "pay", "payWithIntent", "payByPull", "payWithPermit", "payWithAuthorization",
			"payWithPermit2", "payOwn", "setFurtherOperator",
		}
		method := routerABI.abi.Methods[rapid.SampledFrom(names).Draw(rt, "function")]
		data = append(append([]byte{}, method.ID...), data...)
	}

	r := m.w.send(operator, &m.w.router, data, plentyOfGas)
	require.Equal(rt, types.ReceiptStatusFailed, r.Status)
}

func (m *thief) check(rt *rapid.T) {
	for _, v := range m.victims {
		require.Equal(rt, v.left.String(), m.w.balance(m.w.token, v.address).String())
	}

	require.Equal(rt, m.loot, m.w.balance(m.w.token, guardian.address).Int64())
	require.Zero(rt, m.w.balance(m.w.token, m.w.router).Sign())
}

func (m *thief) time() int64 { return m.w.now().Unix() }

func (v *victim) capAt(now int64) int64 {
	if v.nextCapAt != 0 && now >= v.nextCapAt {
		return v.nextCap
	}

	return v.cap
}

func (v *victim) needsSignature(now int64) bool {
	return v.signed && (v.clearsAt == 0 || now < v.clearsAt)
}
