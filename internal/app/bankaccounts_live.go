//go:build nosandbox

package app

import (
	"errors"

	"slipway/internal/rails/ibansuite"
)

// simulatedSuite is not in a production build.
func simulatedSuite() (ibansuite.Provider, error) {
	return nil, errors.New("this build has no simulators")
}
