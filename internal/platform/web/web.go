// Package web turns use cases into HTTP operations. One Register call for each operation provides its route with
// access, strict decoding, problem documents, idempotency keys, the list form, and its part of the OpenAPI document.
//
// A handler decodes nothing and encodes nothing: it receives a struct that is already checked, and returns what is to
// be sent, or a refusal (core/fault). Any other error is logged and answered as INTERNAL without its text.
//
// Read in this order, each file before what it calls:
//
//   - Pages: docs.go with docs_samples.go, status.go, parser.go (what the HTTP library refuses), form.go, openapi.go.
//   - A request: web.go, endpoint.go, reference.go (what it says of other records), upload.go (files in), eventstream.go,
//     csv.go (lists as tables), gate.go (access), session.go (calls of the console), idempotency.go with
//     openapi_refusals.go and fingerprint.go, middleware.go, problem.go, list.go, stream.go (files out), zip.go.
//   - What a request may say of a record: version.go (ETag and If-Match), readonly.go (members that are only shown),
//     stages.go (all problems at once), arrival.go (its pace), bind.go (paths, queries, headers), bounds.go (how much),
//     nullable.go, number.go.
//   - What all of it rests on: operation.go (the types), openapi_schemas.go, site.go, call.go (one request under way),
//     room.go (how many at once), schema.go, stall.go, store_idempotency.go, principal.go, upload_form.go, upload_json.go,
//     body.go and plan.go (checking), upload_rule.go, tags.go.
package web

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/go-chi/chi/v5"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
)

// New returns an API without operations.
func New(c Config) *API {
	memory := cmp.Or(c.BodyMemory, bodyMemory)
	a := &API{
		config:    c,
		here:      NewSite(c.BaseURL),
		mux:       chi.NewMux(),
		patterns:  map[target]handler{},
		paths:     map[target]handler{},
		byID:      map[string]*endpoint{},
		shows:     map[string]func(ctx context.Context, id string) (any, error){},
		slow:      slowPlaces(c),
		waiting:   waitingPlaces(c),
		waitingOf: waitingSources(c),
		memory:    limit.NewBudget(memory, memory/shareOfOne),
		lately:    newLately(),
	}
	a.answers = db.NewLookup(func(ctx context.Context, asked []string) (map[string]storedAnswer, error) {
		return storedAnswers(ctx, c.DB, asked)
	})
	a.routings.New = func() any { return chi.NewRouteContext() }
	a.serveDocs()

	return a
}

// answer takes a place for the request and serves it.
func (h handler) answer(a *API, c *call, r *http.Request) {
	c.route = h.pattern

	err := a.begin(c, h.health)
	if err == nil {
		err = plainBody(c, r)
	}

	if err != nil {
		a.refuse(c, r, err)
		return
	}

	h.serve(c, r)
}

// plainBody refuses a body in an encoding. The answer says that none is read (RFC 9110, 15.5.16).
func plainBody(c *call, r *http.Request) error {
	encoding := strings.Join(r.Header["Content-Encoding"], ",")
	if r.ContentLength == 0 || encoding == "" || strings.EqualFold(encoding, "identity") {
		return nil
	}

	c.Header().Set("Accept-Encoding", "identity")

	refusal := fault.New(fault.MediaType, fault.EncodingUnknown,
		"A body with Content-Encoding is not read. Send it as it is.")
	refusal.Fields = []fault.Field{{
		In:      "header",
		Name:    "Content-Encoding",
		Code:    fault.EncodingUnknown,
		Message: "must be left out.",
	}}

	return refusal
}

// serve finds the handler of a request. A path that equals a pattern needs no search: the mux, too, prefers it to every
// other. The mux is asked only for the pattern, because calling a handler through it would copy the request twice.
//
// HEAD is GET without the body of its answer (RFC 9110, 9.3.2), wherever there is GET.
func (a *API) serve(c *call, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}

	if h, ok := a.paths[target{method, pathOf(r)}]; ok {
		h.answer(a, c, r)
		return
	}

	c.routing = a.routings.Get().(*chi.Context)
	defer a.routings.Put(c.routing)

	c.routing.Reset()

	h, ok := a.patterns[target{method, a.mux.Find(c.routing, method, pathOf(r))}]
	if !ok {
		a.nothingHere(c, r)
		return
	}

	h.answer(a, c, r)
}

// pathOf returns the path as it was written. An id is used as it is, so two spellings are never one record.
func pathOf(r *http.Request) string { return cmp.Or(r.URL.RawPath, r.URL.Path, "/") }

// nothingHere refuses a path that no route has, or that routes have only with other methods. It answers OPTIONS, which
// asks for these (RFC 9110, 9.3.7); no page of another origin is invited to use them.
func (a *API) nothingHere(c *call, r *http.Request) {
	allowed := strings.Join(a.methods(r), ", ")
	if allowed == "" {
		a.refuse(c, r, fault.New(fault.NotFound, fault.NotFoundCode, "There is nothing at this path."))
		return
	}

	c.Header().Set("Allow", allowed)

	if r.Method == http.MethodOptions {
		c.WriteHeader(http.StatusNoContent)
		return
	}

	a.refuse(c, r,
		fault.New(fault.MethodUnknown, fault.MethodNotAllowed, "This method is not possible here; %s is.", allowed))
}

// methods returns the methods of a path, which a 405 must name (RFC 9110, 15.5.6).
func (a *API) methods(r *http.Request) []string {
	var out []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
		if !a.mux.Match(chi.NewRouteContext(), m, pathOf(r)) {
			continue
		}

		out = append(out, m)
		if m == http.MethodGet {
			out = append(out, http.MethodHead)
		}
	}

	if len(out) > 0 {
		out = append(out, http.MethodOptions)
	}

	return out
}

// Mount adds a plain handler for something that is not an API operation (metrics, pages). Its access is checked like an
// operation's, and it appears in the route list.
func (a *API) Mount(method, path string, access Access, h http.Handler) {
	op := Operation{Method: method, Path: path, Access: access}

	a.add(Route{method, path, access, nil, "-", nil}, handler{serve: func(c *call, r *http.Request) {
		if err := a.admit(c, r, &op); err != nil {
			a.refuse(c, r, err)
			return
		}

		r = r.WithContext(context.WithValue(r.Context(), chi.RouteCtxKey, c.routing))
		if r.ContentLength != 0 {
			r.Body = arriving{r.Body, a, c}
		}

		h.ServeHTTP(c, r)
	}})
}

// MountHealth adds a plain handler about the service's health. It is open to everybody and is answered however busy the
// other operations are: it has reserved places and connections.
func (a *API) MountHealth(path string, h http.Handler) {
	a.add(Route{http.MethodGet, path, Public, nil, "-", nil}, handler{
		health: true,
		serve:  func(c *call, r *http.Request) { h.ServeHTTP(c, r) },
	})
}

// add panics on a route without a known access, and on a duplicate, which would silently replace the first.
func (a *API) add(route Route, h handler) {
	if !slices.Contains([]Access{Public, Bearer, Tenant, Staff, Operator}, route.Access) {
		panic("web: " + route.Method + " " + route.Path + " has no known access")
	}

	if len(route.Roles) > 0 && route.Access != Tenant {
		panic(
			"web: " + route.Method + " " + route.Path + " asks for roles, which only members of the organisation " +
				"acted for have",
		)
	}

	for _, other := range a.routes {
		if route.Method == other.Method && route.Path == other.Path || route.ID == other.ID && route.ID != "-" {
			panic("web: " + route.Method + " " + route.Path + " or its ID " + route.ID + " stands twice")
		}
	}

	a.routes = append(a.routes, route)
	a.mux.Method(route.Method, route.Path, http.NotFoundHandler()) // which is never called

	of := a.patterns
	if !strings.ContainsAny(route.Path, "{*") {
		of = a.paths
	}

	h.pattern = route.Path
	of[target{route.Method, route.Path}] = h
}

// Routes returns every operation, sorted by path and method.
func (a *API) Routes() []Route {
	out := append([]Route(nil), a.routes...)
	sort.Slice(out, func(i, j int) bool {
		return out[i].Path < out[j].Path || out[i].Path == out[j].Path && out[i].Method < out[j].Method
	})

	return out
}

// Register adds an operation. In is a struct whose fields carry `path`, `query` or `header` tags, and a field Body
// for the JSON body (none: the operation takes no body). Out is the JSON of the answer, or Empty for 204, or Raw, or
// Stream, or EventStream. Tags for checking are those of package huma (minLength, maxLength, pattern, enum, minimum,
// maximum, minItems, maxItems, doc, example); a field is required unless it says omitempty, omitzero or
// required:"false", or is a pointer.
//
// Register panics on a description that cannot work: it runs once, at start. What only the OpenAPI document finds in
// the types, it panics about when the document is made; a test makes it.
func Register[In, Out any](a *API, op Operation, handle func(ctx context.Context, in *In) (*Out, error)) {
	a.register(op, reflect.TypeFor[In](), reflect.TypeFor[Out](), func(ctx context.Context, in any) (any, error) {
		return handle(ctx, in.(*In))
	})
}
