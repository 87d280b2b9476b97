// Package web turns use cases into HTTP operations. One Register call for each operation provides its route with
// access, strict decoding, problem documents, idempotency keys, the list form, and its part of the OpenAPI document.
//
// A handler decodes nothing and encodes nothing: it receives a struct that is already checked, and returns what is to
// be sent, or a refusal (core/fault). Any other error is logged and answered as INTERNAL without its text.
//
// Read in this order: web.go, call.go (one request under way), endpoint.go, plan.go and body.go (checking), bind.go
// (paths, queries, headers), upload.go (files in), stream.go (files out), eventstream.go, csv.go (lists as tables),
// principal.go and gate.go (access), session.go (calls of the console), site.go, problem.go, idempotency.go,
// fingerprint.go, middleware.go, list.go, openapi.go, docs.go. Of what a request may say of a record: version.go (ETag
// and If-Match), readonly.go (members that are only shown), stages.go (all problems at once).
package web

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/go-chi/chi/v5"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/limit"
)

// Access is who may call an operation. It is declared with the route. A handler checks only what depends on the record.
type Access string

// The kinds of access.
const (
	Public   Access = "public"   // no credentials
	Bearer   Access = "bearer"   // a signed-in user or API client, with or without an organisation
	Tenant   Access = "tenant"   // the same, acting for an organisation
	Staff    Access = "staff"    // people of the platform
	Operator Access = "operator" // people of the platform who may change what all tenants share
)

// The size of a JSON body, unless an operation sets another.
const (
	defaultMaxBody = 1 << 20
	publicMaxBody  = 64 << 10 // for unknown callers
)

// Operation describes one route. Summary and Description appear in the OpenAPI document.
type Operation struct {
	Method, Path  string
	ID            string // camel case, unique: the client's function name
	Summary       string
	Description   string
	Tag           string
	Access        Access
	Roles         []string // the member needs one of them in the organisation acted for; none: every role will do
	Status        int      // of success; 0: 200
	MaxBody       int64    // bytes; 0: 1 MiB
	OptionalBody  bool     // an empty body is taken as {}
	ForeignBody   bool     // a body of another protocol may come along (RFC 8058), which says nothing: it is not read
	NoIdempotency bool     // answers that must not be cached (tokens, secrets)
	PeopleOnly    bool     // API clients are refused: it concerns the account itself
	Unattended    bool     // programs repeat it by themselves: it is no use of a session by its person
	DuringSetup   bool     // possible for those who must set up a second factor first
	StepUp        bool     // a person with a second factor must have proven it within StepUpLifetime
	Scope         string   // the scope that an API client needs; "": ScopeOf
	MovesMoney    bool     // an organisation may demand an Idempotency-Key here
	// PerSource limits how often one address may call a public operation; nil: no limit.
	PerSource *limit.Limiter
	Codes     []fault.Code // refusals to document besides the general ones
	// RefusalWith has a value of the type of further members, by the status of the refusals that have them.
	RefusalWith map[int]any
	Refreshes   bool // it takes a refresh token instead of an access token, and reads it itself
	// Versioned operations change one record, and compare its version with If-Match (caller.Unchanged). Those that name
	// something in their path and answer with a Record are.
	Versioned bool
	// Stages: the use case adds its problems to those of the body's form. It has no effect but through Once.
	Stages bool
	// Location is the path of what a 201 has made; {id} stands for its identifier. The answer is a Record.
	Location string
	// Upload is set if the body is a file: In has a field Body of type Upload.
	Upload   *UploadRule
	Examples []Example // of bodies, for the OpenAPI document
	// Answers lists the content types that a Raw or Stream answer may have: for JSON with a value of its type, else
	// with nil. None: any.
	Answers map[string]any
}

// License is the name of a licence, and where its text is.
type License struct{ Name, URL string }

// Example is a body as a client writes it.
type Example struct{ Name, Summary, Body string }

// Empty is the body of operations that answer 204.
type Empty struct{}

// Config holds an API's dependencies and settings.
type Config struct {
	Title, Version string
	Description    string // what every client must know, for the OpenAPI document
	License        License
	Tags           []Tag // the groups of operations
	// Reference is what the OpenAPI document and its pages say besides; nil: nothing. It is called when they are built:
	// an idle service does without its memory.
	Reference func() Reference
	// Mode is shown by every answer, in the header Slipway-Mode, so that nobody takes a deployment for another; "": it is
	// not.
	Mode string
	// Build is shown by every answer in the header Slipway-Build: a page that was made for another one is to be loaded
	// again. "": it is not.
	Build        string
	BaseURL      string // as clients reach it, without a slash at the end
	Log          *slog.Logger
	DB           *db.DB // stores idempotency keys
	Authenticate Authenticator
	Session      SessionAuthenticator // nil: no cookie is ever taken
	Metrics      Metrics              // may be nil
	MaxInFlight  int                  // requests worked on at once; more are answered 503. 0: 4,096
	// MaxWaiting and MaxWaitingOfOne limit the streams of events and long polls that are open at once, in all and of one
	// organisation. 0: 2,000 and 200.
	MaxWaiting, MaxWaitingOfOne int
	BodyMemory                  int64 // bytes for large bodies while they are read and worked on. 0: 128 MiB
	// StepUp checks a second factor by the code of the header X-2FA-Code; nil: no code is ever valid.
	StepUp func(ctx context.Context, p caller.Principal, code string) error
	// OperatorsProve refuses writes of platform people who have no second factor.
	OperatorsProve bool
	// TrustedProxies are the addresses whose X-Forwarded-For is trusted; none: no one's.
	TrustedProxies []netip.Prefix
}

// API is the set of registered operations. Register everything before calling Handler.
type API struct {
	config    Config
	here      Site
	mux       *chi.Mux
	patterns  map[target]handler // by what the mux finds
	paths     map[target]handler // those whose pattern is the path itself
	routings  sync.Pool          // of *chi.Context
	endpoints []*endpoint
	byID      map[string]*endpoint
	shows     map[string]func(ctx context.Context, id string) (any, error) // records that requests refer to, by kind
	routes    []Route
	scopes    []string
	slow      *limit.Places // of operations that last as long as their caller is slow
	waiting   *limit.Places // of those that wait for something to happen, by organisation and person
	waitingOf *limit.Places // of the same, by address
	room      room
	memory    *limit.Budget // of bodies
	lately    *lately
	answers   *db.Lookup[storedAnswer]
}

// Route is one line of the golden route list.
type Route struct {
	Method, Path string
	Access       Access
	Roles        []string
	ID           string
	Answer       reflect.Type // Register's Out; nil: a mounted handler
}

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

// handler answers the requests of one route.
type handler struct {
	pattern string
	health  bool // answered however busy the others are
	serve   func(c *call, r *http.Request)
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

// target is what a handler is registered under.
type target struct{ method, pattern string }

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
