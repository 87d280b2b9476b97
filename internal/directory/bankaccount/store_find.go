package bankaccount

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"slipway/internal/core/text"
	"slipway/internal/platform/db"
)

// ByID returns a bank account of the organisation that is not deleted. An unknown one and another organisation's are
// refused word for word the same.
func ByID(ctx context.Context, q db.Querier, organisation, id string) (Account, error) {
	return one(ctx, q, id, "id = ? AND organisation = ?", id, organisation)
}

func identifier(x Account) string { return x.ID }

func identifiers(all []Account) []string {
	out := make([]string, len(all))
	for i, a := range all {
		out[i] = a.ID
	}

	return out
}

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
	w := hashed(q, organisation, ibanHash, number)
	return accountTable.Select(ctx, q, w.SQL()+" ORDER BY id LIMIT 20", w.Args...)
}

// ByNumber is ByIBAN for accounts without an IBAN, by their account number, which several banks may have given: all of
// them are returned.
func ByNumber(ctx context.Context, q db.Querier, organisation, number string) ([]Account, error) {
	w := hashed(q, organisation, numberHash, text.Compact(number))
	all, err := accountTable.Select(ctx, q, w.SQL()+" ORDER BY id", w.Args...)

	return slices.DeleteFunc(all, func(a Account) bool { return a.IBAN != "" }), err
}

// hashed is the condition that an account of the organisation, which is not deleted, has a text in one of the columns
// of hashes. Nothing is found by an empty text.
func hashed(q db.Querier, organisation string, column int, text string) (w db.Where) {
	texts := make([]string, column+1)
	texts[column] = within(organisation, text)

	w.And("organisation = ?", organisation)
	w.And("NOT soft_deleted")
	db.Find(q, &w, numbers, texts...)

	return w
}

// mostOutlined bounds how many accounts with one outline are compared digit by digit: the newest.
const mostOutlined = 500

// outlined returns the organisation's accounts of which an outline is one of these, each once. Each column is asked by
// itself, since its index holds the organisation too.
func outlined(ctx context.Context, q db.Querier, organisation string, of [pieces + 1]string) ([]Account, error) {
	found := map[string]Account{}

	for i, outline := range of {
		w := hashed(q, organisation, outlineHashes+i, outline)
		args := append(w.Args, int64(mostOutlined))

		some, err := accountTable.Select(ctx, q, w.SQL()+" ORDER BY id DESC LIMIT ?", args...)
		if err != nil {
			return nil, err
		}

		for _, a := range some {
			found[a.ID] = a
		}
	}

	return slices.SortedFunc(maps.Values(found), func(a, b Account) int { return cmp.Compare(b.ID, a.ID) }), nil
}
