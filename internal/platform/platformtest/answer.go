package platformtest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// PlaceOf returns where the wrong value of an entry of a problem document's errors stands: its pointer, "?limit" of a
// parameter of the query, or "header If-Match".
func PlaceOf(entry any) string {
	e, _ := entry.(map[string]any)
	in, _ := e["in"].(string)
	name, _ := e["name"].(string)
	pointer, _ := e["pointer"].(string)

	switch in {
	case "":
		return pointer
	case "query":
		return "?" + name
	default:
		return in + " " + name
	}
}

// SameAnswer requires that two texts of JSON say the same. An answer writes null or [] for what the library leaves out
// of an object.
func SameAnswer(t testing.TB, want, got []byte, message ...any) {
	t.Helper()

	var a, b any

	require.NoError(t, json.Unmarshal(want, &a), message...)
	require.NoError(t, json.Unmarshal(got, &b), message...)
	require.Equal(t, withoutAbsent(a), withoutAbsent(b), message...)
}

// withoutAbsent takes members that hold nothing out of the objects of a value.
func withoutAbsent(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, x := range v {
			x = withoutAbsent(x)
			v[name] = x

			if isNothing(x) {
				delete(v, name)
			}
		}

	case []any:
		for i := range v {
			v[i] = withoutAbsent(v[i])
		}
	}

	return v
}

func isNothing(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}

	return false
}
