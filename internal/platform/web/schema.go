package web

import (
	"reflect"
	"slices"
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

// alignRequest makes a request's schema require and accept exactly what the checks do: a pointer may be left out, and
// null is the same as leaving a member out, or clears it in a PATCH.
func alignRequest(reg huma.Registry, s *huma.Schema, p *plan, patch bool) {
	s = resolved(reg, s)

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

			alignRequest(reg, s.Properties[f.name], f.plan, patch && f.plan.kind == reflect.Struct)
			mayBeNull(s, f.name, !f.required && (!patch || f.clearable))
		}

	case p.kind == reflect.Slice:
		alignRequest(reg, s.Items, p.elem, false)
	}
}

// resolved returns the schema that a reference leads to, or the one of a choice that is not null.
func resolved(reg huma.Registry, s *huma.Schema) *huma.Schema {
	for s != nil {
		switch {
		case s.Ref != "":
			s = reg.SchemaFromRef(s.Ref)
		case len(s.OneOf) == 2 && s.OneOf[1].Type == "null":
			s = s.OneOf[0]
		default:
			return s
		}
	}

	return nil
}

// mayBeNull says of a member whether it may be null.
func mayBeNull(s *huma.Schema, name string, may bool) {
	member := s.Properties[name]

	switch {
	case member == nil:
	case member.Ref == "" && len(member.OneOf) == 0:
		member.Nullable = may
		if may && len(member.Enum) > 0 && !slices.Contains(member.Enum, nil) {
			member.Enum = append(slices.Clone(member.Enum), nil)
		}

	case !may || slices.ContainsFunc(member.OneOf, func(x *huma.Schema) bool { return x.Type == "null" }):
	case member.Ref != "":
		s.Properties[name] = &huma.Schema{
			OneOf:       []*huma.Schema{member, {Type: "null"}},
			Description: member.Description,
		}

	default:
		wider := *member
		wider.OneOf = append(slices.Clone(member.OneOf), &huma.Schema{Type: "null"})
		s.Properties[name] = &wider
	}
}

// shownAs is a type of an answer that another type's schema describes.
type shownAs interface{ ShownAs() reflect.Type }

// alignAnswer makes an answer's schema say what is written: every member, and null for one that says omitempty or
// omitzero and is absent.
func alignAnswer(reg huma.Registry, s *huma.Schema, t reflect.Type, seen map[reflect.Type]bool) {
	s = resolved(reg, s)

	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()

		if s != nil && s.Items != nil {
			s = resolved(reg, s.Items)
		}
	}

	if other, ok := reflect.Zero(t).Interface().(shownAs); ok {
		alignAnswer(reg, s, other.ShownAs(), seen)
		return
	}

	if s == nil || s.Properties == nil || t.Kind() != reflect.Struct || seen[t] {
		return
	}

	seen[t] = true

	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if s.Properties[name] == nil {
			continue
		}

		alignAnswer(reg, s.Properties[name], f.Type, seen)

		if !slices.Contains(s.Required, name) {
			s.Required = append(s.Required, name)
		}

		if strings.Contains(options, "omit") && f.Type.Kind() != reflect.Slice {
			mayBeNull(s, name, true)
		}
	}

	slices.Sort(s.Required)
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
	}, Description: "identifier, or an object with _id; what else the object says of its record must be so"}
}

// daySchema describes a day.Day of a request.
type daySchema struct{}

// Schema returns a text with both forms of a day.
func (daySchema) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type:        huma.TypeString,
		Pattern:     `^([0-9]{4}-[0-9]{2}-[0-9]{2}([Tt ].+)?)?$`,
		Examples:    []any{"1980-05-17"},
		Description: "a day, as a date or a date-time; the offset of a date-time does not move it",
	}
}
