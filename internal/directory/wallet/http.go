package wallet

import (
	"context"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/directory/receiver"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type createIn struct {
	Body struct {
		Address  string     `json:"address" maxLength:"100" doc:"0x and 40 hexadecimal digits; the chain's short name and a colon may stand before it (EIP-3770)"`
		Network  caller.Ref `json:"network" record:"network"`
		Type     Type       `json:"type,omitempty" enum:"EOA,MULTISIG" doc:"EOA when left out"`
		Receiver caller.Ref `json:"receiver" record:"receiver"`
		Note     string     `json:"ownershipMessage,omitempty" doc:"your words in the text to sign: at most 200 printable ASCII characters"`
	}
}

type byID struct {
	ID string `path:"id" maxLength:"64"`
}

type changeIn struct {
	byID
	Body struct {
		Address  string     `json:"address,omitempty" maxLength:"100" doc:"0x and 40 hexadecimal digits; the chain's short name and a colon may stand before it (EIP-3770)"`
		Network  caller.Ref `json:"network,omitempty" record:"network"`
		Type     Type       `json:"type,omitempty" enum:"EOA,MULTISIG" doc:"signs by one key, or by a contract"`
		Receiver caller.Ref `json:"receiver,omitempty" record:"receiver"`
		Note     *string    `json:"ownershipMessage,omitempty" doc:"your words in the text to sign; empty removes them"`
	}
}

type verifyIn struct {
	byID
	Body struct {
		Message   string `json:"message" maxLength:"4096" doc:"ownership.message, exactly as it was given" verbatim:"true"`
		Signature string `json:"signedMessage" maxLength:"16400" doc:"0x and the signature in hexadecimal digits"`
	}
}

type decideIn struct {
	byID
	Body struct {
		Decision Analysis `json:"decision" enum:"APPROVED,REJECTED" doc:"APPROVED lets the wallet be used"`
		Reason   string   `json:"reason" maxLength:"500" doc:"kept in the audit log"`
	}
}

type revokeIn struct {
	byID
	Body struct {
		Reason string `json:"reason" maxLength:"500" doc:"kept in the audit log"`
	}
}

type listIn struct {
	web.Paging
	Receiver   string   `query:"receiver" maxLength:"64" doc:"identifier of the receiver they belong to"`
	Network    string   `query:"network" maxLength:"64" doc:"identifier of the network they are on"`
	Type       string   `query:"type" enum:"EOA,MULTISIG" doc:"signs by one key, or by a contract"`
	Status     []string `query:"status[]" maxItems:"5" enum:"PENDING,VERIFIED,FAILED,EXPIRED,REVOKED" doc:"ownership.status"`
	SearchTerm string   `query:"searchTerm" maxLength:"200" doc:"words, each of which is part of the address, the id, or the receiver's name, e-mail address or id"`
	Direction  int      `query:"direction" default:"-1" enum:"-1,1" doc:"-1: newest first"`
}

// Routes registers the operations of wallets.
func (s *Service) Routes(api *web.API) {
	s.recordRoutes(api)
	s.proofRoutes(api)
	s.staffRoutes(api)
}

// operation describes an operation. What a tenant writes is for the roles that write.
func operation(method, path, id, summary string, access web.Access) web.Operation {
	o := web.Operation{
		Method:  method,
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "wallets",
		Access:  access,
	}
	if method != "GET" && access == web.Tenant {
		o.Roles = organisation.Writers()
	}

	return o
}

// Summaries that do not fit beside their path.
const (
	createSummary    = "Add a wallet; ownership.message is the text to sign"
	changeSummary    = "Change a wallet; another address, network, type or receiver has to be proven anew"
	verifySummary    = "Prove a wallet by signature"
	challengeSummary = "Ask for a new text to sign"
	decideSummary    = "Decide about a wallet in REVIEW; two people have to say the same"
)

func (s *Service) recordRoutes(api *web.API) {
	create := operation("POST", "/wallets", "createWallet", createSummary, web.Tenant)
	create.Status = 201
	create.Location = "/wallets/{id}"
	create.Stages = true
	create.Codes = []fault.Code{
		fault.AddressInvalid,
		fault.AddressChecksum,
		fault.AddressForbidden,
		fault.AddressOtherChain,
		fault.NetworkUnknown,
		fault.ReceiverUnknown,
		fault.WalletDuplicate,
		fault.OwnershipMessageRules,
	}
	web.Register(api, create, s.create)

	list := operation("GET", "/wallets/me", "listWallets", "List the organisation's wallets", web.Tenant)
	web.Register(api, list, s.list)

	read := operation("GET", "/wallets/{id}", "readWallet", "Read a wallet", web.Tenant)
	web.Register(api, read, s.read)
	api.Shows("wallet", func(ctx context.Context, id string) (any, error) { return s.read(ctx, &byID{ID: id}) })

	change := operation("PATCH", "/wallets/{id}", "changeWallet", changeSummary, web.Tenant)
	change.Codes = []fault.Code{
		fault.AddressInvalid,
		fault.AddressOtherChain,
		fault.WalletDuplicate,
		fault.WalletVerified,
	}
	change.Stages = true
	change.StepUp = true // who has taken over a session must not send other people's money elsewhere
	web.Register(api, change, s.change)

	remove := operation("DELETE", "/wallets/{id}", "deleteWallet", "Take a wallet out of use", web.Tenant)
	web.Register(api, remove, s.remove)
}

func (s *Service) proofRoutes(api *web.API) {
	verify := operation("POST", "/wallets/{id}/verify-wallet", "verifyWallet", verifySummary, web.Tenant)
	verify.Codes = []fault.Code{
		fault.SignatureMismatch,
		fault.SignatureMalformed,
		fault.SignatureUnsupported,
		fault.ChallengeMismatch,
		fault.ChallengeExpired,
		fault.WalletVerified,
		fault.WalletTypeWrong,
		fault.UpstreamFailed,
	}
	web.Register(api, verify, s.verify)

	challenge := operation("POST", "/wallets/{id}/challenge", "challengeWallet", challengeSummary, web.Tenant)
	challenge.Codes = []fault.Code{fault.WalletVerified}
	web.Register(api, challenge, s.challenge)
}

func (s *Service) staffRoutes(api *web.API) {
	decide := operation("POST", "/wallets/{id}/screening-decision", "decideWalletScreening", decideSummary, web.Staff)
	decide.Codes = []fault.Code{fault.WalletNotInReview, fault.ScreeningSecondPerson, fault.OperatorTooNew}
	decide.Description = "The first decision is a proposal; the wallet stays in REVIEW until a second person has " +
		"said the same. Another decision is a new proposal."
	decide.StepUp = true
	web.Register(api, decide, s.decide)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/operations/wallet-reviews",
		ID:      "listWalletReviews",
		Tag:     "operations",
		Access:  web.Staff,
		Summary: "List wallets in REVIEW, with what one person has proposed of them",
	}, s.listWaiting)

	revoke := operation("POST", "/wallets/{id}/revoke", "revokeWallet", "End a wallet's proof of ownership", web.Staff)
	revoke.Codes = []fault.Code{fault.WalletNotVerified}
	web.Register(api, revoke, s.revoke)
}

func same(v View) View { return v }

func sameReviewed(v ReviewedView) ReviewedView { return v }

// once runs a use case of a tenant that writes.
func once(ctx context.Context, status int, run func(organisation string, done doneFunc) error) (*View, error) {
	return web.Once(ctx, status, same, func(done func(*db.Tx, View) error) error {
		return run(caller.Of(ctx).Organisation, done)
	})
}

func (s *Service) create(ctx context.Context, in *createIn) (*View, error) {
	b := in.Body
	if b.Type == "" {
		b.Type = EOA
	}

	wish := Wish{
		Receiver: string(b.Receiver),
		Network:  string(b.Network),
		Address:  b.Address,
		Type:     b.Type,
		Note:     b.Note,
	}

	return once(ctx, 201, func(org string, done doneFunc) error { return s.Create(ctx, org, wish, done) })
}

func (s *Service) change(ctx context.Context, in *changeIn) (*View, error) {
	b := in.Body
	wish := Wish{Receiver: string(b.Receiver), Network: string(b.Network), Address: b.Address, Type: b.Type}

	return once(ctx, 200, func(org string, done doneFunc) error {
		return s.Change(ctx, org, in.ID, wish, b.Note, done)
	})
}

func (s *Service) remove(ctx context.Context, in *byID) (*View, error) {
	return once(ctx, 200, func(org string, done doneFunc) error { return s.Delete(ctx, org, in.ID, done) })
}

func (s *Service) verify(ctx context.Context, in *verifyIn) (*View, error) {
	return once(ctx, 200, func(org string, done doneFunc) error {
		return s.Verify(ctx, org, in.ID, in.Body.Message, in.Body.Signature, done)
	})
}

func (s *Service) challenge(ctx context.Context, in *byID) (*View, error) {
	return once(ctx, 200, func(org string, done doneFunc) error { return s.Challenge(ctx, org, in.ID, done) })
}

func (s *Service) decide(ctx context.Context, in *decideIn) (*ReviewedView, error) {
	reason := strings.TrimSpace(in.Body.Reason)

	return web.Once(ctx, 200, sameReviewed, func(done func(*db.Tx, ReviewedView) error) error {
		return s.Decide(ctx, in.ID, in.Body.Decision, reason, done)
	})
}

func (s *Service) revoke(ctx context.Context, in *revokeIn) (*View, error) {
	return web.Once(ctx, 200, same, func(done func(*db.Tx, View) error) error {
		return s.Revoke(ctx, in.ID, strings.TrimSpace(in.Body.Reason), done)
	})
}

func (s *Service) read(ctx context.Context, in *byID) (*View, error) {
	org := caller.Of(ctx).Organisation

	w, err := ByID(ctx, s.deps.DB, org, in.ID)
	if err != nil {
		return nil, err
	}

	return web.Only(s.Views(ctx, s.deps.DB, org, []Wallet{w}, s.deps.DB.Now()))
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[View], error) {
	org := caller.Of(ctx).Organisation
	now := s.deps.DB.Now()

	return web.ListOf(ctx, s.deps.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Wallet, int64, error) {
		return list(ctx, q, in.where(org, now), page, in.Direction > 0)
	}, identifier, func(q db.Querier, rows []Wallet) ([]View, error) {
		return s.Views(ctx, q, org, rows, now)
	})
}

func (in *listIn) where(organisation string, now time.Time) db.Where {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("NOT soft_deleted")

	for _, f := range []struct{ condition, value string }{
		{"receiver = ?", in.Receiver},
		{"network = ?", in.Network},
		{"type = ?", in.Type},
	} {
		if f.value != "" {
			w.And(f.condition, f.value)
		}
	}

	for word := range strings.FieldsSeq(in.SearchTerm) {
		var address, id db.Where
		address.Contains("LOWER(address)", word)
		id.Contains("id", word)
		w.Either(address, id, receiver.Found("receiver", organisation, word))
	}

	db.Any(&w, in.Status, func(s string) (string, []any) { return ownedAt(Ownership(s), now) })

	return w
}
