//go:build !nosandbox

package failpoint_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/failpoint"
)

// TestMain passes a place three times when it is the child of a test here, and says so each time.
func TestMain(m *testing.M) {
	if os.Getenv("FAILPOINT_CHILD") == "" {
		os.Exit(m.Run())
	}

	for range 3 {
		failpoint.Hit("other")
		failpoint.Hit("place")
		os.Stdout.WriteString("passed\n")
	}
}

func TestProcessDiesAtTheNamedPassage(t *testing.T) {
	for setting, passed := range map[string]int{
		"place":     0,
		"place:1":   0,
		"place:3":   2,
		"place:4":   3,
		"elsewhere": 3,
		"":          3,
		"place:x":   0,
	} {
		t.Run(setting, func(t *testing.T) {
			child := exec.Command(os.Args[0])

			child.Env = append(os.Environ(), "FAILPOINT_CHILD=1", failpoint.Variable+"="+setting)
			out, err := child.Output()
			require.Equal(t, passed, strings.Count(string(out), "passed"), "%q", setting)

			var exit *exec.ExitError

			if passed == 3 {
				require.NoError(t, err)
				return
			}

			require.True(t, errors.As(err, &exit))
			require.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(),
				"as by kill -9: nothing is tidied up")
		})
	}
}
