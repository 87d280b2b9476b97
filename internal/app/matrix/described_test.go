//go:build !nosandbox

package matrix

import (
	"context"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
)

var plural = regexp.MustCompile(`^[a-z]+(-[a-z]+)*s$`)

// liveDocument is the document of this build's live operations.
func liveDocument(t *testing.T) document {
	t.Helper()

	raw, err := app.OpenAPI(context.Background())
	require.NoError(t, err)

	return readDocument(t, raw)
}

// eachOperation calls what for every operation of the document, in the order of their paths.
func (d document) eachOperation(what func(route string, op object)) {
	paths := at(d.root, "paths").(object)

	for _, path := range slices.Sorted(maps.Keys(paths)) {
		item := paths[path].(object)
		for _, method := range slices.Sorted(maps.Keys(item)) {
			what(strings.ToUpper(method)+" "+path, item[method].(object))
		}
	}
}

// TestEveryOperationIsDescribed: a summary that is no sentence, one declared tag, parameters with words, answers with
// schemas, examples that a test has got, and refusals with their codes.
func TestEveryOperationIsDescribed(t *testing.T) {
	d := liveDocument(t)

	var tags []any
	for _, tag := range at(d.root, "tags").([]any) {
		tags = append(tags, at(tag, "name"))
		require.NotEmpty(t, at(tag, "description"), tag)
	}

	operations := 0
	used := map[any]bool{}

	d.eachOperation(func(route string, op object) {
		operations++
		summary, _ := op["summary"].(string)
		require.NotEmpty(t, summary, route)
		require.False(t, strings.HasSuffix(summary, "."), "%s: a summary is no sentence", route)
		require.NotEmpty(t, op["operationId"], route)
		require.NotEmpty(t, op["description"], route)

		own, _ := op["tags"].([]any)
		require.Len(t, own, 1, route)
		require.Regexp(t, plural, own[0], route)
		require.Contains(t, tags, own[0], route)
		used[own[0]] = true

		d.describesParameters(t, route, op)
		d.describesAnswers(t, route, op)
	})

	require.Greater(t, operations, 100)
	require.Len(t, used, len(tags), "a tag that no operation has")
}

func (d document) describesParameters(t *testing.T, route string, op object) {
	params, _ := op["parameters"].([]any)
	for _, p := range params {
		if at(p, "description") == nil {
			t.Errorf("%s: %s %v has no description", route, at(p, "in"), at(p, "name"))
		}
	}
}

func (d document) describesAnswers(t *testing.T, route string, op object) {
	refusals := 0

	for status, r := range op["responses"].(object) {
		answer := d.resolve(r.(object))
		require.NotEmpty(t, answer["description"], "%s %s", route, status)

		content, _ := answer["content"].(object)
		for media, c := range content {
			require.NotNil(t, at(c, "schema"), "%s %s", route, status)

			if media == "application/json" && at(c, "example") == nil {
				t.Errorf("%s: %s has no example: go test ./internal/app/matrix -run TestExamplesAreFresh -update",
					route, status)
			}
		}

		if status >= "400" {
			refusals++
			schema := at(content["application/problem+json"], "schema", "allOf").([]any)

			words := "enum"
			if status == "422" { // or the code of the only wrong field
				words = "examples"
			}

			require.NotEmpty(t, at(schema[1], "properties", "code", words), "%s %s", route, status)
		}
	}

	require.Greater(t, refusals, 3, route)
}

// TestEveryFieldIsDescribed: what it is for, an example of every text and number, and never "anything at all". No
// answer is closed, since fields are added to it; every request is, since a field that is not known is refused.
func TestEveryFieldIsDescribed(t *testing.T) {
	d := liveDocument(t)
	f := fields{t: t, document: d}

	schemas := at(d.root, "components", "schemas").(object)
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		f.check(name, schemas[name].(object))
	}

	d.eachOperation(func(route string, op object) {
		for status, r := range op["responses"].(object) {
			for _, c := range contentOf(d.resolve(r.(object))) {
				d.isOpen(t, route+" "+status, at(c, "schema"), map[string]bool{})
			}
		}
	})

	require.Greater(t, f.seen, 1000)
}

func contentOf(answer object) object {
	content, _ := answer["content"].(object)
	return content
}

// fields looks at the properties of all schemas.
type fields struct {
	document
	t    *testing.T
	seen int
}

func (f *fields) check(name string, schema object) {
	properties, _ := schema["properties"].(object)

	for _, of := range slices.Sorted(maps.Keys(properties)) {
		p := properties[of].(object)
		f.seen++

		if p["description"] == nil {
			f.t.Errorf("%s.%s has no description: give it a doc tag, or a line in openapi_glossary.txt", name, of)
		}

		if !isTyped(p) {
			f.t.Errorf("%s.%s may be anything", name, of)
		}

		if f.isPlain(p) && p["examples"] == nil {
			f.t.Errorf("%s.%s has no example: give it an example tag, or a line in openapi_glossary.txt", name, of)
		}

		f.check(name, p)

		if items, ok := p["items"].(object); ok {
			f.check(name, items)
		}
	}
}

func isTyped(p object) bool {
	for _, key := range []string{"type", "$ref", "oneOf", "anyOf", "allOf", "enum", "const"} {
		if p[key] != nil {
			return true
		}
	}

	return false
}

// isPlain reports whether a property is a text, a number or a list of such, so that an example shows something.
func (f *fields) isPlain(p object) bool {
	p = f.resolve(p)
	if items, ok := p["items"].(object); ok {
		return f.isPlain(items)
	}

	for _, kind := range []string{"string", "integer", "number", "boolean"} {
		if hasType(p["type"], map[string]any{"string": "", "integer": 1.0, "number": 1.5, "boolean": true}[kind]) &&
			p["type"] != nil {
			return true
		}
	}

	return false
}

// isOpen fails for an answer's schema that forbids further members.
func (d document) isOpen(t *testing.T, where string, v any, seen map[string]bool) {
	switch v := v.(type) {
	case object:
		if ref, ok := v["$ref"].(string); ok {
			if !seen[ref] {
				seen[ref] = true
				d.isOpen(t, where+" "+ref, d.resolve(v), seen)
			}

			return
		}

		if v["additionalProperties"] == false {
			t.Errorf("%s is closed", where)
		}

		for _, inner := range v {
			d.isOpen(t, where, inner, seen)
		}

	case []any:
		for _, inner := range v {
			d.isOpen(t, where, inner, seen)
		}
	}
}

// TestEveryLineOfTheGlossaryIsUsed: a line for a field that is gone would say something about nothing.
func TestEveryLineOfTheGlossaryIsUsed(t *testing.T) {
	d := liveDocument(t)
	names := map[string]bool{}

	d.eachOperation(func(_ string, op object) {
		params, _ := op["parameters"].([]any)
		for _, p := range params {
			names[at(p, "name").(string)] = true
		}
	})

	var collect func(name string, schema object)

	collect = func(name string, schema object) {
		properties, _ := schema["properties"].(object)
		for of, p := range properties {
			names[of] = true
			names[name+"."+of] = true

			collect(name, p.(object))

			if items, ok := at(p, "items").(object); ok {
				collect(name, items)
			}
		}
	}

	for name, schema := range at(d.root, "components", "schemas").(object) {
		collect(name, schema.(object))
	}

	text, err := os.ReadFile(filepath.Join(root, "internal/app/openapi_glossary.txt"))
	require.NoError(t, err)

	for _, line := range lines(string(text)) {
		name, _, _ := strings.Cut(line, "|")
		if !names[strings.TrimSpace(name)] {
			t.Errorf("openapi_glossary.txt: no field is called %s", name)
		}
	}
}

// TestSecurityOfEveryOperationIsThatOfItsRoute: what the document says of credentials is what the route asks for.
func TestSecurityOfEveryOperationIsThatOfItsRoute(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		d := s.document()

		for _, r := range s.app.API.Routes() {
			op := d.operation(r.Method + " " + r.Path)
			if op == nil {
				continue
			}

			security, said := op["security"].([]any)

			switch {
			case r.Access != "public":
				require.False(t, said, "%s %s: the document's own holds", r.Method, r.Path)
			case len(security) > 0:
				require.Equal(t, []any{object{"refreshToken": []any{}}}, security)

				answer := s.send(call{method: r.Method, path: r.Path})
				require.Equal(t, http.StatusUnauthorized, answer.status, "%s %s", r.Method, r.Path)

			default:
				require.True(t, said, "%s %s needs no credentials", r.Method, r.Path)
			}
		}
	})
}
