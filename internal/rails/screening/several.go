package screening

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// several asks all of its providers.
type several []Provider

// Several returns a provider that asks all providers and returns the worst answer. REJECTED by one is REJECTED;
// otherwise a failing provider makes it an error, then ERROR, then REVIEW. Only what all approve is APPROVED. Put
// providers that answer from memory first: after a rejection no other is asked.
func Several(providers ...Provider) Provider {
	if len(providers) == 1 {
		return providers[0]
	}

	return several(providers)
}

// Edition combines those of all providers.
func (s several) Edition() string {
	edition := ""
	for _, p := range s {
		if e := p.Edition(); e != "" {
			if edition != "" {
				edition += "+"
			}

			edition += e
		}
	}

	return edition
}

// AsksElsewhere reports whether one of them does.
func (s several) AsksElsewhere() bool { return slices.ContainsFunc(s, AsksElsewhere) }

// Screen asks one after the other.
func (s several) Screen(ctx context.Context, network, address string) (Result, error) {
	out := Result{Status: Approved}

	if len(s) == 0 {
		return Result{}, errors.New("there is nobody to screen addresses")
	}

	var (
		failed     error
		references []string
	)
	for _, p := range s {
		r, err := p.Screen(ctx, network, address)
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}

		references = append(references, r.Reference)
		if severity(r.Status) > severity(out.Status) {
			out.Status = r.Status
			out.Message = r.Message
		}

		if r.Status == Rejected {
			break
		}
	}

	out.Reference = strings.Join(references, " ")
	if failed != nil && out.Status != Rejected {
		return Result{}, failed
	}

	return out, nil
}

// severity orders answers; an unknown one counts as ERROR.
func severity(s Status) int {
	switch s {
	case Approved:
		return 0
	case Review:
		return 1
	case Rejected:
		return 3
	case Error:
		return 2
	}

	return 2
}
