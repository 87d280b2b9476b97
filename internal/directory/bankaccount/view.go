package bankaccount

import (
	"context"
	"time"

	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/platform/db"
)

// IBANSuiteView is the result of checking an account's numbers, in the terms of the IBAN Suite.
type IBANSuiteView struct {
	Verified     bool       `json:"verified"`
	VerifiedAt   *time.Time `json:"verifiedAt,omitempty" doc:"when the verdict was given; not there while validation is under way"`
	ErrorMessage string     `json:"errorMessage,omitempty"`
	ErrorCode    *int64     `json:"errorCode,omitempty" doc:"201 account check digit, 202 IBAN check digits, 203 length, 205 structure, 206 characters, 207 country; 301 to 305: the provider could not be asked"`
}

// SEPASupportView says which schemes of the SEPA area reach an account: YES, NO, or not there when nobody has said.
type SEPASupportView struct {
	SCT     string `json:"sct,omitempty" doc:"credit transfer"`
	SDD     string `json:"sdd,omitempty" doc:"direct debit, core"`
	COR1    string `json:"cor1,omitempty" doc:"direct debit, one day"`
	B2B     string `json:"b2b,omitempty" doc:"direct debit, business to business"`
	SCC     string `json:"scc,omitempty" doc:"card clearing"`
	SCI     string `json:"sci,omitempty" doc:"instant credit transfer"`
	SCITips string `json:"sciTips,omitempty" doc:"instant credit transfer over TIPS"`
}

// WireSupportView says which clearings of the United States reach an account: YES, NO, or not there for accounts
// elsewhere.
type WireSupportView struct {
	ACH string `json:"ach,omitempty"`
	Fed string `json:"fed,omitempty"`
}

// ShortView is a BankAccount of the interface as its receiver shows it.
type ShortView struct {
	ID                      string                    `json:"_id"`
	AccountNumber           string                    `json:"accountNumber,omitempty"`
	IBAN                    string                    `json:"iban,omitempty"`
	BIC                     string                    `json:"bicSwift,omitempty"`
	SortCode                string                    `json:"sortCode,omitempty"`
	RoutingNumber           string                    `json:"routingNumber,omitempty"`
	IFSC                    string                    `json:"ifscCode,omitempty"`
	BankCountry             refdata.CountryView       `json:"bankCountry"`
	Currency                refdata.CurrencyView      `json:"currency"`
	AccountType             string                    `json:"accountType,omitempty" enum:"CHECKING,SAVINGS"`
	SoftDeleted             bool                      `json:"softDeleted"`
	Approval                string                    `json:"approval,omitempty" doc:"identifier of the approval that it waits for, or that was refused"`
	IBANSuiteValidation     IBANSuiteView             `json:"ibanSuiteValidation"`
	SEPASupport             SEPASupportView           `json:"sepaSupport"`
	WireSupport             WireSupportView           `json:"wireSupport"`
	BankName                string                    `json:"bankName,omitempty"`
	BankBranch              string                    `json:"bankBranch,omitempty"`
	BankAddress             string                    `json:"bankAddress,omitempty"`
	BankAddress2            string                    `json:"bankAddress2,omitempty"`
	BankCity                string                    `json:"bankCity,omitempty"`
	BankState               string                    `json:"bankState,omitempty"`
	BankZip                 string                    `json:"bankZip,omitempty"`
	BankPhone               string                    `json:"bankPhone,omitempty"`
	BankFax                 string                    `json:"bankFax,omitempty"`
	BankWebsite             string                    `json:"bankWebsite,omitempty"`
	BankEmail               string                    `json:"bankEmail,omitempty"`
	BankCode                string                    `json:"bankCode,omitempty"`
	BranchCode              string                    `json:"branchCode,omitempty"`
	IntermediaryRoutingCode string                    `json:"intermediaryRoutingCode,omitempty"`
	IntermediaryBankName    string                    `json:"intermediaryBankName,omitempty"`
	Channel                 string                    `json:"channel,omitempty"`
	PaymentRails            []refdata.PaymentRailView `json:"paymentRails" nullable:"false" doc:"rails that reach the account, best first"`
	PayableFrom             *time.Time                `json:"payableFrom,omitempty" doc:"a new or changed account is paid to from then on"`
	Version                 int64                     `json:"version"`
	CreatedAt               time.Time                 `json:"createdAt"`
	UpdatedAt               time.Time                 `json:"updatedAt"`
}

// View is a BankAccount of the interface.
type View struct {
	ShortView
	Receiver receiver.OwnerView `json:"receiver"`
}

// short returns the interface's form of an account without its receiver.
func short(a Account, now time.Time) ShortView {
	v := ShortView{
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
		SEPASupport:         SEPASupportView(a.SEPA),
		WireSupport:         WireSupportView{ACH: a.ACH, Fed: a.Fed},
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

func verdict(a Account) IBANSuiteView {
	v := IBANSuiteView{Verified: a.Validation == ValidationVerified, ErrorMessage: a.ErrorMessage}
	if !a.ValidatedAt.IsZero() {
		at := a.ValidatedAt.Truncate(time.Millisecond)
		v.VerifiedAt = &at
	}

	if a.ErrorCode != 0 {
		v.ErrorCode = &a.ErrorCode
	}

	return v
}

// Views returns the interface's form of accounts with their receivers, in one query whatever their number.
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
		out[i] = View{short(a, now), receiver.OwnerViewOf(receivers[a.Receiver])}
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
