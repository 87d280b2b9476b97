// Package operations knows what the API of this build can do: every operation with its parameters and fields, as the
// command line calls them.
//
// operations.json is written from the registered routes by a test that fails when it differs, as docs/openapi.json is.
// Registering routes takes a database and a good part of a second; a command line has neither.
package operations

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// Operation is one call of the API. Resource and Verb are its name on the command line; ID is its operationId.
type Operation struct {
	Resource string  `json:"resource"`
	Verb     string  `json:"verb"`
	ID       string  `json:"id"`
	Method   string  `json:"method"`
	Path     string  `json:"path"`
	Summary  string  `json:"summary"`
	Queries  []Field `json:"queries,omitempty"`
	Body     []Field `json:"body,omitempty"`
	File     bool    `json:"file,omitempty"`  // its body is a file
	Keyed    bool    `json:"keyed,omitempty"` // takes an Idempotency-Key
	Match    bool    `json:"match,omitempty"` // takes If-Match
	Lists    bool    `json:"lists,omitempty"` // answers a page, and takes a cursor
}

// Field is a parameter, or a field of a body.
type Field struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"` // string, integer, boolean, array, object
	Of       []Field  `json:"of,omitempty"`
	Enum     []string `json:"enum,omitempty"`
	Required bool     `json:"required,omitempty"`
	Doc      string   `json:"doc,omitempty"`
}

//go:embed operations.json
var catalogue []byte

// All returns every operation, by resource and verb. The caller must not change them.
var All = sync.OnceValue(func() []Operation {
	var all []Operation
	if err := json.Unmarshal(catalogue, &all); err != nil {
		panic("operations.json: " + err.Error()) // it is part of the program
	}

	return all
})

// Resources returns the names of resources, sorted.
func Resources() []string {
	var out []string

	for _, o := range All() {
		if !slices.Contains(out, o.Resource) {
			out = append(out, o.Resource)
		}
	}

	slices.Sort(out)

	return out
}

// Of returns the operations of a resource.
func Of(resource string) []Operation {
	var out []Operation

	for _, o := range All() {
		if o.Resource == resource {
			out = append(out, o)
		}
	}

	return out
}

// Find returns an operation by its verb, or by its operationId.
func Find(resource, verb string) (Operation, bool) {
	for _, o := range Of(resource) {
		if o.Verb == verb || o.ID == verb {
			return o, true
		}
	}

	return Operation{}, false
}

// Params returns the names in the path, in their order.
func (o Operation) Params() []string {
	var out []string

	for _, part := range strings.Split(o.Path, "/") {
		if strings.HasPrefix(part, "{") {
			out = append(out, strings.Trim(part, "{}"))
		}
	}

	return out
}

// Changes reports whether the operation may change something.
func (o Operation) Changes() bool { return o.Method != "GET" }
