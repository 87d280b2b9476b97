package transaction

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/payments/quote"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jsonout"
)

const (
	termsColumns = "transaction_id, commission_type, currency, decimals, fiat_units, reference, house, " +
		"treasury, sender, expected_at, expires_at, fees"
	paymentTermsColumns = "transaction_id, position, currency, decimals, fiat_units, bank_account, sealed, " +
		"fees_option, estimated_rate, reference"
)

var (
	insertTermsRow        = db.InsertInto("transaction_terms", termsColumns)
	insertPaymentTermsRow = db.InsertInto("payment_terms", paymentTermsColumns)
)

// locked is the sealed column with the destination of a payment through a bank: its receiver's address and the bank
// account, as JSON.
var locked = db.SealColumn("payment_terms", "sealed", "transaction_id, position")

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{locked} }

// termsRow is the database row of a transaction's terms.
type termsRow struct {
	transaction                   string
	t                             Terms
	decimals, expectedAt, expires int64
	units, fees                   string
}

func (r *termsRow) dest() []any {
	t := &r.t

	return []any{
		&r.transaction,
		&t.CommissionType,
		&t.AmountCurrency,
		&r.decimals,
		&r.units,
		&t.Reference,
		&t.House,
		&t.Treasury,
		&t.Sender,
		&r.expectedAt,
		&r.expires,
		&r.fees,
	}
}

func (r *termsRow) value() (Terms, error) {
	t := r.t
	t.CurrencyDecimals = int(r.decimals)
	t.ExpectedAt = db.Time(r.expectedAt)
	t.ExpiresAt = db.Time(r.expires)

	var ok bool
	if t.FiatUnits, ok = new(big.Int).SetString(r.units, 10); !ok {
		return t, fmt.Errorf("terms of %s: %q is no number", r.transaction, r.units)
	}

	if r.fees == "" {
		return t, nil
	}

	if err := json.Unmarshal([]byte(r.fees), &t.Fees); err != nil {
		return t, fmt.Errorf("fees of %s: %w", r.transaction, err)
	}

	return t, nil
}

// paymentTermsRow is the database row of a payment's terms.
type paymentTermsRow struct {
	transaction        string
	position, decimals int64
	p                  PaymentTerms
	units, address     string
}

func (r *paymentTermsRow) dest() []any {
	p := &r.p

	return []any{
		&r.transaction,
		&r.position,
		&p.Currency,
		&r.decimals,
		&r.units,
		&p.BankAccount,
		locked.Into(db.Key{&r.transaction, &r.position}, &r.address, &p.BankSnapshot),
		(*string)(&p.FeesOption),
		&p.EstimatedRate,
		&p.Reference,
	}
}

func (r *paymentTermsRow) value() (PaymentTerms, error) {
	p := r.p
	p.CurrencyDecimals = int(r.decimals)

	var ok bool
	if p.FiatUnits, ok = new(big.Int).SetString(r.units, 10); !ok {
		return p, fmt.Errorf("terms of payment %d of %s: %q is no number", r.position, r.transaction, r.units)
	}

	return p, nil
}

// digits returns a number as decimal text, or "" for nil.
func digits(n *big.Int) string {
	if n == nil {
		return "0"
	}

	return n.String()
}

// feesText returns the fees of a draft as they are stored.
func feesText(fees []quote.FeeView) (string, error) {
	if len(fees) == 0 {
		return "", nil
	}

	text, err := jsonout.Marshal(fees)

	return string(text), err
}

// insertTerms stores the terms of a transaction through a bank. For a CRYPTO transaction it does nothing.
func insertTerms(tx *db.Tx, t Transaction) error {
	if t.Type == TypeCrypto {
		return nil
	}

	fees, err := feesText(t.Fees)
	if err != nil {
		return fmt.Errorf("fees of %s: %w", t.ID, err)
	}

	tx.Insert(insertTermsRow,
		t.ID,
		t.CommissionType,
		t.AmountCurrency,
		int64(t.CurrencyDecimals),
		digits(t.FiatUnits),
		t.Reference,
		t.House,
		t.Treasury,
		t.Sender,
		db.Micros(t.ExpectedAt),
		db.Micros(t.ExpiresAt),
		fees,
	)

	insertPaymentTerms(tx, t)

	return nil
}

func insertPaymentTerms(tx *db.Tx, t Transaction) {
	for _, p := range t.Payments {
		_, address := cutAddress(p.Snapshot)
		at := int64(p.Position)

		tx.Insert(
			insertPaymentTermsRow,
			t.ID,
			at,
			p.Currency,
			int64(p.CurrencyDecimals),
			digits(p.FiatUnits),
			p.BankAccount,
			locked.Of(db.Key{t.ID, at}, address, p.BankSnapshot),
			string(p.FeesOption),
			p.EstimatedRate,
			p.Reference,
		)
	}
}

// replaceTerms overwrites the terms of a draft.
func replaceTerms(tx *db.Tx, t Transaction) error {
	if t.Type == TypeCrypto {
		return nil
	}

	for _, table := range []string{"transaction_terms", "payment_terms"} {
		if _, err := tx.Exec("DELETE FROM "+table+" WHERE transaction_id = ?", t.ID); err != nil {
			return err
		}
	}

	return insertTerms(tx, t)
}

// find reads a transaction with its terms, or returns db.ErrNone. The caller checks which organisation may see it.
func find(ctx context.Context, q db.Querier, id string) (Transaction, error) {
	t, err := load(ctx, q, id)
	if err != nil {
		return t, err
	}

	return withTerms(ctx, q, t)
}

// withTerms adds the stored terms to a transaction; a CRYPTO transaction has none.
func withTerms(ctx context.Context, q db.Querier, t Transaction) (Transaction, error) {
	if t.Type == TypeCrypto {
		return t, nil
	}

	all := []Transaction{t}
	err := attachTerms(ctx, q, all)

	return all[0], err
}

// attachTerms reads the terms of several transactions in two statements, or in none if all are CRYPTO.
func attachTerms(ctx context.Context, q db.Querier, all []Transaction) error {
	index := map[string]*Transaction{}

	var ids []string

	for i := range all {
		if all[i].Type != TypeCrypto {
			index[all[i].ID] = &all[i]
			ids = append(ids, all[i].ID)
		}
	}

	if len(ids) == 0 {
		return nil
	}

	var w db.Where
	db.In(&w, "transaction_id", ids)

	terms, err := db.Select(
		ctx,
		q,
		(*termsRow).dest,
		"SELECT "+termsColumns+" FROM transaction_terms"+w.SQL(),
		w.Args...)
	if err != nil {
		return err
	}

	for i := range terms {
		if index[terms[i].transaction].Terms, err = terms[i].value(); err != nil {
			return err
		}
	}

	items, err := db.Select(
		ctx,
		q,
		(*paymentTermsRow).dest,
		"SELECT "+paymentTermsColumns+" FROM payment_terms"+w.SQL(),
		w.Args...)
	if err != nil {
		return err
	}

	for i := range items {
		t := index[items[i].transaction]

		if n := items[i].position; n < int64(len(t.Payments)) {
			if t.Payments[n].PaymentTerms, err = items[i].value(); err != nil {
				return err
			}

			t.Payments[n].Snapshot = withAddress(t.Payments[n].Snapshot, items[i].address)
		}
	}

	return nil
}

// ReferencesTaken returns which of the given deposit references belong to a transaction. Reconciliation calls it,
// because most references found in a bank's texts are there by chance.
func ReferencesTaken(ctx context.Context, q db.Querier, references []string) (map[string]bool, error) {
	out := map[string]bool{}

	err := byReference(ctx, q, references, func(rows []termsRow) error {
		for i := range rows {
			out[rows[i].t.Reference] = true
		}

		return nil
	})

	return out, err
}

// OnrampsByReference returns ONRAMP transactions by deposit reference, in any state, without deleted ones.
// Reconciliation calls it.
func OnrampsByReference(ctx context.Context, q db.Querier, references []string) (map[string]Transaction, error) {
	out := map[string]Transaction{}

	err := byReference(ctx, q, references, func(rows []termsRow) error {
		ids := make([]string, len(rows))
		for i := range rows {
			ids[i] = rows[i].transaction
		}

		loaded, err := loadAll(ctx, q, ids)
		if err != nil {
			return err
		}

		all := slices.Collect(maps.Values(loaded))
		if err := attachTerms(ctx, q, all); err != nil {
			return err
		}

		for _, t := range all {
			if t.Type == TypeOnramp {
				out[t.Reference] = t
			}
		}

		return nil
	})

	return out, err
}

// AwaitingDeposits returns the ONRAMP transactions that wait for a deposit in a currency, the newest first. An operator
// looks among them for the one that a deposit in suspense pays.
func AwaitingDeposits(ctx context.Context, q db.Querier, currency string, limit int) ([]Transaction, error) {
	ids, err := db.Select(ctx, q, func(s *string) []any { return []any{s} },
		`SELECT t.id FROM transactions t JOIN transaction_terms x ON x.transaction_id = t.id
			WHERE t.settlement_status IN ('AWAITING_DEPOSIT', 'DEPOSIT_MISMATCH') AND t.status = ? AND NOT t.deleted
			AND x.currency = ? ORDER BY t.id DESC LIMIT ?`,
		string(StatusWaiting), currency, int64(limit))
	if err != nil || len(ids) == 0 {
		return nil, err
	}

	loaded, err := loadAll(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	all := slices.Collect(maps.Values(loaded))

	return all, attachTerms(ctx, q, all)
}

// byReference reads the rows of references, a limited number in each statement. References without a row are left out.
func byReference(ctx context.Context, q db.Querier, references []string, each func(rows []termsRow) error) error {
	const limit = 2048

	for part := range slices.Chunk(references, limit) {
		var w db.Where
		w.And("reference <> ''") // the condition of the partial index
		db.In(&w, "reference", part)

		rows, err := db.Select(ctx, q, func(r *termsRow) []any {
			return []any{&r.transaction, &r.t.Reference}
		}, "SELECT transaction_id, reference FROM transaction_terms"+w.SQL(), w.Args...)
		if err == nil && len(rows) > 0 {
			err = each(rows)
		}

		if err != nil {
			return err
		}
	}

	return nil
}

// LockPayouts stores the price of a FIAT transaction, and the bank accounts as they are now. The money goes there,
// whatever happens to the records later (F-09).
func LockPayouts(tx *db.Tx, t Transaction) error {
	lockPrice(tx, t)

	if _, err := tx.Exec("DELETE FROM payment_terms WHERE transaction_id = ?", t.ID); err != nil {
		return err
	}

	insertPaymentTerms(tx, t)

	return nil
}

// lockPrice stores the price of a FIAT transaction and of each of its payments, inside the write that moves it on.
func lockPrice(tx *db.Tx, t Transaction) {
	tx.Change("UPDATE transactions SET debit = ? WHERE id = ? AND deleted = FALSE", t.Debit.String(), t.ID)

	tx.Change(
		"UPDATE transaction_terms SET commission_type = ?, treasury = ? WHERE transaction_id = ?",
		t.CommissionType,
		t.Treasury,
		t.ID,
	)

	for _, p := range t.Payments {
		SetUnits(tx, t, p.Position, p.Units)
	}
}

// SetUnits stores the token amount of a payment in base units: for FIAT its cost without fees, for ONRAMP what is
// delivered. Like SetOutcome it needs an Advance in the same write.
func SetUnits(tx *db.Tx, t Transaction, position int, units *big.Int) {
	tx.Change(
		"UPDATE payments SET units = ?, updated_at = ? WHERE transaction_id = ? AND position = ?",
		units.String(),
		db.Micros(tx.Now),
		t.ID,
		int64(position),
	)
}

// reserveAnew sets a transaction's reservation to its new debit.
func reserveAnew(tx *db.Tx, t Transaction) {
	tx.Change("UPDATE reservations SET units = ? WHERE transaction_id = ? AND released_at = 0", t.Debit.String(), t.ID)
}

// LockDeposit stores what the depositor of an ONRAMP transaction is told.
func LockDeposit(tx *db.Tx, t Transaction) {
	tx.Change(
		`UPDATE transaction_terms
			SET reference = ?, house = ?, treasury = ?, sender = ?, expires_at = ?
			WHERE transaction_id = ?`,
		t.Reference,
		t.House,
		t.Treasury,
		t.Sender,
		db.Micros(t.ExpiresAt),
		t.ID,
	)
}

// OverdueDeposits returns the ids of transactions whose deposit is overdue, the oldest first, at most limit of them.
func OverdueDeposits(ctx context.Context, q db.Querier, now time.Time, limit int) ([]string, error) {
	return db.Select(ctx, q, func(s *string) []any {
		return []any{s}
	}, `SELECT x.transaction_id FROM transaction_terms x
		JOIN transactions t ON t.id = x.transaction_id
		WHERE x.expires_at > 0 AND x.expires_at <= ? AND t.status = 'WAITING_ACCEPTANCE'
		AND t.settlement_status = 'AWAITING_DEPOSIT' AND t.deleted = FALSE
		ORDER BY x.expires_at LIMIT ?`,
		db.Micros(now), int64(limit))
}
