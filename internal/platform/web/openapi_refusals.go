package web

import (
	stdjson "encoding/json" // in which huma writes the document
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"slipway/internal/core/fault"
)

// refusals are the codes that an operation may be refused with, by status: those it names itself, and those that follow
// from its access, its parameters and its body.
type refusals map[int][]fault.Code

func (r refusals) add(status int, codes ...fault.Code) {
	for _, c := range codes {
		if !slices.Contains(r[status], c) {
			r[status] = append(r[status], c)
		}
	}
}

// valueCodes are those of a parameter or field against the rules in its tags.
var valueCodes = []fault.Code{
	fault.Validation,
	fault.Required,
	fault.TooShort,
	fault.TooLong,
	fault.TooFew,
	fault.TooManyItems,
	fault.OutOfRange,
	fault.NotInEnum,
	fault.FormatInvalid,
	fault.NotAllowed,
	fault.TypeMismatch,
}

// refusals returns the codes that follow from how the operation is declared, and those that it names besides.
func (e *endpoint) refusals() (general, own refusals) {
	general = refusals{}
	own = refusals{}
	op := &e.op

	general.add(422, fault.UnknownParameter)
	general.add(429, fault.RateLimited)
	general.add(500, fault.Internal)
	general.add(503, fault.Overloaded, fault.DatabaseAway, fault.OutcomeUnknown)

	e.refusalsOfAccess(general)
	e.refusalsOfInput(general)

	if takesKey(e.op) {
		general.add(400, fault.IdempotencyKeyInvalid)
		general.add(422, fault.IdempotencyKeyReused)

		if op.MovesMoney {
			general.add(400, fault.IdempotencyKeyRequired)
		}
	}

	for _, code := range op.Codes {
		for _, kind := range fault.Kinds(code) {
			status := statusOf[kind]
			if !slices.Contains(general[status], code) {
				own.add(status, code)
			}
		}
	}

	if len(own[422]) > 1 {
		general.add(422, fault.Validation)
	}

	return general, own
}

// takesKey reports whether an operation reads an Idempotency-Key.
func takesKey(op Operation) bool {
	return op.Access != Public && op.Method != http.MethodGet && !op.NoIdempotency
}

func (e *endpoint) refusalsOfAccess(out refusals) {
	op := &e.op
	if op.Access == Public {
		return
	}

	out.add(401, fault.TokenMissing, fault.TokenInvalid)
	out.add(403, fault.AccountInactive, fault.SourceNotAllowed, fault.NoOrganisation, fault.RoleRequired)
	out.add(404, fault.NotFoundCode) // of an organisation that is not the caller's, in its header

	if !op.DuringSetup {
		out.add(403, fault.TwoFactorSetup)
	}

	if op.PeopleOnly {
		out.add(403, fault.PeopleOnly)
	} else {
		out.add(403, fault.ScopeRequired)
	}

	if op.StepUp {
		out.add(403, fault.StepUpRequired, fault.CodeInvalid, fault.TwoFactorSetup)
		out.add(429, fault.TooManyAttempts)
	}
}

func (e *endpoint) refusalsOfInput(out refusals) {
	for _, p := range e.in.params {
		switch p.in {
		case "path":
			out.add(404, fault.NotFoundCode)
			out.add(422, fault.TooLong, fault.FormatInvalid)
		default:
			out.add(422, valueCodes...)
		}

		if p.name == "cursor" {
			out.add(422, fault.CursorInvalid, fault.PagingConflict)
		}
	}

	out.add(400, fault.FormatInvalid, fault.RequestMalformed, fault.BodyMalformed, fault.TypeMismatch, fault.Validation)
	out.add(413, fault.BodyTooLarge)

	if e.op.Method != http.MethodGet {
		out.add(412, fault.VersionMismatch) // also where no version is compared, see condition
	}

	if e.in.body == nil && e.in.uploadAt == nil {
		out.add(422, fault.NotAllowed, fault.UnknownField)
		return
	}

	out.add(400, valueCodes...)
	out.add(400, fault.UnknownField, fault.DuplicateField)
	out.add(415, fault.ContentTypeUnknown, fault.EncodingUnknown)
	out.add(422, valueCodes...)
	out.add(422, fault.UnknownField, fault.DuplicateField)

	if e.in.body != nil && e.in.body.refers {
		out.add(422, fault.ReferenceMismatch)
	}
}

// describeRefusals adds an answer for each status that an operation may be refused with. Those that several operations
// have word for word stand in the document once.
func (e *endpoint) describeRefusals(o *huma.OpenAPI, types *schemas, answers map[string]*huma.Response) {
	general, own := e.refusals()

	statuses := maps.Clone(general)
	maps.Copy(statuses, own)

	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		slices.Sort(general[status])
		slices.Sort(own[status])

		r := e.describeRefusal(types, status, general[status], own[status])
		key := strconv.Itoa(status)

		if len(own[status]) > 0 || e.op.RefusalWith[status] != nil {
			answers[key] = r
			continue
		}

		answers[key] = &huma.Response{Ref: "#/components/responses/" + sharedRefusal(o, status, r)}
	}
}

// sharedRefusal returns the name under which an answer stands among the shared ones, and puts it there the first time.
func sharedRefusal(o *huma.OpenAPI, status int, r *huma.Response) string {
	plain := strings.ReplaceAll(http.StatusText(status), " ", "")
	name := plain

	for i := 2; ; i++ {
		known := o.Components.Responses[name]
		if known == nil {
			o.Components.Responses[name] = r
		}

		if known == nil || known.Description == r.Description {
			return name
		}

		name = plain + strconv.Itoa(i)
	}
}

func (e *endpoint) describeRefusal(types *schemas, status int, general, own []fault.Code) *huma.Response {
	reg := types.answers

	var words []any
	for _, c := range slices.Sorted(slices.Values(slices.Concat(general, own))) {
		words = append(words, string(c))
	}

	// with one wrong field, 422 has the code of that field, which may be any of the registry
	code := &huma.Schema{Type: huma.TypeString, Enum: words}
	if status == http.StatusUnprocessableEntity {
		code = &huma.Schema{Type: huma.TypeString, Examples: words}
	}

	all := []*huma.Schema{
		reg.Schema(reflect.TypeFor[Problem](), true, "Problem"),
		{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"code": code}},
	}
	if more := e.op.RefusalWith[status]; more != nil {
		all = append(all, reg.Schema(reflect.TypeOf(more), true, e.op.ID+"Refused"))
	}

	media := &huma.MediaType{Schema: &huma.Schema{AllOf: all}}
	if x, ok := types.reference.Recorded["problem "+strconv.Itoa(status)]; ok && hasCode(x, words) {
		media.Example = x.Response
	}

	return &huma.Response{
		Description: describeCodes(status, general, own),
		Headers:     refusalHeaders(status),
		Content:     map[string]*huma.MediaType{"application/problem+json": media},
	}
}

// hasCode reports whether a recorded refusal has one of the codes.
func hasCode(x Recorded, codes []any) bool {
	var problem struct {
		Code string `json:"code"`
	}

	return stdjson.Unmarshal(x.Response, &problem) == nil && slices.Contains(codes, any(problem.Code))
}

func refusalHeaders(status int) map[string]*huma.Header {
	out := map[string]*huma.Header{"X-Request-Id": headerRef("X-Request-Id")}

	switch status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		out["Retry-After"] = headerRef("Retry-After")
	case http.StatusUnauthorized:
		out["WWW-Authenticate"] = headerRef("WWW-Authenticate")
	}

	return out
}

// describeCodes explains the codes that the operation names, and lists those that many operations have.
func describeCodes(status int, general, own []fault.Code) string {
	var b strings.Builder
	b.WriteString(http.StatusText(status) + ".")

	for i, c := range own {
		if i == 0 {
			b.WriteString("\n")
		}

		sentence, _ := fault.Explain(c)
		fmt.Fprintf(&b, "\n- `%s`: %s", c, sentence)
	}

	for i, c := range general {
		if i == 0 {
			b.WriteString("\n\nAs everywhere:")
		}

		fmt.Fprintf(&b, " `%s`", c)
	}

	return b.String()
}

func headerRef(name string) *huma.Header { return &huma.Header{Ref: "#/components/headers/" + name} }

// responseHeaders are the headers of answers.
func responseHeaders() map[string]*huma.Header {
	text := func(description, example string) *huma.Header {
		return &huma.Header{
			Description: description,
			Schema:      &huma.Schema{Type: huma.TypeString},
			Example:     example,
		}
	}
	number := func(description string, example int) *huma.Header {
		return &huma.Header{
			Description: description,
			Schema:      &huma.Schema{Type: huma.TypeInteger},
			Example:     example,
		}
	}

	return map[string]*huma.Header{
		"X-Request-Id": text("Identifier of the request: yours, if you sent one, else a new one. It stands in the "+
			"log and in every refusal.", "req_01jd5n8x5m7q2v9r3t6w8y0z1a"),
		"RateLimit-Limit":     number("Requests that the credential may send within the window.", 600),
		"RateLimit-Remaining": number("Requests that are left in the window.", 598),
		"RateLimit-Reset":     number("Seconds until the window is full again.", 1),
		"Retry-After":         number("Seconds to wait before the request is repeated.", 1),
		"Idempotent-Replayed": text("`true`: this is the stored answer of the first request with this key.", "true"),
		"WWW-Authenticate":    text("How to authenticate (RFC 6750).", "Bearer"),
	}
}

// describeResponseHeaders returns the headers of an operation's success.
func (e *endpoint) describeResponseHeaders() map[string]*huma.Header {
	out := map[string]*huma.Header{"X-Request-Id": headerRef("X-Request-Id")}

	if e.op.Access != Public {
		for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			out[name] = headerRef(name)
		}
	}

	if takesKey(e.op) {
		out["Idempotent-Replayed"] = headerRef("Idempotent-Replayed")
	}

	return out
}
