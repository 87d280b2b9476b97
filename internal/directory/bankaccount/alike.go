package bankaccount

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"slipway/internal/platform/db"
)

// Two numbers are easily taken for each other if they have the same length and the same characters at both ends, or
// differ in few characters. People compare the ends; who wishes them ill makes those the same.
const (
	ends     = 4 // characters
	fewest   = 3 // characters that differ
	shortest = 8 // characters; nothing is said of shorter numbers
	pieces   = fewest + 1
	mostLike = 50 // accounts that are returned
)

// outlines returns what a number shares with those that it is easily taken for, at least one of them: its ends, or one
// piece of those into which it is dealt like cards. Where few characters differ, one piece of several has none of them;
// and a dealt piece has some of the account's own digits, which tell accounts of one bank apart.
func outlines(number string) (out [pieces + 1]string) {
	if len(number) < shortest {
		return out
	}

	out[0] = fmt.Sprintf("%d/%s%s", len(number), number[:ends], number[len(number)-ends:])

	for i := range pieces {
		var piece strings.Builder
		for at := i; at < len(number); at += pieces {
			piece.WriteByte(number[at])
		}

		out[i+1] = fmt.Sprintf("%d/%s", len(number), piece.String())
	}

	return out
}

// differences returns in how many characters two numbers of one length differ.
func differences(a, b string) (n int) {
	for i := range len(a) {
		if a[i] != b[i] {
			n++
		}
	}

	return n
}

// alike reports whether two numbers are not the same and easily taken for each other.
func alike(a, b string) bool {
	if len(a) != len(b) || len(a) < shortest || a == b {
		return false
	}

	return a[:ends] == b[:ends] && a[len(a)-ends:] == b[len(b)-ends:] || differences(a, b) <= fewest
}

// number returns the account's IBAN, or the number that stands in place of one.
func (a Account) number() string { return cmp.Or(a.IBAN, a.AccountNumber) }

// Alike returns the organisation's accounts whose numbers are easily taken for that of an account, the most similar
// first and at most 50. It finds them among all, by keyed hashes of what such numbers share. An account that there is
// not is like none.
func Alike(ctx context.Context, q db.Querier, organisation, id string) ([]Account, error) {
	found, err := ByIDs(ctx, q, organisation, []string{id})
	if err != nil || len(found) == 0 {
		return nil, err
	}

	number := found[id].number()

	all, err := outlined(ctx, q, organisation, outlines(number))
	if err != nil {
		return nil, fmt.Errorf("read accounts that are like %s: %w", id, err)
	}

	all = slices.DeleteFunc(all, func(a Account) bool { return !alike(a.number(), number) })
	slices.SortStableFunc(all, func(a, b Account) int {
		return cmp.Compare(differences(a.number(), number), differences(b.number(), number))
	})

	return all[:min(len(all), mostLike)], nil
}
