package web

import (
	"cmp"
	stdjson "encoding/json" // in which huma holds examples
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// sample is a call of an operation as a program writes it.
type sample struct{ Language, Text string }

// samplesOf returns a call with the operation's example, for the shell and with our clients.
func samplesOf(d *huma.OpenAPI, o *huma.Operation) []sample {
	base := ""
	if len(d.Servers) > 0 {
		base = d.Servers[0].URL
	}

	path := o.Path
	query := ""
	options := map[string]any{} // of the client for TypeScript
	params := map[string]map[string]any{}

	for _, p := range o.Parameters { // those that must be there
		value := fmt.Sprint(p.Example)

		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", value)
		case p.In == "query" && p.Required:
			query += "&" + p.Name + "=" + value
		default:
			continue
		}

		if params[p.In] == nil {
			params[p.In] = map[string]any{}
		}

		params[p.In][p.Name] = p.Example
		options["params"] = params
	}

	if query != "" {
		path += "?" + query[1:]
	}

	body := bodyExample(o)
	argument := "nil"

	if body != "" {
		options["body"] = stdjson.RawMessage(body)
		argument = "`" + strings.ReplaceAll(body, "`", "'") + "`"
	}

	golang := fmt.Sprintf("err := api.Call(ctx, %q, %q, %s, &answer)", o.Method, path, argument)

	second := ""
	if len(options) > 0 {
		second = ", " + exampleText(options)
	}

	return []sample{
		{"curl", curl(o, base+path, body)},
		{"Go", "var answer map[string]any\n" + golang},
		{"TypeScript", fmt.Sprintf("const answer = await ask(api.%s(%q%s));", o.Method, o.Path, second)},
		{"Python", fmt.Sprintf("answer = client.call(%q, %q%s)", o.Method, path, pythonArgument(body))},
	}
}

// jsonTokens are the texts of a JSON document, and what Python calls otherwise.
var jsonTokens = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\btrue\b|\bfalse\b|\bnull\b`)

// pythonArgument returns a JSON body as the next argument of a call in Python; empty without a body.
func pythonArgument(body string) string {
	if body == "" {
		return ""
	}

	names := map[string]string{"true": "True", "false": "False", "null": "None"}

	return ", " + jsonTokens.ReplaceAllStringFunc(body, func(token string) string {
		return cmp.Or(names[token], token)
	})
}

// bodyExample returns the example of a JSON body; empty: the operation needs none.
func bodyExample(o *huma.Operation) string {
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

func curl(o *huma.Operation, url, body string) string {
	out := fmt.Sprintf("curl -X %s '%s'", o.Method, url)

	if o.Security == nil || len(o.Security) > 0 {
		out += " \\\n  -H \"Authorization: Bearer $SLIPWAY_TOKEN\""

		if o.Method != "GET" {
			out += " \\\n  -H \"Idempotency-Key: $(uuidgen)\""
		}
	}

	if body != "" {
		out += " \\\n  -H 'Content-Type: application/json' \\\n  -d '" + strings.ReplaceAll(body, "'", `'\''`) + "'"
	}

	return out
}

// exampleText returns an example as indented JSON.
func exampleText(v any) string {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil || v == nil {
		return ""
	}

	return string(b)
}
