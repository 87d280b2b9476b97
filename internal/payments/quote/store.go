package quote

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/stock"
	"slipway/internal/platform/db"
)

// All SQL of quotes.

// The statuses of a stored quote.
const (
	held     = "HELD"     // locked for a draft by check-allowance; counts towards no limit until submit takes it
	current  = "CURRENT"  // the one that counts
	replaced = "REPLACED" // a later one replaced it
	dead     = "DEAD"     // its transaction ended without effect
)

var quoteRows = db.NewTable("quotes", (*row).columns)

// content is the JSON column. Numbers are texts, because JSON's own numbers lose digits.
type content struct {
	Lines []storedLine `json:"lines"`
	Fees  []storedFee  `json:"fees"`
	Tax   Tax          `json:"tax,omitzero"`
}

type storedLine struct {
	Position int    `json:"p"`
	Currency string `json:"c"`
	Decimals int    `json:"d"`
	Fiat     string `json:"fiat"`
	Rate     string `json:"rate"`
	Tokens   string `json:"tokens"`
	Rail     string `json:"rail,omitempty"`
	Charges  string `json:"charges"`
	Deducted string `json:"off,omitempty"`
	AsOf     int64  `json:"asOf"`
	Source   string `json:"source"`
}

type storedFee struct {
	Position   int    `json:"p"`
	Type       string `json:"type"`
	Tokens     string `json:"tokens"`
	Percent    string `json:"percent,omitempty"`
	Of         string `json:"of,omitempty"`
	OfCurrency string `json:"ofC,omitempty"`
	OfDecimals int    `json:"ofD,omitempty"`
	Tax        string `json:"tax,omitempty"`
}

func contentOf(q Quote) content {
	c := content{Lines: make([]storedLine, len(q.Lines)), Fees: make([]storedFee, len(q.Fees)), Tax: q.Tax}
	for i, l := range q.Lines {
		c.Lines[i] = storedLine{
			Position: l.Position,
			Currency: l.Currency.Code,
			Decimals: l.Currency.Decimals,
			Fiat:     l.FiatUnits.String(),
			Rate:     decimal(l.Rate, RateDecimals),
			Tokens:   l.TokenUnits.String(),
			Rail:     l.Rail,
			Charges:  string(l.Charges),
			AsOf:     db.Micros(l.AsOf),
			Source:   l.Source,
		}
		if l.Deducted.Sign() > 0 {
			c.Lines[i].Deducted = l.Deducted.String()
		}
	}

	for i, f := range q.Fees {
		c.Fees[i] = storedFee{
			Position: f.Position,
			Type:     string(f.Type),
			Tokens:   f.Amount.Units().String(),
			Percent:  f.Percent,
		}
		if f.Of.Sign() > 0 {
			c.Fees[i].Of = f.Of.Units().String()
			c.Fees[i].OfCurrency = f.Of.Asset().Code
			c.Fees[i].OfDecimals = f.Of.Asset().Decimals
		}

		if f.Tax.Sign() > 0 {
			c.Fees[i].Tax = f.Tax.Units().String()
		}
	}

	return c
}

// numbers parses stored digits and keeps the first error.
type numbers struct{ err error }

func (n *numbers) units(s string) *big.Int {
	if s == "" {
		return new(big.Int)
	}

	v, err := money.ParseUnits(s)
	if err != nil && n.err == nil {
		n.err = err
	}

	return v
}

func (n *numbers) rate(s string) *big.Rat {
	v, ok := new(big.Rat).SetString(s)
	if !ok && n.err == nil {
		n.err = fmt.Errorf("%q is no rate", s)
	}

	return v
}

func (n *numbers) amount(code string, decimals int, s string) money.Amount {
	v := n.units(s)
	if v == nil {
		return money.Amount{}
	}

	return money.FromUnits(money.Asset{Code: code, Decimals: decimals}, v)
}

// row is the database row of a quote.
type row struct {
	Quote
	cents   *big.Int // of ValueUSD
	content content
	status  string
}

func (r *row) columns(c *db.Columns) {
	c.Text("id", &r.ID)
	c.Text("transaction_id", &r.Transaction)
	c.Text("organisation", &r.Organisation)
	c.Int("sequence", &r.Sequence)
	c.Text("kind", (*string)(&r.Kind))
	c.Text("network", &r.Network)
	c.Text("token", &r.Token.Code)
	c.Int("decimals", &r.Token.Decimals)
	c.Units("token_debit", &r.TokenDebit)
	c.Units("token_credit", &r.TokenCredit)
	c.Units("value_usd", &r.cents)
	c.Text("commission_type", (*string)(&r.Commission))
	c.JSON("content", &r.content)
	c.Time("locked_at", &r.LockedAt)
	c.Time("expires_at", &r.ExpiresAt)
	c.Text("status", &r.status)
}

func (r *row) quote() (Quote, error) {
	q := r.Quote
	c := r.content
	n := &numbers{}
	q.Tax = c.Tax
	q.ValueUSD = money.FromUnits(money.Asset{Code: dollar, Decimals: 2}, r.cents)

	for _, l := range c.Lines {
		q.Lines = append(q.Lines, Line{
			Position:   l.Position,
			Currency:   money.Asset{Code: l.Currency, Decimals: l.Decimals},
			FiatUnits:  n.units(l.Fiat),
			Rate:       n.rate(l.Rate),
			TokenUnits: n.units(l.Tokens),
			Rail:       l.Rail,
			Charges:    Charges(l.Charges),
			Deducted:   n.units(l.Deducted),
			AsOf:       db.Time(l.AsOf),
			Source:     l.Source,
		})
	}

	for _, f := range c.Fees {
		fee := Fee{
			Type:     FeeType(f.Type),
			Amount:   n.amount(q.Token.Code, q.Token.Decimals, f.Tokens),
			Position: f.Position,
			Percent:  f.Percent,
			Tax:      n.amount(q.Token.Code, q.Token.Decimals, f.Tax),
		}
		if f.Of != "" {
			fee.Of = n.amount(f.OfCurrency, f.OfDecimals, f.Of)
		}

		q.Fees = append(q.Fees, fee)
	}

	if n.err != nil {
		return q, fmt.Errorf("quote %s: %w", q.ID, n.err)
	}

	return q, nil
}

// insert stores q with a status, current or held, in place of the transaction's previous quote.
func insert(tx *db.Tx, q Quote, status string) error {
	if q.Sequence > 1 { // by Exec, since changes are written after the rows: for a moment there would be two
		if _, err := tx.Exec(
			"UPDATE quotes SET status = ? WHERE transaction_id = ? AND status IN (?, ?)",
			replaced,
			q.Transaction,
			current,
			held,
		); err != nil {
			return err
		}
	}

	quoteRows.Insert(tx, &row{q, q.ValueUSD.Units(), contentOf(q), status})

	return nil
}

// heldFor returns the quote that is held for a draft, expired or not, or db.ErrNone.
func heldFor(ctx context.Context, q db.Querier, transactionID string) (Quote, error) {
	r, err := quoteRows.One(ctx, q, "WHERE transaction_id = ? AND status = ?", transactionID, held)
	if err != nil {
		return Quote{}, err
	}

	return r.quote()
}

// take makes a held quote the current one of its transaction. It returns ErrExpired when the quote is held no longer.
func take(tx *db.Tx, q Quote) error {
	n, err := tx.Exec("UPDATE quotes SET status = ? WHERE id = ? AND status = ?", current, q.ID, held)
	if err == nil && n == 0 {
		return ErrExpired
	}

	return err
}

// lastSequence returns the number of a transaction's latest quote, or 0 if there is none.
func lastSequence(ctx context.Context, q db.Querier, transactionID string) (int, error) {
	n, err := db.Value[int64](ctx, q,
		"SELECT coalesce(max(sequence), 0) FROM quotes WHERE transaction_id = ?", transactionID)

	return int(n), err
}

// worth adds up the value of an organisation's transactions with a current quote, except for one. It is read only for
// organisations with a limit, which itself limits how many there can be.
func worth(ctx context.Context, q db.Querier, organisation, except string) (money.Amount, error) {
	total := money.Zero(money.Asset{Code: dollar, Decimals: 2})

	all, err := db.Select(
		ctx,
		q,
		func(s *string) []any { return []any{s} },
		"SELECT value_usd FROM quotes WHERE organisation = ? AND status = ? AND transaction_id <> ?",
		organisation,
		current,
		except,
	)
	if err != nil {
		return total, err
	}

	n := &numbers{}
	for _, cents := range all {
		total = total.Add(n.amount(dollar, 2, cents))
	}

	return total, n.err
}

// Release records that a transaction ended without effect: its quote no longer counts towards any limit and is kept,
// and what it has reserved of the house's stock is free. A second call, or one for a transaction without a quote,
// changes nothing.
func Release(tx *db.Tx, transactionID string) error {
	_, err := tx.Exec(
		"UPDATE quotes SET status = ? WHERE transaction_id = ? AND status IN (?, ?)",
		dead,
		transactionID,
		current,
		held,
	)
	if err != nil {
		return err
	}

	return stock.Free(tx, transactionID)
}

// priced is the condition for rows that are prices of submitted transactions. A mere announcement counts towards a
// limit and is no price, and what is held for a draft becomes its price when submit takes it.
const priced = "expires_at > 0 AND status IN ('" + current + "', '" + dead + "')"

// ForTransaction returns the current quote of a transaction, or the last one of an ended transaction, or db.ErrNone.
func (s *Service) ForTransaction(ctx context.Context, q db.Querier, transactionID string) (Quote, error) {
	r, err := quoteRows.One(ctx, q, "WHERE transaction_id = ? AND "+priced+" ORDER BY sequence DESC LIMIT 1",
		transactionID)
	if err != nil {
		return Quote{}, err
	}

	return r.quote()
}

// ForTransactions returns the latest quote of each transaction that has one, for lists.
func (s *Service) ForTransactions(
	ctx context.Context,
	q db.Querier,
	transactionIDs []string,
) (map[string]Quote, error) {
	out := make(map[string]Quote, len(transactionIDs))
	if len(transactionIDs) == 0 {
		return out, nil
	}

	var w db.Where
	db.In(&w, "transaction_id", transactionIDs)
	w.And(priced)

	rows, err := quoteRows.Where(ctx, q, w, "ORDER BY transaction_id, sequence")
	if err != nil {
		return nil, err
	}

	for i := range rows {
		one, err := rows[i].quote()
		if err != nil {
			return nil, err
		}

		out[one.Transaction] = one
	}

	return out, nil
}

// TaxesOf returns how the fees of those transactions are taxed that have a price.
func (s *Service) TaxesOf(ctx context.Context, q db.Querier, transactionIDs []string) (map[string]Tax, error) {
	quotes, err := s.ForTransactions(ctx, q, transactionIDs)

	out := make(map[string]Tax, len(quotes))
	for id, of := range quotes {
		out[id] = of.Tax
	}

	return out, err
}

// Good returns nil while a quote is valid, and ErrExpired from ExpiresAt on.
func (q Quote) Good(now time.Time) error {
	if now.Before(q.ExpiresAt) {
		return nil
	}

	return ErrExpired
}

// unused returns how many locked quotes of an organisation since a moment were not accepted in time or are held for a
// draft, and when the oldest was locked.
func unused(
	ctx context.Context,
	q db.Querier,
	organisation string,
	since, now time.Time,
) (n int64, oldest time.Time, err error) {
	type row struct{ n, oldest int64 }
	r, err := db.One(
		ctx,
		q,
		func(r *row) []any { return []any{&r.n, &r.oldest} },
		`SELECT count(*), COALESCE(min(q.locked_at), 0) FROM quotes q LEFT
			JOIN transactions t ON t.id = q.transaction_id
			WHERE q.organisation = ? AND q.kind = 'FIAT' AND q.locked_at > ? AND (q.status IN ('REPLACED', 'HELD')
			OR COALESCE(t.accepted_at, 0) = 0 AND (q.status = 'DEAD' OR q.expires_at <= ?))`,
		organisation,
		db.Micros(since),
		db.Micros(now),
	)

	return r.n, db.Time(r.oldest), err
}
