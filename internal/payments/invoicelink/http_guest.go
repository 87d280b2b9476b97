package invoicelink

import (
	"cmp"
	"context"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/wallet"
	"slipway/internal/platform/web"
	"slipway/internal/standards/mailbox"
)

// Answers and request bodies of outside parties.

type infoIn struct {
	Token string `query:"token" required:"true" maxLength:"100" doc:"of the link: what stands behind the #" example:"Zm9yIGV4YW1wbGU"`
}

type tokenIn struct {
	Body struct {
		Token string `json:"token" maxLength:"100" doc:"of the link: what stands behind the #" example:"Zm9yIGV4YW1wbGU"`
	}
}

// InfoView is what a holder of the token may see.
type InfoView struct {
	Organisation OrganisationView `json:"organisation"`
	Email        string           `json:"email" doc:"to which the link was sent"`
	Existing     bool             `json:"isExistingReceiver" doc:"true: you are not asked who you are"`
	Requested    Requested        `json:"requested"`
	Steps        StepsView        `json:"steps" doc:"what was handed in already"`
	Status       Status           `json:"status" enum:"OPEN,SUBMITTED,USED"`
	Progress     Progress         `json:"progress,omitempty" enum:"RECEIVED,IN_REVIEW,APPROVED,PAID,DECLINED" doc:"what became of the invoice, once it was handed in. RECEIVED: nobody has taken it over yet; IN_REVIEW: it waits for approval; APPROVED: it will be paid; DECLINED: it will not"`
	PaidAt       *time.Time       `json:"paidAt,omitempty" doc:"when the payment was completed"`
	BankAccount  *GivenView       `json:"bankAccount,omitempty" doc:"what was handed in by this link"`
	Wallet       *GivenView       `json:"wallet,omitempty" doc:"what was handed in by this link"`
	Invoice      *InvoiceView     `json:"invoice,omitempty" doc:"what was handed in by this link"`
	Documents    []DocumentView   `json:"documents" nullable:"false" doc:"what was handed in by this link"`
	ExpiresAt    time.Time        `json:"expiresAt"`
}

// OrganisationView is the organisation that asks.
type OrganisationView struct {
	Name string `json:"name"`
	Logo string `json:"logo,omitempty"`
}

// GivenView is an account or wallet that was handed in, without its numbers.
type GivenView struct {
	ID       string `json:"_id"`
	Country  string `json:"bankCountry,omitempty"`
	Currency string `json:"currencyIsoCode,omitempty"`
	BankName string `json:"bankName,omitempty"`
	Network  string `json:"network,omitempty"`
	Ending   string `json:"ending" doc:"the last places of its number or address"`
	Status   string `json:"status" enum:"KEPT,PROPOSED,CONFIRMED,REFUSED" doc:"KEPT: of a new receiver; PROPOSED: somebody looks at it first"`
}

// ValidView is whether a token is valid.
type ValidView struct {
	Valid     bool       `json:"valid"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty" doc:"only of a good one"`
}

type receiverIn struct {
	Body struct {
		Token string        `json:"token" maxLength:"100" doc:"of the link: what stands behind the #" example:"Zm9yIGV4YW1wbGU"`
		Type  receiver.Type `json:"type" enum:"INDIVIDUAL,COMPANY" doc:"INDIVIDUAL needs firstName and lastName, of which one may be empty; COMPANY legalName"`
		Email string        `json:"email" maxLength:"254" doc:"the address that the link was sent to"`
		receiver.Person
	}
}

// ReceiverIDView is the receiver that will be created with the payable.
type ReceiverIDView struct {
	ReceiverID string `json:"receiverId"`
}

type accountIn struct {
	Body struct {
		Token       string     `json:"token" maxLength:"100" doc:"of the link: what stands behind the #" example:"Zm9yIGV4YW1wbGU"`
		BankCountry caller.Ref `json:"bankCountry" record:"country" doc:"identifier or code of the country the bank is in"`
		Currency    caller.Ref `json:"currency" record:"currency" doc:"identifier or code of the currency the account is held in"`
		bankaccount.Numbers
	}
}

type walletIn struct {
	Body struct {
		Token   string      `json:"token" maxLength:"100" doc:"of the link: what stands behind the #" example:"Zm9yIGV4YW1wbGU"`
		Address string      `json:"address" maxLength:"100" doc:"0x and 40 hexadecimal digits"`
		Network caller.Ref  `json:"network" record:"network"`
		Type    wallet.Type `json:"type,omitempty" enum:"EOA,MULTISIG" doc:"signs by one key, or by a contract; EOA when left out"`
	}
}

type submitIn struct {
	Body struct {
		Token         string   `json:"token" maxLength:"100" doc:"of the link: what stands behind the #" example:"Zm9yIGV4YW1wbGU"`
		Amount        string   `json:"amount" maxLength:"64" doc:"decimal text"`
		Currency      string   `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"where a bank account is to be paid to"`
		TokenCode     string   `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"where a wallet is to be paid to"`
		InvoiceNumber string   `json:"invoiceNumber,omitempty" maxLength:"70" doc:"your own"`
		Reason        string   `json:"reason" maxLength:"400" doc:"what is to be paid for"`
		DueDate       *day.Day `json:"dueDate,omitempty" doc:"until when"`
		DocumentKey   string   `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of the invoice, as the upload has named it"`
	}
}

// SubmittedAtView is the receipt of an invoice.
type SubmittedAtView struct {
	Reference   string    `json:"reference" doc:"by which you and the organisation can name it"`
	SubmittedAt time.Time `json:"submittedAt"`
}

type uploadIn struct {
	Token string `header:"Slipway-Invoice-Token" required:"true" maxLength:"100" doc:"of the link: what stands behind the #"`
	Body  web.Upload
}

// guestOperation returns an operation for whoever has a link.
func guestOperation(method, path, id, summary string, codes ...fault.Code) web.Operation {
	return web.Operation{
		Method:  method,
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "payables",
		Access:  web.Public,
		Codes:   append([]fault.Code{fault.TooManyAttempts}, codes...),
	}
}

// guestRoutes registers what the outside party does with a link, in the order of its steps.
func (s *Service) guestRoutes(api *web.API) {
	info := guestOperation("GET", "/payables/get-invoice-token-info", "readInvoiceToken", "What a link asks for",
		fault.LinkInvalid)
	web.Register(api, info, s.info)

	validate := guestOperation("POST", "/payables/validate-invoice-token", "validateInvoiceToken",
		"Whether a link is good")
	web.Register(api, validate, s.validate)

	fixed := []fault.Code{fault.LinkInvalid, fault.InvoiceLinkFixed, fault.InvoiceLinkLimit}

	party := guestOperation("POST", "/payables/create-invoice-receiver", "createInvoiceReceiver", "Say who you are",
		append(fixed, fault.InvoiceLinkReceiverKnown, fault.InvoiceLinkEmail, fault.CountryUnknown)...)
	web.Register(api, party, s.receiver)

	s.guestPayeeRoutes(api, fixed)

	upload := guestOperation("POST", "/payables/upload-invoice", "uploadInvoiceByLink", "Upload the invoice", fixed...)
	upload.Status = 201
	upload.Upload = &web.UploadRule{MaxBytes: document.MaxSize}
	web.Register(api, upload, s.upload)

	submit := guestOperation("POST", "/payables/submit-invoice", "submitInvoice", "Hand in the invoice",
		append(
			fixed,
			fault.InvoiceLinkIncomplete,
			fault.AmountForm,
			fault.CurrencyMismatch,
			fault.TokenUnknown,
			fault.DocumentUnknown,
		)...)
	web.Register(api, submit, s.submit)
}

// guestPayeeRoutes registers the operations that name where to pay to.
func (s *Service) guestPayeeRoutes(api *web.API, fixed []fault.Code) {
	account := guestOperation("POST", "/payables/create-invoice-bank-account", "createInvoiceBankAccount",
		"Give a bank account to be paid to",
		append(
			fixed,
			fault.BankAccountNotValidated,
			fault.BankAccountUnreachable,
			fault.BankCodeInvalid,
			fault.BankDetailsMismatch,
			fault.CheckDigitWrong,
			fault.CountryUnknown,
			fault.CurrencyUnknown,
		)...)
	web.Register(api, account, s.account)

	wallet := guestOperation("POST", "/payables/create-invoice-wallet", "createInvoiceWallet",
		"Give a wallet to be paid to",
		append(fixed, fault.NetworkUnknown, fault.AddressInvalid, fault.AddressChecksum, fault.AddressForbidden)...)
	web.Register(api, wallet, s.wallet)
}

func (s *Service) info(ctx context.Context, in *infoIn) (*InfoView, error) {
	o, err := s.Open(ctx, in.Token)
	if err != nil {
		return nil, err
	}

	v := InfoView{
		Organisation: OrganisationView{Name: o.Info.Organisation},
		Email:        mailbox.Show(o.Info.Email),
		Existing:     o.Info.Existing,
		Requested:    o.Info.Requested,
		Steps:        StepsView(o.Steps),
		Status:       o.Status,
		Documents:    documentsOf(o.Given.Documents),
		ExpiresAt:    millis(o.ExpiresAt),
		BankAccount:  givenAccount(o.Given.Account),
		Wallet:       givenWallet(o.Given.Wallet),
	}
	if i := o.Given.Invoice; i != nil {
		v.Invoice = invoiceOf(*i)
	}

	v.Progress = o.Progress
	if !o.PaidAt.IsZero() {
		at := millis(o.PaidAt)
		v.PaidAt = &at
	}

	return &v, nil
}

func (s *Service) validate(ctx context.Context, in *tokenIn) (*ValidView, error) {
	until, err := s.ValidUntil(ctx, in.Body.Token)
	if fault.Is(err, fault.LinkInvalid) {
		return &ValidView{}, nil
	}

	if err != nil {
		return nil, err
	}

	at := millis(until)

	return &ValidView{true, &at}, nil
}

func (s *Service) receiver(ctx context.Context, in *receiverIn) (*ReceiverIDView, error) {
	r := receiver.Receiver{Type: in.Body.Type, Email: in.Body.Email}
	in.Body.Person.Apply(&r)

	given := receiverOf(r)
	given.Unsaid = in.Body.Unsaid()

	o, err := s.GiveReceiver(ctx, in.Body.Token, given)
	if err != nil {
		return nil, err
	}

	return &ReceiverIDView{o.Receiver}, nil
}

func (s *Service) account(ctx context.Context, in *accountIn) (*GivenView, error) {
	a := bankaccount.Account{Country: string(in.Body.BankCountry), Currency: string(in.Body.Currency)}
	in.Body.Numbers.Apply(&a)
	o, err := s.GiveBankAccount(ctx, in.Body.Token, a)

	return givenAccount(o.Given.Account), err
}

func (s *Service) wallet(ctx context.Context, in *walletIn) (*GivenView, error) {
	o, err := s.GiveWallet(ctx, in.Body.Token, Wallet{
		Network: string(in.Body.Network),
		Address: in.Body.Address,
		Type:    cmp.Or(in.Body.Type, wallet.EOA),
	})

	return givenWallet(o.Given.Wallet), err
}

func (s *Service) upload(ctx context.Context, in *uploadIn) (*DocumentView, error) {
	d, err := s.GiveDocument(ctx, in.Token, document.New{Body: in.Body.File, Labels: in.Body.Labels})
	if err != nil {
		return nil, err
	}

	v := DocumentView(d)

	return &v, nil
}

func (s *Service) submit(ctx context.Context, in *submitIn) (*SubmittedAtView, error) {
	b := in.Body

	invoice := Invoice{
		Amount:      b.Amount,
		Currency:    b.Currency,
		Token:       b.TokenCode,
		Number:      b.InvoiceNumber,
		Reason:      b.Reason,
		DocumentKey: b.DocumentKey,
	}
	if b.DueDate != nil {
		invoice.DueDate = b.DueDate.Time
	}

	c, err := s.Submit(ctx, b.Token, invoice)
	if err != nil {
		return nil, err
	}

	return &SubmittedAtView{c.Reference, millis(c.SubmittedAt)}, nil
}

func givenAccount(a *ShownAccount) *GivenView {
	if a == nil {
		return nil
	}

	return &GivenView{
		ID:       a.ID,
		Country:  a.Country,
		Currency: a.Currency,
		BankName: a.BankName,
		Ending:   a.Ending,
		Status:   a.Proposal.shown(),
	}
}

func givenWallet(w *ShownWallet) *GivenView {
	if w == nil {
		return nil
	}

	return &GivenView{ID: w.ID, Network: w.Network, Ending: w.Ending, Status: w.Proposal.shown()}
}

// kept is the state of what a new receiver has handed in.
const kept = "KEPT"

func (p Proposal) shown() string {
	if p == "" {
		return kept
	}

	return string(p)
}
