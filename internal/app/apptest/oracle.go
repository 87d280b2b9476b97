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
//	I11  bank accounts of the ledger equal the bank's entries, and the bank's own books where all of them have come;
//	     the treasury equals the chain
//	M-04 every payout the bank has executed is one of ours, once, with its amount; every booked one was executed
//	D-05 what came in is what was matched, sent back, and in suspense
//	D-08 what organisations owe by the books is what is listed
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
	h.NotePosted()
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

// noRows runs the rules that a query can check (oracle_rules.go): each must find nothing.
func (h *Harness) noRows() {
	h.T.Helper()

	for _, r := range slices.Concat(sendRules(), bankRules(), depositRules(), transactionRules(), payableRules()) {
		found, err := db.Select(context.Background(), h.DB(), func(s *string) []any { return []any{s} }, r.query)
		require.NoError(h.T, err, r.breach)
		require.Empty(h.T, found, r.breach)
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

	left := new(big.Int).Set(t.Debit)
	for _, l := range lines {
		if l.Account+" "+l.Asset == wallet {
			left.Add(left, o.number(l.Units))
		}
	}

	require.Equal(o.h.T, back.String(), left.String(), "I10: what failed of %s has not left the wallet", t.ID)
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
	pairs := transaction.Pairs(t.Type)

	for _, s := range steps {
		require.Contains(
			o.h.T,
			pairs,
			transaction.Pair{
				Status:     transaction.Status(s.status),
				Settlement: transaction.SettlementStatus(s.settlement),
			},
			"I16: %s stood where the tables do not lead together",
			t.ID,
		)

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
			UNION SELECT number FROM effects
			WHERE number <> 0 AND state IN ('PLANNED', 'REFUSED', 'DOUBTFUL')`,
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
			SELECT number FROM effects
			WHERE state IN ('FINAL', 'KEPT') AND number <> 0 UNION SELECT number
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
	}, `SELECT p.account, p.asset, p.units FROM postings p JOIN journals j ON j.id = p.journal
		WHERE j.kind <> 'opened'`)
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
		if !strings.HasPrefix(string(b.Account), "reserved/") { // that is the other side of it
			add(open, b.Asset, b.Units)
		}
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
