package screening

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
)

// CallContract calls a contract on a network without changing anything (eth_call at the newest block) and returns the
// result.
type CallContract func(ctx context.Context, network, contract string, data []byte) ([]byte, error)

// Oracle asks the sanctions oracle of each network, a contract of Chainalysis: isSanctioned(address). On a network
// without one it approves and states so in its reference: other providers must judge there.
type Oracle struct {
	contracts map[string]string // by network
	call      CallContract
}

// isSanctioned is the selector of isSanctioned(address).
var isSanctioned = []byte{0xdf, 0x59, 0x2f, 0x7d}

// NewOracle returns the provider for the contracts of networks, by network identifier.
func NewOracle(contracts map[string]string, call CallContract) *Oracle {
	return &Oracle{contracts, call}
}

// PublishedOracle returns the address at which Chainalysis publishes its oracle on a chain; empty if there is none, as
// on Gnosis.
func PublishedOracle(chainID uint64) string {
	switch chainID {
	case 1, 10, 56, 137, 250, 42161, 42220, 43114, 81457:
		return "0x40C57923924B5c5c5455c48D93317139ADDaC8fb"
	case 8453: // Base
		return "0x3A91A31cB3dC49b4db9Ce721F50a9D076c8D739B"
	}

	return ""
}

// Edition is empty: the contract changes without this process noticing.
func (o *Oracle) Edition() string { return "" }

// AsksElsewhere reports whether a network has an oracle.
func (o *Oracle) AsksElsewhere() bool { return len(o.contracts) > 0 }

// Screen calls the contract. An address without code returns no bytes: nothing was found out, and that is no approval.
func (o *Oracle) Screen(ctx context.Context, network, address string) (Result, error) {
	contract := o.contracts[network]
	if contract == "" {
		return Result{Status: Approved, Reference: "no oracle"}, nil
	}

	r := Result{Reference: "oracle:" + contract}
	digits, prefixed := strings.CutPrefix(strings.ToLower(address), "0x")

	raw, err := hex.DecodeString(digits)
	if !prefixed || err != nil || len(raw) != 20 {
		r.Status = Error
		r.Message = "The sanctions oracle does not know addresses of this form."
		return r, nil
	}

	data := append(append(append([]byte{}, isSanctioned...), make([]byte, 12)...), raw...)

	answer, err := o.call(ctx, network, contract, data)
	if err != nil {
		return Result{}, fmt.Errorf("ask the sanctions oracle %s on %s: %w", contract, network, err)
	}

	r.Status, r.Message = readBool(answer)

	return r, nil
}

// readBool decodes an ABI-encoded bool: 32 bytes, the last of which is 0 or 1.
func readBool(answer []byte) (Status, string) {
	if len(answer) == 32 && strings.Trim(string(answer[:31]), "\x00") == "" {
		switch answer[31] {
		case 0:
			return Approved, ""
		case 1:
			return Rejected, "The sanctions oracle of the network lists the address."
		}
	}

	if len(answer) == 0 {
		return Error, "There is no sanctions oracle at the address that is configured: the address could not be " +
			"screened."
	}

	return Error, "The sanctions oracle answered something else than yes or no: the address could not be screened."
}
