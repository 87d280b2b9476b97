package db

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// joined is one statement for several changes with the same text, with one row of values each. With a single row it is
// that change itself.
type joined struct {
	query string
	types []string // of the values, if there are several changes
	rows  [][]any
}

// joinChanges combines changes that PostgreSQL can carry out in one statement. It joins only changes that have no order
// among each other: the single change of a body, since bodies have no order, and changes of different parts of a body
// (Tx.Apart). The first change of a part may decide what its next one does, so the first changes of all parts come
// before the second ones.
func joinChanges(changes []pendingChange) (out []joined) {
	rounds, ordered := byRound(changes)
	for _, round := range rounds {
		var texts []string

		byText := map[string][]pendingChange{}
		for _, c := range round {
			if _, seen := byText[c.query]; !seen {
				texts = append(texts, c.query)
			}

			byText[c.query] = append(byText[c.query], c)
		}

		for _, t := range texts {
			if j, ok := join(byText[t]); ok {
				out = append(out, j)
				continue
			}

			for _, c := range byText[t] {
				out = append(out, joined{query: c.query, rows: [][]any{c.args}})
			}
		}
	}

	for _, c := range ordered {
		out = append(out, joined{query: c.query, rows: [][]any{c.args}})
	}

	return out
}

// byRound sorts changes by their place in their part. Changes that have an order among each other keep it.
func byRound(changes []pendingChange) (rounds [][]pendingChange, ordered []pendingChange) {
	for _, c := range changes {
		if !c.free {
			ordered = append(ordered, c)
			continue
		}

		for len(rounds) <= c.round {
			rounds = append(rounds, nil)
		}

		rounds[c.round] = append(rounds[c.round], c)
	}

	return rounds, ordered
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

// joinedTexts caches the joined form of each text; "" means that it cannot be joined.
var joinedTexts sync.Map

// joinedText rewrites "UPDATE t SET a = ? WHERE id = ? AND …" to take its values from rows. It counts the rows that
// were touched, and divides by zero unless each of the given rows has touched exactly one, all of them different. The
// last argument is the expected number. A text that names its table twice is not joined: a row could then be compared
// with another one that the same statement changes.
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
	query = strings.Join(strings.Fields(query), " ") // texts stand on several lines
	head, where, found := strings.Cut(query, " WHERE ")

	words := strings.Fields(head)
	if !found || len(words) < 3 || words[0] != "UPDATE" || strings.Contains(head, "SELECT") ||
		strings.Contains(query, "'?") ||
		namesTwice(query, words[1]) {
		return ""
	}

	arrays := make([]string, len(types))
	names := make([]string, len(types))

	for i, t := range types {
		arrays[i] = fmt.Sprintf("$%d::%s[]", i+1, t)
		names[i] = "c" + strconv.Itoa(i+1)
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
	head = values(head)
	where = values(where)

	if n != len(types) {
		return ""
	}

	const format = "WITH touched AS (%s FROM unnest(%s) WITH ORDINALITY AS given(%s,n) WHERE %s RETURNING given.n) " +
		"SELECT 1 / (CASE WHEN count(*) = $%[5]d::bigint AND count(DISTINCT n) = $%[5]d::bigint THEN 1 ELSE 0 END) " +
		"FROM touched"

	return fmt.Sprintf(format, head, strings.Join(arrays, ","), strings.Join(names, ","), where, len(types)+1)
}

// namesTwice reports whether a word occurs in the text more than once.
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
