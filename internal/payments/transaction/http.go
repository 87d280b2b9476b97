package transaction

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
	"slipway/internal/rails/chain/contract"
)

type (
	createIn struct {
		Partner string `header:"partnerId" maxLength:"64" doc:"a partner of your credential"`
		Body    Input
	}
	idIn struct {
		ID string `path:"id"`
	}
	updateIn struct {
		ID   string `path:"id"`
		Body Input
	}
	hideIn struct {
		ID   string `path:"id"`
		Body struct {
			IsHidden bool `json:"isHidden" doc:"true: lists with isHidden=false leave it out; false: they show it again"`
		}
	}
	submitBody struct {
		Sender   string      `json:"sender,omitempty" maxLength:"200" doc:"ONRAMP only: who sends the deposit"`
		Permit   *SignedBody `json:"permit,omitempty" doc:"what the paying wallet has signed in place of an approval, as check-allowance has offered it"`
		OwnUntil int64       `json:"ownUntil,omitempty" minimum:"0" doc:"CRYPTO only: the wallet pays the batch itself until this time (Unix seconds), with the calls of own-calls, and approves nothing before; 10 minutes to 30 days from now" example:"1795600000"`
	}
	submitIn struct {
		ID   string `path:"id"`
		Body submitBody
	}
	acceptBody struct {
		Permit *SignedBody `json:"permit,omitempty" doc:"what the paying wallet has signed since, in place of an approval or of an earlier signature"`
		Intent *IntentBody `json:"intent,omitempty" doc:"the wallet's signature of exactly this batch, as GET /transactions/{id}/intent shows it"`
	}
	acceptIn struct {
		ID   string `path:"id"`
		Body acceptBody
	}
	allowanceIn struct {
		ID   string `path:"id"`
		Body struct {
			HeadroomPercent string `json:"headroomPercent,omitempty" maxLength:"8" doc:"FIAT only: by how many percent the approval calls approve more than is required, 0 to 5; the organisation's quoteHeadroomPercent when left out. The debit is exact all the same" example:"1.5"`
		}
	}
)

// ValidateView is the answer of validate when the transaction could be submitted.
type ValidateView struct {
	Valid  bool            `json:"valid"`
	Issues []IssueView     `json:"issues" nullable:"false"`
	Quote  *QuoteView      `json:"quote" doc:"what submit would take: the one that check-allowance has locked, while it holds; otherwise at the present rates, without _id and not locked. null for CRYPTO, where nothing is converted, and for ONRAMP, whose rate is that of the day of the deposit"`
	Fees   []quote.FeeView `json:"fees" nullable:"false"`
	Totals TotalsView      `json:"totals"`
}

// InvalidView is what the refusal of validate has besides a problem document.
type InvalidView struct {
	Valid  bool        `json:"valid,omitempty" doc:"always false"`
	Issues []IssueView `json:"issues,omitempty" nullable:"false" doc:"everything that has to be corrected"`
}

// IssueView is one reason why the transaction cannot be submitted.
type IssueView struct {
	Pointer  string     `json:"pointer"`
	Code     fault.Code `json:"code"`
	Message  string     `json:"message"`
	Severity string     `json:"severity" enum:"ERROR,WARNING"`
	Related  []string   `json:"related" nullable:"false" doc:"identifiers of the transactions and payables that it is about, besides this one"`
}

// Routes registers the operations that transactions of every type have.
func (s *Service) Routes(api *web.API) {
	web.Register(api, createOperation(), s.httpCreate)
	web.Register(api, read("/transactions", "listTransactions", "List transactions"), s.httpList)
	web.Register(api, exportOperation(), s.httpExport)
	web.Register(
		api,
		read("/transactions/{id}", "getTransaction", "Read one transaction; poll this to follow it"),
		s.httpGet,
	)

	web.Register(api, explainOperation(), s.httpExplain)
	web.Register(api, updateOperation(), s.httpUpdate)
	web.Register(api, hideOperation(), s.httpHide)
	web.Register(api, deleteOperation(), s.httpDelete)
	web.Register(api, validateOperation(), s.httpValidate)
	web.Register(api, remarksOperation(), s.httpRemarks)
	web.Register(api, allowanceOperation(), s.httpAllowance)
	web.Register(api, submitOperation(), s.httpSubmit)
	web.Register(api, acceptOperation(), s.httpAccept)
	web.Register(api, agreeOperation(), s.httpAgree)
	web.Register(api, intentOperation(), s.httpIntent)
	web.Register(api, ownCallsOperation(), s.httpOwnCalls)
	web.Register(api, balancesOperation(), s.httpBalances)
	web.Register(api, openAllowancesOperation(), s.httpOpenAllowances)
	web.Register(api, limitsOperation(), s.httpLimits)
}

// read returns an operation that every member may call.
func read(path, id, summary string) web.Operation {
	return web.Operation{
		Method:  "GET",
		Path:    path,
		ID:      id,
		Summary: summary,
		Tag:     "transactions",
		Access:  web.Tenant,
	}
}

// write returns an operation that only members who may write may call.
func write(method, path, id, summary string, codes ...fault.Code) web.Operation {
	o := read(path, id, summary)
	o.Method = method
	o.Codes = codes
	o.Roles = organisation.Writers()

	return o
}

func ownCallsOperation() web.Operation {
	const summary = "Show the calls with which the wallet pays an accepted batch itself"

	o := read("/transactions/{id}/own-calls", "getTransactionOwnCalls", summary)
	o.Description = "Of a transaction that was submitted with `ownUntil`. The wallet sends them in one transaction, as " +
		"a Safe's batch; the service sends nothing and settles by what the chain proves."
	o.Codes = []fault.Code{fault.UpstreamFailed}

	return o
}

func intentOperation() web.Operation {
	const summary = "Show what the paying wallet signs for exactly this batch"

	o := read("/transactions/{id}/intent", "getTransactionIntent", summary)
	o.Description = "A member hands the signature in with accept. It is required where the wallet has set on the router " +
		"that nothing is paid without, or the organisation's policy wants it."
	o.Codes = []fault.Code{fault.TxNotWaiting, fault.TxNotForType, fault.UpstreamFailed}

	return o
}

// balancesOperation stands beside transactions, whose reservations it shows.
func balancesOperation() web.Operation {
	o := read("/wallets/{id}/balances", "readWalletBalances", "Read what a wallet holds and has approved, by token")
	o.Tag = "wallets"
	o.Description = "Asked of the chain at one block. When the chain cannot be asked, `known` is false and the amounts " +
		"are null: unknown is not zero."

	return o
}

// openAllowancesOperation stands beside the balances.
func openAllowancesOperation() web.Operation {
	o := read("/wallets/{id}/allowances", "readWalletAllowances", "Read what a wallet lets contracts take, by token")
	o.Tag = "wallets"
	o.Description = "Asked of the chain at one block: about the router, routers before it, Permit2, and contracts that you " +
		"name. Each comes with the call that takes it back. When the chain cannot be asked, `known` is false."

	return o
}

// limitsOperation stands beside the balances.
func limitsOperation() web.Operation {
	o := read("/wallets/{id}/limits", "readWalletLimits", "Read what a wallet has set on the router, beside the policy")
	o.Tag = "wallets"
	o.Description = "Asked of the chain at one block: whether every batch needs the wallet's signature, and its daily caps. " +
		"`calls` are those with which the wallet brings the router to the organisation's approval policy. When the chain " +
		"cannot be asked, `known` is false."

	return o
}

func explainOperation() web.Operation {
	const summary = "Say where a transaction stands, whom it waits for, and what happens next"

	o := read("/transactions/{id}/explain", "explainTransaction", summary)
	o.Description = "Follows from the tables of states (docs/reference/states) and from what is stored: a move that is " +
		"not listed cannot happen."

	return o
}

// draftCodes returns the refusals of what a draft says.
func draftCodes() []fault.Code {
	return []fault.Code{
		fault.PayerWallet,
		fault.TokenNotOnNetwork,
		fault.ReceiverUnknown,
		fault.WalletUnknown,
		fault.AmountPrecision,
		fault.BankAccountUnknown,
		fault.CurrencyMismatch,
		fault.AmountBelowMinimum,
		fault.CurrencyNotOnramp,
		fault.OrgNotApproved,
		fault.TypeUnsupported,
		fault.RateUnavailable,
		fault.RateStale,
	}
}

func createOperation() web.Operation {
	o := write("POST", "/transactions", "createTransaction", "Create a draft with 1 to 30 payments", draftCodes()...)
	o.Status = http.StatusCreated
	o.Location = "/transactions/{id}"
	o.Stages = true
	o.MovesMoney = true
	o.Examples = examples()

	return o
}

func updateOperation() web.Operation {
	codes := append([]fault.Code{fault.TxNotDraft, fault.TxOfPayables, fault.VersionMismatch}, draftCodes()...)
	o := write("PUT", "/transactions/{id}", "updateTransaction", "Replace a draft", codes...)
	o.Stages = true

	return o
}

func hideOperation() web.Operation {
	const summary = "Hide a transaction from lists, or show it again; it changes nothing else, in whatever state it is"
	return write("PATCH", "/transactions/{id}", "hideTransaction", summary)
}

func deleteOperation() web.Operation {
	const summary = "Delete a draft, or cancel and delete one that waits for acceptance"
	return write("DELETE", "/transactions/{id}", "deleteTransaction", summary, fault.TxNotDeletable)
}

func validateOperation() web.Operation {
	const summary = "Say everything that would keep the draft from being submitted"

	o := write("POST", "/transactions/{id}/validate", "validateTransaction", summary,
		fault.TxNotDraft,
		fault.TypeUnsupported,
		fault.WalletNotVerified,
		fault.WalletNotScreened,
		fault.BankAccountNotValidated,
		fault.BankAccountCoolingDown,
		fault.EstimateOff,
		fault.ValueLimit,
		fault.RateUnavailable,
		fault.RateStale,
		fault.ScreeningRejected,
		fault.AddressNotScreened,
		fault.NameRejected,
		fault.NameInReview,
		fault.AddressLooksAlike,
		fault.AddressNew,
		fault.AddressContract,
		fault.PossibleDuplicate,
	)
	o.NoIdempotency = true
	o.Roles = nil // it changes nothing; the result of screening is recorded
	o.RefusalWith = map[int]any{http.StatusUnprocessableEntity: InvalidView{}}

	return o
}

func allowanceOperation() web.Operation {
	const summary = "Say whether the wallet has approved enough, and lock the quote of a draft"

	o := write("POST", "/transactions/{id}/check-allowance", "checkAllowance", summary,
		fault.UpstreamFailed,
		fault.TxNotForType,
		fault.TypeUnsupported,
		fault.TxChanged,
		fault.EstimateOff,
		fault.ValueLimit,
		fault.CumulativeLimit,
		fault.RateUnavailable,
		fault.RateStale,
		fault.QuotesUnused,
	)
	o.NoIdempotency = true // a second call returns the quote that the first one has locked
	o.OptionalBody = true
	o.Roles = nil // everyone may look; only for those who may write it locks the quote

	return o
}

func submitOperation() web.Operation {
	o := write("POST", "/transactions/{id}/submit", "submitTransaction", "Lock a draft for acceptance",
		fault.TxNotDraft,
		fault.TxChanged,
		fault.TypeUnsupported,
		fault.UpstreamFailed,
		fault.RateUnavailable,
		fault.RateStale,
		fault.QuotesUnused,
		fault.AllowanceShort,
		fault.BalanceShort,
		fault.ReservationShort,
		fault.ScreeningRejected,
		fault.AddressNotScreened,
		fault.PermitConflict,
		fault.SignatureMismatch,
		fault.SignatureMalformed,
		fault.SignatureUnsupported,
		fault.DeadlineOff,
		fault.IntentRequired,
		fault.NameRejected,
		fault.NameInReview,
	)
	o.OptionalBody = true

	return o
}

func acceptOperation() web.Operation {
	o := write("POST", "/transactions/{id}/accept", "acceptTransaction", "Decide to pay",
		fault.TxNotWaiting,
		fault.TxChanged,
		fault.TypeUnsupported,
		fault.SecondPersonRequired,
		fault.MorePeopleRequired,
		fault.UpstreamFailed,
		fault.RateUnavailable,
		fault.RateStale,
		fault.QuotesUnused,
		fault.OrgNotApproved,
		fault.MemberNotAuthor,
		fault.AllowanceShort,
		fault.BalanceShort,
		fault.QuoteExpired,
		fault.VersionMismatch,
		fault.TxNotForType,
		fault.ScreeningRejected,
		fault.AddressNotScreened,
		fault.PermitConflict,
		fault.SignatureMismatch,
		fault.SignatureMalformed,
		fault.SignatureUnsupported,
		fault.DeadlineOff,
		fault.IntentRequired,
		fault.NameRejected,
		fault.NameInReview,
	)
	o.OptionalBody = true
	o.StepUp = true
	o.Scope = "transactions:accept"
	o.MovesMoney = true
	o.Roles = nil // the accepting statement itself checks who may accept
	o.RefusalWith = map[int]any{http.StatusConflict: quote.ExpiredView{}}

	return o
}

func agreeOperation() web.Operation {
	o := write("POST", "/transactions/{id}/agree", "agreeToTransaction", "Agree to pay, before the last one accepts",
		fault.TxNotWaiting,
		fault.TxChanged,
		fault.AgreementNotNeeded,
		fault.SecondPersonRequired,
		fault.OrgNotApproved,
		fault.MemberNotAuthor,
		fault.VersionMismatch,
	)
	o.Description = "Where the organisation's policy wants several people to accept a transaction together (`acceptance`), all " +
		"but one agree, and the last one accepts. It moves nothing. For those who may accept."
	o.StepUp = true
	o.PeopleOnly = true
	o.MovesMoney = true
	o.Roles = nil // the statement itself checks who may accept

	return o
}

func (s *Service) httpAgree(ctx context.Context, in *idIn) (*View, error) {
	return s.Answer(ctx, http.StatusOK, func(done Done) error { return s.Agree(ctx, in.ID, done) })
}

func (s *Service) httpCreate(ctx context.Context, in *createIn) (*View, error) {
	return s.Answer(ctx, http.StatusCreated, func(done Done) error {
		return s.Create(ctx, in.Body, in.Partner, done)
	})
}

func (s *Service) httpGet(ctx context.Context, in *idIn) (*View, error) {
	_, v, err := s.Show(ctx, in.ID)
	return &v, err
}

func (s *Service) httpExplain(ctx context.Context, in *idIn) (*ExplainView, error) {
	return s.Explain(ctx, in.ID)
}

// Show returns the caller's transaction and its complete view, as GET /transactions/{id} answers.
func (s *Service) Show(ctx context.Context, id string) (Transaction, View, error) {
	t, err := s.Find(ctx, s.DB, id)
	if err != nil {
		return t, View{}, err
	}

	v, err := s.View(ctx, s.DB, t)

	return t, v, err
}

func (s *Service) httpUpdate(ctx context.Context, in *updateIn) (*View, error) {
	return s.Answer(ctx, http.StatusOK, func(done Done) error {
		return s.Replace(ctx, in.ID, in.Body, done)
	})
}

func (s *Service) httpHide(ctx context.Context, in *hideIn) (*View, error) {
	return s.Answer(ctx, http.StatusOK, func(done Done) error {
		return s.Hide(ctx, in.ID, in.Body.IsHidden, done)
	})
}

func (s *Service) httpDelete(ctx context.Context, in *idIn) (*View, error) {
	return s.Answer(ctx, http.StatusOK, func(done Done) error { return s.Delete(ctx, in.ID, done) })
}

func (s *Service) httpSubmit(ctx context.Context, in *submitIn) (*View, error) {
	return s.Answer(ctx, http.StatusOK, func(done Done) error {
		return s.Submit(ctx, in.ID, strings.TrimSpace(in.Body.Sender), in.Body.rests(), done)
	})
}

func (s *Service) httpAccept(ctx context.Context, in *acceptIn) (*View, error) {
	m, signed, err := in.Body.signed()
	if err != nil {
		return nil, err
	}

	return s.Answer(ctx, http.StatusOK, func(done Done) error {
		if m == "" {
			return s.Accept(ctx, in.ID, done)
		}

		return s.AcceptSigned(ctx, in.ID, m, signed, done)
	})
}

// signed returns what the wallet has signed, if anything.
func (b acceptBody) signed() (contract.Manner, SignedBody, error) {
	switch {
	case b.Permit != nil && b.Intent != nil:
		var l fault.List
		l.Add("/intent", fault.NotAllowed, "stands in the permit, if the wallet signs both.")

		return "", SignedBody{}, l.Err()
	case b.Permit != nil:
		return contract.Manner(b.Permit.Manner), *b.Permit, nil
	case b.Intent != nil:
		return contract.ByIntent, SignedBody{Deadline: b.Intent.Deadline, Signature: b.Intent.Signature}, nil
	}

	return "", SignedBody{}, nil
}

func (b submitBody) rests() Rests { return Rests{Permit: b.Permit, OwnUntil: b.OwnUntil} }

func (s *Service) httpOwnCalls(ctx context.Context, in *idIn) (*OwnCalls, error) {
	v, err := s.OwnCalls(ctx, in.ID)
	return &v, err
}

func (s *Service) httpIntent(ctx context.Context, in *idIn) (*IntentView, error) {
	v, err := s.Intent(ctx, in.ID)
	return &v, err
}

func same(v View) View { return v }

// Answer runs a use case that changes a transaction and returns the answer: the transaction as GET shows it, at the end
// of the use case's write.
func (s *Service) Answer(ctx context.Context, status int, run func(done Done) error) (*View, error) {
	return web.Once(ctx, status, same, func(answered func(*db.Tx, View) error) error {
		return run(func(tx *db.Tx, t Transaction) error {
			v, err := s.View(ctx, tx, t)
			if err != nil {
				return err
			}

			return answered(tx, v)
		})
	})
}

// httpValidate answers 200, or 422 with the same reasons twice: as the errors that every problem document has, and as
// the issues of the interface's description.
func (s *Service) httpValidate(ctx context.Context, in *idIn) (*ValidateView, error) {
	t, price, err := s.Validate(ctx, in.ID)

	var f *fault.Fault
	if errors.As(err, &f) && f.Kind == fault.Invalid {
		issues := make([]IssueView, len(f.Fields))
		for i, x := range f.Fields {
			issues[i] = IssueView{x.Pointer, x.Code, x.Message, "ERROR", []string{}}
		}

		return nil, f.With("valid", false).With("issues", issues)
	}

	if err != nil {
		return nil, err
	}

	shown := s.viewOf(t, caller.Of(ctx))

	out := &ValidateView{Valid: true, Issues: []IssueView{}, Fees: []quote.FeeView{}, Totals: shown.Totals}
	if price != nil {
		v := QuoteView(price.View())
		out.Quote = &v
		out.Fees = price.FeeViews()
	}

	out.Issues, err = s.remarks(ctx, t)

	return out, err
}

func (s *Service) httpAllowance(ctx context.Context, in *allowanceIn) (*Allowance, error) {
	a, err := s.CheckAllowance(ctx, in.ID, in.Body.HeadroomPercent)
	return &a, err
}
