package bank

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"slipway/internal/core/id"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/standards/iso20022"
)

// Outcome is the result of importing a file.
type Outcome string

// The outcomes.
const (
	Imported    Outcome = "IMPORTED"    // booked, apart from what Remark says was left out
	Repeated    Outcome = "REPEATED"    // the same bytes were imported before; nothing is new
	Quarantined Outcome = "QUARANTINED" // nothing of it was used; Reason states why
	// booked, but what is booked for its account does not match its balances; Reason states the difference
	Unbalanced Outcome = "UNBALANCED"
	// nothing of it is booked until a missing statement arrives or a person decides
	Waiting Outcome = "WAITING"
)

// Report is the result of Import.
type Report struct {
	File     string // its id
	Hash     string // SHA-256 of its bytes, hexadecimal
	Kind     string // "camt.053", "MT940", "BAI2", "pain.002" …; "" if unknown
	Outcome  Outcome
	Code     string // of QUARANTINED, WAITING and UNBALANCED
	Reason   string // the same in a sentence; of the file it contains only names of elements and accounts
	Remark   string // what people should know about a file that is used all the same
	Entries  int    // statement entries in it, of all statuses
	New      int    // entries that no earlier file contained
	Matched  int    // movements that belong to our payouts
	Statuses int    // payouts in a status report, or returns in a pacs.004

	// Files has the reports of the files in a ZIP that was unpacked. The counts above are their sums; the identifier
	// and the outcome are those of the file that needs people most.
	Files []Report
}

// Unusable is the reason why a readable file cannot be used.
type Unusable struct{ Code, Detail string }

// Error returns the sentence.
func (u *Unusable) Error() string { return u.Detail }

// Import imports one file from the bank: camt.052, camt.053, camt.054, MT940, MT942, BAI2, pain.002 or pacs.004,
// whatever its name. The file is booked completely or not at all. Only what is not ours is left out of it: statements
// of accounts that are not set up, and reports of payments of another program. Of a ZIP, each file is imported as if it
// had come alone, and the report is about all of them.
//
// Import is safe to repeat: after a crash it resumes, and what was left out is booked once its account is set up.
// progress may be nil; it receives the bytes read and the entries done. An error concerns the source, the disk or the
// database; a bad file is no error but a Report.
//
// It reads a file twice, in memory that does not grow with the file: once from the source into the archive, to check
// that all of it can be used, and once from the archive, to book it a batch of entries at a time. A ZIP is held in
// memory as it is packed.
func (r *Rail) Import(
	ctx context.Context,
	name string,
	content io.Reader,
	progress func(read int64, entries int),
) (Report, error) {
	return r.ImportNamed(ctx, func() string { return name }, content, progress)
}

// ImportNamed is Import of a file whose name is known once its content was read.
func (r *Rail) ImportNamed(
	ctx context.Context,
	named func() string,
	content io.Reader,
	progress func(read int64, entries int),
) (Report, error) {
	if progress == nil {
		progress = func(int64, int) {}
	}

	in := bufio.NewReader(content)
	if isZIP(in) {
		return r.importZIP(ctx, named, in, progress)
	}

	return r.importPlain(ctx, named, in, progress)
}

// importPlain imports a file that is no archive.
func (r *Rail) importPlain(
	ctx context.Context,
	named func() string,
	content io.Reader,
	progress func(read int64, entries int),
) (Report, error) {
	return r.keep(ctx, named, content, progress, r.examine)
}

// keep puts a file into the archive while examine reads it, and books it if that finds nothing against it.
func (r *Rail) keep(
	ctx context.Context,
	named func() string,
	content io.Reader,
	progress func(read int64, entries int),
	examine func(ctx context.Context, s *spool) examined,
) (Report, error) {
	s, err := newSpool(r.db.Keyring(), r.c.Archive, content, r.c.MaxFile)
	if err != nil {
		return Report{}, fmt.Errorf("archive of bank files: %w", err)
	}
	defer s.discard()

	found := examine(ctx, s)
	name := named()

	if failed := sourceError(found.err); failed != nil {
		return Report{}, fmt.Errorf("read %s: %w", name, failed)
	}

	if err := s.commit(); err != nil {
		return Report{}, fmt.Errorf("keep %s: %w", name, err)
	}

	failpoint.Hit("bank.file_kept")

	return r.record(ctx, name, s, found, progress)
}

// sourceError returns an error of the source or the disk. It returns nil for a refusal of the content.
func sourceError(err error) error {
	var unusable *Unusable
	if err == nil || errors.As(err, &unusable) || iso20022.IsRefusal(err) {
		return nil
	}

	return err
}

// record inserts the row of an archived file, and books the file if possible.
func (r *Rail) record(
	ctx context.Context,
	name string,
	s *spool,
	found examined,
	progress func(int64, int),
) (Report, error) {
	row, fresh, err := r.enter(ctx, name, s, found)
	if err != nil {
		return Report{}, fmt.Errorf("record %s: %w", name, err)
	}

	if row.State == InboxImporting {
		if row, err = r.book(ctx, row, found, progress); err != nil {
			return Report{}, fmt.Errorf("book %s: %w", name, err)
		}

		fresh = true

		if err := r.retryWaiting(ctx); err != nil {
			return Report{}, err
		}
	}

	return row.report(fresh), nil
}

// report returns the row as a Report; fresh is whether this call changed something.
func (f inboxRow) report(fresh bool) Report {
	out := Report{
		File:     f.ID,
		Hash:     f.Hash,
		Kind:     f.Kind,
		Code:     f.ReasonCode,
		Reason:   f.Reason,
		Remark:   f.Remark,
		Entries:  int(f.Entries),
		New:      int(f.Fresh),
		Matched:  int(f.Matched),
		Statuses: int(f.Statuses),
	}
	switch f.State {
	case InboxImported:
		if out.Outcome = Repeated; fresh {
			out.Outcome = Imported
		}

	case InboxWaiting:
		out.Outcome = Waiting
	case InboxUnbalanced:
		out.Outcome = Unbalanced
	default:
		out.Outcome = Quarantined
	}

	return out
}

// enter inserts the file's row, or reads the existing one. A file that was refused or waits is judged again: an account
// may have been added, a statement may have arrived. Of a booked file, what was left out is judged. IMPORTING is
// written together with the statements' rows, so that the next file is checked against them.
func (r *Rail) enter(ctx context.Context, name string, s *spool, found examined) (row inboxRow, fresh bool, err error) {
	judged := false

	err = r.db.Write(ctx, func(tx *db.Tx) error {
		row, fresh, err = inboxRowOf(ctx, tx, name, s, found)
		if err != nil || row.State == InboxImporting || row.State == InboxDropped {
			return err
		}

		stored, err := statementsOf(ctx, tx, row.ID)
		if err != nil {
			return fmt.Errorf("statements: %w", err)
		}

		was := row
		rest := found.rest(stored)
		judged = false

		if row.State == InboxImported || row.State == InboxUnbalanced {
			if rest.err == nil && len(rest.statements) == 0 {
				return nil
			}

			if rest.err != nil {
				row.Remark = oneLine(fmt.Errorf("it is booked; read again, it cannot be used: %w", rest.err))
				noteInbox(tx, was, row)

				return nil
			}
		}

		if err := judge(ctx, tx, &row, rest); err != nil {
			return err
		}

		if row.ReasonCode == CodeUnknownOrder {
			if err := r.strangeReports(ctx, tx, found); err != nil {
				return err
			}
		}

		judged = fresh || row.State != was.State

		if s.truncated {
			row.Reason += "; only its beginning is stored"
		}

		if fresh {
			addInbox(tx, row)
		} else {
			noteInbox(tx, was, row)
		}

		if row.State == InboxImporting {
			addStatements(tx, row.ID, stored, rest.statements)
		}

		return nil
	})
	if err == nil && judged {
		r.logJudged(row)
	}

	return row, fresh, err
}

// inboxRowOf reads the row of a file, or returns a new one and true.
func inboxRowOf(ctx context.Context, tx *db.Tx, name string, s *spool, found examined) (inboxRow, bool, error) {
	row, err := inboxByHash(ctx, tx, s.hash)
	if !errors.Is(err, db.ErrNone) {
		return row, false, err
	}

	row = inboxRow{
		ID:      id.New(inboxPrefix, tx.Now),
		Hash:    s.hash,
		Name:    shortName(name),
		Kind:    found.kind,
		Size:    s.size,
		Created: db.Micros(tx.Now),
	}

	return row, true, nil
}

// logJudged logs a file that is not booked, and what people should know about one that is.
func (r *Rail) logJudged(row inboxRow) {
	attrs := []any{"file", row.ID, "name", row.Name, "code", row.ReasonCode, "reason", row.Reason, "remark", row.Remark}

	switch {
	case row.State == InboxQuarantined:
		r.log.Warn("bank file quarantined", attrs...)
	case row.State == InboxWaiting:
		r.log.Error("bank statement waits: nothing of it is booked", attrs...)
	case row.Remark != "":
		r.log.Warn("bank file used with a remark", attrs...)
	}
}

// addStatements stores statements of a file, which are booked next: they are younger than those that are stored.
func addStatements(tx *db.Tx, fileID string, stored, statements []statementRow) {
	created := max(db.Micros(tx.Now), newest(stored)+1)

	for _, s := range statements {
		s.ID = id.New(statementPrefix, tx.Now)
		s.FileID = fileID
		s.Created = created
		addStatement(tx, s)
	}
}

// newest returns when the youngest of some statements were stored; 0 if there are none.
func newest(statements []statementRow) (created int64) {
	for _, s := range statements {
		created = max(created, s.Created)
	}

	return created
}

// judge decides whether a file is booked, waits or is refused. Its booking begins anew.
func judge(ctx context.Context, q db.Querier, row *inboxRow, found examined) error {
	row.Kind = found.kind
	row.Entries = found.entries
	row.Done = 0
	row.State = InboxImporting
	row.ReasonCode = ""
	row.Reason = ""
	remarks := found.remarks

	var (
		refused  *iso20022.Error
		unusable *Unusable
	)
	switch {
	case errors.As(found.err, &refused):
		row.State = InboxQuarantined
		row.ReasonCode = string(refused.Code)
		row.Reason = oneLine(refused)

	case errors.As(found.err, &unusable):
		row.State = InboxQuarantined
		row.ReasonCode = unusable.Code
		row.Reason = oneLine(unusable)

	case len(found.findings) > 0:
		row.State = InboxWaiting
		row.ReasonCode = CodeFinding

		texts := make([]string, len(found.findings))
		for i, f := range found.findings {
			texts[i] = f.text
		}

		row.Reason = oneLine(errors.New(strings.Join(texts, "; ")))

	default:
		why, jumps, err := checkChain(ctx, q, found.statements)
		if err != nil {
			return err
		}

		remarks = slices.Concat(remarks, jumps)

		if why != "" {
			row.State = InboxWaiting
			row.ReasonCode = CodeChain
			row.Reason = oneLine(errors.New(why))
		}
	}

	row.Remark = ""
	if len(remarks) > 0 {
		row.Remark = oneLine(errors.New(strings.Join(remarks, "; ")))
	}

	return nil
}

// shortName returns a file's name for people: without folders, at most 200 bytes.
func shortName(name string) string {
	return shown(filepath.Base(strings.ReplaceAll(name, "\\", "/")), 200)
}
