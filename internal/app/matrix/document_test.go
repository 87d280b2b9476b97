//go:build !nosandbox

package matrix

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
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

// resolve follows a reference.
func (d document) resolve(s object) object {
	for {
		ref, ok := s["$ref"].(string)
		if !ok {
			return s
		}

		s, _ = at(d.root, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...).(object)
	}
}

// output gives the schema an answer must have and its media type; a nil schema: none is promised.
func (d document) output(route string, status int) (schema object, media string, known bool) {
	responses, _ := d.operation(route)["responses"].(object)

	r, ok := responses[fmt.Sprint(status)].(object)
	if !ok && status >= 400 {
		r, ok = responses["default"].(object)
	}

	content, _ := r["content"].(object)
	if c, ok := content["application/json"]; ok { // of several, what is asked for without an Accept header
		content = object{"application/json": c}
	}

	for media, c := range content {
		schema, _ := at(c, "schema").(object)
		return d.resolve(schema), media, true
	}

	return nil, "", ok
}

// check holds a value against a schema and gives every difference.
func (d document) check(s object, v any, where string) []string {
	s = d.resolve(s)
	if len(s) == 0 {
		return nil
	}

	if one, ok := s["oneOf"].([]any); ok {
		for _, alternative := range one {
			if len(d.check(alternative.(object), v, where)) == 0 {
				return nil
			}
		}

		return []string{where + ": fits none of the alternatives"}
	}

	if !hasType(s["type"], v) {
		return []string{fmt.Sprintf("%s: %T %.80v is no %v", where, v, v, s["type"])}
	}

	if words, ok := s["enum"].([]any); ok && v != nil && !slices.ContainsFunc(words, func(w any) bool {
		return fmt.Sprint(w) == fmt.Sprint(v)
	}) {
		return []string{fmt.Sprintf("%s: %v is none of %v", where, v, words)}
	}

	switch x := v.(type) {
	case object:
		return d.checkObject(s, x, where)
	case []any:
		return d.checkList(s, x, where)
	case string:
		return checkText(s, x, where)
	}

	return nil
}

func (d document) checkObject(s object, x object, where string) []string {
	var out []string

	required, _ := s["required"].([]any)
	for _, name := range required {
		if _, ok := x[name.(string)]; !ok {
			out = append(out, fmt.Sprintf("%s: %s is missing", where, name))
		}
	}

	properties, _ := s["properties"].(object)
	for name, v := range x {
		inner, known := properties[name].(object)
		if more, ok := s["additionalProperties"].(object); !known && ok {
			inner = more
			known = true
		}

		switch {
		case known:
			out = append(out, d.check(inner, v, where+"/"+name)...)
		case s["additionalProperties"] == false:
			out = append(out, fmt.Sprintf("%s: %s is not in the document", where, name))
		}
	}

	return out
}

func (d document) checkList(s object, x []any, where string) []string {
	var out []string

	items, _ := s["items"].(object)
	for i, v := range x {
		out = append(out, d.check(items, v, fmt.Sprintf("%s/%d", where, i))...)
	}

	return out
}

func checkText(s object, x, where string) []string {
	if s["format"] == "date-time" {
		if _, err := time.Parse(time.RFC3339, x); err != nil {
			return []string{fmt.Sprintf("%s: %q is no date-time", where, x)}
		}
	}

	if most, ok := s["maxLength"].(float64); ok && utf8.RuneCountInString(x) > int(most) {
		return []string{where + ": longer than the document says"}
	}

	if p, ok := s["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(x) {
		return []string{fmt.Sprintf("%s: %q does not match %s", where, x, p)}
	}

	return nil
}

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
func (s *stage) conforms(d document, route string, a answer) {
	s.t.Helper()

	if d.operation(route) == nil {
		return
	}

	tell := func(format string, args ...any) {
		s.t.Helper()

		if what := route + digits.ReplaceAllString(fmt.Sprintf(format, args...), "#"); s.told[what] {
			return
		} else {
			s.told[what] = true
		}

		s.t.Errorf(
			"%s %s?%s %.500s\n%d %.1000s\n%s",
			a.call.method,
			a.call.path,
			a.call.query,
			a.call.body,
			a.status,
			a.raw,
			fmt.Sprintf(format, args...),
		)
	}

	schema, media, known := d.output(route, a.status)
	switch {
	case !known:
		tell("the document has no answer with this status")
		return

	case schema == nil:
		if a.raw != "" && media == "" {
			tell("the document promises no body")
		}

		return

	case !strings.HasPrefix(a.header.Get("Content-Type"), media):
		tell("the document promises %s, not %s", media, a.header.Get("Content-Type"))
	}

	if !strings.HasSuffix(media, "json") {
		return // a file
	}

	var v any
	if err := json.Unmarshal([]byte(a.raw), &v); err != nil {
		tell("the body is no JSON: %v", err)
		return
	}

	if wrong := d.check(schema, v, ""); len(wrong) > 0 {
		tell("against the document: %s", strings.Join(wrong, "; "))
	}

	if a.status >= 400 &&
		(a.body["status"] != float64(a.status) || !strings.HasSuffix(fmt.Sprint(a.body["type"]), "/problems/"+a.code()) ||
			a.body["requestId"] != a.header.Get("X-Request-Id") || a.body["detail"] == "") {
		tell("the problem document contradicts its answer")
	}
}
