package config

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteTable prints every setting of c with its value, where the value came from, and what it is for. Secrets show as
// [set].
func WriteTable(w io.Writer, c *Config) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "SETTING\tENVIRONMENT\tVALUE\tFROM\tDEFAULT")
	c.each(func(s Setting, key string, v reflect.Value) { c.row(t, s, key, v) })

	if err := t.Flush(); err != nil {
		return err
	}

	fmt.Fprintf(w, "\nWhat they are for:\n\n")

	for _, s := range Describe() {
		if _, err := fmt.Fprintf(w, "  %s\n      %s\n", s.Key, s.about()); err != nil {
			return err
		}
	}

	return nil
}

func (c *Config) row(w io.Writer, s Setting, key string, v reflect.Value) {
	env := strings.ReplaceAll(envName(key), "-", "_")
	fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", key, env, cmp.Or(shown(v), "-"),
		cmp.Or(c.provenance.from[key], "default"), cmp.Or(s.Default, "-"))
}

func (s Setting) about() string {
	out := s.Help

	unnamed := func(choice string) bool { return !strings.Contains(out, choice) }
	if slices.ContainsFunc(s.Choices, unnamed) {
		out += " One of: " + strings.Join(s.Choices, ", ") + "."
	}

	if s.Secret {
		out += " Secret: " + s.Env + "_FILE names a file that holds it."
	}

	return out
}

// shown returns a value as text. Secrets hide themselves.
func shown(v reflect.Value) string {
	if d, ok := v.Interface().(time.Duration); ok {
		return zeros.ReplaceAllString(d.String(), "$1")
	}

	if v.Kind() == reflect.Slice {
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = fmt.Sprint(v.Index(i).Interface())
		}

		return strings.Join(parts, ", ")
	}

	return fmt.Sprint(v.Interface())
}

// zeros are the parts of a duration that are zero, behind others: 3m, not 3m0s.
var zeros = regexp.MustCompile(`([hm])(0m)?0s$`)

// WriteTOML prints a configuration file with every setting, its help and its default, all commented out.
func WriteTOML(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Configuration of Slipway. Every line that is commented out shows the default.\n")
	b.WriteString("# The environment overrides this file. A secret can be in its own file: ")
	b.WriteString("password_file = \"/run/secrets/…\".\n")

	section := ""
	for _, s := range Describe() {
		at := strings.LastIndexByte(s.Key, '.')
		table := ""

		name := s.Key
		if at >= 0 {
			table = s.Key[:at]
			name = s.Key[at+1:]
		}

		if table != section {
			section = table

			if list, _ := listed(s.Key); list != "" {
				of, _ := listOf(list)
				fmt.Fprintf(&b, "\n# One such table for each %s.\n#[[%s]]\n#id = %q\n", of.about, of.key, of.example)
			} else {
				fmt.Fprintf(&b, "\n[%s]\n", table)
			}
		}

		fmt.Fprintf(&b, "# %s\n#%s = %s\n", s.about(), name, s.literal())
	}

	_, err := io.WriteString(w, b.String())

	return err
}

// literal returns the default as TOML writes it.
func (s Setting) literal() string {
	switch {
	case s.Kind == "list":
		items, _ := s.list(s.Default) // a default is text, which is always a list
		for i := range items {
			items[i] = strconv.Quote(items[i])
		}

		return "[" + strings.Join(items, ", ") + "]"

	case s.Kind == "whole number" && s.Default == "":
		return "0"
	case s.Kind == "whole number", s.Kind == "true or false":
		return s.Default
	default:
		return strconv.Quote(s.Default)
	}
}
