package words

import (
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/message/catalog"
)

// catalogueFiles hold blocks of one line a language, with empty lines between. A line that begins with # is a comment.
// A text that depends on a number has a line for one and a line for others: "en.one", "en.other"; its key is the
// latter. Each file has what one set of pages says; a text that several say stands once.
//
//go:embed texts/*.txt
var catalogueFiles embed.FS

// catalogueText returns all files as one.
func catalogueText() (string, error) {
	names, err := fs.Glob(catalogueFiles, "texts/*.txt")
	if err != nil {
		return "", err
	}

	var b strings.Builder

	for _, name := range names {
		text, err := catalogueFiles.ReadFile(name)
		if err != nil {
			return "", err
		}

		b.Write(text)
		b.WriteString("\n\n")
	}

	return b.String(), nil
}

// entry is one text in every language; one holds the forms for the number one, where there are any.
type entry struct{ other, one map[string]string }

type entries []entry

var lineForm = regexp.MustCompile(`^(en|de|fr)(\.one|\.other)?: (.+)$`)

// readCatalogue parses the catalogue, and refuses a text that lacks a language or arguments, or stands twice.
func readCatalogue(text string) (entries, error) {
	var out entries

	seen := map[string]bool{}

	for _, block := range strings.Split(text, "\n\n") {
		e := entry{map[string]string{}, map[string]string{}}

		for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}

			m := lineForm.FindStringSubmatch(line)
			if m == nil {
				return nil, fmt.Errorf("catalogue: %q is no line of a text", line)
			}

			into := e.other
			if m[2] == ".one" {
				into = e.one
			}

			into[m[1]] = m[3]
		}

		if len(e.other) == 0 && len(e.one) == 0 {
			continue
		}

		if err := e.check(); err != nil {
			return nil, err
		}

		if seen[e.other["en"]] {
			return nil, fmt.Errorf("catalogue: %q stands twice", e.other["en"])
		}

		seen[e.other["en"]] = true
		out = append(out, e)
	}

	return out, nil
}

var verb = regexp.MustCompile(`%(\[\d\])?[sd]`)

// strayPercent is a sign of percent that begins no argument and does not stand twice: what follows it would be left
// out.
func strayPercent(text string) bool {
	return strings.Contains(strings.ReplaceAll(verb.ReplaceAllString(text, ""), "%%", ""), "%")
}

// check refuses a text that is not there in every language with the same arguments.
func (e entry) check() error {
	key := e.other["en"]
	for _, tag := range tags {
		base, _ := tag.Base()
		code := base.String()

		switch {
		case e.other[code] == "":
			return fmt.Errorf("catalogue: %q is not there in %s", key, code)
		case len(e.one) > 0 && e.one[code] == "":
			return fmt.Errorf("catalogue: %q is not there for one in %s", key, code)
		case strayPercent(e.other[code]) || strayPercent(e.one[code]):
			return fmt.Errorf("catalogue: %q has a sign of percent in %s that does not stand twice", key, code)
		case len(verb.FindAllString(e.other[code], -1)) != len(verb.FindAllString(key, -1)):
			return fmt.Errorf("catalogue: %q has other arguments in %s", key, code)
		}
	}

	return nil
}

func (all entries) keys() map[string]bool {
	out := map[string]bool{}
	for _, e := range all {
		out[e.other["en"]] = true
	}

	return out
}

func (all entries) build() (catalog.Catalog, error) {
	b := catalog.NewBuilder(catalog.Fallback(tags[0]))

	for _, e := range all {
		for _, tag := range tags {
			base, _ := tag.Base()
			code := base.String()

			var err error
			if len(e.one) == 0 {
				err = b.SetString(tag, e.other["en"], e.other[code])
			} else {
				err = b.Set(
					tag,
					e.other["en"],
					plural.Selectf(1, "%d", plural.One, e.one[code], plural.Other, e.other[code]),
				)
			}

			if err != nil {
				return nil, fmt.Errorf("catalogue: %q in %s: %w", e.other["en"], code, err)
			}
		}
	}

	return b, nil
}
