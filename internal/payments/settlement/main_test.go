//go:build !nosandbox

package settlement_test

import (
	"testing"

	"slipway/internal/app/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m, "internal/payments/settlement") }
