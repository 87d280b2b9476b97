package web

import (
	"bytes"
	"context"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/jsonout"
)

// Whoever has read a record may send it back where a request names one. What he says of it must be so: of a reference
// `{"_id": X, "iban": …}` the identifier is used, and with another account's number in it nobody knows which of the two
// was meant. So every member beside `_id` is compared with the record, as it is shown now. References without further
// members, which nearly all are, cost nothing.

// Shows tells how records of a kind are shown to a caller: fields of request bodies that refer to one have the tag
// `record:"kind"`. show is given an identifier, or a code where the use case accepts one too, and refuses with
// fault.NotFound what it does not know.
func (a *API) Shows(kind string, show func(ctx context.Context, id string) (any, error)) {
	if a.shows[kind] != nil {
		panic("web: records of the kind " + kind + " are shown twice")
	}

	a.shows[kind] = show
}

// referenceKind returns which kind of record a field refers to, or "" if it is no reference.
func referenceKind(t reflect.Type, f reflect.StructField) string {
	inner := f.Type
	for inner.Kind() == reflect.Pointer || inner.Kind() == reflect.Slice {
		inner = inner.Elem()
	}

	kind := f.Tag.Get("record")
	if (inner == reflect.TypeFor[caller.Ref]()) != (kind != "") {
		panic("web: field " + f.Name + " of " + t.String() + `: a caller.Ref and the tag record:"…" belong together`)
	}

	return kind
}

// contradictions refuses references that say of their record what is not so.
func (e *endpoint) contradictions(ctx context.Context, raw []byte) error {
	if e.in.body == nil || !e.in.body.refers ||
		!bytes.Contains(raw, []byte("_id")) && !bytes.Contains(raw, []byte(`\u`)) {
		return nil
	}

	c := comparison{api: e.API, records: map[string]any{}}

	var body any
	if err := json.Unmarshal(raw, &body); err != nil {
		return err
	}

	if err := c.walk(ctx, e.in.body, body, ""); err != nil {
		return err
	}

	return c.l.Err()
}

// comparison holds the references of one body against their records.
type comparison struct {
	api     *API
	l       fault.List
	records map[string]any // by kind and identifier, as they are shown
}

// walk finds the references of a value along its plan.
func (c *comparison) walk(ctx context.Context, p *plan, value any, at string) error {
	for p.kind == reflect.Pointer && !p.opaque {
		p = p.elem
	}

	switch v := value.(type) {
	case []any:
		for i := 0; i < len(v) && p.elem != nil; i++ {
			if err := c.walk(ctx, p.elem, v[i], at+"/"+strconv.Itoa(i)); err != nil {
				return err
			}
		}

	case map[string]any:
		if p.record != "" {
			return c.reference(ctx, p.record, v, at)
		}

		for _, f := range p.fields {
			if !f.plan.refers {
				continue
			}

			if err := c.walk(ctx, f.plan, v[f.name], at+"/"+escapePointer(f.name)); err != nil {
				return err
			}
		}
	}

	return nil
}

// reference compares one reference. What does not exist is left to the use case, which knows how to say so.
func (c *comparison) reference(ctx context.Context, kind string, said map[string]any, at string) error {
	id, _ := said["_id"].(string)
	delete(said, "_id") // it may be a code

	if len(said) == 0 {
		return nil
	}

	record, known := c.records[kind+" "+id]
	if !known {
		var err error
		if record, err = c.shown(ctx, kind, id); err != nil {
			return err
		}

		c.records[kind+" "+id] = record
	}

	if record != nil {
		c.compare(kind+" "+id, said, record, at)
	}

	return nil
}

func (c *comparison) shown(ctx context.Context, kind, id string) (record any, err error) {
	show := c.api.shows[kind]
	if show == nil {
		panic("web: nobody shows records of the kind " + kind)
	}

	v, err := show(ctx, id)
	if f, ok := fault.As(err); ok && f.Kind == fault.NotFound {
		return nil, nil //nolint:nilnil // there is no such record
	}

	if err != nil {
		return nil, err
	}

	raw, err := jsonout.Marshal(v)
	if err != nil {
		return nil, err
	}

	return record, json.Unmarshal(raw, &record)
}

// compare notes where what was said of a record differs from it. null says nothing.
func (c *comparison) compare(of string, said, held any, at string) {
	switch s := said.(type) {
	case nil:
		return

	case map[string]any:
		record, ok := held.(map[string]any)
		if !ok {
			break
		}

		for _, name := range slices.Sorted(maps.Keys(s)) {
			field := at + "/" + escapePointer(name)
			if x, has := record[name]; has {
				c.compare(of, s[name], x, field)
			} else {
				c.l.Add(field, fault.UnknownField, "is not a field of this record. Names are compared exactly.")
			}
		}

		return

	case []any:
		list, _ := held.([]any)
		if len(list) != len(s) {
			break
		}

		for i := range s {
			c.compare(of, s[i], list[i], at+"/"+strconv.Itoa(i))
		}

		return

	case string:
		if names(s, held) {
			return
		}

	default:
		if s == held {
			return
		}
	}

	c.l.Add(
		at,
		fault.ReferenceMismatch,
		"is not so: %s holds another value. Send `_id` alone, or what the record holds.",
		of,
	)
}

// identifying are the members that a text may name a record by.
var identifying = [...]string{"_id", "isoCode", "isoCode3166"}

// names reports whether a text is what a record holds: the same text, or what the record there is known by. Spaces and
// case make no difference, since account numbers and addresses are written in several ways.
func names(text string, held any) bool {
	switch h := held.(type) {
	case string:
		return strings.EqualFold(strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(h, " ", ""))

	case map[string]any:
		for _, name := range identifying {
			if h[name] == text {
				return true
			}
		}
	}

	return false
}
