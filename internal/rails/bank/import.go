package bank

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"slipway/internal/core/id"
	"slipway/internal/platform/blob"
	"slipway/internal/platform/db"
	"slipway/internal/platform/failpoint"
	"slipway/internal/platform/secret"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/swiftmt"
)

// Outcome is the result of importing a file.
type Outcome string

// The outcomes.
const (
	Imported    Outcome = "IMPORTED"    // booked completely
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
	Kind     string // "camt.053", "MT940", "pain.002" …; "" if unknown
	Outcome  Outcome
	Code     string // of QUARANTINED, WAITING and UNBALANCED
	Reason   string // the same in a sentence; of the file it contains only names of elements and accounts
	Entries  int    // statement entries in it, of all statuses
	New      int    // entries that no earlier file contained
	Matched  int    // movements that belong to our payouts
	Statuses int    // payouts in a status report, or returns in a pacs.004
}

// Unusable is the reason why a readable file cannot be used.
type Unusable struct{ Code, Detail string }

// Error returns the sentence.
func (u *Unusable) Error() string { return u.Detail }

// Import imports one file from the bank: camt.052, camt.053, camt.054, MT940, MT942, pain.002 or pacs.004, whatever its
// name. The file is booked completely or not at all. Import is safe to repeat: after a crash it resumes. progress may
// be nil; it receives the bytes read and the entries done. An error concerns the source, the disk or the database; a
// bad file is no error but a Report.
//
// It reads a file twice, in memory that does not grow with the file: once from the source into the archive, to check
// that all of it can be used, and once from the archive, to book it a batch of entries at a time.
func (r *Rail) Import(
	ctx context.Context,
	name string,
	content io.Reader,
	progress func(read int64, entries int),
) (Report, error) {
	if progress == nil {
		progress = func(int64, int) {}
	}

	s, err := newSpool(r.db.Keyring(), r.c.Archive, content, r.c.MaxFile)
	if err != nil {
		return Report{}, fmt.Errorf("archive of bank files: %w", err)
	}
	defer s.discard()

	found := r.examine(ctx, s)
	if failed := sourceError(found.err); failed != nil {
		return Report{}, fmt.Errorf("read %s: %w", name, failed)
	}

	if err := s.keep(); err != nil {
		return Report{}, fmt.Errorf("keep %s: %w", name, err)
	}

	failpoint.Hit("bank.file_kept")

	return r.take(ctx, name, s, found, progress)
}

// sourceError returns an error of the source or the disk. It returns nil for a refusal of the content.
func sourceError(err error) error {
	var unusable *Unusable
	if err == nil || errors.As(err, &unusable) || iso20022.IsRefusal(err) {
		return nil
	}

	return err
}

// spool passes the source's bytes on while its own goroutine writes them into the archive and hashes them.
type spool struct {
	source  io.Reader
	folder  string
	size    int64
	most    int64
	hash    string
	cut     bool // only the beginning was stored
	settled bool

	file   *os.File
	sealed *blob.Sealer // into file
	block  []byte       // read, but not sent yet
	blocks chan []byte  // to be written, in order
	used   chan []byte  // written, to be reused
	sum    hash.Hash
	lost   atomic.Pointer[error] // the first error of the disk
	kept   chan struct{}         // closed after the last write
}

// blockSize is the size of a block that is sent at once, and writeAhead how many blocks may wait to be written.
const (
	blockSize  = 256 << 10
	keptBehind = 4
)

func newSpool(keys *secret.Keyring, folder string, source io.Reader, most int64) (*spool, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}

	f, err := os.CreateTemp(folder, ".incoming-*")
	if err != nil {
		return nil, err
	}

	s := &spool{
		source: source,
		file:   f,
		folder: folder,
		sum:    sha256.New(),
		most:   most,
		blocks: make(chan []byte),
		used:   make(chan []byte, keptBehind),
		kept:   make(chan struct{}),
	}
	if s.sealed, err = sealArchived(keys, toFile{s}); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
	}

	for range keptBehind {
		s.used <- make([]byte, 0, blockSize)
	}

	s.block = <-s.used
	go s.keepBlocks()

	return s, nil
}

// toFile writes into a spool's file.
type toFile struct{ s *spool }

// Write writes to the file.
func (f toFile) Write(p []byte) (int, error) { return f.s.file.Write(p) }

// writeBlocks writes and hashes the blocks. After an error of the disk it discards them.
func (s *spool) keepBlocks() {
	defer close(s.kept)

	for b := range s.blocks {
		if s.lost.Load() == nil {
			s.sum.Write(b)

			if _, err := s.sealed.Write(b); err != nil {
				s.lost.Store(&err)
			}
		}

		s.used <- b[:0]
	}

	if s.lost.Load() == nil {
		if err := s.sealed.Close(); err != nil {
			s.lost.Store(&err)
		}
	}
}

// Read returns bytes of the source, which are also sent to the archive.
func (s *spool) Read(p []byte) (int, error) {
	if err := s.lost.Load(); err != nil {
		return 0, *err
	}

	n, err := s.source.Read(p)

	s.size += int64(n)
	for rest := p[:n]; len(rest) > 0; {
		some := min(len(rest), blockSize-len(s.block))
		s.block = append(s.block, rest[:some]...)
		rest = rest[some:]

		if len(s.block) == blockSize {
			s.blocks <- s.block
			s.block = <-s.used
		}
	}

	return n, err
}

// finish sends the last block and waits until everything is written.
func (s *spool) end() error {
	s.settled = true
	s.blocks <- s.block
	close(s.blocks)
	<-s.kept

	if err := s.lost.Load(); err != nil {
		return *err
	}

	return nil
}

// afterRefusal is how much is still stored of a file whose beginning was refused.
const afterRefusal = 16 << 20

// commit makes the archived copy durable, under its hash. Of a file that was refused early it stores only enough for a
// person to see what it is.
func (s *spool) keep() error {
	if n, err := io.Copy(io.Discard, io.LimitReader(s, afterRefusal)); err != nil {
		return err
	} else if n == afterRefusal {
		s.cut = true
	}

	err := s.end()

	s.hash = hex.EncodeToString(s.sum.Sum(nil))
	if err = errors.Join(err, s.file.Sync(), s.file.Close()); err == nil {
		err = os.Rename(s.file.Name(), archived(s.folder, s.hash))
	}

	if err != nil {
		_ = os.Remove(s.file.Name())
		return err
	}

	return syncFolder(s.folder)
}

// discard removes a file that was not committed. It does nothing after commit.
func (s *spool) discard() {
	if !s.settled {
		_ = s.end()
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

// examined is the result of the first pass: what would be booked, or why nothing can be.
type examined struct {
	kind       string
	err        error
	statements []statementRow
	findings   []string
	entries    int64
	said       []said     // of a pain.002
	returns    []returned // of a pacs.004
}

// mostStatements limits what is held in memory of one file.
const mostStatements = 1000

// examine reads a file to its end and keeps only the headers of statements, or the contents of a report.
func (r *Rail) examine(ctx context.Context, s *spool) examined {
	return r.examineStream(ctx, bufio.NewReaderSize(s, 64<<10))
}

func (r *Rail) examineStream(ctx context.Context, in *bufio.Reader) examined {
	head, _ := in.Peek(lookedAt)
	head = iso20022.Head(head)

	limits := iso20022.Limits{Bytes: r.c.MaxFile, Said: mostStatuses}
	switch {
	case bytes.Contains(head, []byte("CstmrPmtStsRpt")):
		return r.examineReport(ctx, in, limits)
	case bytes.Contains(head, []byte("PmtRtr")):
		return r.examineReturns(ctx, in, limits)
	}

	e := &examiner{r: r}
	e.found.err = ReadStatements(in, limits, e)

	return e.found
}

// lookedAt is how much of a file's beginning is inspected to detect its format.
const lookedAt = 4 << 10

// ReadStatements reads a file of statements in the format that its content shows: camt.052, camt.053, camt.054, MT940
// or MT942. The error is *iso20022.Error, or the handler's.
func ReadStatements(in *bufio.Reader, limits iso20022.Limits, h camt.Handler) error {
	head, _ := in.Peek(lookedAt)
	if swiftmt.Looks(head) {
		return swiftmt.Read(in, limits, h)
	}

	return camt.Read(in, limits, h)
}

// examiner runs the first pass over statements.
type examiner struct {
	r      *Rail
	house  HouseAccount
	header camt.Header
	found  examined
}

// Statement checks that a statement is of one of our accounts.
func (e *examiner) Statement(h camt.Header) error {
	house, ok := e.r.house(h.Account, h.Account.Currency)

	e.found.kind = cmp.Or(h.Format, string(h.Kind))
	if !ok {
		e.house = HouseAccount{}
		return &Unusable{CodeAccount, fmt.Sprintf("statement %d is of an account that is not ours", h.Number+1)}
	}

	if len(e.found.statements) >= mostStatements {
		return &Unusable{CodeTooMany, fmt.Sprintf("more than %d statements", mostStatements)}
	}

	s, err := statementOf(h, house)
	if err != nil {
		return &Unusable{codeValue, fmt.Sprintf("statement %d: %v", h.Number+1, err)}
	}

	e.house = house
	e.header = h
	e.found.statements = append(e.found.statements, s)

	return nil
}

// Entry checks that an entry can be booked.
func (e *examiner) Entry(x camt.Entry) error {
	if e.house.ID == "" {
		return &Unusable{CodeAccount, fmt.Sprintf("statement %d is of an account that is not ours", x.Statement+1)}
	}

	e.found.entries++
	_, _, err := checkEntry(&e.house, x)

	return err
}

// End collects a statement's findings, and the balances that follow its entries.
func (e *examiner) End(t camt.Totals) error {
	if len(t.Balances) > 0 {
		e.header.Balances = append(e.header.Balances, t.Balances...)

		s, err := statementOf(e.header, e.house)
		if err != nil {
			return &Unusable{codeValue, fmt.Sprintf("statement %d: %v", t.Statement+1, err)}
		}

		e.found.statements[len(e.found.statements)-1] = s
	}

	for _, f := range t.Findings {
		e.found.findings = append(e.found.findings, fmt.Sprintf("statement %d: %s", t.Statement+1, f.Detail))
	}

	return nil
}

// record inserts the row of an archived file, and books the file if possible.
func (r *Rail) take(
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
// may have been added, a statement may have arrived. IMPORTING is written together with the statements' rows, so that
// the next file is checked against them.
func (r *Rail) enter(ctx context.Context, name string, s *spool, found examined) (row inboxRow, fresh bool, err error) {
	err = r.db.Write(ctx, func(tx *db.Tx) error {
		row, err = inboxByHash(ctx, tx, s.hash)

		isNew := errors.Is(err, db.ErrNone)
		if err != nil && !isNew {
			return err
		}

		if isNew {
			row = inboxRow{
				ID:      id.New(inboxPrefix, tx.Now),
				Hash:    s.hash,
				Name:    shortName(name),
				Kind:    found.kind,
				Size:    s.size,
				Created: db.Micros(tx.Now),
			}
		}

		fresh = isNew

		switch row.State {
		case InboxImported, InboxImporting, InboxUnbalanced, InboxDropped:
			return nil
		case InboxWaiting, InboxQuarantined: // judged again
		}

		was := row
		if err := judge(ctx, tx, &row, found); err != nil {
			return err
		}

		if s.cut {
			row.Reason += "; only its beginning is kept"
		}

		if isNew {
			tx.Insert(
				insertInbox,
				row.ID,
				row.Hash,
				row.Name,
				row.Kind,
				row.Size,
				string(row.State),
				row.ReasonCode,
				row.Reason,
				row.Entries,
				row.Created,
				row.Created,
			)
		} else {
			noteInbox(tx, was, row)
		}

		if row.State == InboxImporting {
			addStatements(tx, row.ID, found.statements)
		}

		return nil
	})
	if err == nil && row.State == InboxQuarantined && fresh {
		r.log.Warn(
			"bank file quarantined",
			"file",
			row.ID,
			"name",
			row.Name,
			"code",
			row.ReasonCode,
			"reason",
			row.Reason,
		)
	}

	if err == nil && row.State == InboxWaiting && fresh {
		r.log.Error(
			"bank statement waits: nothing of it is booked",
			"file",
			row.ID,
			"name",
			row.Name,
			"code",
			row.ReasonCode,
			"reason",
			row.Reason,
		)
	}

	return row, fresh, err
}

func addStatements(tx *db.Tx, fileID string, statements []statementRow) {
	for _, s := range statements {
		s.ID = id.New(statementPrefix, tx.Now)
		s.FileID = fileID
		addStatement(tx, s)
	}
}

// judge decides whether a file is booked, waits or is refused.
func judge(ctx context.Context, q db.Querier, row *inboxRow, found examined) error {
	row.Kind = found.kind
	row.Entries = found.entries
	row.State = InboxImporting
	row.ReasonCode = ""
	row.Reason = ""

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
		row.Reason = oneLine(errors.New(strings.Join(found.findings, "; ")))

	default:
		why, err := checkChain(ctx, q, found.statements)
		if err != nil {
			return err
		}

		if why != "" {
			row.State = InboxWaiting
			row.ReasonCode = CodeChain
			row.Reason = oneLine(errors.New(why))
		}
	}

	return nil
}

// shortName returns a file's name for people: without folders and control characters, at most 200 bytes.
func shortName(name string) string {
	name = filepath.Base(strings.ReplaceAll(name, "\\", "/"))
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}

		return r
	}, strings.ToValidUTF8(name, "?"))

	return name[:min(len(name), 200)]
}
