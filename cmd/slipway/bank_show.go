package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"slipway/internal/app"
	"slipway/internal/app/cli"
	"slipway/internal/rails/bank"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/iso20022/pacs"
	"slipway/internal/standards/iso20022/pain"
	"slipway/internal/standards/swiftmt"
)

type bankShowCommand struct {
	File string `arg:"" help:"Name, identifier or message identifier of a file, ours or the bank's."`
	Raw  bool   `help:"Print its bytes instead of a summary."`
	Max  int    `help:"How many entries of the bank's files are shown." default:"50"`
}

// Run finds the file among ours, then among the bank's.
func (c bankShowCommand) Run(ctx context.Context, g *globals) error {
	return g.withBank(ctx, func(a *app.App) error {
		if f, found, err := ourFile(ctx, a, c.File); err != nil || found {
			if err == nil {
				err = c.ours(ctx, g, a, f)
			}

			return err
		}

		f, found, err := theirFile(ctx, a, c.File)
		if err != nil {
			return err
		}

		if !found {
			return fmt.Errorf("there is no file %s; slipway bank files and slipway bank files --in list them", c.File)
		}

		return c.theirs(ctx, g, a, f)
	})
}

// page is the number of files that are read at once in search of one.
const page = 1_000

func ourFile(ctx context.Context, a *app.App, name string) (bank.File, bool, error) {
	for before := ""; ; {
		list, err := a.Bank.Files(ctx, a.DB, "", before, page)
		if err != nil || len(list) == 0 {
			return bank.File{}, false, err
		}

		for _, f := range list {
			if name == f.ID || name == f.Name || name == f.MessageID {
				return f, true, nil
			}
		}

		before = list[len(list)-1].ID
	}
}

func theirFile(ctx context.Context, a *app.App, name string) (bank.InboxFile, bool, error) {
	for before := ""; ; {
		list, err := a.Bank.Inbox(ctx, a.DB, "", before, page)
		if err != nil || len(list) == 0 {
			return bank.InboxFile{}, false, err
		}

		for _, f := range list {
			if name == f.ID || name == f.Name || name == f.Hash {
				return f, true, nil
			}
		}

		before = list[len(list)-1].ID
	}
}

func (c bankShowCommand) ours(ctx context.Context, g *globals, a *app.App, f bank.File) error {
	_, raw, err := a.Bank.File(ctx, a.DB, f.ID)
	if err != nil {
		return err
	}

	if c.Raw {
		if raw == nil {
			return fmt.Errorf("%s has no bytes yet: the service writes them", f.Name)
		}

		_, err := g.out.Write(raw)

		return err
	}

	fmt.Fprintf(g.out, "%s  %s  message %s\n", f.Name, f.State, f.MessageID)
	fmt.Fprintf(g.out, "from account %s by %s, to be executed on %s\n", f.House, f.Rail, f.ExecuteOn)
	fmt.Fprintf(g.out, "%d payments, sum %s; ", f.Payouts, f.ControlSum)
	fmt.Fprintf(g.out, "%d bytes, SHA-256 %s\n", f.Size, cmp.Or(f.SHA256, "-"))

	if f.Reason != "" {
		fmt.Fprintln(g.out, f.Reason)
	}

	if !f.ArrivedAt.IsZero() {
		fmt.Fprintf(g.out, "at the bank since %s\n", f.ArrivedAt.Format(clockLayout))
	}

	fmt.Fprintln(g.out)

	list, err := a.Bank.Payouts(ctx, a.DB, bank.PayoutFilter{File: f.ID})
	if err != nil {
		return err
	}

	var rows [][]string
	for _, p := range list {
		rows = append(rows, []string{
			p.EndToEndID,
			p.Object,
			p.Amount.String() + " " + p.Currency,
			p.Creditor.Name,
			accountOf(p.Account),
			p.Charges,
			string(p.State),
			reasonOf(p),
		})
	}

	err = columns(g.out, "endToEndId\ttransaction\tamount\tto\taccount\tcharges\tstate\treason", rows)
	if err != nil {
		return err
	}

	return left(g.out, f.Payouts-len(list), "--raw prints the file with all of them")
}

// accountOf returns the number of the account that a payout goes to.
func accountOf(a bank.AccountIDs) string {
	bankCode := cmp.Or(a.SortCode, a.RoutingNumber, a.IFSC, a.BIC)
	if a.IBAN != "" {
		return a.IBAN
	}

	return strings.TrimSpace(bankCode + " " + a.AccountNumber)
}

func reasonOf(p bank.PayoutStatus) string {
	return strings.TrimSpace(strings.Join([]string{p.Reason.Code, p.Reason.Text, p.Conflict}, " "))
}

func (c bankShowCommand) theirs(ctx context.Context, g *globals, a *app.App, f bank.InboxFile) (err error) {
	if c.Raw {
		r, err := a.Bank.Archived(ctx, f.ID)
		if err != nil {
			return err
		}

		_, err = io.Copy(g.out, r)

		return errors.Join(err, r.Close())
	}

	fmt.Fprintf(g.out, "%s  %s  %s  %s\n", f.ID, f.Name, cmp.Or(f.Kind, "message unknown"), f.State)
	fmt.Fprintf(g.out, "received %s; %d bytes, SHA-256 %s\n", f.CreatedAt.Format(clockLayout), f.Size, f.Hash)

	const counts = "%d entries, %d of them new, %d belong to payouts; %d statuses\n"
	fmt.Fprintf(g.out, counts, f.Entries, f.New, f.Matched, f.Statuses)

	if f.Code+f.Reason != "" {
		fmt.Fprintln(g.out, strings.TrimSpace(f.Code+" "+f.Reason))
	}

	if f.Remark != "" {
		fmt.Fprintln(g.out, f.Remark)
	}

	if f.State == bank.InboxQuarantined {
		return nil // it is not looked into again
	}

	r, err := a.Bank.Archived(ctx, f.ID)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, r.Close()) }()
	fmt.Fprintln(g.out)

	return contents(g.out, f.Kind, r, a.Bank.Charset, c.Max)
}

// contents prints a message of a bank: its first entries, statuses or returns.
func contents(out io.Writer, kind string, in io.Reader, charset swiftmt.Charset, most int) error {
	l := &listing{most: most}

	var err error
	switch {
	case strings.HasPrefix(kind, "camt."), kind == swiftmt.MT940, kind == swiftmt.MT942:
		l.head = "booked\tamount\tstatus\tbank's reference\tendToEndId\tother side\ttext"
		err = bank.ReadStatements(bufio.NewReader(in), iso20022.Limits{}, charset, l)
	case kind == "pain.002":
		l.head = "level\tsays\tfile\tendToEndId\treason"
		err = pain.Read002(in, iso20022.Limits{}, l.status)
	case kind == "pacs.004":
		l.head = "endToEndId\tamount\treason"
		err = pacs.Read004(in, iso20022.Limits{}, l.returned)
	default:
		return nil
	}

	if err != nil {
		return err
	}

	for _, s := range l.above {
		fmt.Fprintln(out, cli.Plain(s))
	}

	if err := columns(out, l.head, l.rows); err != nil {
		return err
	}

	return left(out, l.more, "--max shows them")
}

// listing collects the first rows of a message and counts the rest.
type listing struct {
	head  string
	above []string
	rows  [][]string
	most  int
	more  int
}

func (l *listing) add(row ...string) {
	if len(l.rows) >= l.most {
		l.more++
		return
	}

	l.rows = append(l.rows, row)
}

// Statement notes an account with its balances.
func (l *listing) Statement(h camt.Header) error {
	line := fmt.Sprintf("statement %s of %s", cmp.Or(h.ID, "-"), h.Account.ID())
	if h.Kind == camt.Notification {
		line = "advice to " + h.Account.ID()
	}

	for _, b := range h.Balances {
		line += fmt.Sprintf(", %s %s%s %s", b.Type, sign(b.Credit), b.Amount.Value, b.Amount.Currency)
	}

	l.above = append(l.above, line)

	return nil
}

// Entry notes an entry, by its first detail.
func (l *listing) Entry(e camt.Entry) error {
	d := camt.Detail{}
	if len(e.Details) > 0 {
		d = e.Details[0]
	}

	other := d.Creditor.Name
	if e.Credit {
		other = d.Debtor.Name
	}

	status := string(e.Status)
	if e.Reversal {
		status += " reversal"
	}

	if d.Return != nil {
		status += " return " + d.Return.Code
	}

	if len(e.Details) > 1 {
		other = fmt.Sprintf("%d transactions", len(e.Details))
	}

	l.add(
		e.BookingDate,
		sign(e.Credit)+e.Amount.Value+" "+e.Amount.Currency,
		status,
		e.AcctSvcrRef,
		d.EndToEndID,
		other,
		strings.Join(append(d.Remittance, d.StructuredRefs...), " "),
	)

	return nil
}

// End has nothing to note.
func (l *listing) End(camt.Totals) error { return nil }

func (l *listing) status(s pain.Status) error {
	l.add(strings.ToLower(string(s.Level)), s.Status, s.OriginalMsgID, s.OriginalEndToEnd, reasons(s.Reasons))
	return nil
}

func (l *listing) returned(r pacs.Return) error {
	l.add(r.OriginalEndToEndID, r.Returned.Value+" "+r.Returned.Currency, reasons(r.Reasons))
	return nil
}

func reasons(given []iso20022.ReasonGiven) string {
	var out []string
	for _, r := range given {
		out = append(out, strings.TrimSpace(r.Code+" "+r.Info))
	}

	return strings.Join(out, "; ")
}

func sign(credit bool) string {
	if credit {
		return "+"
	}

	return "-"
}
