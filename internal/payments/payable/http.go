package payable

import (
	"context"
	"net/http"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

type (
	createIn struct {
		Body Input
	}
	byID struct {
		ID string `path:"id" maxLength:"64"`
	}
	changeIn struct {
		byID
		Body Edit
	}
	rejectIn struct {
		byID
		Body struct {
			Reason string `json:"reason" maxLength:"500" doc:"for people; kept with the payable"`
		}
	}
	commentIn struct {
		byID
		Body struct {
			Comment string `json:"comment,omitempty" maxLength:"500" doc:"kept with the approval" verbatim:"true"`
		}
	}
	reopenIn struct {
		byID
		Body struct {
			Reason string `json:"reason,omitempty" maxLength:"500" doc:"kept with the approval that ends"`
		}
	}
	approveAllIn struct {
		Body struct {
			IDs     []string `json:"ids" minItems:"1" maxItems:"100" doc:"identifiers of payables"`
			Comment string   `json:"comment,omitempty" maxLength:"500" doc:"kept with each approval"`
		}
	}
	payIn struct {
		Body struct {
			IDs   []string `json:"payableIds" minItems:"1" maxItems:"30" doc:"identifiers of APPROVED payables of one type"`
			Token string   `json:"token,omitempty" enum:"USDT,USDC,DAI" doc:"token to pay with; the organisation's defaultToken when left out"`
		}
	}
	listIn struct {
		web.Paging
		web.Period
		Status       []string `query:"status[]" enum:"DRAFT,APPROVED,REJECTED,PAID" doc:"in one of these states"`
		Type         []string `query:"type[]" enum:"FIAT,CRYPTO" doc:"of one of these types"`
		Receiver     string   `query:"receiver" maxLength:"64" doc:"identifier of a receiver"`
		Currencies   []string `query:"currencies[]" doc:"codes or identifiers of fiat currencies; with tokens[], either"`
		Tokens       []string `query:"tokens[]" enum:"USDT,USDC,DAI" doc:"in one of these tokens"`
		ExpectedFrom string   `query:"expectedFrom" maxLength:"40" doc:"to be paid on or after this day"`
		ExpectedTo   string   `query:"expectedTo" maxLength:"40" doc:"to be paid on or before this day"`
		SearchTerm   string   `query:"searchTerm" maxLength:"200" doc:"words, each of which is part of the id, name, receiver's name, invoice number, amount, reference or reason"`
		SortBy       string   `query:"sortBy" enum:"createdAt,updatedAt,expectedPaymentDate,amount,status,type,_id" doc:"createdAt when left out; amounts as numbers, whatever they are of"`
		Direction    int      `query:"direction" enum:"-1,1" default:"-1" doc:"-1: descending, newest first; 1: ascending"`
	}
)

// Routes registers the operations of payables, and the one that makes a transaction from them.
func (s *Service) Routes(api *web.API) {
	s.contentRoutes(api)
	s.approvalRoutes(api)
	s.payRoute(api)
}

// operation returns an operation on payables; writing ones are for the roles that may write.
func operation(method, path, id, summary string, codes ...fault.Code) web.Operation {
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

// payableLocation is where a payable that was made is read.
const payableLocation = "/payables/{id}"

// contentRoutes registers the operations that read and write the content of payables.
func (s *Service) contentRoutes(api *web.API) {
	wrong := []fault.Code{
		fault.ReceiverUnknown,
		fault.BankAccountUnknown,
		fault.WalletUnknown,
		fault.CurrencyMismatch,
		fault.TokenNotOnNetwork,
		fault.AmountPrecision,
		fault.CreditorReference,
		fault.DocumentUnknown,
	}

	create := operation("POST", "/payables", "createPayable", "Create a payable", wrong...)
	create.Status = http.StatusCreated
	create.Location = payableLocation
	create.Stages = true
	create.Description = "It starts DRAFT. `warnings` says what it looks like; nothing is kept from happening by them."
	web.Register(api, create, s.httpCreate)

	list := operation("GET", "/payables/me", "listPayables", "List the organisation's payables")
	web.Register(api, list, s.httpList)

	counts := operation("GET", "/payables/counts", "countPayables", "Count the organisation's payables by status")
	web.Register(api, counts, s.httpCounts)

	get := operation("GET", "/payables/{id}", "getPayable", "Read a payable with its document and payment")
	web.Register(api, get, s.httpGet)

	change := operation("PATCH", "/payables/{id}", "changePayable", "Change a payable while it is DRAFT",
		append(wrong, fault.PayableNotDraft, fault.VersionMismatch)...)
	change.Stages = true
	web.Register(api, change, s.httpChange)

	reject := operation("POST", "/payables/{id}/reject", "rejectPayable", "Reject a DRAFT for good",
		fault.PayableNotDraft, fault.VersionMismatch)
	reject.Roles = Rejecters()
	web.Register(api, reject, s.httpReject)

	duplicate := operation("POST", "/payables/{id}/duplicate", "duplicatePayable",
		"Create a DRAFT with the same content")
	duplicate.Status = http.StatusCreated
	duplicate.Location = payableLocation
	web.Register(api, duplicate, s.httpDuplicate)
}

// payRoute registers the operation that makes a transaction from payables.
func (s *Service) payRoute(api *web.API) {
	pay := operation(
		"POST",
		"/transactions/payables",
		"payPayables",
		"Create a draft transaction that pays APPROVED payables of one type",
		fault.PayableNotApproved,
		fault.PayableReserved,
		fault.PayableUnknown,
		fault.PayableTwice,
		fault.PayableTypeMixed,
		fault.PayableChanged,
		fault.DefaultWallet,
		fault.TokenSwapMissing,
	)

	pay.Status = http.StatusCreated
	pay.Location = "/transactions/{id}"
	pay.MovesMoney = true
	pay.Tag = "transactions"
	pay.Description = "It pays from the organisation's default wallet; without one from the oldest of its own proven " +
		"wallets that holds the sum, or else from the oldest. `walletAddress` and `wallet` of the answer name it. The " +
		"payables are reserved until it ends: PAID when their payments are completed, free again when they are not, or " +
		"when the draft is deleted. The draft cannot be replaced."
	web.Register(api, pay, s.httpPay)

	again := operation(
		"POST",
		"/transactions/{id}/pay-again",
		"payFailedAgain",
		"Create a draft of just those payments of a transaction that have failed",
		fault.TxNothingFailed,
		fault.TxMadeAgain,
		fault.PayableNotApproved,
		fault.PayableChanged,
		fault.DefaultWallet,
	)
	again.Status = http.StatusCreated
	again.Location = "/transactions/{id}"
	again.MovesMoney = true
	again.Tag = "transactions"
	again.Description = "Each payment of the draft names the one that it makes again (`again`), and at most one does. " +
		"What a bank has sent back has failed once its tokens are back in the wallet. Of a batch of payables, those are " +
		"paid that are approved and free."
	web.Register(api, again, s.httpPayAgain)
}

// approvalRoutes registers the operations of approvers.
func (s *Service) approvalRoutes(api *web.API) {
	decide := func(path, id, summary string, codes ...fault.Code) web.Operation {
		o := operation("POST", path, id, summary, codes...)
		o.Roles = organisation.Deciders()
		o.StepUp = true
		o.Scope = "payables:approve"

		return o
	}

	approve := decide(
		"/payables/{id}/approve",
		"approvePayable",
		"Approve a DRAFT",
		fault.PayableNotDraft,
		fault.SecondPersonRequired,
		fault.VersionMismatch,
	)

	approve.OptionalBody = true
	approve.Description = "Under a policy of four eyes, by somebody who has neither created nor changed it. A " +
		"payee whose details change afterwards makes it DRAFT again."
	web.Register(api, approve, s.httpApprove)

	all := decide(
		"/payables/approve",
		"approvePayables",
		"Approve several DRAFTs",
		fault.PayableNotDraft,
		fault.SecondPersonRequired,
	)

	all.Description = "Each is approved or refused by itself; the answer says which."
	web.Register(api, all, s.httpApproveAll)

	reopen := decide(
		"/payables/{id}/reopen",
		"reopenPayable",
		"Take an approval back, before the payable belongs to a transaction",
		fault.PayableNotApproved,
		fault.PayableReserved,
	)

	reopen.OptionalBody = true
	web.Register(api, reopen, s.httpReopen)
}

func same(v View) View { return v }

func (s *Service) httpCreate(ctx context.Context, in *createIn) (*View, error) {
	return web.Once(ctx, http.StatusCreated, same, func(done func(*db.Tx, View) error) error {
		return s.Create(ctx, in.Body, done)
	})
}

func (s *Service) httpGet(ctx context.Context, in *byID) (*View, error) {
	var v View
	err := s.DB.Snapshot(ctx, func(q db.Querier) error {
		p, err := ByID(ctx, q, caller.Of(ctx).Organisation, in.ID)
		if err != nil {
			return err
		}

		v, err = s.View(ctx, q, p)

		return err
	})

	return &v, err
}

func (s *Service) httpCounts(ctx context.Context, _ *struct{}) (*CountsView, error) {
	n, err := countsOf(ctx, s.DB, caller.Of(ctx).Organisation)
	return &CountsView{n[Draft], n[Approved], n[Rejected], n[Paid], n[Draft] + n[Approved] + n[Rejected] + n[Paid]}, err
}

func (s *Service) httpList(ctx context.Context, in *listIn) (*web.List[View], error) {
	window, err := in.Window()
	if err != nil {
		return nil, err
	}

	from, to, err := in.Times()
	if err != nil {
		return nil, err
	}

	f := Filter{
		Organisation: caller.Of(ctx).Organisation,
		Status:       in.Status,
		Types:        in.Type,
		Receiver:     in.Receiver,
		Currencies:   in.Currencies,
		Tokens:       in.Tokens,
		From:         from,
		To:           to,
		Search:       in.SearchTerm,
		SortBy:       in.SortBy,
		Ascending:    in.Direction == 1,
		Window:       window,
	}

	var l fault.List
	f.ExpectedFrom = day(&l, "expectedFrom", in.ExpectedFrom)

	f.ExpectedTo = day(&l, "expectedTo", in.ExpectedTo)
	if err := l.Err(); err != nil {
		return nil, err
	}

	read := func(q db.Querier, window caller.Window) ([]Payable, int64, error) {
		f.Window = window
		return page(ctx, q, f)
	}

	return web.ListOf(ctx, s.DB, in.Paging, read, f.position, func(q db.Querier, rows []Payable) ([]View, error) {
		return Views(ctx, q, rows)
	})
}

func day(l *fault.List, parameter, s string) time.Time {
	t, err := transaction.Day(s)
	if err != nil {
		l.AddParameter(
			"query",
			parameter,
			fault.FormatInvalid,
			"must be a date such as 2026-11-30, or a date-time of RFC 3339.",
		)
	}

	return t.Truncate(24 * time.Hour)
}

// writes runs a use case that changes a payable, and returns the answer.
func writes(ctx context.Context, run func(done Done) error) (*View, error) {
	return web.Once(ctx, http.StatusOK, same, run)
}

func (s *Service) httpChange(ctx context.Context, in *changeIn) (*View, error) {
	return writes(ctx, func(done Done) error { return s.Change(ctx, in.ID, in.Body, done) })
}

func (s *Service) httpReject(ctx context.Context, in *rejectIn) (*View, error) {
	return writes(ctx, func(done Done) error { return s.Reject(ctx, in.ID, in.Body.Reason, done) })
}

func (s *Service) httpApprove(ctx context.Context, in *commentIn) (*View, error) {
	return writes(ctx, func(done Done) error { return s.Approve(ctx, in.ID, in.Body.Comment, done) })
}

func (s *Service) httpReopen(ctx context.Context, in *reopenIn) (*View, error) {
	return writes(ctx, func(done Done) error { return s.Reopen(ctx, in.ID, in.Body.Reason, done) })
}

func (s *Service) httpDuplicate(ctx context.Context, in *byID) (*View, error) {
	return web.Once(ctx, http.StatusCreated, same, func(done func(*db.Tx, View) error) error {
		return s.Duplicate(ctx, in.ID, done)
	})
}

func (s *Service) httpApproveAll(ctx context.Context, in *approveAllIn) (*BatchView, error) {
	return web.Once(ctx, http.StatusOK, outcomes, func(done func(*db.Tx, []Outcome) error) error {
		return s.ApproveAll(ctx, in.Body.IDs, in.Body.Comment, done)
	})
}

func outcomes(all []Outcome) BatchView {
	out := BatchView{Results: make([]OutcomeView, len(all))}
	for i, x := range all {
		v := OutcomeView{ID: x.ID}
		if x.Refused != nil {
			v.Error = &ProblemView{string(x.Refused.Code), x.Refused.Detail}
			out.Refused++
		} else {
			v.Status = x.Payable.Status
			v.Version = x.Payable.Version
			out.Approved++
		}

		out.Results[i] = v
	}

	return out
}

func (s *Service) httpPayAgain(ctx context.Context, in *byID) (*transaction.View, error) {
	return s.Transactions.Answer(ctx, http.StatusCreated, func(done transaction.Done) error {
		return s.PayAgain(ctx, in.ID, done)
	})
}

func (s *Service) httpPay(ctx context.Context, in *payIn) (*transaction.View, error) {
	return s.Transactions.Answer(ctx, http.StatusCreated, func(done transaction.Done) error {
		return s.Pay(ctx, in.Body.IDs, in.Body.Token, done)
	})
}
