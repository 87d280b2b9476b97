package docs

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

var (
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	inline = regexp.MustCompile("`[^`]*`")
	named  = regexp.MustCompile(`docs/[A-Za-z0-9_/.-]+\.(?:md|sql|txt|json)`)
)

// TestEveryLinkLeadsSomewhere follows every relative link of every page to its file and heading.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	all := pages(t)

	for name, text := range all {
		for _, target := range linksOf(text) {
			file, anchor := resolve(t, name, target)
			if file == "" {
				continue
			}

			_, err := os.Stat(filepath.Join(root, file))
			if err != nil {
				t.Errorf("%s links to %s, which does not exist", name, target)
				continue
			}

			if anchor != "" && !anchors(all[file])[anchor] {
				t.Errorf("%s links to %s, and %s has no such heading", name, target, file)
			}
		}
	}
}

// TestEveryPageIsInTheContents follows links from docs/README.md: a page that is not reached is found by nobody. A
// link to a folder reaches all its pages.
func TestEveryPageIsInTheContents(t *testing.T) {
	all := pages(t)
	reached := map[string]bool{"docs/README.md": true}

	queue := []string{"docs/README.md"}
	for len(queue) > 0 {
		name := queue[0]
		queue = queue[1:]

		for _, target := range linksOf(all[name]) {
			file, _ := resolve(t, name, target)
			if file != "" && !reached[file] {
				reached[file] = true
				queue = append(queue, file)
			}
		}
	}

	for name := range all {
		if strings.HasPrefix(name, "docs/") && !reached[name] && !reached[path.Dir(name)] {
			t.Errorf("nothing leads from docs/README.md to %s", name)
		}
	}
}

// TestEveryTableIsWhole compares the rows of each table with its head. A row that is wrapped, or has a cell more, ends
// the table there: what follows is read as text by whoever needs it most.
func TestEveryTableIsWhole(t *testing.T) {
	for name, text := range pages(t) {
		code, cells := false, 0

		for i, line := range strings.Split(text, "\n") {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "```") {
				code = !code
			}

			if code || !strings.HasPrefix(line, "|") {
				cells = 0
				continue
			}

			bars := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			if cells == 0 {
				cells = bars
			}

			if bars != cells || !strings.HasSuffix(line, "|") {
				t.Errorf("%s, line %d: the row is not one of its table", name, i+1)
			}
		}
	}
}

// TestPagesThatCodeNamesExist looks for docs/… in the text of the code and the scripts.
func TestPagesThatCodeNamesExist(t *testing.T) {
	walk(t, func(name string, text []byte) {
		if strings.HasSuffix(name, ".md") || strings.HasPrefix(name, "docs/") {
			return
		}

		for _, page := range named.FindAllString(string(text), -1) {
			if _, err := os.Stat(filepath.Join(root, page)); err != nil {
				t.Errorf("%s names %s, which does not exist", name, page)
			}
		}
	})
}

// pages returns the text of every Markdown file by its path from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()

	found := map[string]string{}
	walk(t, func(name string, text []byte) {
		if strings.HasSuffix(name, ".md") {
			found[name] = string(text)
		}
	})
	require.Greater(t, len(found), 20)

	return found
}

// walk calls do with every file that may name a page.
func walk(t *testing.T, do func(name string, text []byte)) {
	t.Helper()

	err := filepath.WalkDir(root, func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		base := e.Name()
		if e.IsDir() && file != root &&
			(strings.HasPrefix(base, ".") || base == "node_modules" || base == "testdata" || base == "data") {
			return fs.SkipDir
		}

		ext := filepath.Ext(base)

		script := ext == "" && (base == "Makefile" || filepath.Base(filepath.Dir(file)) == "scripts")
		if e.IsDir() || !(script || ext == ".md" || ext == ".go") {
			return nil
		}

		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}

		name, err := filepath.Rel(root, file)
		do(filepath.ToSlash(name), text)

		return err
	})
	require.NoError(t, err)
}

// linksOf returns the targets of a page's links, without those in code.
func linksOf(text string) []string {
	var found []string
	for _, line := range prose(text) {
		for _, m := range link.FindAllStringSubmatch(inline.ReplaceAllString(line, ""), -1) {
			found = append(found, m[1])
		}
	}

	return found
}

// prose returns the lines of a page that stand in no code block.
func prose(text string) []string {
	var lines []string

	code := false
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}

		if !code {
			lines = append(lines, line)
		}
	}

	return lines
}

// resolve returns the file that a link leads to, from the root, and the heading in it. A link to elsewhere has no file.
func resolve(t *testing.T, from, target string) (file, anchor string) {
	t.Helper()

	u, err := url.Parse(target)
	require.NoError(t, err, "%s links to %s", from, target)

	if u.Scheme != "" || u.Host != "" {
		return "", ""
	}

	if u.Path == "" {
		return from, u.Fragment
	}

	return path.Join(path.Dir(from), u.Path), u.Fragment
}

// anchors returns the headings of a page as links name them.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, line := range prose(text) {
		title := strings.TrimLeft(line, "#")
		if title == line || !strings.HasPrefix(title, " ") {
			continue
		}

		found[slug(title)] = true
	}

	return found
}

// slug is a heading in lower case, without marks, with dashes for spaces.
func slug(title string) string {
	b := &strings.Builder{}
	for _, r := range strings.ToLower(strings.TrimSpace(title)) {
		switch {
		case r == ' ':
			b.WriteRune('-')
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			b.WriteRune(r)
		}
	}

	return b.String()
}
