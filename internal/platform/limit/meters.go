package limit

import "context"

// Meters are the buckets that the requests of one credential count against. They are looked up once, with the
// credential, so a request needs no further look-up.
type Meters struct {
	Reads, Writes *Meter // of the credential
	// of all credentials of its person, and of everybody who acts for its organisation
	PersonReads, OrganisationReads   *Meter
	PersonWrites, OrganisationWrites *Meter
}

// Publisher reports to the caller of a request what a limit leaves him.
type Publisher interface{ Publish(Quota) }

type publisherKey struct{}

// WithPublisher returns a context in which Publish calls p.
func WithPublisher(ctx context.Context, p Publisher) context.Context {
	return context.WithValue(ctx, publisherKey{}, p)
}

// Publish reports to the caller a limit that a use case counts by itself. The last call wins; outside of a request it
// does nothing.
func Publish(ctx context.Context, q Quota) {
	if p, ok := ctx.Value(publisherKey{}).(Publisher); ok {
		p.Publish(q)
	}
}
