package payable

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/core/id"
	"slipway/internal/core/money"
	"slipway/internal/core/text"
	"slipway/internal/directory/receiver"
	"slipway/internal/platform/db"
)

const columns = "id, organisation, type, status, name, currency, decimals, units, amount_sort, reason, instructions, " +
	"receiver, bank_account, wallet, invoice_number, reference, document, document_hash, expected_at, origin, link, " +
	"link_warnings, " +
	"likeness, search, authors, created_by, fingerprint, transaction_id, position, locked, payee_changed, " +
	"reject_reason, rejected_by, rejected_at, paid_at, version, created_at, updated_at"

var (
	insertPayable     = db.InsertInto("payables", columns)
	insertReservation = db.InsertInto("payable_reservations", "transaction_id, position, payable, reserved_at")
	insertApproval    = db.InsertInto(
		"payable_approvals",
		"payable, version, approved_by, comment, fingerprint, approved_at",
	)
)

// row is the database row of a payable.
type row struct {
	p                                                 Payable
	amount                                            money.Stored
	sort, likeness, linkWarnings                      string
	position, expected, rejected, paid, made, changed int64
}

func (r *row) dest() []any {
	p := &r.p

	return []any{
		&p.ID,
		&p.Organisation,
		(*string)(&p.Type),
		(*string)(&p.Status),
		&p.Name,
		&r.amount.Code,
		&r.amount.Decimals,
		&r.amount.Units,
		&r.sort,
		&p.Reason,
		&p.Instructions,
		&p.Receiver,
		&p.BankAccount,
		&p.Wallet,
		&p.InvoiceNumber,
		&p.Reference,
		&p.Document,
		&p.DocumentHash,
		&r.expected,
		(*string)(&p.Origin),
		&p.Link,
		&r.linkWarnings,
		&r.likeness,
		&p.search,
		(*string)(&p.Authors),
		&p.CreatedBy,
		&p.Fingerprint,
		&p.Transaction,
		&r.position,
		&p.locked,
		&p.PayeeChanged,
		&p.RejectReason,
		&p.RejectedBy,
		&r.rejected,
		&r.paid,
		&p.Version,
		&r.made,
		&r.changed,
	}
}

func (r *row) value() (Payable, error) {
	p := r.p

	var err error
	if p.Amount, err = r.amount.Amount(); err != nil {
		return p, fmt.Errorf("payable %s: %w", p.ID, err)
	}

	p.LinkWarnings = db.Words(r.linkWarnings)
	p.Position = int(r.position)
	p.ExpectedPaymentDate = db.Time(r.expected)
	p.RejectedAt = db.Time(r.rejected)
	p.PaidAt = db.Time(r.paid)
	p.CreatedAt = db.Time(r.made)
	p.UpdatedAt = db.Time(r.changed)

	return p, nil
}

func (p Payable) values() []any {
	a := p.Amount.Stored()

	return []any{
		p.ID,
		p.Organisation,
		string(p.Type),
		string(p.Status),
		p.Name,
		a.Code,
		a.Decimals,
		a.Units,
		sortable(p.Amount),
		p.Reason,
		p.Instructions,
		p.Receiver,
		p.BankAccount,
		p.Wallet,
		p.InvoiceNumber,
		p.Reference,
		p.Document,
		p.DocumentHash,
		db.Micros(p.ExpectedPaymentDate),
		string(p.Origin),
		p.Link,
		strings.Join(p.LinkWarnings, ","),
		likenessOf(p),
		p.search,
		string(p.Authors),
		p.CreatedBy,
		p.Fingerprint,
		p.Transaction,
		int64(p.Position),
		p.locked,
		p.PayeeChanged,
		p.RejectReason,
		p.RejectedBy,
		db.Micros(p.RejectedAt),
		db.Micros(p.PaidAt),
		p.Version,
		db.Micros(p.CreatedAt),
		db.Micros(p.UpdatedAt),
	}
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
	words := []string{p.ID, p.Name, r.Name(), p.InvoiceNumber, p.Reference, p.Reason}
	out := []rune(text.Searchable(strings.Join(words, " ")))

	const limit = 600 // enough to find it; a longer text would only slow the list

	return string(out[:min(len(out), limit)])
}

// update stores a payable that was read at version was in the state from. If it is at neither any more, the write fails
// with db.ErrStale. Its reservation is guarded besides, so that no two transactions can both hold it.
func update(tx *db.Tx, p Payable, from Status, was int64, reserved string) {
	names := strings.Split(columns, ", ")[1:]
	assignments := strings.Join(names, " = ?, ") + " = ?"

	tx.Change(
		"UPDATE payables SET "+assignments+" WHERE id = ? AND version = ? AND status = ? AND transaction_id = ?",
		append(p.values()[1:], p.ID, was, string(from), reserved)...)
}

// ByID returns a payable of an organisation. An unknown one and another organisation's are refused alike.
func ByID(ctx context.Context, q db.Querier, organisation, payableID string) (Payable, error) {
	if !id.Valid(Prefix, payableID) {
		return Payable{}, fault.Missing("payable")
	}

	r, err := db.One(ctx, q, (*row).dest,
		"SELECT "+columns+" FROM payables WHERE id = ? AND organisation = ?", payableID, organisation)
	if errors.Is(err, db.ErrNone) {
		return Payable{}, fault.Missing("payable")
	}

	if err != nil {
		return Payable{}, fmt.Errorf("read payable %s: %w", payableID, err)
	}

	return r.value()
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

	found, err := where(ctx, q, w, "")
	for _, p := range found {
		out[p.ID] = p
	}

	return out, err
}

func where(ctx context.Context, q db.Querier, w db.Where, tail string) ([]Payable, error) {
	rows, err := db.Select(ctx, q, (*row).dest, "SELECT "+columns+" FROM payables"+w.SQL()+tail, w.Args...)
	if err != nil {
		return nil, fmt.Errorf("read payables: %w", err)
	}

	return db.Values(rows, (*row).value)
}

// ofTransaction returns the payables that are reserved for a transaction or were paid by it, in the order of their
// payments.
func ofTransaction(ctx context.Context, q db.Querier, transactionID string) ([]Payable, error) {
	var w db.Where
	w.And("transaction_id = ?", transactionID)
	w.And("transaction_id <> ''") // the condition of the partial index

	return where(ctx, q, w, " ORDER BY position")
}

// approvedOf returns the approved payables whose receiver, bank account or wallet has an identifier.
func approvedOf(ctx context.Context, q db.Querier, organisation, column, object string) ([]Payable, error) {
	var w db.Where
	w.And(column+" = ?", object)
	w.And(column + " <> ''") // the condition of the partial index
	w.And("organisation = ?", organisation)
	w.And("status = 'APPROVED'")

	return where(ctx, q, w, " ORDER BY id")
}

// reservedBy returns the payables that a transaction was made of, by position, whatever their state now.
func reservedBy(
	ctx context.Context,
	q db.Querier,
	transactionIDs []string,
) (map[string]map[int]string, error) {
	type place struct {
		transaction, payable string
		position             int64
	}

	var w db.Where
	db.In(&w, "transaction_id", transactionIDs)

	rows, err := db.Select(ctx, q, func(p *place) []any { return []any{&p.transaction, &p.position, &p.payable} },
		"SELECT transaction_id, position, payable FROM payable_reservations"+w.SQL(), w.Args...)

	out := make(map[string]map[int]string, len(transactionIDs))
	for _, r := range rows {
		if out[r.transaction] == nil {
			out[r.transaction] = map[int]string{}
		}

		out[r.transaction][int(r.position)] = r.payable
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
	type line struct {
		payable   string
		a         Approval
		at, ended int64
	}

	const names = "payable, approved_by, comment, fingerprint, approved_at, ended_at, why"

	var w db.Where
	db.In(&w, "payable", ids)

	lines, err := db.Select(ctx, q, func(l *line) []any {
		return []any{&l.payable, &l.a.By, &l.a.Comment, &l.a.Fingerprint, &l.at, &l.ended, &l.a.Why}
	}, "SELECT "+names+" FROM payable_approvals"+w.SQL()+" ORDER BY payable, version", w.Args...)

	out := map[string][]Approval{}
	for _, l := range lines {
		l.a.At = db.Time(l.at)
		l.a.Ended = db.Time(l.ended)
		out[l.payable] = append(out[l.payable], l.a)
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
