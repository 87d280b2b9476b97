//go:build !nosandbox

package matrix

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mark stands in every injected text, and nowhere else.
const mark = "zq9x"

// injected are values that mean something else where a statement is put together from texts.
var injected = []string{
	mark + `' OR '1'='1`,
	mark + `" OR ""="`,
	mark + `') OR 1=1 --`,
	mark + `'; DELETE FROM users; --`,
	mark + `\' OR 1=1 #`,
	mark + `%' ESCAPE '!' OR 1=1 --`,
	`createdAt, (SELECT '` + mark + `')`,
	`createdAt ASC; --` + mark,
	`1 UNION SELECT '` + mark + `'`,
	`CASE WHEN 1=1 THEN id ELSE '` + mark + `' END`,
}

// words are parameters that choose a column and an order: whatever is not on their list is refused.
var words = map[string]bool{"sortBy": true, "direction": true}

// unasked are parameters of which any text is taken, since no statement is asked for them.
var unasked = map[string]bool{"columnId": true}

// I-04: no parameter of any operation that reads becomes a part of a statement. Each parameter of each registered GET
// route, in its path and in its query, is given each injected text: what chooses a column or an order is refused by
// its list, no statement holds the text otherwise than as a value, no filter lets anything through that it names
// nothing of, and nothing fails.
func TestNoParameterBecomesPartOfAStatement(t *testing.T) {
	onEach(t, func(t *testing.T, s *stage) {
		doc := s.document()
		parameters := 0

		lists := 0
		for _, r := range s.requests() {
			if r.method != "GET" || doc.operation(r.route) == nil {
				continue
			}

			caller := s.caller(r)

			right := r.call(s.fill(r, s.cast["admin"].home, caller), caller)
			for _, p := range doc.parameters(r.route) {
				parameters++

				for _, text := range injected {
					s.inject(r, right, p, text)
				}
			}

			for _, order := range doc.words(r.route, "sortBy") {
				lists++

				for _, direction := range []string{"1", "-1"} {
					c := right
					c.query = with(right.query, "sortBy", order, "direction", direction)
					s.send(c).is(200)
				}
			}
		}

		require.Greater(t, parameters, 100)
		require.Greater(t, lists, 10, "orders of lists")
	})
}

// parameter is one of an operation's path or query.
type parameter struct{ in, name string }

// inject sends a right call with a text in one of its parameters.
func (s *stage) inject(r request, right call, p parameter, text string) {
	s.t.Helper()

	c := right
	if p.in == "path" {
		c.path = braces.ReplaceAllLiteralString(r.path, url.PathEscape(text))
	} else {
		c.query = with(right.query, p.name, text)
	}

	var a answer
	for _, x := range s.statements(func() { a = s.do(c) }) {
		require.NotContains(s.t, x.text, mark, "%s: %s becomes part of a statement", r.route, p.name)
	}

	require.Less(s.t, a.status, 500, "%s: %s is %s", r.route, p.name, text)

	name := strings.TrimSuffix(p.name, "[]")
	if words[name] {
		require.Equal(s.t, 422, a.status, "%s: %s is %s", r.route, p.name, text)
	}

	if a.status == 200 && !unasked[name] {
		require.Empty(s.t, a.body["results"], "%s: %s is %s", r.route, p.name, text)
	}
}

// with sets parameters of a query, given by name and value in turns.
func with(query string, pairs ...string) string {
	values, err := url.ParseQuery(query)
	if err != nil {
		return query
	}

	for i := 0; i < len(pairs); i += 2 {
		values.Set(pairs[i], pairs[i+1])
	}

	return values.Encode()
}

// parameters are those of an operation's path and query.
func (d document) parameters(route string) []parameter {
	var out []parameter

	list, _ := d.operation(route)["parameters"].([]any)
	for _, x := range list {
		p, _ := x.(object)
		in, _ := p["in"].(string)

		name, _ := p["name"].(string)
		if in == "path" || in == "query" {
			out = append(out, parameter{in, name})
		}
	}

	return out
}

// words are the values that a parameter of a query may have; none where it is free.
func (d document) words(route, name string) []string {
	var out []string

	list, _ := d.operation(route)["parameters"].([]any)
	for _, x := range list {
		p, _ := x.(object)
		if p["in"] != "query" || p["name"] != name {
			continue
		}

		enum, _ := at(p, "schema", "enum").([]any)
		for _, word := range enum {
			text, _ := word.(string)
			out = append(out, text)
		}
	}

	return out
}
