package setup

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/contract"
)

// Rotation is a change of an operator's key.
type Rotation struct {
	Old   common.Address // the further operator that is replaced; zero: the router's first operator
	New   common.Address
	Owner chain.Signer // of the router; nil: its calls are sent by somebody else
}

// Drilled is what a drill has found out, and what is left to do.
type Drilled struct {
	Router, Owner, Old common.Address
	Findings           []Finding
	Calls              [][]byte // of the owner, in this order; none if the new key is an operator and the old one is not
}

// leastGasMoney is what a new key should have before it is needed, in wei: some hundred batches at usual prices.
var leastGasMoney = big.NewInt(10_000_000_000_000_000)

// Drill looks whether a rotation would work, by asking the chain what each call would do. It sends nothing, so it can
// be carried out any day: what is missing on the day when a key is stolen is found out before.
func (c *Chain) Drill(ctx context.Context, r Rotation) (Drilled, error) {
	out := Drilled{Router: common.HexToAddress(c.network.Router), Old: r.Old}
	if c.network.Router == "" {
		return out, errors.New("its router is not configured")
	}

	binding := contract.NewSlipwayRouter()

	roles := make([]common.Address, 3)
	for i, data := range [][]byte{binding.PackOwner(), binding.PackOperator(), binding.PackGuardian()} {
		answer, err := c.ask(ctx, common.Address{}, out.Router, data)
		if err != nil || len(answer) != 32 {
			return out, errors.Join(fmt.Errorf("at %s is no router", out.Router.Hex()), err)
		}

		roles[i] = common.BytesToAddress(answer)
	}

	out.Owner = roles[0]

	further := r.Old != common.Address{}

	switch {
	case !further:
		out.Old = roles[1]
	case r.Old == roles[1]:
		return out, fmt.Errorf("%s is the router's first operator and no further one: leave --old out", r.Old.Hex())
	}

	if err := c.plan(ctx, &out, r, further); err != nil {
		return out, err
	}

	out.would(c.ask(ctx, roles[2], out.Router, binding.PackPause()))(
		"pause", "the guardian "+roles[2].Hex()+" can stop the router", "have the owner set another guardian")

	if r.Owner != nil && r.Owner.Address() != out.Owner {
		out.say("owner", Wrong, "the key is of "+r.Owner.Address().Hex()+", the router's owner is "+out.Owner.Hex(),
			"give the owner's key, or none and send the calls by its wallet")
	}

	return out, c.keys(ctx, &out, r)
}

// plan finds the owner's calls, and simulates each.
func (c *Chain) plan(ctx context.Context, out *Drilled, r Rotation, further bool) error {
	binding := contract.NewSlipwayRouter()

	may, err := c.isOperator(ctx, out.Router, r.New)
	if err != nil {
		return err
	}

	old, err := c.isOperator(ctx, out.Router, out.Old)
	if err != nil {
		return err
	}

	switch {
	case out.Old == r.New || may && !old:
		out.say("router", Fine, r.New.Hex()+" is an operator already", "")
		return nil
	case further:
		out.Calls = append(out.Calls, binding.PackSetFurtherOperator(out.Old, false))
		if !may {
			out.Calls = append(out.Calls, binding.PackSetFurtherOperator(r.New, true))
		}
	default:
		out.Calls = append(out.Calls, binding.PackSetOperator(r.New))
	}

	for _, data := range out.Calls {
		out.would(c.ask(ctx, out.Owner, out.Router, data))(
			"owner", "the owner "+out.Owner.Hex()+" can replace "+out.Old.Hex(), "look at the router's owner")
	}

	return nil
}

// keys looks at the gas money of the new key, and at what the old one has sent and no block has taken.
func (c *Chain) keys(ctx context.Context, out *Drilled, r Rotation) error {
	money, err := c.client.BalanceAt(ctx, r.New, nil)
	if err != nil {
		return fmt.Errorf("gas money of the new key: %w", err)
	}

	state := Fine
	if money.Sign() == 0 {
		state = Wrong
	} else if money.Cmp(leastGasMoney) < 0 {
		state = Watch
	}

	out.say("new key", state, r.New.Hex()+" has "+money.String()+" wei for gas", "send it coins of the chain")

	mined, err := c.client.NonceAt(ctx, out.Old, nil)
	if err != nil {
		return fmt.Errorf("nonce of the old key: %w", err)
	}

	sent, err := c.client.PendingNonceAt(ctx, out.Old)
	if err != nil {
		return fmt.Errorf("nonce of the old key: %w", err)
	}

	if sent > mined {
		out.say("old key", Watch, fmt.Sprintf("%s has %d transactions in no block", out.Old.Hex(), sent-mined),
			"the router refuses what is mined afterwards; see docs/how-to/rotate-keys.md")
	} else {
		out.say("old key", Fine, out.Old.Hex()+" has nothing under way", "")
	}

	return nil
}

// Rotated returns an error unless the router takes the new key and not the old one.
func (c *Chain) Rotated(ctx context.Context, router, now, old common.Address) error {
	may, err := c.isOperator(ctx, router, now)
	if err != nil {
		return err
	}

	still, err := c.isOperator(ctx, router, old)
	if err != nil {
		return err
	}

	if !may || still {
		return fmt.Errorf("the router %s has not taken the change", router.Hex())
	}

	return nil
}

func (c *Chain) isOperator(ctx context.Context, router, who common.Address) (bool, error) {
	binding := contract.NewSlipwayRouter()

	answer, err := c.ask(ctx, common.Address{}, router, binding.PackIsOperator(who))
	if err != nil {
		return false, fmt.Errorf("the router %s: %w", router.Hex(), err)
	}

	return binding.UnpackIsOperator(answer)
}

// ask simulates a call in somebody's name.
func (c *Chain) ask(ctx context.Context, from, to common.Address, data []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()

	return c.client.CallContract(ctx, ethereum.CallMsg{From: from, To: &to, Data: data}, nil)
}

// would says of a simulated call whether it works.
func (out *Drilled) would(_ []byte, err error) func(part, found, do string) {
	return func(part, found, do string) {
		if err != nil {
			out.say(part, Wrong, "not so: "+found+": "+err.Error(), do)
			return
		}

		out.say(part, Fine, found, "")
	}
}

func (out *Drilled) say(part string, s State, found, do string) {
	if s == Fine {
		do = ""
	}

	out.Findings = append(out.Findings, Finding{Part: part, State: s, Found: found, Do: do})
}
