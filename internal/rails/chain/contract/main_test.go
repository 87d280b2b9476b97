//go:build !nosandbox

package contract

import (
	"encoding/json"
	"os"
	"testing"
)

// contracts/mutate.mjs runs these tests against routers with one defence broken; it names the router's artefact here.
func TestMain(m *testing.M) {
	if path := os.Getenv("SLIPWAY_TEST_ROUTER_ARTEFACT"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}

		var mutant artefact
		if err := json.Unmarshal(text, &mutant); err != nil {
			panic(err)
		}

		SlipwayRouterMetaData.Bin = mutant.Bytecode
	}

	os.Exit(m.Run())
}
