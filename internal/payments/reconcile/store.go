package reconcile

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const (
	depositColumns = "entry, house, currency, decimals, units, sealed, bank_ref, sender_name, sender_bank, " +
		"booked_at, value_at, state, reason, transaction_id, organisation, owner, settled_by, settled_as, " +
		"note, attempts, version, created_at, updated_at"
	debitColumns = "entry, house, currency, decimals, units, reversal, sealed, bank_ref, deposit, booked_at, " +
		"value_at, created_at"
)

var (
	insertDepositRow = db.InsertInto(
		"deposits",
		"entry, house, currency, decimals, units, sealed, bank_ref, sender_name, sender_bank, booked_at, "+
			"value_at, state, reason, owner, version, created_at, updated_at",
	)
	insertClaimRow = db.InsertInto("return_claims", "entry, payout, why")
	insertMatchRow = db.InsertInto("deposit_matches", "entry, transaction_id, matched_by, matched_at")
	insertDebitRow = db.InsertInto("bank_debits", debitColumns)
)

// Sealed columns: what the bank passed on, a line each, and of a deposit the account it came from.
var (
	depositTexts = db.SealColumn("deposits", "sealed", "entry")
	debitTexts   = db.SealColumn("bank_debits", "sealed", "entry")
)

// Sealed are the columns that are sealed.
func Sealed() []*db.Sealed { return []*db.Sealed{depositTexts, debitTexts} }

type depositRow struct {
	d                Deposit
	amount           money.Stored
	texts            string
	booked, valued   int64
	created, updated int64
}

func (r *depositRow) dest() []any {
	d := &r.d

	return []any{
		&d.Entry,
		&d.House,
		&r.amount.Code,
		&r.amount.Decimals,
		&r.amount.Units,
		depositTexts.Into(db.Key{&d.Entry}, &r.texts, &d.SenderAccount),
		&d.BankRef,
		&d.SenderName,
		&d.SenderBank,
		&r.booked,
		&r.valued,
		(*string)(&d.State),
		(*string)(&d.Reason),
		&d.Transaction,
		&d.Organisation,
		&d.Owner,
		&d.Settler,
		(*string)(&d.SettledAs),
		&d.Note,
		&d.Attempts,
		&d.Version,
		&r.created,
		&r.updated,
	}
}

func (r *depositRow) value() (Deposit, error) {
	d := r.d
	if r.texts != "" {
		d.Texts = strings.Split(r.texts, "\n")
	}

	d.BookedAt = db.Time(r.booked)
	d.ValueAt = db.Time(r.valued)
	d.CreatedAt = db.Time(r.created)
	d.UpdatedAt = db.Time(r.updated)

	var err error
	if d.Amount, err = r.amount.Amount(); err != nil {
		return d, fmt.Errorf("deposit %s: %w", d.Entry, err)
	}

	return d, nil
}

// SealTexts returns Deposit.Sealed. Reading a statement calls it, so that the write of its deposits has less to do.
func SealTexts(d *db.DB, entry string, texts []string, senderAccount string) any {
	row := []any{sealTexts(entry, texts, senderAccount)}
	d.Seal(row)

	return row[0]
}

func sealTexts(entry string, texts []string, senderAccount string) any {
	return depositTexts.Of(db.Key{entry}, strings.Join(texts, "\n"), senderAccount)
}

// insertDeposit stores a new deposit: what the bank reports, and whether the matching step or people act next.
func insertDeposit(tx *db.Tx, d Deposit) {
	a := d.Amount.Stored()

	texts := d.Sealed
	if texts == nil {
		texts = sealTexts(d.Entry, d.Texts, d.SenderAccount)
	}

	tx.Insert(
		insertDepositRow,
		d.Entry,
		d.House,
		a.Code,
		a.Decimals,
		a.Units,
		texts,
		d.BankRef,
		d.SenderName,
		d.SenderBank,
		db.Micros(d.BookedAt),
		db.Micros(d.ValueAt),
		string(d.State),
		string(d.Reason),
		d.Owner,
		int64(1),
		db.Micros(tx.Now),
		db.Micros(tx.Now),
	)
}

// insertClaim stores which payout a deposit names.
func insertClaim(tx *db.Tx, d Deposit) {
	tx.Insert(insertClaimRow, d.Entry, d.Claim.Payout, d.Claim.Why)
}

// claims reads which payouts the deposits name; most name none.
func claims(ctx context.Context, q db.Querier, deposits []Deposit) error {
	type claim struct {
		entry string
		Claim
	}

	if len(deposits) == 0 {
		return nil
	}

	entries := make([]string, len(deposits))
	for i, d := range deposits {
		entries[i] = d.Entry
	}

	var w db.Where
	db.In(&w, "entry", entries)

	rows, err := db.Select(ctx, q, func(c *claim) []any {
		return []any{&c.entry, &c.Payout, &c.Why}
	}, "SELECT entry, payout, why FROM return_claims"+w.SQL(), w.Args...)
	if err != nil {
		return fmt.Errorf("claims of deposits: %w", err)
	}

	of := make(map[string]Claim, len(rows))
	for _, c := range rows {
		of[c.entry] = c.Claim
	}

	for i := range deposits {
		deposits[i].Claim = of[deposits[i].Entry]
	}

	return nil
}

// moveDeposit stores a deposit in its next state, guarded by the version that was read.
func moveDeposit(tx *db.Tx, d Deposit, to State) {
	if !table.Allows(d.State, to) && d.State != to {
		panic(fmt.Sprintf("deposit %s: %s to %s is no move", d.Entry, d.State, to))
	}

	tx.Change(
		`UPDATE deposits
			SET state = ?, reason = ?, transaction_id = ?, organisation = ?, owner = ?, settled_by = ?, settled_as = ?,
			note = ?, attempts = ?, version = ?, updated_at = ?
			WHERE entry = ? AND version = ? AND state = ?`,
		string(to),
		string(d.Reason),
		d.Transaction,
		d.Organisation,
		d.Owner,
		d.Settler,
		string(d.SettledAs),
		d.Note,
		d.Attempts,
		d.Version+1,
		db.Micros(tx.Now),
		d.Entry,
		d.Version,
		string(d.State),
	)
}

func insertMatch(tx *db.Tx, entry, transactionID, by string) {
	tx.Insert(insertMatchRow, entry, transactionID, by, db.Micros(tx.Now))
}

func selectDeposits(ctx context.Context, q db.Querier, condition string, args ...any) ([]Deposit, error) {
	rows, err := db.Select(ctx, q, (*depositRow).dest,
		"SELECT "+depositColumns+" FROM deposits WHERE "+condition, args...)
	if err != nil {
		return nil, err
	}

	return db.Values(rows, (*depositRow).value)
}

// newDeposits returns deposits that are NEW in the order of recording, from the one after the given deposit; the zero
// deposit starts at the first.
func newDeposits(ctx context.Context, q db.Querier, after Deposit, limit int) ([]Deposit, error) {
	return selectDeposits(
		ctx,
		q,
		"state = 'NEW' AND (created_at, entry) > (?, ?) ORDER BY created_at, entry LIMIT ?",
		db.Micros(after.CreatedAt),
		after.Entry,
		int64(limit),
	)
}

// newAmong returns which of some deposits are still NEW, in the order of recording.
func newAmong(ctx context.Context, q db.Querier, deposits []Deposit) ([]Deposit, error) {
	entries := make([]string, len(deposits))
	for i, d := range deposits {
		entries[i] = d.Entry
	}

	var w db.Where
	w.And("state || '' = ?", string(StateNew)) // not by the index of states: by these keys
	db.In(&w, "entry", entries)

	return selectDeposits(ctx, q, strings.TrimPrefix(w.SQL(), " WHERE ")+" ORDER BY created_at, entry", w.Args...)
}

// depositsIn returns deposits of some states in the order of recording, from the one after an entry; "" starts at the
// first.
func depositsIn(ctx context.Context, q db.Querier, states, after string, limit int) ([]Deposit, error) {
	condition := "state IN (" + states + ")"

	args := []any{}
	if after != "" {
		condition = condition + " AND (created_at, entry) > (SELECT d.created_at, d.entry FROM deposits d " +
			"WHERE d.entry = ?)"

		args = append(args, after)
	}

	return selectDeposits(ctx, q, condition+" ORDER BY created_at, entry LIMIT ?", append(args, int64(limit))...)
}

// undecided are the states of suspense: two people decide next.
var undecided = []State{StateSuspense, StateAssigned, StateHeld}

// depositPage returns a page of deposits in the order of recording with what stands beside them, and how many there
// are.
func depositPage(
	ctx context.Context,
	q db.Querier,
	w db.Where,
	order caller.Order,
	page caller.Window,
) ([]Deposit, int64, error) {
	total, err := db.Value[int64](ctx, q, "SELECT count(*) FROM deposits"+w.SQL(), w.Args...)
	if err != nil {
		return nil, 0, fmt.Errorf("count deposits: %w", err)
	}

	way := " DESC"
	beyond := "<"

	if order.Ascending {
		way = ""
		beyond = ">"
	}

	if page.After != "" {
		entry, at, err := order.Parse(page.After)
		if err != nil {
			return nil, 0, err
		}

		w.And("(created_at, entry) "+beyond+" (?, ?)", at, entry)
	}

	condition := strings.TrimPrefix(w.SQL(), " WHERE ")
	if condition == "" {
		condition = "TRUE"
	}

	all, err := selectDeposits(ctx, q, condition+" ORDER BY created_at"+way+", entry"+way+" LIMIT ? OFFSET ?",
		append(w.Args, int64(page.Limit+1), int64(page.Offset))...)
	if err != nil {
		return nil, 0, err
	}

	return all, total, readWords(ctx, q, all)
}

// depositPosition returns the sort position of a deposit.
func depositPosition(order caller.Order, d Deposit) string {
	return order.Position(d.Entry, strconv.FormatInt(db.Micros(d.CreatedAt), 10))
}

func depositByEntry(ctx context.Context, q db.Querier, entry string) (Deposit, error) {
	return db.First(selectDeposits(ctx, q, "entry = ?", entry))
}

// OwnerOf returns the organisation in whose book a deposit stands; "": it is not known whose it is.
func OwnerOf(ctx context.Context, q db.Querier, entry string) (string, error) {
	return db.Value[string](ctx, q, "SELECT owner FROM deposits WHERE entry = ?", entry)
}

func depositsOf(ctx context.Context, q db.Querier, transactionIDs ...string) ([]Deposit, error) {
	if len(transactionIDs) == 0 {
		return nil, nil
	}

	var w db.Where
	db.In(&w, "transaction_id", transactionIDs)

	return selectDeposits(ctx, q, strings.TrimPrefix(w.SQL(), " WHERE ")+" ORDER BY entry", w.Args...)
}

// depositsLike returns deposits of one amount on one account, to find the one that a reversal takes back.
func depositsLike(ctx context.Context, q db.Querier, house string, a money.Amount) ([]Deposit, error) {
	return selectDeposits(
		ctx,
		q,
		"currency = ? AND units = ? AND house = ? AND state NOT IN ('REVERSED', 'WITHDRAWN') ORDER BY entry",
		a.Asset().Code,
		a.Units().String(),
		house,
	)
}

func insertDebit(tx *db.Tx, d Debit, deposit string) {
	a := d.Amount.Stored()

	tx.Insert(
		insertDebitRow,
		d.Entry,
		d.House,
		a.Code,
		a.Decimals,
		a.Units,
		d.Reversal,
		debitTexts.Of(db.Key{d.Entry}, strings.Join(d.Texts, "\n")),
		d.BankRef,
		deposit,
		db.Micros(d.BookedAt),
		db.Micros(d.ValueAt),
		db.Micros(tx.Now),
	)
}

// depositsAmong returns which of some entries are recorded as deposits.
func depositsAmong(ctx context.Context, q db.Querier, entries []string) ([]Deposit, error) {
	var w db.Where
	db.In(&w, "entry", entries)

	return selectDeposits(ctx, q, strings.TrimPrefix(w.SQL(), " WHERE ")+" ORDER BY entry", w.Args...)
}

func withdrawDebit(tx *db.Tx, x Debit) {
	tx.Change("UPDATE bank_debits SET withdrawn = TRUE WHERE entry = ? AND NOT withdrawn", x.Entry)
}

// debitsAmong returns which of some entries are recorded as debits and were not withdrawn.
func debitsAmong(ctx context.Context, q db.Querier, entries []string) ([]Debit, error) {
	type row struct {
		x              Debit
		amount         money.Stored
		booked, valued int64
	}

	var w db.Where
	w.And("NOT withdrawn")
	db.In(&w, "entry", entries)

	rows, err := db.Select(ctx, q, func(r *row) []any {
		return []any{
			&r.x.Entry,
			&r.x.House,
			&r.amount.Code,
			&r.amount.Decimals,
			&r.amount.Units,
			&r.x.Reversal,
			&r.booked,
			&r.valued,
		}
	}, "SELECT entry, house, currency, decimals, units, reversal, booked_at, value_at FROM bank_debits"+w.SQL()+
		" ORDER BY entry", w.Args...)
	if err != nil {
		return nil, err
	}

	out := make([]Debit, len(rows))
	for i, r := range rows {
		out[i] = r.x
		out[i].BookedAt = db.Time(r.booked)
		out[i].ValueAt = db.Time(r.valued)

		if out[i].Amount, err = r.amount.Amount(); err != nil {
			return nil, fmt.Errorf("debit %s: %w", r.x.Entry, err)
		}
	}

	return out, nil
}

// Unmatched sums the deposits on a house account that are written down and posted nowhere yet: the matching step acts
// next.
func Unmatched(ctx context.Context, q db.Querier, house string) (*big.Int, error) {
	all, err := db.Select(ctx, q, func(s *string) []any { return []any{s} },
		"SELECT units FROM deposits WHERE state = 'NEW' AND house = ?", house)
	if err != nil {
		return nil, fmt.Errorf("unmatched deposits of %s: %w", house, err)
	}

	sum := new(big.Int)

	for _, text := range all {
		n, err := money.ParseUnits(text)
		if err != nil {
			return nil, fmt.Errorf("deposit on %s: %w", house, err)
		}

		sum.Add(sum, n)
	}

	return sum, nil
}
