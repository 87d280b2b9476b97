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

	tool, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip(
			"xmllint is not installed (Debian and Ubuntu: apt-get install libxml2-utils): messages are not held " +
				"against their schema",
		)
	}

	xsd := filepath.Join(Folder(t), "xsd", schema)

	file := filepath.Join(t.TempDir(), "message.xml")
	if err := os.WriteFile(file, message, 0o600); err != nil {
		t.Fatal(err)
	}

	if out, err := exec.Command(tool, "--nonet", "--noout", "--schema", xsd, file).CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%.2000s", schema, err, out)
	}
}
