package bankaccount

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/record"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
)

// ShortView is a BankAccount of the interface as its receiver shows it.
type ShortView = receiver.BankAccountView

// View is a BankAccount of the interface.
type View struct {
	receiver.BankAccountFields
	BankCountry    record.Country            `json:"bankCountry"`
	Currency       record.Currency           `json:"currency"`
	Receiver       receiver.Embedded         `json:"receiver"`
	PaymentRails   []refdata.PaymentRailView `json:"paymentRails" nullable:"false" doc:"rails that reach the account, best first"`
	AllowedActions []string                  `json:"allowedActions" nullable:"false" example:"[\"update\",\"delete\"]"`
}

// viewOf returns the interface's form of an account.
func viewOf(ctx context.Context, a Account, r receiver.Receiver, now time.Time) View {
	v := View{
		BankAccountFields: fieldsOf(a, now),
		Receiver:          receiver.Embed(r),
		PaymentRails:      refdata.RailViews(a.rails()),
		AllowedActions:    a.allowedActions(ctx),
	}
	if c, ok := refdata.All().Country(a.Country); ok {
		v.BankCountry = c.Embedded()
	}

	if c, ok := refdata.All().Currency(a.Currency); ok {
		v.Currency = c.Embedded()
	}

	return v
}

// short returns the interface's form of an account within its receiver.
func short(a Account, now time.Time) ShortView {
	v := ShortView{
		BankAccountFields: fieldsOf(a, now),
		Receiver:          record.Ref{ID: a.Receiver},
		PaymentRails:      refdata.RailRefs(a.rails()),
	}
	if c, ok := refdata.All().Country(a.Country); ok {
		v.BankCountry = c.Ref()
	}

	if c, ok := refdata.All().Currency(a.Currency); ok {
		v.Currency = c.Ref()
	}

	return v
}

// fieldsOf returns the interface's form of what is an account's own.
func fieldsOf(a Account, now time.Time) receiver.BankAccountFields {
	v := receiver.BankAccountFields{
		ID:                  a.ID,
		AccountNumber:       a.AccountNumber,
		IBAN:                a.IBAN,
		BIC:                 a.BankBIC(),
		SortCode:            a.SortCode,
		RoutingNumber:       a.RoutingNumber,
		IFSC:                a.IFSC,
		AccountType:         a.AccountType,
		SoftDeleted:         a.Deleted,
		Approval:            a.Mark.Approval,
		IBANSuiteValidation: verdict(a),
		SEPASupport:         receiver.SEPASupportView(a.SEPA),
		WireSupport:         receiver.WireSupportView{ACH: a.ACH, Fed: a.Fed},
		Version:             a.Version,
		CreatedAt:           a.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:           a.UpdatedAt.Truncate(time.Millisecond),
	}
	if now.Before(a.CoolUntil) {
		at := a.CoolUntil.Truncate(time.Millisecond)
		v.PayableFrom = &at
	}

	said := a.Bank

	found := a.Found
	for _, f := range []struct {
		into        *string
		said, found string
	}{
		{&v.BankName, said.Name, found.Name},
		{&v.BankBranch, said.Branch, found.Branch},
		{&v.BankAddress, said.Address, found.Address},
		{&v.BankAddress2, said.Address2, ""},
		{&v.BankCity, said.City, found.City},
		{&v.BankState, said.State, found.State},
		{&v.BankZip, said.Zip, found.Zip},
		{&v.BankPhone, "", found.Phone},
		{&v.BankFax, "", found.Fax},
		{&v.BankWebsite, "", found.Website},
		{&v.BankEmail, "", found.Email},
		{&v.BankCode, said.Code, found.Code},
		{&v.BranchCode, said.BranchCode, found.BranchCode},
		{&v.IntermediaryRoutingCode, said.IntermediaryRoutingCode, ""},
		{&v.IntermediaryBankName, said.IntermediaryBankName, ""},
		{&v.Channel, said.Channel, ""},
	} {
		*f.into = f.said
		if f.said == "" {
			*f.into = f.found
		}
	}

	return v
}

func verdict(a Account) receiver.IBANSuiteView {
	v := receiver.IBANSuiteView{Verified: a.Validation == ValidationVerified, ErrorMessage: a.ErrorMessage}
	if !a.ValidatedAt.IsZero() {
		at := a.ValidatedAt.Truncate(time.Millisecond)
		v.VerifiedAt = &at
	}

	if a.ErrorCode != 0 {
		v.ErrorCode = &a.ErrorCode
	}

	return v
}

// allowedActions returns what the caller may do with an account.
func (a Account) allowedActions(ctx context.Context) []string {
	var gone error
	if a.Deleted {
		gone = fault.Missing("bank account")
	}

	return caller.Allowed(ctx,
		caller.Act{Word: "update", Operation: "changeBankAccount", Refusal: gone},
		caller.Act{Word: "delete", Operation: "deleteBankAccount", Refusal: gone},
	)
}

// Views returns the interface's form of accounts with their receivers. The number of statements does not depend on the
// number of accounts.
func Views(ctx context.Context, q db.Querier, organisation string, accounts []Account, now time.Time) ([]View, error) {
	var ids []string
	for _, a := range accounts {
		ids = append(ids, a.Receiver)
	}

	receivers, err := receiver.WithDeleted(ctx, q, organisation, ids)
	if err != nil {
		return nil, err
	}

	out := make([]View, len(accounts))
	for i, a := range accounts {
		out[i] = viewOf(ctx, a, receivers[a.Receiver], now)
	}

	return out, nil
}

// OfReceivers returns the accounts that receivers show, by receiver: the newest of each, at most receiver.Shown.
func OfReceivers(
	ctx context.Context,
	q db.Querier,
	organisation string,
	receivers []string,
	now time.Time,
) (map[string][]ShortView, error) {
	if len(receivers) == 0 {
		return nil, nil
	}

	var where db.Where
	where.And("organisation = ?", organisation)
	where.And("NOT soft_deleted")
	db.In(&where, "receiver", receivers)

	accounts, err := accountTable.Select(ctx, q, receiver.Newest("bank_accounts", where), where.Args...)
	if err != nil {
		return nil, err
	}

	out := map[string][]ShortView{}
	for _, a := range accounts {
		out[a.Receiver] = append(out[a.Receiver], short(a, now))
	}

	return out, nil
}
