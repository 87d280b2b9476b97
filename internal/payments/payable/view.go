package payable

import (
	"context"
	"slices"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/directory/document"
	"slipway/internal/identity/comment"
	"slipway/internal/identity/organisation"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/words"
)

// View is a payable as the interface shows it.
type View struct {
	ID                  string         `json:"_id"`
	Name                string         `json:"name"`
	Amount              string         `json:"amount"`
	Reason              string         `json:"reason"`
	Receiver            string         `json:"receiver"`
	Type                Type           `json:"type" enum:"FIAT,CRYPTO"`
	Status              Status         `json:"status" enum:"DRAFT,APPROVED,REJECTED,PAID"`
	DocumentStorageKey  string         `json:"documentStorageKey,omitempty"`
	Instructions        string         `json:"instructions,omitempty"`
	ExpectedPaymentDate string         `json:"expectedPaymentDate,omitempty" doc:"a date"`
	BankAccount         string         `json:"bankAccount,omitempty"`
	CurrencyIsoCode     string         `json:"currencyIsoCode,omitempty"`
	Wallet              string         `json:"wallet,omitempty"`
	TokenIsoCode        string         `json:"tokenIsoCode,omitempty"`
	InvoiceNumber       string         `json:"invoiceNumber,omitempty"`
	Reference           string         `json:"reference,omitempty"`
	Origin              Origin         `json:"origin" enum:"MEMBER,LINK,QR_BILL,EPC_QR"`
	InvoiceLink         string         `json:"invoiceLink,omitempty" doc:"identifier of the invoice link that it came by"`
	Document            *DocumentView  `json:"document,omitempty" doc:"left out: it has none"`
	Payment             *PaymentView   `json:"payment,omitempty" doc:"left out: no transaction pays it now"`
	Approvals           []ApprovalView `json:"approvals" nullable:"false" doc:"who has approved it, the newest last; those that have ended count no longer"`
	Rejection           *RejectionView `json:"rejection,omitempty"`
	Warnings            []WarningView  `json:"warnings" nullable:"false"`
	Comments            []comment.View `json:"comments" nullable:"false" doc:"what people have written about it, the newest last"`
	AllowedActions      []string       `json:"allowedActions" nullable:"false"`
	CreatedBy           string         `json:"createdBy"`
	PaidAt              time.Time      `json:"paidAt,omitzero"`
	CreatedAt           time.Time      `json:"createdAt"`
	UpdatedAt           time.Time      `json:"updatedAt"`
	Version             int64          `json:"version"`
}

// Record returns the identifier and the version.
func (v View) Record() (id string, version int64) { return v.ID, v.Version }

// DocumentView is the document of a payable.
type DocumentView struct {
	Key         string `json:"documentStorageKey"`
	Name        string `json:"fileName"`
	Size        int64  `json:"size"`
	ContentType string `json:"contentType"`
	SHA256      string `json:"sha256"`
	URL         string `json:"url" doc:"where the document is read, with a bearer token"`
}

// PaymentView is the transaction that a payable is reserved for, or that has paid it.
type PaymentView struct {
	Transaction       string `json:"transactionId"`
	Payment           string `json:"paymentId"`
	Status            string `json:"status" doc:"of the payment"`
	StatusInfo        string `json:"statusInfo,omitempty"`
	TransactionStatus string `json:"transactionStatus"`
	SettlementStatus  string `json:"settlementStatus" doc:"of the transaction"`
}

// ApprovalView is one person's approval.
type ApprovalView struct {
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Comment string    `json:"comment,omitempty"`
	EndedAt time.Time `json:"endedAt,omitzero"`
	Why     string    `json:"why,omitempty" doc:"why it has ended"`
}

// RejectionView is who has rejected a payable, and why.
type RejectionView struct {
	Reason string    `json:"reason"`
	By     string    `json:"by"`
	At     time.Time `json:"at"`
}

// WarningView is something a person should check. It prevents nothing.
type WarningView struct {
	Code     string   `json:"code" enum:"POSSIBLE_DUPLICATE,DUPLICATE_DOCUMENT,PAYMENT_RETURNED,SAME_EMAIL,SAME_NAME,NAME_MIXED,OTHER_ADDRESS,OTHER_COUNTRY,OTHER_RECEIVERS_ACCOUNT,REPLACED,OTHER_AMOUNT,WALLET_UNPROVEN" doc:"the last nine are of the invoice link that it came by, as they were when the payable was made"`
	Message  string   `json:"message"`
	Payables []string `json:"payables" nullable:"false" doc:"the others that it looks like"`
}

// BatchView is the result for each of several payables.
type BatchView struct {
	Results  []OutcomeView `json:"results" nullable:"false" doc:"in the order of the request"`
	Approved int           `json:"approved"`
	Refused  int           `json:"refused"`
}

// OutcomeView is one of them.
type OutcomeView struct {
	ID      string       `json:"_id"`
	Status  Status       `json:"status,omitempty" doc:"where it was approved"`
	Version int64        `json:"version,omitempty"`
	Error   *ProblemView `json:"error,omitempty" doc:"left out: it was approved"`
}

// ProblemView is a refusal inside an answer.
type ProblemView struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// CountsView is how many payables are in each status.
type CountsView struct {
	Draft    int64 `json:"DRAFT"`
	Approved int64 `json:"APPROVED"`
	Rejected int64 `json:"REJECTED"`
	Paid     int64 `json:"PAID"`
	Total    int64 `json:"total"`
}

// View returns a payable as its caller sees it, with what other tables hold.
func (s *Service) View(ctx context.Context, q db.Querier, p Payable) (View, error) {
	v, err := Views(ctx, q, []Payable{p})
	if err != nil {
		return View{}, err
	}

	return v[0], nil
}

// Views returns payables of one organisation with what other tables hold. It takes at most eight statements, however
// many payables there are.
func Views(ctx context.Context, q db.Querier, all []Payable) ([]View, error) {
	out := make([]View, len(all))
	if len(all) == 0 {
		return out, nil
	}

	r, err := readRelated(ctx, q, all)
	if err != nil {
		return nil, err
	}

	principal := caller.Of(ctx)
	for i, p := range all {
		out[i] = p.view(principal)
		r.addTo(&out[i], p)
	}

	return out, nil
}

// related is what other tables hold about some payables.
type related struct {
	invoices, documents map[string][]string // payables alike, by payable
	approvals           map[string][]Approval
	files               map[string]document.Document
	progress            map[string]map[int]transaction.Progress
	comments            map[string][]comment.View
	proven              map[string]bool // wallets, see provenSince
}

func readRelated(ctx context.Context, q db.Querier, all []Payable) (r related, err error) {
	organisation := all[0].Organisation

	var ids, keys, transactions, commentable []string
	for _, p := range all {
		commentable = append(commentable, p.ID)

		if p.Status != Draft || p.Version > 1 {
			ids = append(ids, p.ID)
		}

		if p.Document != "" {
			keys = append(keys, p.Document)
		}

		if p.Transaction != "" {
			transactions = append(transactions, p.Transaction)
		}
	}

	if r.invoices, r.documents, err = alike(ctx, q, organisation, all); err != nil {
		return r, err
	}

	if len(ids) > 0 {
		if r.approvals, err = approvalsOf(ctx, q, ids); err != nil {
			return r, err
		}
	}

	if len(keys) > 0 {
		if r.files, err = document.Known(ctx, q, organisation, keys); err != nil {
			return r, err
		}
	}

	if r.progress, err = transaction.ProgressOf(ctx, q, transactions); err != nil {
		return r, err
	}

	if r.proven, err = provenSince(ctx, q, organisation, all); err != nil {
		return r, err
	}

	r.comments, err = comment.Of(ctx, q, commentable...)

	return r, err
}

// addTo adds to a view what is related to its payable.
func (r related) addTo(v *View, p Payable) {
	for _, a := range r.approvals[p.ID] {
		v.Approvals = append(v.Approvals, ApprovalView{
			By:      a.By,
			At:      millis(a.At),
			Comment: a.Comment,
			EndedAt: millis(a.Ended),
			Why:     a.Why,
		})
	}

	v.Comments = append(v.Comments, r.comments[p.ID]...)

	v.warn("POSSIBLE_DUPLICATE", "Another payable has the same receiver, amount and invoice number.", r.invoices[p.ID])
	v.warn("DUPLICATE_DOCUMENT", "Another payable has the same document.", r.documents[p.ID])

	v.warnOfLink(p, r.proven)

	if d, ok := r.files[p.Document]; ok {
		v.Document = &DocumentView{
			Key:         d.Key,
			Name:        d.Name,
			Size:        d.Size,
			ContentType: d.ContentType,
			SHA256:      d.SHA256,
			URL:         "/documents/" + d.Key,
		}
	}

	x, ok := r.progress[p.Transaction][p.Position]
	if !ok || p.Transaction == "" {
		return
	}

	v.Payment = &PaymentView{
		Transaction:       p.Transaction,
		Payment:           x.PaymentID,
		Status:            string(x.Payment),
		StatusInfo:        words.English(x.Info),
		TransactionStatus: string(x.Status),
		SettlementStatus:  string(x.Settlement),
	}
	// PAID is final: what came afterwards is shown beside it (D-09)
	if p.Status == Paid && x.Payment != transaction.PaymentCompleted {
		v.Warnings = append(v.Warnings, WarningView{
			Code:     "PAYMENT_RETURNED",
			Message:  "The payment was completed, and came back afterwards: the receiver does not have the money.",
			Payables: []string{},
		})
	}
}

func (v *View) warn(code, message string, others []string) {
	if len(others) > 0 {
		v.Warnings = append(v.Warnings, WarningView{code, message, others})
	}
}

// view returns the part of the view that the payable's own row holds.
func (p Payable) view(caller caller.Principal) View {
	in := p.input()

	v := View{
		ID:                  p.ID,
		Name:                p.Name,
		Amount:              in.Amount,
		Reason:              p.Reason,
		Receiver:            p.Receiver,
		Type:                p.Type,
		Status:              p.Status,
		DocumentStorageKey:  p.Document,
		Instructions:        p.Instructions,
		ExpectedPaymentDate: in.ExpectedPaymentDate,
		BankAccount:         p.BankAccount,
		CurrencyIsoCode:     in.CurrencyIsoCode,
		Wallet:              p.Wallet,
		TokenIsoCode:        in.TokenIsoCode,
		InvoiceNumber:       p.InvoiceNumber,
		Reference:           p.Reference,
		Origin:              p.Origin,
		InvoiceLink:         p.Link,
		Approvals:           []ApprovalView{},
		Warnings:            []WarningView{},
		Comments:            []comment.View{},
		AllowedActions:      p.allowedActions(caller),
		CreatedBy:           p.CreatedBy,
		PaidAt:              millis(p.PaidAt),
		CreatedAt:           millis(p.CreatedAt),
		UpdatedAt:           millis(p.UpdatedAt),
		Version:             p.Version,
	}
	if p.Status == Rejected {
		v.Rejection = &RejectionView{p.RejectReason, p.RejectedBy, millis(p.RejectedAt)}
	}

	return v
}

// millis truncates a time to milliseconds, the precision of the interface.
func millis(t time.Time) time.Time { return t.Truncate(time.Millisecond) }

// Rejecters returns the roles that may reject a payable: those that may write one, and those that may approve it.
func Rejecters() []string { return append(organisation.Writers(), organisation.Approver) }

// allowedActions returns what the caller may do next, as the last path words of the operations. Whether the policy lets
// an author approve his own payable is checked only at approval, because it may depend on the amount.
func (p Payable) allowedActions(caller caller.Principal) []string {
	has := func(roles []string) bool { return caller.User == "" || slices.ContainsFunc(roles, caller.Is) }
	out := []string{}

	add := func(may bool, action string) {
		if may {
			out = append(out, action)
		}
	}
	switch {
	case p.Status == Draft:
		add(has(organisation.Writers()), "update")
		add(has(organisation.Deciders()) && !(caller.HasPolicy && p.Authors.Has(caller.User)), "approve")
		add(has(Rejecters()), "reject")
	case p.Status == Approved && p.Transaction == "":
		add(has(organisation.Writers()), "pay")
		add(has(organisation.Deciders()), "reopen")
	}

	add(has(organisation.Writers()), "duplicate")

	return out
}
