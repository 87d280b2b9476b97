package receiver

import (
	"time"

	"slipway/internal/directory/network"
	"slipway/internal/directory/refdata"
)

// This file holds the views of what belongs to a receiver. They stand here because a wallet shows its receiver with its
// bank accounts, and a bank account shows its receiver with its wallets.

// OwnershipView is a wallet's proof of ownership.
type OwnershipView struct {
	ApprovedAt    *time.Time `json:"approvedAt,omitempty"`
	Message       string     `json:"message,omitempty" doc:"the text to sign, exactly as it is"`
	ExpiresAt     *time.Time `json:"expiresAt,omitempty" doc:"until when the text can be signed"`
	SignedMessage string     `json:"signedMessage,omitempty" doc:"the signature"`
	Status        string     `json:"status" enum:"PENDING,VERIFIED,FAILED,EXPIRED,REVOKED"`
}

// WalletView is a Wallet of the interface as its receiver shows it. Package wallet makes it.
type WalletView struct {
	ID                   string        `json:"_id"`
	Address              string        `json:"address"`
	Network              network.View  `json:"network"`
	Type                 string        `json:"type" enum:"EOA,MULTISIG"`
	WalletAnalysisStatus string        `json:"walletAnalysisStatus" enum:"PENDING,IN_PROGRESS,APPROVED,REVIEW,REJECTED,ERROR,EXPIRED"`
	ScreeningAnalysisID  string        `json:"screeningAnalysisId,omitempty"`
	ScreeningErrMessage  string        `json:"screeningErrMessage,omitempty"`
	SoftDeleted          bool          `json:"softDeleted"`
	Approval             string        `json:"approval,omitempty" doc:"identifier of the approval that it waits for, or that was refused"`
	PayableFrom          *time.Time    `json:"payableFrom,omitempty" doc:"nothing is paid to it before: it is new"`
	Ownership            OwnershipView `json:"ownership"`
	Version              int64         `json:"version"`
	CreatedAt            time.Time     `json:"createdAt"`
	UpdatedAt            time.Time     `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v WalletView) Record() (id string, version int64) { return v.ID, v.Version }

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

// BankAccountView is a BankAccount of the interface as its receiver shows it. Package bankaccount makes it.
type BankAccountView struct {
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
	BankPhone               string                    `json:"bankPhone,omitempty" doc:"of the bank, as this and the next three; null: the provider of validation has not said it"`
	BankFax                 string                    `json:"bankFax,omitempty" doc:"null: not said"`
	BankWebsite             string                    `json:"bankWebsite,omitempty" doc:"null: not said"`
	BankEmail               string                    `json:"bankEmail,omitempty" doc:"null: not said"`
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

// Record returns the identifier and the version.
func (v BankAccountView) Record() (id string, version int64) { return v.ID, v.Version }
