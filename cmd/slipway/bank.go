package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"slipway/internal/app"
	"slipway/internal/app/cli"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/reconcile"
	"slipway/internal/platform/db"
	"slipway/internal/rails/bank"
)

type bankCommand struct {
	Files      bankFilesCommand      `cmd:"" help:"List our payment files, or with --in the bank's files."`
	Show       bankShowCommand       `cmd:"" help:"Print a file: a summary, or its bytes."`
	Import     bankImportCommand     `cmd:"" help:"Import a bank's statements and reports: files, or folders of them. Safe to repeat."`
	Held       bankHeldCommand       `cmd:"" help:"List what waits for people: payouts on hold, and files and entries that could not be booked."`
	Resolve    bankResolveCommand    `cmd:"" help:"End a hold by the decision of two operators, who prove who they are."`
	EBICS      bankEbicsCommand      `cmd:"" name:"ebics" help:"Set up and look after the contract at the bank's EBICS server."`
	Suspense   bankSuspenseCommand   `cmd:"" help:"List deposits that match no transaction."`
	Settle     bankSettleCommand     `cmd:"" help:"Decide about a deposit in suspense. You prove who you are; the decision of a second operator carries it out."`
	Owed       bankOwedCommand       `cmd:"" help:"List what organisations owe for deposits that were taken back."`
	SettleOwed bankSettleOwedCommand `cmd:"" name:"settle-owed" help:"Write off or set off what an organisation owes, by the decision of two operators, who prove who they are."`
}

// withBank is tool for commands about banks. It returns an error if the configuration has no accounts at banks.
func (g *globals) withBank(ctx context.Context, do func(a *app.App) error) error {
	return g.tool(ctx, func(a *app.App) error {
		if a.Bank == nil {
			return errors.New("this configuration has no accounts at banks")
		}

		return do(a)
	})
}

// columns prints rows under a head, in columns.
func columns(out io.Writer, head string, rows [][]string) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, head)

	for _, r := range rows {
		clean := make([]string, len(r))
		for i, cell := range r {
			clean[i] = cli.Plain(cell)
		}

		fmt.Fprintln(w, strings.Join(clean, "\t"))
	}

	return w.Flush()
}

// left prints how many rows a list has left out, if any, and how they are seen.
func left(out io.Writer, n int, how string) error {
	if n <= 0 {
		return nil
	}

	_, err := fmt.Fprintf(out, "… and %d more: %s\n", n, how)

	return err
}

// mostRows is how many rows of a list a command prints at most.
const mostRows = 10_000

// rowLimit is a flag that limits the rows of a list: 1 to mostRows.
type rowLimit int

// Validate refuses other numbers. It is called when the command line is read.
func (n rowLimit) Validate() error {
	if n < 1 || n > mostRows {
		return fmt.Errorf("%d rows: 1 to %d can be listed", n, mostRows)
	}

	return nil
}

// cut returns the first rows of a list that was read one row beyond its limit. more prints that others were left out.
func cut[T any](list []T, limit int) (first []T, more func(out io.Writer) error) {
	if len(list) <= limit {
		return list, func(io.Writer) error { return nil }
	}

	return list[:limit], func(out io.Writer) error {
		_, err := fmt.Fprintln(out, "… and more: --limit lists them")
		return err
	}
}

const clockLayout = "2006-01-02 15:04:05"

type bankFilesCommand struct {
	In    bool     `help:"List the bank's files instead of ours."`
	State string   `help:"Only files in this state, such as HELD, QUARANTINED or WAITING."`
	Limit rowLimit `help:"How many, the newest first." default:"50"`
}

// Run lists files.
func (c bankFilesCommand) Run(ctx context.Context, g *globals) error {
	return g.withBank(ctx, func(a *app.App) error {
		if c.In {
			return c.incoming(ctx, g, a)
		}

		list, err := a.Bank.Files(ctx, a.DB, bank.FileState(c.State), "", int(c.Limit)+1)
		if err != nil {
			return err
		}

		list, more := cut(list, int(c.Limit))

		var rows [][]string
		for _, f := range list {
			rows = append(rows, []string{
				f.CreatedAt.Format(clockLayout),
				f.Name,
				f.House,
				f.Rail,
				fmt.Sprint(f.Payouts),
				f.ControlSum,
				f.ExecuteOn,
				string(f.State),
				f.Reason,
			})
		}

		err = columns(g.out, "written\tname\taccount\trail\tpayments\tsum\tto be executed\tstate\treason", rows)

		return errors.Join(err, more(g.out))
	})
}

func (c bankFilesCommand) incoming(ctx context.Context, g *globals, a *app.App) error {
	list, err := a.Bank.Inbox(ctx, a.DB, bank.InboxState(c.State), "", int(c.Limit)+1)
	if err != nil {
		return err
	}

	list, more := cut(list, int(c.Limit))

	var rows [][]string
	for _, f := range list {
		rows = append(rows, []string{
			f.CreatedAt.Format(clockLayout),
			f.ID,
			f.Name,
			cmp.Or(f.Kind, "?"),
			fmt.Sprint(f.Entries),
			fmt.Sprint(f.New),
			fmt.Sprint(f.Matched),
			string(f.State),
			cmp.Or(f.Reason, f.Remark),
		})
	}

	err = columns(g.out, "received\tid\tname\tmessage\tentries\tnew\tof payouts\tstate\treason", rows)

	return errors.Join(err, more(g.out))
}

type bankHeldCommand struct{}

// mostOwed is how many receivables stand among what waits for people.
const mostOwed = 200

// Run prints alerts, and what ends each. Of a kind of which there are too many it prints how many are left.
func (bankHeldCommand) Run(ctx context.Context, g *globals) error {
	return g.withBank(ctx, func(a *app.App) error {
		list, err := a.Bank.Attention(ctx, a.DB)
		if err != nil {
			return err
		}

		owing, total, err := owed(ctx, a, mostOwed)
		if err != nil {
			return err
		}

		if len(list)+len(owing) == 0 {
			_, err := fmt.Fprintln(g.out, "nothing waits for people")
			return err
		}

		var rows [][]string
		for _, x := range list {
			rows = append(rows, []string{x.Since.Format(clockLayout), x.Kind, x.Subject, x.Text, endOf(x.Kind)})
		}

		for _, r := range owing {
			rows = append(rows, []string{
				r.CreatedAt.Format(clockLayout),
				"OWED",
				r.ID,
				r.Organisation + " owes " + r.Owed.String() + " " + r.Owed.Asset().Code,
				"a deposit with the reference " + r.Reference + ", bank settle --owed, or bank settle-owed",
			})
		}

		if err := columns(g.out, "since\twhat\tsubject\twhy\tended by", rows); err != nil {
			return err
		}

		counts, err := a.Bank.Alerts(ctx, a.DB)
		if err != nil {
			return err
		}

		for _, x := range list {
			counts[x.Kind]--
		}

		for _, kind := range slices.Sorted(maps.Keys(counts)) {
			if err := left(g.out, counts[kind], kind+", listed when some of these have ended"); err != nil {
				return err
			}
		}

		return left(g.out, total-len(owing), "OWED, listed by bank owed --limit")
	})
}

// endOf returns how a person ends an alert of a kind.
func endOf(kind string) string {
	switch kind {
	case bank.AlertHeld:
		return "bank resolve SUBJECT arrived|send-again|plan-again|reject"
	case bank.AlertWaiting:
		return "bank import of what is missing, or bank resolve SUBJECT book|drop"
	case bank.AlertUnbalanced:
		return "the next statement or what is missing, or bank resolve SUBJECT book once the bank has explained it"
	case bank.AlertLate:
		return "itself; bank show --in has what the bank told"
	case bank.AlertUnknown:
		return "bank resolve SUBJECT drop, when its transaction is accounted for"
	case bank.AlertDoubt:
		return "bank resolve SUBJECT book|drop"
	case bank.AlertCorrection:
		return "bank resolve SUBJECT correct|drop"
	case bank.AlertPayee:
		return "your decision at the bank, in its portal or with a signature"
	}

	return "asking the bank"
}

type bankResolveCommand struct {
	Subject string `arg:"" help:"What is on hold: the subject that bank held shows."`
	Action  string `arg:"" enum:"arrived,send-again,plan-again,reject,book,drop,correct" help:"arrived: the bank has the file; send-again: it does not, the stored bytes are sent once more; plan-again: the payout was in no file that left; reject: it was not and will not be executed; book and drop: of files and entries that wait; correct: the payee's account becomes what the bank says is right, and drop leaves it."`
	Note    string `required:"" help:"Why. It is recorded."`
}

// Run has two operators decide about whatever the subject is.
func (c bankResolveCommand) Run(ctx context.Context, g *globals) error {
	return g.withBank(ctx, func(a *app.App) error {
		action := bank.Action(strings.ToUpper(strings.ReplaceAll(c.Action, "-", "_")))
		purpose := "bank resolve " + c.Subject + " " + string(action)

		return g.byTwo(ctx, a, purpose, func(ctx context.Context, done approval.Done) error {
			return a.AskHold(ctx, c.Subject, action, c.Note, done)
		})
	})
}

type bankSuspenseCommand struct {
	Held  bool     `help:"Also list deposits that stay in suspense by decision."`
	Limit rowLimit `help:"How many, the oldest first." default:"100"`
}

// Run lists deposits in suspense.
func (c bankSuspenseCommand) Run(ctx context.Context, g *globals) error {
	return g.withBank(ctx, func(a *app.App) error {
		list, err := reconcile.Suspense(ctx, a.DB, "", c.Held, int(c.Limit)+1)
		if err != nil {
			return err
		}

		list, more := cut(list, int(c.Limit))

		if len(list) == 0 {
			_, err := fmt.Fprintln(g.out, "the suspense account is empty")
			return err
		}

		var rows [][]string
		for _, d := range list {
			proposal := ""
			if p := d.Proposal; p.Approval != "" {
				proposal = strings.TrimSpace(string(p.Action) + " " + p.Subject() + " " + p.Approval)
			}

			rows = append(rows, []string{
				d.BookedAt.Format("2006-01-02"),
				d.Entry,
				d.House,
				d.Amount.String() + " " + d.Amount.Asset().Code,
				d.SenderName,
				strings.Join(d.Texts, " | "),
				string(d.State),
				strings.TrimSpace(string(d.Reason) + " " + d.Claim.Payout),
				proposal,
			})
		}

		err = columns(g.out, "booked\tentry\taccount\tamount\tfrom\ttext\tstate\twhy\tproposed", rows)

		return errors.Join(err, more(g.out))
	})
}

type bankSettleCommand struct {
	Entry  string `arg:"" help:"The deposit's entry, as bank suspense shows it."`
	Assign string `help:"Identifier of the ONRAMP transaction that it pays, alone or with others." placeholder:"TRANSACTION" xor:"what" required:""`
	Refund bool   `help:"Send it back to the account that it came from." xor:"what" required:""`
	Return bool   `help:"It is the return of a payment of ours, or a part of one: give its worth back." xor:"what" required:""`
	Of     string `help:"With --return: key of the payout that it returns, as bank show prints it for a file; without it the one that the deposit names." placeholder:"PAYOUT"`
	Owed   string `help:"It pays what an organisation owes, or a part of it: the identifier that bank owed shows." placeholder:"RECEIVABLE" xor:"what" required:""`
	Hold   bool   `help:"Leave it in suspense, as looked at." xor:"what" required:""`
	Note   string `help:"Why. It is recorded."`
}

// Run takes an operator's decision.
func (c bankSettleCommand) Run(ctx context.Context, g *globals) error {
	return g.withBank(ctx, func(a *app.App) error {
		want := reconcile.Decision{Action: reconcile.ActionHold, Note: c.Note}
		switch {
		case c.Assign != "":
			want.Action = reconcile.ActionAssign
			want.Transaction = c.Assign
		case c.Owed != "":
			want.Action = reconcile.ActionSettle
			want.Receivable = c.Owed
		case c.Refund:
			want.Action = reconcile.ActionRefund
		case c.Return:
			want.Action = reconcile.ActionReturn
			want.Payout = c.Of
		}

		purpose := "bank settle " + c.Entry + " " + string(want.Action)

		return g.byTwo(ctx, a, purpose, func(ctx context.Context, done approval.Done) error {
			proposed := func(tx *db.Tx, _ reconcile.Deposit, approvalID string) error {
				ap, err := approval.ByID(ctx, tx, "", approvalID)
				if err != nil {
					return err
				}

				return done(tx, ap)
			}

			return a.Settlement.Deposits.Settle(ctx, c.Entry, want, proposed)
		})
	})
}

// filesUnder returns the file that an argument names, or the files of a folder in the order of their names. Files that
// are still being written are left out.
func filesUnder(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}

	if !info.IsDir() {
		return []string{path}, nil
	}

	list, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}

	var out []string
	for _, e := range list {
		name := e.Name()
		if e.Type().IsRegular() && !strings.HasPrefix(name, ".") && !strings.HasSuffix(name, ".tmp") &&
			!strings.HasSuffix(name, ".part") {
			out = append(out, filepath.Join(path, name))
		}
	}

	return out, nil
}
