package caller

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"slipway/internal/core/fault"
)

// Match is the condition of a request: which versions of its record the caller has seen. The zero Match is none.
type Match struct {
	versions []int64
	given    bool
	any      bool // "*": whatever there is
	compared bool
}

// ParseMatch reads a value of If-Match (RFC 9110, 13.1.1): "*", or a list of entity tags. The first part of a tag of
// this service is the version; a tag of another one is no version of any record. Quotes around a version may be left
// out. W/ before a tag is accepted, because proxies that compress answers put it there, and the version is the same. It
// returns false for anything else.
func ParseMatch(s string) (Match, bool) {
	if strings.TrimSpace(s) == "*" {
		return Match{given: true, any: true}, true
	}

	var m Match

	for rest := skipBreaks(s); rest != ""; rest = skipBreaks(rest) {
		tag, after, quoted := cutTag(strings.TrimPrefix(rest, "W/"))

		version, err := versionOf(tag)
		if err == nil {
			m.versions = append(m.versions, version)
		} else if !quoted {
			return Match{}, false
		}

		m.given = true
		rest = after
	}

	return m, m.given
}

// skipBreaks removes what stands before the next element of a list, empty elements among it (RFC 9110, 5.6.1.2).
func skipBreaks(s string) string { return strings.TrimLeft(s, " \t,") }

// cutTag cuts the first entity tag off a list. A comma between quotes is part of a tag. Quotes that do not end make it
// unquoted.
func cutTag(s string) (tag, after string, quoted bool) {
	if inner, found := strings.CutPrefix(s, `"`); found {
		tag, after, quoted = strings.Cut(inner, `"`)
		if next := strings.TrimLeft(after, " \t"); quoted && (next == "" || next[0] == ',') {
			return tag, next, true
		}
	}

	tag, after, _ = strings.Cut(s, ",")

	return strings.TrimSpace(tag), after, false
}

func versionOf(tag string) (int64, error) {
	number, _, _ := strings.Cut(tag, "-")

	version, err := strconv.ParseUint(number, 10, 63)

	return int64(version), err
}

// Given reports whether the request has a condition.
func (m *Match) Given() bool { return m.given }

// Compared reports whether a use case has compared the condition with its record.
func (m *Match) Compared() bool { return m.compared }

// Unchanged refuses a request whose If-Match names other versions of the record than the present one. A use case calls
// it in its write, with the version that it has read there. Without If-Match it returns nil.
func Unchanged(ctx context.Context, version int64) error {
	c := callOf(ctx)
	if c == nil {
		return nil
	}

	c.Match.compared = true
	if !c.Match.Given() || c.Match.any || slices.Contains(c.Match.versions, version) {
		return nil
	}

	return fault.New(
		fault.Precondition,
		fault.VersionMismatch,
		"The record is at version %d, which If-Match does not name. Read it again.",
		version,
	)
}
