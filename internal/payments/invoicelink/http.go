package invoicelink

import (
	"context"
	"slices"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/directory/bankaccount"
	"slipway/internal/directory/document"
	"slipway/internal/directory/receiver"
	"slipway/internal/directory/refdata"
	"slipway/internal/directory/wallet"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// Answers and bodies of members.

type createIn struct {
	Body struct {
		Existing bool   `json:"isExistingReceiver" doc:"whether you know the receiver already; a new one is made with the payable"`
		Email    string `json:"email" maxLength:"254" doc:"to which the link is mailed"`
		Receiver string `json:"receiverId,omitempty" maxLength:"64" doc:"of a known receiver; not needed where exactly one has this address"`
		Requested
	}
}

// MadeView is a link that was just made.
type MadeView struct {
	URL       string    `json:"link" doc:"it was mailed; it is shown once"`
	TokenID   string    `json:"tokenId" doc:"names the link in every other operation"`
	ExpiresAt time.Time `json:"expiresAt"`
	Email     string    `json:"email"`
}

type listIn struct {
	web.Paging
	Status    []string `query:"status[]" maxItems:"5" enum:"OPEN,SUBMITTED,USED,REVOKED,EXPIRED" doc:"of the link"`
	Receiver  string   `query:"receiver" maxLength:"64" doc:"identifier of the receiver"`
	Direction int      `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
}

type byID struct {
	ID string `path:"tokenId" maxLength:"64"`
}

type decideIn struct {
	byID
	Body struct {
		Proposal string `json:"proposal" maxLength:"64" doc:"identifier of the bank account or wallet that was looked at: submitted.bankAccount._id or submitted.wallet._id"`
	}
}

type payableIn struct {
	Body struct {
		TokenID             string  `json:"tokenId" maxLength:"64" doc:"the link, as it was named when it was made"`
		Name                string  `json:"name,omitempty" maxLength:"200" doc:"what the invoice is called"`
		Amount              string  `json:"amount,omitempty" maxLength:"64" doc:"decimal text, in the currency or token"`
		Reason              string  `json:"reason,omitempty" maxLength:"400" doc:"what is paid for; the receiver reads it"`
		Type                string  `json:"type,omitempty" enum:"FIAT,CRYPTO" doc:"FIAT: to a bank account; CRYPTO: to a wallet"`
		DocumentStorageKey  string  `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of a document that was uploaded, by the link or by you"`
		CurrencyIsoCode     string  `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"FIAT: the bank account's currency"`
		TokenIsoCode        string  `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"CRYPTO: the token"`
		ExpectedPaymentDate string  `json:"expectedPaymentDate,omitempty" maxLength:"64" doc:"when it is to be paid, as a date or a date-time"`
		Instructions        string  `json:"instructions,omitempty" maxLength:"1000" doc:"for people; nothing acts on it"`
		InvoiceNumber       string  `json:"invoiceNumber,omitempty" maxLength:"70" doc:"the receiver's number of the invoice"`
		BankAccount         web.Ref `json:"bankAccount,omitempty" doc:"FIAT: another one of a known receiver; or the one that was handed in, so that no other is taken"`
		Wallet              web.Ref `json:"wallet,omitempty" doc:"CRYPTO: the same"`
	}
}

// Answers and bodies of outside parties.

type infoIn struct {
	Token string `query:"token" required:"true" maxLength:"100" doc:"of the link: what stands behind the #"`
}

type tokenIn struct {
	Body struct {
		Token string `json:"token" maxLength:"100" doc:"of the link: what stands behind the #"`
	}
}

// InfoView is what a holder of the token may know.
type InfoView struct {
	Organisation OrganisationView `json:"organisation"`
	Email        string           `json:"email" doc:"to which the link was sent"`
	Existing     bool             `json:"isExistingReceiver" doc:"true: you are not asked who you are"`
	Requested    Requested        `json:"requested"`
	Steps        StepsView        `json:"steps" doc:"what was handed in already"`
	Status       Status           `json:"status" enum:"OPEN,SUBMITTED"`
	BankAccount  *GivenView       `json:"bankAccount,omitempty" doc:"what was handed in by this link"`
	Wallet       *GivenView       `json:"wallet,omitempty" doc:"what was handed in by this link"`
	Invoice      *InvoiceView     `json:"invoice,omitempty" doc:"what was handed in by this link"`
	Documents    []DocumentView   `json:"documents" nullable:"false" doc:"what was handed in by this link"`
	ExpiresAt    time.Time        `json:"expiresAt"`
}

// OrganisationView is who asks.
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

// ValidView says whether a token is good.
type ValidView struct {
	Valid     bool       `json:"valid"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty" doc:"only of a good one"`
}

type receiverIn struct {
	Body struct {
		Token string        `json:"token" maxLength:"100" doc:"of the link: what stands behind the #"`
		Type  receiver.Type `json:"type" enum:"INDIVIDUAL,COMPANY" doc:"INDIVIDUAL needs firstName and lastName, COMPANY legalName"`
		Email string        `json:"email" maxLength:"254" doc:"the address that the link was sent to"`
		receiver.Person
	}
}

// ReceiverIDView names the receiver that is made with the payable.
type ReceiverIDView struct {
	ReceiverID string `json:"receiverId"`
}

type accountIn struct {
	Body struct {
		Token       string      `json:"token" maxLength:"100" doc:"of the link: what stands behind the #"`
		BankCountry refdata.Ref `json:"bankCountry" doc:"identifier or code of the country the bank is in"`
		Currency    refdata.Ref `json:"currency" doc:"identifier or code of the currency the account is held in"`
		bankaccount.Fields
	}
}

type walletIn struct {
	Body struct {
		Token   string      `json:"token" maxLength:"100" doc:"of the link: what stands behind the #"`
		Address string      `json:"address" maxLength:"100" doc:"0x and 40 hexadecimal digits"`
		Network refdata.Ref `json:"network"`
		Type    wallet.Type `json:"type" enum:"EOA,MULTISIG" doc:"signs by one key, or by a contract"`
	}
}

type submitIn struct {
	Body struct {
		Token         string     `json:"token" maxLength:"100" doc:"of the link: what stands behind the #"`
		Amount        string     `json:"amount" maxLength:"64" doc:"decimal text"`
		Currency      string     `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"where a bank account is to be paid to"`
		TokenCode     string     `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"where a wallet is to be paid to"`
		InvoiceNumber string     `json:"invoiceNumber,omitempty" maxLength:"70" doc:"your own"`
		Reason        string     `json:"reason" maxLength:"400" doc:"what is to be paid for"`
		DueDate       *time.Time `json:"dueDate,omitempty" doc:"until when"`
		DocumentKey   string     `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of the invoice, as the upload has named it"`
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

// deciders are the roles that let in what an outside party proposes: whoever may add a payee, and whoever may approve one.
func deciders() []string {
	out := organisation.Writers()
	for _, r := range organisation.Deciders() {
		if !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// Routes registers the operations of invoice links.
func (s *Service) Routes(api *web.API) {
	s.memberRoutes(api)
	s.guestRoutes(api)
}

func (s *Service) memberRoutes(api *web.API) {
	op := func(method, path, id, summary string, codes ...fault.Code) web.Operation {
		o := web.Operation{Method: method, Path: path, ID: id, Summary: summary, Tag: "payables", Access: web.Tenant, Codes: codes}
		if method != "GET" {
			o.Roles = organisation.Writers()
		}
		return o
	}
	create := op("POST", "/payables/generate-invoice-link", "createInvoiceLink", "Ask an outside party for its invoice", fault.OrgNotApproved, fault.ReceiverUnknown,
		fault.ReceiverAmbiguous, fault.InvoiceLinkLimit)
	create.Status, create.NoIdempotency = 201, true // the answer holds the token, which is kept nowhere
	create.Description = "The link goes out by mail, and lets whoever follows it say who he is, where to pay to and what for, without an account."
	web.Register(api, create, s.create)
	web.Register(api, op("GET", "/payables/invoice-links", "listInvoiceLinks", "List invoice links"), s.list)
	web.Register(api, op("GET", "/payables/invoice-links/{tokenId}", "readInvoiceLink", "Read an invoice link and what was handed in by it"), s.read)
	web.Register(api, op("DELETE", "/payables/invoice-links/{tokenId}", "revokeInvoiceLink", "Revoke an invoice link", fault.InvoiceLinkClosed), s.revoke)
	decision := []fault.Code{fault.ProposalChanged, fault.ProposalDecided, fault.InvoiceLinkClosed}
	confirm := op("POST", "/payables/invoice-links/{tokenId}/confirm", "confirmInvoiceLinkProposal", "Let in an account or wallet that a known receiver has handed in",
		append(decision, fault.SecondPersonRequired, fault.OrgNotApproved, fault.WalletDuplicate)...)
	confirm.Description = "It is added to what the receiver has; nothing of that is changed. Nothing is paid to it for 24 hours, and the receiver is told at the address it is known by."
	confirm.Roles, confirm.StepUp, confirm.PeopleOnly = deciders(), true, true // a program cannot look at it
	web.Register(api, confirm, s.decision(s.Confirm))
	refuse := op("POST", "/payables/invoice-links/{tokenId}/refuse", "refuseInvoiceLinkProposal", "Turn such a proposal down", decision...)
	refuse.Roles = deciders()
	web.Register(api, refuse, s.decision(s.Refuse))
	take := op("POST", "/payables/create-invoice-payable", "createInvoicePayable", "Make a payable of what was handed in", fault.InvoiceLinkClosed, fault.InvoiceLinkIncomplete,
		fault.ProposalOpen, fault.OrgNotApproved)
	take.Status, take.Description = 201, "What is left out is taken from what was handed in. A new receiver comes into being with it, and the link is closed."
	web.Register(api, take, s.payable)
}

func (s *Service) guestRoutes(api *web.API) {
	op := func(method, path, id, summary string, codes ...fault.Code) web.Operation {
		return web.Operation{Method: method, Path: path, ID: id, Summary: summary, Tag: "payables", Access: web.Public,
			Codes: append([]fault.Code{fault.TooManyAttempts}, codes...)}
	}
	web.Register(api, op("GET", "/payables/get-invoice-token-info", "readInvoiceToken", "What a link asks for", fault.LinkInvalid), s.info)
	web.Register(api, op("POST", "/payables/validate-invoice-token", "validateInvoiceToken", "Whether a link is good"), s.validate)
	fixed := []fault.Code{fault.LinkInvalid, fault.InvoiceLinkFixed, fault.InvoiceLinkLimit}
	web.Register(api, op("POST", "/payables/create-invoice-receiver", "createInvoiceReceiver", "Say who you are",
		append(fixed, fault.InvoiceLinkReceiverKnown, fault.InvoiceLinkEmail, fault.CountryUnknown)...), s.receiver)
	web.Register(api, op("POST", "/payables/create-invoice-bank-account", "createInvoiceBankAccount", "Give a bank account to be paid to",
		append(fixed, fault.BankAccountNotValidated, fault.BankAccountUnreachable, fault.BankCodeInvalid, fault.CheckDigitWrong, fault.CountryUnknown, fault.CurrencyUnknown)...), s.account)
	web.Register(api, op("POST", "/payables/create-invoice-wallet", "createInvoiceWallet", "Give a wallet to be paid to",
		append(fixed, fault.NetworkUnknown, fault.AddressInvalid, fault.AddressChecksum, fault.AddressForbidden)...), s.wallet)
	upload := op("POST", "/payables/upload-invoice", "uploadInvoiceByLink", "Upload the invoice", fixed...)
	upload.Status, upload.Upload = 201, &web.UploadRule{MaxBytes: document.MaxSize}
	web.Register(api, upload, s.upload)
	web.Register(api, op("POST", "/payables/submit-invoice", "submitInvoice", "Hand in the invoice",
		append(fixed, fault.InvoiceLinkIncomplete, fault.AmountForm, fault.CurrencyMismatch, fault.TokenUnknown, fault.DocumentUnknown)...), s.submit)
}

func (s *Service) create(ctx context.Context, in *createIn) (*MadeView, error) {
	wish := Wish{Email: in.Body.Email, Existing: in.Body.Existing, Receiver: in.Body.Receiver, Requested: in.Body.Requested}
	view := func(m Made) MadeView { return MadeView{m.URL, m.Link.ID, millis(m.Link.ExpiresAt), m.Link.Email} }
	return web.Once(ctx, 201, view, func(done func(*db.Tx, Made) error) error { return s.Create(ctx, wish, done) })
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	page, err := in.Window()
	if err != nil {
		return nil, err
	}
	now := s.deps.DB.Now()
	var out web.List[View]
	err = s.deps.DB.Snapshot(ctx, func(q db.Querier) error {
		rows, total, err := list(ctx, q, in.where(web.PrincipalOf(ctx).Organisation, now), page, in.Direction > 0)
		next := ""
		if len(rows) > page.Limit {
			rows = rows[:page.Limit]
			next = rows[len(rows)-1].ID
		}
		views := make([]View, len(rows))
		for i, k := range rows {
			views[i] = viewOf(k, now)
		}
		out = web.NewList(views, total, next)
		return err
	})
	return &out, err
}

func (in *listIn) where(organisation string, now time.Time) db.Where {
	var w db.Where
	w.And("organisation = ?", organisation)
	if in.Receiver != "" {
		w.And("receiver = ?", in.Receiver)
	}
	var conditions []string
	var args []any
	for _, status := range in.Status {
		c, a := statusAt(Status(status), now)
		conditions, args = append(conditions, c), append(args, a...)
	}
	if len(conditions) > 0 {
		w.And("("+strings.Join(conditions, " OR ")+")", args...)
	}
	return w
}

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	k, err := ByID(ctx, s.deps.DB, web.PrincipalOf(ctx).Organisation, in.ID)
	if err != nil {
		return nil, err
	}
	v, err := warned(ctx, s.deps.DB, k, s.deps.DB.Now())
	return &v, err
}

// changed answers a use case that changes a link.
func (s *Service) changed(ctx context.Context, run func(organisation string, done Done) error) (*View, error) {
	return web.Once(ctx, 200, func(v View) View { return v }, func(done func(*db.Tx, View) error) error {
		return run(web.PrincipalOf(ctx).Organisation, func(tx *db.Tx, k Link) error {
			v, err := warned(ctx, tx, k, tx.Now)
			if err != nil {
				return err
			}
			return done(tx, v)
		})
	})
}

func (s *Service) revoke(ctx context.Context, in *byID) (*View, error) {
	return s.changed(ctx, func(org string, done Done) error { return s.Revoke(ctx, org, in.ID, done) })
}

func (s *Service) decision(decide func(ctx context.Context, organisation, linkID, proposal string, done Done) error) func(context.Context, *decideIn) (*View, error) {
	return func(ctx context.Context, in *decideIn) (*View, error) {
		return s.changed(ctx, func(org string, done Done) error { return decide(ctx, org, in.ID, in.Body.Proposal, done) })
	}
}

func (s *Service) payable(ctx context.Context, in *payableIn) (*payable.View, error) {
	b := in.Body
	input := payable.Input{Name: b.Name, Amount: b.Amount, Reason: b.Reason, Type: b.Type, DocumentStorageKey: b.DocumentStorageKey, CurrencyIsoCode: b.CurrencyIsoCode,
		TokenIsoCode: b.TokenIsoCode, ExpectedPaymentDate: b.ExpectedPaymentDate, Instructions: b.Instructions, InvoiceNumber: b.InvoiceNumber, BankAccount: b.BankAccount,
		Wallet: b.Wallet}
	return web.Once(ctx, 201, func(v payable.View) payable.View { return v }, func(done func(*db.Tx, payable.View) error) error {
		return s.Payable(ctx, b.TokenID, input, done)
	})
}

func (s *Service) info(ctx context.Context, in *infoIn) (*InfoView, error) {
	o, err := s.Open(ctx, in.Token)
	if err != nil {
		return nil, err
	}
	v := InfoView{Organisation: OrganisationView{Name: o.Info.Organisation}, Email: o.Info.Email, Existing: o.Info.Existing, Requested: o.Info.Requested,
		Steps: StepsView(o.Steps), Status: o.Status, Documents: documentsOf(o.Given.Documents), ExpiresAt: millis(o.ExpiresAt),
		BankAccount: givenAccount(o.Given.Account), Wallet: givenWallet(o.Given.Wallet)}
	if i := o.Given.Invoice; i != nil {
		v.Invoice = invoiceOf(*i)
	}
	return &v, nil
}

func (s *Service) validate(ctx context.Context, in *tokenIn) (*ValidView, error) {
	o, err := s.Open(ctx, in.Body.Token)
	if fault.Is(err, fault.LinkInvalid) {
		return &ValidView{}, nil
	}
	if err != nil {
		return nil, err
	}
	at := millis(o.ExpiresAt)
	return &ValidView{true, &at}, nil
}

func (s *Service) receiver(ctx context.Context, in *receiverIn) (*ReceiverIDView, error) {
	r := receiver.Receiver{Type: in.Body.Type, Email: in.Body.Email}
	in.Body.Person.Apply(&r)
	o, err := s.GiveReceiver(ctx, in.Body.Token, of(r))
	if err != nil {
		return nil, err
	}
	return &ReceiverIDView{o.Receiver}, nil
}

func (s *Service) account(ctx context.Context, in *accountIn) (*GivenView, error) {
	a := bankaccount.Account{Country: string(in.Body.BankCountry), Currency: string(in.Body.Currency)}
	in.Body.Fields.Apply(&a)
	o, err := s.GiveBankAccount(ctx, in.Body.Token, a)
	return givenAccount(o.Given.Account), err
}

func (s *Service) wallet(ctx context.Context, in *walletIn) (*GivenView, error) {
	o, err := s.GiveWallet(ctx, in.Body.Token, Wallet{Network: string(in.Body.Network), Address: in.Body.Address, Type: in.Body.Type})
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
	invoice := Invoice{Amount: b.Amount, Currency: b.Currency, Token: b.TokenCode, Number: b.InvoiceNumber, Reason: b.Reason, DocumentKey: b.DocumentKey}
	if b.DueDate != nil {
		invoice.DueDate = *b.DueDate
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
	return &GivenView{ID: a.ID, Country: a.Country, Currency: a.Currency, BankName: a.BankName, Ending: a.Ending, Status: a.Proposal.shown()}
}

func givenWallet(w *ShownWallet) *GivenView {
	if w == nil {
		return nil
	}
	return &GivenView{ID: w.ID, Network: w.Network, Ending: w.Ending, Status: w.Proposal.shown()}
}

// kept is what becomes of what a new receiver has handed in.
const kept = "KEPT"

func (p Proposal) shown() string {
	if p == "" {
		return kept
	}
	return string(p)
}
