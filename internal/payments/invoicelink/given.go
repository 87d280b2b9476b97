package invoicelink

import (
	"time"

	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
)

// Requested is what the member asks for; every field may be empty.
type Requested struct {
	Amount   string `json:"amount,omitempty"`
	Currency string `json:"currencyIsoCode,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// Given is what the outside party has handed in so far.
type Given struct {
	Receiver *Receiver    `json:"receiver,omitempty"` // only of a new one
	Account  *BankAccount `json:"account,omitempty"`
	Wallet   *Wallet      `json:"wallet,omitempty"`
	Invoice  *Invoice     `json:"invoice,omitempty"`
}

// Receiver is who the outside party says it is.
type Receiver struct {
	Type                            receiver.Type
	FirstName, MiddleName, LastName string
	LegalName, Email, TaxID, Phone  string
	AddressLine1, PostCode, City    string
	Country                         string    // ISO 3166-1 alpha-2
	BirthDate                       time.Time `json:",omitzero"`
}

// BankAccount is an account that was handed in. Its identifier names this content: another content has another one.
type BankAccount struct {
	Account  bankaccount.Account
	Proposal Proposal // empty: of a new receiver
}

// Wallet is a wallet that was handed in. Its identifier names this content: another content has another one.
type Wallet struct {
	ID, Network, Address string
	Type                 wallet.Type
	Proposal             Proposal
}

// Invoice is what the outside party asks to be paid.
type Invoice struct {
	Amount      string // digits with at most one point, as in every body
	Currency    string // ISO 4217; empty where tokens are asked for
	Token       string // empty where a currency is asked for
	Number      string // the outside party's own; may be empty
	Reason      string
	DueDate     time.Time `json:",omitzero"` // midnight UTC of the day; zero: none
	DocumentKey string    // of a document that came by this link; may be empty
}
