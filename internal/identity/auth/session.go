package auth

import "time"

// session is a login and everything refreshed from it. Its refresh tokens are numbered by generation; only the newest
// generation can be used. A session is therefore one line of tokens and never a tree, however many requests come at
// once.
type session struct {
	id, user           string
	generation         int64
	rotatedAt          time.Time // when the newest generation was first issued
	rotatedSource      string    // the address it was issued to
	siblings           int64     // further tokens of the newest generation, issued within the grace
	revokedAt, expires time.Time
	client             string    // the API client it belongs to; empty: it is a person's
	organisation       string    // which the API client acts for
	provenAt           time.Time // when the second factor was last proven
	passwordAt         time.Time // when the password was given; zero: it was not
	begunFrom          string    // limit.SourceKey of where it began
	console            bool      // it has a cookie in place of tokens
	signOn             string    // whose provider has signed the person in: an organisation or Platform; "": none
	without            string    // where the session does not act, because a provider is required there; "": nowhere
}

// maxSiblings bounds the tokens that one refresh can issue within the grace.
const maxSiblings = 100

// usable reports whether the session has neither ended nor been revoked.
func (s session) usable(now time.Time) bool { return s.revokedAt.IsZero() && now.Before(s.expires) }

// step is what a refresh does to a session.
type step int

const (
	rotate  step = iota + 1 // the newest token: the next generation begins
	repeat                  // the one before it, within the grace: one more token of the newest generation
	tooMany                 // the same, too often
	revoke                  // a token that was used before: someone else holds it, too
)

// next decides what a refresh token of a generation does to a usable session.
//
// A client that sends two refreshes at once, or loses the answer to one, repeats the token before the newest. RFC 9700
// (4.14.2) says to end the session when a used token comes again; the grace is the exception that keeps honest clients
// signed in. It helps a thief only until the next refresh: the thief's token and the client's are of one generation,
// and whichever is refreshed first turns the other into a used one.
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
