package bankaccount

import (
	"context"
	"time"

	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
)

// View is a BankAccount of the interface.
type View struct {
	receiver.BankAccountView
	Receiver receiver.View `json:"receiver"`
}

// short gives the interface's form of an account without its receiver.
func short(a Account, now time.Time) receiver.BankAccountView {
	v := receiver.BankAccountView{
		ID:                  a.ID,
		AccountNumber:       a.AccountNumber,
		IBAN:                a.IBAN,
		BIC:                 a.BIC,
		SortCode:            a.SortCode,
		RoutingNumber:       a.RoutingNumber,
		IFSC:                a.IFSC,
		AccountType:         a.AccountType,
		SoftDeleted:         a.Deleted,
		Approval:            a.Mark.Approval,
		IBANSuiteValidation: verdict(a),
		SEPASupport:         receiver.SEPASupportView(a.SEPA),
		WireSupport: receiver.WireSupportView{
			ACH: a.ACH,
			Fed: a.Fed,
		},
		PaymentRails: refdata.RailViews(a.rails()),
		Version:      a.Version,
		CreatedAt:    a.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt:    a.UpdatedAt.Truncate(time.Millisecond),
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

// Views gives the interface's form of accounts with their receivers, in one query whatever their number.
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
		out[i] = View{short(a, now), receiver.ViewOf(receivers[a.Receiver])}
	}

	return out, nil
}

// ofReceivers gives the accounts that receivers show, by receiver.
func ofReceivers(
	ctx context.Context,
	q db.Querier,
	organisation string,
	receivers []string,
	now time.Time,
) (map[string][]receiver.BankAccountView, error) {
	var where db.Where
	where.And("organisation = ?", organisation)
	where.And("NOT soft_deleted")
	db.In(&where, "receiver", receivers)

	accounts, err := all(ctx, q, where, " ORDER BY id LIMIT 5000")
	if err != nil {
		return nil, err
	}

	out := map[string][]receiver.BankAccountView{}
	for _, a := range accounts {
		out[a.Receiver] = append(out[a.Receiver], short(a, now))
	}

	return out, nil
}
