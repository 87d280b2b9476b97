//go:build !nosandbox

package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/schema"
)

// bare is the yardstick: the rows alone, by prepared statements on a database of its own with the service's schema,
// the service's indexes and the same durable settings. It checks nothing, answers nobody and writes neither event nor
// audit line.
type bare interface {
	// creator makes a client that stores one transaction with so many payments each time, durably.
	creator(payments int) (worker, error)
	// mover makes a client that moves the next prepared transaction each time: a guarded UPDATE, two postings, one
	// event.
	mover(ids *line, organisation func(i int) string) (worker, error)
	// reader makes a client that reads one of the prepared transactions with its payments each time.
	reader(ids []string) (worker, error)
	close()
}

// line hands out each of its names once.
type line struct {
	names []string
	next  atomic.Int64
}

func (l *line) take() (string, int, error) {
	n := int(l.next.Add(1)) - 1
	if n >= len(l.names) {
		return "", 0, errEnough
	}

	return l.names[n], n, nil
}

// Columns of the bare rows: what the service stores of a draft and cannot be left to defaults.
const (
	bareTransaction = "id, organisation, number, type, status, settlement_status, token, decimals, network, " +
		"wallet, wallet_address, debit, search, created_by, created_at, updated_at, version"
	barePayment = "transaction_id, position, units, reason, receiver, snapshot, address, wallet_type, network, " +
		"updated_at"
	bareRead = `SELECT t.id, t.organisation, t.number, t.status, t.settlement_status, t.token, t.wallet_address,
		t.debit, t.created_at, t.version, p.position, p.outcome, p.units, p.reason, p.receiver, p.snapshot,
		p.address, p.wallet_type, p.updated_at FROM transactions t
		JOIN payments p ON p.transaction_id = t.id
		WHERE t.id = ? AND t.deleted = FALSE ORDER BY p.position`
	bareMove = `UPDATE transactions
		SET status = 'PROCESSING', settlement_status = 'FUNDS_PULLING', accepted_by = ?, accepted_at = ?,
		updated_at = ?, version = version + 1
		WHERE id = ? AND status = 'WAITING_ACCEPTANCE'`
	barePosting = "journal, line, account, asset, units"
	bareEvent   = "id, type, organisation, object, sequence, data, created_at"
)

const bareSnapshot = `{"_id":"rcv_01kexample000000000000000","type":"INDIVIDUAL","firstName":"Alice",` +
	`"lastName":"Keller","email":"alice@example.org","isSelf":false}`

// numbers makes batch numbers that are never given twice.
type numbers struct{ n atomic.Int64 }

// draft is the values of one bare transaction row, in the order of bareTransaction.
func (n *numbers) draft(name string, payments int, now time.Time) []any {
	const wallet = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	search := strings.ToLower(name + " " + wallet + strings.Repeat(" invoice 2026-117 "+wallet, min(payments, 9)))
	micros := db.Micros(now)

	return []any{
		name,
		"org_01kexample000000000000000",
		n.n.Add(1),
		"CRYPTO",
		"DRAFT",
		"IDLE",
		"USDC",
		int64(6),
		"net_dev",
		"wal_01kexample000000000000000",
		wallet,
		"30000",
		search,
		"usr_01kexample000000000000000",
		micros,
		micros,
		int64(1),
	}
}

// item is the values of one bare payment row, in the order of barePayment.
func item(name string, position int, now time.Time) []any {
	return []any{
		name,
		int64(position),
		"10000",
		fmt.Sprintf("Invoice 2026-%03d", position),
		"rcv_01kexample000000000000000",
		bareSnapshot,
		"0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
		"EOA",
		"net_dev",
		db.Micros(now),
	}
}

func newName(now time.Time) string { return id.New("txn", now) }

// marks is n placeholders in parentheses.
func marks(n int) string { return "(" + strings.TrimSuffix(strings.Repeat("?,", n), ",") + ")" }

func columnsIn(list string) int { return strings.Count(list, ",") + 1 }

// migrated brings a fresh database up to the service's schema.
func migrated(ctx context.Context, url string) error {
	d, err := db.Open(ctx, db.Config{URL: url})
	if err != nil {
		return err
	}

	if _, err := d.Migrate(ctx, schema.Files()); err != nil {
		return err
	}

	return d.Close()
}

// prepared stores transactions for movers and readers, as many as asked for, each with three payments.
func prepared(ctx context.Context, url, prefix, status string, count int, numbersFrom int64) ([]string, error) {
	d, err := db.Open(ctx, db.Config{URL: url})
	if err != nil {
		return nil, err
	}
	defer d.Close()

	var n numbers
	row := n.draft("", 3, time.Now())
	err = d.Write(ctx, func(tx *db.Tx) error {
		values := make([]string, 0, len(row))

		args := []any{int64(count), prefix}
		for i, v := range row {
			switch i {
			case 0: // the id
				values = append(values, "CAST(? AS TEXT) || CAST(1000000 + g.n AS TEXT)")
				continue
			case 2:
				values = append(values, "CAST(? AS BIGINT) + g.n")
				v = numbersFrom
			case 4:
				values = append(values, "CAST(? AS TEXT)")
				v = status
			default:
				values = append(values, castOf(v))
			}

			args = append(args, v)
		}

		if _, err := tx.Exec(
			`WITH RECURSIVE g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g
				WHERE n < CAST(? AS BIGINT)) INSERT INTO transactions (`+bareTransaction+") SELECT "+
				strings.Join(values, ", ")+" FROM g",
			args...); err != nil {
			return err
		}

		p := item("", 0, time.Now())
		_, err := tx.Exec(
			"INSERT INTO payments ("+barePayment+") SELECT t.id, x.n, CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS "+
				"TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), t.created_at "+
				"FROM transactions t, (SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2) x "+
				"WHERE t.id LIKE CAST(? AS TEXT) || '%'",
			append(p[2:9], prefix)...)

		return err
	})

	names := make([]string, count)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", prefix, 1000001+i)
	}

	return names, err
}

func castOf(v any) string {
	if _, ok := v.(int64); ok {
		return "CAST(? AS BIGINT)"
	}

	return "CAST(? AS TEXT)"
}
