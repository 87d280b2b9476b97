//go:build !nosandbox

package matrix

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
)

// generator makes requests from the document: mostly right ones with something wrong in them.
type generator struct {
	*rand.Rand
	doc document
}

// nasty are texts that have broken parsers before.
func nasty() []string {
	return []string{
		"",
		" ",
		"\x00",
		"a\x00b",
		"\ufeff",
		"\u202etxt",
		"ſtatus",
		"İ",
		"ﬀ",
		"👩‍👩‍👧‍👦",
		"\u0301",
		"\r\nX: y",
		"<script>",
		"' OR '1'='1",
		"%",
		"_",
		"\\",
		"../../etc/passwd",
		"{{7*7}}",
		"${x}",
		"null",
		"NaN",
		"-0",
		"1e400",
		"0x",
		"1_000",
		"٣",
		"9223372036854775808",
		"-1",
		"0",
		"true",
		"[]",
		"{}",
		"\ud7ff",
		"\uffff",
		strings.Repeat("9", 400),
		strings.Repeat("ä", 3_000),
		strings.Repeat("{", 200),
		"0001-01-01T00:00:00Z",
		"9999-12-31T23:59:59.999999999Z",
		"2026-02-30T00:00:00Z",
		"1970-01-01T00:00:00+23:59",
	}
}

func (g *generator) nasty() string { return nasty()[g.IntN(len(nasty()))] }

func (g *generator) chance(percent int) bool { return g.IntN(100) < percent }

// value makes a value that a schema allows, or nearly.
func (g *generator) value(s object, depth int) any {
	s = g.doc.resolve(s)
	if one, ok := s["oneOf"].([]any); ok {
		s = one[g.IntN(len(one))].(object)
	}

	if words, ok := s["enum"].([]any); ok && g.chance(90) {
		return words[g.IntN(len(words))]
	}

	kind, _ := s["type"].(string)
	if list, ok := s["type"].([]any); ok {
		kind, _ = list[g.IntN(len(list))].(string)
	}

	switch kind {
	case "string":
		return g.text(s)
	case "integer", "number":
		return g.number(s)
	case "boolean":
		return g.chance(50)

	case "array":
		out := []any{}

		items, _ := s["items"].(object)
		for range g.IntN(4) {
			out = append(out, g.value(items, depth+1))
		}

		return out

	case "object":
		return g.object(s, depth)
	}

	return nil
}

func (g *generator) object(s object, depth int) any {
	out := object{}
	required, _ := s["required"].([]any)

	properties, _ := s["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if depth < 6 && (slices.Contains(required, any(name)) || g.chance(30)) {
			out[name] = g.value(properties[name].(object), depth+1)
		}
	}

	return out
}

func (g *generator) text(s object) string {
	if example, ok := s["example"].(string); ok && g.chance(50) {
		return example
	}

	if s["format"] == "date-time" && g.chance(70) {
		return fmt.Sprintf("%04d-%02d-%02dT%02d:00:00Z", g.IntN(10_000), 1+g.IntN(12), 1+g.IntN(28), g.IntN(24))
	}

	if g.chance(20) {
		return g.nasty()
	}

	if most, ok := s["maxLength"].(float64); ok && g.chance(20) {
		return strings.Repeat("m", int(most)+g.IntN(2))
	}

	return []string{"evm", "CH", "USDC", "1.5", "net_dev", "alice@example.org", "Müller & Söhne", "http://127.0.0.1:1/", "1ms", "0x000000000000000000000000000000000000dEaD", "+41 44 668 18 00"}[g.IntN(11)]
}

func (g *generator) number(s object) any {
	low := -5.0
	high := 1e6

	if m, ok := s["minimum"].(float64); ok {
		low = m
	}

	if m, ok := s["maximum"].(float64); ok {
		high = m
	}

	switch g.IntN(6) {
	case 0:
		return low
	case 1:
		return high
	case 2:
		return []any{low - 1, high + 1, 0.5, json.Number("1e30"), json.Number("-0"), json.Number("99999999999999999999")}[g.IntN(6)]
	}

	return int64(low) + g.Int64N(max(1, min(int64(high)-int64(low), 1<<40)))
}

// spoil changes something in a value: a type, a name, a depth, a size.
func (g *generator) spoil(v any, depth int) any {
	if m, ok := v.(object); ok && len(m) > 0 && g.chance(80) && depth < 8 {
		names := slices.Sorted(maps.Keys(m))

		name := names[g.IntN(len(names))]
		switch g.IntN(6) {
		case 0:
			delete(m, name)
		case 1:
			m[g.nasty()] = m[name]
		default:
			m[name] = g.spoil(m[name], depth+1)
		}

		return m
	}

	if list, ok := v.([]any); ok && len(list) > 0 && g.chance(70) && depth < 8 {
		i := g.IntN(len(list))

		list[i] = g.spoil(list[i], depth+1)
		if g.chance(20) {
			return slices.Repeat(list, 40)
		}

		return list
	}

	switch g.IntN(9) {
	case 0:
		return nil
	case 1:
		return g.chance(50)
	case 2:
		return json.Number([]string{"0", "-1", "1e400", "0.1", "9223372036854775808", "1E-7"}[g.IntN(6)])
	case 3:
		return object{"_id": g.nasty()}
	case 4:
		return []any{v}

	case 5:
		var deep any = "x"
		for range 20 + g.IntN(60) {
			deep = []any{deep}
		}

		return deep
	}

	return g.nasty()
}

// raw writes a body and, now and then, breaks its text.
func (g *generator) raw(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "{"
	}

	text := string(b)
	if !g.chance(8) {
		return text
	}

	switch g.IntN(4) {
	case 0:
		return text[:g.IntN(len(text)+1)]
	case 1:
		at := g.IntN(len(text) + 1)
		return text[:at] + g.nasty() + text[at:]
	case 2:
		return strings.Replace(text, "{", `{"type":"CRYPTO","type":1,`, 1)
	}

	return text + text
}

// query makes some of an operation's parameters, and now and then one it does not have.
func (g *generator) query(route string) string {
	q := url.Values{}

	params, _ := g.doc.operation(route)["parameters"].([]any)
	for _, p := range params {
		name, _ := at(p, "name").(string)
		if at(p, "in") != "query" || !(at(p, "required") == true || g.chance(25)) {
			continue
		}

		schema, _ := at(p, "schema").(object)

		v := g.value(schema, 0)
		if list, ok := v.([]any); ok {
			for _, x := range list {
				q.Add(name, fmt.Sprint(x))
			}

			continue
		}

		q.Set(name, fmt.Sprint(v))

		if g.chance(10) {
			q.Set(name, g.nasty())
		}
	}

	if g.chance(4) {
		q.Set(g.nasty(), g.nasty())
	}

	if g.chance(2) {
		return q.Encode() + "&%zz=%"
	}

	return q.Encode()
}
