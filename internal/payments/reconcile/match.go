package reconcile

import (
	"context"
	"errors"
	"fmt"

	"slipway/internal/payments/ledger"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/trail"
)

// matchPage is how many deposits are matched in one write.
const matchPage = 500

// Match decides about every deposit that is NEW, the oldest first. It may be called at any time and by several processes at once: a
// decision is guarded by the deposit's state and the transaction's version, so each is made once.
func (s *Service) Match(ctx context.Context) error {
	after := ""
	for {
		page, err := depositsIn(ctx, s.DB, "'NEW'", after, matchPage)
		if err != nil || len(page) == 0 {
			return err
		}
		after = page[len(page)-1].Entry
		if err := s.matchPage(ctx, page); err != nil {
			return err
		}
	}
}

// matchPage decides about some deposits in one write. When that fails, each is decided alone, so that one cannot keep the others back.
func (s *Service) matchPage(ctx context.Context, page []Deposit) error {
	failpoint.Hit("bank.entry_saved_unmatched")
	err := s.DB.Write(ctx, func(tx *db.Tx) error { return s.decideAll(ctx, tx, page) })
	failpoint.Hit("bank.matched")
	if err == nil || len(page) == 1 || ctx.Err() != nil {
		return passed(err)
	}
	var errs []error
	for _, d := range page {
		err := s.DB.Write(ctx, func(tx *db.Tx) error { return s.decideAll(ctx, tx, []Deposit{d}) })
		errs = append(errs, passed(err))
	}
	return errors.Join(errs...)
}

// passed is nil for a deposit, or a transaction, that another one has moved at the same moment: the next run finds what it has left.
func passed(err error) error {
	if errors.Is(err, db.ErrStale) || db.IsUnique(err, "deposit_matches") || db.IsUnique(err, "transaction_history") || db.IsUnique(err, "journals") {
		return nil
	}
	return err
}

// decideAll reads again what it decides on, inside the write. Two deposits of one page that name one transaction are decided in order:
// the second finds the transaction as the first has left it.
func (s *Service) decideAll(ctx context.Context, tx *db.Tx, page []Deposit) error {
	found := make([][]string, len(page))
	for i, d := range page {
		found[i] = references(d.Texts)
	}
	known, err := s.named(ctx, tx, found)
	if err != nil {
		return err
	}
	moved := map[string]bool{}
	for i, d := range page {
		refs := found[i]
		var named []Awaited
		for _, r := range refs {
			if a, ok := known[r]; ok {
				named = append(named, a)
			}
		}
		v := Decide(d, len(refs), named)
		if v.Transaction != "" && moved[v.Transaction] {
			fresh, err := transaction.ByID(ctx, tx, v.Transaction)
			if err != nil {
				return fmt.Errorf("transaction %s of deposit %s: %w", v.Transaction, d.Entry, err)
			}
			named[0].T = fresh
			v = Decide(d, len(refs), named)
		}
		if err := s.record(ctx, tx, d, v, named); err != nil {
			return err
		}
		if v.Transaction != "" {
			moved[v.Transaction] = true
		}
	}
	return nil
}

// named reads the transactions that a page's references name, by reference.
func (s *Service) named(ctx context.Context, q db.Querier, found [][]string) (map[string]Awaited, error) {
	known, asked := map[string]Awaited{}, map[string]bool{}
	for _, refs := range found {
		for _, r := range refs {
			if asked[r] {
				continue
			}
			asked[r] = true
			t, err := transaction.OnrampByReference(ctx, q, r)
			if errors.Is(err, db.ErrNone) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("transaction of reference %s: %w", r, err)
			}
			a := Awaited{T: t, House: s.House(t)}
			if a.Senders, err = s.Senders(ctx, q, t); err != nil {
				return nil, fmt.Errorf("senders of %s: %w", t.ID, err)
			}
			if a.Blocked, err = Blocked(ctx, q, t.Organisation); err != nil {
				return nil, err
			}
			known[r] = a
		}
	}
	return known, nil
}

// record writes a verdict with its postings.
func (s *Service) record(ctx context.Context, tx *db.Tx, d Deposit, v Verdict, named []Awaited) error {
	if v.Match {
		return s.matched(ctx, tx, d, named[0].T)
	}
	d.Reason, d.Transaction = v.Reason, v.Transaction
	if v.Transaction != "" {
		d.Organisation = named[0].T.Organisation
	}
	if err := ledger.Post(tx, entryJournal(d, "", "", ledger.SuspenseAccount(d.currency()))); err != nil {
		return err
	}
	moveDeposit(tx, d, StateSuspense)
	if v.Transaction == "" || v.Reason == ReasonNotOpen {
		return nil
	}
	return s.mismatch(ctx, tx, named[0].T, d)
}

func (s *Service) matched(ctx context.Context, tx *db.Tx, d Deposit, t transaction.Transaction) error {
	d.Transaction, d.Organisation, d.Reason = t.ID, t.Organisation, ""
	if err := ledger.Post(tx, entryJournal(d, t.Organisation, t.ID, ledger.ConvertClearing(d.currency()))); err != nil {
		return err
	}
	moveDeposit(tx, d, StateMatched)
	insertMatch(tx, d.Entry, t.ID, byRule)
	return s.Begin(ctx, tx, t)
}

// byRule stands for the rule in a match that no person made.
const byRule = "rule"

// mismatch tells the transaction's owner that a deposit came which is not what is waited for. The right one may still come.
func (s *Service) mismatch(ctx context.Context, tx *db.Tx, t transaction.Transaction, d Deposit) error {
	trail.Audit(ctx, tx, t.Organisation, "deposit.mismatched", d.Entry, string(d.Reason))
	_, err := s.Transactions.Advance(ctx, tx, t, transaction.Step{Status: t.Status, Settlement: transaction.SettlementMismatch, What: "deposit_mismatch",
		Info: fmt.Sprintf("A deposit of %s %s arrived that is not what is waited for: %s. It is being looked at.", d.Amount, d.currency(), inWords(d.Reason))})
	return err
}

// inWords says a reason to the owner of the transaction. It says nothing of the sender, who may be somebody else's business.
func inWords(r Reason) string {
	switch r {
	case ReasonAccount:
		return "it went to another account"
	case ReasonCurrency:
		return "it is in another currency"
	case ReasonUnder:
		return "the amount is too small"
	case ReasonOver:
		return "the amount is too large"
	case ReasonSender:
		return "it comes from another sender than the declared one"
	case ReasonBlocked:
		return "the organisation has an open claim of the platform against it"
	}
	return "it has to be looked at"
}
