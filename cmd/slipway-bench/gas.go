//go:build !nosandbox

package main

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// gas takes the exact figures of a batch of 30 from the contract's own tests, which measure them on an in-process
// chain with a plain token: gas is the same on every machine.
func (b *bench) gas(ctx context.Context) error {
	say("gas")

	out, err := exec.CommandContext(
		ctx,
		"go",
		"test",
		"-count=1",
		"-run",
		"^TestGasPerPaymentStaysWithinItsLimits$",
		"-v",
		"./internal/rails/chain/contract",
	).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, last(string(out), 1000))
	}

	osaka, _, _ := strings.Cut(string(out), "Amsterdam rules")
	for _, x := range []struct {
		line, name string
		must, goal float64
	}{
		{"payees hold nothing ", "gas for each payment of 30, plain token, payee held nothing", 27_600, 27_100},
		{"payees hold the token ", "gas for each payment of 30, plain token, payee held some", 10_500, 9_900},
	} {
		_, after, ok := strings.Cut(osaka, x.line)

		fields := strings.Fields(after)
		if !ok || len(fields) < 3 {
			return fmt.Errorf("the test prints no line %q", x.line)
		}

		v, err := strconv.ParseFloat(fields[2], 64)
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
