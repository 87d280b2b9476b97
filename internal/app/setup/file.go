package setup

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// File is a configuration file that is being completed. Its lines stay as people wrote them; settings are only added.
type File struct {
	path  string
	lines []string
}

// OpenFile reads a configuration file. A missing one is empty.
func OpenFile(path string) (*File, error) {
	raw, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}

	f := &File{path: path}
	if text := strings.TrimRight(string(raw), "\n"); text != "" {
		f.lines = strings.Split(text, "\n")
	}

	return f, nil
}

// header is the first line of a table: [mail], or [[network]].
var header = regexp.MustCompile(`^\s*\[\[?\s*([a-z_.]+)\s*\]\]?\s*(#.*)?$`)

// Add adds a setting such as mail.host behind the head of its table, or a table of its own at the end. value is a text,
// a number, a truth value or a list of texts. The setting must not be in the file.
func (f *File) Add(key string, value any) {
	table, name := "", key
	if at := strings.LastIndexByte(key, '.'); at >= 0 {
		table, name = key[:at], key[at+1:]
	}

	f.insert(f.head(table), name+" = "+literal(value))
}

// AddTo adds a setting to the table with an id in a list of tables, such as the [[network]] with the id base. The table
// is made if it is missing.
func (f *File) AddTo(list, id, name string, value any) {
	at := -1

	for i, line := range f.lines {
		key, text, _ := strings.Cut(line, "=")
		if strings.TrimSpace(key) == "id" && unquoted(text) == id && f.tableAt(i) == list {
			at = i + 1
		}
	}

	if at < 0 {
		f.lines = append(f.lines, "", "[["+list+"]]", "id = "+literal(id))
		at = len(f.lines)
	}

	f.insert(at, name+" = "+literal(value))
}

// unquoted returns a text value without quotes and comment.
func unquoted(value string) string {
	text, _, _ := strings.Cut(value, "#")
	return strings.Trim(strings.TrimSpace(text), `"'`)
}

// tableAt returns the name of the table that a line is in.
func (f *File) tableAt(line int) string {
	for i := line; i >= 0; i-- {
		if m := header.FindStringSubmatch(f.lines[i]); m != nil {
			return m[1]
		}
	}

	return ""
}

// head returns the line after which settings of a table are added.
func (f *File) head(table string) int {
	if table == "" {
		for i, line := range f.lines {
			if header.MatchString(line) {
				return i
			}
		}

		return len(f.lines)
	}

	for i, line := range f.lines {
		if m := header.FindStringSubmatch(line); m != nil && m[1] == table {
			return i + 1
		}
	}

	f.lines = append(f.lines, "", "["+table+"]")

	return len(f.lines)
}

func (f *File) insert(at int, line string) {
	f.lines = append(f.lines[:at], append([]string{line}, f.lines[at:]...)...)
}

// literal returns a value as TOML writes it.
func literal(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.Quote(v)
	case []string:
		items := make([]string, len(v))
		for i, s := range v {
			items[i] = strconv.Quote(s)
		}

		return "[" + strings.Join(items, ", ") + "]"

	default:
		return fmt.Sprint(v)
	}
}

// Save writes the file, readable by its owner alone. After a crash it holds the old text or the new one.
func (f *File) Save() error {
	text := strings.TrimLeft(strings.Join(f.lines, "\n"), "\n") + "\n"

	next, err := os.CreateTemp(filepath.Dir(f.path), ".slipway-")
	if err != nil {
		return err
	}

	_, err = next.WriteString(text)
	if err = errors.Join(err, next.Sync(), next.Close()); err == nil {
		err = os.Rename(next.Name(), f.path)
	}

	if err != nil {
		return errors.Join(err, os.Remove(next.Name()))
	}

	return nil
}

// writeSecret writes a file of mode 0600 that did not exist. It refuses to replace one.
func writeSecret(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}

	_, err = f.WriteString(text + "\n")

	return errors.Join(err, f.Sync(), f.Close())
}

// exists reports whether a file is there.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
