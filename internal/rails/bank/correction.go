package bank

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/format"
)

// A bank that finds an account's details to be out of date makes the payment all the same, and says what is right (in
// ACH a notification of change). Whoever can write such a notice could divert every later payment. So it changes
// nothing by itself: two persons decide, and what they let in is a change of the account like any other.

// Corrected is what a bank says is right about a payee's account. Empty: as before.
type Corrected = format.Corrected

// CorrectionState is the state of a correction.
type CorrectionState string

// The states of a correction.
const (
	CorrectionOpen    CorrectionState = "OPEN"    // two persons act next
	CorrectionApplied CorrectionState = "APPLIED" // the account was changed
	CorrectionDropped CorrectionState = "DROPPED" // two persons left it alone
)

// Correction is what a bank says about the account of a payout.
type Correction struct {
	ID           string
	Code         string // from the bank: C01
	Text         string // which details are wrong, in words
	Right        Corrected
	Intelligible bool // false: the bank's data is in no form that is known, or concerns no account
	State        CorrectionState
	At           time.Time
}

// Applies reports whether two persons can let the correction in: it says what is right about the account itself.
func (c Correction) Applies() bool {
	return c.Intelligible && c.Right.RoutingNumber+c.Right.AccountNumber+c.Right.AccountType != ""
}

// Sentence returns a correction in words, for people who decide about it.
func (c Correction) Sentence() string {
	out := "The bank says what is out of date at the payee's account"
	if c.Text != "" {
		out += ": " + c.Text
	}

	out += " (" + c.Code + ")."

	for _, part := range []struct{ name, value string }{
		{"routing number", c.Right.RoutingNumber},
		{"account number", c.Right.AccountNumber},
		{"type", c.Right.AccountType},
		{"name", c.Right.Name},
	} {
		if part.value != "" {
			out += " Right is the " + part.name + " " + shown(part.value, 40) + "."
		}
	}

	if !c.Applies() {
		out += " It cannot be taken over by itself: change the payee by hand, or ask the bank."
	}

	return out + " The payment was made."
}

// correctionRow is a row of bank_corrections.
type correctionRow struct {
	id, payout, code, state, sealed string
	at                              int64
}

// correctionTexts is the sealed column: what is right, as JSON.
var correctionTexts = db.SealColumn("bank_corrections", "sealed", "id")

var insertCorrection = db.InsertInto("bank_corrections",
	"id, file_id, number, payout_id, code, sealed, state, created_at, updated_at")

// storedCorrection is what the sealed column holds.
type storedCorrection struct {
	Text         string    `json:"text"`
	Right        Corrected `json:"right"`
	Intelligible bool      `json:"intelligible"`
}

// mostCorrections limits what banks can say about one payout.
const mostCorrections = 20

// storeCorrections stores what a report says about payees' accounts. A notice that says again what is known is left
// out.
func (r *Rail) storeCorrections(ctx context.Context, tx *db.Tx, fileID string, all []format.Change) error {
	for _, c := range all {
		p, err := payoutOf(ctx, tx, announcedReturn{end: c.Identity})
		if err != nil {
			return err
		}

		content := storedCorrection{Text: c.Text, Right: c.Corrected, Intelligible: c.Intelligible}

		known, err := correctionsOf(ctx, tx, p.ID)
		if err != nil {
			return err
		}

		if len(known) >= mostCorrections || containsCorrection(known, c.Code, content) {
			continue
		}

		raw, err := json.Marshal(content)
		if err != nil {
			return fmt.Errorf("correction of payout %s: %w", p.ID, err)
		}

		rowID := id.New(correctionPrefix, tx.Now)
		now := db.Micros(tx.Now)

		tx.Insert(insertCorrection, rowID, fileID, int64(c.Number), p.ID, c.Code,
			correctionTexts.Of(db.Key{rowID}, string(raw)), string(CorrectionOpen), now, now)

		r.log.Warn("the bank says that a payee's account is out of date", "payout", p.ID, "key", p.Key, "code", c.Code)
	}

	return nil
}

func containsCorrection(known []Correction, code string, content storedCorrection) bool {
	for _, k := range known {
		if k.Code == code && k.Right == content.Right {
			return true
		}
	}

	return false
}

// Corrections returns what banks have said about the account of a payout, oldest first, by the payout's key.
func (r *Rail) Corrections(ctx context.Context, q db.Querier, key string) ([]Correction, error) {
	p, err := payoutByKey(ctx, q, key)
	if errors.Is(err, db.ErrNone) {
		return nil, nil
	}

	if err != nil {
		return nil, err
	}

	return correctionsOf(ctx, q, p.ID)
}

// Correction returns one correction and the payout that it is about. It returns db.ErrNone if there is none.
func (r *Rail) Correction(ctx context.Context, q db.Querier, correction string) (Correction, Payout, error) {
	c, payout, err := correctionByID(ctx, q, correction)
	if err != nil {
		return c, Payout{}, err
	}

	rows, err := payouts(ctx, q, "WHERE id = ?", payout)
	if err != nil || len(rows) == 0 {
		return c, Payout{}, errors.Join(err, db.ErrNone)
	}

	return c, rows[0].public(), nil
}

// ResolveCorrection ends a correction by the decision of two persons. CORRECT has the observer change the account in
// the same write; DROP leaves it alone. It returns db.ErrNone if there is no such correction, ErrNotWaiting on the
// second call, and what the observer refuses.
func (r *Rail) ResolveCorrection(ctx context.Context, correction string, d Decision) error {
	if err := d.check(); err != nil {
		return err
	}

	return r.db.Write(ctx, func(tx *db.Tx) error {
		c, p, err := r.Correction(ctx, tx, correction)
		if err != nil {
			return fmt.Errorf("correction %s: %w", correction, err)
		}

		if c.State != CorrectionOpen {
			return fmt.Errorf("correction %s is %s: %w", correction, c.State, ErrNotWaiting)
		}

		to := CorrectionDropped

		switch {
		case d.Action == ActCorrect && c.Applies():
			to = CorrectionApplied

			if err := r.c.Observer.Corrected(ctx, tx, p, c.Right); err != nil {
				return err
			}

		case d.Action == ActDrop:
		default:
			return fmt.Errorf("correction %s: %s does not end it", correction, d.Action)
		}

		d.note(tx, correction)
		noteCorrection(tx, correction, to)

		return nil
	})
}
