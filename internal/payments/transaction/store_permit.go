package transaction

import (
	"context"
	"fmt"
	"math/big"
	"time"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
)

var signedRows = db.NewTable("transaction_signatures", (*signedRow).columns)

type signedRow struct {
	transaction string
	Signed
	at time.Time
}

func (r *signedRow) columns(c *db.Columns) {
	c.Text("transaction_id", &r.transaction)
	c.Text("manner", (*string)(&r.Manner))
	c.Units("units", &r.Units)
	c.Int64("deadline", &r.Deadline)
	c.Bytes("signature", &r.Signature)
	c.Bytes("intent", &r.Intent)
	c.Int64("from_block", &r.FromBlock)
	c.Time("created_at", &r.at)
}

// setSigned stores the payer's signature of a transaction in place of the one that it has, and what the transaction
// rests on. The reservation, if there is one already, says it, too.
func setSigned(tx *db.Tx, id string, x Signed) error {
	if _, err := tx.Exec("DELETE FROM transaction_signatures WHERE transaction_id = ?", id); err != nil {
		return err
	}

	signedRows.Insert(tx, &signedRow{id, x, tx.Now})

	return setManner(tx, id, string(x.Manner))
}

// unsign forgets a signature that no longer fits: the transaction rests on the approval again.
func unsign(tx *db.Tx, id string) error { return setManner(tx, id, "") }

func setManner(tx *db.Tx, id, manner string) error {
	if _, err := tx.Exec("UPDATE transactions SET manner = ? WHERE id = ?", manner, id); err != nil {
		return err
	}

	_, err := tx.Exec(
		"UPDATE reservations SET manner = ? WHERE transaction_id = ? AND released_at = 0",
		manner,
		id,
	)

	return err
}

// raiseVersion tells everybody who has read the transaction to read it again.
func raiseVersion(tx *db.Tx, t Transaction) {
	tx.Change(
		"UPDATE transactions SET version = version + 1, updated_at = ? WHERE id = ? AND version = ?",
		db.Micros(tx.Now),
		t.ID,
		t.Version,
	)
}

// SignedOf returns the payer's signature of a transaction.
func SignedOf(ctx context.Context, q db.Querier, id string) (Signed, error) {
	r, err := signedRows.One(ctx, q, "WHERE transaction_id = ?", id)
	if err != nil {
		return Signed{}, fmt.Errorf("read the signature of %s: %w", id, err)
	}

	return r.Signed, nil
}

// reserved is what other submitted transactions may still pull from a wallet, of one token.
type reserved struct {
	approved *big.Int // by those that rest on the approval
	signed   *big.Int // by those whose signature moves the tokens without it
	permit   bool     // one of them brings a permit, which replaces the approval
}

func (r reserved) sum() *big.Int { return new(big.Int).Add(r.approved, r.signed) }

// permitConflict refuses a permit while other submitted transactions rest on the approval that it would replace, or
// bring a permit themselves.
func (r reserved) permitConflict() error {
	if r.approved.Sign() == 0 && !r.permit {
		return nil
	}

	var l fault.List
	l.Add("/permit", fault.PermitConflict,
		"would replace the approval that another submitted transaction of the wallet rests on: end that first.")

	return l.Err()
}

// sumOf adds up reservations.
func sumOf(rows []reservation) reserved {
	out := reserved{approved: new(big.Int), signed: new(big.Int)}

	for _, r := range rows {
		switch r.manner {
		case "", contract.ByIntent:
			out.approved.Add(out.approved, r.units)
		default:
			out.signed.Add(out.signed, r.units)
			out.permit = out.permit || r.manner == contract.ByPermit
		}
	}

	return out
}
