//go:build !nosandbox

package screening

import (
	"context"
	"errors"
	"strings"

	"slipway/internal/core/text"
)

// Simulator decides by the end of the address: "dead" is rejected, "beef" cannot be screened, "cafe" needs a person,
// all others pass. Of names it lists SANCTIONED and FINAL-REJECT, finds one similar to RFI, and cannot compare
// RETRY-REJECT.
type Simulator struct{}

const simulated = "simulator"

// Edition is always the same.
func (Simulator) Edition() string { return simulated }

// Screen answers at once and always the same.
func (Simulator) Screen(_ context.Context, _, address string) (Result, error) {
	switch a := strings.ToLower(address); {
	case strings.HasSuffix(a, "dead"):
		return Result{Rejected, simulated, "The simulator rejects addresses that end in dead."}, nil
	case strings.HasSuffix(a, "beef"):
		return Result{Error, simulated, "The simulator cannot screen addresses that end in beef."}, nil
	case strings.HasSuffix(a, "cafe"):
		return Result{Review, simulated, "The simulator asks a person about addresses that end in cafe."}, nil
	}

	return Result{Status: Approved, Reference: simulated}, nil
}

// inOneWord returns a name as it is read, without blanks and words of companies.
func inOneWord(name string) (out string) {
	tokens := tokensOf(name)
	for i, company := range companyOnly(tokens) {
		if !company {
			out += tokens[i].latin
		}
	}

	return out
}

// Match answers at once and always the same.
func (Simulator) Match(name string, least int) ([]Hit, error) {
	hit := Hit{List: simulated, Entry: "SIM-1", Programs: []string{"SANDBOX"}}
	switch inOneWord(name) {
	case "sanctioned", "finalreject":
		hit.Name = name
		hit.Score = 100
		hit.Why = "100 of 100: the simulator lists this name"

	case "rfi":
		hit.Name = "RFI Example"
		hit.Score = 90
		hit.Why = "90 of 100: the simulator asks people about this name"

	case "retryreject":
		return nil, errors.New("the simulator cannot screen this name at the moment")
	}

	if hit.Score == 0 || hit.Score < least {
		return nil, nil
	}

	hit.Key = hit.Entry + "/" + text.Fold(hit.Name)

	return []Hit{hit}, nil
}
