package auth

import "time"

// session is a login and everything refreshed from it. Its refresh tokens are numbered by generation; only the newest
// generation is good, so that a session is one line of tokens and never a tree, however many requests come at once.
type session struct {
	id, user           string
	generation         int64
	rotatedAt          time.Time // when the newest generation was first given out
	rotatedSource      string    // to which address
	siblings           int64     // further tokens of the newest generation, given out within the grace
	revokedAt, expires time.Time
	client             string    // the API client it belongs to; empty: a person's
	organisation       string    // the one an API client acts for
	provenAt           time.Time // when the second factor was last proven
	begunFrom          string    // limit.SourceKey of where it began
}

// maxSiblings bounds the tokens that one refresh can bring within the grace.
const maxSiblings = 100

// good reports whether the session can still be used at all.
func (s session) good(now time.Time) bool { return s.revokedAt.IsZero() && now.Before(s.expires) }

// step is what a refresh does to a session.
type step int

const (
	rotate step = iota + 1 // the newest token: the next generation begins
	// the token before, from the same address, within the grace: one more token of the newest generation
	repeat
	tooMany // the same, too often
	revoke  // a token that was used before: someone else holds it too
)

// next decides what a refresh token of a generation is good for. It is asked for good sessions only.
//
// A client that sends two refreshes at once, or lost the answer to one, repeats the newest-but-one token. RFC 9700
// (4.14.2) asks to end the session when a used token comes again; the grace is the exception that keeps honest
// clients signed in. It does not help a thief for long: his token and the client's are of one generation, and the
// first of the two that is refreshed makes the other a used one.
func (s session) next(generation int64, source string, now time.Time) step {
	switch {
	case generation == s.generation:
		return rotate

	case generation == s.generation-1 && source == s.rotatedSource && now.Sub(s.rotatedAt) < RefreshGrace:
		if s.siblings >= maxSiblings {
			return tooMany
		}

		return repeat

	default:
		return revoke
	}
}
