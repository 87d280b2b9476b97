package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"slipway/internal/platform/remote"
)

// maxSecretFile is the largest file that may hold a secret.
const maxSecretFile = 64 << 10

// Source is where settings come from. The zero value means the defaults.
type Source struct {
	File    string   // a TOML file; "": none
	Environ []string // "NAME=value", as os.Environ returns them
}

// Invalid is the error of a wrong configuration, with one sentence for each problem.
type Invalid struct{ Problems []string }

// Error returns the sentences.
func (e *Invalid) Error() string {
	if len(e.Problems) == 1 {
		return "configuration: " + e.Problems[0]
	}

	return fmt.Sprintf("%d things in the configuration need to be corrected:\n  - %s", len(e.Problems),
		strings.Join(e.Problems, "\n  - "))
}

// provenance remembers the file and the environment and, for each key that was given, what gave it.
type provenance struct {
	file    string
	from    map[string]string
	proxies []string // variables that name one
}

// entry is a given value and what gave it: the configuration file's path, or an environment variable's name.
type entry struct {
	value any
	from  string
}

// loader collects given values by key; later layers replace earlier ones.
type loader struct {
	known    map[string]Setting // by key; of lists by "network.*.field"
	given    map[string]entry
	ids      map[string][]string // of each list, in order
	problems []string
}

// Load reads the configuration. Its error is an *Invalid that lists every problem, or that the file cannot be read.
func Load(s Source) (*Config, error) {
	l := &loader{known: map[string]Setting{}, given: map[string]entry{}, ids: map[string][]string{}}
	for _, x := range Describe() {
		l.known[strings.Replace(x.Key, "<id>", "*", 1)] = x
	}

	if s.File != "" {
		if err := l.loadFile(s.File); err != nil {
			return nil, err
		}
	}

	l.loadEnviron(s.Environ)

	c := l.build()

	c.provenance = provenance{
		file:    s.File,
		from:    map[string]string{},
		proxies: remote.NamedProxies(s.Environ),
	}
	for key, e := range l.given {
		c.provenance.from[key] = e.from
	}

	l.problems = append(l.problems, c.validate()...)
	if len(l.problems) > 0 {
		return nil, &Invalid{Problems: l.problems}
	}

	return c, nil
}

func (l *loader) fault(format string, args ...any) {
	l.problems = append(l.problems, fmt.Sprintf(format, args...))
}

func (l *loader) loadFile(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read configuration: %w", err)
	}

	tree := map[string]any{}
	if err := toml.Unmarshal(raw, &tree); err != nil {
		where := path

		var at *toml.DecodeError
		if errors.As(err, &at) {
			row, column := at.Position()
			where = fmt.Sprintf("%s, line %d, column %d", path, row, column)
		}

		return &Invalid{Problems: []string{fmt.Sprintf("%s: %v", where, err)}}
	}

	flat := map[string]any{}
	l.flatten(path, "", tree, flat)
	l.add(flat, func(string) string { return path })

	return nil
}

// flatten gives the values of nested tables their keys.
func (l *loader) flatten(path, prefix string, tree, flat map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		key := prefix + name
		_, isList := listOf(key)
		table, isTable := tree[name].(map[string]any)

		switch {
		case isList:
			tables, ok := tree[name].([]any)
			if !ok {
				l.fault("%s: %ss are written as [[%s]] tables", path, strings.ReplaceAll(key, "_", " "), key)
			}

			l.fileTables(path, key, tables, flat)

		case isTable && (len(table) > 0 || l.isTable(key)): // a header may have nothing under it
			l.flatten(path, key+".", table, flat)
		default:
			flat[key] = tree[name]
		}
	}
}

func (l *loader) isTable(key string) bool {
	for known := range l.known {
		if strings.HasPrefix(known, key+".") {
			return true
		}
	}

	return false
}

// fileTables flattens [[network]] tables, or those of another list, into keys that carry the id.
func (l *loader) fileTables(path, list string, tables []any, flat map[string]any) {
	for i, t := range tables {
		table, _ := t.(map[string]any)

		id, _ := table["id"].(string)
		if !tableID.MatchString(id) {
			l.fault("%s: the %d. [[%s]] needs an id of lower-case letters, digits and dashes", path, i+1, list)
			continue
		}

		if l.named(list, id) != "" {
			l.fault("%s: the %s %s stands twice", path, strings.ReplaceAll(list, "_", " "), id)
			continue
		}

		l.ids[list] = append(l.ids[list], id)
		for field, v := range table {
			if field != "id" {
				flat[list+"."+id+"."+field] = v
			}
		}
	}
}

// serviceVariable is what Kubernetes sets in every container for a service whose name begins with "slipway".
var serviceVariable = regexp.MustCompile(
	`_SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)$|_PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$`,
)

// ours are variables with our prefix that are no settings, beside those of tests, which begin with SLIPWAY_TEST_, and
// those of the commands that call the API, which begin with SLIPWAY_API_.
var ours = []string{"SLIPWAY_CONFIG", "SLIPWAY_FAILPOINT", "SLIPWAY_FIXTURES"}

// foreign reports whether a variable with our prefix is no setting: one of ours, or set by Kubernetes.
func foreign(name, value string) bool {
	return value == "" || slices.Contains(ours, name) || strings.HasPrefix(name, "SLIPWAY_TEST_") ||
		strings.HasPrefix(name, "SLIPWAY_API_") ||
		serviceVariable.MatchString(name) || strings.HasSuffix(name, "_PORT") && strings.Contains(value, "://")
}

// loadEnviron takes every variable with our prefix. An empty one counts as not given.
func (l *loader) loadEnviron(environ []string) {
	flat := map[string]any{}
	names := map[string]string{}

	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, EnvPrefix) || foreign(name, value) {
			continue
		}

		key := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, EnvPrefix)), "__", ".")
		if list, rest := listed(key); list != "" {
			id, field, _ := strings.Cut(rest, ".")
			key = list + "." + l.environTable(list, id, field) + "." + field
		}

		flat[key] = value
		names[key] = name
	}

	l.add(flat, func(key string) string { return names[key] })
}

// environTable returns the table that a variable names; its dashes are underscores there. It adds one that the file
// does not have.
func (l *loader) environTable(list, id, field string) string {
	if found := l.named(list, id); found != "" {
		return found
	}

	id = strings.ReplaceAll(id, "_", "-")
	if _, ok := l.setting(list + "." + id + "." + strings.TrimSuffix(field, "_file")); ok && tableID.MatchString(id) {
		l.ids[list] = append(l.ids[list], id)
		slices.Sort(l.ids[list])
	}

	return id
}

func (l *loader) named(list, id string) string {
	for _, n := range l.ids[list] {
		if strings.ReplaceAll(n, "-", "_") == strings.ReplaceAll(id, "-", "_") {
			return n
		}
	}

	return ""
}

// setting finds what describes a key.
func (l *loader) setting(key string) (Setting, bool) {
	if list, rest := listed(key); list != "" {
		_, field, _ := strings.Cut(rest, ".")
		key = list + ".*." + field
	}

	s, ok := l.known[key]

	return s, ok
}

// add takes one layer. from names what gave a key.
func (l *loader) add(flat map[string]any, from func(key string) string) {
	for _, key := range slices.Sorted(maps.Keys(flat)) {
		if _, ok := l.setting(key); ok {
			l.given[key] = entry{flat[key], from(key)}
			continue
		}

		plain := strings.TrimSuffix(key, "_file")
		if s, ok := l.setting(plain); ok && plain != key && s.Secret {
			if _, both := flat[plain]; both {
				l.fault("%s: give the secret or a file with it, not both", named(plain, from(plain)))
				continue
			}

			l.addSecret(plain, text(flat[key]), from(key))

			continue
		}

		l.unknown(key, from(key))
	}
}

// addSecret reads a secret from its own file. It cuts one line end, which editors add.
func (l *loader) addSecret(key, path, from string) {
	info, err := os.Stat(path)
	if err == nil && info.Size() > maxSecretFile {
		err = errors.New("it is too large for a secret")
	}

	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(path)
	}

	if err != nil {
		l.fault("%s: the file %s cannot be read: %v", named(key, from), path, errors.Unwrap(err))
		return
	}

	value := strings.TrimSuffix(strings.TrimSuffix(string(raw), "\n"), "\r")
	if value == "" {
		l.fault("%s: the file %s is empty", named(key, from), path)
		return
	}

	l.given[key] = entry{value, from + " (" + path + ")"}
}

// unknown reports an unknown name, as it was written, with the nearest known one.
func (l *loader) unknown(key, from string) {
	env := strings.HasPrefix(from, EnvPrefix)

	var candidates []string
	for _, s := range l.known {
		name := s.Key
		if list, rest := listed(key); list != "" {
			id, _, _ := strings.Cut(rest, ".")
			name = strings.Replace(name, "<id>", id, 1)
		}

		if env {
			name = envName(name)
		}

		candidates = append(candidates, name)
		if s.Secret && env {
			candidates = append(candidates, name+"_FILE")
		}
	}

	slices.Sort(candidates)
	given := key

	where := from + ": "
	if env {
		given = from
		where = ""
	}

	if best, ok := nearest(given, candidates); ok {
		l.fault("%sthere is no setting %s; %s is the nearest", where, given, best)
		return
	}

	l.fault("%sthere is no setting %s; `slipway config` lists them all", where, given)
}

// build makes the struct: defaults, then what was given.
func (l *loader) build() *Config {
	c := &Config{}
	root := reflect.ValueOf(c).Elem()

	for _, list := range tableLists {
		for _, id := range l.ids[list.key] {
			table := reflect.New(list.typ).Elem()
			table.FieldByName("ID").SetString(id)

			into := root.FieldByName(list.field)
			into.Set(reflect.Append(into, table))
		}
	}

	c.each(l.apply)

	for i := range c.Networks {
		c.Networks[i].complete()
	}

	return c
}

// complete fills in what depends on other settings of the network.
func (n *Network) complete() {
	if n.Name == "" {
		n.Name = n.ID
	}

	if n.FinalityTag == "" && n.FinalityDepth == 0 {
		n.FinalityTag = "finalized"
	}
}

func (l *loader) apply(s Setting, key string, v reflect.Value) {
	if s.Default != "" {
		if err := s.set(v, s.Default); err != nil {
			panic(fmt.Sprintf("config: default of %s: %v", s.Key, err)) // a fault of the tags, seen by every test
		}
	}

	e, ok := l.given[key]
	if !ok {
		return
	}

	if err := s.set(v, e.value); err != nil {
		l.fault("%s: %v", named(key, e.from), err)
	}
}

// named is a key with what gave it, for messages.
func named(key, from string) string {
	if strings.HasPrefix(from, EnvPrefix) {
		return from
	}

	return key + " in " + from
}
