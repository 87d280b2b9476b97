package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/db"
	"slipway/internal/platform/trail"
	"slipway/internal/platform/web"
	"slipway/internal/rails/bank"
)

// maxUploadedBankFile limits a bank's file that comes by the API. The command and the channel take larger ones.
const maxUploadedBankFile = 10 << 20

// bankFileView is a file that went to a bank, or came from one.
type bankFileView struct {
	ID         string     `json:"_id" example:"bfl_01kaj3w8r8q2m5x9v7t4b6c1dn"`
	Direction  string     `json:"direction" enum:"OUT,IN" doc:"OUT: ours to a bank; IN: a bank's to us"`
	Name       string     `json:"name" example:"SLIPWAY-20261123-0001.xml"`
	Message    string     `json:"message,omitempty" example:"camt.053" doc:"kind of message; of IN, where it could be told"`
	MessageID  string     `json:"messageId,omitempty" example:"SW20261123A1" doc:"identifier of the message; of OUT"`
	House      string     `json:"houseAccount,omitempty" example:"hse_eur" doc:"our account that it pays from; of OUT"`
	Rail       string     `json:"rail,omitempty" example:"SEPA" doc:"payment rail; of OUT"`
	ExecuteOn  string     `json:"executeOn,omitempty" example:"2026-11-24" doc:"day on which the bank is to pay; of OUT"`
	State      string     `json:"state" example:"HANDED_OVER" doc:"of OUT: SELECTED, STORED, SENDING, ARRIVED, HANDED_OVER, HELD, DROPPED. Of IN: IMPORTING, IMPORTED, UNBALANCED, WAITING, QUARANTINED, DROPPED"`
	Code       string     `json:"code,omitempty" example:"GAP" doc:"why it waits, or was refused; of IN"`
	Reason     string     `json:"reason,omitempty" example:"Statement 17 is missing before it." doc:"the same in words"`
	Remark     string     `json:"remark,omitempty" example:"statement 2 is of the account DE02120300000000202051 (EUR), which is not ours: left out" doc:"what people should know about a file that is used all the same; of IN"`
	Payments   *int       `json:"payments,omitempty" example:"12" doc:"payments in it; of OUT"`
	ControlSum string     `json:"controlSum,omitempty" example:"1842.50" doc:"sum of its payments, as the file itself says it; of OUT"`
	Entries    *int       `json:"entries,omitempty" example:"31" doc:"entries in it; of IN"`
	New        *int       `json:"newEntries,omitempty" example:"30" doc:"of them, which no earlier file had"`
	Matched    *int       `json:"matchedEntries,omitempty" example:"12" doc:"of them, which belong to payments of ours"`
	Statuses   *int       `json:"statuses,omitempty" example:"0" doc:"payments of ours that a status report tells of"`
	Size       int64      `json:"size" example:"18234" doc:"bytes"`
	SHA256     string     `json:"sha256,omitempty" example:"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" doc:"of the content, in hexadecimal digits; null before it is written"`
	CreatedAt  time.Time  `json:"createdAt" doc:"when it was made or came in"`
	ArrivedAt  *time.Time `json:"arrivedAt,omitempty" doc:"when it was certainly at the bank; of OUT"`
}

// importView is what an import did.
type importView struct {
	File     string       `json:"file" example:"bin_01kaj3w8r8q2m5x9v7t4b6c1dn" doc:"identifier of the file"`
	Message  string       `json:"message,omitempty" example:"camt.053" doc:"kind of message, where it could be told"`
	Outcome  bank.Outcome `json:"outcome" enum:"IMPORTED,REPEATED,QUARANTINED,UNBALANCED,WAITING" doc:"IMPORTED: booked. REPEATED: the same bytes were imported before; nothing is new. WAITING: booked when what is missing comes, or two operators decide. UNBALANCED: booked, and its balances do not add up. QUARANTINED: nothing of it is used"`
	Code     string       `json:"code,omitempty" example:"GAP" doc:"why it is not simply IMPORTED"`
	Reason   string       `json:"reason,omitempty" example:"Statement 17 is missing before it." doc:"the same in words"`
	Remark   string       `json:"remark,omitempty" example:"statement 2 is of the account DE02120300000000202051 (EUR), which is not ours: left out" doc:"what people should know about a file that is used all the same"`
	Entries  int          `json:"entries" example:"31" doc:"entries in it"`
	New      int          `json:"newEntries" example:"30" doc:"which no earlier file had"`
	Matched  int          `json:"matchedEntries" example:"12" doc:"which belong to payments of ours"`
	Statuses int          `json:"statuses" example:"0" doc:"payments of ours that a status report tells of"`
}

type bankFilesIn struct {
	web.Paging
	Direction string `query:"direction" required:"true" enum:"OUT,IN" doc:"OUT: ours to a bank; IN: a bank's to us"`
	State     string `query:"state" enum:"SELECTED,STORED,SENDING,ARRIVED,HANDED_OVER,HELD,DROPPED,IMPORTING,IMPORTED,UNBALANCED,WAITING,QUARANTINED" doc:"in this state"`
}

type bankFileIn struct {
	ID string `path:"id" maxLength:"64"`
}

type importIn struct{ Body web.Upload }

// bankFileRoutes registers the operations on files to and from banks.
func (a *App) bankFileRoutes(api *web.API) {
	op := func(method, path, id, summary, description string) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        "/operations/bank-files" + path,
			ID:          id,
			Tag:         "operations",
			Access:      web.Operator,
			Summary:     summary,
			Description: description,
		}
	}

	web.Register(api, op("GET", "", "listBankFiles", "List files to a bank, or from one", "The newest come first."),
		a.listBankFiles)
	web.Register(api, op("GET", "/{id}", "readBankFile", "Show a file to a bank, or from one", ""), a.readBankFile)

	content := op("GET", "/{id}/content", "downloadBankFile", "Download a file to a bank, or from one",
		"The bytes as they went out or came in. The look is in the audit log.")
	content.Answers = map[string]any{"application/octet-stream": nil}
	web.Register(api, content, a.downloadBankFile)

	upload := op(
		"POST",
		"",
		"importBankFile",
		"Import a bank's file",
		"camt.052, camt.053, camt.054, MT940, MT942, BAI2, pain.002 or pacs.004, whatever its name, or a ZIP of such "+
			"files. A file is booked completely or not at all. The same bytes are booked once, however often they are sent.",
	)
	upload.Upload = &web.UploadRule{MaxBytes: maxUploadedBankFile}
	upload.NoIdempotency = true
	web.Register(api, upload, a.handleImport)
}

func (a *App) listBankFiles(ctx context.Context, in *bankFilesIn) (*web.List[bankFileView], error) {
	if in.Direction == "OUT" {
		return web.ListOf(ctx, a.DB, in.Paging, func(q db.Querier, page caller.Window) ([]bank.File, int64, error) {
			return bank.FilePage(ctx, q, bank.FileState(in.State), page)
		}, func(f bank.File) string { return f.ID }, web.Each(sentFileView))
	}

	return web.ListOf(ctx, a.DB, in.Paging, func(q db.Querier, page caller.Window) ([]bank.InboxFile, int64, error) {
		return bank.InboxPage(ctx, q, bank.InboxState(in.State), page)
	}, func(f bank.InboxFile) string { return f.ID }, web.Each(receivedFileView))
}

func sentFileView(f bank.File) bankFileView {
	v := bankFileView{
		ID:         f.ID,
		Direction:  "OUT",
		Name:       f.Name,
		MessageID:  f.MessageID,
		House:      f.House,
		Rail:       f.Rail,
		ExecuteOn:  f.ExecuteOn,
		State:      string(f.State),
		Reason:     f.Reason,
		Payments:   &f.Payouts,
		ControlSum: f.ControlSum,
		Size:       f.Size,
		SHA256:     f.SHA256,
		CreatedAt:  f.CreatedAt.Truncate(time.Millisecond),
	}

	if !f.ArrivedAt.IsZero() {
		at := f.ArrivedAt.Truncate(time.Millisecond)
		v.ArrivedAt = &at
	}

	return v
}

func receivedFileView(f bank.InboxFile) bankFileView {
	return bankFileView{
		ID:        f.ID,
		Direction: "IN",
		Name:      f.Name,
		Message:   f.Kind,
		State:     string(f.State),
		Code:      f.Code,
		Reason:    f.Reason,
		Remark:    f.Remark,
		Entries:   &f.Entries,
		New:       &f.New,
		Matched:   &f.Matched,
		Statuses:  &f.Statuses,
		Size:      f.Size,
		SHA256:    f.Hash,
		CreatedAt: f.CreatedAt.Truncate(time.Millisecond),
	}
}

func (a *App) readBankFile(ctx context.Context, in *bankFileIn) (*bankFileView, error) {
	v, err := a.bankFile(ctx, in.ID)
	return &v, err
}

// bankFile returns a file of ours, or else one of a bank.
func (a *App) bankFile(ctx context.Context, id string) (bankFileView, error) {
	f, err := bank.FileByID(ctx, a.DB, id)
	if err == nil {
		return sentFileView(f), nil
	}

	if !errors.Is(err, db.ErrNone) {
		return bankFileView{}, err
	}

	received, err := bank.InboxByID(ctx, a.DB, id)
	if errors.Is(err, db.ErrNone) {
		return bankFileView{}, fault.Missing("bank file")
	}

	return receivedFileView(received), err
}

func (a *App) downloadBankFile(ctx context.Context, in *bankFileIn) (*web.Stream, error) {
	v, err := a.bankFile(ctx, in.ID)
	if err != nil {
		return nil, err
	}

	if a.Bank == nil || v.SHA256 == "" {
		return nil, fault.Missing("content")
	}

	body, err := a.bankFileContent(ctx, v)
	if err != nil {
		return nil, fmt.Errorf("content of bank file %s: %w", v.ID, err)
	}

	if err := a.DB.Write(ctx, func(tx *db.Tx) error {
		trail.Audit(ctx, tx, "", "bank_file.read", v.ID, v.Name)
		return nil
	}); err != nil {
		return nil, errors.Join(err, body.Close())
	}

	return &web.Stream{ContentType: "application/octet-stream", Size: v.Size, Body: body, Header: http.Header{
		"Content-Disposition": {
			mime.FormatMediaType("attachment", map[string]string{"filename": path.Base(v.Name)}),
		},
		"Content-Security-Policy":      {"default-src 'none'; sandbox"},
		"Cross-Origin-Resource-Policy": {"same-origin"},
	}}, nil
}

func (a *App) bankFileContent(ctx context.Context, v bankFileView) (io.ReadCloser, error) {
	if v.Direction == "IN" {
		return a.Bank.Archived(ctx, v.ID)
	}

	_, content, err := a.Bank.File(ctx, a.DB, v.ID)

	return io.NopCloser(bytes.NewReader(content)), err
}

func (a *App) handleImport(ctx context.Context, in *importIn) (*importView, error) {
	name := func() string {
		given, _ := in.Body.Labels()
		return given
	}

	r, err := a.ImportBankFile(ctx, name, in.Body.File, nil)
	if err != nil {
		return nil, err
	}

	return &importView{
		File:     r.File,
		Message:  r.Kind,
		Outcome:  r.Outcome,
		Code:     r.Code,
		Reason:   r.Reason,
		Remark:   r.Remark,
		Entries:  r.Entries,
		New:      r.New,
		Matched:  r.Matched,
		Statuses: r.Statuses,
	}, nil
}

// ImportBankFile imports one file of a bank, as the channel does, and records who did so, of a ZIP for each file in it.
// name is called when the file was read. The deposits in it are matched before it returns. It is safe to repeat. After
// an error, what was imported before it is recorded and matched all the same, also if the caller has gone.
func (a *App) ImportBankFile(
	ctx context.Context,
	name func() string,
	content io.Reader,
	progress func(read int64, entries int),
) (bank.Report, error) {
	if a.Bank == nil {
		return bank.Report{}, fault.Missing("account at a bank")
	}

	r, err := a.Bank.ImportNamed(ctx, func() string { return importedName(name()) }, content, progress)

	files := r.Files
	if len(files) == 0 && r.File != "" {
		files = []bank.Report{r}
	}

	if len(files) == 0 {
		return r, err
	}

	ctx = context.WithoutCancel(ctx)
	recorded := a.DB.Write(ctx, func(tx *db.Tx) error {
		for _, f := range files {
			trail.Audit(ctx, tx, "", "bank_file.imported", f.File, string(f.Outcome)+" "+f.Hash)
		}

		return nil
	})

	matched := a.Settlement.Deposits.Match(ctx) // the service does it too, a moment later
	if matched != nil {
		matched = fmt.Errorf("match deposits: %w", matched)
	}

	return r, errors.Join(err, recorded, matched)
}

// importedName returns the last part of a name that somebody else has chosen, for lists: at most 150 characters.
func importedName(given string) string {
	name := strings.TrimSpace(path.Base(strings.ReplaceAll(given, `\`, "/")))
	if name == "." || name == "/" || name == "" {
		return "upload"
	}

	r := []rune(name)

	return string(r[:min(len(r), 150)])
}
