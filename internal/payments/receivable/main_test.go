//go:build !nosandbox

package receivable_test

import (
	"testing"

	"slipway/internal/app/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m, "internal/payments/receivable") }
