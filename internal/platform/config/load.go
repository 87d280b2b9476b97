package config

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/knadh/koanf/parsers/toml/v2"
	"github.com/knadh/koanf/providers/env/v2"
	"github.com/knadh/koanf/providers/file"
	"github.com/knadh/koanf/v2"

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

	if err := l.loadEnviron(s.Environ); err != nil {
		return nil, err
	}

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
	ko := koanf.New(".")
	if err := ko.Load(file.Provider(path), toml.Parser()); err != nil {
		var at interface{ Position() (row, column int) }
		if errors.As(err, &at) {
			row, column := at.Position()
			return &Invalid{Problems: []string{fmt.Sprintf("%s, line %d, column %d: %v", path, row, column, err)}}
		}

		if !errors.As(err, new(*os.PathError)) {
			return &Invalid{Problems: []string{fmt.Sprintf("%s: %v", path, err)}}
		}

		return fmt.Errorf("read configuration: %w", err)
	}

	flat := map[string]any{}
	for key, v := range ko.All() {
		if table, ok := v.(map[string]any); ok && len(table) == 0 && l.isTable(key) {
			continue // a header with nothing under it
		}

		if _, ok := listOf(key); !ok {
			flat[key] = v
			continue
		}

		tables, ok := v.([]any)
		if !ok {
			l.fault("%s: %ss are written as [[%s]] tables", path, strings.ReplaceAll(key, "_", " "), key)
			continue
		}

		l.fileTables(path, key, tables, flat)
	}

	l.add(flat, func(string) string { return path })

	return nil
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
func (l *loader) loadEnviron(environ []string) error {
	ko := koanf.New(".")

	provider := env.Provider("", env.Opt{
		Prefix: EnvPrefix, EnvironFunc: func() []string { return environ },
		TransformFunc: func(name, value string) (string, any) {
			if foreign(name, value) {
				return "", nil
			}

			return name, value
		},
	})
	if err := ko.Load(provider, nil); err != nil {
		return fmt.Errorf("read environment: %w", err)
	}

	flat := map[string]any{}

	names := map[string]string{}
	for name, v := range ko.All() {
		key := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(name, EnvPrefix)), "__", ".")
		if list, rest := listed(key); list != "" {
			id, field, _ := strings.Cut(rest, ".")
			key = list + "." + l.environTable(list, id, field) + "." + field
		}

		flat[key] = v
		names[key] = name
	}

	l.add(flat, func(key string) string { return names[key] })

	return nil
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
		sort.Strings(l.ids[list])
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
	keys := make([]string, 0, len(flat))
	for key := range flat {
		keys = append(keys, key)
	}

	sort.Strings(keys)

	for _, key := range keys {
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

	sort.Strings(candidates)
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
	for _, s := range Describe() {
		if list, _ := listed(s.Key); list == "" {
			l.apply(s, root.FieldByIndex(s.index), s.Key)
		}
	}

	for _, list := range tableLists {
		l.buildTables(list, root.FieldByName(list.field))
	}

	for i := range c.Networks {
		c.Networks[i].complete()
	}

	return c
}

// buildTables fills a list, table by table.
func (l *loader) buildTables(list tableList, into reflect.Value) {
	for _, id := range l.ids[list.key] {
		table := reflect.New(list.typ).Elem()
		table.FieldByName("ID").SetString(id)

		for _, s := range list.settings() {
			l.apply(s, table.FieldByIndex(s.index), list.key+"."+id+"."+s.Key)
		}

		into.Set(reflect.Append(into, table))
	}
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

func (l *loader) apply(s Setting, v reflect.Value, key string) {
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
