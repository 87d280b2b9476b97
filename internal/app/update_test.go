package app_test

import "flag"

var _ = flag.Bool("update", false, "write golden files anew")

// updating reports whether golden files are written anew.
func updating() bool {
	f := flag.Lookup("update")
	return f != nil && f.Value.String() == "true"
}
