package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"slipway/internal/payments/chart"
	"slipway/internal/payments/receivable"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/trail"
)

// pageSize is how many deposits are matched in one write.
const pageSize = 1000

// page is a set of deposits that one write decides about, with what was read for them before it.
type page struct {
	deposits []Deposit
	named    map[string]transaction.Transaction // by reference
	owed     map[string][]receivable.Receivable // by reference
	ahead    bool                               // read while another page was written, which may have moved one of them
	err      error                              // the error of that reading
}

// Match decides about every deposit that is NEW, the oldest first. It may be called at any time and by several
// processes at once: each decision is guarded by the deposit's state and the transaction's version, so it is made once.
// A deposit that cannot be decided stays NEW and does not stop the others; the returned error describes it. The next
// page is read while one is written.
func (s *Service) Match(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	pages := make(chan page)

	failed := make(chan error, 1)
	go func() {
		defer close(pages)

		failed <- s.readPages(reading, pages)
	}()

	defer func() {
		stop()

		for range pages { // until the reader has noticed
		}
	}()

	var problems []error
	for p := range pages {
		if err := s.matchPage(ctx, p); err != nil {
			problems = append(problems, err)
		}

		if ctx.Err() != nil {
			return errors.Join(problems...)
		}
	}

	return errors.Join(append(problems, <-failed)...)
}

// readPages sends everything that is NEW to pages.
func (s *Service) readPages(ctx context.Context, pages chan<- page) error {
	var last Deposit

	for {
		some, err := newDeposits(ctx, s.DB, last, pageSize)
		if err != nil || len(some) == 0 {
			return err
		}

		last = some[len(some)-1]
		p := s.pageOf(ctx, some)

		p.ahead = true
		select {
		case pages <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pageOf reads the transactions and receivables that deposits name.
func (s *Service) pageOf(ctx context.Context, deposits []Deposit) page {
	p := page{deposits: deposits}
	for i, d := range p.deposits {
		p.deposits[i].References = References(d.Texts)
	}

	references := referencesOf(p.deposits)

	if p.named, p.err = transaction.OnrampsByReference(ctx, s.DB, references); p.err != nil {
		p.err = fmt.Errorf("transactions of deposits: %w", p.err)
		return p
	}

	if p.owed, p.err = receivable.ByReference(ctx, s.DB, references); p.err != nil {
		p.err = fmt.Errorf("receivables of deposits: %w", p.err)
	}

	return p
}

// matchPage decides about some deposits in one write. If that fails, it leaves out what another process has decided in
// the meantime and tries again. If nothing was left out, it decides each half by itself, down to the one deposit that
// cannot be decided, so that it does not stop the others.
func (s *Service) matchPage(ctx context.Context, p page) error {
	failpoint.Hit("bank.entry_saved_unmatched")

	err := p.err
	if err == nil {
		err = s.DB.Write(ctx, func(tx *db.Tx) error { return s.decideAll(ctx, tx, p) })
	}

	failpoint.Hit("bank.matched")

	if err == nil || ctx.Err() != nil {
		return err
	}

	left := p.deposits
	if overtaken(err) {
		var readErr error
		if left, readErr = newAmong(ctx, s.DB, p.deposits); readErr != nil {
			return errors.Join(err, readErr)
		}
	}

	again := func(some []Deposit) error { return s.matchPage(ctx, s.pageOf(ctx, some)) }
	switch n := len(left); {
	case n > 0 && overtaken(err) && p.ahead:
		return again(left)
	case n == 0, n == 1 && overtaken(err) && len(p.deposits) == 1: // its transaction moved: the next run rereads it
		return nil
	case n < len(p.deposits):
		return again(left)
	case n == 1:
		return err
	default:
		return errors.Join(again(left[:n/2]), again(left[n/2:]))
	}
}

// overtaken reports whether a write failed because another one moved a deposit or its transaction at the same moment.
func overtaken(err error) bool {
	return db.Overtaken(err, "deposit_matches", "transaction_history", "journals")
}

// decideAll decides about the deposits of a page. Deposits and transactions are taken as they were read. If one has
// moved in the meantime, the write fails, because every decision moves it from the version that was read. Of two
// deposits that name one transaction, the second finds it as the first has left it. What goes to suspense is posted
// together at the end.
func (s *Service) decideAll(ctx context.Context, tx *db.Tx, p page) error {
	known, err := s.awaited(ctx, tx, p.named, p.owed)
	if err != nil {
		return err
	}

	var suspended []Deposit

	moved := map[string]bool{}
	for _, d := range p.deposits {
		tx.Apart()

		var named []Awaited

		found := d.references()
		for _, r := range found {
			if a, ok := known[r]; ok {
				named = append(named, a)
			}
		}

		v := Decide(d, len(found), named)
		if len(named) == 1 && len(named[0].Owed) == 0 && moved[v.Transaction] {
			fresh, err := transaction.ByID(ctx, tx, v.Transaction)
			if err != nil {
				return fmt.Errorf("transaction %s of deposit %s: %w", v.Transaction, d.Entry, err)
			}

			named[0].T = fresh
			v = Decide(d, len(found), named)
		}

		if v.Transaction != "" {
			moved[v.Transaction] = true
		}

		switch {
		case v.Match && len(named[0].Owed) > 0:
			owed := named[0].Owed
			d.Owner = owed[0].Organisation

			if err = postSuspended(tx, []Deposit{d}); err == nil {
				err = s.payOwed(ctx, tx, &d, owed, "")
			}

			paid := known[owed[0].Reference]
			paid.Owed = nil
			known[owed[0].Reference] = paid

		case v.Match:
			err = s.recordMatch(ctx, tx, d, named[0].T)

		default:
			d.Reason = v.Reason
			d.Transaction = v.Transaction
			d.Organisation = v.Organisation
			d.Owner = cmp.Or(d.Owner, v.Owner)
			suspended = append(suspended, d)
			err = s.suspend(ctx, tx, d, named)
		}

		if err != nil {
			return err
		}
	}

	return postSuspended(tx, suspended)
}

// awaited adds to transactions, and to what is owed, everything else that the rule needs.
func (s *Service) awaited(
	ctx context.Context,
	q db.Querier,
	found map[string]transaction.Transaction,
	owed map[string][]receivable.Receivable,
) (map[string]Awaited, error) {
	if len(found)+len(owed) == 0 {
		return nil, nil
	}

	organisations := map[string]bool{}
	for _, t := range found {
		organisations[t.Organisation] = true
	}

	for _, all := range owed {
		organisations[all[0].Organisation] = true
	}

	ids := slices.Sorted(maps.Keys(organisations))

	blocked, err := receivable.BlockedAmong(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	own, err := s.Own(ctx, q, ids)
	if err != nil {
		return nil, err
	}

	out := make(map[string]Awaited, len(found))
	for r, t := range found {
		out[r] = Awaited{
			T:       t,
			House:   s.House(t),
			Senders: sendersOf(t, own[t.Organisation]),
			Blocked: blocked[t.Organisation],
		}
	}

	for r, all := range owed {
		o := own[all[0].Organisation]
		out[r] = Awaited{
			T:       found[r],
			Owed:    all,
			House:   all[0].House,
			Senders: Senders{Names: o.Names, Accounts: o.Accounts[all[0].Amount.Asset().Code]},
		}
	}

	return out, nil
}

// suspend moves a deposit to suspense, and informs the transaction that it names if that one waits for a deposit. It
// does not post.
func (s *Service) suspend(ctx context.Context, tx *db.Tx, d Deposit, named []Awaited) error {
	moveDeposit(tx, d, StateSuspense)

	if d.Transaction == "" || d.Reason == ReasonNotOpen || len(named[0].Owed) > 0 {
		return nil
	}

	return s.notifyMismatch(ctx, tx, named[0].T, d)
}

// recordMatch records that a deposit pays a transaction, and begins to carry that one out.
func (s *Service) recordMatch(ctx context.Context, tx *db.Tx, d Deposit, t transaction.Transaction) error {
	d.Transaction = t.ID
	d.Organisation = t.Organisation
	d.Owner = t.Organisation
	d.Reason = ""

	if err := chart.PostOn(tx, d.days(), chart.DepositMatched{Of: d.paying(), Deposit: d.ForBook()}); err != nil {
		return err
	}

	moveDeposit(tx, d, StateMatched)
	insertMatch(tx, d.Entry, t.ID, byRule)

	return s.Begin(ctx, tx, t)
}

// payOwed records that a deposit pays what an organisation owes. Its money is in suspense. by are the people who have
// decided it, which is when it is paid; without any, the deposit carries the reference, and pays on its own day.
func (s *Service) payOwed(ctx context.Context, tx *db.Tx, d *Deposit, owed []receivable.Receivable, by string) error {
	d.Transaction = owed[0].Transaction
	d.Organisation = owed[0].Organisation
	d.Reason = ""

	if err := s.Attribute(tx, d, d.Organisation); err != nil {
		return err
	}

	pays := receivable.Payment{
		Means:     receivable.ByDeposit,
		Source:    d.Entry,
		Amount:    d.Amount,
		From:      d.Account(),
		Memo:      d.memo(),
		DecidedBy: by,
		Reason:    d.Note,
	}
	if by == "" {
		pays.On = d.days()
	}

	if err := s.Receivables.Settle(ctx, tx, owed, pays); err != nil {
		return err
	}

	moveDeposit(tx, *d, StateSettled)
	d.State = StateSettled
	d.Version++

	return nil
}

// byRule stands in place of a person's name in matches made by the rule.
const byRule = "rule"

// notifyMismatch informs the transaction's owner that a deposit came which differs from the expected one. The right one
// may still come.
func (s *Service) notifyMismatch(ctx context.Context, tx *db.Tx, t transaction.Transaction, d Deposit) error {
	trail.Audit(ctx, tx, t.Organisation, "deposit.mismatched", d.Entry, string(d.Reason))
	_, err := s.Transactions.Advance(ctx, tx, t, transaction.Step{
		Status:     t.Status,
		Settlement: transaction.SettlementMismatch,
		What:       "deposit_mismatch",
		Info: fmt.Sprintf(
			"A deposit of %s %s arrived that is not what is waited for: %s. It is being looked at.",
			d.Amount,
			d.currency(),
			mismatchText(d.Reason),
		),
	})

	return err
}

// mismatchText returns a reason as a text for the owner of the transaction. It never mentions the sender, who may be a
// stranger to the owner.
func mismatchText(r Reason) string {
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
		return "it comes from another sender than your organisation, or than the one you declared"
	case ReasonBlocked:
		return "the organisation has an open claim of the platform against it"
	case ReasonClaim, ReasonNoReference, ReasonUnknown, ReasonSeveral, ReasonNotOpen, ReasonNotBack:
	}

	return "it has to be looked at"
}
