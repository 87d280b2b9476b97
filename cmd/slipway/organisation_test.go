//go:build !nosandbox

package main

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The first customer needs no call of the API: the command prints the link that makes its admin. A second one for the
// same admin and name prints a new link and adds nothing.
func TestACustomerIsAddedAtTheTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	placeDatabase(t, "data")

	add := func(country string) (string, error) {
		return slip(t, "organisation", "add", "Muster AG", "mia@example.org", "Mia", "Muster", "--country", country,
			"--register", "CHE-123.456.789", "--street", "Seestrasse 1", "--post-code", "8002", "--city", "Zürich")
	}
	form := regexp.MustCompile(`^(org_\w+) is Muster AG, with the admin mia@example\.org, who goes on at\n` +
		`  http\S+/account/complete#(lk_\w+)\n$`)

	first, err := add("CH")
	require.NoError(t, err)
	second, err := add("CH")
	require.NoError(t, err)
	require.Regexp(t, form, first)
	require.Equal(t, form.FindStringSubmatch(first)[1], form.FindStringSubmatch(second)[1])
	require.NotEqual(t, form.FindStringSubmatch(first)[2], form.FindStringSubmatch(second)[2])

	_, err = add("Atlantis")
	require.ErrorContains(t, err, "country")
}
