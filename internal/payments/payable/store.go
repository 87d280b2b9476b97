package payable

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/core/text"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
)

var (
	payableRows     = db.NewTable("payables", (*Payable).columns)
	reservationRows = db.NewTable("payable_reservations", (*reservation).columns)
	approvalRows    = db.NewTable("payable_approvals", (*approvalRow).columns)
)

func (p *Payable) columns(c *db.Columns) {
	c.Text("id", &p.ID)
	c.Text("organisation", &p.Organisation)
	c.Text("type", (*string)(&p.Type))
	c.Text("status", (*string)(&p.Status))
	c.Text("name", &p.Name)
	c.Amount("currency", "decimals", "units", &p.Amount)
	c.Written("amount_sort", func() string { return sortable(p.Amount) })
	c.Text("reason", &p.Reason)
	c.Text("instructions", &p.Instructions)

	c.Text("receiver", &p.Receiver)
	c.Text("bank_account", &p.BankAccount)
	c.Text("wallet", &p.Wallet)

	c.Text("invoice_number", &p.InvoiceNumber)
	c.Text("reference", &p.Reference)
	c.Text("document", &p.Document)
	c.Text("document_hash", &p.DocumentHash)
	c.Time("expected_at", &p.ExpectedPaymentDate)
	c.Text("origin", (*string)(&p.Origin))
	c.Text("link", &p.Link)
	c.Words("link_warnings", &p.LinkWarnings)
	c.Written("likeness", func() string { return likenessOf(*p) })
	c.Text("search", &p.search)

	c.Text("authors", (*string)(&p.Authors))
	c.Text("created_by", &p.CreatedBy)
	c.Text("fingerprint", &p.Fingerprint)
	c.Text("transaction_id", &p.Transaction)
	c.Int("position", &p.Position)
	c.Bool("locked", &p.locked)
	c.Bool("payee_changed", &p.PayeeChanged)

	c.Text("reject_reason", &p.RejectReason)
	c.Text("rejected_by", &p.RejectedBy)
	c.Time("rejected_at", &p.RejectedAt)
	c.Time("paid_at", &p.PaidAt)
	c.Int64("version", &p.Version)
	c.Time("created_at", &p.CreatedAt)
	c.Time("updated_at", &p.UpdatedAt)
}

// reservation is a payable in a transaction.
type reservation struct {
	transaction, payable string
	position             int
	invoice              string // its number then
	at                   time.Time
}

func (r *reservation) columns(c *db.Columns) {
	c.Text("transaction_id", &r.transaction)
	c.Int("position", &r.position)
	c.Text("payable", &r.payable)
	c.Text("invoice_number", &r.invoice)
	c.Time("reserved_at", &r.at)
}

type approvalRow struct {
	payable string
	version int64
	Approval
}

func (r *approvalRow) columns(c *db.Columns) {
	c.Text("payable", &r.payable)
	c.Int64("version", &r.version)
	c.Text("approved_by", &r.By)
	c.Text("comment", &r.Comment)
	c.Text("fingerprint", &r.Fingerprint)
	c.Time("approved_at", &r.At)
	c.Time("ended_at", &r.Ended)
	c.Text("why", &r.Why)
}

// sortable returns an amount as a text that sorts like the number, whatever the decimals of the asset.
func sortable(a money.Amount) string {
	scaled := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(money.MaxDecimals-a.Asset().Decimals)), nil)
	digits := scaled.Mul(scaled, a.Units()).String()

	const width = 72 // an amount of a payment has at most 29 digits

	return strings.Repeat("0", max(0, width-len(digits))) + digits
}

// searchText returns the text that searchTerm searches.
func searchText(p Payable, r receiver.Receiver) string {
	words := []string{p.ID, p.Name, r.Name(), p.InvoiceNumber, p.Amount.String(), p.Reference, p.Reason}
	out := []rune(text.Searchable(strings.Join(words, " ")))

	const limit = 600 // enough to find it; a longer text would only slow the list

	return string(out[:min(len(out), limit)])
}

// update stores a payable that was read at version was in the state from. If it is at neither any more, the write fails
// with db.ErrStale. Its reservation is guarded besides, so that no two transactions can both hold it.
func update(tx *db.Tx, p Payable, from Status, was int64, reserved string) {
	payableRows.Change(tx, &p, "id = ? AND version = ? AND status = ? AND transaction_id = ?",
		p.ID, was, string(from), reserved)
}

// ByID returns a payable of an organisation. An unknown one and another organisation's are refused alike.
func ByID(ctx context.Context, q db.Querier, organisation, payableID string) (Payable, error) {
	if !id.Valid(Prefix, payableID) {
		return Payable{}, fault.Missing("payable")
	}

	p, err := payableRows.One(ctx, q, "WHERE id = ? AND organisation = ?", payableID, organisation)
	if errors.Is(err, db.ErrNone) {
		return Payable{}, fault.Missing("payable")
	}

	if err != nil {
		return Payable{}, fmt.Errorf("read payable %s: %w", payableID, err)
	}

	return p, nil
}

// OrganisationOf returns the organisation of any payable, or db.ErrNone.
func OrganisationOf(ctx context.Context, q db.Querier, payableID string) (string, error) {
	return db.Value[string](ctx, q, "SELECT organisation FROM payables WHERE id = ?", payableID)
}

// ByIDs returns the payables of the organisation among ids, in one query.
func ByIDs(ctx context.Context, q db.Querier, organisation string, ids []string) (map[string]Payable, error) {
	out := make(map[string]Payable, len(ids))
	if len(ids) == 0 {
		return out, nil
	}

	var w db.Where
	w.And("organisation = ?", organisation)
	db.In(&w, "id", ids)

	found, err := payableRows.Where(ctx, q, w, "")
	for _, p := range found {
		out[p.ID] = p
	}

	return out, err
}

// ofTransaction returns the payables that are reserved for a transaction or were paid by it, in the order of their
// payments.
func ofTransaction(ctx context.Context, q db.Querier, transactionID string) ([]Payable, error) {
	var w db.Where
	w.And("transaction_id = ?", transactionID)
	w.And("transaction_id <> ''") // the condition of the partial index

	return payableRows.Where(ctx, q, w, "ORDER BY position")
}

// approvedOf returns the approved payables whose receiver, bank account or wallet has an identifier.
func approvedOf(ctx context.Context, q db.Querier, organisation, column, object string) ([]Payable, error) {
	var w db.Where
	w.And(column+" = ?", object)
	w.And(column + " <> ''") // the condition of the partial index
	w.And("organisation = ?", organisation)
	w.And("status = 'APPROVED'")

	return payableRows.Where(ctx, q, w, "ORDER BY id")
}

// reservedBy returns the payables that a transaction was made of, by position, whatever their state now.
func reservedBy(
	ctx context.Context,
	q db.Querier,
	transactionIDs []string,
) (map[string]map[int]string, error) {
	var w db.Where
	db.In(&w, "transaction_id", transactionIDs)

	rows, err := reservationRows.Where(ctx, q, w, "")

	out := make(map[string]map[int]string, len(transactionIDs))
	for _, r := range rows {
		if out[r.transaction] == nil {
			out[r.transaction] = map[int]string{}
		}

		out[r.transaction][r.position] = r.payable
	}

	return out, err
}

// freeReservation ends a live reservation.
func freeReservation(tx *db.Tx, p Payable) {
	tx.Change(
		`UPDATE payable_reservations SET released_at = ?
			WHERE transaction_id = ? AND position = ? AND payable = ? AND released_at = 0`,
		db.Micros(tx.Now),
		p.Transaction,
		int64(p.Position),
		p.ID,
	)
}

// endApprovals ends all counting approvals and records the reason.
func endApprovals(tx *db.Tx, p Payable, why string) error {
	_, err := tx.Exec(
		"UPDATE payable_approvals SET ended_at = ?, why = ? WHERE payable = ? AND ended_at = 0",
		db.Micros(tx.Now),
		why,
		p.ID,
	)

	return err
}

// approvalsOf returns the approvals of several payables, the newest last.
func approvalsOf(ctx context.Context, q db.Querier, ids []string) (map[string][]Approval, error) {
	var w db.Where
	db.In(&w, "payable", ids)

	rows, err := approvalRows.Where(ctx, q, w, "ORDER BY payable, version")

	out := map[string][]Approval{}
	for _, r := range rows {
		out[r.payable] = append(out[r.payable], r.Approval)
	}

	return out, err
}

// countsOf returns the number of an organisation's payables in each status, in one statement.
func countsOf(ctx context.Context, q db.Querier, organisation string) (map[Status]int64, error) {
	type count struct {
		status string
		n      int64
	}
	rows, err := db.Select(ctx, q, func(c *count) []any { return []any{&c.status, &c.n} },
		"SELECT status, count(*) FROM payables WHERE organisation = ? GROUP BY status", organisation)

	out := map[Status]int64{}
	for _, c := range rows {
		out[Status(c.status)] = c.n
	}

	return out, err
}

// Referred returns those of some documents that payables of the organisation, in any status, have. Pass it to
// document.Deps.
func Referred(ctx context.Context, q db.Querier, organisation string, keys []string) ([]string, error) {
	var w db.Where
	w.And("organisation = ?", organisation)
	w.And("document <> ''")
	db.In(&w, "document", keys)

	return db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT DISTINCT document FROM payables"+w.SQL(), w.Args...)
}
