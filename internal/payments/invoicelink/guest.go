package invoicelink

import (
	"context"
	"errors"
	"io"
	"time"

	"slipway/internal/directory/bankaccount"
)

// Opened is what a holder of the token may know.
type Opened struct {
	ID        string
	Status    Status // OPEN or SUBMITTED
	Info      Info
	Steps     Steps
	Given     Shown
	ExpiresAt time.Time
}

// Info is who asks for what.
type Info struct {
	Organisation string // its name
	Email        string // the address that the link was sent to
	Existing     bool   // the receiver is known: it is not asked who it is
	Requested    Requested
}

// Steps says what was handed in already.
type Steps struct{ Receiver, BankAccount, Wallet, Invoice bool }

// Shown is what was handed in by this link, as its holder sees it again: accounts by their ends alone.
type Shown struct {
	Receiver  *Receiver // without the date of birth and the tax number; nil: not given
	Account   *ShownAccount
	Wallet    *ShownWallet
	Invoice   *Invoice
	Documents []ShownDocument
}

// ShownAccount is a bank account without its numbers.
type ShownAccount struct {
	ID, Country, Currency, BankName string
	Ending                          string // the last four places of its number
}

// ShownWallet is a wallet by the two ends of its address.
type ShownWallet struct{ ID, Network, Ending string }

// ShownDocument is a file that came by this link.
type ShownDocument struct {
	Key, Name, ContentType string
	Size                   int64
}

// Confirmation is what the outside party gets when it has handed in its invoice.
type Confirmation struct {
	Reference   string // the link's identifier: what it and the organisation can name it by
	SubmittedAt time.Time
	Opened      Opened
}

var errNotYet = errors.New("not built yet")

// Open gives what a holder of the token may know. Every token that is not good is refused alike: LINK_INVALID.
func (s *Service) Open(ctx context.Context, token string) (Opened, error) { return Opened{}, errNotYet }

// GiveReceiver takes who the outside party says it is. Faults point to the fields of CreateReceiver's body: /type, /firstName, /lastName,
// /legalName, /email, /address, /countryIsoCode, /dateOfBirth ...
func (s *Service) GiveReceiver(ctx context.Context, token string, r Receiver) (Opened, error) {
	return Opened{}, errNotYet
}

// GiveBankAccount takes the account to pay to; of the account only what a client may say counts (country, currency, numbers, bank). Faults
// point to /bankCountry, /currency, /iban, /bicSwift, /accountNumber, /sortCode, /routingNumber, /ifscCode, /accountType ...
func (s *Service) GiveBankAccount(ctx context.Context, token string, a bankaccount.Account) (Opened, error) {
	return Opened{}, errNotYet
}

// GiveWallet takes the wallet to pay to: Network, Address and Type count. Faults point to /network, /address, /type.
func (s *Service) GiveWallet(ctx context.Context, token string, w Wallet) (Opened, error) {
	return Opened{}, errNotYet
}

// GiveDocument stores a file that came by the link; its key goes into Invoice.DocumentKey. declaredType may be empty.
func (s *Service) GiveDocument(ctx context.Context, token, name, declaredType string, body io.Reader) (ShownDocument, error) {
	return ShownDocument{}, errNotYet
}

// Submit hands in the invoice; nothing can be changed afterwards. A second call with the same content gives the same confirmation. Faults
// point to /amount, /currencyIsoCode, /tokenIsoCode, /invoiceNumber, /reason, /dueDate, /documentStorageKey, and to /receiver, /bankAccount
// when a step is missing.
func (s *Service) Submit(ctx context.Context, token string, in Invoice) (Confirmation, error) {
	return Confirmation{}, errNotYet
}
