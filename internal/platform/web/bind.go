package web

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/core/text"
)

// input describes how one operation's In struct is filled. It is compiled at registration.
type input struct {
	op     Operation
	params []param
	names  map[string]bool // of query parameters, with and without []
	body   *plan
	most   bounds // of body
	bodyAt []int
	bodyGo reflect.Type

	uploadAt []int // the field Body if the body is a file
	patch    bool  // null clears a member that may be empty; in other bodies it is the same as leaving it out
}

// maxListValues limits a list in the query, because databases limit the values of a condition too.
const maxListValues = 250

// param is one path, query or header value.
type param struct {
	in, name string
	index    []int
	required bool
	fallback string
	rivals   []string // query parameters that exclude this one
	plan     *plan
	tag      reflect.StructTag
	typ      reflect.Type
}

func newInput(t reflect.Type, op Operation) *input {
	in := &input{op: op, names: map[string]bool{}, patch: op.Method == http.MethodPatch}
	in.addFields(t, nil)
	return in
}

func (in *input) addFields(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)

		at := append(append([]int(nil), index...), i)
		switch {
		case f.Name == "Body" && f.Type == reflect.TypeFor[Upload]():
			in.uploadAt = at
			continue

		case f.Name == "Body" && f.Tag.Get("raw") == "":
			in.body = planOf(f.Type)
			in.bodyAt = at
			in.bodyGo = f.Type
			in.most = boundsOf(in.body)

			continue

		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			in.addFields(f.Type, at)
			continue
		}

		for _, where := range []string{"path", "query", "header"} {
			name := f.Tag.Get(where)
			if name == "" {
				continue
			}

			checkTags(t, f)

			in.params = append(in.params, param{
				in:       where,
				name:     name,
				index:    at,
				fallback: f.Tag.Get("default"),
				tag:      f.Tag,
				typ:      f.Type,
				required: f.Tag.Get("required") == "true" || where == "path",
				plan:     withRules(planOf(f.Type), f.Tag),
				rivals:   strings.FieldsFunc(f.Tag.Get("conflicts"), func(r rune) bool { return r == ',' }),
			})
			if where == "query" {
				in.names[name] = true
				in.names[strings.TrimSuffix(name, "[]")] = true
			}
		}
	}
}

// read fills the In struct from a request and its body. It returns every error of the parameters and the body in one
// refusal.
func (in *input) read(c *call, r *http.Request, raw []byte, v reflect.Value) error {
	if len(in.params) == 0 && in.uploadAt == nil && r.URL.RawQuery == "" {
		return in.readBody(r, raw, v)
	}

	var (
		l     fault.List
		query url.Values
	)
	if r.URL.RawQuery != "" {
		var err error
		if query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
			return fault.New(fault.Malformed, fault.FormatInvalid, "The query of the address cannot be read.")
		}
	}

	in.unknownParameters(query, &l)

	for i := range in.params {
		p := &in.params[i]
		p.rivalry(query, &l)
		p.set(c, r, query, v.FieldByIndex(p.index), &l)
	}

	if in.uploadAt != nil && l.Empty() {
		u, err := in.readUpload(c, r)
		v.FieldByIndex(in.uploadAt).Set(reflect.ValueOf(u))
		return err
	}

	return together(&l, in.readBody(r, raw, v))
}

// together returns one refusal with what was noted and with the fields of a later refusal.
func together(l *fault.List, err error) error {
	if err == nil {
		return l.Err()
	}

	f, ok := fault.As(err)
	if !ok || len(f.Fields) == 0 || l.Empty() {
		return err
	}

	l.Append(f.Fields...)

	return ofKind(f.Kind, l)
}

func (in *input) unknownParameters(query url.Values, l *fault.List) {
	var unknown []string
	for name := range query {
		if !in.names[name] {
			unknown = append(unknown, name)
		}
	}

	sort.Strings(unknown)

	for _, name := range unknown {
		l.AddParameter("query", name, fault.UnknownParameter, "is not a parameter of this operation.")
	}
}

// rivalry notes a parameter that is used together with one it excludes, whatever their values.
func (p *param) rivalry(query url.Values, l *fault.List) {
	if len(p.rivals) == 0 || query.Get(p.name) == "" {
		return
	}

	for _, other := range p.rivals {
		if query.Get(other) != "" {
			l.AddParameter(p.in, p.name, fault.PagingConflict, "cannot be combined with `%s`.", other)
			return
		}
	}
}

// readBody checks and decodes a complete body.
func (in *input) readBody(r *http.Request, raw []byte, v reflect.Value) error {
	switch {
	case len(raw) == 0 && (in.body == nil || in.op.OptionalBody):
		return nil
	case len(raw) == 0:
		return fault.New(fault.Malformed, fault.BodyMalformed, "The body is missing; send a JSON object.")
	case !saysJSON(first(r.Header, "Content-Type")):
		return fault.New(fault.MediaType, fault.ContentTypeUnknown, "Send the body as application/json.")
	}

	if in.body == nil { // {} is the same as no body; whatever else was meant would be ignored
		return decodeBody(nothing, bounds{}, raw, reflect.ValueOf(&struct{}{}).Elem(), false)
	}

	return decodeBody(in.body, in.most, raw, v.FieldByIndex(in.bodyAt), in.patch)
}

// nothing is the body of operations without one.
var nothing = planOf(reflect.TypeFor[struct{}]())

// saysJSON reports whether a Content-Type is one of JSON, or none at all.
func saysJSON(contentType string) bool {
	if contentType == "" || contentType == "application/json" {
		return true
	}

	kind, _, err := mime.ParseMediaType(contentType)

	return err == nil && (kind == "application/json" || strings.HasSuffix(kind, "+json"))
}

// set reads one parameter. Lists come as name[]=A&name[]=B, as name=A&name=B, or as name=A,B, since clients use all
// three.
func (p *param) set(c *call, r *http.Request, query url.Values, into reflect.Value, l *fault.List) {
	var values []string

	switch p.in {
	case "path":
		values = []string{c.routing.URLParam(p.name)}

	case "header":
		if s := r.Header.Get(p.name); s != "" {
			values = []string{s}
		}

	case "query":
		values = query[p.name]
		if base, ok := strings.CutSuffix(p.name, "[]"); ok {
			values = append(values, query[base]...)
		}

		for i := range values { // what is looked for is written like what is stored
			values[i] = text.Clean(values[i])
		}
	}

	if len(values) == 0 || (len(values) == 1 && values[0] == "") {
		if p.fallback != "" {
			_ = setText(into, p.fallback)
		} else if p.required {
			l.AddParameter(p.in, p.name, fault.Required, "is required.")
		}

		return
	}

	if into.Kind() == reflect.Slice {
		p.setList(values, into, l)
		return
	}

	if len(values) > 1 {
		l.AddParameter(p.in, p.name, fault.FormatInvalid, "is given more than once.")
		return
	}

	if err := setText(into, values[0]); err != nil {
		l.AddParameter(p.in, p.name, fault.FormatInvalid, "must be %s.", err)
		return
	}

	p.judge(p.plan, into, l)
}

// judge checks the parameter's value, or an item of its list, against the rules of a plan.
func (p *param) judge(rules *plan, v reflect.Value, l *fault.List) {
	for rules.kind == reflect.Pointer && !rules.opaque {
		rules = rules.elem
		v = v.Elem()
	}

	var own fault.List // rules know places in a body only
	for _, r := range rules.rules {
		r(v, "", &own)
	}

	for _, f := range own.Fields() {
		l.AddParameter(p.in, p.name, f.Code, "%s", f.Message)
	}
}

func (p *param) setList(values []string, into reflect.Value, l *fault.List) {
	for _, v := range values {
		for _, s := range strings.Split(v, ",") {
			if s == "" {
				continue
			}

			item := reflect.New(into.Type().Elem()).Elem()
			if into.Len() == maxListValues {
				l.AddParameter(p.in, p.name, fault.TooManyItems, "may have at most %d values.", maxListValues)
				return
			}

			if err := setText(item, s); err != nil {
				l.AddParameter(p.in, p.name, fault.FormatInvalid, "must be a list of which each is %s.", err)
				return
			}

			p.judge(p.plan.elem, item, l)
			into.Set(reflect.Append(into, item))
		}
	}

	p.judge(p.plan, into, l)
}

// setText parses a text into a field. The error is a sentence about what the field expects.
func setText(into reflect.Value, s string) error {
	switch {
	case into.Type() == reflect.TypeFor[time.Time]():
		t, err := day.ParseTime(s)
		if err != nil {
			return errors.New("a date-time such as 2026-11-21T09:30:00Z")
		}

		into.Set(reflect.ValueOf(t.UTC()))

	case into.Kind() == reflect.Pointer:
		v := reflect.New(into.Type().Elem())
		if err := setText(v.Elem(), s); err != nil {
			return err
		}

		into.Set(v)

	case into.Kind() == reflect.String:
		into.SetString(s)

	case into.Kind() == reflect.Bool:
		if s != "true" && s != "false" {
			return errors.New("true or false")
		}

		into.SetBool(s == "true")

	case into.CanInt():
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil || into.OverflowInt(n) {
			return errors.New("a whole number")
		}

		into.SetInt(n)

	default:
		panic(fmt.Sprintf("web: a parameter cannot be a %v", into.Type()))
	}

	return nil
}
