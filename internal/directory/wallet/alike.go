package wallet

import (
	"context"
	"fmt"
	"slices"

	"slipway/internal/platform/db"
	"slipway/internal/standards/eip55"
)

// Alike finds the organisation's wallets whose addresses people may take for one of these, by the address; each is
// given by its identifier. A wallet of the same address is none. It asks once, whatever their number.
func Alike(ctx context.Context, q db.Querier, organisation string, addresses []string) (map[string][]string, error) {
	var outlines []string
	for _, a := range addresses {
		if o := eip55.Outline(a); o != "" && !slices.Contains(outlines, o) {
			outlines = append(outlines, o)
		}
	}

	found := map[string][]string{}
	if len(outlines) == 0 {
		return found, nil
	}

	rows, err := withOutlines(ctx, q, organisation, outlines)
	if err != nil {
		return nil, fmt.Errorf("read wallets that look alike: %w", err)
	}

	for _, a := range addresses {
		if found[a] != nil {
			continue
		}

		for _, k := range rows {
			if eip55.Similar(a, k.address) {
				found[a] = append(found[a], k.id)
			}
		}
	}

	return found, nil
}

// LooksAlike is the sentence for people about an address that looks like a known one.
const LooksAlike = "The address begins and ends like that of another wallet you know, and is another one. Compare " +
	"all of it with what the " +
	"receiver gave you: such addresses are made so that they are mistaken for each other."

// WarningView is something a person should look at; nothing is kept from happening by it.
type WarningView struct {
	Code    string   `json:"code" enum:"ADDRESS_LOOKS_ALIKE"`
	Message string   `json:"message"`
	Wallets []string `json:"wallets" nullable:"false" doc:"the others that it looks like"`
}
