package caller

import "context"

// Admitter decides whether a caller may use an operation at all, by its rights. platform/web is one, for the operations
// that are registered there.
type Admitter interface {
	Admits(operation string, p *Principal) error
}

// Act is something that can be done with a record.
type Act struct {
	Word      string // what allowedActions calls it
	Operation string // the ID of the operation that does it
	Refusal   error  // what the record, as it stands, has against it; nil: nothing
}

// Allowed returns the words of what the caller may do with a record now: what neither the operation's rights nor the
// record refuses. The rights are those that the operation itself is guarded by, and Refusal is made by the function
// that the use case calls, so the list cannot differ from the rules. Outside of a request nobody calls, and the record
// alone decides.
func Allowed(ctx context.Context, acts ...Act) []string {
	out := []string{}
	call := callOf(ctx)

	for _, a := range acts {
		if a.Refusal == nil && call.admits(a.Operation) {
			out = append(out, a.Word)
		}
	}

	return out
}

// admits reports whether the rights of the request's caller are enough for an operation.
func (c *Call) admits(operation string) bool {
	if c == nil || c.Admitter == nil || c.Principal == nil {
		return true
	}

	return c.Admitter.Admits(operation, c.Principal) == nil
}
