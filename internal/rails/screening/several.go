package screening

import (
	"context"
	"errors"
	"slices"
	"strings"
)

// several asks each of its providers.
type several []Provider

// Several asks all providers and takes the worst answer: REJECTED by one is REJECTED; without one, a provider that
// fails makes it an error, then ERROR, then REVIEW. Only what all approve is APPROVED. Whoever answers from memory
// should stand first: after a rejection nobody is asked.
func Several(providers ...Provider) Provider {
	if len(providers) == 1 {
		return providers[0]
	}

	return several(providers)
}

// Edition is that of all.
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

// AsksElsewhere is true when one of them does.
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

// severity orders answers; one that is not known is as bad as ERROR.
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
