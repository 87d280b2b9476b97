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
	any      bool // "*": whatever there is
	compared bool
}

// ParseMatch reads a value of If-Match (RFC 9110, 13.1.1): "*", or entity tags of this service, whose first part is the
// version. Quotes may be left out. W/ before a tag is accepted, because proxies that compress answers put it there, and
// the version is the same. It returns false for anything else.
func ParseMatch(s string) (Match, bool) {
	if strings.TrimSpace(s) == "*" {
		return Match{any: true}, true
	}

	var m Match
	for _, tag := range strings.Split(s, ",") {
		tag = strings.TrimPrefix(strings.TrimSpace(tag), "W/")
		tag = strings.Trim(tag, `"`)
		number, _, _ := strings.Cut(tag, "-")

		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil || version < 0 {
			return Match{}, false
		}

		m.versions = append(m.versions, version)
	}

	return m, true
}

// Given reports whether the request has a condition.
func (m *Match) Given() bool { return m.any || len(m.versions) > 0 }

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
