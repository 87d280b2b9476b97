package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// document is the part of an OpenAPI document that counts here.
type document struct {
	OpenAPI    string                       `json:"openapi"`
	Info       object                       `json:"info"`
	Paths      map[string]map[string]object `json:"paths"`
	Components struct {
		Schemas map[string]object `json:"schemas"`
	} `json:"components"`
}

const schemaPrefix = "#/components/schemas/"

// unserved are operations that the generated code does not call: what they answer has no end.
var unserved = map[string]bool{"streamEvents": true}

// prepare changes the document. A schema that a PATCH takes keeps the difference between null and absent; everywhere
// else null means that there is nothing, as an absent value does.
func (d *document) prepare() error {
	d.OpenAPI = "3.0.3"
	patched := map[string]bool{}

	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for method, op := range d.Paths[path] {
			if unserved[text(op["operationId"])] {
				delete(d.Paths[path], method)
				continue
			}

			if err := d.operation(method, op); err != nil {
				return fmt.Errorf("%s %s: %w", method, path, err)
			}

			if method == "patch" {
				d.reach(op["requestBody"], patched)
			}
		}

		if len(d.Paths[path]) == 0 {
			delete(d.Paths, path)
		}
	}

	for name, s := range d.Components.Schemas {
		record(s, patched[name])
	}

	delete(d.Components.Schemas, "Decimal") // decimal.go has it

	return nil
}

// reach adds the schemas that a value refers to.
func (d *document) reach(value any, seen map[string]bool) {
	switch v := value.(type) {
	case object:
		name := strings.TrimPrefix(text(v["$ref"]), schemaPrefix)
		if s, ok := d.Components.Schemas[name]; ok && !seen[name] {
			seen[name] = true
			d.reach(s, seen)
		}

		for _, inner := range v {
			d.reach(inner, seen)
		}
	case []any:
		for _, inner := range v {
			d.reach(inner, seen)
		}
	}
}

// operation leaves of an operation its path and query parameters, its JSON body and the form of its success, and notes
// for the template what follows from the rest.
func (d *document) operation(method string, op object) error {
	var kept []any

	for _, p := range list(op["parameters"]) {
		p := p.(object)

		switch {
		case p["in"] == "header" && p["name"] == "Idempotency-Key":
			op["x-keyed"] = true
		case p["in"] == "query" || p["in"] == "path":
			delete(p, "example")
			delete(p, "examples")

			required, _ := p["required"].(bool)
			schema, _ := p["schema"].(object)
			value(schema, required, false)

			if !required && schema["type"] == "integer" {
				schema["x-go-type-skip-optional-pointer"] = true // no parameter means anything by 0
			}

			kept = append(kept, p)
		}
	}

	op["parameters"] = kept

	if err := body(op); err != nil {
		return err
	}

	d.answer(op)

	if method == "get" {
		op["x-keyed"] = true // it changes nothing and can be repeated
	}

	delete(op, "tags")
	delete(op, "security")

	return nil
}

// body leaves the JSON body and notes the name of its type. A file may come as a form: x-file.
func body(op object) error {
	content := under(under(op, "requestBody"), "content")
	if content == nil {
		delete(op, "requestBody")
		return nil
	}

	if content["multipart/form-data"] != nil {
		op["x-file"] = true
		delete(op, "requestBody")

		return nil
	}

	media := under(content, "application/json")
	name := reference(media["schema"])

	if name == "" {
		return fmt.Errorf("%v: the body is no named schema", op["operationId"])
	}

	op["x-body"] = name
	op["requestBody"] = object{"content": object{"application/json": object{"schema": media["schema"]}}}

	return nil
}

// answer leaves the first answer of success, and notes its type (x-result, or x-list for a bare list of it), that it is
// no JSON (x-raw), or that there is none. A list that is read page by page has x-item and the name of the iterator,
// x-all.
func (d *document) answer(op object) {
	responses := under(op, "responses")
	op["responses"] = object{"200": object{"description": "OK"}}

	for _, status := range []string{"200", "201", "202"} {
		content := under(under(responses, status), "content")

		if len(content) == 0 {
			continue
		}

		media, isJSON := content["application/json"].(object)
		if !isJSON {
			op["x-raw"] = true
			return
		}

		schema := under(media, "schema")
		clean(schema)

		name := reference(schema)
		if schema["type"] == "array" {
			op["x-list"] = reference(schema["items"])
		} else {
			op["x-result"] = name
		}

		op["responses"] = object{"200": object{
			"description": "OK",
			"content":     object{"application/json": object{"schema": schema}},
		}}

		if item := d.item(name); item != "" && hasParameter(op, "cursor") {
			id := text(op["operationId"])
			op["x-item"] = item
			op["x-all"] = "All" + strings.TrimPrefix(id, "list")
		}

		return
	}
}

// item returns the type of the results of a page, or "".
func (d *document) item(page string) string {
	properties := under(d.Components.Schemas[page], "properties")
	results := under(properties, "results")

	if properties["nextCursor"] == nil {
		return ""
	}

	return reference(results["items"])
}

func hasParameter(op object, name string) bool {
	return slices.ContainsFunc(list(op["parameters"]), func(p any) bool { return p.(object)["name"] == name })
}

// under returns the object of a field, or nil.
func under(o object, name string) object {
	inner, _ := o[name].(object)
	return inner
}

func reference(schema any) string {
	s, _ := schema.(object)
	return strings.TrimPrefix(text(s["$ref"]), schemaPrefix)
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
