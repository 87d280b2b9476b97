package internal

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// rulesPage defines every rule id. Ids that stand anywhere else refer to it.
const rulesPage = "docs/rules.md"

var (
	// A rule id is a letter with two digits (F-09), or an invariant of the oracle (I8).
	ruleID = regexp.MustCompile(`\b(?:[A-Z]-[0-9]{2}|I[1-9][0-9]?)\b`)

	// The rules of EN 16931, which invoices follow, have names of their own (BR-S-02), and so have codes of taxes
	// (DE-S-19).
	invoiceRule = regexp.MustCompile(`\b(?:BR-[A-Z]{1,2}|[A-Z]{2}-S)-[0-9]{1,2}\b`)

	// A row of the page: the id, what holds, and the packages that keep it.
	ruleRow = regexp.MustCompile("^\\| ([A-Z]-[0-9]{2}|I[1-9][0-9]?) \\| ([^|]{20,}) \\| ((?:`[^`]+`(?:, )?)+) \\|$")

	// Numbers of tickets say nothing to whoever reads the tree.
	ticket = regexp.MustCompile(`(?i)\bissues? #?[0-9]+\b|\bnos?\. ?[0-9]+\b`)
)

// sightings says in which files each rule id stands, by paths from the module's root.
type sightings map[string][]string

// TestEveryRuleIsDefinedAndKept compares docs/rules.md with the tree, both ways.
func TestEveryRuleIsDefinedAndKept(t *testing.T) {
	rules := readRules(t)
	seen := sightings{}

	eachText(t, func(name string, text []byte) {
		if name == rulesPage {
			return
		}

		for _, id := range ruleID.FindAll(invoiceRule.ReplaceAll(text, nil), -1) {
			if files := seen[string(id)]; !slices.Contains(files, name) {
				seen[string(id)] = append(files, name)
			}
		}
	})

	for id, files := range seen {
		if _, defined := rules[id]; !defined {
			t.Errorf("%s stands in %s and is not defined in %s", id, strings.Join(files, ", "), rulesPage)
		}
	}

	for id, keepers := range rules {
		for _, keeper := range keepers {
			if !seen.in(id, keeper) {
				t.Errorf("%s says that %s keeps %s, but no Go file there names it; named in: %s",
					rulesPage, keeper, id, strings.Join(seen[id], ", "))
			}
		}
	}
}

// TestNoTicketNumbersInTheTree looks for references that only people with our list of tickets could follow.
func TestNoTicketNumbersInTheTree(t *testing.T) {
	eachText(t, func(name string, text []byte) {
		if found := ticket.Find(text); found != nil && name != "internal/rules_test.go" {
			t.Errorf("%s: %q: say what it is about instead", name, found)
		}
	})
}

// TestRulesPageIsReadStrictly shows what counts as a row, as an id, and as a ticket's number.
func TestRulesPageIsReadStrictly(t *testing.T) {
	for row, want := range map[string]bool{
		"| F-09 | What is paid is what submit locked. | `app`, `rails/bank` |": true,
		"| I16 | Every history follows the table. | `app/apptest` |":           true,
		"| F-09 | What is paid is what submit locked. |  |":                    false,
		"| F-9 | What is paid is what submit locked. | `app` |":                false,
		"| F-09 | too short | `app` |":                                         false,
	} {
		t.Run(row, func(t *testing.T) {
			if got := ruleRow.MatchString(row); got != want {
				t.Errorf("%s: a row: %v", row, got)
			}
		})
	}

	text := "// F-09, I8: UTF-16, SHA-256, PDF-1.7, INV-07, EIP-55 and I0 are none."
	if got := strings.Join(ruleID.FindAllString(text, -1), " "); got != "F-09 I8" {
		t.Errorf("ids in %q: %s", text, got)
	}

	for text, want := range map[string]bool{
		"see issue 12": true,
		"see issue #7": true,
		"No. 18":       true,
		"the ticketId": false,
		"no 18":        false,
	} {
		t.Run(text, func(t *testing.T) {
			if got := ticket.MatchString(text); got != want {
				t.Errorf("%q: a ticket's number: %v", text, got)
			}
		})
	}
}

// readRules returns the packages that keep each rule.
func readRules(t *testing.T) map[string][]string {
	t.Helper()

	text, err := os.ReadFile("../" + rulesPage)
	if err != nil {
		t.Fatal(err)
	}

	rules := map[string][]string{}
	for _, line := range strings.Split(string(text), "\n") {
		row := ruleRow.FindStringSubmatch(line)

		switch {
		case row == nil && strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| Id |"):
			t.Errorf("%s: not a row of the form | id | what holds | `package` |: %s", rulesPage, line)
		case row == nil:
			continue
		case rules[row[1]] != nil:
			t.Errorf("%s defines %s twice", rulesPage, row[1])
		default:
			rules[row[1]] = strings.Split(strings.ReplaceAll(row[3], "`", ""), ", ")
		}
	}

	if len(rules) < 100 {
		t.Fatalf("only %d rules were read from %s", len(rules), rulesPage)
	}

	return rules
}

// in reports whether a Go file in the keeper's folder names the rule. Short names of packages are below internal.
func (s sightings) in(id, keeper string) bool {
	return slices.ContainsFunc(s[id], func(name string) bool {
		folder := path.Dir(name)

		return strings.HasSuffix(name, ".go") && (folder == keeper || folder == "internal/"+keeper)
	})
}

// eachText calls use with every text file that people wrote, by its path from the module's root.
func eachText(t *testing.T, use func(name string, text []byte)) {
	t.Helper()

	const root, limit = "..", 1 << 20
	count := 0

	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // it went away meanwhile
		}

		base := d.Name()
		if d.IsDir() && name != root && (base[0] == '.' || slices.Contains(notOurs, base)) {
			return fs.SkipDir
		}

		if d.IsDir() || slices.Contains(notOurs, base) {
			return nil
		}

		text, err := os.ReadFile(name)
		if err != nil || len(text) > limit || bytes.IndexByte(text, 0) >= 0 {
			return nil
		}

		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}

		count++
		use(filepath.ToSlash(rel), text)

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	if count < 500 {
		t.Fatalf("only %d files under %s: this test looks at the wrong place", count, root)
	}
}

// notOurs are folders and files that nobody here writes by hand.
var notOurs = []string{"node_modules", "testdata", "bin", "data", "artifacts", "go.sum", "package-lock.json"}
