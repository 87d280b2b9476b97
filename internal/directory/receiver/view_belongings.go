package receiver

import (
	"time"

	"slipway/internal/core/record"
)

// This file holds the views of bank accounts, which a receiver shows. Those of wallets, which an organisation shows,
// too, are in package record.

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

// BankAccountFields are a bank account's own. Package bankaccount fills them in.
type BankAccountFields struct {
	ID                      string          `json:"_id"`
	AccountNumber           string          `json:"accountNumber,omitempty"`
	IBAN                    string          `json:"iban,omitempty"`
	BIC                     string          `json:"bicSwift,omitempty"`
	SortCode                string          `json:"sortCode,omitempty"`
	RoutingNumber           string          `json:"routingNumber,omitempty"`
	IFSC                    string          `json:"ifscCode,omitempty"`
	AccountType             string          `json:"accountType,omitempty" enum:"CHECKING,SAVINGS"`
	SoftDeleted             bool            `json:"softDeleted"`
	Approval                string          `json:"approval,omitempty" doc:"identifier of the approval that it waits for, or that was refused"`
	IBANSuiteValidation     IBANSuiteView   `json:"ibanSuiteValidation"`
	SEPASupport             SEPASupportView `json:"sepaSupport"`
	WireSupport             WireSupportView `json:"wireSupport"`
	BankName                string          `json:"bankName,omitempty"`
	BankBranch              string          `json:"bankBranch,omitempty"`
	BankAddress             string          `json:"bankAddress,omitempty"`
	BankAddress2            string          `json:"bankAddress2,omitempty"`
	BankCity                string          `json:"bankCity,omitempty"`
	BankState               string          `json:"bankState,omitempty"`
	BankZip                 string          `json:"bankZip,omitempty"`
	BankPhone               string          `json:"bankPhone,omitempty" doc:"of the bank, as this and the next three; null: the provider of validation has not said it"`
	BankFax                 string          `json:"bankFax,omitempty" doc:"null: not said"`
	BankWebsite             string          `json:"bankWebsite,omitempty" doc:"null: not said"`
	BankEmail               string          `json:"bankEmail,omitempty" doc:"null: not said"`
	BankCode                string          `json:"bankCode,omitempty"`
	BranchCode              string          `json:"branchCode,omitempty"`
	IntermediaryRoutingCode string          `json:"intermediaryRoutingCode,omitempty"`
	IntermediaryBankName    string          `json:"intermediaryBankName,omitempty"`
	Channel                 string          `json:"channel,omitempty"`
	PayableFrom             *time.Time      `json:"payableFrom,omitempty" doc:"a new or changed account is paid to from then on"`
	Version                 int64           `json:"version"`
	CreatedAt               time.Time       `json:"createdAt"`
	UpdatedAt               time.Time       `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v BankAccountFields) Record() (id string, version int64) { return v.ID, v.Version }

// BankAccountView is a BankAccount of the interface as its receiver shows it.
type BankAccountView struct {
	BankAccountFields
	BankCountry  record.CountryRef `json:"bankCountry"`
	Currency     record.Coded      `json:"currency"`
	Receiver     record.Ref        `json:"receiver"`
	PaymentRails []record.RailRef  `json:"paymentRails" nullable:"false" doc:"rails that reach the account, best first"`
}
