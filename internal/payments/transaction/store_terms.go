package transaction

import (
	"context"
	"maps"
	"math/big"
	"slices"
	"time"

	"slipway/internal/platform/db"
)

var (
	termsRows    = db.NewTable("transaction_terms", (*termsRow).columns)
	priceRows    = termsRows.Only("commission_type", "treasury")
	depositRows  = termsRows.Only("reference", "house", "treasury", "sender", "expires_at")
	byReferences = termsRows.Only("transaction_id", "reference")

	paymentTermsRows = db.NewTable("payment_terms", (*paymentTermsRow).columns)
)

// locked is the sealed column with the destination of a payment through a bank: its receiver's address and the bank
// account, as JSON.
var locked = db.SealColumn("payment_terms", "sealed", "transaction_id, position")

// Sealed returns the sealed columns.
func Sealed() []*db.Sealed { return []*db.Sealed{locked} }

// termsRow is the database row of a transaction's terms.
type termsRow struct {
	transaction string
	Terms
}

func (r *termsRow) columns(c *db.Columns) {
	c.Text("transaction_id", &r.transaction)
	c.Text("commission_type", &r.CommissionType)
	c.Text("currency", &r.AmountCurrency)
	c.Int("decimals", &r.CurrencyDecimals)
	c.Units("fiat_units", &r.FiatUnits)
	c.Text("reference", &r.Reference)
	c.Text("house", &r.House)
	c.Text("treasury", &r.Treasury)
	c.Text("sender", &r.Sender)
	c.Time("expected_at", &r.ExpectedAt)
	c.Time("expires_at", &r.ExpiresAt)
	c.JSON("fees", &r.Fees)
}

// paymentTermsRow is the database row of a payment's terms.
type paymentTermsRow struct {
	transaction string
	position    int
	address     string // of the receiver
	PaymentTerms
}

func (r *paymentTermsRow) columns(c *db.Columns) {
	c.Text("transaction_id", &r.transaction)
	c.Int("position", &r.position)
	c.Text("currency", &r.Currency)
	c.Int("decimals", &r.CurrencyDecimals)
	c.Units("fiat_units", &r.FiatUnits)
	c.Text("bank_account", &r.BankAccount)
	c.Sealed(locked, db.Key{&r.transaction, &r.position}, &r.address, &r.BankSnapshot)
	c.Text("fees_option", (*string)(&r.FeesOption))
	c.Text("estimated_rate", &r.EstimatedRate)
	c.Text("reference", &r.Reference)
}

// digits returns a number as decimal text, or "" for nil.
func digits(n *big.Int) string {
	if n == nil {
		return "0"
	}

	return n.String()
}

// insertTerms stores the terms of a transaction through a bank. For a CRYPTO transaction it does nothing.
func insertTerms(tx *db.Tx, t Transaction) {
	if t.Type == TypeCrypto {
		return
	}

	termsRows.Insert(tx, &termsRow{t.ID, t.Terms})
	insertPaymentTerms(tx, t)
}

func insertPaymentTerms(tx *db.Tx, t Transaction) {
	rows := make([]paymentTermsRow, len(t.Payments))
	for i, p := range t.Payments {
		_, address := cutAddress(p.Snapshot)
		rows[i] = paymentTermsRow{t.ID, p.Position, address, p.PaymentTerms}
	}

	paymentTermsRows.InsertAll(tx, rows)
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

	insertTerms(tx, t)

	return nil
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

	terms, err := termsRows.Where(ctx, q, w, "")
	if err != nil {
		return err
	}

	for _, x := range terms {
		index[x.transaction].Terms = x.Terms
	}

	items, err := paymentTermsRows.Where(ctx, q, w, "")
	if err != nil {
		return err
	}

	for _, x := range items {
		t := index[x.transaction]

		if x.position < len(t.Payments) {
			p := &t.Payments[x.position]
			p.PaymentTerms = x.PaymentTerms
			p.Snapshot = withAddress(p.Snapshot, x.address)
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
			out[rows[i].Reference] = true
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

		rows, err := byReferences.Where(ctx, q, w, "")
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

	priceRows.Change(tx, &termsRow{t.ID, t.Terms}, "transaction_id = ?", t.ID)

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
	depositRows.Change(tx, &termsRow{t.ID, t.Terms}, "transaction_id = ?", t.ID)
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
