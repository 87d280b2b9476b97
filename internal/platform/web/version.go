package web

import (
	"strconv"
	"strings"

	"slipway/internal/core/fault"
)

// Versioned is embedded in the In struct of operations on a record that a client has read before.
type Versioned struct {
	IfMatch string `header:"If-Match" maxLength:"32" doc:"the version that was read; another one is answered 412"`
}

// Version returns the version in If-Match, with or without quotes, or 0 if there is none.
func (v Versioned) Version() (int64, error) { return IfMatch(v.IfMatch) }

// IfMatch is Versioned.Version for operations that say more of the header.
func IfMatch(s string) (int64, error) {
	if s == "" || s == "*" {
		return 0, nil
	}

	n, err := strconv.ParseInt(strings.Trim(s, `"`), 10, 64)
	if err != nil || n < 1 {
		var l fault.List
		l.Add("header If-Match", fault.FormatInvalid, "must be the version of the record that was read.")
		return 0, l.Err()
	}

	return n, nil
}
