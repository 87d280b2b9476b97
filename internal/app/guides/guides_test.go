package guides_test

import (
	"bytes"
	"flag"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"

	"slipway/internal/app/guides"
)

var update = flag.Bool("update", false, "write the guides anew")

var guideLink = regexp.MustCompile(`<a href="([^"]+)">(.*?)</a>`)

// TestGuidesAreFresh renders the pages of the documentation that /docs shows, and compares them with what is embedded.
func TestGuidesAreFresh(t *testing.T) {
	names := map[string]string{} // by source
	for _, s := range guides.Sources {
		names[s[1]] = s[0]
	}

	render := goldmark.New(
		goldmark.WithExtensions(extension.Table),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	)

	for _, s := range guides.Sources {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", s[1]))
		require.NoError(t, err)

		var b bytes.Buffer
		require.NoError(t, render.Convert(text, &b))

		want := guideLink.ReplaceAllStringFunc(b.String(), func(a string) string {
			m := guideLink.FindStringSubmatch(a)
			return guideAnchor(names, s[1], m[1], m[2])
		})

		file := s[0] + ".html"
		if *update {
			require.NoError(t, os.WriteFile(file, []byte(want), 0o644))
		}

		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, want, string(got), "%s is stale: make generate", file)
	}
}

// guideAnchor leads a link of a page to the guide that its target is; a page that is none stays as text.
func guideAnchor(names map[string]string, source, to, text string) string {
	if strings.HasPrefix(to, "http") || strings.HasPrefix(to, "#") {
		return `<a href="` + to + `">` + text + `</a>`
	}

	file, fragment, _ := strings.Cut(to, "#")
	if fragment != "" {
		fragment = "#" + fragment
	}

	if name := names[path.Join(path.Dir(source), file)]; name != "" {
		return `<a href="/docs/` + name + fragment + `">` + text + `</a>`
	}

	return text
}
