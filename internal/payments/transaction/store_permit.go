package transaction

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
)

var insertSigned = db.InsertInto(
	"transaction_signatures",
	"transaction_id, manner, units, deadline, signature, intent, from_block, created_at",
)

// setSigned stores the payer's signature of a transaction in place of the one that it has, and what the transaction
// rests on. The reservation, if there is one already, says it, too.
func setSigned(tx *db.Tx, id string, x Signed) error {
	if _, err := tx.Exec("DELETE FROM transaction_signatures WHERE transaction_id = ?", id); err != nil {
		return err
	}

	tx.Insert(
		insertSigned,
		id,
		string(x.Manner),
		x.Units.String(),
		x.Deadline,
		x.Signature,
		x.Intent,
		x.FromBlock,
		db.Micros(tx.Now),
	)

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
	type row struct {
		x             Signed
		manner, units string
	}

	const text = `SELECT manner, units, deadline, signature, intent, from_block
		FROM transaction_signatures WHERE transaction_id = ?`

	r, err := db.One(ctx, q, func(r *row) []any {
		return []any{&r.manner, &r.units, &r.x.Deadline, &r.x.Signature, &r.x.Intent, &r.x.FromBlock}
	}, text, id)
	if err != nil {
		return Signed{}, fmt.Errorf("read the signature of %s: %w", id, err)
	}

	r.x.Manner = contract.Manner(r.manner)

	var ok bool
	if r.x.Units, ok = new(big.Int).SetString(r.units, 10); !ok {
		return Signed{}, fmt.Errorf("the signature of %s is for %q units", id, r.units)
	}

	return r.x, nil
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

// reservedOfRows adds rows of units and manner.
func reservedOfRows(rows []reservedRow) (reserved, error) {
	out := reserved{approved: new(big.Int), signed: new(big.Int)}

	for _, r := range rows {
		n, ok := new(big.Int).SetString(r.units, 10)
		if !ok {
			return out, errors.New("reservation of " + strings.TrimSpace(r.units) + " units")
		}

		switch m := contract.Manner(r.manner); m {
		case "", contract.ByIntent:
			out.approved.Add(out.approved, n)
		default:
			out.signed.Add(out.signed, n)
			out.permit = out.permit || m == contract.ByPermit
		}
	}

	return out, nil
}

type reservedRow struct{ units, manner string }
