package operations_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"slipway/internal/app"
	"slipway/internal/app/operations"
)

var update = flag.Bool("update", false, "write operations.json anew")

// document is what the list is made of.
type document struct {
	Paths      map[string]map[string]described `json:"paths"`
	Components struct {
		Schemas map[string]schema `json:"schemas"`
	} `json:"components"`
}

type described struct {
	ID         string `json:"operationId"`
	Summary    string `json:"summary"`
	Parameters []struct {
		Name        string `json:"name"`
		In          string `json:"in"`
		Required    bool   `json:"required"`
		Description string `json:"description"`
		Schema      schema `json:"schema"`
	} `json:"parameters"`
	RequestBody struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Content map[string]struct {
			Schema schema `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

type schema struct {
	Ref         string            `json:"$ref"`
	Type        any               `json:"type"`
	Enum        []any             `json:"enum"`
	Description string            `json:"description"`
	Properties  map[string]schema `json:"properties"`
	Required    []string          `json:"required"`
	Items       *schema           `json:"items"`
	OneOf       []schema          `json:"oneOf"`
	AllOf       []schema          `json:"allOf"`
}

// operations.json is what the registered routes say.
func TestOperationsAreFresh(t *testing.T) {
	raw, err := app.OpenAPI(context.Background())
	require.NoError(t, err)

	var doc document
	require.NoError(t, json.Unmarshal(raw, &doc))

	want := bytes.Buffer{}
	want.WriteString("[\n")

	all := doc.operations()
	for i, o := range all {
		line, err := json.Marshal(o)
		require.NoError(t, err)
		want.Write(line)

		if i < len(all)-1 {
			want.WriteByte(',')
		}

		want.WriteByte('\n')
	}

	want.WriteString("]\n")

	if *update {
		require.NoError(t, os.WriteFile("operations.json", want.Bytes(), 0o644))
		return
	}

	got, err := os.ReadFile("operations.json")
	require.NoError(t, err)
	require.Equal(t, want.String(), string(got), "operations.json is stale: make generate writes it anew")
}

// A resource and a verb name one operation, and are words that a shell needs no quotes for.
func TestResourceAndVerbNameOneOperation(t *testing.T) {
	seen := map[string]string{}
	for _, o := range operations.All() {
		name := o.Resource + " " + o.Verb
		require.Empty(t, seen[name], "%s is %s and %s", name, seen[name], o.ID)
		require.Regexp(t, `^[a-z0-9-]+ [a-z][a-z0-9-]*$`, name)

		seen[name] = o.ID
	}

	for name, id := range map[string]string{
		"payables approve":          "approvePayable",
		"payables approve-payables": "approvePayables",
		"transactions list":         "listTransactions",
		"transactions accept":       "acceptTransaction",
		"transactions explain":      "explainTransaction",
		"bank-accounts create":      "createBankAccount",
		"receivers delete":          "deleteReceiver",
		"webhook-endpoints create":  "createWebhookEndpoint",
		"transactions add-comment":  "addTransactionComment",
		"wallets read-balances":     "readWalletBalances",
		"transactions bank-details": "",
	} {
		require.Equal(t, id, seen[name], name)
	}
}

func (d document) operations() []operations.Operation {
	var out []operations.Operation

	for path, methods := range d.Paths {
		for method, x := range methods {
			if x.ID == "" {
				continue
			}

			out = append(out, d.operation(path, strings.ToUpper(method), x))
		}
	}

	for i, o := range out { // approvePayables gives way to approvePayable
		if len(o.Params()) == 0 && slices.ContainsFunc(out, func(x operations.Operation) bool {
			return x.Resource == o.Resource && x.Verb == o.Verb && x.ID != o.ID
		}) {
			out[i].Verb = strings.Join(split(o.ID), "-")
		}
	}

	slices.SortFunc(out, func(a, b operations.Operation) int {
		return strings.Compare(a.Resource+" "+a.Verb+" "+a.ID, b.Resource+" "+b.Verb+" "+b.ID)
	})

	return out
}

func (d document) operation(path, method string, x described) operations.Operation {
	resource, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	o := operations.Operation{
		Resource: strings.ReplaceAll(resource, ".", "-"),
		Verb:     verb(resource, x.ID),
		ID:       x.ID,
		Method:   method,
		Path:     path,
		Summary:  x.Summary,
	}

	for _, p := range x.Parameters {
		switch {
		case p.In == "query":
			f := d.field(p.Name, p.Schema, 0)
			f.Required = p.Required
			f.Doc = p.Description
			o.Queries = append(o.Queries, f)
			o.Lists = o.Lists || p.Name == "cursor"

		case p.Name == "Idempotency-Key":
			o.Keyed = true
		case p.Name == "If-Match":
			o.Match = true
		}
	}

	if s, ok := x.RequestBody.Content["application/json"]; ok {
		o.Body = d.field("", s.Schema, 0).Of
	}

	_, o.File = x.RequestBody.Content["multipart/form-data"]

	return o
}

// field describes a schema, three levels deep.
func (d document) field(name string, s schema, depth int) operations.Field {
	doc := s.Description
	s = d.resolved(s)
	f := operations.Field{Name: name, Type: typeOf(s), Doc: doc}

	for _, e := range s.Enum {
		if text, ok := e.(string); ok {
			f.Enum = append(f.Enum, text)
		}
	}

	const deep = 3
	if depth == deep {
		return f
	}

	if s.Items != nil {
		item := d.field("", *s.Items, depth)
		f.Of = item.Of
		f.Enum = item.Enum

		return f
	}

	for member, m := range s.Properties {
		x := d.field(member, m, depth+1)
		x.Required = slices.Contains(s.Required, member)
		f.Of = append(f.Of, x)
	}

	slices.SortFunc(f.Of, func(a, b operations.Field) int { return strings.Compare(a.Name, b.Name) })

	return f
}

// resolved follows references, and lays parts and choices of a schema together.
func (d document) resolved(s schema) schema {
	for s.Ref != "" {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, "#/components/schemas/")]
	}

	for _, part := range slices.Concat(s.AllOf, s.OneOf) {
		part = d.resolved(part)
		if s.Type == nil {
			s.Type = part.Type
		}

		for name, m := range part.Properties {
			if s.Properties == nil {
				s.Properties = map[string]schema{}
			}

			s.Properties[name] = m
		}
	}

	return s
}

func typeOf(s schema) string {
	switch t := s.Type.(type) {
	case string:
		return t
	case []any:
		for _, x := range t {
			if x != "null" {
				return x.(string)
			}
		}
	}

	return "object"
}

// verb is the operationId in words, without those of the resource: listTransactions of transactions is list.
func verb(resource, id string) string {
	words := split(id)
	nouns := strings.FieldsFunc(resource, func(r rune) bool { return r == '-' || r == '.' })

	for i := range words {
		if i == 0 || i+len(nouns) > len(words) {
			continue
		}

		same := true
		for j, n := range nouns {
			same = same && singular(words[i+j]) == singular(n)
		}

		if same && !slices.Contains([]string{"with", "of"}, words[i-1]) {
			return strings.Join(slices.Concat(words[:i], words[i+len(nouns):]), "-")
		}
	}

	return strings.Join(words, "-")
}

func singular(word string) string {
	if strings.HasSuffix(word, "ies") {
		return strings.TrimSuffix(word, "ies") + "y"
	}

	return strings.TrimSuffix(word, "s")
}

// split breaks a name into lower-case words: createAPIKey is create, api, key.
func split(name string) []string {
	var out []string

	start := 0
	runes := []rune(name)

	for i := 1; i < len(runes); i++ {
		next := i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if unicode.IsUpper(runes[i]) && (!unicode.IsUpper(runes[i-1]) || next) {
			out = append(out, strings.ToLower(string(runes[start:i])))
			start = i
		}
	}

	return append(out, strings.ToLower(string(runes[start:])))
}
