package app

import (
	"fmt"
	"strings"

	"slipway/internal/platform/config"
)

// Test returns the outside parties of a deployment for tests (mode test): the live adapter of each party that is
// configured, and the simulator of each other one. simulators starts those; it is called once everything that
// config.CheckTest finds is in order.
func Test(c *config.Config, simulators func(config.Simulated) (Outside, error)) (Outside, error) {
	if reasons := config.CheckTest(c); len(reasons) > 0 {
		list := strings.Join(reasons, "\n  - ")
		return Outside{}, fmt.Errorf("this configuration is not for tests:\n  - %s", list)
	}

	simulated, err := simulators(c.Simulated())
	if err != nil {
		return Outside{}, err
	}

	out, err := TestTool(c, simulated)
	if err != nil || c.Simulated().Chain {
		return out, err
	}

	if out.Signer, err = signerOf(c.Chain.Signer); err != nil {
		return out, fmt.Errorf("chain.signer: %w", err)
	}

	if out.Networks, err = networksOf(c); err != nil {
		return out, err
	}

	out.SafeBoards, err = safeBoardsOf(c)

	return out, err
}

// TestTool returns the part of Test that a tool needs beside simulators that run in another process: it opens neither
// key nor chain.
func TestTool(c *config.Config, simulated Outside) (out Outside, err error) {
	out = simulated
	out.PrivateNodes = true
	parts := c.Simulated()

	if !parts.Bank {
		if out.Banking, err = bankOf(c); err != nil {
			return out, err
		}

		out.Banking.Rates = simulated.Banking.Rates
		out.Banking.Liquidity = simulated.Banking.Liquidity
	}

	if !parts.Rates {
		out.Banking.Rates = nil // those of the market
	}

	if !parts.Liquidity {
		out.Banking.Liquidity = nil
	}

	if !parts.Screening {
		out.Screening, err = screeningOf(c)
	}

	return out, err
}
