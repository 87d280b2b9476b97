// Command prepare reads the service's OpenAPI document and writes what oapi-codegen makes the client of: 3.0 in place
// of 3.1, and of each operation what a program calls. Refusals, headers and examples are left out, since problem.go,
// call.go and the documents of the service have them once.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: prepare openapi.json prepared.json")
		os.Exit(64)
	}

	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "prepare:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	raw, err := os.ReadFile(from) //nolint:gosec // the caller names the file
	if err != nil {
		return err
	}

	var d document
	if err := json.Unmarshal(raw, &d); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}

	if err := d.prepare(); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}

	out, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return err
	}

	return os.WriteFile(to, out, 0o600)
}
