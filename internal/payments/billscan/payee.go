package billscan

import (
	"context"
	"time"

	"slipway/internal/core/text"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
)

// Payee is the receiver whom the organisation knows by a bill's account. Receiver and BankAccount are empty if there is
// any doubt.
type Payee struct {
	Known       bool // one receiver has the account at least, in whatever currency
	Receiver    string
	BankAccount string // an account in the bill's currency
}

// payee returns the one receiver that is paid at the bill's account, and notes what a person should check.
func payee(ctx context.Context, q db.Querier, organisation string, b *Bill, now time.Time) (Payee, error) {
	accounts, receivers, err := knownAccounts(ctx, q, organisation, string(b.Account))
	if err != nil {
		return Payee{}, err
	}

	switch len(receivers) {
	case 0:
		b.warn(
			PayeeUnknown,
			"iban",
			"no receiver of the organisation has this account: compare it with what the creditor is known by "+
				"before it is added",
		)

		return Payee{}, nil

	case 1:
	default:
		b.warn(PayeeAmbiguous, "iban", "several receivers of the organisation have this account")
		return Payee{Known: true}, nil
	}

	out := Payee{Known: true}
	for _, r := range receivers {
		out.Receiver = r.ID
		if !text.SameName(r.Name(), b.Creditor.Name) {
			b.warn(
				PayeeName,
				"creditor.name",
				"the receiver with this account has another name than the bill's creditor",
			)
		}

		if err := r.Mark.Usable("receiver"); err != nil {
			b.warn(PayeeUnusable, "creditor", "nothing can be paid to the receiver at present: "+reason(err))
		}
	}

	var match []bankaccount.Account
	for _, a := range accounts {
		if a.Currency == b.Currency {
			match = append(match, a)
		}
	}

	switch len(match) {
	case 0:
		b.warn(PayeeCurrency, "currency", "the receiver's account is held in another currency than the bill's")
		return out, nil
	case 1:
	default:
		b.warn(PayeeAmbiguous, "iban", "the receiver has this account several times")
		return out, nil
	}

	out.BankAccount = match[0].ID
	if err := match[0].Usable(now); err != nil {
		b.warn(PayeeUnusable, "iban", "nothing can be paid to the receiver's account at present: "+reason(err))
	}

	return out, nil
}

// knownAccounts returns the organisation's accounts with this IBAN whose receivers still exist, and these receivers.
func knownAccounts(
	ctx context.Context,
	q db.Querier,
	organisation, number string,
) ([]bankaccount.Account, map[string]receiver.Receiver, error) {
	all, err := bankaccount.ByIBAN(ctx, q, organisation, number)
	if err != nil || len(all) == 0 {
		return nil, nil, err
	}

	var ids []string
	for _, a := range all {
		ids = append(ids, a.Receiver)
	}

	receivers, err := receiver.ByIDs(ctx, q, organisation, ids)

	var out []bankaccount.Account
	for _, a := range all {
		if _, there := receivers[a.Receiver]; there {
			out = append(out, a)
		}
	}

	return out, receivers, err
}
