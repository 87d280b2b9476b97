//go:build !nosandbox

package matrix

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/platform/web/documenttest"
)

// object is a JSON object: a piece of the OpenAPI document, or of an answer.
type object = map[string]any

// document is the OpenAPI document of a running app.
type document struct{ root object }

func readDocument(t testing.TB, raw []byte) document {
	t.Helper()

	var d document
	require.NoError(t, json.Unmarshal(raw, &d.root))

	return d
}

// document gives the stage's own.
func (s *stage) document() document {
	raw, err := s.app.API.OpenAPI()
	require.NoError(s.t, err)
	return readDocument(s.t, raw)
}

// at walks down names; nil where one is missing.
func at(v any, names ...string) any {
	for _, n := range names {
		m, _ := v.(object)
		v = m[n]
	}

	return v
}

// operation gives an operation by its route; nil for what is no part of the document.
func (d document) operation(route string) object {
	method, path, _ := strings.Cut(route, " ")
	op, _ := at(d.root, "paths", path, strings.ToLower(method)).(object)
	return op
}

// input is the schema of an operation's body; nil: it has none.
func (d document) input(route string) object {
	s, _ := at(d.operation(route), "requestBody", "content", "application/json", "schema").(object)
	return d.resolve(s)
}

// resolve follows a reference, and takes the part that is not null of what may be null.
func (d document) resolve(s object) object {
	for {
		ref, ok := s["$ref"].(string)
		choice, _ := s["oneOf"].([]any)

		switch {
		case ok:
			s, _ = at(d.root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(object)
		case len(choice) == 2 && at(choice[1], "type") == "null":
			s, _ = choice[0].(object)
		default:
			return s
		}
	}
}

// documents are the OpenAPI documents of this process's stages.
var documents documenttest.Known

// hasType compares with a type of JSON Schema, or a list of them.
func hasType(want any, v any) bool {
	if list, ok := want.([]any); ok {
		return slices.ContainsFunc(list, func(t any) bool { return hasType(t, v) })
	}

	switch x := v.(type) {
	case nil:
		return want == nil || want == "null"
	case bool:
		return want == nil || want == "boolean"
	case string:
		return want == nil || want == "string"
	case float64:
		return want == nil || want == "number" || want == "integer" && x == math.Trunc(x)
	case object:
		return want == nil || want == "object"
	case []any:
		return want == nil || want == "array"
	}

	return false
}

var digits = regexp.MustCompile(`[0-9]+|map\[.*`)

// conforms reports where an answer is not what the document promises; each sort of difference once.
func (s *stage) conforms(a answer) {
	s.t.Helper()

	d, err := documents.Of(s.app.API)
	require.NoError(s.t, err)

	err = d.Check(a.call.method, a.call.path, a.status, a.header, []byte(a.raw))
	if err == nil && a.contradicts() {
		err = errors.New("the problem document contradicts its answer")
	}

	if err == nil {
		return
	}

	what, _, _ := strings.Cut(digits.ReplaceAllString(err.Error(), "#"), "\n")

	s.mu.Lock()
	known := s.told[what]
	s.told[what] = true
	s.mu.Unlock()

	if !known {
		s.t.Errorf("%s %s?%s %.500s: %v", a.call.method, a.call.path, a.call.query, a.call.body, err)
	}
}

// contradicts reports whether a problem document says something else than the answer that it came with.
func (a answer) contradicts() bool {
	return strings.HasPrefix(a.header.Get("Content-Type"), "application/problem+json") &&
		(a.body["status"] != float64(a.status) || a.body["detail"] == "" ||
			!strings.HasSuffix(fmt.Sprint(a.body["type"]), "/problems/"+a.code()) ||
			a.body["requestId"] != a.header.Get("X-Request-Id"))
}
