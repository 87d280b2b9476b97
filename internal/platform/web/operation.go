package web

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"reflect"
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
	// Mode is shown by every answer, in the header Slipway-Mode, so that nobody takes a deployment for another; "": it
	// is not.
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
	// MaxWaiting and MaxWaitingOfOne limit the streams of events and long polls that are open at once, in all and of
	// one organisation. 0: 2,000 and 200.
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

// handler answers the requests of one route.
type handler struct {
	pattern string
	health  bool // answered however busy the others are
	serve   func(c *call, r *http.Request)
}

// endpoint is a registered operation whose types are known only at run time. Register itself is compiled for each pair
// of types, of which there are more than a hundred. So everything it does beyond calling its handler stands here once.
type endpoint struct {
	*API
	op      Operation
	in      *input
	table   *table // of a list; nil: it is none
	inType  reflect.Type
	outType reflect.Type
	// it lasts as long as its caller is slow to send or receive
	lasting     bool
	tagged      bool                                           // its answer is one thing, and has an ETag
	showsRecord bool                                           // its answer is a Record
	reader      *endpoint                                      // the GET of what it changes, if it is a PUT or PATCH; nil: there is none
	handle      func(ctx context.Context, in any) (any, error) // from a pointer to inType to a pointer to the answer
}

// target is what a handler is registered under.
type target struct{ method, pattern string }
