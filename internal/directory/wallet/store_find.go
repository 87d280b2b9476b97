package wallet

import (
	"context"

	"slipway/internal/core/fault"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
	"slipway/internal/standards/eip55"
)

// ByID returns a wallet of the organisation that is not deleted. An unknown one and another organisation's are refused
// word for word the same.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Wallet, error) {
	return one(ctx, q, id, "id = ? AND organisation = ?", id, organisation)
}

func identifier(x Wallet) string { return x.ID }

// ByIDs returns those of the wallets that are the organisation's and not deleted, in one query.
func ByIDs(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Wallet, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("NOT soft_deleted")

	return walletTable.ByKeys(ctx, q, w, ids, identifier)
}

// Payer returns the wallet a transaction pays from (or, for ONRAMP, to): the one of the organisation's own receiver
// with this address, on this network, or with an empty networkID on the only network where it is stored. Whether it
// can be used now is for Usable to say.
func Payer(ctx context.Context, q db.Querier, organisation, address, networkID string) (Wallet, error) {
	unusable := func() error {
		var l fault.List
		l.Add("/walletAddress", fault.PayerWallet, "must be a stored wallet of your organisation's own receiver.")
		return l.Err()
	}

	a, err := eip55.Read(address)
	if err != nil {
		return Wallet{}, addressFault("/walletAddress", err)
	}

	self, err := receiver.Self(ctx, q, organisation)
	if fault.Is(err, fault.NotFoundCode) {
		return Wallet{}, unusable()
	}

	if err != nil {
		return Wallet{}, err
	}

	var w db.Where
	w.And("receiver = ?", self.ID)
	w.And("organisation = ?", organisation)
	w.And("address = ?", a.Hex())
	w.And("NOT soft_deleted")

	if networkID != "" {
		w.And("network = ?", networkID)
	}

	rows, err := walletTable.Select(ctx, q, w.SQL()+" ORDER BY id LIMIT 2", w.Args...)
	switch {
	case err != nil:
		return Wallet{}, err
	case len(rows) == 0 && networkID != "":
		_, elsewhere := Payer(ctx, q, organisation, address, "")
		if elsewhere != nil && !fault.Is(elsewhere, fault.NetworkAmbiguous) {
			return Wallet{}, elsewhere
		}

		var l fault.List
		l.Add("/network", fault.PayerWallet, "is not a network that the wallet is stored on.")

		return Wallet{}, l.Err()

	case len(rows) == 0:
		return Wallet{}, unusable()

	case len(rows) > 1:
		var l fault.List
		l.Add("/network", fault.NetworkAmbiguous, "The wallet is stored on several networks; name one.")
		return Wallet{}, l.Err()
	}

	return rows[0], nil
}

// OfReceiver lists the wallets of a receiver of the organisation that are not deleted.
func OfReceiver(ctx context.Context, q db.Querier, organisation, receiverID string) ([]Wallet, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("receiver = ?", receiverID)
	w.And("NOT soft_deleted")

	return walletTable.Select(ctx, q, w.SQL()+" ORDER BY id", w.Args...)
}

// Proofs counts the wallets of a receiver, and those whose ownership is proven.
func Proofs(ctx context.Context, q db.Querier, organisation, receiverID string) (all, proven int64, err error) {
	type count struct {
		status string
		n      int64
	}

	rows, err := db.Select(ctx, q, func(c *count) []any { return []any{&c.status, &c.n} },
		`SELECT ownership_status, count(*) FROM wallets
			WHERE organisation = ? AND receiver = ? AND NOT soft_deleted GROUP BY 1`, organisation, receiverID)

	for _, r := range rows {
		all += r.n
		if Ownership(r.status) == OwnershipVerified {
			proven += r.n
		}
	}

	return all, proven, err
}

// ofOwnReceivers returns the wallets of the organisations' own receivers, at most 5,000.
func ofOwnReceivers(ctx context.Context, q db.Querier, organisations []string) ([]Wallet, error) {
	var w db.Where
	db.In(&w, "organisation", organisations)
	w.And("NOT soft_deleted")
	w.And("EXISTS (SELECT 1 FROM receivers r WHERE r.id = wallets.receiver AND r.is_self)")

	return walletTable.Select(ctx, q, w.SQL()+" ORDER BY id LIMIT 5000", w.Args...)
}
