package bankaccount

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/db"
)

// ShortView is a BankAccount of the interface as its receiver shows it.
type ShortView = receiver.BankAccountView

// View is a BankAccount of the interface.
type View struct {
	ShortView
	Receiver       receiver.FullView `json:"receiver"`
	AllowedActions []string          `json:"allowedActions" nullable:"false" example:"[\"update\",\"delete\"]"`
}

// short returns the interface's form of an account without its receiver.
func short(a Account, now time.Time) ShortView {
	v := ShortView{
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
		PaymentRails:        refdata.RailViews(a.rails()),
		Version:             a.Version,
		CreatedAt:           a.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:           a.UpdatedAt.Truncate(time.Millisecond),
	}
	if c, ok := refdata.All().Country(a.Country); ok {
		v.BankCountry = c.View()
	}

	if c, ok := refdata.All().Currency(a.Currency); ok {
		v.Currency = c.View()
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

// Views returns the interface's form of accounts with their receivers, and with what belongs to those. The number of
// statements does not depend on the number of accounts.
func Views(ctx context.Context, q db.Querier, organisation string, accounts []Account, now time.Time) ([]View, error) {
	var ids []string
	for _, a := range accounts {
		ids = append(ids, a.Receiver)
	}

	receivers, err := receiver.WithDeleted(ctx, q, organisation, ids)
	if err != nil {
		return nil, err
	}

	owned, err := OfReceivers(ctx, q, organisation, ids, now)
	if err != nil {
		return nil, err
	}

	wallets, err := wallet.OfReceivers(ctx, q, organisation, ids, now)
	if err != nil {
		return nil, err
	}

	out := make([]View, len(accounts))
	for i, a := range accounts {
		out[i] = View{
			ShortView:      short(a, now),
			Receiver:       receiver.FullViewOf(ctx, receivers[a.Receiver], owned[a.Receiver], wallets[a.Receiver]),
			AllowedActions: a.allowedActions(ctx),
		}
	}

	return out, nil
}

// OfReceivers returns the accounts that receivers show, by receiver.
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

	accounts, err := accountTable.Select(ctx, q, where.SQL()+" ORDER BY id LIMIT 5000", where.Args...)
	if err != nil {
		return nil, err
	}

	out := map[string][]ShortView{}
	for _, a := range accounts {
		out[a.Receiver] = append(out[a.Receiver], short(a, now))
	}

	return out, nil
}
