package house

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
)

var begin = time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)

func fresh() Check {
	zero := new(big.Int)

	return Check{
		Subject:    "treasury/net/USDC",
		Halts:      "network/net",
		Asset:      money.Asset{Code: "USDC", Decimals: 6},
		State:      Unknown,
		Figures:    Figures{Books: zero, Outside: zero, Low: zero, High: zero},
		Difference: zero,
		Accepted:   zero,
		AgreedAt:   begin,
		CheckedAt:  begin,
	}
}

// found is a check that finds the other side at some units, between what it may be.
func found(outside, low, high, height int64) reading {
	return reading{
		figures: Figures{
			Books:   big.NewInt(low),
			Outside: big.NewInt(outside),
			Low:     big.NewInt(low),
			High:    big.NewInt(high),
		},
		height: height,
	}
}

func tooMuchHalts(l reading) reading {
	l.excess = true
	return l
}

// I11: what a series of checks leads to, one check a minute.
func TestLooksLeadTo(t *testing.T) {
	away := reading{err: errors.New("nobody answers")}

	for name, tt := range map[string]struct {
		looks    []reading
		state    State
		inRow    int64
		verdict  verdict
		accepted int64
	}{
		"agrees": {looks: []reading{found(10, 10, 10, 1)}, state: Agrees, verdict: liftHalt},
		"what is under way lies between": {
			looks:   []reading{found(8, 7, 12, 1), found(7, 7, 12, 2), found(12, 7, 12, 3)},
			state:   Agrees,
			verdict: liftHalt,
		},
		"short once": {looks: []reading{found(6, 7, 12, 1)}, state: Short, inRow: 1},
		"short three times": {
			looks:   []reading{found(6, 7, 7, 1), found(6, 7, 7, 2), found(6, 7, 7, 3)},
			state:   Short,
			inRow:   3,
			verdict: setHalt,
		},
		"short three times at one block": {
			looks: []reading{found(6, 7, 7, 4), found(6, 7, 7, 4), found(6, 7, 7, 4)},
			state: Short,
			inRow: 1,
		},
		"short, then nobody, then short": {
			looks:   []reading{found(6, 7, 7, 1), found(6, 7, 7, 2), away, found(6, 7, 7, 3)},
			state:   Short,
			inRow:   3,
			verdict: setHalt,
		},
		"short, agrees, short": {
			looks: []reading{found(6, 7, 7, 1), found(6, 7, 7, 2), found(7, 7, 7, 3), found(6, 7, 7, 4)},
			state: Short,
			inRow: 1,
		},
		"too much, then short": {
			looks: []reading{found(9, 7, 7, 1), found(9, 7, 7, 2), found(6, 7, 7, 3)},
			state: Short,
			inRow: 1,
		},
		"a treasury with too much is told": {
			looks: []reading{found(9, 7, 7, 1), found(9, 7, 7, 2), found(9, 7, 7, 3)},
			state: Excess,
			inRow: 3,
		},
		"a bank account with too much": {
			looks:   []reading{tooMuchHalts(found(9, 7, 7, 0)), tooMuchHalts(found(9, 7, 7, 0)), tooMuchHalts(found(9, 7, 7, 0))},
			state:   Excess,
			inRow:   3,
			verdict: setHalt,
		},
		"nobody answers": {looks: []reading{away, away, away, away}, state: Unknown},
		"the nodes go back": {
			looks: []reading{found(7, 7, 7, 9), found(6, 7, 7, 8), found(6, 7, 7, 8), found(6, 7, 7, 8)},
			state: Unknown,
		},
		"accepted": {
			looks:    []reading{found(6, 7, 7, 1)},
			accepted: -1,
			state:    Accepted,
			verdict:  liftHalt,
		},
		"more than accepted":         {looks: []reading{found(5, 7, 7, 1)}, accepted: -1, state: Short, inRow: 1},
		"accepted of the other sign": {looks: []reading{found(8, 7, 7, 1)}, accepted: -1, state: Excess, inRow: 1},
		"accepted, and gone, and back": {
			looks:    []reading{found(6, 7, 7, 1), found(7, 7, 7, 2), found(6, 7, 7, 3)},
			accepted: -1,
			state:    Short,
			inRow:    1,
		},
		"zero is no acceptance of anything": {looks: []reading{found(6, 7, 7, 1)}, accepted: 0, state: Short, inRow: 1},
	} {
		t.Run(name, func(t *testing.T) {
			c := fresh()
			c.Accepted = big.NewInt(tt.accepted)

			var v verdict
			for i, l := range tt.looks {
				c, v = c.apply(l, begin.Add(time.Duration(i+1)*time.Minute))
			}

			require.Equal(t, tt.state, c.State)
			require.Equal(t, tt.inRow, c.InRow)
			require.Equal(t, tt.verdict, v)
		})
	}
}

// That nothing is known changes neither figures nor the time of the last agreement, and people are told once.
func TestNothingKnownIsToldOnce(t *testing.T) {
	c, _ := fresh().apply(found(10, 10, 10, 1), begin.Add(time.Minute))
	agreed := c
	told := 0

	for i := range 40 {
		before := c

		c, _ = c.apply(reading{err: errors.New("nobody\nanswers")}, begin.Add(time.Duration(i+2)*time.Minute))
		if c.stale(before) {
			told++
		}
	}

	require.Equal(t, 1, told)
	require.Equal(t, "nobody answers", c.Note)
	require.Equal(t, agreed.AgreedAt, c.AgreedAt)
	require.Equal(t, agreed.Figures, c.Figures)
}

// A statement is compared by booking: what only advices told of, what waits and what is doubted.
func TestFiguresOfAnAccount(t *testing.T) {
	n := big.NewInt
	b := Standing{
		Moved:      n(100),
		Advised:    n(20),
		Waiting:    n(7),
		DoubtedIn:  n(3),
		DoubtedOut: n(2),
	}

	f := b.figures(n(108), n(5))
	require.Equal(
		t,
		[]*big.Int{n(98), n(103)},
		[]*big.Int{f.Low, f.High},
		"108 - 20 + 7 + 5 is 100, and what is doubted",
	)
	require.Zero(t, f.difference().Sign())
	require.Equal(t, n(-1), b.figures(n(111), n(5)).difference())
	require.Equal(t, n(1), b.figures(n(104), n(5)).difference())
}
