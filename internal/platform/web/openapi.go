package web

import (
	"cmp"
	stdjson "encoding/json" // in which huma writes the document
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
)

// document describes every operation. Each call builds it again and nothing caches it: it takes more memory than all
// the rest of an idle service, and few clients ask for it.
func (a *API) document(r Reference) *huma.OpenAPI {
	types := newSchemas(r)
	o := newOpenAPI(a.config, types)

	for _, e := range a.endpoints {
		o.AddOperation(e.describe(o, types))
	}

	o.Components.Schemas = types.merge()

	for _, e := range a.endpoints {
		e.learnExamples(types, operationOf(o, e.op))
	}

	a.lendExamples(o)

	o.Tags = a.usedTags()

	return o
}

func (a *API) reference() Reference {
	if a.config.Reference == nil {
		return Reference{}
	}

	return a.config.Reference()
}

func operationOf(o *huma.OpenAPI, op Operation) *huma.Operation {
	item := o.Paths[op.Path]

	return map[string]*huma.Operation{
		http.MethodGet:    item.Get,
		http.MethodPost:   item.Post,
		http.MethodPut:    item.Put,
		http.MethodPatch:  item.Patch,
		http.MethodDelete: item.Delete,
	}[op.Method]
}

// usedTags returns the tags of the configuration that an operation has.
func (a *API) usedTags() []*huma.Tag {
	var out []*huma.Tag

	for _, t := range a.config.Tags {
		used := func(e *endpoint) bool { return e.op.Tag == t.Name }
		if slices.ContainsFunc(a.endpoints, used) {
			out = append(out, &huma.Tag{Name: t.Name, Description: t.Description})
		}
	}

	return out
}

// learnExamples takes the examples of properties from the operation's recorded bodies.
func (e *endpoint) learnExamples(types *schemas, o *huma.Operation) {
	recorded := types.reference.Recorded[e.op.ID]

	var request, response any
	if json.Unmarshal(recorded.Response, &response) == nil {
		if media := o.Responses[strconv.Itoa(e.op.Status)].Content[jsonType]; media != nil {
			types.learn(types.answers, media.Schema, response)
		}
	}

	if json.Unmarshal(recorded.Request, &request) == nil && o.RequestBody != nil {
		if media := o.RequestBody.Content[jsonType]; media != nil {
			types.learn(types.answers, media.Schema, request)
		}
	}
}

// lendExamples gives answers that no test can get without a day's work, such as those of two operators about lost
// money, the example of another operation that answers with the same type.
func (a *API) lendExamples(o *huma.OpenAPI) {
	examples := map[string]any{}

	each := func(what func(media *huma.MediaType)) {
		for _, e := range a.endpoints {
			media := operationOf(o, e.op).Responses[strconv.Itoa(e.op.Status)].Content[jsonType]
			if media != nil && media.Schema.Ref != "" {
				what(media)
			}
		}
	}

	each(func(media *huma.MediaType) {
		if examples[media.Schema.Ref] == nil {
			examples[media.Schema.Ref] = media.Example
		}
	})
	each(func(media *huma.MediaType) {
		if media.Example == nil {
			media.Example = examples[media.Schema.Ref]
		}
	})
}

const jsonType = "application/json"

// Tag is a group of operations in the OpenAPI document.
type Tag struct{ Name, Description string }

func newOpenAPI(c Config, types *schemas) *huma.OpenAPI {
	codes := fault.Codes()

	words := make([]any, len(codes))
	for i, code := range codes {
		words[i] = string(code)
	}

	o := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title:       c.Title,
			Version:     c.Version,
			Description: c.Description,
			License:     &huma.License{Name: c.License.Name, URL: c.License.URL},
		},
		Components: &huma.Components{
			Schemas:         types.answers,
			Responses:       map[string]*huma.Response{},
			Headers:         responseHeaders(),
			SecuritySchemes: securitySchemes(),
		},
		Security: []map[string][]string{{accessToken: {}}},
	}
	if c.BaseURL != "" {
		o.Servers = []*huma.Server{{URL: c.BaseURL, Description: "This deployment."}}
	}

	for _, reg := range []huma.Registry{types.answers, types.requests} {
		reg.RegisterTypeAlias(reflect.TypeFor[caller.Ref](), reflect.TypeFor[refSchema]())
		reg.RegisterTypeAlias(reflect.TypeFor[day.Day](), reflect.TypeFor[daySchema]())
	}

	problem := types.answers.Schema(reflect.TypeFor[Problem](), true, "Problem")
	if s := types.answers.SchemaFromRef(problem.Ref); s != nil && s.Properties["code"] != nil {
		s.Properties["code"].Enum = words
	}

	return o
}

// The names of the security schemes.
const (
	accessToken  = "accessToken"
	refreshToken = "refreshToken"
)

func securitySchemes() map[string]*huma.SecurityScheme {
	return map[string]*huma.SecurityScheme{
		accessToken: {
			Type:   "http",
			Scheme: "bearer",
			Description: "The `access_token` of POST /auth/login, /auth/2fa/login or /auth/token. It is valid for 15 " +
				"minutes.",
		},
		refreshToken: {
			Type:        "http",
			Scheme:      "bearer",
			Description: "The `refresh_token` of the same answers. It is valid once.",
		},
	}
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

// withExamples returns a body with its examples: those of the operation, else the recorded one.
func (e *endpoint) withExamples(types *schemas, s *huma.Schema) *huma.MediaType {
	out := &huma.MediaType{Schema: s, Examples: examplesOf(e.op)}
	if x := types.reference.Recorded[e.op.ID].Request; out.Examples == nil && len(x) > 0 {
		out.Example = x
	}

	return out
}

// describe describes an operation for the document o.
func (e *endpoint) describe(d *huma.OpenAPI, types *schemas) *huma.Operation {
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

	switch {
	case op.Refreshes:
		o.Security = []map[string][]string{{refreshToken: {}}}
	case op.Access == Public:
		o.Security = []map[string][]string{}
	}

	for _, p := range e.in.params {
		o.Parameters = append(o.Parameters, e.describeParam(types, p))
	}

	o.Parameters = append(o.Parameters, describeHeaders(op)...)
	o.Parameters = append(o.Parameters, e.describeConditions()...)
	o.RequestBody = e.describeBody(types)
	o.Responses[strconv.Itoa(op.Status)] = e.describeAnswer(types)

	if e.tagged && op.Method == http.MethodGet {
		o.Responses["304"] = &huma.Response{Description: "Not modified: the answer has the ETag of If-None-Match."}
	}

	e.describeRefusals(d, types, o.Responses)

	return o
}

// describeHeaders describes the headers that many operations read.
func describeHeaders(op Operation) (out []*huma.Param) {
	if takesKey(op) {
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
func (e *endpoint) describeBody(types *schemas) *huma.RequestBody {
	switch {
	case e.in.body != nil:
		s := types.requests.Schema(e.in.bodyGo, true, e.op.ID+"Request")
		alignRequest(types.requests, s, e.in.body, e.in.patch)

		return &huma.RequestBody{
			Required: !e.op.OptionalBody,
			Content:  map[string]*huma.MediaType{jsonType: e.withExamples(types, s)},
		}

	case e.op.Upload != nil:
		return uploadBody(*e.op.Upload)
	}

	return nil
}

// describeAnswer describes the answer of a successful operation.
func (e *endpoint) describeAnswer(types *schemas) *huma.Response {
	reg := types.answers
	out := &huma.Response{
		Description: http.StatusText(e.op.Status) + ".",
		Headers:     e.describeResponseHeaders(),
	}

	switch e.outType {
	case reflect.TypeFor[Empty]():
	case reflect.TypeFor[Raw](), reflect.TypeFor[Stream]():
		out.Content = describeAnswers(reg, e.op)
	case reflect.TypeFor[EventStream]():
		out.Content = map[string]*huma.MediaType{eventStreamType: {Schema: &huma.Schema{Type: "string"}}}
	default:
		s := reg.Schema(e.outType, true, e.op.ID+"Response")
		alignAnswer(reg, s, e.outType, map[reflect.Type]bool{})

		out.Content = map[string]*huma.MediaType{jsonType: {Schema: s}}
	}

	if e.tagged {
		out.Headers["ETag"] = &huma.Param{Schema: &huma.Schema{Type: "string"}, Description: aboutETag}
	}

	if e.op.Location != "" {
		out.Headers["Location"] = &huma.Param{
			Schema:      &huma.Schema{Type: "string"},
			Description: "Path of what was made.",
		}
	}

	if e.table != nil {
		out.Extensions = map[string]any{tableExtension: csvType}
	}

	if media, x := out.Content[jsonType], types.reference.Recorded[e.op.ID].Response; media != nil && len(x) > 0 {
		media.Example = x
	}

	return out
}

// tableExtension is the member of a list's answer that says that the list is to be had as a table, too, and as what.
// Were it another media type of the answer, generated clients would take the answer for a text or an object.
const tableExtension = "x-table"

const aboutETag = "Changes with every byte of the answer. Of a record its first part is the `version`; send it as " +
	"`If-Match` with a change."

// describeConditions describes the headers that compare what the caller has seen.
func (e *endpoint) describeConditions() (out []*huma.Param) {
	header := func(name, about string) {
		out = append(out, &huma.Param{
			Name:        name,
			In:          "header",
			Schema:      &huma.Schema{Type: "string", MaxLength: ptr(maxTags)},
			Description: about,
		})
	}

	if e.op.Versioned {
		header("If-Match", "The ETag or `version` of the record that you have seen; another one is answered 412.")
	}

	if e.tagged && e.op.Method == http.MethodGet {
		header("If-None-Match", "The ETag of the answer that you have; the same one is answered 304 without a body.")
	}

	return out
}

// maxTags is the longest text of If-Match and If-None-Match.
const maxTags = 1000

// describeAnswers returns the content types of an answer that the operation writes itself.
func describeAnswers(reg huma.Registry, op Operation) map[string]*huma.MediaType {
	if len(op.Answers) == 0 {
		return map[string]*huma.MediaType{"*/*": {Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}}
	}

	out := map[string]*huma.MediaType{}
	for kind, v := range op.Answers {
		out[kind] = &huma.MediaType{Schema: &huma.Schema{Type: "string", Format: "binary"}}
		if v != nil {
			out[kind].Schema = reg.Schema(reflect.TypeOf(v), true, op.ID+"Response")
			alignAnswer(reg, out[kind].Schema, reflect.TypeOf(v), map[reflect.Type]bool{})
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
		b.WriteString("\n\nNeeds no access token.")
	case op.PeopleOnly:
		b.WriteString("\n\nNot for API clients.")
	default:
		b.WriteString("\n\nScope for API clients: `" + op.Scope + "`.")
	}

	return strings.TrimSpace(b.String())
}

func (e *endpoint) describeParam(types *schemas, p param) *huma.Param {
	s := *types.requests.Schema(p.typ, false, p.name)
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
		target.Default = typed(p.fallback, target)
	}

	term := types.reference.term(e.op.ID, p.name)

	out := &huma.Param{
		Name:        p.name,
		In:          p.in,
		Required:    p.required,
		Description: cmp.Or(p.tag.Get("doc"), term.Description),
		Schema:      shaped(&s, term),
	}
	if x := p.tag.Get("example"); x != "" {
		out.Example = typed(x, target)
	} else if x, ok := exampleOf(&s, term); ok && s.Default == nil {
		out.Example = x
	}

	return out
}

// typed is the text of a tag as the value it means: a number where s is one.
func typed(text string, s *huma.Schema) any {
	if n, err := strconv.Atoi(text); err == nil && s.Type == "integer" {
		return n
	}

	return text
}

func ptr[T any](v T) *T { return &v }

// OpenAPI returns the document as indented JSON. The same code gives the same bytes.
func (a *API) OpenAPI() ([]byte, error) {
	raw, err := a.document(a.reference()).MarshalJSON()
	if err != nil {
		return nil, err
	}

	v := jsontext.Value(raw)
	if err := v.Indent(jsontext.WithIndent("  ")); err != nil {
		return nil, err
	}

	return append(v, '\n'), nil
}
