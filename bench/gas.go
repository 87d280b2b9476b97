//go:build !nosandbox

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
)

// gasPage is the table of exact figures, which a test of the contract compares with what it measures.
const gasPage = "docs/reference/gas.md"

// gas takes the exact figures of a batch of 30 from the contract's table, after its test has measured that they are
// true: gas is the same on every machine.
func (b *bench) gas(ctx context.Context) error {
	say("gas")

	out, err := exec.CommandContext(
		ctx,
		"go",
		"test",
		"-count=1",
		"-run",
		"^TestGasTableIsFresh$",
		"./internal/rails/chain/contract",
	).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, last(string(out), 1000))
	}

	page, err := os.ReadFile(gasPage)
	if err != nil {
		return err
	}

	today, next, _ := strings.Cut(string(page), "## The rules of the next fork")
	for _, x := range gasFigures {
		if err := b.addGas(today, x); err != nil {
			return err
		}
	}

	for _, x := range gasFigures {
		x.name += ", the next fork's rules"
		x.must, x.goal = 0, 0 // for information

		if err := b.addGas(next, x); err != nil {
			return err
		}
	}

	return nil
}

// gasFigure is one figure of the page, and maybe what it is compared with, of the same column.
type gasFigure struct {
	name       string
	line       string
	column     int    // counted from the row's end
	beside     string // a line of the same page
	must, goal float64
}

// gasFigures are those of one set of rules. Whoever pays a batch from a key compares pay with the other ways of doing
// so; a Safe's owners compare payOwn with a batch of transfers, whose published figures are the limit.
var gasFigures = slices.Concat([]gasFigure{
	{
		name: "gas for each payment of 30, plain token, payee held nothing",
		line: "payees hold nothing",
		must: 27_600,
		goal: 27_100,
	},
	{
		name: "gas for each payment of 30, plain token, payee held some",
		line: "payees hold the token",
		must: 10_500,
		goal: 9_900,
	},
	{
		name: "gas of a signed intent for each payment of 30",
		line: "the payer's signature of the batch (intent)",
		must: 380,
		goal: 350,
	},
	{
		name:   "gas of a permit in the same send, once a batch",
		line:   "a permit (EIP-2612), a later one",
		column: 1,
		must:   48_000,
		goal:   45_000,
	},
	{
		name:   "gas for each payment of 30 from a Safe of 2 of 3, payee held nothing",
		line:   "payOwn, in a Safe's batch",
		column: 1,
		beside: "a Safe's batch of transfers",
		must:   28_976,
		goal:   28_976,
	},
	{
		name:   "gas for each payment of 30 from a Safe of 2 of 3, payee held some",
		line:   "payOwn, in a Safe's batch",
		beside: "a Safe's batch of transfers",
		must:   11_877,
		goal:   11_877,
	},
}, besideOthers("nothing", 1), besideOthers("some", 0))

// besideOthers is pay beside each other way of one column.
func besideOthers(held string, column int) []gasFigure {
	var all []gasFigure

	for _, other := range []string{
		"a transfer each, by the payer's own key",
		"Disperse, a transferFrom each",
		"Disperse, one pull of the sum",
		"Request's fee proxy, in a batch",
		"a Safe's batch of transfers",
	} {
		all = append(all, gasFigure{
			name:   fmt.Sprintf("gas for each payment of 30, payee held %s, beside %s", held, other),
			line:   "pay, by the operator",
			column: column,
			beside: other,
		})
	}

	return all
}

// addGas adds a figure. With a limit, the limit is what it is compared with; otherwise it is the other way.
func (b *bench) addGas(page string, x gasFigure) error {
	ours, err := gasOf(page, x.line, x.column)
	if err != nil {
		return err
	}

	f := figure{
		name:     x.name,
		must:     x.must,
		goal:     x.goal,
		below:    true,
		unit:     "gas",
		yardName: "-",
		ours:     []float64{ours},
		ratios:   []float64{ours},
	}

	if x.beside != "" {
		yard, err := gasOf(page, x.beside, x.column)
		if err != nil {
			return err
		}

		f.yardName = "theirs"
		f.yard = []float64{yard}

		if x.goal == 0 {
			f.ratios = []float64{ours / yard}
		}
	}

	b.report.add(f)

	return nil
}

// gasOf reads a figure of a row of the page.
func gasOf(page, name string, column int) (float64, error) {
	_, after, ok := strings.Cut(page, "| "+name+" |")
	row, _, _ := strings.Cut(after, "\n")
	cells := strings.Split(strings.Trim(row, " |"), "|")

	at := len(cells) - 1 - column
	if !ok || at < 0 {
		return 0, fmt.Errorf("%s has no row %q", gasPage, name)
	}

	return strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(cells[at]), ",", ""), 64)
}
