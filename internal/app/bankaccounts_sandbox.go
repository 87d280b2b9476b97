//go:build !nosandbox

package app

import "slipway/internal/rails/ibansuite"

// simulatedSuite is a client of the provider's simulator, within this process.
func simulatedSuite() (ibansuite.Provider, error) {
	return ibansuite.NewClient(ibansuite.Config{
		URL:       "http://iban-suite.invalid",
		Key:       ibansuite.SimulatorKey,
		Transport: &ibansuite.Simulator{},
	})
}
