package invoicelink

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/payable"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/standards/mailbox"
)

// Answers and request bodies of members.

type createIn struct {
	Body struct {
		Existing bool   `json:"isExistingReceiver" doc:"whether you know the receiver already; a new one is made with the payable"`
		Email    string `json:"email" maxLength:"254" doc:"to which the link is mailed"`
		Receiver string `json:"receiverId,omitempty" maxLength:"64" doc:"of a known receiver; not needed where exactly one has this address"`
		Requested
	}
}

// MadeView is a link that was just created.
type MadeView struct {
	URL       string    `json:"link" doc:"it was mailed; it is shown once"`
	TokenID   string    `json:"tokenId" doc:"names the link in every other operation"`
	ExpiresAt time.Time `json:"expiresAt"`
	Email     string    `json:"email"`
}

// Record returns the identifier and the version of the link.
func (v MadeView) Record() (id string, version int64) { return v.TokenID, 1 }

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
		TokenID             string     `json:"tokenId" maxLength:"64" doc:"the link, as it was named when it was made"`
		Name                string     `json:"name,omitempty" maxLength:"200" doc:"what the invoice is called"`
		Amount              string     `json:"amount,omitempty" maxLength:"64" doc:"decimal text, in the currency or token"`
		Reason              string     `json:"reason,omitempty" maxLength:"400" doc:"what is paid for; the receiver reads it"`
		Type                string     `json:"type,omitempty" enum:"FIAT,CRYPTO" doc:"FIAT: to a bank account; CRYPTO: to a wallet"`
		DocumentStorageKey  string     `json:"documentStorageKey,omitempty" maxLength:"200" doc:"of a document that was uploaded, by the link or by you"`
		CurrencyIsoCode     string     `json:"currencyIsoCode,omitempty" maxLength:"3" doc:"FIAT: the bank account's currency"`
		TokenIsoCode        string     `json:"tokenIsoCode,omitempty" maxLength:"16" doc:"CRYPTO: the token"`
		ExpectedPaymentDate string     `json:"expectedPaymentDate,omitempty" maxLength:"64" doc:"when it is to be paid, as a date or a date-time"`
		Instructions        string     `json:"instructions,omitempty" maxLength:"1000" doc:"for people; nothing acts on it"`
		InvoiceNumber       string     `json:"invoiceNumber,omitempty" maxLength:"70" doc:"the receiver's number of the invoice"`
		BankAccount         caller.Ref `json:"bankAccount,omitempty" record:"bankAccount" doc:"FIAT: another one of a known receiver; or the one that was handed in, so that no other is taken"`
		Wallet              caller.Ref `json:"wallet,omitempty" record:"wallet" doc:"CRYPTO: the same"`
	}
}

// deciders returns the roles that may accept what an outside party proposes: those that may add a payee, and those that
// may approve one.
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

// memberOperation returns an operation on invoice links; writing ones are for the roles that may write.
func memberOperation(method, path, id, summary string, codes ...fault.Code) web.Operation {
	o := web.Operation{
		Method:  method,
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "payables",
		Access:  web.Tenant,
		Codes:   codes,
	}
	if method != "GET" {
		o.Roles = organisation.Writers()
	}

	return o
}

// memberRoutes registers what members do with links.
func (s *Service) memberRoutes(api *web.API) {
	create := memberOperation(
		"POST",
		"/payables/generate-invoice-link",
		"createInvoiceLink",
		"Ask an outside party for its invoice",
		fault.OrgNotApproved,
		fault.ReceiverUnknown,
		fault.ReceiverAmbiguous,
		fault.InvoiceLinkLimit,
	)

	create.Status = 201
	create.Location = "/payables/invoice-links/{id}"
	create.NoIdempotency = true // the answer contains the token, which is stored nowhere
	create.Description = "The link goes out by mail, and lets whoever follows it say who he is, where to pay to " +
		"and what for, without an account."
	web.Register(api, create, s.create)

	list := memberOperation("GET", "/payables/invoice-links", "listInvoiceLinks", "List invoice links")
	web.Register(api, list, s.list)

	const one = "/payables/invoice-links/{tokenId}"

	read := memberOperation("GET", one, "readInvoiceLink", "Read an invoice link and what was handed in by it")
	web.Register(api, read, s.read)

	revoke := memberOperation("DELETE", one, "revokeInvoiceLink", "Revoke an invoice link", fault.InvoiceLinkClosed)
	web.Register(api, revoke, s.revoke)

	again := memberOperation(
		"POST",
		"/payables/invoice-links/{tokenId}/send-again",
		"sendInvoiceLinkAgain",
		"Mail an invoice link once more",
		fault.InvoiceLinkClosed,
		fault.InvoiceLinkLimit,
		fault.OrgNotApproved,
	)

	again.Description = "For a link that waits, or that nobody used in time. The mail holds a new link, and those " +
		"before it lead nowhere. What was handed in so far stays. The new link is in the mail alone."
	web.Register(api, again, s.sendAgain)

	s.decisionRoutes(api)
}

// decisionRoutes registers what members decide about what was handed in.
func (s *Service) decisionRoutes(api *web.API) {
	decision := []fault.Code{fault.ProposalChanged, fault.ProposalDecided, fault.InvoiceLinkClosed}

	confirm := memberOperation(
		"POST",
		"/payables/invoice-links/{tokenId}/confirm",
		"confirmInvoiceLinkProposal",
		"Let in an account or wallet that a known receiver has handed in",
		append(decision, fault.SecondPersonRequired, fault.OrgNotApproved, fault.WalletDuplicate)...)

	confirm.Description = "It is added to what the receiver has; nothing of that is changed. " +
		"Nothing is paid to it for 24 hours, and the receiver is told at the address it is known by."
	confirm.Roles = deciders()
	confirm.StepUp = true
	confirm.PeopleOnly = true // a program cannot check it
	web.Register(api, confirm, s.decision(s.Confirm))

	refuse := memberOperation(
		"POST",
		"/payables/invoice-links/{tokenId}/refuse",
		"refuseInvoiceLinkProposal",
		"Turn such a proposal down",
		decision...)

	refuse.Roles = deciders()
	web.Register(api, refuse, s.decision(s.Refuse))

	take := memberOperation(
		"POST",
		"/payables/create-invoice-payable",
		"createInvoicePayable",
		"Make a payable of what was handed in",
		fault.InvoiceLinkClosed,
		fault.InvoiceLinkIncomplete,
		fault.ProposalOpen,
		fault.OrgNotApproved,
	)

	take.Status = 201
	take.Location = "/payables/{id}"
	take.Description = "What is left out is taken from what was handed in. A new receiver comes into being with " +
		"it, and the link is closed."
	web.Register(api, take, s.payable)
}

func (s *Service) create(ctx context.Context, in *createIn) (*MadeView, error) {
	wish := Wish{
		Email:     in.Body.Email,
		Existing:  in.Body.Existing,
		Receiver:  in.Body.Receiver,
		Requested: in.Body.Requested,
	}
	view := func(m Made) MadeView {
		return MadeView{m.URL, m.Link.ID, millis(m.Link.ExpiresAt), mailbox.Show(m.Link.Email)}
	}

	return web.Once(ctx, 201, view, func(done func(*db.Tx, Made) error) error { return s.Create(ctx, wish, done) })
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	now := s.deps.DB.Now()

	return web.ListOf(ctx, s.deps.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Link, int64, error) {
		return list(ctx, q, in.where(caller.Of(ctx).Organisation, now), page, in.Direction > 0)
	}, func(k Link) string { return k.ID }, web.Each(func(k Link) View { return viewOf(ctx, k, now) }))
}

func (in *listIn) where(organisation string, now time.Time) db.Where {
	var w db.Where
	w.And("organisation = ?", organisation)

	if in.Receiver != "" {
		w.And("receiver = ?", in.Receiver)
	}

	db.Any(&w, in.Status, func(s string) (string, []any) { return statusAt(Status(s), now) })

	return w
}

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	k, err := ByID(ctx, s.deps.DB, caller.Of(ctx).Organisation, in.ID)
	if err != nil {
		return nil, err
	}

	v, err := s.shown(ctx, s.deps.DB, k, s.deps.DB.Now())

	return &v, err
}

// changed runs a use case that changes a link and returns the answer.
func (s *Service) changed(ctx context.Context, run func(organisation string, done Done) error) (*View, error) {
	return web.Once(ctx, 200, func(v View) View { return v }, func(done func(*db.Tx, View) error) error {
		return run(caller.Of(ctx).Organisation, func(tx *db.Tx, k Link) error {
			v, err := s.shown(ctx, tx, k, tx.Now)
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

func (s *Service) sendAgain(ctx context.Context, in *byID) (*View, error) {
	return s.changed(ctx, func(org string, done Done) error { return s.SendAgain(ctx, org, in.ID, done) })
}

func (s *Service) decision(
	decide func(ctx context.Context, organisation, linkID, proposal string, done Done) error,
) func(context.Context, *decideIn) (*View, error) {
	return func(ctx context.Context, in *decideIn) (*View, error) {
		return s.changed(ctx, func(org string, done Done) error {
			return decide(ctx, org, in.ID, in.Body.Proposal, done)
		})
	}
}

func (s *Service) payable(ctx context.Context, in *payableIn) (*payable.View, error) {
	b := in.Body
	input := payable.Input{
		Name:                b.Name,
		Amount:              b.Amount,
		Reason:              b.Reason,
		Type:                b.Type,
		DocumentStorageKey:  b.DocumentStorageKey,
		CurrencyIsoCode:     b.CurrencyIsoCode,
		TokenIsoCode:        b.TokenIsoCode,
		ExpectedPaymentDate: b.ExpectedPaymentDate,
		Instructions:        b.Instructions,
		InvoiceNumber:       b.InvoiceNumber,
		BankAccount:         b.BankAccount,
		Wallet:              b.Wallet,
	}

	return web.Once(ctx, 201, func(v payable.View) payable.View {
		return v
	}, func(done func(*db.Tx, payable.View) error) error {
		return s.Payable(ctx, b.TokenID, input, done)
	})
}
