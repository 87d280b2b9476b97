package bank

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/pacs"
	"slipway/internal/standards/iso20022/pain"
)

// mostStatuses limits the statuses of a pain.002 or pacs.004: all payouts of five of our largest files.
const mostStatuses = 50_000

// The kinds of files that are not statements.
const (
	kindReport  = "pain.002"
	kindReturns = "pacs.004"
)

// reportedStatus is one status of a pain.002, as far as it is used.
type reportedStatus struct {
	number                    int
	level                     pain.Level
	message, block, end, uetr string
	instr, status             string
	meaning                   pain.Meaning
	reason                    Reason
	duplicate                 bool
}

// announcedReturn is one payment of a pacs.004.
type announcedReturn struct {
	number    int
	end, uetr string
	instr     string
	reason    Reason
	amount    iso20022.Amount
}

// mayNameOurs reports whether one of the identifications of a payment has the form of ours.
func mayNameOurs(end, instr, uetr string) bool {
	return mayBeOurs(end) || mayBeOurs(instr) || mayBeOurUETR(uetr) // the InstrId is the EndToEndId
}

// duplicates are the codes with which banks refuse what they believe to have already (ISO 20022 external status reason
// codes). The first one may have been executed, so such a refusal proves nothing (F-07).
const duplicates = " AM05 DUPL DU01 DU02 DU03 DU04 DU05 "

// reasonOf joins the reasons of a status: the first code counts, all texts are kept.
func reasonOf(given []iso20022.ReasonGiven) (why Reason, duplicate bool) {
	var texts []string
	for _, g := range given {
		if why.Code == "" {
			why.Code = g.Code
		}

		duplicate = duplicate || g.Reason == iso20022.ReasonDuplicate || strings.Contains(duplicates, " "+g.Code+" ")
		if g.Info != "" {
			texts = append(texts, strings.Clone(g.Info))
		}
	}

	why.Code = strings.Clone(why.Code)
	why.Text = strings.Join(texts, "; ")

	return why, duplicate
}

// examineReport reads a pain.002 and checks that all of it refers to our payments. What it says about files of another
// program that pays from the same account is counted and left alone.
func (r *Rail) examineReport(ctx context.Context, in io.Reader, limits iso20022.Limits) examined {
	found := examined{kind: kindReport, statuses: []reportedStatus{}}

	found.err = pain.Read002(in, limits, func(s pain.Status) error {
		x := reportedStatus{
			number:  s.Number,
			level:   s.Level,
			message: s.OriginalMsgID,
			block:   s.OriginalPmtInfID,
			end:     s.OriginalEndToEnd,
			uetr:    s.OriginalUETR,
			instr:   s.OriginalInstrID,
			status:  s.Status,
			meaning: s.Meaning,
		}
		for _, text := range []*string{&x.message, &x.block, &x.end, &x.uetr, &x.instr, &x.status} {
			*text = strings.Clone(*text) // a substring would keep the complete file in memory
		}

		x.reason, x.duplicate = reasonOf(s.Reasons)
		found.statuses = append(found.statuses, x)

		return nil
	})
	all := len(found.statuses)
	found.statuses = slices.DeleteFunc(found.statuses, reportedStatus.foreign)
	found.countForeign(all-len(found.statuses), "statuses of payment files")

	if found.err == nil {
		_, found.err = r.verdicts(ctx, r.db, found.statuses)
	}

	return found
}

// foreign reports whether a status is about a payment of another program: nothing that it names has the form of ours.
// The MsgId alone does not show it: a bank may give its own.
func (s reportedStatus) foreign() bool {
	_, _, block := parseBlockID(s.block)
	return s.message != "" && !isMessageID(s.message) && !block && !mayNameOurs(s.end, s.instr, s.uetr)
}

// countForeign remarks how much of a file is about payments of another program.
func (f *examined) countForeign(n int, what string) {
	if n > 0 {
		f.remarks = append(f.remarks, fmt.Sprintf("%d %s that are not ours: left out", n, what))
	}
}

// verdict is what a report states about one payout after all its levels: where it stands, and whose the account is. Each
// is nil if it states nothing of that kind.
type verdict struct {
	payout        payoutRow
	status, payee *reportedStatus
}

// verdicts finds for each payout the lowest level that mentions it: the file, its block, or the payment. Statuses that
// decide nothing by themselves (PART, unknown ones) leave the level above, and so do those about a payee's name, which
// are found on their own. A payment that is not ours makes the complete report unusable.
func (r *Rail) verdicts(ctx context.Context, q db.Querier, all []reportedStatus) ([]verdict, error) {
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

		some, err := verdictsOf(rows, byMessage[m])
		if err != nil {
			return nil, err
		}

		out = append(out, some...)
	}

	return out, nil
}

// verdictsOf returns the verdicts for the payouts of one file.
func verdictsOf(rows []payoutRow, all []reportedStatus) ([]verdict, error) {
	message := ""
	if len(all) > 0 {
		message = all[0].message
	}

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
					if level == pain.GroupLevel || s.block == blockID(message, p.Charges) {
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

// applyReport stores a report and moves payouts, a batch per write. Done counts the payouts, plus one for the statuses
// that are stored first.
func (r *Rail) applyReport(ctx context.Context, row *inboxRow, all []reportedStatus) error {
	for row.State == InboxImporting {
		over := false
		err := r.inboxWrite(ctx, row, func(tx *db.Tx, now *inboxRow) error {
			list, err := r.verdicts(ctx, tx, all)
			if err != nil {
				return err
			}

			if now.Done == 0 {
				storeStatuses(tx, now.ID, all)
				now.Done = 1
			}

			from := min(int(now.Done)-1, len(list))

			to := min(from+payoutsAtOnce, len(list))
			if err := r.applyVerdicts(ctx, tx, now.ID, list[from:to]); err != nil {
				return err
			}

			now.Done = int64(to) + 1
			now.Statuses = int64(to)

			over = to == len(list)
			if !over {
				return nil
			}

			return r.settleBlocks(ctx, tx, messagesOf(all))
		})
		failpoint.Hit("bank.pain002_half")

		if err != nil || over {
			return err
		}
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

// examineReturns reads a pacs.004 and checks that all of it refers to our payouts. Returns of what another program has
// paid from the same account are counted and left alone.
func (r *Rail) examineReturns(ctx context.Context, in io.Reader, limits iso20022.Limits) examined {
	found := examined{kind: kindReturns, returns: []announcedReturn{}}

	found.err = pacs.Read004(in, limits, func(x pacs.Return) error {
		if len(found.returns) >= mostStatuses {
			return &Unusable{CodeTooManySaid, fmt.Sprintf("more than %d returns", mostStatuses)}
		}

		why, _ := reasonOf(x.Reasons)
		found.returns = append(found.returns, announcedReturn{
			number: x.Number,
			end:    strings.Clone(x.OriginalEndToEndID),
			uetr:   strings.Clone(x.OriginalUETR),
			instr:  strings.Clone(x.OriginalInstrID),
			reason: why,
			amount: iso20022.Amount{
				Value:    strings.Clone(x.Returned.Value),
				Currency: strings.Clone(x.Returned.Currency),
			},
		})

		return nil
	})
	if found.err == nil {
		found.err = r.db.Snapshot(ctx, func(q db.Querier) error {
			ours := found.returns[:0]
			for _, x := range found.returns {
				_, err := payoutOf(ctx, q, x)
				if errors.As(err, new(*Unusable)) && x.end != "" && !mayNameOurs(x.end, x.instr, x.uetr) {
					continue
				}

				if err != nil {
					return err
				}

				ours = append(ours, x)
			}

			found.countForeign(len(found.returns)-len(ours), "returns of payments")
			found.returns = ours

			return nil
		})
	}

	return found
}

func payoutOf(ctx context.Context, q db.Querier, x announcedReturn) (payoutRow, error) {
	column := "end_to_end_id"

	value := x.end
	if !mayBeOurs(x.end) {
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

// applyReturns stores announced returns. The money is back only with the booked credit (Observer.Returned). The reason
// is taken from here if the entry has none.
func (r *Rail) applyReturns(ctx context.Context, row *inboxRow, all []announcedReturn) error {
	if row.Done > 0 {
		return nil // all were stored in one write before a crash
	}

	return r.inboxWrite(ctx, row, func(tx *db.Tx, now *inboxRow) error {
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
				now.ID,
				int64(x.number),
				p.ID,
				x.reason.Code,
				x.reason.Text,
				units,
				db.Micros(tx.Now),
			)
		}

		now.Done = int64(len(all))
		now.Statuses = int64(len(all))

		return nil
	})
}
