package web

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/require"

	"slipway/internal/core/fault"
)

// document reads the OpenAPI document of a test API.
func document(t *testing.T, w *world) map[string]any {
	t.Helper()
	raw, err := w.api.OpenAPI()
	require.NoError(t, err)

	var doc map[string]any
	require.NoError(t, json.Unmarshal(raw, &doc))

	return doc
}

// dig follows member names and list positions; what is not there is nil.
func dig(v any, path ...any) any {
	for _, p := range path {
		switch x := v.(type) {
		case map[string]any:
			v = x[p.(string)]
		case []any:
			v = x[p.(int)]
		default:
			return nil
		}
	}

	return v
}

func TestOpenAPIDocumentIsStableAndServed(t *testing.T) {
	one, err := newWorld(t, nil).api.OpenAPI()
	require.NoError(t, err)

	w := newWorld(t, nil)
	for range 3 {
		a := w.send("GET", "/openapi.json", "", "Authorization: none")
		require.Equal(t, 200, a.Code)
		require.Equal(t, "application/json", a.Header().Get("Content-Type"))
		require.Equal(t, string(one), a.Body.String(), "the same bytes for the same code")
	}

	require.NotContains(t, string(one), "$schema")
	require.True(t, strings.HasPrefix(string(one), "{\n  \"components\": {\n"),
		"members are sorted: a new one changes few lines")
	doc := document(t, w)
	require.Equal(t, "3.1.0", doc["openapi"])
	require.Equal(t, "https://api.example", dig(doc, "servers", 0, "url"))
	require.Equal(t, "1.0.0", dig(doc, "info", "version"))
}

func TestOpenAPIHasEveryOperation(t *testing.T) {
	w := newWorld(t, nil)
	doc := document(t, w)

	n := 0
	for _, r := range w.api.Routes() {
		if r.ID == "-" {
			continue
		}

		n++
		op, ok := dig(doc, "paths", r.Path, strings.ToLower(r.Method)).(map[string]any)
		require.True(t, ok, "%s %s", r.Method, r.Path)
		require.Equal(t, r.ID, op["operationId"])
		require.Equal(t, r.Access == Public, op["security"] != nil, r.ID)
		require.Equal(t, "#/components/responses/InternalServerError", dig(op, "responses", "500", "$ref"))
	}

	require.Greater(t, n, 10)

	total := 0
	for _, item := range doc["paths"].(map[string]any) {
		total += len(item.(map[string]any))
	}

	require.Equal(t, n, total, "and none that is not there")
	require.Contains(t, dig(doc, "paths", "/orders", "post", "responses", "409", "description"), "`TX_NOT_DRAFT`")
	require.Contains(t, dig(doc, "paths", "/orders", "post", "responses", "409", "content", "application/problem+json",
		"schema", "allOf", 1, "properties", "code", "enum"), "TX_NOT_DRAFT")
	require.NotNil(t, dig(doc, "paths", "/orders", "post", "responses", "201"))
	require.NotNil(t, dig(doc, "paths", "/orders/{id}", "delete", "responses", "204"))
}

// The document demands what the checks demand, neither more nor less.
func TestOpenAPIRequiredFieldsAreThoseThatAreChecked(t *testing.T) {
	doc := document(t, newWorld(t, nil))

	schemas := dig(doc, "components", "schemas")
	for name, typ := range map[string]reflect.Type{
		"OrderBody":      reflect.TypeFor[orderBody](),
		"PaymentBody":    reflect.TypeFor[paymentBody](),
		"StreetBody":     reflect.TypeFor[streetBody](),
		"StrictBody":     reflect.TypeFor[strictBody](),
		"StreetOptInput": reflect.TypeFor[streetOpt](),
	} {
		t.Run(name, func(t *testing.T) {
			var want, got []string
			for _, f := range planOf(typ).fields {
				if f.required {
					want = append(want, f.name)
				}

				require.NotNil(t, dig(schemas, name, "properties", f.name), "%s.%s", name, f.name)
			}

			if list, ok := dig(schemas, name, "required").([]any); ok {
				for _, x := range list {
					got = append(got, x.(string))
				}
			}

			require.ElementsMatch(t, want, got)
			require.Equal(t, false, dig(schemas, name, "additionalProperties"))
		})
	}

	require.Equal(t, true, dig(doc, "paths", "/orders", "post", "requestBody", "required"))
	require.NotEqual(t, true, dig(doc, "paths", "/maybe", "post", "requestBody", "required"))
}

func TestOpenAPISaysEveryLimit(t *testing.T) {
	doc := document(t, newWorld(t, nil))
	body := dig(doc, "components", "schemas", "OrderBody", "properties")
	require.Equal(t, []any{"USDC", "USDT"}, dig(body, "token", "enum"))
	require.Equal(t, []any{"a", "b"}, dig(body, "tags", "items", "enum"))
	require.EqualValues(t, 3, dig(body, "tags", "maxItems"))
	require.EqualValues(t, 30, dig(body, "payments", "maxItems"))
	require.EqualValues(t, 20, dig(body, "organisationRole", "maxLength"))
	require.EqualValues(t, 9, dig(body, "count", "maximum"))
	require.Equal(t, "date-time", dig(body, "due", "format"))
	require.Len(t, dig(body, "partner", "oneOf"), 3, "an identifier, a record that has one, or null")

	params := map[string]any{}
	for _, p := range dig(doc, "paths", "/orders", "get", "parameters").([]any) {
		params[dig(p, "name").(string)] = p
	}

	require.Equal(t, []any{"A", "B"}, dig(params, "status[]", "schema", "items", "enum"))
	require.EqualValues(t, 5, dig(params, "sizes[]", "schema", "items", "maximum"))
	require.EqualValues(t, 250, dig(params, "limit", "schema", "maximum"))
	require.EqualValues(t, 20, dig(params, "limit", "schema", "default"))
	require.EqualValues(t, 5, dig(params, "name", "schema", "maxLength"))
	require.Equal(t, "createdAt", dig(params, "sortBy", "schema", "default"))
	require.Equal(t, "boolean", dig(params, "isHidden", "schema", "type"),
		"a pointer is the value that may be left out, not null")
	require.Equal(t, true, dig(params, "columnId", "required"))
	require.NotEqual(t, true, dig(params, "limit", "required"))
	require.Nil(t, params["Idempotency-Key"], "not on reads")

	header := map[string]any{}
	for _, p := range dig(doc, "paths", "/orders", "post", "parameters").([]any) {
		header[dig(p, "name").(string)] = dig(p, "in")
	}

	require.Equal(t, "header", header["partnerId"], "written as the interface writes it")
	require.Equal(t, "header", header["Idempotency-Key"])
}

func TestOpenAPIListsEveryCode(t *testing.T) {
	doc := document(t, newWorld(t, nil))

	var want []any
	for _, c := range fault.Codes() {
		want = append(want, string(c))
	}

	require.Equal(t, want, dig(doc, "components", "schemas", "Problem", "properties", "code", "enum"))
}

// Two nouns may each have a View: their schemas do not collide.
func TestSchemaNamesCarryTheirPackage(t *testing.T) {
	for name, typ := range map[string]reflect.Type{
		"Problem":        reflect.TypeFor[Problem](),
		"FaultField":     reflect.TypeFor[fault.Field](),
		"HttpCookie":     reflect.TypeFor[*http.Cookie](),
		"HttpCookieList": reflect.TypeFor[List[http.Cookie]](),
		"OrderViewList":  reflect.TypeFor[List[orderView]](),
		"Fault":          reflect.TypeFor[fault.Fault](),
		"AskedFor":       reflect.TypeFor[struct{ X int }](),
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, name, schemaName(typ, "askedFor"))
		})
	}
}

func TestDocsPagesShowEveryOperationAndAreWellFormed(t *testing.T) {
	w := newWorld(t, nil)
	page := func(path, contentType string) string {
		t.Helper()
		a := w.send("GET", path, "", "Authorization: none")
		require.Equal(t, 200, a.Code, path)
		require.Equal(t, contentType, a.Header().Get("Content-Type"))

		policy := a.Header().Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'")
		require.NotContains(t, policy, "unsafe", "nothing inline, and no foreign host")
		require.NotContains(t, policy, "http")

		return a.Body.String()
	}

	overview := page("/docs", htmlType)
	wellFormed(t, overview)

	for _, c := range fault.Codes() {
		require.Contains(t, overview, `href="/problems/`+string(c)+`"`)
	}

	doc := document(t, w)
	for _, r := range w.api.Routes() {
		if r.ID == "-" {
			continue
		}

		tag, _ := dig(doc, "paths", r.Path, strings.ToLower(r.Method), "tags", 0).(string)
		if tag == "" {
			tag = "other"
		}

		require.Contains(t, overview, `href="/docs/`+tag+"#"+r.ID+`"`, "the contents lead to its anchor")

		reference := page("/docs/"+tag, htmlType)
		wellFormed(t, reference)
		require.Contains(t, reference, `id="`+r.ID+`"`)
		require.Contains(t, reference, `>`+r.Path+`<`)
		require.NotContains(t, reference, "style=")
		require.NotContains(t, reference, "onclick")
	}

	orders := page("/docs/orders", htmlType)
	require.Contains(t, orders, "<code>&lt;b&gt;</code> &amp; no &lt;i&gt;",
		"texts are escaped, what stands between backticks is code")
	require.Contains(t, orders, ", <strong>once</strong>")
	require.Contains(t, orders, "payments *")
	require.Contains(t, orders, "USDC | USDT")
	require.Contains(t, orders, "curl -X POST")
	require.Contains(t, orders, "api.Call(ctx, &#34;POST&#34;, &#34;/orders&#34;, `{")
	require.Contains(t, orders, "await ask(api.POST(&#34;/orders&#34;, {")
	require.Contains(t, orders, "answer = client.call(&#34;POST&#34;, &#34;/orders&#34;, {")

	require.Contains(t, page("/docs/docs.js", "text/javascript; charset=utf-8"), "fetch(")
	require.Contains(t, page("/docs/docs.css", "text/css; charset=utf-8"), "prefers-color-scheme")
	require.Equal(t, 404, w.send("GET", "/docs/nothing", "", "Authorization: none").Code)
}

func TestFrontLeadsPeopleToPagesAndProgramsToTheDocument(t *testing.T) {
	w := newWorld(t, nil)

	for accept, to := range map[string]string{
		"text/html,application/xhtml+xml": "/docs",
		"application/json":                "/openapi.json",
		"":                                "/openapi.json",
	} {
		a := w.send("GET", "/", "", "Authorization: none", "Accept: "+accept)
		require.Equal(t, 303, a.Code)
		require.Equal(t, to, a.Header().Get("Location"), accept)
		require.Equal(t, "Accept", a.Header().Get("Vary"))
	}

	w.api.Mount("GET", "/console", Public, http.NotFoundHandler())

	a := w.send("GET", "/", "", "Authorization: none", "Accept: text/html")
	require.Equal(t, "/console", a.Header().Get("Location"))
}

func TestProblemPageExplainsItsCodeAndNoOther(t *testing.T) {
	w := newWorld(t, nil)
	for _, c := range fault.Codes() {
		a := w.send("GET", "/problems/"+string(c), "", "Authorization: none")
		require.Equal(t, 200, a.Code, c)
		require.Contains(t, a.Body.String(), "<code>"+string(c)+"</code>")
		wellFormed(t, a.Body.String())
	}

	for _, c := range []string{"NOPE", "validation", "<script>", "..", "%3Cscript%3E"} {
		a := w.send("GET", "/problems/"+c, "")
		require.Equal(t, 404, a.Code, c)
		require.NotContains(t, a.Body.String(), "<script>")
	}
}

// wellFormed checks that tags are closed in order; void elements are left out.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	require.True(t, strings.HasPrefix(page, "<!doctype html>"))

	var open []string
	for rest := page; ; {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			break
		}

		end := strings.IndexByte(rest[i:], '>')
		require.Positive(t, end, "an open tag at %.60s", rest[i:])
		tag := rest[i+1 : i+end]
		rest = rest[i+end+1:]

		name := strings.ToLower(strings.FieldsFunc(strings.TrimLeft(tag, "/!"), func(r rune) bool {
			return r == ' ' || r == '\n'
		})[0])
		switch {
		case strings.HasPrefix(tag, "!"), name == "meta", name == "link", name == "br", name == "input":
		case strings.HasPrefix(tag, "/"):
			require.NotEmpty(t, open, "</%s> closes nothing", name)
			require.Equal(t, open[len(open)-1], name, "closed in another order")
			open = open[:len(open)-1]
		default:
			open = append(open, name)
		}
	}

	require.Empty(t, open)
}
