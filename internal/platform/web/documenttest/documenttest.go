// Package documenttest holds answers against the OpenAPI document. The test worlds call it with every answer that they
// get, so the document is compared with all that the tests provoke: statuses, content types, members, closed sets, and
// the codes of refusals.
package documenttest

import (
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"weak"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"slipway/internal/platform/web"
)

// Document is an OpenAPI document against which answers are checked. It may be used by several goroutines.
type Document struct {
	root     map[string]any
	routes   map[string][]route // by method
	compiler *jsonschema.Compiler

	mu      sync.Mutex
	schemas map[string]*jsonschema.Schema // by pointer
}

// route is a path of the document in parts; one in braces is a parameter.
type route struct {
	path   string
	parts  []string
	params int
}

// address is the name of the document within the compiler.
const address = "https://slipway.test/openapi.json"

// New reads a document.
func New(raw []byte) (*Document, error) {
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}

	d := &Document{
		root:     root.(map[string]any),
		routes:   map[string][]route{},
		compiler: jsonschema.NewCompiler(),
		schemas:  map[string]*jsonschema.Schema{},
	}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()

	if err := d.compiler.AddResource(address, root); err != nil {
		return nil, fmt.Errorf("add the document: %w", err)
	}

	paths, _ := d.root["paths"].(map[string]any)
	for path, item := range paths {
		parts := strings.Split(path, "/")

		for method := range item.(map[string]any) {
			method = strings.ToUpper(method)
			d.routes[method] = append(d.routes[method], route{path, parts, strings.Count(path, "{")})
		}
	}

	return d, nil
}

// Check returns an error where an answer is not what the document promises. It returns nil for paths that are no
// operation of the document, such as pages.
func (d *Document) Check(method, path string, status int, header http.Header, body []byte) error {
	template, ok := d.match(method, path)
	if !ok || status == http.StatusMethodNotAllowed {
		return nil
	}

	where := []string{"paths", template, strings.ToLower(method), "responses", strconv.Itoa(status)}

	response, where := d.at(where)
	if response == nil {
		return fmt.Errorf("%s %s: the document has no answer %d: %.300s", method, template, status, body)
	}

	content, _ := response["content"].(map[string]any)
	if len(content) == 0 {
		if len(body) > 0 {
			return fmt.Errorf("%s %s: the document promises no body with %d", method, template, status)
		}

		return nil
	}

	media, _, _ := mime.ParseMediaType(header.Get("Content-Type"))

	if content["*/*"] != nil {
		return nil
	}

	if table, _ := response["x-table"].(string); table != "" && media == table {
		return nil
	}

	if content[media] == nil {
		return fmt.Errorf("%s %s: the document does not promise %q with %d", method, template, media, status)
	}

	if !strings.HasSuffix(media, "json") {
		return nil // a file
	}

	schema, err := d.schema(append(where, "content", media, "schema"))
	if err != nil {
		return err
	}

	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, template, err)
	}

	if err := schema.Validate(v); err != nil {
		return fmt.Errorf("%s %s %d is not what the document says: %w\n%.2000s", method, template, status, err, body)
	}

	return nil
}

// match returns the path of the operation that a request reaches: the one with the fewest parameters.
func (d *Document) match(method, path string) (string, bool) {
	have := strings.Split(path, "/")
	best := route{params: len(have) + 1}

	for _, r := range d.routes[method] {
		if len(r.parts) == len(have) && r.params < best.params && r.matches(have) {
			best = r
		}
	}

	return best.path, best.path != ""
}

func (r route) matches(have []string) bool {
	for i, part := range r.parts {
		if !strings.HasPrefix(part, "{") && part != have[i] {
			return false
		}
	}

	return true
}

// at follows names from the root, and references on the way. It returns the object and the way to it.
func (d *Document) at(names []string) (object map[string]any, way []string) {
	object = d.root

	for _, name := range names {
		next, ok := object[name].(map[string]any)
		if !ok {
			return nil, nil
		}

		object = next

		way = append(way, name)

		for {
			ref, ok := object["$ref"].(string)
			if !ok || name == "schema" {
				break
			}

			object, way = d.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/"))
		}
	}

	return object, way
}

// schema compiles what stands at a place, once.
func (d *Document) schema(way []string) (*jsonschema.Schema, error) {
	var b strings.Builder
	for _, name := range way {
		b.WriteString("/" + url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(name)))
	}

	pointer := b.String()

	d.mu.Lock()
	defer d.mu.Unlock()

	if s := d.schemas[pointer]; s != nil {
		return s, nil
	}

	s, err := d.compiler.Compile(address + "#" + pointer)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", pointer, err)
	}

	d.schemas[pointer] = s

	return s, nil
}

// Known keeps the documents of a process's apps, since a test makes many of them with the same operations.
type Known struct {
	mu   sync.Mutex
	docs map[string]*Document                // by the routes as text
	of   map[weak.Pointer[web.API]]*Document // making that text takes longer than most checks
}

// Of returns the document of an API. One that has the same routes as an earlier one has its document.
func (k *Known) Of(api *web.API) (*Document, error) {
	k.mu.Lock()
	defer k.mu.Unlock()

	if k.docs == nil {
		k.docs = map[string]*Document{}
		k.of = map[weak.Pointer[web.API]]*Document{}
	}

	if d := k.of[weak.Make(api)]; d != nil {
		return d, nil
	}

	name := fmt.Sprint(api.Routes())
	if k.docs[name] == nil {
		text, err := api.OpenAPI()
		if err != nil {
			return nil, err
		}

		d, err := New(text)
		if err != nil {
			return nil, err
		}

		k.docs[name] = d
	}

	k.of[weak.Make(api)] = k.docs[name]

	return k.docs[name], nil
}
