package web

import (
	stdjson "encoding/json" // in which huma holds examples
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// sample is a call of an operation as a program writes it.
type sample struct{ Language, Text string }

// samplesOf returns a call with the operation's example in the languages of most clients.
func samplesOf(d *huma.OpenAPI, o *huma.Operation) []sample {
	c := sampleCall{
		method: o.Method,
		url:    sampleURL(d, o),
		body:   sampleBody(o),
		token:  o.Security == nil || len(o.Security) > 0,
	}

	return []sample{{"curl", c.curl()}, {"Go", c.golang()}, {"TypeScript", c.typescript()}}
}

// sampleCall is what the samples of an operation have in common.
type sampleCall struct {
	method, url, body string
	token             bool // it needs a token
}

// sampleURL fills in the parameters that must be there.
func sampleURL(d *huma.OpenAPI, o *huma.Operation) string {
	base := ""
	if len(d.Servers) > 0 {
		base = d.Servers[0].URL
	}

	path := o.Path
	query := ""

	for _, p := range o.Parameters {
		value := fmt.Sprint(p.Example)

		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", value)
		case p.In == "query" && p.Required:
			query += "&" + p.Name + "=" + value
		}
	}

	if query != "" {
		path += "?" + query[1:]
	}

	return base + path
}

// sampleBody returns the example of a JSON body; empty: the operation needs none.
func sampleBody(o *huma.Operation) string {
	if o.RequestBody == nil || o.RequestBody.Content[jsonType] == nil {
		return ""
	}

	media := o.RequestBody.Content[jsonType]
	for _, name := range slices.Sorted(maps.Keys(media.Examples)) {
		return exampleText(media.Examples[name].Value)
	}

	if raw, ok := media.Example.(stdjson.RawMessage); ok {
		return exampleText(raw)
	}

	return "{}"
}

func (c sampleCall) writes() bool { return c.method != "GET" }

func (c sampleCall) curl() string {
	var b strings.Builder
	fmt.Fprintf(&b, "curl -X %s '%s'", c.method, c.url)

	if c.token {
		b.WriteString(" \\\n  -H \"Authorization: Bearer $SLIPWAY_TOKEN\"")
	}

	if c.token && c.writes() {
		b.WriteString(" \\\n  -H \"Idempotency-Key: $(uuidgen)\"")
	}

	if c.body != "" {
		b.WriteString(" \\\n  -H 'Content-Type: application/json'")
		b.WriteString(" \\\n  -d '" + strings.ReplaceAll(c.body, "'", `'\''`) + "'")
	}

	return b.String()
}

func (c sampleCall) golang() string {
	var b strings.Builder

	body := "nil"
	if c.body != "" {
		b.WriteString("body := strings.NewReader(`" + strings.ReplaceAll(c.body, "`", "'") + "`)\n")

		body = "body"
	}

	fmt.Fprintf(
		&b,
		"req, err := http.NewRequest(%q, %q, %s)\nif err != nil {\n\treturn err\n}\n",
		c.method,
		c.url,
		body,
	)

	if c.token {
		b.WriteString("req.Header.Set(\"Authorization\", \"Bearer \"+os.Getenv(\"SLIPWAY_TOKEN\"))\n")
	}

	if c.token && c.writes() {
		b.WriteString(
			"req.Header.Set(\"Idempotency-Key\", rand.Text()) // crypto/rand; keep it to repeat the request\n",
		)
	}

	if c.body != "" {
		b.WriteString("req.Header.Set(\"Content-Type\", \"application/json\")\n")
	}

	b.WriteString("\nres, err := http.DefaultClient.Do(req)")

	return b.String()
}

func (c sampleCall) typescript() string {
	var b strings.Builder
	fmt.Fprintf(&b, "const res = await fetch(%q, {\n  method: %q,\n  headers: {\n", c.url, c.method)

	if c.token {
		b.WriteString("    Authorization: `Bearer ${process.env.SLIPWAY_TOKEN}`,\n")
	}

	if c.token && c.writes() {
		b.WriteString("    \"Idempotency-Key\": crypto.randomUUID(), // keep it to repeat the request\n")
	}

	if c.body != "" {
		b.WriteString("    \"Content-Type\": \"application/json\",\n")
	}

	b.WriteString("  },\n")

	if c.body != "" {
		b.WriteString("  body: JSON.stringify(" + strings.ReplaceAll(c.body, "\n", "\n  ") + "),\n")
	}

	b.WriteString("});\nconst answer = await res.json();")

	return b.String()
}
