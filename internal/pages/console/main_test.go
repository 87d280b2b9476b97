//go:build !nosandbox && !noconsole

package console_test

import (
	"os"
	"testing"

	"slipway/internal/platform/browsertest"
)

func TestMain(m *testing.M) { os.Exit(browsertest.Main(m)) }
