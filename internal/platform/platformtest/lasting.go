// Package platformtest holds what tests of several packages need of the machine they run on.
//
// Read lasting.go (a folder that a live configuration takes), pdf.go (the compiled PDF library) and answer.go
// (comparing answers).
package platformtest

import (
	"os"
	"strings"
	"testing"
)

// LastingDir makes a folder that is not under one of the system's temporary ones, which a live configuration refuses;
// it is removed with the test. Where this user may write to temporary folders only, the test is skipped with a
// sentence.
func LastingDir(t testing.TB) string {
	t.Helper()
	here, _ := os.Getwd()

	home, _ := os.UserHomeDir()
	for _, base := range []string{here, home, "/var/lib", "/opt", "/srv"} {
		if base == "" || temporary(base) {
			continue
		}

		if dir, err := os.MkdirTemp(base, "slipway-test-"); err == nil {
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			return dir
		}
	}

	t.Skip("every folder this user may write to is a temporary one, which a live configuration refuses: this test is " +
		"left out")

	return ""
}

func temporary(path string) bool {
	for _, dir := range []string{os.TempDir(), "/tmp", "/var/tmp", "/run", "/dev/shm", "/private"} {
		if path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/") {
			return true
		}
	}

	return false
}
