package house

import (
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/money"
)

// State is what the latest check at something has found.
type State string

// The states of a check.
const (
	Agrees   State = "AGREES"
	Accepted State = "ACCEPTED" // it differs, by no more than two operators have accepted
	Short    State = "SHORT"    // the other side has less than the books
	Excess   State = "EXCESS"   // it has more
	Unknown  State = "UNKNOWN"  // nothing is known: nobody could be asked, or nothing agrees with itself
)

// haltAfter is how many checks in a row must find a difference before something is halted.
const haltAfter = 3

// StaleAfter is how long nothing may be known before people are told.
const StaleAfter = 15 * time.Minute

// Check is one thing that is compared, with what the latest reading has found.
type Check struct {
	Subject    string // treasury/<network>/<token> or bank/<account>
	Halts      string // what it halts
	Asset      money.Asset
	State      State
	Figures    Figures
	Difference *big.Int // signed: below zero the other side has less
	Accepted   *big.Int // the difference that two operators have accepted; 0: none
	Point      string   // where the figures are of, for people
	Height     int64    // of the block; 0: it is of none
	InRow      int64    // checks in a row that found a difference
	Note       string   // of UNKNOWN: why
	AgreedAt   time.Time
	CheckedAt  time.Time
	Version    int64 // 0: it was never stored
}

// Figures are what the books have, what the other side says, and between what it may say.
type Figures struct{ Books, Outside, Low, High *big.Int }

// difference is by how much the other side lies outside of its bounds.
func (f Figures) difference() *big.Int {
	if f.Outside.Cmp(f.Low) < 0 {
		return new(big.Int).Sub(f.Outside, f.Low)
	}

	if f.Outside.Cmp(f.High) > 0 {
		return new(big.Int).Sub(f.Outside, f.High)
	}

	return new(big.Int)
}

// reading is what one check has read.
type reading struct {
	figures Figures
	point   string
	height  int64
	err     error // why nothing is known
	excess  bool  // too much halts as well
}

// verdict is what follows from a check.
type verdict int

// The verdicts.
const (
	noChange verdict = iota // what is halted stays halted, what is not is not
	setHalt
	liftHalt
)

// apply returns the check as a reading leaves it, and what follows. It is pure.
//
// A reading that knows nothing changes nothing but the note. A difference halts when it was found in several readings
// in a row, on a chain at later blocks each. It ends when a reading finds none, or no more than was accepted.
func (c Check) apply(l reading, now time.Time) (Check, verdict) {
	next := c
	next.CheckedAt = now

	if l.err == nil && l.height < c.Height {
		l.err = fmt.Errorf("the nodes went back from block %d to %d", c.Height, l.height)
	}

	if l.err != nil {
		next.State = Unknown
		next.Note = oneLine(l.err)

		return next, noChange
	}

	next.Figures = l.figures
	next.Difference = l.figures.difference()
	next.Point = l.point
	next.Height = l.height
	next.Note = ""

	switch {
	case next.Difference.Sign() == 0:
		next.State = Agrees
		next.Accepted = new(big.Int)
	case covers(c.Accepted, next.Difference):
		next.State = Accepted
	default:
		return next.withDifference(c, l)
	}

	next.InRow = 0
	next.AgreedAt = now

	return next, liftHalt
}

// withDifference is a check whose check has found a difference that nobody has accepted.
func (c Check) withDifference(before Check, l reading) (Check, verdict) {
	c.State = Excess
	if c.Difference.Sign() < 0 {
		c.State = Short
	}

	switch {
	case before.Difference.Sign() != c.Difference.Sign():
		c.InRow = 1
	case l.height == 0 || l.height > before.Height:
		c.InRow++
	}

	if c.InRow >= haltAfter && (c.State == Short || l.excess) {
		return c, setHalt
	}

	return c, noChange
}

// covers reports whether a difference is no more than an accepted one.
func covers(accepted, difference *big.Int) bool {
	return accepted.Sign() == difference.Sign() && accepted.CmpAbs(difference) >= 0
}

// stale reports whether people are to be told now that nothing agreed for long: once, when the time is over.
func (c Check) stale(before Check) bool {
	return c.CheckedAt.Sub(c.AgreedAt) >= StaleAfter && before.CheckedAt.Sub(c.AgreedAt) < StaleAfter
}

// reason is why something is halted, for people.
func (c Check) reason() string {
	return fmt.Sprintf(
		"%s: the books say %s, %s says %s; %s is missing to what is explained",
		c.Subject,
		c.format(c.Figures.Books),
		c.Point,
		c.format(c.Figures.Outside),
		c.format(new(big.Int).Neg(c.Difference)),
	)
}

// format is a figure for people.
func (c Check) format(units *big.Int) string {
	return money.FromUnits(c.Asset, units).String() + " " + c.Asset.Code
}

// oneLine makes an error's text fit for a column.
func oneLine(err error) string {
	const most = 300

	s := []rune(err.Error())
	for i, r := range s {
		if r < ' ' {
			s[i] = ' '
		}
	}

	return string(s[:min(len(s), most)])
}
