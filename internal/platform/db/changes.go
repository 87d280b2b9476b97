package db

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// joined is one statement for the changes of several bodies: the same text, one row of values each.
type joined struct {
	query string
	types []string // of the values
	rows  [][]any
}

// joinChanges puts together what PostgreSQL can do in one statement, and leaves the rest in its order. Only the single change of a body
// is joined: bodies have no order among each other, but what one body changes first may decide what it changes next.
func joinChanges(changes []pendingChange) (together []joined, rest []pendingChange) {
	var texts []string
	byText := map[string][]pendingChange{}
	for _, c := range changes {
		if !c.alone {
			rest = append(rest, c)
			continue
		}
		if _, seen := byText[c.query]; !seen {
			texts = append(texts, c.query)
		}
		byText[c.query] = append(byText[c.query], c)
	}
	for _, t := range texts {
		j, ok := join(byText[t])
		if !ok {
			rest = append(rest, byText[t]...)
			continue
		}
		together = append(together, j)
	}
	return together, rest
}

func join(changes []pendingChange) (joined, bool) {
	if len(changes) < 2 {
		return joined{}, false
	}
	types := make([]string, len(changes[0].args))
	for i, v := range changes[0].args {
		types[i] = pgTypeOf(v)
	}
	rows := make([][]any, len(changes))
	for i, c := range changes {
		rows[i] = c.args
		for n, v := range c.args {
			if types[n] == "" || pgTypeOf(v) != types[n] {
				return joined{}, false // a NULL, or values of two types: these changes go one by one
			}
		}
	}
	text := joinedText(changes[0].query, types)
	return joined{query: text, types: types, rows: rows}, text != ""
}

func pgTypeOf(v any) string {
	if v == nil {
		return ""
	}
	switch plain(v).(type) {
	case string:
		return "text"
	case int64:
		return "bigint"
	case bool:
		return "boolean"
	case []byte:
		return "bytea"
	}
	return ""
}

// joinedTexts caches the joined form of each text; "" is the answer for those that cannot be joined.
var joinedTexts sync.Map

// joinedText rewrites "UPDATE t SET a = ? WHERE id = ? AND …" to take its values from rows. It counts the rows that were touched, and
// divides by zero when they are not as many as the last argument says. A text that names its table twice is not joined: a row could
// then be judged by another that the same statement changes.
func joinedText(query string, types []string) string {
	key := query + "\x00" + strings.Join(types, ",")
	if s, ok := joinedTexts.Load(key); ok {
		return s.(string)
	}
	s := rewritten(query, types)
	joinedTexts.Store(key, s)
	return s
}

func rewritten(query string, types []string) string {
	head, where, found := strings.Cut(query, " WHERE ")
	words := strings.Fields(head)
	if !found || len(words) < 3 || words[0] != "UPDATE" || strings.Contains(head, "SELECT") || strings.Contains(query, "'?") || namesTwice(query, words[1]) {
		return ""
	}
	arrays, names := make([]string, len(types)), make([]string, len(types))
	for i, t := range types {
		arrays[i], names[i] = fmt.Sprintf("$%d::%s[]", i+1, t), "c"+strconv.Itoa(i+1)
	}
	n := 0
	values := func(text string) string { // each ? becomes the next column of the given rows
		parts := strings.Split(text, "?")
		var b strings.Builder
		b.WriteString(parts[0])
		for _, part := range parts[1:] {
			n++
			b.WriteString("given.c" + strconv.Itoa(n) + part)
		}
		return b.String()
	}
	head, where = values(head), values(where)
	if n != len(types) {
		return ""
	}
	return fmt.Sprintf("WITH touched AS (%s FROM unnest(%s) AS given(%s) WHERE %s RETURNING 1) SELECT 1 / (CASE WHEN count(*) = $%d::bigint THEN 1 ELSE 0 END) FROM touched",
		head, strings.Join(arrays, ","), strings.Join(names, ","), where, len(types)+1)
}

// namesTwice says whether a word stands in the text more than once.
func namesTwice(text, word string) bool {
	count := 0
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) {
		if w == word {
			count++
		}
	}
	return count > 1
}
