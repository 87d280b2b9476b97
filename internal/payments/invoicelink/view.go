package invoicelink

import (
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/mail"
	"slipway/internal/standards/mailbox"
)

// View is an invoice link as members of its organisation see it.
type View struct {
	ID             string        `json:"_id"`
	Status         Status        `json:"status" enum:"OPEN,SUBMITTED,USED,REVOKED,EXPIRED"`
	Email          string        `json:"email" doc:"to which the mail went"`
	Mails          int64         `json:"mails" doc:"how often it was mailed" example:"1"`
	MailedAt       time.Time     `json:"mailedAt" doc:"when it was mailed last"`
	MailProblem    mail.Problem  `json:"mailProblem,omitempty" enum:"ADDRESS_UNKNOWN,MAILBOX_CLOSED,MAILBOX_FULL,NOT_TAKEN" doc:"why the mail was not delivered; null: nothing is known against it. ADDRESS_UNKNOWN: the address does not exist. MAILBOX_CLOSED, MAILBOX_FULL: its server says so. NOT_TAKEN: no server took it within three days. The link works all the same"`
	Existing       bool          `json:"isExistingReceiver"`
	Receiver       string        `json:"receiverId" doc:"the receiver; a new one comes into being under this identifier with the payable"`
	Other          bool          `json:"otherAddress" doc:"the receiver is known by another address than the link's: another person than the link's maker confirms"`
	Requested      Requested     `json:"requested"`
	Steps          StepsView     `json:"steps" doc:"what was handed in"`
	Submitted      SubmittedView `json:"submitted" doc:"what was handed in, as a member has to see it to decide; emptied when the link is revoked or expires"`
	Warnings       []string      `json:"warnings" nullable:"false" doc:"what to look at before you decide; not in lists. Of a new receiver SAME_EMAIL, SAME_NAME: another one has this address or name, so it may be somebody you know already. NAME_MIXED: a word of its name has letters of several scripts that look alike. OTHER_ADDRESS: the link was sent to another address than the receiver has. OTHER_COUNTRY: the bank is in another country than the receiver. OTHER_RECEIVERS_ACCOUNT: another receiver has the account. REPLACED: an account or wallet was handed in and then another one in its place. OTHER_AMOUNT: not what you asked for. WALLET_UNPROVEN: nothing is paid to the wallet before its owner has signed its ownership.message (verify-wallet)"`
	Payable        string        `json:"payableId,omitempty"`
	CreatedBy      string        `json:"createdBy"`
	SubmittedAt    *time.Time    `json:"submittedAt,omitempty"`
	ExpiresAt      time.Time     `json:"expiresAt"`
	CreatedAt      time.Time     `json:"createdAt"`
	AllowedActions []string      `json:"allowedActions" nullable:"false" doc:"what the caller may do with it now; confirm and refuse are for what it proposes (in a list, confirm stands there for whoever needs a second person, too), createPayable is for what was handed in" example:"[\"confirm\",\"refuse\",\"createPayable\",\"revoke\"]"`
	UpdatedAt      time.Time     `json:"updatedAt"`
	Version        int64         `json:"version"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// SubmittedView is what the outside party has handed in.
type SubmittedView struct {
	Receiver    *ReceiverView  `json:"receiver,omitempty"`
	BankAccount *AccountView   `json:"bankAccount,omitempty"`
	Wallet      *WalletView    `json:"wallet,omitempty"`
	Invoice     *InvoiceView   `json:"invoice,omitempty"`
	Documents   []DocumentView `json:"documents" nullable:"false"`
}

// ReceiverView is the identity that the outside party entered.
type ReceiverView struct {
	Type        receiver.Type        `json:"type" enum:"INDIVIDUAL,COMPANY"`
	Name        string               `json:"name"`
	Email       string               `json:"email"`
	TaxID       string               `json:"taxId,omitempty"`
	PhoneNumber string               `json:"phoneNumber,omitempty"`
	Address     receiver.AddressView `json:"address"`
	Country     string               `json:"countryIsoCode"`
	DateOfBirth *time.Time           `json:"dateOfBirth,omitempty"`
}

// AccountView is a bank account that was handed in.
type AccountView struct {
	ID            string   `json:"_id" doc:"names this content: when another account is handed in, it is another identifier"`
	Proposal      Proposal `json:"proposal,omitempty" enum:"PROPOSED,CONFIRMED,REFUSED" doc:"of a known receiver: confirmed or refused by a member; not there for a new one"`
	BankCountry   string   `json:"bankCountry"`
	Currency      string   `json:"currencyIsoCode"`
	IBAN          string   `json:"iban,omitempty"`
	BIC           string   `json:"bicSwift,omitempty"`
	AccountNumber string   `json:"accountNumber,omitempty"`
	SortCode      string   `json:"sortCode,omitempty"`
	RoutingNumber string   `json:"routingNumber,omitempty"`
	IFSC          string   `json:"ifscCode,omitempty"`
	AccountType   string   `json:"accountType,omitempty" enum:"CHECKING,SAVINGS"`
	BankName      string   `json:"bankName,omitempty"`
}

// WalletView is a wallet that was handed in.
type WalletView struct {
	ID       string   `json:"_id" doc:"names this content: when another wallet is handed in, it is another identifier"`
	Proposal Proposal `json:"proposal,omitempty" enum:"PROPOSED,CONFIRMED,REFUSED" doc:"of a known receiver: confirmed or refused by a member; not there for a new one"`
	Network  string   `json:"network"`
	Address  string   `json:"address"`
	Type     string   `json:"type" enum:"EOA,MULTISIG"`
}

// InvoiceView is what the outside party asks to be paid.
type InvoiceView struct {
	Amount      string `json:"amount"`
	Currency    string `json:"currencyIsoCode,omitempty"`
	Token       string `json:"tokenIsoCode,omitempty"`
	Number      string `json:"invoiceNumber,omitempty"`
	Reason      string `json:"reason"`
	DueDate     string `json:"dueDate,omitempty" doc:"a date"`
	DocumentKey string `json:"documentStorageKey,omitempty"`
}

// DocumentView is a file that was uploaded through the link.
type DocumentView struct {
	Key         string `json:"documentStorageKey"`
	Name        string `json:"fileName"`
	ContentType string `json:"contentType"`
	Size        int64  `json:"size"`
}

// StepsView is which steps are complete.
type StepsView struct {
	Receiver    bool `json:"receiver" doc:"true as well where the receiver is known"`
	BankAccount bool `json:"bankAccount"`
	Wallet      bool `json:"wallet"`
	Invoice     bool `json:"invoice"`
}

// confirmWord is the action of whoever lets in what a link proposes.
const confirmWord = "confirm"

// viewOf returns a link as members see it. Whether the caller needs a second person it does not know.
func viewOf(ctx context.Context, k Link, now time.Time) View {
	v := View{
		ID:          k.ID,
		Status:      k.StatusAt(now),
		Email:       mailbox.Show(k.Email),
		Mails:       k.Mails,
		MailedAt:    millis(k.MailedAt),
		MailProblem: k.MailProblem,
		Existing:    k.Existing,
		Receiver:    k.Receiver,
		Other:       k.OtherAddress,
		Requested:   k.Requested,
		Steps:       StepsView(k.steps()),
		Submitted:   submitted(k),
		Warnings:    []string{},
		AllowedActions: caller.Allowed(ctx,
			caller.Act{Word: confirmWord, Operation: "confirmInvoiceLinkProposal", Refusal: k.decidable(now)},
			caller.Act{Word: "refuse", Operation: "refuseInvoiceLinkProposal", Refusal: k.decidable(now)},
			caller.Act{Word: "createPayable", Operation: "createInvoicePayable", Refusal: k.payableNow(now)},
			caller.Act{Word: "sendAgain", Operation: "sendInvoiceLinkAgain", Refusal: k.sendable(now)},
			caller.Act{Word: "revoke", Operation: "revokeInvoiceLink", Refusal: k.openAt(now)},
		),
		Payable:   k.Payable,
		CreatedBy: k.CreatedBy,
		ExpiresAt: millis(k.ExpiresAt),
		CreatedAt: millis(k.CreatedAt),
		UpdatedAt: millis(k.UpdatedAt),
		Version:   k.Version,
	}
	if !k.SubmittedAt.IsZero() {
		at := millis(k.SubmittedAt)
		v.SubmittedAt = &at
	}

	return v
}

func millis(t time.Time) time.Time { return t.Truncate(time.Millisecond) }

func submitted(k Link) SubmittedView {
	out := SubmittedView{Documents: documentsOf(k.Given.Documents)}
	if r := k.Given.Receiver; r != nil {
		out.Receiver = &ReceiverView{
			Type:        r.Type,
			Name:        r.record(k).Name(),
			Email:       mailbox.Show(r.Email),
			TaxID:       r.TaxID,
			PhoneNumber: r.Phone,
			Country:     r.Country,
			Address:     receiver.AddressView{AddressLine1: r.AddressLine1, PostCode: r.PostCode, City: r.City},
		}
		if !r.BirthDate.IsZero() {
			out.Receiver.DateOfBirth = &r.BirthDate
		}
	}

	if b := k.Given.Account; b != nil {
		out.BankAccount = accountOf(b.Account, b.Proposal)
	}

	if w := k.Given.Wallet; w != nil {
		out.Wallet = &WalletView{
			ID:       w.ID,
			Proposal: w.Proposal,
			Network:  w.Network,
			Address:  w.Address,
			Type:     string(w.Type),
		}
	}

	if in := k.Given.Invoice; in != nil {
		out.Invoice = invoiceOf(*in)
	}

	return out
}

func invoiceOf(in Invoice) *InvoiceView {
	return &InvoiceView{
		Amount:      in.Amount,
		Currency:    in.Currency,
		Token:       in.Token,
		Number:      in.Number,
		Reason:      in.Reason,
		DueDate:     in.due(),
		DocumentKey: in.DocumentKey,
	}
}

func accountOf(a bankaccount.Account, p Proposal) *AccountView {
	return &AccountView{
		ID:            a.ID,
		Proposal:      p,
		BankCountry:   a.Country,
		Currency:      a.Currency,
		IBAN:          a.IBAN,
		BIC:           a.BIC,
		AccountNumber: a.AccountNumber,
		SortCode:      a.SortCode,
		RoutingNumber: a.RoutingNumber,
		IFSC:          a.IFSC,
		AccountType:   a.AccountType,
		BankName:      a.BankName(),
	}
}

func documentsOf(given []ShownDocument) []DocumentView {
	out := make([]DocumentView, len(given))
	for i, d := range given {
		out[i] = DocumentView(d)
	}

	return out
}
