package bank

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"slipway/internal/platform/db"
	"slipway/internal/rails/bank/format"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/pain"
)

// mostStatuses limits the statuses, or the returns, of a report: all payouts of five of our largest files.
const mostStatuses = 50_000

// mostNotices limits the notices about accounts and returns in a report. One in some hundred payments has one.
const mostNotices = 1000

// reportKinds returns the kinds of files that are not statements.
func reportKinds() []string {
	var out []string
	for _, r := range reporters() {
		out = append(out, r.Kind())
	}

	return out
}

// reported is what a report says of payments of ours.
type reported struct {
	statuses []reportedStatus
	returns  []announcedReturn
	changes  []format.Change
	disputes []format.Dispute
}

// reportedStatus is one status, as far as it is used.
type reportedStatus struct {
	number                    int
	level                     pain.Level
	message, block, end, uetr string
	instr, status             string
	meaning                   pain.Meaning
	reason                    Reason
	duplicate                 bool
	vague                     bool // nobody tells whether it was refused as a copy
}

// announcedReturn is one payment that is announced to come back.
type announcedReturn struct {
	number    int
	end, uetr string
	instr     string
	reason    Reason
	amount    iso20022.Amount
}

// mayNameOurs reports whether one of the identifications of a payment has the form of ours.
func mayNameOurs(end, instr, uetr string) bool {
	return mayBeIdentity(end) || mayBeIdentity(instr) || mayBeOurUETR(uetr) // the InstrId is the EndToEndId
}

// examineReport reads a report and checks that all of it refers to our payments. What it says about payments of another
// program that pays from the same account is counted and left alone.
func (r *Rail) examineReport(
	ctx context.Context,
	reporter format.Reporter,
	in io.Reader,
	limits iso20022.Limits,
) examined {
	found := examined{kind: reporter.Kind(), report: &reported{}}

	given, err := reporter.Read(in, limits)
	if err != nil {
		found.err = tooMany(err)
		return found
	}

	found.remarks = append(found.remarks, given.Remarks...)

	found.err = r.db.Snapshot(ctx, func(q db.Querier) error {
		if err := r.ourStatuses(ctx, q, &found, given.Statuses); err != nil {
			return err
		}

		if err := r.ourReturns(ctx, q, &found, given.Returns); err != nil {
			return err
		}

		return r.ourChanges(ctx, q, &found, given)
	})

	return found
}

// tooMany returns the refusal of a report that is larger than any about our payments.
func tooMany(err error) error {
	var refused *iso20022.Error
	if errors.As(err, &refused) && refused.Code == iso20022.CodeTooMany {
		return &Unusable{CodeTooManySaid, refused.Detail}
	}

	return err
}

// ourStatuses takes the statuses of our payments over.
func (r *Rail) ourStatuses(ctx context.Context, q db.Querier, found *examined, given []format.Status) error {
	all := make([]reportedStatus, len(given))
	for i, s := range given {
		all[i] = reportedStatus{
			number:    s.Number,
			level:     s.Level,
			message:   s.Message,
			block:     s.Block,
			end:       s.Identity,
			uetr:      s.UETR,
			instr:     s.InstrID,
			status:    s.Status,
			meaning:   s.Meaning,
			reason:    Reason{Code: s.ReasonCode, Text: s.Text},
			duplicate: s.Duplicate,
			vague:     s.Vague,
		}
	}

	found.report.statuses = slices.DeleteFunc(all, reportedStatus.foreign)
	found.countForeign(len(given)-len(found.report.statuses), "statuses of payment files")

	_, err := r.verdicts(ctx, q, found.report.statuses)

	return err
}

// foreign reports whether a status is about a payment of another program: nothing that it names has the form of ours.
// The identification of the file alone does not show it: a bank may give its own.
func (s reportedStatus) foreign() bool {
	_, block := messageOfBlock(s.block)
	named := s.message != "" || s.end != ""

	return named && !isMessageID(s.message) && !block && !mayNameOurs(s.end, s.instr, s.uetr)
}

// countForeign remarks how much of a file is about payments of another program.
func (f *examined) countForeign(n int, what string) {
	if n > 0 {
		f.remarks = append(f.remarks, fmt.Sprintf("%d %s that are not ours: left out", n, what))
	}
}

// ourReturns takes the returns of our payments over. Returns of what another program has paid from the same account are
// counted and left alone.
func (r *Rail) ourReturns(ctx context.Context, q db.Querier, found *examined, given []format.Return) error {
	for _, g := range given {
		x := announcedReturn{
			number: g.Number,
			end:    g.Identity,
			uetr:   g.UETR,
			instr:  g.InstrID,
			reason: Reason{Code: g.ReasonCode, Text: g.Text},
			amount: g.Amount,
		}

		_, err := payoutOf(ctx, q, x)
		if errors.As(err, new(*Unusable)) && x.end != "" && !mayNameOurs(x.end, x.instr, x.uetr) {
			continue
		}

		if err != nil {
			return err
		}

		found.report.returns = append(found.report.returns, x)
	}

	found.countForeign(len(given)-len(found.report.returns), "returns of payments")

	return nil
}

// ourChanges takes over what is said about the accounts of our payees, and about returns of our payments.
func (r *Rail) ourChanges(ctx context.Context, q db.Querier, found *examined, given format.Report) error {
	if len(given.Changes)+len(given.Disputes) > mostNotices {
		return &Unusable{CodeTooManySaid, fmt.Sprintf("more than %d notices about accounts", mostNotices)}
	}

	foreign := 0

	ours := func(identity string) (bool, error) {
		_, err := payoutOf(ctx, q, announcedReturn{end: identity})
		if errors.As(err, new(*Unusable)) && !mayBeIdentity(identity) {
			foreign++
			return false, nil
		}

		return err == nil, err
	}

	for _, c := range given.Changes {
		ok, err := ours(c.Identity)
		if err != nil {
			return err
		}

		if ok {
			found.report.changes = append(found.report.changes, c)
		}
	}

	for _, d := range given.Disputes {
		ok, err := ours(d.Identity)
		if err != nil {
			return err
		}

		if ok {
			found.report.disputes = append(found.report.disputes, d)
		}
	}

	found.countForeign(foreign, "notices about payments")

	return nil
}
