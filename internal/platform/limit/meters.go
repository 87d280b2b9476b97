package limit

import "context"

// Meters are what the requests of one credential count against. They are found once, with the credential, so that a
// request costs no further look-up.
type Meters struct {
	Reads, Writes *Meter // of the credential
	// of all credentials of its person, and of everybody who acts for its organisation
	PersonWrites, OrganisationWrites *Meter
}

// Publisher tells the caller of a request what a limit leaves him.
type Publisher interface{ Publish(Quota) }

// PublisherKey is the context key of a request's Publisher.
type PublisherKey struct{}

// Publish tells the caller of a limit that a use case counts by itself. The last call counts; outside of a request
// nobody is told.
func Publish(ctx context.Context, q Quota) {
	if p, ok := ctx.Value(PublisherKey{}).(Publisher); ok {
		p.Publish(q)
	}
}
