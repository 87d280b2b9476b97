//go:build !nosandbox

package apptest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/app/world"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/rails/chain/contract"
)

// Oracle holds the whole database against itself and against the chain. It is run at the end of every scenario; what
// it finds is an error of the service, never of the test.
//
//	I1   the postings of a journal sum to zero for each asset            (ledger.Verify)
//	I2   no account is below its floor                                   (ledger.Verify)
//	I3   a final send has one receipt, a receipt one send
//	I4   what FAILED or was rejected has no send that may still act
//	I5   what is PROCESSING or RELEASED has a job, a send, or a person
//	I6   a reservation is open exactly while its transaction may pull
//	I7   every payment of an ended transaction has its own outcome, and the outcomes fit the status
//	I8   what was locked is what is stored and what stands in the calldata
//	I9   the operator's nonces have no gap, and each is one of ours
//	I10  what left a wallet is what was paid and what is held
//	I11  ledger accounts of wallets and receivers equal the token's transfers on the chain
//	I12  the chain of hashes is whole                                    (ledger.Verify)
//	I13  nothing is posted from a block that is not final
//	I14  holds and clearing equal what is under way, and are zero after it
//	I15  a journal names the organisation of its transaction
//	I16  the history follows the tables
//	M-02 what was pulled is what was paid, the fees, what was given back and what is held, of each transaction and
//	     asset; at its end nothing is held                               (oracle_conserve.go)
//	M-04 every payment on the chain is one in the books, both ways, by batch, token, payee and amount
//	M-05 COMPLETED has a final journal; FAILED has given everything back
//
// Of what touches the bank besides (oracle_bank.go):
//
//	I11  bank accounts of the ledger equal the bank's entries, and the bank's own books where all of them have come; the treasury equals
//	     the chain
//	M-04 every payout the bank has executed is one of ours, once, with its amount; every booked one was executed
//	D-05 what came in is what was matched, sent back, and in suspense
func (h *Harness) Oracle() {
	h.T.Helper()
	h.OracleWithout()
}

// OracleWithout leaves out rules that a scenario breaks on purpose, such as the operator's key used from outside (I9).
func (h *Harness) OracleWithout(rules ...string) {
	h.T.Helper()
	ctx := context.Background()
	_, err := ledger.Seal(ctx, h.DB(), h.App.Keys)
	require.NoError(h.T, err)
	report, err := ledger.Verify(ctx, h.DB(), ledger.Proof{Keys: h.App.Keys})
	require.NoError(h.T, err)
	require.Empty(h.T, report.Faults, "the book is not sound")
	require.Zero(h.T, report.Unsealed, "journals without a link")
	h.noRows()
	o := &oracle{
		h:         h,
		without:   rules,
		open:      map[string]*big.Int{},
		wallets:   map[string]*big.Int{},
		receivers: map[string]*big.Int{},
	}
	ids, err := db.Select(ctx, h.DB(), func(s *string) []any {
		return []any{s}
	}, "SELECT id FROM transactions WHERE deleted = FALSE ORDER BY id")
	require.NoError(h.T, err)

	for _, id := range ids {
		t, err := transaction.ByID(ctx, h.DB(), id)
		require.NoError(h.T, err)

		kept, err := h.App.Transactions.Current(ctx, id)
		require.NoError(h.T, err)

		require.Equal(
			h.T,
			t,
			kept,
			"what is kept in memory of %s is not what is stored: something of it was written without a new version",
			id,
		)

		o.transaction(t)
	}

	o.bank()
	o.chain()
	o.accounts(report)
}

// noRows are the rules that a query can say: each must find nothing.
func (h *Harness) noRows() {
	h.T.Helper()

	for _, rule := range []struct{ breach, query string }{
		{"I3: a final send without its receipt", `SELECT s.key FROM chain_sends s
			WHERE s.state = 'FINAL' AND NOT EXISTS (SELECT 1 FROM chain_receipts r
			WHERE r.send_id = s.id AND r.tx_hash = s.tx_hash)`},
		{"I3: a receipt without a final send", `SELECT r.tx_hash FROM chain_receipts r WHERE NOT EXISTS (SELECT 1
			FROM chain_sends s WHERE s.id = r.send_id AND s.state = 'FINAL')`},
		{"I4: FAILED with a send that may still act", `SELECT t.id FROM transactions t JOIN chain_sends s ON s.object = t.id
			WHERE t.status = 'FAILED' AND t.type <> 'ONRAMP' AND s.state NOT IN ('REFUSED', 'FINAL')`},
		{"I4: an ended payment with a payout that may still act", `SELECT p.key FROM bank_payouts p
			JOIN payments y ON p.key = 'transaction/' || y.transaction_id || '/payout/' || y.position
			WHERE y.outcome IN ('FAILED', 'REFUNDED') AND p.state NOT IN ('REJECTED', 'RETURNED')`},
		{"M-05: paid without a booked debit", `SELECT p.key FROM bank_payouts p
			JOIN payments y ON p.key = 'transaction/' || y.transaction_id || '/payout/' || y.position
			WHERE y.outcome = 'COMPLETED' AND p.state NOT IN ('BOOKED', 'RETURNED')`},
		{"M-05: a booked debit without a journal", `SELECT p.key FROM bank_payouts p
			WHERE p.state IN ('BOOKED', 'RETURNED') AND NOT EXISTS (SELECT 1
			FROM journals j WHERE j.key = p.key || '/booked')`},
		{"D-09: a return without a journal", `SELECT r.movement FROM bank_returns r
			JOIN bank_payouts p ON p.id = r.payout_id
			WHERE r.settled AND p.key LIKE 'transaction/%' AND NOT EXISTS (SELECT 1
			FROM journals j WHERE j.key = p.key || '/returned/' || r.movement)`},
		{"F-10: more came back than was paid", `SELECT p.key FROM bank_payouts p
			WHERE CAST(p.units AS BIGINT) < (SELECT COALESCE(SUM(CAST(r.units AS BIGINT)), 0)
			FROM bank_returns r WHERE r.payout_id = p.id)`},
		{"F-10: a return that is given back twice, or not at all", `SELECT r.id FROM payout_returns r WHERE (SELECT count(*) FROM journals j
			WHERE j.key = r.payout || '/recredit/' || r.id) <> CASE WHEN r.state IN ('REFUNDING', 'REFUNDED',
			'FAILED') THEN 1 ELSE 0 END`},
		{"REFUNDED without a final refund", `SELECT y.transaction_id FROM payments y
			WHERE y.outcome = 'REFUNDED' AND NOT EXISTS (SELECT 1 FROM treasury_sends s
			WHERE s.transaction_id = y.transaction_id AND s.state = 'FINAL' AND s.position IN (-1, y.position))`},
		{"a deposit that is not booked once", `SELECT d.entry FROM deposits d WHERE (SELECT count(*) FROM journals j
			JOIN postings p ON p.journal = j.id
			WHERE j.kind = 'deposit' AND p.memo = d.house || '/' || d.entry AND p.units = d.units
			AND p.account IN ('suspense/' || d.currency, 'clearing/convert/' || d.currency)) <> CASE d.state WHEN
			'NEW' THEN 0 ELSE 1 END`},
		{"a match of what is not matched", `SELECT m.entry FROM deposit_matches m JOIN deposits d ON d.entry = m.entry
			WHERE d.state NOT IN ('MATCHED', 'REFUNDING', 'REFUNDED', 'REVERSED', 'SUSPENSE', 'HELD', 'ASSIGNED')`},
		{"an on-ramp under way without its deposit", `SELECT t.id FROM transactions t
			WHERE t.type = 'ONRAMP' AND t.status IN ('PROCESSING', 'RELEASED', 'COMPLETED') AND NOT EXISTS (SELECT 1
			FROM deposit_matches m WHERE m.transaction_id = t.id)`},
		{"I4: rejected with a send", `SELECT t.id FROM transactions t JOIN chain_sends s ON s.object = t.id
			WHERE t.status IN ('REJECTED_BY_PLATFORM', 'DRAFT', 'WAITING_ACCEPTANCE')`},
		{"I5: under way without job, send or person", `SELECT t.id FROM transactions t
			WHERE t.status IN ('PROCESSING', 'RELEASED')
			AND t.settlement_status NOT IN ('UNCERTAIN', 'ON_HOLD') AND NOT (t.type = 'ONRAMP'
			AND t.settlement_status LIKE 'REFUND%') AND NOT EXISTS (SELECT 1
			FROM chain_sends s
			WHERE s.object = t.id AND s.state <> 'REFUSED') AND NOT EXISTS (SELECT 1
			FROM jobs j
			WHERE j.key = 'settle/' || t.id AND j.dead = FALSE)`},
		{"I6: an open reservation of what may not pull", `SELECT r.transaction_id FROM reservations r
			JOIN transactions t ON t.id = r.transaction_id
			WHERE r.released_at = 0 AND (t.deleted = TRUE
			OR t.status NOT IN ('WAITING_ACCEPTANCE', 'PROCESSING', 'RELEASED') OR t.type = 'FIAT'
			AND t.settlement_status NOT IN ('QUOTED', 'FUNDS_PULLING', 'UNCERTAIN', 'ON_HOLD'))`},
		{"I6: what may pull has no reservation", `SELECT t.id FROM transactions t
			WHERE t.deleted = FALSE AND (t.type = 'CRYPTO' AND t.status IN ('WAITING_ACCEPTANCE', 'PROCESSING')
			OR t.type = 'FIAT' AND t.settlement_status IN ('QUOTED', 'FUNDS_PULLING')) AND NOT EXISTS (SELECT 1
			FROM reservations r WHERE r.transaction_id = t.id AND r.released_at = 0)`},
		{"I15: a journal of another organisation", `SELECT j.key FROM journals j JOIN transactions t ON t.id = j.transaction_id
			WHERE j.organisation <> t.organisation`},
		{"M-05: COMPLETED without a final journal", `SELECT t.id FROM transactions t
			WHERE t.type = 'CRYPTO' AND t.status = 'COMPLETED' AND NOT EXISTS (SELECT 1
			FROM journals j WHERE j.transaction_id = t.id AND j.kind = 'final')`},
		{"M-05: a final journal of what did not end", `SELECT t.id FROM transactions t
			JOIN journals j ON j.transaction_id = t.id AND j.kind = 'final'
			WHERE t.status NOT IN ('COMPLETED', 'FAILED')`},
		{"M-05: FAILED without giving back", `SELECT t.id FROM transactions t
			WHERE t.type = 'CRYPTO' AND t.status = 'FAILED' AND (SELECT count(*)
			FROM journals j
			WHERE j.transaction_id = t.id AND j.kind IN ('release', 'return', 'final')) <> 1`},
		{"M-05: a hold of what was never accepted", `SELECT t.id FROM transactions t JOIN journals j ON j.transaction_id = t.id
			WHERE t.status IN ('DRAFT', 'WAITING_ACCEPTANCE') OR t.deleted = TRUE`},
		{"I7: PAID without a payment that arrived", `SELECT p.id FROM payables p WHERE p.status = 'PAID' AND NOT EXISTS (SELECT 1
			FROM payments y
			WHERE y.transaction_id = p.transaction_id AND y.position = p.position
			AND y.outcome IN ('COMPLETED', 'RETURNED', 'REFUNDED', 'SENT', 'UNKNOWN'))`},
		{"I7: a payment that arrived whose payable is not PAID", `SELECT r.payable FROM payable_reservations r
			JOIN payments y ON y.transaction_id = r.transaction_id AND y.position = r.position
			JOIN transactions t ON t.id = r.transaction_id
			JOIN payables p ON p.id = r.payable
			WHERE t.status = 'COMPLETED' AND y.outcome = 'COMPLETED' AND (p.status <> 'PAID'
			OR p.transaction_id <> r.transaction_id)`},
		{"I7: a live reservation that its payable does not know of", `SELECT r.payable FROM payable_reservations r
			WHERE r.released_at = 0 AND NOT EXISTS (SELECT 1 FROM payables p
			WHERE p.id = r.payable AND p.transaction_id = r.transaction_id AND p.position = r.position)`},
		{"I7: a payable without its reservation", `SELECT p.id FROM payables p
			WHERE p.transaction_id <> '' AND NOT EXISTS (SELECT 1
			FROM payable_reservations r
			WHERE r.payable = p.id AND r.transaction_id = p.transaction_id AND r.released_at = 0)`},
		{"I7: reserved without approval, or approved without fingerprint", `SELECT p.id FROM payables p
			WHERE p.transaction_id <> '' AND p.status NOT IN ('APPROVED', 'PAID')
			OR (p.status IN ('APPROVED', 'PAID')) <> (p.fingerprint <> '')`},
		{"I7: reserved for a dead transaction", `SELECT p.id FROM payables p JOIN transactions t ON t.id = p.transaction_id
			WHERE p.status = 'APPROVED' AND (t.deleted = TRUE OR t.status = 'REJECTED_BY_PLATFORM'
			OR t.type = 'CRYPTO' AND t.status IN ('COMPLETED', 'FAILED'))`},
		{"A-13: a payable of a link that is not used, or another's", `SELECT p.id FROM payables p WHERE p.link <> '' AND NOT EXISTS (SELECT 1
			FROM invoice_links k
			WHERE k.id = p.link AND k.organisation = p.organisation AND k.status = 'USED')`},
		{"A-13: a used link without its payable", `SELECT k.id FROM invoice_links k
			WHERE (k.status = 'USED') <> (SELECT count(*) > 0 FROM payables p
			WHERE p.id = k.payable AND p.link = k.id AND p.receiver = k.receiver)`},
		{"I7: a submitted batch without one of its payables", `SELECT y.transaction_id FROM payments y
			JOIN transactions t ON t.id = y.transaction_id
			WHERE t.of_payables = TRUE AND t.deleted = FALSE
			AND t.status IN ('WAITING_ACCEPTANCE', 'PROCESSING', 'RELEASED') AND NOT EXISTS (SELECT 1
			FROM payables p
			WHERE p.transaction_id = y.transaction_id AND p.position = y.position AND p.locked = TRUE)`},
	} {
		found, err := db.Select(context.Background(), h.DB(), func(s *string) []any { return []any{s} }, rule.query)
		require.NoError(h.T, err, rule.breach)
		require.Empty(h.T, found, rule.breach)
	}
}

// oracle sums what the transactions say, to compare it with the chain and with the ledger's accounts.
type oracle struct {
	h         *Harness
	without   []string
	paid      []Moved             // what the books say was paid
	open      map[string]*big.Int // debits under way, by asset
	wallets   map[string]*big.Int // what is gone from a wallet, by account and asset
	receivers map[string]*big.Int // what a receiver has, by account and asset
}

func add(sums map[string]*big.Int, key string, units *big.Int) {
	if sums[key] == nil {
		sums[key] = new(big.Int)
	}

	sums[key].Add(sums[key], units)
}

func (o *oracle) transaction(t transaction.Transaction) {
	o.h.T.Helper()
	o.history(t)

	if t.Status != transaction.StatusDraft {
		require.True(o.h.T, t.ContentUnchanged() || t.ContentHash == "", "I8: %s is not what was locked", t.ID)
	}

	o.conserved(t)

	if t.Type != transaction.TypeCrypto {
		o.throughBank(t)
		return
	}

	o.calldata(t)

	wallet := string(ledger.WalletAccount(t.Network, t.WalletAddress)) + " " + t.Token
	switch t.Status {
	case transaction.StatusProcess, transaction.StatusReleased:
		add(o.open, t.Token, t.Debit)
		add(o.wallets, wallet, t.Debit)
	case transaction.StatusCompleted, transaction.StatusFailed:
		o.outcomes(t, wallet)
	case transaction.StatusDraft, transaction.StatusWaiting, transaction.StatusRejected: // nothing was taken
	}
}

// outcomes checks I7 and I10 of an ended transaction.
func (o *oracle) outcomes(t transaction.Transaction, wallet string) {
	o.h.T.Helper()
	arrived := 0

	back := new(big.Int)
	for _, p := range t.Payments {
		switch p.Outcome {
		case transaction.PaymentCompleted:
			arrived++

			o.paid = append(o.paid, Moved{
				Batch: fmt.Sprint(t.Number),
				Token: t.Token,
				From:  t.WalletAddress,
				To:    p.Address,
				Units: p.Units.String(),
			})
			add(o.wallets, wallet, p.Units)
			add(o.receivers, string(ledger.ReceiverAccount(t.Network, p.Receiver))+" "+t.Token, p.Units)

		case transaction.PaymentFailed:
			back.Add(back, p.Units)
			require.NotEmpty(o.h.T, p.StatusInfo, "I7: payment %d of %s failed without a reason", p.Position, t.ID)
		default:
			o.h.T.Errorf("I7: payment %d of %s, which is %s, has the outcome %q", p.Position, t.ID, t.Status, p.Outcome)
		}
	}

	require.Equal(
		o.h.T,
		t.Status == transaction.StatusCompleted,
		arrived > 0,
		"I7: %s is %s and %d payments arrived",
		t.ID,
		t.Status,
		arrived,
	)
	lines, err := ledger.OfTransaction(context.Background(), o.h.DB(), t.ID)
	require.NoError(o.h.T, err)

	returned := new(big.Int)
	for _, l := range lines {
		units, ok := new(big.Int).SetString(l.Units, 10)
		require.True(o.h.T, ok)

		if l.Kind != "hold" && l.Account+" "+l.Asset == wallet {
			returned.Add(returned, units)
		}
	}

	require.Equal(o.h.T, back.String(), returned.String(), "I10: what failed of %s is back in the wallet", t.ID)
}

// history checks I16.
func (o *oracle) history(t transaction.Transaction) {
	o.h.T.Helper()

	type step struct{ status, settlement string }
	steps, err := db.Select(context.Background(), o.h.DB(), func(s *step) []any {
		return []any{&s.status, &s.settlement}
	},
		"SELECT status, settlement_status FROM transaction_history WHERE transaction_id = ? ORDER BY version", t.ID)
	require.NoError(o.h.T, err)

	was := step{string(transaction.StatusDraft), string(transaction.SettlementIdle)}
	for _, s := range steps {
		require.True(
			o.h.T,
			transaction.TableOf(t.Type).Allows(transaction.Status(was.status), transaction.Status(s.status)),
			"I16: %s went from %s to %s",
			t.ID,
			was.status,
			s.status,
		)

		require.True(
			o.h.T,
			transaction.SettlementTableOf(t.Type).Allows(
				transaction.SettlementStatus(was.settlement),
				transaction.SettlementStatus(s.settlement),
			),
			"I16: the settlement of %s went from %s to %s",
			t.ID,
			was.settlement,
			s.settlement,
		)

		was = s
	}

	require.Equal(
		o.h.T,
		step{string(t.Status), string(t.Settlement)},
		was,
		"I16: the last step of %s is its status",
		t.ID,
	)
}

// calldata checks I8 of the transaction's send, if it has one.
func (o *oracle) calldata(t transaction.Transaction) {
	o.h.T.Helper()
	datas, err := db.Select(context.Background(), o.h.DB(), func(b *[]byte) []any {
		return []any{b}
	}, "SELECT data FROM chain_sends WHERE object = ?", t.ID)
	require.NoError(o.h.T, err)
	require.LessOrEqual(o.h.T, len(datas), 1, "%s has several sends", t.ID)

	for _, data := range datas {
		call, err := contract.DecodeCall(data)
		require.NoError(o.h.T, err)
		require.Equal(o.h.T, t.Number, call.Number.Int64(), "I8")
		require.Equal(o.h.T, common.HexToAddress(t.WalletAddress), call.Payer, "I8")
		require.Equal(o.h.T, o.h.World.Token(t.Token).Address, call.Token, "I8")
		require.Len(o.h.T, call.Legs, len(t.Payments), "I8")

		for i, p := range t.Payments {
			require.Equal(o.h.T, common.HexToAddress(p.Address), call.Legs[i].To, "I8")
			require.Equal(o.h.T, p.Units.String(), call.Legs[i].Amount.String(), "I8")
		}
	}
}

// chain checks M-04, I9 and I13.
func (o *oracle) chain() {
	o.h.T.Helper()
	t := o.h.T
	moved, operator := o.h.Ground()
	done := o.final()

	var settled, pending []Moved
	for _, m := range moved {
		if done[m.Batch] {
			settled = append(settled, m)
		} else {
			pending = append(pending, m)
		}
	}

	sortMoved(settled)
	sortMoved(o.paid)
	require.Equal(t, o.paid, settled, "M-04: the books and the chain differ")
	open := o.batches(
		`SELECT number FROM transactions WHERE status IN ('PROCESSING', 'RELEASED')
			UNION SELECT number FROM treasury_sends
			WHERE state IN ('PLANNED', 'REFUSED', 'DOUBTFUL')`,
	)
	require.Subset(t, slices.Collect(maps.Keys(open)), batchesOf(pending), "M-04: a transfer of no transaction")

	if !slices.Contains(o.without, "I9") {
		o.nonces(operator)
	}

	type evidence struct {
		block int64
		hash  string
	}
	receipts, err := db.Select(context.Background(), o.h.DB(), func(e *evidence) []any {
		return []any{&e.block, &e.hash}
	}, "SELECT block, block_hash FROM chain_receipts")
	require.NoError(t, err)

	head := o.h.World.Chain.Head().Number.Int64()
	for _, e := range receipts {
		require.LessOrEqual(t, e.block+world.FinalityDepth, head, "I13: posted before it was final")
		require.Equal(
			t,
			o.h.World.Chain.Block(uint64(e.block)).Hash().Hex(),
			e.hash,
			"I13: posted from a block that was replaced",
		)
	}
}

// nonces checks I9.
func (o *oracle) nonces(operator map[uint64]common.Hash) {
	o.h.T.Helper()
	t := o.h.T
	ours := map[string]bool{}
	hashes, err := db.Select(context.Background(), o.h.DB(), func(s *string) []any {
		return []any{s}
	}, "SELECT tx_hash FROM chain_attempts")
	require.NoError(t, err)

	for _, x := range hashes {
		ours[x] = true
	}

	for n := range uint64(len(operator)) {
		require.Contains(t, operator, n, "I9: the nonces have a gap")
		require.True(t, ours[operator[n].Hex()], "I9: nonce %d was used by %s, which is not ours", n, operator[n])
	}
}

// final are the batches whose outcome is in the books.
func (o *oracle) final() map[string]bool {
	return o.batches(
		`SELECT number FROM transactions
			WHERE type = 'CRYPTO' AND status IN ('COMPLETED', 'FAILED') UNION
			SELECT number FROM treasury_sends
			WHERE state IN ('FINAL', 'FAILED') AND number <> 0 UNION SELECT number
			FROM transactions t WHERE type = 'FIAT' AND EXISTS (SELECT 1 FROM journals j
			WHERE j.transaction_id = t.id AND j.kind = 'pulled')`,
	)
}

func (o *oracle) batches(query string) map[string]bool {
	o.h.T.Helper()
	numbers, err := db.Select(context.Background(), o.h.DB(), func(n *int64) []any { return []any{n} }, query)
	require.NoError(o.h.T, err)

	out := map[string]bool{}
	for _, n := range numbers {
		out[fmt.Sprint(n)] = true
	}

	return out
}

func batchesOf(moved []Moved) []string {
	seen := map[string]bool{}
	for _, m := range moved {
		seen[m.Batch] = true
	}

	return slices.Collect(maps.Keys(seen))
}

func sortMoved(all []Moved) {
	slices.SortFunc(all, func(a, b Moved) int {
		return cmp.Or(cmp.Compare(a.Batch, b.Batch), cmp.Compare(a.To, b.To), cmp.Compare(a.Units, b.Units))
	})
}

// accounts checks I11 and I14: every account of a wallet, a receiver and of what is under way has exactly what the
// transactions say.
func (o *oracle) accounts(report ledger.Report) {
	o.h.T.Helper()

	type line struct{ account, asset, units string }
	lines, err := db.Select(context.Background(), o.h.DB(), func(l *line) []any {
		return []any{&l.account, &l.asset, &l.units}
	}, "SELECT account, asset, units FROM postings")
	require.NoError(o.h.T, err)
	wallets := map[string]*big.Int{}

	receivers := map[string]*big.Int{}
	for _, l := range lines {
		units, ok := new(big.Int).SetString(l.units, 10)
		require.True(o.h.T, ok)

		key := l.account + " " + l.asset
		switch {
		case strings.HasPrefix(l.account, "wallet/"):
			add(wallets, key, units.Neg(units))
		case strings.HasPrefix(l.account, "receiver/"):
			add(receivers, key, units)
		}
	}

	require.Equal(o.h.T, texts(o.wallets), texts(wallets), "I11: wallets")
	require.Equal(o.h.T, texts(o.receivers), texts(receivers), "I11: receivers")

	open := map[string]*big.Int{}
	for _, b := range report.Open {
		add(open, b.Asset, b.Units)
	}

	require.Equal(o.h.T, texts(o.open), texts(open), "I14: holds and clearing")
}

func texts(sums map[string]*big.Int) map[string]string {
	out := map[string]string{}
	for k, v := range sums {
		if v.Sign() != 0 {
			out[k] = v.String()
		}
	}

	return out
}
