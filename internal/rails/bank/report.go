package bank

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/standards/iso20022/pain"
)

// verdict is what a report states about one payout after all its levels: where it stands, and whose the account is.
// Each is nil if it states nothing of that kind.
type verdict struct {
	payout        payoutRow
	status, payee *reportedStatus
}

// verdicts finds for each payout the lowest level that mentions it: the file, its block, or the payment. Statuses that
// decide nothing by themselves (PART, unknown ones) leave the level above, and so do those about a payee's name, which
// are found on their own. A payment that is not ours makes the complete report unusable.
func (r *Rail) verdicts(ctx context.Context, q db.Querier, all []reportedStatus) ([]verdict, error) {
	all, err := withFiles(ctx, q, all)
	if err != nil {
		return nil, err
	}

	byMessage := map[string][]reportedStatus{}

	var messages []string
	for _, s := range all {
		if byMessage[s.message] == nil {
			messages = append(messages, s.message)
		}

		byMessage[s.message] = append(byMessage[s.message], s)
	}

	var out []verdict
	for _, m := range messages {
		files, err := filesByMessage(ctx, q, []string{m})
		if err != nil {
			return nil, err
		}

		if m == "" || len(files) == 0 {
			return nil, &Unusable{CodeUnknownOrder, "it refers to a payment file that is not ours"}
		}

		rows, err := payouts(ctx, q, inFile+" ORDER BY id", files[0].ID)
		if err != nil {
			return nil, err
		}

		some, err := verdictsOf(files[0], rows, byMessage[m])
		if err != nil {
			return nil, err
		}

		out = append(out, some...)
	}

	return out, nil
}

// withFiles returns statuses with the files of the payments that they name, where a format does not name the file.
func withFiles(ctx context.Context, q db.Querier, all []reportedStatus) ([]reportedStatus, error) {
	var names []string
	for _, s := range all {
		if s.message == "" && s.end != "" {
			names = append(names, s.end)
		}
	}

	if len(names) == 0 {
		return all, nil
	}

	files, err := fileMessages(ctx, q, names)
	if err != nil {
		return nil, err
	}

	out := slices.Clone(all)
	for i := range out {
		out[i].message = cmp.Or(out[i].message, files[out[i].end])
	}

	return out, nil
}

// verdictsOf returns the verdicts for the payouts of one file.
func verdictsOf(f fileRow, rows []payoutRow, all []reportedStatus) ([]verdict, error) {
	as := formatNamed(f.Format)
	at := make([]verdict, len(rows))

	index := map[string]int{}
	for i, p := range rows {
		at[i].payout = p
		index[p.EndToEndID] = i
		index[p.UETR] = i // the InstrId is the EndToEndId
	}

	for _, level := range []pain.Level{pain.GroupLevel, pain.BlockLevel, pain.TransactionLevel} {
		for n := range all {
			s := &all[n]
			if s.level != level {
				continue
			}

			hit := false
			if level == pain.TransactionLevel {
				i, ok := find(index, s.end, s.uetr, s.instr)
				if hit = ok; ok {
					at[i].add(s)
				}
			} else {
				for i, p := range rows {
					if level == pain.GroupLevel || s.block == as.Block(f.MessageID, p.payment()) {
						hit = true

						at[i].add(s)
					}
				}
			}

			if !hit && level != pain.GroupLevel {
				return nil, &Unusable{CodeUnknownOrder, "it refers to a payment that is not in the file it names"}
			}
		}
	}

	if slices.ContainsFunc(all, reportedStatus.ofOneName) {
		for i := range at {
			if at[i].payee != nil && at[i].payee.status == someDiffer {
				at[i].payee = nil // the report says which
			}
		}
	}

	return slices.DeleteFunc(at, func(v verdict) bool { return v.status == nil && v.payee == nil }), nil
}

// add adds a status of the next level.
func (v *verdict) add(s *reportedStatus) {
	switch {
	case s.decides():
		v.status = s
	case s.meaning == pain.PayeeOnly:
		v.payee = s
	}
}

// ofOneName reports whether a status says whose the account of one payment is.
func (s reportedStatus) ofOneName() bool {
	return s.level == pain.TransactionLevel && s.meaning == pain.PayeeOnly && s.status != someDiffer
}

// find returns the index of the first non-empty name.
func find(index map[string]int, names ...string) (int, bool) {
	for _, n := range names {
		if n != "" {
			i, ok := index[n]
			return i, ok
		}
	}

	return 0, false
}

// decides reports whether a status states anything about a payout.
func (s reportedStatus) decides() bool {
	switch s.meaning {
	case pain.UnderWay, pain.Settled, pain.PendingAt, pain.Rejected, pain.Cancelled:
		return true
	case pain.Partly, pain.PayeeOnly, pain.Unknown:
		return false
	}

	return false
}

// applyReport stores a report and moves payouts, a batch per write. Done counts the payouts, plus one for what is
// stored first. Announced returns move nothing: the money is back only with the booked credit (Observer.Returned),
// which takes the reason from here if it has none.
func (r *Rail) applyReport(ctx context.Context, row *inboxRow, said *reported) error {
	for row.State == InboxImporting {
		over := false
		err := r.inboxWrite(ctx, row, func(tx *db.Tx, now *inboxRow) error {
			list, err := r.verdicts(ctx, tx, said.statuses)
			if err != nil {
				return err
			}

			if now.Done == 0 {
				if err := r.storeReport(ctx, tx, now.ID, said); err != nil {
					return err
				}

				now.Done = 1
			}

			from := min(int(now.Done)-1, len(list))

			to := min(from+payoutsAtOnce, len(list))
			if err := r.applyVerdicts(ctx, tx, now.ID, list[from:to]); err != nil {
				return err
			}

			now.Done = int64(to) + 1
			now.Statuses = int64(to + len(said.returns) + len(said.changes) + len(said.disputes))

			over = to == len(list)
			if !over {
				return nil
			}

			return r.settleBlocks(ctx, tx, messagesOf(said.statuses))
		})
		failpoint.Hit("bank.pain002_half")

		if err != nil || over {
			return err
		}
	}

	return nil
}

// storeReport stores what a report says, before it moves a payout.
func (r *Rail) storeReport(ctx context.Context, tx *db.Tx, fileID string, said *reported) error {
	statuses, err := withFiles(ctx, tx, said.statuses)
	if err != nil {
		return err
	}

	storeStatuses(tx, fileID, statuses)

	if err := storeReturns(ctx, tx, fileID, said.returns); err != nil {
		return err
	}

	if err := r.storeCorrections(ctx, tx, fileID, said.changes); err != nil {
		return err
	}

	for _, d := range said.disputes {
		p, err := payoutOf(ctx, tx, announcedReturn{end: d.Identity})
		if err != nil {
			return err
		}

		contradict(tx, p, "the bank reports about its return: "+d.Text)
	}

	return nil
}

// applyVerdicts applies a batch of a report.
func (r *Rail) applyVerdicts(ctx context.Context, tx *db.Tx, file string, list []verdict) error {
	ids := make([]string, len(list))
	for i, v := range list {
		ids[i] = v.payout.ID
	}

	known, err := payeesOf(ctx, tx, ids)
	if err != nil {
		return err
	}

	for _, v := range list {
		if v.status != nil {
			if err := r.apply(ctx, tx, v.payout, *v.status); err != nil {
				return fmt.Errorf("payout %s: %w", v.payout.ID, err)
			}
		}

		if err := r.applyPayee(ctx, tx, file, v, known[v.payout.ID]); err != nil {
			return fmt.Errorf("name on payout %s: %w", v.payout.ID, err)
		}
	}

	return nil
}

// messagesOf returns the payment files that a report refers to, each once.
func messagesOf(all []reportedStatus) (messages []string) {
	for _, s := range all {
		if !slices.Contains(messages, s.message) {
			messages = append(messages, s.message)
		}
	}

	return messages
}

// storeStatuses stores every status as it came.
func storeStatuses(tx *db.Tx, fileID string, all []reportedStatus) {
	now := db.Micros(tx.Now)

	for _, s := range all {
		target := s.end
		if s.level == pain.BlockLevel {
			target = s.block
		}

		text := s.reason.Text
		if s.meaning == pain.PayeeOnly {
			text = "" // somebody's name, which is kept sealed
		}

		tx.Insert(
			insertReport,
			fileID,
			int64(s.number),
			string(s.level),
			s.message,
			target,
			s.status,
			s.reason.Code,
			text,
			now,
		)
	}
}

// apply moves one payout by what a report states about it. Any status proves that the file arrived.
func (r *Rail) apply(ctx context.Context, tx *db.Tx, p payoutRow, s reportedStatus) error {
	was := p.State
	switch p.State {
	case Planned:
		return nil // no longer in that file

	case Booked, Returned, Rejected:
		if s.final() && p.State != Rejected && !s.duplicate {
			contradict(
				tx,
				p,
				fmt.Sprintf("the bank reports %s %s after it was booked", s.status, s.reason.Code),
			)
		}

		return nil

	case Held:
		if p.ReasonCode != HoldUnknown && !(s.final() && !s.duplicate) {
			return nil // held for a refusal as duplicate: the payment under way may be the other one
		}

	case Filed, HandedOver, Accepted: // the states that a report moves
	}

	if s.vague && s.final() {
		twice, err := sentTwice(ctx, tx, p)
		if err != nil {
			return err
		}

		s.duplicate = twice // it may be the second copy that was refused
	}

	if err := r.proveFile(ctx, tx, p); err != nil {
		return err
	}

	if err := r.handOver(ctx, tx, &p); err != nil {
		return err
	}

	switch {
	case s.final() && s.duplicate:
		notePayout(tx, was, p)

		return r.hold(
			ctx,
			tx,
			p,
			s.reason.Code,
			"the bank refused it as a duplicate, so the first one may have been executed: "+s.reason.Text,
		)

	case s.final():
		why := s.reason
		if why.Code == "" {
			why.Code = s.status
		}

		return r.refuse(ctx, tx, was, p, why)

	case p.State == HandedOver && s.meaning != pain.PendingAt:
		if err := p.advance(Accepted); err != nil {
			return err
		}
	}

	if p.State != was {
		notePayout(tx, was, p)
	}

	return nil
}

// sentTwice reports whether the file of a payout has left more than once, or may have.
func sentTwice(ctx context.Context, tx *db.Tx, p payoutRow) (bool, error) {
	if p.FileID == "" {
		return true, nil // nobody knows
	}

	f, err := fileByID(ctx, tx, p.FileID)

	return f.Attempts > 1, err
}

// final reports whether a status ends a payout.
func (s reportedStatus) final() bool {
	return s.meaning == pain.Rejected || s.meaning == pain.Cancelled
}

// proveFile marks the file of a payout as arrived, if that was unknown.
func (r *Rail) proveFile(ctx context.Context, tx *db.Tx, p payoutRow) error {
	if p.FileID == "" || p.State != Filed && (p.State != Held || p.ReasonCode != HoldUnknown) {
		return nil
	}

	f, err := fileByID(ctx, tx, p.FileID)
	if err != nil {
		return err
	}

	fileArrived(tx, f)

	return nil
}

// payoutOf returns the payout that a return names.
func payoutOf(ctx context.Context, q db.Querier, x announcedReturn) (payoutRow, error) {
	column := "end_to_end_id"

	value := x.end
	if !mayBeIdentity(x.end) {
		column = "uetr"
		value = x.uetr
	}

	rows, err := payouts(ctx, q, "WHERE "+column+" = ?", value)
	if err != nil {
		return payoutRow{}, err
	}

	if value == "" || len(rows) == 0 {
		return payoutRow{}, &Unusable{CodeUnknownOrder, "it returns a payment that is not ours"}
	}

	return rows[0], nil
}

// storeReturns stores announced returns.
func storeReturns(ctx context.Context, tx *db.Tx, fileID string, all []announcedReturn) error {
	for _, x := range all {
		p, err := payoutOf(ctx, tx, x)
		if err != nil {
			return err
		}

		units, err := decimalUnits(x.amount.Currency, x.amount.Value)
		if err != nil {
			units = ""
		}

		tx.Insert(
			insertNotice,
			fileID,
			int64(x.number),
			p.ID,
			x.reason.Code,
			x.reason.Text,
			units,
			db.Micros(tx.Now),
		)
	}

	return nil
}
