//go:build !nosandbox

package conformance

import (
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"slipway/internal/app/apptest"
)

var braces = regexp.MustCompile(`\{[A-Za-z]+\}`)

// checkEndpoint looks for an operation: who may call it, what it takes, what it answers with, and that a test has got
// an answer of success from it.
func (s *stage) checkEndpoint(r row) error {
	method, path, _ := strings.Cut(r.rest(), " ")

	op := at(s.document, "paths", path, strings.ToLower(method))
	if op == nil {
		return errors.New("there is no such operation")
	}

	words := strings.Fields(r.want)
	if err := s.checkAccess(words[0], method, path); err != nil {
		return err
	}

	success, err := s.success(op)
	if err != nil {
		return err
	}

	for _, word := range words[1:] {
		side, list, _ := strings.Cut(word, ":")

		for _, name := range strings.Split(list, ",") {
			have := s.taken(op)
			if side == "out" {
				have = s.members(success)
			}

			if err := s.has(have, name); err != nil {
				return fmt.Errorf("%s: %w", side, err)
			}
		}
	}

	return nil
}

// checkAccess calls without credentials. What it sends is what completing an account takes, the one operation that
// looks at the request before it asks who sends it.
func (s *stage) checkAccess(access, method, path string) error {
	path = braces.ReplaceAllString(path, "nobody")

	var body any

	switch path {
	case "/users/complete":
		body = apptest.Object{"token": "nobody", "password": "nobody", "firstName": "No", "lastName": "Body"}
	case "/users/complete/info":
		path += "?token=nobody"
	}

	a := s.h.Do(s.h.App, method, path, "", body)
	refused := a.Status == http.StatusUnauthorized

	switch {
	case access == "bearer" && !refused:
		return fmt.Errorf("without credentials it answers %d", a.Status)
	case access == "public" && refused:
		return errors.New("it needs credentials")
	}

	return nil
}

// success returns the schema of the answer of success, which has an example that a test has got; nil for one without
// JSON.
func (s *stage) success(op object) (object, error) {
	for _, status := range []string{"200", "201", "202", "204"} {
		answer := at(op, "responses", status)
		if answer == nil {
			continue
		}

		media := at(answer, "content", "application/json")
		if media == nil {
			return nil, nil
		}

		if media["example"] == nil {
			return nil, errors.New("no test has got an answer from it")
		}

		schema, _ := media["schema"].(object)

		return schema, nil
	}

	return nil, errors.New("it has no answer of success")
}

// taken are the names of what an operation takes.
func (s *stage) taken(op object) map[string]bool {
	out := map[string]bool{}

	parameters, _ := op["parameters"].([]any)
	for _, p := range parameters {
		out[p.(object)["name"].(string)] = true
	}

	body, _ := at(op, "requestBody", "content", "application/json")["schema"].(object)
	for name := range s.members(body) {
		out[name] = true
	}

	return out
}

// members are the names of an object's properties, or of those of a list's items.
func (s *stage) members(schema object) map[string]bool {
	out := map[string]bool{}

	if ref, ok := schema["$ref"].(string); ok {
		schema = at(s.document, strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
	}

	if items, ok := schema["items"].(object); ok {
		return s.members(items)
	}

	properties, _ := schema["properties"].(object)
	for name := range properties {
		out[name] = true
	}

	for _, how := range []string{"oneOf", "allOf"} {
		all, _ := schema[how].([]any)
		for _, one := range all {
			for name := range s.members(one.(object)) {
				out[name] = true
			}
		}
	}

	return out
}

// has looks for a name, or for all fields of a record.
func (s *stage) has(have map[string]bool, name string) error {
	if name[0] < 'A' || name[0] > 'Z' || strings.ToUpper(name) == name {
		if !have[name] {
			return fmt.Errorf("there is no %s", name)
		}

		return nil
	}

	for _, r := range readRows(s.t) {
		if r.part(0) == "field" && r.part(1) == name && r.want != "never" && !have[r.part(2)] {
			return fmt.Errorf("%s has no %s", name, r.part(2))
		}
	}

	return nil
}

// at follows names; nil where one is missing.
func at(o object, names ...string) object {
	for _, name := range names {
		o, _ = o[name].(object)
	}

	return o
}
