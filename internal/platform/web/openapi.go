package web

import (
	stdjson "encoding/json" // in which huma writes the document
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
)

// document describes every operation. Each call builds it again and nothing caches it: it takes more memory than all
// the rest of an idle service, and few clients ask for it.
func (a *API) document() *huma.OpenAPI {
	o := newOpenAPI(a.config)
	for _, e := range a.endpoints {
		o.AddOperation(e.describe(o.Components.Schemas))
	}

	return o
}

func newOpenAPI(c Config) *huma.OpenAPI {
	codes := fault.Codes()

	words := make([]any, len(codes))
	for i, code := range codes {
		words[i] = string(code)
	}

	o := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title:   c.Title,
			Version: c.Version,
			Description: "Every operation, field and limit. Refusals are problem documents (RFC 9457) with a " +
				"stable `code`; amounts are texts, never numbers.",
		},
		Components: &huma.Components{
			Schemas:         huma.NewMapRegistry("#/components/schemas/", schemaName),
			SecuritySchemes: map[string]*huma.SecurityScheme{},
		},
	}
	if c.BaseURL != "" {
		o.Servers = []*huma.Server{{URL: c.BaseURL}}
	}

	o.Components.SecuritySchemes["bearer"] = &huma.SecurityScheme{Type: "http", Scheme: "bearer"}

	o.Components.Schemas.RegisterTypeAlias(reflect.TypeFor[caller.Ref](), reflect.TypeFor[refSchema]())

	problem := o.Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")
	if s := o.Components.Schemas.SchemaFromRef(problem.Ref); s != nil && s.Properties["code"] != nil {
		s.Properties["code"].Enum = words
		s.AdditionalProperties = true // RFC 9457, 3.2: an operation may add members, as validate adds its issues
	}

	return o
}

// examplesOf returns an operation's examples for the document.
func examplesOf(op Operation) map[string]*huma.Example {
	if len(op.Examples) == 0 {
		return nil
	}

	out := make(map[string]*huma.Example, len(op.Examples))
	for _, x := range op.Examples {
		out[x.Name] = &huma.Example{Summary: x.Summary, Value: stdjson.RawMessage(x.Body)}
	}

	return out
}

// describe describes an operation for the OpenAPI document whose types are in reg.
func (e *endpoint) describe(reg huma.Registry) *huma.Operation {
	op := e.op

	o := &huma.Operation{
		OperationID: op.ID,
		Method:      op.Method,
		Path:        op.Path,
		Summary:     op.Summary,
		Description: describeAccess(op),
		Responses:   map[string]*huma.Response{},
	}
	if op.Tag != "" {
		o.Tags = []string{op.Tag}
	}

	if op.Access != Public {
		o.Security = []map[string][]string{{"bearer": {}}}
	}

	for _, p := range e.in.params {
		o.Parameters = append(o.Parameters, describeParam(reg, p))
	}

	o.Parameters = append(o.Parameters, describeHeaders(op)...)
	o.RequestBody = e.describeBody(reg)
	o.Responses[strconv.Itoa(op.Status)] = e.describeAnswer(reg)
	o.Responses["default"] = &huma.Response{
		Description: "Refused: a problem document.",
		Content: map[string]*huma.MediaType{
			"application/problem+json": {Schema: reg.Schema(reflect.TypeFor[Problem](), true, "Problem")},
		},
	}

	return o
}

// describeHeaders describes the headers that many operations read.
func describeHeaders(op Operation) (out []*huma.Param) {
	if op.Access != Public && op.Method != http.MethodGet && !op.NoIdempotency {
		out = append(out, &huma.Param{
			Name: "Idempotency-Key",
			In:   "header",
			Description: "A text of your choice, 1 to 255 characters, kept for 7 days: the same request with the " +
				"same key has one effect and one answer.",
			Schema: &huma.Schema{Type: "string", MaxLength: ptr(maxKeyLength)},
		})
	}

	if op.StepUp {
		out = append(out, &huma.Param{
			Name:   stepUpHeader,
			In:     "header",
			Schema: &huma.Schema{Type: "string", MaxLength: ptr(maxCode)},
			Description: "A code of the second factor, of whoever has one and has not proven it in the last 10 " +
				"minutes.",
		})
	}

	if op.Access == Bearer || op.Access == Tenant {
		out = append(out, &huma.Param{
			Name:   "Slipway-Organisation",
			In:     "header",
			Schema: &huma.Schema{Type: "string", MaxLength: ptr(64)},
			Description: "Identifier of the organisation to act for, where you belong to several; without it the " +
				"first one you joined.",
		})
	}

	return out
}

// describeBody describes the body of an operation; nil: it has none.
func (e *endpoint) describeBody(reg huma.Registry) *huma.RequestBody {
	switch {
	case e.in.body != nil:
		s := reg.Schema(e.in.bodyGo, true, e.op.ID+"Request")
		alignRequired(reg, s, e.in.body)

		return &huma.RequestBody{
			Required: !e.op.OptionalBody,
			Content:  map[string]*huma.MediaType{"application/json": {Schema: s, Examples: examplesOf(e.op)}},
		}

	case e.op.Upload != nil:
		return uploadBody(*e.op.Upload)
	}

	return nil
}

// describeAnswer describes the answer of a successful operation.
func (e *endpoint) describeAnswer(reg huma.Registry) *huma.Response {
	out := &huma.Response{Description: http.StatusText(e.op.Status)}

	switch e.outType {
	case reflect.TypeFor[Empty]():
	case reflect.TypeFor[Raw](), reflect.TypeFor[Stream]():
		out.Content = describeAnswers(reg, e.op)
	default:
		out.Content = map[string]*huma.MediaType{
			"application/json": {Schema: reg.Schema(e.outType, true, e.op.ID+"Response")},
		}
	}

	return out
}

// describeAnswers returns the content types of an answer that the operation writes itself.
func describeAnswers(reg huma.Registry, op Operation) map[string]*huma.MediaType {
	if len(op.Answers) == 0 {
		return map[string]*huma.MediaType{"*/*": {}}
	}

	out := map[string]*huma.MediaType{}
	for kind, v := range op.Answers {
		out[kind] = &huma.MediaType{Schema: &huma.Schema{Type: "string", Format: "binary"}}
		if v != nil {
			out[kind].Schema = reg.Schema(reflect.TypeOf(v), true, op.ID+"Response")
		}
	}

	return out
}

func describeAccess(op Operation) string {
	var b strings.Builder
	b.WriteString(op.Description)

	if len(op.Roles) > 0 {
		b.WriteString("\n\nNeeds one of the roles " + strings.Join(op.Roles, ", ") + " in the organisation.")
	}

	switch {
	case op.Access == Public:
	case op.PeopleOnly:
		b.WriteString("\n\nNot for API clients.")
	default:
		b.WriteString("\n\nScope for API clients: `" + op.Scope + "`.")
	}

	if len(op.Codes) > 0 {
		b.WriteString("\n\nRefusals: ")

		for i, c := range op.Codes {
			if i > 0 {
				b.WriteString(", ")
			}

			b.WriteString("`" + string(c) + "`")
		}

		b.WriteString(".")
	}

	return strings.TrimSpace(b.String())
}

func describeParam(reg huma.Registry, p param) *huma.Param {
	s := *reg.Schema(p.typ, false, p.name)
	if p.typ.Kind() == reflect.Pointer {
		s.Nullable = false
	}

	target := &s
	if s.Type == "array" && s.Items != nil {
		items := *s.Items
		s.Items = &items
		target = &items
		s.Nullable = false
	}

	if e := p.tag.Get("enum"); e != "" {
		for _, w := range strings.Split(e, ",") {
			if n, err := strconv.Atoi(w); err == nil && target.Type == "integer" {
				target.Enum = append(target.Enum, n)
			} else {
				target.Enum = append(target.Enum, w)
			}
		}
	}

	if n, ok := tagInt(p.tag, "minimum"); ok {
		f := float64(n)
		target.Minimum = &f
	}

	if n, ok := tagInt(p.tag, "maximum"); ok {
		f := float64(n)
		target.Maximum = &f
	}

	if n, ok := tagInt(p.tag, "minLength"); ok {
		target.MinLength = &n
	}

	if n, ok := tagInt(p.tag, "maxLength"); ok {
		target.MaxLength = &n
	}

	if re := p.tag.Get("pattern"); re != "" {
		target.Pattern = re
	}

	if p.fallback != "" {
		if n, err := strconv.Atoi(p.fallback); err == nil && target.Type == "integer" {
			target.Default = n
		} else {
			target.Default = p.fallback
		}
	}

	return &huma.Param{
		Name:        p.name,
		In:          p.in,
		Required:    p.required,
		Description: p.tag.Get("doc"),
		Schema:      &s,
	}
}

func ptr[T any](v T) *T { return &v }

// OpenAPI returns the document as indented JSON. The same code gives the same bytes.
func (a *API) OpenAPI() ([]byte, error) {
	raw, err := a.document().MarshalJSON()
	if err != nil {
		return nil, err
	}

	v := jsontext.Value(raw)
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		return nil, err
	}

	return append(v, '\n'), nil
}
