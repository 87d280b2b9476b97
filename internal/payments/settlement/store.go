package settlement

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/money"
	"slipway/internal/platform/db"
)

const (
	conversionColumns = "key, transaction_id, sell, sell_decimals, sell_units, buy, buy_decimals, buy_units, " +
		"state, sold_units, bought_units, ref, info, asked_at, done_at"
	sendColumns = "key, transaction_id, position, organisation, network, token, decimals, legs, units, " +
		"number, round, attempt, state, info, created_at, updated_at, version"
	returnColumns = "id, payout, transaction_id, position, organisation, currency, decimals, units, deducted, " +
		"reason, raw_reason, scheme, end_to_end_id, policy, state, " +
		"rate, token_units, received_at, created_at, updated_at"
)

var (
	insertConversionRow = db.InsertInto("conversions", conversionColumns)
	insertSendRow       = db.InsertInto("treasury_sends", sendColumns)
	insertReturnRow     = db.InsertInto("payout_returns", returnColumns)
	insertPolicyRow     = db.InsertInto("return_policies", "organisation, policy, set_by, set_at")
)

// ConversionState is the state of an order to the liquidity provider.
type ConversionState string

// The states of a conversion. ASKED is stored before the first call: from then on the order may have been carried out.
const (
	ConversionAsked    ConversionState = "ASKED"
	ConversionFilled   ConversionState = "FILLED"
	ConversionRejected ConversionState = "REJECTED"
)

// Conversion is one order to the liquidity provider. Sell and Buy are the amounts of the locked quote; Sold and Bought
// are what the provider carried out.
type Conversion struct {
	Key, Transaction string
	Sell, Buy        money.Amount
	State            ConversionState
	Sold, Bought     *big.Int // of FILLED
	Ref, Info        string
	AskedAt, DoneAt  time.Time
}

type conversionRow struct {
	c                              Conversion
	sell, buy                      string
	sellDecimals, buyDecimals      int64
	sellUnits, buyUnits, sold, got string
	asked, done                    int64
}

func (r *conversionRow) dest() []any {
	c := &r.c

	return []any{
		&c.Key,
		&c.Transaction,
		&r.sell,
		&r.sellDecimals,
		&r.sellUnits,
		&r.buy,
		&r.buyDecimals,
		&r.buyUnits,
		(*string)(&c.State),
		&r.sold,
		&r.got,
		&c.Ref,
		&c.Info,
		&r.asked,
		&r.done,
	}
}

func (r *conversionRow) value() (Conversion, error) {
	c := r.c
	c.AskedAt = db.Time(r.asked)
	c.DoneAt = db.Time(r.done)

	numbers := [4]*big.Int{}
	for i, s := range [4]string{r.sellUnits, r.buyUnits, r.sold, r.got} {
		if s == "" && i > 1 {
			continue
		}

		var ok bool
		if numbers[i], ok = new(big.Int).SetString(s, 10); !ok {
			return c, fmt.Errorf("conversion %s: %q is no number", c.Key, s)
		}
	}

	c.Sell = money.FromUnits(money.Asset{Code: r.sell, Decimals: int(r.sellDecimals)}, numbers[0])
	c.Buy = money.FromUnits(money.Asset{Code: r.buy, Decimals: int(r.buyDecimals)}, numbers[1])
	c.Sold = numbers[2]
	c.Bought = numbers[3]

	return c, nil
}

func insertConversion(tx *db.Tx, c Conversion) {
	tx.Insert(
		insertConversionRow,
		c.Key,
		c.Transaction,
		c.Sell.Asset().Code,
		int64(c.Sell.Asset().Decimals),
		c.Sell.Units().String(),
		c.Buy.Asset().Code,
		int64(c.Buy.Asset().Decimals),
		c.Buy.Units().String(),
		string(ConversionAsked),
		"",
		"",
		"",
		"",
		db.Micros(tx.Now),
		int64(0),
	)
}

// endConversion records the provider's answer. An order that is already finished keeps its state.
func endConversion(tx *db.Tx, key string, state ConversionState, sold, bought *big.Int, ref, info string) {
	tx.Change(
		`UPDATE conversions
			SET state = ?, sold_units = ?, bought_units = ?, ref = ?, info = ?, done_at = ?
			WHERE key = ? AND state = 'ASKED'`,
		string(state),
		sold.String(),
		bought.String(),
		ref,
		info,
		db.Micros(tx.Now),
		key,
	)
}

func conversionsOf(ctx context.Context, q db.Querier, transactionID string) ([]Conversion, error) {
	return conversionsWhere(ctx, q, "transaction_id = ? ORDER BY key", transactionID)
}

func conversionsWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]Conversion, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*conversionRow).dest,
		"SELECT "+conversionColumns+" FROM conversions WHERE "+condition,
		args...)
	if err != nil {
		return nil, fmt.Errorf("read conversions: %w", err)
	}

	return db.Values(rows, (*conversionRow).value)
}

// SendState is the state of a treasury sending.
type SendState string

// The states of a treasury sending, and who acts next.
const (
	SendWanted   SendState = "WANTED"   // decided; its job assigns a number and plans it
	SendPlanned  SendState = "PLANNED"  // the rail has it
	SendDoubtful SendState = "DOUBTFUL" // refused as a whole: the router is asked, or a person checks
	// carried out, but the token moved nothing: its job finds out whether the treasury or the wallet is the cause
	SendRefused SendState = "REFUSED"
	SendFinal   SendState = "FINAL" // arrived
	// the wallet refuses the tokens, which are kept; or given up before it was planned
	SendFailed SendState = "FAILED"
)

// leg is one receiver of a sending, as it is stored.
type leg struct {
	To    string `json:"to"`
	Units string `json:"units"`
}

// TreasurySend is a sending of tokens by the treasury: a refund or a delivery.
type TreasurySend struct {
	Key, Transaction             string
	Position                     int // of the payment, or whole for the transaction
	Organisation, Network, Token string
	Decimals                     int
	Legs                         []leg
	Units                        *big.Int
	Number                       int64 // the router's number; 0: not assigned yet
	// rises when a number was used and moved nothing; the next round has another number
	Round   int64
	Attempt int64 // the rail's attempt; rises when the previous one is over
	State   SendState
	Info    string
	Version int64
}

// whole is the position of a sending that belongs to the transaction as a whole.
const whole = -1

func (s TreasurySend) amount() money.Amount {
	return money.FromUnits(money.Asset{Code: s.Token, Decimals: s.Decimals}, s.Units)
}

// railKey returns the key of the send at the rail. A further attempt has another key and the same router number, so at
// most one of all attempts can take effect.
func (s TreasurySend) railKey() string {
	if s.Attempt <= 1 {
		return s.Key
	}

	return fmt.Sprintf("%s/%d", s.Key, s.Attempt)
}

type sendRow struct {
	s                                    TreasurySend
	position, decimals, created, updated int64
	legs, units                          string
}

func (r *sendRow) dest() []any {
	s := &r.s

	return []any{
		&s.Key,
		&s.Transaction,
		&r.position,
		&s.Organisation,
		&s.Network,
		&s.Token,
		&r.decimals,
		&r.legs,
		&r.units,
		&s.Number,
		&s.Round,
		&s.Attempt,
		(*string)(&s.State),
		&s.Info,
		&r.created,
		&r.updated,
		&s.Version,
	}
}

func (r *sendRow) value() (TreasurySend, error) {
	s := r.s
	s.Position = int(r.position)
	s.Decimals = int(r.decimals)

	var ok bool
	if s.Units, ok = new(big.Int).SetString(r.units, 10); !ok {
		return s, fmt.Errorf("sending %s: %q is no number", s.Key, r.units)
	}

	if err := json.Unmarshal([]byte(r.legs), &s.Legs); err != nil {
		return s, fmt.Errorf("legs of sending %s: %w", s.Key, err)
	}

	return s, nil
}

func insertSend(tx *db.Tx, s TreasurySend) error {
	legs, err := json.Marshal(s.Legs)
	if err != nil {
		return fmt.Errorf("write down the legs of %s: %w", s.Key, err)
	}

	now := db.Micros(tx.Now)
	tx.Insert(
		insertSendRow,
		s.Key,
		s.Transaction,
		int64(s.Position),
		s.Organisation,
		s.Network,
		s.Token,
		int64(s.Decimals),
		string(legs),
		s.Units.String(),
		int64(0),
		int64(1),
		int64(1),
		string(SendWanted),
		"",
		now,
		now,
		int64(1),
	)

	return nil
}

// moveSend stores a sending's next state, guarded by the version that was read.
func moveSend(tx *db.Tx, s TreasurySend, to SendState) {
	tx.Change(
		`UPDATE treasury_sends
			SET state = ?, number = ?, round = ?, attempt = ?, info = ?, updated_at = ?, version = ?
			WHERE key = ? AND version = ? AND state = ?`,
		string(to),
		s.Number,
		s.Round,
		s.Attempt,
		s.Info,
		db.Micros(tx.Now),
		s.Version+1,
		s.Key,
		s.Version,
		string(s.State),
	)
}

func sendsOf(ctx context.Context, q db.Querier, transactionID string) ([]TreasurySend, error) {
	return sendsWhere(ctx, q, "transaction_id = ? ORDER BY key", transactionID)
}

func sendByKey(ctx context.Context, q db.Querier, key string) (TreasurySend, error) {
	all, err := sendsWhere(ctx, q, "key = ?", key)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("sending %s: %w", key, db.ErrNone)
	}

	if err != nil {
		return TreasurySend{}, err
	}

	return all[0], nil
}

func sendsWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]TreasurySend, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*sendRow).dest,
		"SELECT "+sendColumns+" FROM treasury_sends WHERE "+condition,
		args...)
	if err != nil {
		return nil, fmt.Errorf("read sendings of the treasury: %w", err)
	}

	return db.Values(rows, (*sendRow).value)
}

// stuckIDs returns transactions with unfinished work of their own: an order with unknown outcome, or a sending that is
// not planned.
func stuckIDs(ctx context.Context, q db.Querier, before int64, limit int) ([]string, error) {
	return db.Select(
		ctx,
		q,
		func(s *string) []any { return []any{s} },
		`SELECT transaction_id FROM conversions
			WHERE state = 'ASKED' AND asked_at < ? UNION SELECT transaction_id
			FROM treasury_sends WHERE state IN ('WANTED', 'REFUSED') AND updated_at < ?
			ORDER BY 1 LIMIT ?`,
		before,
		before,
		int64(limit),
	)
}

// ReturnState is the state of a returned payment.
type ReturnState string

// The states of a return, and who acts next.
const (
	ReturnReceived  ReturnState = "RECEIVED"  // to be given back in tokens; its job asks for its value
	ReturnHeld      ReturnState = "HELD"      // kept as fiat, or waiting for corrected bank details
	ReturnRefunding ReturnState = "REFUNDING" // tokens are on their way to the wallet
	ReturnRefunded  ReturnState = "REFUNDED"
	ReturnResent    ReturnState = "RESENT" // paid again, under another end-to-end identification
	ReturnFailed    ReturnState = "FAILED" // the wallet refuses the tokens; a person acts next
)

// Policy is what an organisation wants done with returned payments.
type Policy string

// The policies.
const (
	PolicyRecredit Policy = "RECREDIT" // its value in tokens goes back to the paying wallet; the default
	PolicyHold     Policy = "HOLD"     // kept as fiat
	PolicyResend   Policy = "RESEND"   // kept as fiat until the details are corrected, then paid again
)

// PayoutReturn is money of a finished payment that came back.
type PayoutReturn struct {
	ID, Payout, Transaction               string
	Position                              int
	Organisation                          string
	Amount, Deducted                      money.Amount
	Reason, RawReason, Scheme, EndToEndID string
	Policy                                Policy
	State                                 ReturnState
	// the rate of giving back, and the result in base units; "" before
	Rate, TokenUnits                 string
	ReceivedAt, CreatedAt, UpdatedAt time.Time
}

type returnRow struct {
	r                          PayoutReturn
	position, decimals         int64
	currency, units, deducted  string
	received, created, updated int64
}

func (r *returnRow) dest() []any {
	x := &r.r

	return []any{
		&x.ID,
		&x.Payout,
		&x.Transaction,
		&r.position,
		&x.Organisation,
		&r.currency,
		&r.decimals,
		&r.units,
		&r.deducted,
		&x.Reason,
		&x.RawReason,
		&x.Scheme,
		&x.EndToEndID,
		(*string)(&x.Policy),
		(*string)(&x.State),
		&x.Rate,
		&x.TokenUnits,
		&r.received,
		&r.created,
		&r.updated,
	}
}

func (r *returnRow) value() (PayoutReturn, error) {
	x := r.r
	x.Position = int(r.position)
	x.ReceivedAt = db.Time(r.received)
	x.CreatedAt = db.Time(r.created)
	x.UpdatedAt = db.Time(r.updated)
	asset := money.Asset{Code: r.currency, Decimals: int(r.decimals)}
	units, ok := new(big.Int).SetString(r.units, 10)

	deducted, also := new(big.Int).SetString(r.deducted, 10)
	if !ok || !also {
		return x, fmt.Errorf("return %s: %q or %q is no number", x.ID, r.units, r.deducted)
	}

	x.Amount = money.FromUnits(asset, units)
	x.Deducted = money.FromUnits(asset, deducted)

	return x, nil
}

func insertReturn(tx *db.Tx, x PayoutReturn) {
	a := x.Amount.Asset()

	tx.Insert(
		insertReturnRow,
		x.ID,
		x.Payout,
		x.Transaction,
		int64(x.Position),
		x.Organisation,
		a.Code,
		int64(a.Decimals),
		x.Amount.Units().String(),
		x.Deducted.Units().String(),
		x.Reason,
		x.RawReason,
		x.Scheme,
		x.EndToEndID,
		string(x.Policy),
		string(x.State),
		x.Rate,
		x.TokenUnits,
		db.Micros(x.ReceivedAt),
		db.Micros(tx.Now),
		db.Micros(tx.Now),
	)
}

// moveReturn stores a return's next state and the rate it was given back at, guarded by the state that was read.
func moveReturn(tx *db.Tx, x PayoutReturn, to ReturnState) {
	tx.Change(
		"UPDATE payout_returns SET state = ?, rate = ?, token_units = ?, updated_at = ? WHERE id = ? AND state = ?",
		string(to),
		x.Rate,
		x.TokenUnits,
		db.Micros(tx.Now),
		x.ID,
		string(x.State),
	)
}

// ReturnsOf returns what came back of a transaction's payments, the oldest first.
func ReturnsOf(ctx context.Context, q db.Querier, transactionID string) ([]PayoutReturn, error) {
	return returnsWhere(ctx, q, "transaction_id = ? ORDER BY created_at, id", transactionID)
}

func returnByID(ctx context.Context, q db.Querier, id string) (PayoutReturn, error) {
	all, err := returnsWhere(ctx, q, "id = ?", id)
	if err == nil && len(all) == 0 {
		err = db.ErrNone
	}

	if err != nil {
		return PayoutReturn{}, err
	}

	return all[0], nil
}

// unvaluedReturns lists returns that have been waiting since before a moment to be given back in tokens.
func unvaluedReturns(ctx context.Context, q db.Querier, before int64, limit int) ([]PayoutReturn, error) {
	return returnsWhere(
		ctx,
		q,
		"state = 'RECEIVED' AND updated_at < ? ORDER BY updated_at, id LIMIT ?",
		before,
		int64(limit),
	)
}

func returnsWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]PayoutReturn, error) {
	rows, err := db.Select(
		ctx,
		q,
		(*returnRow).dest,
		"SELECT "+returnColumns+" FROM payout_returns WHERE "+condition,
		args...)
	if err != nil {
		return nil, fmt.Errorf("read returns: %w", err)
	}

	return db.Values(rows, (*returnRow).value)
}

// PolicyOf returns an organisation's policy for returned payments.
func PolicyOf(ctx context.Context, q db.Querier, organisation string) (Policy, error) {
	p, err := db.Value[string](ctx, q, "SELECT policy FROM return_policies WHERE organisation = ?", organisation)
	if errors.Is(err, db.ErrNone) {
		return PolicyRecredit, nil
	}

	return Policy(p), err
}

// SetPolicy stores an organisation's policy for future returns.
func SetPolicy(ctx context.Context, tx *db.Tx, organisation string, p Policy, by string) error {
	n, err := tx.Exec(
		"UPDATE return_policies SET policy = ?, set_by = ?, set_at = ? WHERE organisation = ?",
		string(p),
		by,
		db.Micros(tx.Now),
		organisation,
	)
	if err == nil && n == 0 {
		tx.Insert(insertPolicyRow, organisation, string(p), by, db.Micros(tx.Now))
	}

	return err
}

// Open is a kind of item that waits for a provider, the chain, or people.
type Open struct {
	Kind   string // conversion, treasury_send, treasury_short, kept_send, doubtful_send, suspense, receivable, return
	Count  int64
	Oldest time.Time // zero when nothing waits
}

// OpenItems counts what waits, by kind, for monitoring. None of it may grow old (M-08).
func OpenItems(ctx context.Context, q db.Querier) ([]Open, error) {
	var out []Open
	for _, x := range [...]struct{ kind, query string }{
		{"conversion", "SELECT count(*), COALESCE(min(asked_at), 0) FROM conversions WHERE state = 'ASKED'"},
		{"treasury_send", `SELECT count(*), COALESCE(min(created_at), 0) FROM treasury_sends
			WHERE state IN ('WANTED', 'PLANNED', 'REFUSED')`},
		{"treasury_short", `SELECT count(*), COALESCE(min(created_at), 0) FROM treasury_sends
			WHERE state = 'WANTED' AND info <> ''`},
		{"kept_send", `SELECT count(*), COALESCE(min(created_at), 0) FROM treasury_sends
			WHERE state = 'FAILED' AND number <> 0`},
		{"doubtful_send", "SELECT count(*), COALESCE(min(created_at), 0) FROM treasury_sends WHERE state = 'DOUBTFUL'"},
		{"suspense", `SELECT count(*), COALESCE(min(created_at), 0) FROM deposits
			WHERE state IN ('NEW', 'SUSPENSE', 'ASSIGNED')`},
		{"receivable", "SELECT count(*), COALESCE(min(created_at), 0) FROM receivables WHERE settled_at = 0"},
		{"return", `SELECT count(*), COALESCE(min(created_at), 0) FROM payout_returns
			WHERE state IN ('RECEIVED', 'HELD', 'REFUNDING', 'FAILED')`},
	} {
		type found struct{ count, oldest int64 }

		f, err := db.One(ctx, q, func(f *found) []any { return []any{&f.count, &f.oldest} }, x.query)
		if err != nil {
			return nil, fmt.Errorf("count what waits (%s): %w", x.kind, err)
		}

		out = append(out, Open{Kind: x.kind, Count: f.count, Oldest: db.Time(f.oldest)})
	}

	return out, nil
}
