package isotest

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Mutant is a valid message with one fault.
type Mutant struct {
	What    string // what was done
	Path    string // of the element
	Content []byte
}

// element returns the last two names of the path.
func (m Mutant) element() string {
	names := strings.Split(m.Path, "/")
	return strings.Join(names[max(0, len(names)-2):], "/")
}

// element is the position of an element in a file.
type element struct {
	path         string
	begin, after int // of the complete element
	inner, close int // of its content
	leaf         bool
}

var (
	digit   = regexp.MustCompile(`[0-9]`)
	day     = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}`)
	value   = regexp.MustCompile(`>[^<>]+<`)
	indices = regexp.MustCompile(`^(CRDT|DBIT|BOOK|PDNG|INFO|true|false)$`)
)

// Mutants returns faulty variants of a valid message: every element repeated with other values, directly after it and
// at its parent's end, days that do not exist, invalid codes, and amounts that are not numbers. It skips the paths in
// done.
func Mutants(t testing.TB, file []byte, done map[string]bool) (out []Mutant) {
	t.Helper()
	add := func(what, path string, parts ...[]byte) {
		out = append(out, Mutant{what, path, bytes.Join(parts, nil)})
	}

	all := elements(t, file)
	for _, e := range all {
		if done[e.path] || strings.Count(e.path, "/") < 2 {
			continue
		}

		done[e.path] = true
		before := file[:e.begin]
		whole := file[e.begin:e.after]
		behind := file[e.after:]
		add("doubled", e.path, before, whole, other(whole), behind)
		add("doubled before", e.path, before, other(whole), whole, behind)

		if parent := parentOf(all, e); parent.close > 0 {
			add("doubled at the end", e.path, file[:parent.close], other(whole), file[parent.close:])
		}

		if !e.leaf {
			continue
		}

		text := file[e.inner:e.close]
		switch {
		case day.Match(text):
			add("no day", e.path, file[:e.inner], []byte("2026-02-30"), text[10:], file[e.close:])
			add("no month", e.path, file[:e.inner], []byte("2026-13-01"), text[10:], file[e.close:])
		case indices.Match(text):
			add("no word", e.path, file[:e.inner], []byte("BOKO"), file[e.close:])

		case bytes.Contains(whole, []byte(" Ccy=")):
			add("no number", e.path, file[:e.inner], []byte("1,5"), file[e.close:])
			add("negative", e.path, file[:e.inner], []byte("-1.5"), file[e.close:])
			add("no currency", e.path, before, bytes.Replace(whole, []byte(" Ccy="), []byte(" Cur="), 1), behind)
		}
	}

	return out
}

// other returns an element with other values.
func other(whole []byte) []byte {
	return value.ReplaceAllFunc(whole, func(v []byte) []byte {
		text := v[1 : len(v)-1]
		switch {
		case len(bytes.TrimSpace(text)) == 0:
			return v
		case string(text) == "CRDT":
			return []byte(">DBIT<")
		case string(text) == "DBIT":
			return []byte(">CRDT<")
		case day.Match(text):
			return append([]byte(">2019-01-02"), v[11:]...)
		}

		return digit.ReplaceAllFunc(v, func(d []byte) []byte { return []byte{(d[0]-'0')%9 + '1'} })
	})
}

func parentOf(all []element, child element) (parent element) {
	for _, e := range all {
		if e.begin < child.begin && e.close > child.after-1 && e.begin > parent.begin {
			parent = e
		}
	}

	return parent
}

// elements finds every element of a file, in the order of their ends.
func elements(t testing.TB, file []byte) (out []element) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(file))

	var open []element
	for {
		begin := int(d.InputOffset())

		token, err := d.RawToken()
		if err != nil {
			return out
		}

		switch x := token.(type) {
		case xml.StartElement:
			path := x.Name.Local
			if len(open) > 0 {
				open[len(open)-1].leaf = false
				path = open[len(open)-1].path + "/" + path
			}

			open = append(open, element{path: path, begin: begin, inner: int(d.InputOffset()), leaf: true})

		case xml.EndElement:
			e := open[len(open)-1]
			open = open[:len(open)-1]
			e.close = begin
			e.after = int(d.InputOffset())
			out = append(out, e)
		}
	}
}

// Refused reports for every message whether xmllint refuses it by an official schema. It skips the test if one of the
// two is missing.
func Refused(t testing.TB, schema string, messages []Mutant) []bool {
	t.Helper()

	tool, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip(
			"xmllint is not installed (Debian and Ubuntu: apt-get install libxml2-utils): our reader is not held " +
				"against the schema",
		)
	}

	dir := t.TempDir()

	args := []string{"--nonet", "--noout", "--schema", filepath.Join(Folder(t), "xsd", schema)}
	for i, m := range messages {
		name := filepath.Join(dir, fmt.Sprintf("%d.xml", i))
		if err := os.WriteFile(name, m.Content, 0o600); err != nil {
			t.Fatal(err)
		}

		args = append(args, name)
	}

	out, _ := exec.Command(tool, args...).CombinedOutput() // it fails where one message does

	refused := make([]bool, len(messages))
	for i := range refused {
		refused[i] = true
	}

	for line := range strings.Lines(string(out)) {
		var i int

		if n, _ := fmt.Sscanf(strings.TrimPrefix(line, dir), "/%d.xml validates", &i); n == 1 &&
			strings.HasSuffix(line, " validates\n") {
			refused[i] = false
		}
	}

	return refused
}

// mostHeld limits the size of a corpus file for mutants: xmllint is slow to report faults of a large one.
const mostHeld = 20 << 10

// HoldAgainstSchemas makes mutants of every valid file of the corpus whose message begins with one of the names, and
// compares read with the official schema: what the schema refuses must be refused by read, or read as if the fault did
// not exist. lists are the elements that read accepts repeatedly. harmless excuses a mutant that may be read
// differently.
func HoldAgainstSchemas(t *testing.T, names []string, lists map[string]bool, read func(file []byte) (string, error),
	harmless func(m Mutant, got string) bool,
) {
	t.Helper()
	held := 0

	done := map[string]map[string]bool{}
	for _, v := range Verdicts(t) {
		schema := v.Message + ".xsd"
		if _, err := os.Stat(filepath.Join(Folder(t), "xsd", schema)); err != nil || v.Result != "valid" ||
			!begins(v.Message, names) {
			continue
		}

		file, err := os.ReadFile(filepath.Join(Folder(t), filepath.FromSlash(v.File)))
		if err != nil {
			t.Fatal(err)
		}

		want, err := read(file)
		if err != nil || len(file) > mostHeld {
			continue // enveloped or in another encoding: xmllint cannot check it alone
		}

		if done[v.Message] == nil {
			done[v.Message] = map[string]bool{}
		}

		mutants := append(Mutants(t, file, done[v.Message]), Mutant{Content: file})

		verdicts := Refused(t, schema, mutants)
		if verdicts[len(mutants)-1] {
			continue
		}

		for i, refused := range verdicts {
			m := mutants[i]

			got, err := read(m.Content)
			switch {
			case !refused || err != nil:
			case strings.HasPrefix(m.What, "doubled") && lists[m.element()]:

			case got != want && !harmless(m, got):
				t.Errorf(
					"%s, %s: the schema refuses it, we read something else than without the fault",
					v.File,
					m.What+" "+m.Path,
				)
			}

			held++
		}
	}

	t.Logf("%d mutants", held)

	if held < 100 {
		t.Errorf("only %d mutants were held against a schema", held)
	}
}

func begins(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}

	return false
}
