package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"slipway/internal/app/operations"
)

// mostItems limits the index of a list's item on the command line.
const mostItems = 1000

// put sets a field at a path of names and of indexes. It reports whether there is such a field.
func put(into map[string]any, fields []operations.Field, path []string, value string) (known bool, err error) {
	at := slices.IndexFunc(fields, func(f operations.Field) bool { return f.Name == path[0] })
	if at < 0 {
		return false, nil
	}

	f := fields[at]
	rest := path[1:]

	if len(rest) == 0 {
		into[f.Name], err = typed(f, value, into[f.Name])
		return true, err
	}

	items, _ := into[f.Name].(map[string]any)
	if items == nil {
		items = map[string]any{}
	}

	into[f.Name] = items

	if f.Type != "array" {
		return put(items, f.Of, rest, value)
	}

	if i, err := strconv.Atoi(rest[0]); err != nil || i < 0 || i > mostItems {
		return true, errors.New("an item of a list is named by its number, from 0")
	}

	if len(rest) == 1 {
		items[rest[0]] = value
		return true, nil
	}

	item, _ := items[rest[0]].(map[string]any)
	if item == nil {
		item = map[string]any{}
	}

	items[rest[0]] = item

	return put(item, f.Of, rest[1:], value)
}

// typed returns a value in the type of its field. Amounts are texts in the API and stay texts. A list is JSON, or grows
// by each value.
func typed(f operations.Field, value string, before any) (any, error) {
	switch f.Type {
	case "integer", "number":
		if json.Valid([]byte(value)) {
			return json.Number(value), nil
		}

		return nil, errors.New("must be a number")

	case "boolean":
		b, err := strconv.ParseBool(value)
		if err != nil {
			return nil, errors.New("must be true or false")
		}

		return b, nil

	case "array":
		if strings.HasPrefix(value, "[") {
			return raw(value)
		}

		list, _ := before.([]any)

		return append(list, value), nil

	case "object":
		return raw(value)
	}

	if len(f.Enum) > 0 && !slices.Contains(f.Enum, value) {
		return nil, fmt.Errorf("must be one of %s", strings.Join(f.Enum, ", "))
	}

	return value, nil
}

func raw(value string) (any, error) {
	if !json.Valid([]byte(value)) {
		return nil, errors.New("must be JSON")
	}

	return json.RawMessage(value), nil
}

// listed turns objects whose names are all numbers into lists.
func listed(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}

	numbers := make([]int, 0, len(m))

	for name, x := range m {
		m[name] = listed(x)

		if i, err := strconv.Atoi(name); err == nil {
			numbers = append(numbers, i)
		}
	}

	if len(numbers) == 0 || len(numbers) < len(m) {
		return m
	}

	slices.Sort(numbers)

	out := make([]any, len(numbers))
	for i, n := range numbers {
		out[i] = m[strconv.Itoa(n)]
	}

	return out
}
