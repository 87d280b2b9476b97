package evidence

import (
	"math/big"

	"slipway/internal/core/money"
	"slipway/internal/platform/words"
)

// Funds is what an owner holds of a token, and how much of it the router may move, in base units.
type Funds struct{ Balance, Allowance *big.Int }

// Owner is how an owner who holds or has approved too little is spoken of.
type Owner struct{ holds, approved string }

// Wallet returns how a payer's wallet is spoken of.
func Wallet() Owner {
	return Owner{
		holds:    "The wallet holds %[1]s; %[2]s are needed.",
		approved: "The wallet has approved %[1]s; %[2]s are needed.",
	}
}

// Treasury returns how the house's treasury is spoken of.
func Treasury() Owner {
	return Owner{
		holds:    "The treasury holds %[1]s; %[2]s are needed.",
		approved: "The treasury has approved %[1]s; %[2]s are needed.",
	}
}

// Short returns a sentence if an owner's balance or approval does not cover an amount, or "" if both do.
func (f Funds) Short(of Owner, needed money.Amount) string {
	why := of.holds
	found := f.Balance

	if found.Cmp(needed.Units()) >= 0 {
		why = of.approved
		found = f.Allowance
	}

	if found.Cmp(needed.Units()) >= 0 {
		return ""
	}

	return words.Phrase(why, Sum(money.FromUnits(needed.Asset(), found)), Sum(needed))
}
