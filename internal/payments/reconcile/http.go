package reconcile

import (
	"cmp"
	"context"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/identity/approval"
	"slipway/internal/identity/user"
	"slipway/internal/payments/receivable"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// DepositView is a deposit as the platform's operators see it.
type DepositView struct {
	ID             string        `json:"_id" example:"ent_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the bank's entry"`
	State          State         `json:"state" enum:"NEW,MATCHED,SUSPENSE,ASSIGNED,HELD,REFUNDING,REFUNDED,REVERSED,WITHDRAWN,RETURN,SETTLED" doc:"SUSPENSE and HELD: two people decide. ASSIGNED: part of an amount that is not complete"`
	Reason         Reason        `json:"reason,omitempty" enum:"RETURN_NOT_PROVEN,NO_REFERENCE,UNKNOWN_REFERENCE,SEVERAL_REFERENCES,NOT_AWAITED,OTHER_ACCOUNT,OTHER_CURRENCY,AMOUNT_UNDER,AMOUNT_OVER,OTHER_SENDER,ORGANISATION_BLOCKED,REFUND_REFUSED" doc:"why it pays nothing by itself"`
	House          string        `json:"houseAccount" example:"hse_eur" doc:"our account that it came to"`
	Amount         string        `json:"amount" example:"1500.00"`
	Currency       string        `json:"currencyIsoCode" example:"EUR"`
	BookedOn       string        `json:"bookedOn" example:"2026-11-23" doc:"day of the booking"`
	BankReference  string        `json:"bankReference,omitempty" example:"2026112300012345" doc:"the bank's own reference of the entry"`
	SenderName     string        `json:"senderName,omitempty" example:"Muster AG" doc:"as the bank says it"`
	SenderAccount  string        `json:"senderAccount,omitempty" example:"DE89370400440532013000" doc:"as the bank says it"`
	SenderBank     string        `json:"senderBank,omitempty" example:"COBADEFFXXX" doc:"BIC"`
	Texts          []string      `json:"texts" nullable:"false" example:"[\"Invoice 4711\"]" doc:"what the bank passed on of the payer's words"`
	References     []string      `json:"references" nullable:"false" example:"[\"SW7K4M2Q9X\"]" doc:"deposit references with a right check digit among the texts"`
	Claim          *ClaimView    `json:"claim,omitempty" doc:"payment of ours that it names without the bank's proof that it is its return"`
	Proposal       *ProposalView `json:"proposal,omitempty" doc:"what one person has decided; carried out when a second one decides the same"`
	Transaction    string        `json:"transaction,omitempty" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"that it pays, or names"`
	Organisation   string        `json:"organisation,omitempty" example:"org_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	DecidedBy      string        `json:"decidedBy,omitempty" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"second person of the last decision"`
	Decider        string        `json:"decidedByName,omitempty" example:"Otto Weber" doc:"what that person is called"`
	Note           string        `json:"note,omitempty" example:"The payer called" doc:"of the latest word"`
	AllowedActions []string      `json:"allowedActions" nullable:"false" example:"[\"assign\",\"refund\",\"return\",\"hold\"]"`
	Version        int64         `json:"version"`
	CreatedAt      time.Time     `json:"createdAt"`
	UpdatedAt      time.Time     `json:"updatedAt"`
}

// Record returns the identifier and the version.
func (v DepositView) Record() (id string, version int64) { return v.ID, v.Version }

// ClaimView is the payment of ours that a deposit names.
type ClaimView struct {
	Payout string `json:"payout" example:"transaction/txn_01kaj3w8r8q2m5x9v7t4b6c1dn/payout/0" doc:"its key"`
	Why    string `json:"why" example:"The amount is larger than what was paid" doc:"why the bank does not prove it"`
}

// ProposalView is one person's decision about a deposit.
type ProposalView struct {
	Action      Action `json:"action" enum:"ASSIGN,REFUND,HOLD,RETURN,SETTLE"`
	Transaction string `json:"transaction,omitempty" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"of ASSIGN"`
	Payout      string `json:"payout,omitempty" example:"transaction/txn_01kaj3w8r8q2m5x9v7t4b6c1dn/payout/0" doc:"of RETURN"`
	Receivable  string `json:"receivable,omitempty" example:"ent_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"of SETTLE"`
	By          string `json:"by" example:"usr_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Name        string `json:"byName,omitempty" example:"Olga Keller" doc:"what that person is called"`
}

// CandidateView is a transaction that a deposit may pay.
type CandidateView struct {
	Transaction  string     `json:"transaction" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the ONRAMP transaction"`
	Organisation string     `json:"organisation" example:"org_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Name         string     `json:"organisationName,omitempty" example:"Muster AG"`
	Reference    string     `json:"reference,omitempty" example:"SW7K4M2Q9X" doc:"that its payer was told"`
	Amount       string     `json:"amount" example:"1500.00" doc:"that it waits for in all"`
	Missing      string     `json:"missing" example:"1500.00" doc:"of it what assigned deposits do not cover"`
	Currency     string     `json:"currencyIsoCode" example:"EUR"`
	Status       string     `json:"status" example:"WAITING_ACCEPTANCE"`
	ExpiresAt    *time.Time `json:"expiresAt,omitempty" doc:"when it waits no longer"`
	Agrees       []Point    `json:"agrees" nullable:"false" enum:"REFERENCE,AMOUNT,CURRENCY,ACCOUNT,SENDER,TIME" example:"[\"CURRENCY\",\"ACCOUNT\",\"SENDER\",\"TIME\"]" doc:"what speaks for it"`
	Differs      []Point    `json:"differs" nullable:"false" enum:"REFERENCE,AMOUNT,CURRENCY,ACCOUNT,SENDER,TIME" example:"[\"REFERENCE\",\"AMOUNT\"]" doc:"what speaks against it"`
	Assignable   bool       `json:"isAssignable" doc:"whether the deposit can be assigned to it"`
	Why          string     `json:"why,omitempty" example:"The transaction waits for CHF." doc:"why it cannot be assigned"`
}

// OwedView is what an organisation owes, and a deposit may pay.
type OwedView struct {
	Receivable   string `json:"receivable" example:"ent_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"its identifier"`
	Organisation string `json:"organisation" example:"org_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Name         string `json:"organisationName,omitempty" example:"Muster AG"`
	Reference    string `json:"reference" example:"SW7K4M2Q9X"`
	Owed         string `json:"owed" example:"2500.00" doc:"that is owed still"`
	Currency     string `json:"currencyIsoCode" example:"EUR"`
	Payable      bool   `json:"isPayable" doc:"whether the deposit can pay it, or a part of it"`
	Why          string `json:"why,omitempty" example:"1500.00 EUR is owed; the deposit is larger. Send it back instead." doc:"why it cannot"`
}

// DetailView is a deposit with the transactions that it may pay.
type DetailView struct {
	DepositView
	Candidates []CandidateView `json:"candidates" nullable:"false" doc:"that it names, and that wait for one like it; the one that agrees most comes first"`
	Owed       []OwedView      `json:"owed" nullable:"false" doc:"what organisations owe in its currency, oldest first"`
}

type listIn struct {
	web.Paging
	State     []string `query:"state[]" maxItems:"11" enum:"NEW,MATCHED,SUSPENSE,ASSIGNED,HELD,REFUNDING,REFUNDED,REVERSED,WITHDRAWN,RETURN,SETTLED" doc:"in one of these states; suspense is SUSPENSE, ASSIGNED and HELD"`
	Proposed  *bool    `query:"proposed" doc:"true: only those about which one person has decided; false: only others"`
	Direction int      `query:"direction" default:"1" enum:"-1,1" doc:"1: oldest first"`
}

type byEntry struct {
	ID string `path:"id" maxLength:"64" doc:"the deposit's _id"`
}

type decideIn struct {
	byEntry
	Body struct {
		Action      Action `json:"action" enum:"ASSIGN,REFUND,HOLD,RETURN,SETTLE" doc:"ASSIGN: it pays a transaction, alone or with others. SETTLE: it pays what an organisation owes, or a part of it. REFUND: back to the account that it came from. RETURN: it is the return of a payment of ours. HOLD: it stays in suspense, as looked at"`
		Transaction string `json:"transaction,omitempty" maxLength:"64" example:"txn_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"ASSIGN: the ONRAMP transaction"`
		Payout      string `json:"payout,omitempty" maxLength:"200" example:"transaction/txn_01kaj3w8r8q2m5x9v7t4b6c1dn/payout/0" doc:"RETURN: key of the payment of ours; without it the one that the deposit names"`
		Receivable  string `json:"receivable,omitempty" maxLength:"64" example:"ent_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"SETTLE: what the organisation owes"`
		Note        string `json:"note,omitempty" maxLength:"500" example:"The payer called" doc:"why; kept with the deposit and in the audit log"`
	}
}

// Routes registers the operations of the platform's operators.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        "/operations/deposits" + path,
			ID:          id,
			Tag:         "operations",
			Access:      web.Operator,
			Summary:     summary,
			Description: description,
			Codes:       codes,
		}
	}

	web.Register(api, op("GET", "", "listDeposits", "List deposits; those in suspense wait for two people", ""), s.list)
	web.Register(
		api,
		op("GET", "/{id}", "readDeposit", "Show a deposit, and the transactions that it may pay", ""),
		s.read,
	)
	web.Register(api, op(
		"POST",
		"/{id}/decision",
		"decideDeposit",
		"Decide about a deposit in suspense; two people have to decide the same",
		"The first decision is a proposal. It is carried out when another person decides the same; another decision is a "+
			"new proposal. Before money goes back, its sender is screened.",
		fault.DepositSettled,
		fault.DepositNotAssignable,
		fault.DepositNotReturnable,
		fault.DepositNotReturn,
		fault.TwoPersonsNeeded,
		fault.OperatorTooNew,
	), s.decide)
}

// show returns the function that shows deposits to the caller, with the names of who has decided.
func show(ctx context.Context) func(q db.Querier, all []Deposit) ([]DepositView, error) {
	return func(q db.Querier, all []Deposit) ([]DepositView, error) {
		var people []string
		for _, d := range all {
			people = append(people, d.Proposal.By, d.Settler)
		}

		names, err := user.NamesOf(ctx, q, people...)
		if err != nil {
			return nil, err
		}

		out := make([]DepositView, len(all))
		for i, d := range all {
			out[i] = viewOf(ctx, d)
			out[i].Decider = names(d.Settler)

			if p := out[i].Proposal; p != nil {
				p.Name = names(p.By)
			}
		}

		return out, nil
	}
}

func viewOf(ctx context.Context, d Deposit) DepositView {
	who := caller.Of(ctx).User
	may := func(word string, a Action) caller.Act {
		return caller.Act{Word: word, Operation: "decideDeposit", Refusal: d.decidable(who, a)}
	}

	v := DepositView{
		ID:            d.Entry,
		State:         d.State,
		Reason:        d.Reason,
		House:         d.House,
		Amount:        d.Amount.String(),
		Currency:      d.Amount.Asset().Code,
		BookedOn:      d.BookedAt.UTC().Format(time.DateOnly),
		BankReference: d.BankRef,
		SenderName:    d.SenderName,
		SenderAccount: d.SenderAccount,
		SenderBank:    d.SenderBank,
		Texts:         append([]string{}, d.Texts...),
		References:    append([]string{}, d.references()...),
		Transaction:   d.Transaction,
		Organisation:  d.Organisation,
		DecidedBy:     d.Settler,
		Note:          d.Note,
		AllowedActions: caller.Allowed(ctx,
			may("assign", ActionAssign),
			may("settle", ActionSettle),
			may("refund", ActionRefund),
			may("return", ActionReturn),
			may("hold", ActionHold),
		),
		Version:   d.Version,
		CreatedAt: d.CreatedAt.Truncate(time.Millisecond),
		UpdatedAt: d.UpdatedAt.Truncate(time.Millisecond),
	}

	if d.Claim.Payout != "" {
		v.Claim = &ClaimView{d.Claim.Payout, d.Claim.Why}
	}

	if p := d.Proposal; p.Approval != "" {
		v.Proposal = &ProposalView{
			Action:      p.Action,
			Transaction: p.Transaction,
			Payout:      p.Payout,
			Receivable:  p.Receivable,
			By:          p.By,
		}
		v.Note = cmp.Or(p.Note, v.Note)
	}

	return v
}

func candidateView(c Candidate) CandidateView {
	v := CandidateView{
		Transaction:  c.T.ID,
		Organisation: c.T.Organisation,
		Reference:    c.T.Reference,
		Amount:       c.T.Deposit().String(),
		Missing:      c.Missing.String(),
		Currency:     c.T.AmountCurrency,
		Status:       string(c.T.Status),
		Agrees:       append([]Point{}, c.Agrees...),
		Differs:      append([]Point{}, c.Differs...),
		Assignable:   c.Refusal == nil,
	}

	if len(c.Names) > 0 {
		v.Name = c.Names[0]
	}

	if !c.T.ExpiresAt.IsZero() {
		at := user.Shown(c.T.ExpiresAt)
		v.ExpiresAt = &at
	}

	if f, ok := fault.As(c.Refusal); ok {
		v.Why = f.Fields[0].Message
	}

	return v
}

// owedViews returns what a deposit may settle.
func (s *Service) owedViews(ctx context.Context, q db.Querier, d Deposit) ([]OwedView, error) {
	all, err := receivable.OpenOf(ctx, q, d.currency(), mostCandidates)
	if err != nil {
		return nil, err
	}

	owners := make([]string, len(all))
	for i, r := range all {
		owners[i] = r.Organisation
	}

	own, err := s.Own(ctx, q, owners)
	if err != nil {
		return nil, err
	}

	out := make([]OwedView, len(all))
	for i, r := range all {
		refusal := payable(r, d)
		out[i] = OwedView{
			Receivable:   r.ID,
			Organisation: r.Organisation,
			Reference:    r.Reference,
			Owed:         r.Owed.String(),
			Currency:     d.currency(),
			Payable:      refusal == nil,
		}

		if names := own[r.Organisation].Names; len(names) > 0 {
			out[i].Name = names[0]
		}

		if f, ok := fault.As(refusal); ok {
			out[i].Why = f.Fields[0].Message
		}
	}

	return out, nil
}

func (s *Service) list(ctx context.Context, in *listIn) (*web.List[DepositView], error) {
	order := caller.Order{Column: "created_at", Ascending: in.Direction > 0}

	var w db.Where
	if len(in.State) > 0 {
		db.In(&w, "state", in.State)
	}

	if in.Proposed != nil {
		proposed, kind := approval.HasOpen(approval.Deposit, "deposits.entry")
		w.And(map[bool]string{true: proposed, false: "NOT " + proposed}[*in.Proposed], kind)
	}

	return web.ListOf(ctx, s.DB, in.Paging, func(q db.Querier, page caller.Window) ([]Deposit, int64, error) {
		return depositPage(ctx, q, w, order, page)
	}, func(d Deposit) string { return depositPosition(order, d) }, show(ctx))
}

func (s *Service) read(ctx context.Context, in *byEntry) (*DetailView, error) {
	var out DetailView

	return &out, s.DB.Snapshot(ctx, func(q db.Querier) error {
		d, err := depositNamed(ctx, q, in.ID)
		if err != nil {
			return err
		}

		views, err := show(ctx)(q, []Deposit{d})
		if err != nil {
			return err
		}

		out = DetailView{DepositView: views[0], Candidates: []CandidateView{}, Owed: []OwedView{}}

		if !slices.Contains(undecided, d.State) {
			return nil
		}

		all, err := s.Candidates(ctx, q, d)
		for _, c := range all {
			out.Candidates = append(out.Candidates, candidateView(c))
		}

		if err != nil {
			return err
		}

		out.Owed, err = s.owedViews(ctx, q, d)

		return err
	})
}

func (s *Service) decide(ctx context.Context, in *decideIn) (*DepositView, error) {
	want := Decision{
		Action:      in.Body.Action,
		Transaction: in.Body.Transaction,
		Payout:      in.Body.Payout,
		Receivable:  in.Body.Receivable,
		Note:        in.Body.Note,
	}

	return web.OnceOf(ctx, 200, show(ctx), func(done func(*db.Tx, Deposit) error) error {
		return s.Settle(ctx, in.ID, want, func(tx *db.Tx, d Deposit, _ string) error { return done(tx, d) })
	})
}
