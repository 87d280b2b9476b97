package web

import (
	"bytes"
	"cmp"
	"embed"
	"html/template"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"slipway/internal/core/fault"
)

//go:embed docs.html
var pages embed.FS

// serveDocs serves /openapi.json, the readable page /docs, and /problems/<code>.
func (a *API) serveDocs() {
	document := sync.OnceValues(a.OpenAPI) // at the first request: every operation is registered by then

	a.Mount("GET", "/openapi.json", Public, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		doc, err := document()
		if err != nil {
			a.Refuse(w, r, err)
			return
		}

		a.write(w, 200, doc)
	}))

	show := func(w http.ResponseWriter, r *http.Request, html []byte, err error) {
		if err != nil {
			a.Refuse(w, r, err)
			return
		}

		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		_, _ = w.Write(html)
	}

	overview := sync.OnceValues(func() ([]byte, error) {
		d := a.document()
		return render(templates(d), "docs", a.docs(d))
	})

	a.Mount("GET", "/docs", Public, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		html, err := overview()
		show(w, r, html, err)
	}))

	problems := sync.OnceValue(func() *template.Template { return templates(nil) })

	a.Mount("GET", "/problems/{code}", Public, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		code := strings.TrimPrefix(r.URL.Path, "/problems/")

		text, ok := fault.Explain(fault.Code(code))
		if !ok {
			a.Refuse(w, r, fault.Missing("problem code"))
			return
		}

		html, err := render(problems(), "problem", map[string]string{"Code": code, "Text": text})
		show(w, r, html, err)
	}))
}

// templates are those of the pages; d holds the types that an operation's page shows.
func templates(d *huma.OpenAPI) *template.Template {
	schema := func(s *huma.Schema) string { return schemaText(d, s) }

	return template.Must(template.New("docs.html").Funcs(template.FuncMap{
		"schema": schema,
		"ticks":  ticks,
	}).ParseFS(pages, "docs.html"))
}

func render(pages *template.Template, name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := pages.ExecuteTemplate(&b, name, data)
	return b.Bytes(), err
}

type docsGroup struct {
	Tag        string
	Operations []*huma.Operation
}

type docsPage struct {
	Title, Version string
	Groups         []docsGroup
	Codes          []fault.Code
}

// docs groups the operations by tag, in the order of registration.
func (a *API) docs(d *huma.OpenAPI) docsPage {
	byTag := map[string]*docsGroup{}

	var order []string

	paths := make([]string, 0, len(d.Paths))
	for p := range d.Paths {
		paths = append(paths, p)
	}

	sort.Strings(paths)

	for _, p := range paths {
		item := d.Paths[p]

		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op == nil {
				continue
			}

			tag := "other"
			if len(op.Tags) > 0 {
				tag = op.Tags[0]
			}

			if byTag[tag] == nil {
				byTag[tag] = &docsGroup{Tag: tag}
				order = append(order, tag)
			}

			byTag[tag].Operations = append(byTag[tag].Operations, op)
		}
	}

	sort.Strings(order)

	out := docsPage{Title: a.config.Title, Version: a.config.Version, Codes: fault.Codes()}
	for _, tag := range order {
		out.Groups = append(out.Groups, *byTag[tag])
	}

	return out
}

// schemaText returns a schema as indented JSON, with references resolved two levels deep.
func schemaText(d *huma.OpenAPI, s *huma.Schema) string {
	b, err := json.Marshal(outline(d, s, 0), json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return ""
	}

	return string(b)
}

func outline(d *huma.OpenAPI, s *huma.Schema, depth int) any {
	if s == nil {
		return nil
	}

	if s.Ref != "" {
		if depth > 3 {
			return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		}

		s = d.Components.Schemas.SchemaFromRef(s.Ref)
	}

	switch {
	case s == nil:
		return nil

	case s.Type == "object" && len(s.Properties) > 0:
		out := map[string]any{}
		for name, p := range s.Properties {
			if need(s.Required, name) {
				name += " *"
			}

			out[name] = outline(d, p, depth+1)
		}

		return out

	case s.Type == "array":
		return []any{outline(d, s.Items, depth+1)}
	case len(s.OneOf) > 0:
		return describeText("one of several forms", s)

	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = strings.Trim(stringOf(e), `"`)
		}

		return strings.Join(words, " | ")
	}

	if s.Type == huma.TypeString && s.Format != "" {
		return describeText(s.Format, s)
	}

	return describeText(cmp.Or(s.Type, "any value"), s)
}

// describeText returns a value's type, its limits, and its meaning.
func describeText(kind string, s *huma.Schema) string {
	number := func(f *float64) string { return strconv.FormatFloat(*f, 'f', -1, 64) }

	var b strings.Builder
	b.WriteString(kind)

	switch {
	case s.Minimum != nil && s.Maximum != nil:
		b.WriteString(" from " + number(s.Minimum) + " to " + number(s.Maximum))
	case s.Minimum != nil:
		b.WriteString(" from " + number(s.Minimum))
	case s.Maximum != nil:
		b.WriteString(" to " + number(s.Maximum))
	}

	if s.MinLength != nil {
		b.WriteString(", at least " + strconv.Itoa(*s.MinLength) + " characters")
	}

	if s.MaxLength != nil {
		b.WriteString(", at most " + strconv.Itoa(*s.MaxLength) + " characters")
	}

	if s.Default != nil {
		b.WriteString(", else " + strings.Trim(stringOf(s.Default), `"`))
	}

	if s.Description != "" {
		b.WriteString(": " + s.Description)
	}

	return b.String()
}

// ticks renders text between backticks as code.
func ticks(s string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(s, "`") {
		part = template.HTMLEscapeString(part)
		if i%2 == 1 {
			part = "<code class=\"w\">" + part + "</code>"
		}

		b.WriteString(part)
	}

	return template.HTML(b.String()) //nolint:gosec // every part is escaped above
}

func need(required []string, name string) bool {
	for _, r := range required {
		if r == name {
			return true
		}
	}

	return false
}

func stringOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}

	return string(b)
}
