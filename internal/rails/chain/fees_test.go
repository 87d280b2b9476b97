package chain

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"slipway/internal/core/state"
)

// 1. An offer covers a base fee one step higher, and never exceeds the ceiling.
// 2. A raise is at least an eighth on both fees, never above the ceiling, and its tip never above its cap.
// 3. Without room for the eighth there is no raise.
func TestFeesKeepTheirRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		wei := func(name string) *big.Int { return big.NewInt(rapid.Int64Range(0, 1<<50).Draw(t, name)) }
		v := view{tip: wei("tip"), head: Block{BaseFee: wei("base")}}
		ceiling := new(big.Int).Add(wei("ceiling"), big.NewInt(1))

		tip, feeCap, ok := price(v, ceiling)
		if !ok {
			return
		}

		step := new(big.Int).Div(new(big.Int).Mul(v.head.BaseFee, big.NewInt(9)), big.NewInt(8))
		if feeCap.Cmp(ceiling) > 0 || feeCap.Cmp(step.Add(step, tip)) < 0 || tip.Sign() <= 0 || tip.Cmp(feeCap) > 0 {
			t.Fatalf("offer of tip %s and cap %s, base %s, ceiling %s", tip, feeCap, v.head.BaseFee, ceiling)
		}

		later := view{tip: wei("later tip"), head: Block{BaseFee: wei("later base")}}
		newTip, newCap, ok := raised(tip, feeCap, later, ceiling)

		room := new(big.Int).Mul(feeCap, big.NewInt(9))
		if !ok {
			if room.Cmp(new(big.Int).Mul(ceiling, big.NewInt(8))) <= 0 && plusEighth(feeCap).Cmp(ceiling) <= 0 &&
				plusEighth(tip).Cmp(ceiling) <= 0 {
				t.Fatalf("no raise from tip %s, cap %s under ceiling %s", tip, feeCap, ceiling)
			}

			return
		}

		for _, p := range [][2]*big.Int{{tip, newTip}, {feeCap, newCap}} {
			if new(big.Int).Mul(p[1], big.NewInt(1000)).Cmp(new(big.Int).Mul(p[0], big.NewInt(1125))) < 0 {
				t.Fatalf("raised from %s to %s", p[0], p[1])
			}
		}

		if newCap.Cmp(ceiling) > 0 || newTip.Cmp(newCap) > 0 {
			t.Fatalf("raised to tip %s, cap %s under ceiling %s", newTip, newCap, ceiling)
		}
	})
}

// One node that holds a rival outweighs any number that do not.
func TestARivalOutweighsEveryOtherOutcome(t *testing.T) {
	all := []Outcome{Accepted, KnownAlready, NonceTaken, Underpriced, Unknown, PoolFull}

	for _, a := range all {
		for _, b := range all {
			got := bestOutcome([]SentResult{{Outcomes: []Outcome{a}}, {Outcomes: []Outcome{b}}}, 0)

			switch {
			case a == Underpriced || b == Underpriced:
				require.Equal(t, Underpriced, got)
			case a == Accepted || b == Accepted:
				require.Equal(t, Accepted, got)
			case a == Unknown:
				require.Equal(t, b, got)
			}
		}
	}
}

// What is on disk as bytes never goes back to where a second set of bytes could be made, except by a person from
// HOLD; REFUSED is the end, and FINAL is too unless a person thaws a network whose final blocks were replaced.
func TestTheTableOfMoves(t *testing.T) {
	table := States()
	require.Equal(
		t,
		[]State{StatePlanned, StateNonced, StateRefused, StateSigned, StateSent, StateSeen, StateFinal, StateHold},
		table.States(),
	)

	allowed := map[[2]State]bool{
		{StatePlanned, StateNonced}:  true,
		{StatePlanned, StateRefused}: true,
		{StateNonced, StateSigned}:   true,
		{StateSigned, StateSent}:     true,
		{StateSent, StateSent}:       true,
		{StateSent, StateSeen}:       true,
		{StateSeen, StateSent}:       true,
		{StateSeen, StateFinal}:      true,
		{StateSent, StateHold}:       true,
		{StateHold, StateSeen}:       true,
		{StateHold, StatePlanned}:    true,
		{StatePlanned, StateHold}:    true,
		{StateNonced, StateHold}:     true,
		{StateSeen, StateHold}:       true,
		{StateFinal, StateSent}:      true,
		{StateHold, StateSent}:       true,
		{StateHold, StateRefused}:    true,
		{StatePlanned, StateSeen}:    true,
		{StateSeen, StatePlanned}:    true,
		{StateNonced, StatePlanned}:  true,
		{StateSigned, StatePlanned}:  true,
		{StateSent, StatePlanned}:    true,
	}
	for _, from := range table.States() {
		for _, to := range table.States() {
			require.Equal(t, allowed[[2]State{from, to}], table.Allows(from, to), "%s to %s", from, to)
		}
	}

	require.True(t, table.Final(StateRefused))
	require.IsType(t, &state.Table[State]{}, table)
}
