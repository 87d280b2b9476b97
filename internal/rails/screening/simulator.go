//go:build !nosandbox

package screening

import (
	"context"
	"strings"
)

// Simulator decides by the end of the address: "dead" is rejected, "beef" cannot be screened, "cafe" needs a person, all others pass.
type Simulator struct{}

// Screen answers at once and the same each time.
func (Simulator) Screen(_ context.Context, _, address string) (Result, error) {
	const reference = "simulator"
	switch a := strings.ToLower(address); {
	case strings.HasSuffix(a, "dead"):
		return Result{Rejected, reference, "The simulator rejects addresses that end in dead."}, nil
	case strings.HasSuffix(a, "beef"):
		return Result{Error, reference, "The simulator cannot screen addresses that end in beef."}, nil
	case strings.HasSuffix(a, "cafe"):
		return Result{Review, reference, "The simulator asks a person about addresses that end in cafe."}, nil
	}
	return Result{Status: Approved, Reference: reference}, nil
}
