package web

import (
	"cmp"
	stdjson "encoding/json" // in which huma writes the document
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
)

// Term describes the fields of one name in the OpenAPI document, wherever they have no tags of their own. Tags win.
type Term struct {
	// Form is what a text may look like: "decimal", a format of JSON Schema such as "date" or "uri", or the words of a
	// closed set with commas between them. Empty: any text.
	Form        string
	Example     string
	Description string
}

// Reference is what the OpenAPI document and its pages say besides what operations say of themselves.
type Reference struct {
	Guides []Guide
	// Glossary describes fields by their name, or by "Schema.name".
	Glossary map[string]Term
	// Recorded has examples by the operation's ID, and of refusals by "problem 404".
	Recorded map[string]Recorded
}

// Recorded is an answer that a test has got from an operation, and the body that it has sent: the example of the
// OpenAPI document. Either may be empty.
type Recorded struct {
	Request  stdjson.RawMessage `json:"request,omitempty"`
	Response stdjson.RawMessage `json:"response,omitempty"`
}

// schemas are the types of the document. Requests and answers have registries of their own: a request is closed, since
// a field that is not known is refused, and an answer is open, since fields are added to it over time.
type schemas struct {
	answers, requests huma.Registry
	reference         Reference
}

const schemaPrefix = "#/components/schemas/"

func newSchemas(r Reference) *schemas {
	return &schemas{
		answers:   huma.NewMapRegistry(schemaPrefix, schemaName),
		requests:  huma.NewMapRegistry(schemaPrefix, requestName),
		reference: r,
	}
}

// requestName is schemaName for types of requests. A type that answers have too is another schema there.
func requestName(t reflect.Type, hint string) string {
	name := schemaName(t, hint)
	for _, known := range []string{"Request", "Input", "Body"} {
		if strings.HasSuffix(name, known) {
			return name
		}
	}

	return name + "Input"
}

// merge completes all schemas and returns them in one registry.
func (s *schemas) merge() huma.Registry {
	all := s.answers.Map()
	s.completeAll(s.answers, true)
	s.completeAll(s.requests, false)

	for name, schema := range s.requests.Map() {
		if all[name] != nil {
			panic("web: a request and an answer have both a schema of the name " + name)
		}

		all[name] = schema
	}

	all["Decimal"] = &huma.Schema{
		Type:    huma.TypeString,
		Pattern: decimalPattern,
		Description: "An amount, rate or percentage as a text: digits with a point, in full units of its currency or " +
			"token, never rounded. It is not a number, since numbers lose digits.",
		Examples: []any{"1250.00"},
	}

	return s.answers
}

// decimalPattern is the form of every decimal.
const decimalPattern = `^-?[0-9]+(\.[0-9]+)?$`

func (s *schemas) completeAll(reg huma.Registry, answer bool) {
	for _, name := range slices.Sorted(maps.Keys(reg.Map())) {
		s.complete(reg.Map()[name], name, reg.TypeFromRef(schemaPrefix+name), answer)
	}
}

// complete adds to an object's properties what the glossary says of them. typ is its Go type, if it has one.
func (s *schemas) complete(object *huma.Schema, name string, typ reflect.Type, answer bool) {
	if answer && object.AdditionalProperties == false {
		object.AdditionalProperties = nil
	}

	fields := map[string]reflect.StructField{}
	if typ != nil && typ.Kind() == reflect.Struct {
		jsonFields(typ, fields)
	}

	if answer && len(fields) > 0 {
		object.Required = alwaysThere(fields, object.Properties)
	}

	for _, of := range slices.Sorted(maps.Keys(object.Properties)) {
		field := fields[of]
		object.Properties[of] = s.property(object.Properties[of], name, of, field, answer)
	}
}

// alwaysThere returns the names of the fields that every answer has.
func alwaysThere(fields map[string]reflect.StructField, properties map[string]*huma.Schema) []string {
	var out []string

	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if f, ok := fields[name]; ok && !strings.Contains(f.Tag.Get("json"), ",omit") {
			out = append(out, name)
		}
	}

	return out
}

// jsonFields collects the fields of a struct, and of those it embeds, by their names in JSON.
func jsonFields(t reflect.Type, out map[string]reflect.StructField) {
	for i := range t.NumField() {
		f := t.Field(i)

		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			jsonFields(f.Type, out)
			continue
		}

		out[name] = f
	}
}

// property completes one property of the object of this name.
func (s *schemas) property(p *huma.Schema, object, name string, f reflect.StructField, answer bool) *huma.Schema {
	term := s.reference.term(object, name)
	if p.Description == "" {
		p.Description = term.Description
	}

	for _, inner := range []*huma.Schema{p, p.Items} {
		if inner != nil { // a pattern's description is no word of JSON Schema
			inner.Description = cmp.Or(inner.Description, inner.PatternDescription)
			inner.PatternDescription = ""
		}
	}

	for _, inner := range []*huma.Schema{p, p.Items} {
		if inner != nil && inner.Properties != nil {
			s.complete(inner, object, nil, answer)
		}
	}

	p = shaped(p, term)

	if p.Nullable || answer && isNullObject(p, f) {
		p = orNull(p)
	}

	if len(p.Examples) == 0 {
		if x, ok := exampleOf(p, term); ok {
			p.Examples = []any{x}
		}
	}

	return p
}

// term returns the glossary's entry for a field: that of the object, else that of the name.
func (r Reference) term(object, name string) Term {
	if t, ok := r.Glossary[object+"."+name]; ok {
		return t
	}

	return r.Glossary[name]
}

// shaped gives a text, or the texts of a list, the form of the glossary, where the tags say nothing of theirs.
func shaped(p *huma.Schema, term Term) *huma.Schema {
	if p.Type == huma.TypeArray && p.Items != nil {
		p.Items = shaped(p.Items, term)
		return p
	}

	free := p.Type == huma.TypeString && p.Format == "" && p.Pattern == "" && len(p.Enum) == 0
	if !free {
		return p
	}

	switch {
	case term.Form == "decimal":
		return &huma.Schema{
			Ref:         schemaPrefix + "Decimal",
			Description: p.Description,
			MaxLength:   p.MaxLength,
			Nullable:    p.Nullable,
			Examples:    p.Examples,
		}

	case strings.Contains(term.Form, ","):
		for _, word := range strings.Split(term.Form, ",") {
			p.Enum = append(p.Enum, word)
		}

	default:
		p.Format = term.Form
	}

	return p
}

// isNullObject reports whether a field of an answer is a pointer to an object, which is null without one.
func isNullObject(p *huma.Schema, f reflect.StructField) bool {
	if p.Ref == "" || f.Type == nil || f.Type.Kind() != reflect.Pointer {
		return false
	}

	return !strings.Contains(f.Tag.Get("json"), ",omit")
}

// orNull returns a schema that takes null as well.
func orNull(p *huma.Schema) *huma.Schema {
	if p.Ref != "" {
		return &huma.Schema{
			Description: p.Description,
			Examples:    p.Examples,
			OneOf:       []*huma.Schema{{Ref: p.Ref, MaxLength: p.MaxLength}, {Type: "null"}},
		}
	}

	p.Nullable = p.Type != "" // an object of several forms says itself that it may be null
	if len(p.Enum) > 0 && !slices.Contains(p.Enum, nil) {
		p.Enum = append(p.Enum, nil)
	}

	return p
}

// exampleOf returns the example of the glossary, or one that follows from the type.
func exampleOf(p *huma.Schema, term Term) (any, bool) {
	if p.Type == huma.TypeArray {
		if p.Items == nil {
			return nil, false
		}

		if list, ok := literal(p, term.Example).([]any); ok && len(list) > 0 && fitsSchema(p.Items, list[0]) {
			return list, true
		}

		x, ok := exampleOf(p.Items, term)
		if len(p.Items.Examples) > 0 {
			x = p.Items.Examples[0]
			ok = true
		}

		return []any{x}, ok
	}

	if x := literal(p, term.Example); term.Example != "" && fitsSchema(p, x) {
		return x, true
	}

	switch {
	case len(p.Enum) > 0:
		return p.Enum[0], true
	case p.Type == huma.TypeBoolean:
		return false, true
	case p.Format == "date-time":
		return "2026-11-23T09:30:00.000Z", true
	case p.Format == "date":
		return "2026-11-23", true
	case p.Ref == schemaPrefix+"Decimal":
		return "1250.00", true
	}

	return nil, false
}

// literal reads the glossary's text as a value of the schema's type.
func literal(p *huma.Schema, text string) any {
	if p.Type == huma.TypeString || p.Type == "" {
		return text
	}

	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return text
	}

	return v
}

// fitsSchema reports whether a word of the glossary, which many fields of one name share, is a value of this one.
func fitsSchema(p *huma.Schema, v any) bool {
	text, isText := v.(string)

	switch {
	case p.Ref != "":
		return isText && p.Ref == schemaPrefix+"Decimal"
	case len(p.OneOf) > 0:
		return slices.ContainsFunc(p.OneOf, func(one *huma.Schema) bool { return fitsSchema(one, v) })
	case p.MaxLength != nil && len(text) > *p.MaxLength:
		return false
	case len(p.Enum) > 0:
		return slices.Contains(p.Enum, v)
	case p.Format == "date-time":
		_, err := time.Parse(time.RFC3339, text)
		return err == nil
	case p.Pattern != "":
		return isText && regexp.MustCompile(p.Pattern).MatchString(text)
	}

	switch p.Type {
	case "null":
		return v == nil
	case huma.TypeString:
		return isText
	case huma.TypeBoolean:
		_, ok := v.(bool)
		return ok
	case huma.TypeInteger, huma.TypeNumber:
		_, ok := v.(float64)
		return ok
	case huma.TypeObject:
		_, ok := v.(map[string]any)
		return ok
	}

	return true
}

// learn gives properties without an example the values of a recorded body.
func (s *schemas) learn(reg huma.Registry, schema *huma.Schema, v any) {
	for schema != nil && schema.Ref != "" {
		schema = reg.SchemaFromRef(schema.Ref)
	}

	switch v := v.(type) {
	case map[string]any:
		for _, alternative := range schemaChoices(schema) {
			s.learnObject(reg, alternative, v)
		}

	case []any:
		for _, x := range v {
			if schema != nil {
				s.learn(reg, schema.Items, x)
			}
		}
	}
}

func schemaChoices(s *huma.Schema) []*huma.Schema {
	if s == nil {
		return nil
	}

	return append([]*huma.Schema{s}, s.OneOf...)
}

func (s *schemas) learnObject(reg huma.Registry, schema *huma.Schema, v map[string]any) {
	for schema.Ref != "" {
		schema = reg.SchemaFromRef(schema.Ref)
	}

	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		s.learn(reg, p, v[name])

		switch x := v[name].(type) {
		case string, float64, bool:
			if len(p.Examples) == 0 && x != "" && p.Ref == "" {
				p.Examples = []any{x}
			}

		case []any:
			if len(p.Examples) == 0 && len(x) > 0 && p.Items != nil && p.Items.Ref == "" && scalar(x[0]) {
				p.Examples = []any{x}
			}
		}
	}
}

func scalar(v any) bool {
	switch v.(type) {
	case string, float64, bool:
		return true
	}

	return false
}
