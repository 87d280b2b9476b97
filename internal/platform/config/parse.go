package config

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// set writes a given value into the field v. The value is a string from the environment or a file, or what TOML made
// of it. The error never repeats the value of a secret.
func (s Setting) set(v reflect.Value, given any) error {
	if s.Kind == "list" {
		list, err := s.list(given)

		out := reflect.MakeSlice(s.typ, len(list), len(list))
		for i, x := range list {
			out.Index(i).SetString(x)
		}

		v.Set(out)

		return err
	}

	if !scalar(given) {
		return errors.New("one value is needed here, not a list or table")
	}

	x := text(given)

	switch s.Kind {
	case "duration":
		d, err := time.ParseDuration(x)
		if err != nil {
			return fmt.Errorf("%s is not a duration such as 90s or 5m", s.quote(x))
		}

		v.SetInt(int64(d))

		return s.inRange(int64(d))

	case "true or false":
		b, err := strconv.ParseBool(x)
		if err != nil {
			return fmt.Errorf("%s is neither true nor false", s.quote(x))
		}

		v.SetBool(b)

	case "whole number":
		n, err := strconv.ParseInt(x, 10, 64)
		if err != nil || n < 0 && v.CanUint() {
			return fmt.Errorf("%s is not a whole number", s.quote(x))
		}

		v.Set(reflect.ValueOf(n).Convert(s.typ))

		return s.inRange(n)

	default:
		if len(s.Choices) > 0 && x != "" && !slices.Contains(s.Choices, x) {
			return fmt.Errorf("%s is not one of: %s", s.quote(x), strings.Join(s.Choices, ", "))
		}

		v.SetString(x)
	}

	return nil
}

// list takes a TOML list, or one text with commas.
func (s Setting) list(given any) ([]string, error) {
	var out []string
	switch x := given.(type) {
	case []any:
		for _, item := range x {
			if !scalar(item) {
				return nil, errors.New("a list of texts is needed here")
			}

			out = append(out, text(item))
		}

	case map[string]any:
		return nil, errors.New("a list of texts is needed here, not a table")

	default:
		for _, part := range strings.FieldsFunc(text(x), func(r rune) bool { return r == ',' || r == '\n' }) {
			if part = strings.TrimSpace(part); part != "" {
				out = append(out, part)
			}
		}
	}

	return out, nil
}

func (s Setting) inRange(n int64) error {
	if lo, ok := s.bound(s.min); ok && n < lo {
		return fmt.Errorf("it must be at least %s", s.min)
	}

	if hi, ok := s.bound(s.max); ok && n > hi {
		return fmt.Errorf("it may be at most %s", s.max)
	}

	return nil
}

func (s Setting) bound(text string) (int64, bool) {
	if text == "" {
		return 0, false
	}

	if d, err := time.ParseDuration(text); err == nil && s.Kind == "duration" {
		return int64(d), true
	}

	n, err := strconv.ParseInt(text, 10, 64)

	return n, err == nil
}

func (s Setting) quote(given string) string {
	if s.Secret {
		return "the given value"
	}

	return strconv.Quote(given)
}

func scalar(v any) bool {
	switch reflect.ValueOf(v).Kind() {
	case reflect.Slice, reflect.Map, reflect.Invalid:
		return false
	default: // TOML has nothing else that holds values
		return true
	}
}

// text is a TOML value as it would stand in the environment.
func text(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	default:
		return fmt.Sprint(x)
	}
}

// nearest returns the candidate that is closest to s, and whether it is close enough to be what was meant.
func nearest(s string, candidates []string) (string, bool) {
	best := ""

	least := len(s)/2 + 1
	for _, c := range candidates {
		if d := distance(strings.ToLower(s), strings.ToLower(c)); d < least {
			best = c
			least = d
		}
	}

	return best, best != ""
}

// distance returns the number of single letters to change, add or leave out between a and b (Levenshtein).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}

	for i := 1; i <= len(a); i++ {
		diagonal := row[0]

		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := diagonal
			if a[i-1] != b[j-1] {
				cost++
			}

			diagonal = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}

	return row[len(b)]
}
