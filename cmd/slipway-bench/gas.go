//go:build !nosandbox

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
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

	today, _, _ := strings.Cut(string(page), "## The rules of the next fork")
	for _, x := range []struct {
		line, name string
		must, goal float64
	}{
		{"payees hold nothing", "gas for each payment of 30, plain token, payee held nothing", 27_600, 27_100},
		{"payees hold the token", "gas for each payment of 30, plain token, payee held some", 10_500, 9_900},
		{"the payer's signature of the batch (intent)", "gas of a signed intent for each payment of 30", 380, 350},
		{"a permit (EIP-2612), a later one", "gas of a permit in the same send, once a batch", 48_000, 45_000},
	} {
		v, err := gasOf(today, x.line)
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
			ours:     []float64{v},
			ratios:   []float64{v},
		}
		b.report.add(f)
	}

	return nil
}

// gasOf reads the last figure of a row; of a permit, which is paid for once a batch, the one before it.
func gasOf(page, name string) (float64, error) {
	_, after, ok := strings.Cut(page, "| "+name+" |")
	row, _, _ := strings.Cut(after, "\n")
	cells := strings.Split(strings.Trim(row, " |"), "|")

	at := len(cells) - 1
	if strings.HasPrefix(name, "a permit") {
		at--
	}

	if !ok || at < 0 {
		return 0, fmt.Errorf("%s has no row %q", gasPage, name)
	}

	return strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(cells[at]), ",", ""), 64)
}
