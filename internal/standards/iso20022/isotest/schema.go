package isotest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Valid checks a message against its official schema with xmllint. It skips the test if one of the two is missing.
func Valid(t testing.TB, schema string, message []byte) {
	t.Helper()
	AllValid(t, schema, map[string][]byte{"message": message})
}

// AllValid is Valid of several messages, by a name for each that can be one of a file.
func AllValid(t testing.TB, schema string, messages map[string][]byte) {
	t.Helper()

	tool, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip(
			"xmllint is not installed (Debian and Ubuntu: apt-get install libxml2-utils): messages are not held " +
				"against their schema",
		)
	}

	args := []string{"--nonet", "--noout", "--schema", filepath.Join(Folder(t), "xsd", schema)}
	dir := t.TempDir()

	for name, message := range messages {
		file := filepath.Join(dir, name+".xml")
		if err := os.WriteFile(file, message, 0o600); err != nil {
			t.Fatal(err)
		}

		args = append(args, file)
	}

	if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%.2000s", schema, err, out)
	}
}
