package invoicelink

import (
	"time"
	"unicode/utf8"

	"slipway/internal/core/fault"
	"slipway/internal/core/text"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/user"
	"slipway/internal/standards/mailbox"
)

// Requested is what the member asks for. Every field may be empty.
type Requested struct {
	Amount   string `json:"amount,omitempty" maxLength:"64" doc:"decimal text"`
	Currency string `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"of the amount"`
	Reason   string `json:"reason,omitempty" maxLength:"400" doc:"what the invoice is to be for"`
}

// Given is what the outside party has handed in so far.
type Given struct {
	Receiver  *Receiver       `json:"receiver,omitempty"` // only a new one
	Account   *BankAccount    `json:"account,omitempty"`
	Wallet    *Wallet         `json:"wallet,omitempty"`
	Invoice   *Invoice        `json:"invoice,omitempty"`
	Documents []ShownDocument `json:"documents,omitempty"`
}

// Receiver is the identity that the outside party enters.
type Receiver struct {
	Type                            receiver.Type
	Unsaid                          receiver.Unsaid `json:"-"`
	FirstName, MiddleName, LastName string
	LegalName, Email, TaxID, Phone  string
	AddressLine1, PostCode, City    string
	Country                         string    // ISO 3166-1 alpha-2
	BirthDate                       time.Time `json:",omitzero"`
}

// record returns the receiver that a member would create from it.
func (r Receiver) record(k Link) receiver.Receiver {
	return receiver.Receiver{
		ID:           k.Receiver,
		Organisation: k.Organisation,
		Type:         r.Type,
		Unsaid:       r.Unsaid,
		FirstName:    r.FirstName,
		MiddleName:   r.MiddleName,
		LastName:     r.LastName,
		LegalName:    r.LegalName,
		Email:        r.Email,
		TaxID:        r.TaxID,
		Phone:        r.Phone,
		Country:      r.Country,
		BirthDate:    r.BirthDate,
		HasBirth:     !r.BirthDate.IsZero(),
		Address:      receiver.Address{AddressLine1: r.AddressLine1, PostCode: r.PostCode, City: r.City},
	}
}

// receiverOf returns the entered details of a receiver.
func receiverOf(r receiver.Receiver) Receiver {
	out := Receiver{
		Type:         r.Type,
		FirstName:    r.FirstName,
		MiddleName:   r.MiddleName,
		LastName:     r.LastName,
		LegalName:    r.LegalName,
		Email:        r.Email,
		TaxID:        r.TaxID,
		Phone:        r.Phone,
		AddressLine1: r.Address.AddressLine1,
		PostCode:     r.Address.PostCode,
		City:         r.Address.City,
		Country:      r.Country,
	}
	if r.HasBirth {
		out.BirthDate = r.BirthDate
	}

	return out
}

// trimmed returns the receiver with its texts as they are stored: cleaned, and without spaces around them.
func (r Receiver) trimmed() Receiver {
	for _, s := range []*string{
		&r.FirstName,
		&r.MiddleName,
		&r.LastName,
		&r.LegalName,
		&r.Email,
		&r.TaxID,
		&r.Phone,
		&r.AddressLine1,
		&r.PostCode,
		&r.City,
		&r.Country,
	} {
		*s = text.Trim(*s)
	}

	r.Email = mailbox.Normal(r.Email)

	if !r.BirthDate.IsZero() {
		r.BirthDate = r.BirthDate.UTC()
	}

	return r
}

// The longest texts of a receiver, as in the body of POST /receivers.
const (
	maxName, maxLegal, maxTax, maxPhone = 70, 140, 40, 32
	maxLine, maxPostCode, maxCity       = 140, 16, 70
)

// check notes everything that is wrong with a receiver entered through the link.
func (r Receiver) check(k Link, now time.Time, l *fault.List) {
	if r.Type != receiver.Individual && r.Type != receiver.Company {
		l.Add("/type", fault.NotInEnum, "must be INDIVIDUAL or COMPANY.")
	}

	receiver.Check(r.record(k), now, "", l)

	if r.Email != "" && user.Key(r.Email) != user.Key(k.Email) {
		l.Add("/email", fault.InvoiceLinkEmail, "must be the address that the link was sent to.")
	}

	for _, f := range []struct {
		pointer, text string
		most          int
	}{
		{"/firstName", r.FirstName, maxName},
		{"/middleName", r.MiddleName, maxName},
		{"/lastName", r.LastName, maxName},
		{"/legalName", r.LegalName, maxLegal},
		{"/taxId", r.TaxID, maxTax},
		{"/phoneNumber", r.Phone, maxPhone},
	} {
		if utf8.RuneCountInString(f.text) > f.most {
			l.Add(f.pointer, fault.TooLong, "may have at most %d characters.", f.most)
		}
	}

	user.CheckText(l, "/address/addressLine1", r.AddressLine1, maxLine, false)
	user.CheckText(l, "/address/postCode", r.PostCode, maxPostCode, false)
	user.CheckText(l, "/address/city", r.City, maxCity, false)
}

// BankAccount is an account that was handed in. Its identifier belongs to this content: other content has another
// identifier.
type BankAccount struct {
	Account          bankaccount.Account
	ACHSaid, FedSaid string   // which the account's own text does not include
	Proposal         Proposal // empty: it belongs to a new receiver
}

// record returns the account that a member would create from it.
func (b BankAccount) record() bankaccount.Account {
	a := b.Account
	a.ACHSaid = b.ACHSaid
	a.FedSaid = b.FedSaid

	return a
}

// enteredAccount returns the parts of an account that an outside party may enter: its numbers. It removes what a member
// or a check would add, and the bank's name: a member sees the name that belongs to the numbers, or none.
func enteredAccount(k Link, a bankaccount.Account) bankaccount.Account {
	return bankaccount.Account{
		Organisation:  k.Organisation,
		Receiver:      k.Receiver,
		Country:       a.Country,
		Currency:      a.Currency,
		IBAN:          a.IBAN,
		BIC:           a.BIC,
		AccountNumber: a.AccountNumber,
		SortCode:      a.SortCode,
		RoutingNumber: a.RoutingNumber,
		IFSC:          a.IFSC,
		AccountType:   a.AccountType,
		ACHSaid:       a.ACHSaid,
		FedSaid:       a.FedSaid,
	}
}

// same reports whether two accounts have the same details.
func (b BankAccount) same(o BankAccount) bool {
	b.Account.ID = ""
	o.Account.ID = ""
	b.Proposal = ""
	o.Proposal = ""

	return encoded(b) == encoded(o)
}

// Wallet is a wallet that was handed in. Its identifier belongs to this content: other content has another identifier.
type Wallet struct {
	ID, Network, Address string
	Type                 wallet.Type
	Proposal             Proposal
	Proof                wallet.Proof `json:",omitzero"` // that it is the outside party's; not needed to hand in the invoice
}

func (w Wallet) same(o Wallet) bool {
	return w.Network == o.Network && w.Address == o.Address && w.Type == o.Type
}

// record returns the wallet that a member would create from it.
func (w Wallet) record(k Link) wallet.Wallet {
	return wallet.Wallet{
		ID:           w.ID,
		Organisation: k.Organisation,
		Receiver:     k.Receiver,
		Network:      w.Network,
		Address:      w.Address,
		Type:         w.Type,
		Message:      w.Proof.Message,
	}
}

// Invoice is what the outside party asks to be paid.
type Invoice struct {
	Amount      string    // digits with at most one point, as in every request body
	Currency    string    // ISO 4217; empty where tokens are asked for
	Token       string    // empty where a currency is asked for
	Number      string    // the outside party's own; may be empty
	Reason      string    // what is paid for
	DueDate     time.Time `json:",omitzero"` // midnight UTC of the day; zero: none
	DocumentKey string    // a document uploaded through this link; may be empty
}

// trimmed returns the invoice without spaces around its texts, and with its date cut to a day.
func (in Invoice) trimmed() Invoice {
	for _, s := range []*string{&in.Amount, &in.Currency, &in.Token, &in.Number, &in.Reason, &in.DocumentKey} {
		*s = text.Trim(*s)
	}

	if !in.DueDate.IsZero() {
		in.DueDate = in.DueDate.UTC().Truncate(24 * time.Hour)
	}

	return in
}

// due returns the date as request bodies write it.
func (in Invoice) due() string {
	if in.DueDate.IsZero() {
		return ""
	}

	return in.DueDate.Format(time.DateOnly)
}
