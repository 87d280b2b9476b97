package mail

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/words"
)

var (
	action   = regexp.MustCompile(`\{\{.*?\}\}`)
	key      = regexp.MustCompile(`\bt "((?:[^"\\]|\\.)*)"`)
	unspoken = regexp.MustCompile(`(?s)<style>.*</style>|<[^>]*>|Subject:|Slipway`)
	marker   = regexp.MustCompile(`^(p|s|w|b|f|F|items)( |$)`)
)

// Every mail is written in every language: a template says nothing but by the catalogue.
func TestEveryTextIsInEveryLanguage(t *testing.T) {
	in := words.Must().In("en")

	names, err := fs.Glob(files, "templates/*.*")
	require.NoError(t, err)

	for _, name := range names {
		if strings.HasSuffix(name, ".page") { // the mailbox of a sandbox, for developers
			continue
		}

		raw, err := files.ReadFile(name)
		require.NoError(t, err)

		for _, m := range key.FindAllStringSubmatch(string(raw), -1) {
			require.True(t, in.Knows(m[1]), "%s: the catalogue has no %q", name, m[1])
		}

		bare := unspoken.ReplaceAllString(action.ReplaceAllString(string(raw), ""), "")
		for _, line := range strings.Split(bare, "\n") {
			require.NotRegexp(t, `\pL`, marker.ReplaceAllString(line, ""), name)
		}
	}

	for kind, p := range places {
		require.True(t, in.Knows(p.Words), kind)
	}
}
