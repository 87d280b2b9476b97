package web

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// tagKeys are the keys of struct tags that inputs and bodies may have. Each is read by this package or is part of the
// OpenAPI document.
var tagKeys = []string{
	"conflicts", "default", "doc", "enum", "example", "format", "header", "json", "maxItems", "maxLength", "maximum",
	"minItems", "minLength", "minimum", "nullable", "path", "pattern", "patternDescription", "query", "raw", "record",
	"required", "verbatim",
}

// checkTags panics if a field has a tag that nothing reads: a check with a misspelt name would never run.
func checkTags(t reflect.Type, f reflect.StructField) {
	rest := string(f.Tag)
	for rest = strings.TrimLeft(rest, " "); rest != ""; rest = strings.TrimLeft(rest, " ") {
		key, value, _ := strings.Cut(rest, ":")

		quoted, err := strconv.QuotedPrefix(value)
		if err != nil || !slices.Contains(tagKeys, key) {
			panic(fmt.Sprintf("web: field %s of %v has the unknown tag %s", f.Name, t, key))
		}

		rest = value[len(quoted):]
	}
}
