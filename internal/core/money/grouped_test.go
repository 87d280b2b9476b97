package money

import "testing"

func TestGrouped(t *testing.T) {
	for given, want := range map[string]string{
		"":              "",
		"0.00":          "0.00",
		"999":           "999",
		"1000":          "1,000",
		"-1234567.890":  "-1,234,567.890",
		"100000.000001": "100,000.000001",
		"12a":           "12a",
		"1,000":         "1,000",
		".5":            ".5",
	} {
		if got := Grouped(given); got != want {
			t.Errorf("%q is %q, not %q", given, got, want)
		}
	}
}
