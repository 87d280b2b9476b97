package web

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// schemaName returns the name of a type in the OpenAPI document: package and type, since every noun has its own View.
// It does not repeat what the type's name contains already, and names a list by its items.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}

	if t.Name() == "" {
		return title(hint)
	}

	return nameOf(t.PkgPath() + "." + t.Name())
}

// nameOf splits "path/to/pkg.Type[path/to/other.Arg]" into words.
func nameOf(full string) string {
	own, args, _ := strings.Cut(full, "[")

	var b strings.Builder
	for _, arg := range strings.Split(strings.TrimSuffix(args, "]"), ",") {
		b.WriteString(title(nameOfOne(strings.TrimLeft(arg, "*[]"))))
	}

	b.WriteString(nameOfOne(own))

	return b.String()
}

func nameOfOne(full string) string {
	dir := ""

	name := full
	if i := strings.LastIndexByte(full, '.'); i >= 0 {
		dir = full[:i]
		name = full[i+1:]
	}

	pkg := title(dir[strings.LastIndexByte(dir, '/')+1:])

	name = title(name)
	if pkg == "Web" || strings.HasPrefix(name, pkg) {
		return name
	}

	return pkg + name
}

func title(s string) string {
	if s == "" {
		return ""
	}

	return strings.ToUpper(s[:1]) + s[1:]
}

// alignRequired makes a request's schema require exactly what the checks require: a pointer may be left out.
func alignRequired(reg huma.Registry, s *huma.Schema, p *plan) {
	for s != nil && s.Ref != "" {
		s = reg.SchemaFromRef(s.Ref)
	}

	for p.kind == reflect.Pointer && !p.opaque {
		p = p.elem
	}

	switch {
	case s == nil || p.opaque:

	case p.kind == reflect.Struct:
		s.Required = nil
		for _, f := range p.fields {
			if f.required {
				s.Required = append(s.Required, f.name)
			}

			alignRequired(reg, s.Properties[f.name], f.plan)
		}

	case p.kind == reflect.Slice:
		alignRequired(reg, s.Items, p.elem)
	}
}

// refSchema describes both forms of a caller.Ref.
type refSchema struct{}

// Schema returns a choice of the two forms.
func (refSchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{
		{Type: "string"},
		{
			Type:                 "object",
			Properties:           map[string]*huma.Schema{"_id": {Type: "string"}},
			Required:             []string{"_id"},
			AdditionalProperties: true,
		},
	}, Description: "identifier, or an object with _id"}
}
