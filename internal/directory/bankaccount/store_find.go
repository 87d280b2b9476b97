package bankaccount

import (
	"context"

	"slipway/internal/platform/db"
)

// ByID returns a bank account of the organisation that is not deleted. An unknown one and another organisation's are
// refused word for word the same.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Account, error) {
	return one(ctx, q, id, "id = ? AND organisation = ?", id, organisation)
}

func identifier(x Account) string { return x.ID }

// ByIDs returns those of the accounts that are the organisation's and not deleted, in one query.
func ByIDs(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Account, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("NOT soft_deleted")

	return accountTable.ByKeys(ctx, q, w, ids, identifier)
}

// OfReceiver lists the bank accounts of a receiver of the organisation that are not deleted.
func OfReceiver(ctx context.Context, q db.Querier, organisation, receiverID string) ([]Account, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("receiver = ?", receiverID)
	w.And("NOT soft_deleted")

	return accountTable.Select(ctx, q, w.SQL()+" ORDER BY id", w.Args...)
}

// OfOrganisations lists the bank accounts that some organisations have told as their own, and that are not deleted.
func OfOrganisations(ctx context.Context, q db.Querier, organisations []string) ([]Account, error) {
	var w db.Where
	db.In(&w, "organisation", organisations)
	w.And("NOT soft_deleted")
	w.And("EXISTS (SELECT 1 FROM receivers r WHERE r.id = bank_accounts.receiver AND r.is_self)")

	return accountTable.Select(ctx, q, w.SQL()+" ORDER BY id", w.Args...)
}

// ByIBAN lists the organisation's bank accounts with this number, in electronic form, that are not deleted, oldest
// first and at most 20.
func ByIBAN(ctx context.Context, q db.Querier, organisation, number string) ([]Account, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	db.Find(q, &w, numbers, ibanText(organisation, number))
	w.And("NOT soft_deleted")

	return accountTable.Select(ctx, q, w.SQL()+" ORDER BY id LIMIT 20", w.Args...)
}
