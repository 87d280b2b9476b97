package payable

import (
	"context"
	"slices"

	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
)

// WalletUnproven is the warning of a link that nobody has proven yet that the keys of the wallet are the receiver's. It
// is the one that ends by itself, when its owner has signed.
const WalletUnproven = "WALLET_UNPROVEN"

// linkWarnings are the warnings of invoice links as whoever approves the payable reads them.
var linkWarnings = map[string]string{
	"SAME_EMAIL": "It came by an invoice link, from a new receiver with the address of one that you know.",
	"SAME_NAME":  "It came by an invoice link, from a new receiver with the name of one that you know.",
	"NAME_MIXED": "It came by an invoice link, from a new receiver whose name has a word in letters of several scripts that " +
		"look alike.",
	"OTHER_ADDRESS":           "The invoice link was sent to another address than the receiver's.",
	"OTHER_COUNTRY":           "By the invoice link came an account in another country than the receiver's.",
	"OTHER_RECEIVERS_ACCOUNT": "By the invoice link came an account that another of your receivers has.",
	"REPLACED":                "By the invoice link one account or wallet came first, and then another one in its place.",
	"OTHER_AMOUNT":            "By the invoice link came another amount than you had asked for.",
	WalletUnproven: "Nobody has proven that the wallet is the receiver's: nothing is paid to it before its owner has " +
		"signed, on the page of the invoice link or with verify-wallet.",
}

// warnOfLink adds what there was to look at of the link that the payable came by. proven are wallets that have been
// proven since.
func (v *View) warnOfLink(p Payable, proven map[string]bool) {
	for _, code := range p.LinkWarnings {
		if message, known := linkWarnings[code]; known && !(code == WalletUnproven && proven[p.Wallet]) {
			v.Warnings = append(v.Warnings, WarningView{code, message, []string{}})
		}
	}
}

// provenSince returns those wallets that were unproven when their payables were made and are proven now.
func provenSince(ctx context.Context, q db.Querier, organisation string, all []Payable) (map[string]bool, error) {
	var ids []string
	for _, p := range all {
		if slices.Contains(p.LinkWarnings, WalletUnproven) {
			ids = append(ids, p.Wallet)
		}
	}

	if len(ids) == 0 {
		return nil, nil
	}

	wallets, err := wallet.ByIDs(ctx, q, organisation, ids)

	out := map[string]bool{}
	for id, w := range wallets {
		out[id] = w.Ownership == wallet.OwnershipVerified
	}

	return out, err
}
