package main

import "slices"

// record prepares an object and its fields. patch says that null and absent differ in it.
func record(s object, patch bool) {
	clean(s)

	properties, _ := s["properties"].(object)
	if properties == nil {
		return
	}

	required := list(s["required"])

	var kept []any

	for name, p := range properties {
		p := p.(object)
		must := slices.Contains(required, any(name))
		null := value(p, must, patch)

		if must && (!null || patch) {
			kept = append(kept, name)
		}

		if name == "_id" {
			p["x-go-name"] = "ID"
		}
	}

	slices.SortFunc(kept, func(a, b any) int {
		if text(a) < text(b) {
			return -1
		}

		return 1
	})

	delete(s, "required")

	if len(kept) > 0 {
		s["required"] = kept
	}
}

// value prepares a field or parameter, and reports whether it may be null.
func value(s object, required, patch bool) (null bool) {
	null = clean(s)

	switch {
	case null && patch:
		s["nullable"] = true
	case patch:
	case (!required || null) && plain(s):
		s["x-go-type-skip-optional-pointer"] = true // its empty value is left out
	}

	if items, ok := s["items"].(object); ok {
		value(items, true, false)
	}

	if properties, ok := s["properties"].(object); ok && len(properties) > 0 {
		record(s, patch)
	}

	if more, ok := s["additionalProperties"].(object); ok {
		value(more, true, false)
	}

	return null
}

// plain reports whether the empty value of a type says as much as an absent one: texts and lists, but not false or 0.
func plain(s object) bool {
	if s["format"] == "date-time" {
		return false
	}

	return s["type"] == "string" || s["type"] == "array" || s["x-go-type"] == "json.RawMessage"
}

// clean turns a schema of 3.1 into one of 3.0 without what only documents, and reports whether it may be null.
func clean(s object) (null bool) {
	for _, name := range []string{
		"examples", "example", "pattern", "minLength", "maxLength", "minItems", "maxItems", "minimum", "maximum", "default",
	} {
		delete(s, name)
	}

	null = alternatives(s)
	null = types(s) || null

	if values := list(s["enum"]); len(values) > 0 {
		s["enum"] = slices.DeleteFunc(values, func(v any) bool { return v == nil })
	}

	switch s["format"] {
	case nil, "date-time", "int64":
	default:
		delete(s, "format")
	}

	if reference(s) == "Decimal" {
		delete(s, "$ref")
		s["type"] = "string"
		s["x-go-type"] = "Decimal"
	}

	if s["type"] == "number" { // a number is read as its digits
		s["x-go-type"] = "json.Number"
	}

	open := s["type"] == "object" && s["properties"] == nil && s["additionalProperties"] == true
	if open || s["type"] == nil && s["$ref"] == nil { // it is as its sender made it
		s["x-go-type"] = "json.RawMessage"
	}

	if _, typed := s["additionalProperties"].(object); !typed {
		delete(s, "additionalProperties")
	}

	return null
}

// alternatives takes one alternative. An identifier may be sent as an object too, which nobody needs to; of a text and
// an object with fields of its own the object says more.
func alternatives(s object) (null bool) {
	var kept object

	for _, one := range list(s["oneOf"]) {
		one := one.(object)

		switch {
		case one["type"] == "null":
			null = true
		case kept == nil || len(under(one, "properties")) > 1:
			kept = one
		}
	}

	delete(s, "oneOf")

	for name, v := range kept {
		if name != "description" || s[name] == nil {
			s[name] = v
		}
	}

	return null
}

// types takes null out of a list of types.
func types(s object) (null bool) {
	all, isList := s["type"].([]any)
	if !isList {
		return false
	}

	for _, t := range all {
		if t == "null" {
			null = true
		} else {
			s["type"] = t
		}
	}

	return null
}
