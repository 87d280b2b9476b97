package config

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"slipway/internal/platform/secret"
)

// EnvPrefix begins the name of every environment variable of Slipway.
const EnvPrefix = "SLIPWAY_"

// tableList is a list of tables in the configuration. Each table has an id of its own, which is part of its settings'
// keys: network.ethereum.router.
type tableList struct {
	key     string
	field   string // of Config
	about   string // for the sample of a configuration file: one such table for each …
	example string // of an id
	typ     reflect.Type
}

const (
	networkKey       = "network"
	furtherSignerKey = "further_signer"
)

// tableLists are all of them. A further one needs one line here and its field in Config.
var tableLists = []tableList{
	{furtherSignerKey, "FurtherSigners", "further key of the operator", "second", reflect.TypeFor[FurtherSigner]()},
	{networkKey, "Networks", "network", "ethereum", reflect.TypeFor[Network]()},
	{"house_account", "HouseAccounts", "of our bank accounts", "eur", reflect.TypeFor[HouseAccount]()},
	{
		key:     "liquidity_provider",
		field:   "LiquidityProviders",
		about:   "further provider of liquidity",
		example: "second",
		typ:     reflect.TypeFor[LiquidityProvider](),
	},
}

// listOf returns the list with a key.
func listOf(key string) (tableList, bool) {
	i := slices.IndexFunc(tableLists, func(l tableList) bool { return l.key == key })
	if i < 0 {
		return tableList{}, false
	}

	return tableLists[i], true
}

// settings describes a table's settings, without its id.
func (l tableList) settings() []Setting {
	return slices.DeleteFunc(settingsOf(l.typ, "", nil), func(s Setting) bool { return s.Key == "id" })
}

// listed returns the list that a key such as "network.ethereum.router" belongs to, and what follows its name; "" for a
// plain setting.
func listed(key string) (list, rest string) {
	if list, rest, ok := strings.Cut(key, "."); ok {
		if _, ok := listOf(list); ok {
			return list, rest
		}
	}

	return "", key
}

// each visits every setting with its key and its place: the plain ones, then those of each table.
func (c *Config) each(visit func(s Setting, key string, v reflect.Value)) {
	root := reflect.ValueOf(c).Elem()

	for _, s := range Describe() {
		if list, _ := listed(s.Key); list == "" {
			visit(s, s.Key, root.FieldByIndex(s.index))
		}
	}

	for _, list := range tableLists {
		tables := root.FieldByName(list.field)
		for i := range tables.Len() {
			table := tables.Index(i)
			for _, s := range list.settings() {
				visit(s, list.key+"."+table.FieldByName("ID").String()+"."+s.Key, table.FieldByIndex(s.index))
			}
		}
	}
}

// Setting describes one key, for `slipway config` and for messages.
type Setting struct {
	Key     string // "http.listen"; of networks "network.<id>.router"
	Env     string // SLIPWAY_HTTP__LISTEN
	Default string
	Kind    string // "text", "true or false", "whole number", "duration", "list"
	Choices []string
	Secret  bool // may also come from a file: Env + "_FILE", or the key with _file in TOML
	Help    string

	index    []int // the field in Config, or in a list's table
	typ      reflect.Type
	min, max string
	form     string // of forms: what a text must be, unless it is empty
}

// Describe returns every setting in the order of the struct. Those of a list's tables are listed once, with <id> for
// the table's id.
func Describe() []Setting { return settingsOf(reflect.TypeFor[Config](), "", nil) }

func settingsOf(t reflect.Type, prefix string, index []int) []Setting {
	var out []Setting
	for i := range t.NumField() {
		f := t.Field(i)

		key := f.Tag.Get("key")
		if key == "" {
			continue
		}

		at := append(append([]int(nil), index...), i)
		list, isList := listOf(prefix + key)

		switch {
		case isList:
			for _, s := range list.settings() {
				s.Key = key + ".<id>." + s.Key
				s.Env = envName(s.Key)
				out = append(out, s)
			}

		case f.Type.Kind() == reflect.Struct:
			out = append(out, settingsOf(f.Type, prefix+key+".", at)...)
		default:
			out = append(out, settingOf(f, prefix+key, at))
		}
	}

	return out
}

func settingOf(f reflect.StructField, key string, index []int) Setting {
	s := Setting{
		Key:     key,
		Env:     envName(key),
		Default: f.Tag.Get("default"),
		Help:    f.Tag.Get("help"),
		Choices: strings.Fields(f.Tag.Get("oneof")),
		Kind:    kindOf(f.Type),
		index:   index,
		typ:     f.Type,
		min:     f.Tag.Get("min"),
		max:     f.Tag.Get("max"),
		form:    f.Tag.Get("form"),
	}
	s.Secret = f.Type == reflect.TypeFor[secret.Text]() || f.Type == reflect.TypeFor[[]secret.Text]()

	return s
}

func kindOf(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return "duration"
	case t.Kind() == reflect.Slice:
		return "list"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() == reflect.Int, t.Kind() == reflect.Uint64:
		return "whole number"
	default:
		return "text"
	}
}

// envName is "http.listen" as SLIPWAY_HTTP__LISTEN.
func envName(key string) string {
	return EnvPrefix + strings.ReplaceAll(strings.ToUpper(key), ".", "__")
}
