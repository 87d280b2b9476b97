package config

import (
	"reflect"
	"strings"
	"time"

	"slipway/internal/platform/secret"
)

// EnvPrefix begins the name of every environment variable of Slipway.
const EnvPrefix = "SLIPWAY_"

// The lists of tables: each table has an id of its own.
const (
	networkKey = "network"
	houseKey   = "house_account"
)

// listed returns the list that a key such as "network.ethereum.router" belongs to, and what follows its name; "" for a
// plain setting.
func listed(key string) (list, rest string) {
	for _, list := range []string{networkKey, houseKey} {
		if rest, ok := strings.CutPrefix(key, list+"."); ok {
			return list, rest
		}
	}

	return "", key
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

	index    []int // the field in Config, or in Network
	typ      reflect.Type
	min, max string
}

// Describe returns every setting in the order of the struct. Those of networks are listed once, with <id> for the
// network's id.
func Describe() []Setting { return settingsOf(reflect.TypeFor[Config](), "", nil) }

func networkSettings() []Setting { return settingsOf(reflect.TypeFor[Network](), "", nil) }

func houseSettings() []Setting { return settingsOf(reflect.TypeFor[HouseAccount](), "", nil) }

func settingsOf(t reflect.Type, prefix string, index []int) []Setting {
	var out []Setting
	for i := range t.NumField() {
		f := t.Field(i)

		key := f.Tag.Get("key")
		if key == "" {
			continue
		}

		at := append(append([]int(nil), index...), i)
		switch {
		case f.Type == reflect.TypeFor[[]Network](), f.Type == reflect.TypeFor[[]HouseAccount]():
			for _, s := range settingsOf(f.Type.Elem(), "", nil) {
				if s.Key != "id" {
					s.Key = key + ".<id>." + s.Key
					s.Env = envName(s.Key)
					out = append(out, s)
				}
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
