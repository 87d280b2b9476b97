//go:build !nosandbox

package demo

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"slipway/internal/app/apiclient"
)

// payables takes two invoices in, one on paper and one by a link, and pays both in one batch.
func (s *story) payables(ctx context.Context) error {
	s.t.heading("Two invoices come in")

	byQR, err := s.invoiceOnPaper(ctx)
	if err != nil {
		return err
	}

	byLink, err := s.invoiceByLink(ctx)
	if err != nil {
		return err
	}

	s.t.heading("Both are approved and paid in one batch")

	ids := []string{byQR.ID, byLink.ID}

	batch, err := s.batchOf(ctx, ids)
	if err != nil {
		return err
	}

	if err := s.payDraft(ctx, &batch); err != nil {
		return err
	}

	if err := s.followOne(ctx, &batch, "waiting for chain, market and bank"); err != nil {
		return err
	}

	if err := s.payouts(batch); err != nil {
		return err
	}

	s.fiat = append(s.fiat, batch)

	if err := s.allPaid(ctx, ids, batch); err != nil {
		return err
	}

	return s.statement(ctx, batch)
}

// batchOf approves payables and puts them into one transaction. None of them can be in a second one.
func (s *story) batchOf(ctx context.Context, ids []string) (batch transactionAnswer, err error) {
	approval := object{"ids": ids, "comment": "goods received"}
	if err := s.c.Call(ctx, "POST", "/payables/approve", approval, nil); err != nil {
		return batch, fmt.Errorf("approve: %w", err)
	}

	both := object{"payableIds": ids, "token": "USDC"}
	if err := s.c.Call(ctx, "POST", "/transactions/payables", both, &batch); err != nil {
		return batch, fmt.Errorf("batch: %w", err)
	}

	again := object{"payableIds": ids[:1], "token": "USDC"}

	problem, err := s.refused(ctx, "POST", "/transactions/payables", again)
	if err != nil {
		return batch, fmt.Errorf("an invoice in a second batch should be refused: %w", err)
	}

	const done = "approved; one transaction takes both, and a second one is refused: %d %s"
	s.t.done(done, problem.Status, problem.Code)

	return batch, nil
}

// allPaid makes sure that the batch has paid every payable, and prints them.
func (s *story) allPaid(ctx context.Context, ids []string, batch transactionAnswer) error {
	var rows [][]string

	for _, id := range ids {
		var p payableAnswer
		if err := s.c.Call(ctx, "GET", "/payables/"+id, nil, &p); err != nil {
			return fmt.Errorf("payable: %w", err)
		}

		if p.Status != "PAID" || p.Payment == nil || p.Payment.Transaction != batch.ID {
			return fmt.Errorf("the invoice of %s is %s", p.Name, p.Status)
		}

		rows = append(rows, []string{p.Name, p.Origin, p.Amount, p.Currency, p.Status})
	}

	s.t.table([]string{"invoice", "came by", "amount>", "in", "status"}, rows)

	return nil
}

// statement downloads the batch's statement and keeps it as a PDF.
func (s *story) statement(ctx context.Context, t transactionAnswer) error {
	var at struct {
		URL string `json:"url"`
	}
	if err := s.c.Call(ctx, "POST", "/transactions/"+t.ID+"/statement", nil, &at); err != nil {
		return fmt.Errorf("statement: %w", err)
	}

	link, err := url.Parse(at.URL)
	if err != nil {
		return err
	}

	guest := apiclient.New(link.Scheme + "://" + link.Host) // the link needs no session

	document, err := guest.Send(ctx, http.MethodGet, link.RequestURI(), nil)
	if err != nil {
		return err
	}

	if document.Status != http.StatusOK || !bytes.HasPrefix(document.Body, []byte("%PDF-")) {
		return fmt.Errorf("statement: status %d, %d bytes", document.Status, len(document.Body))
	}

	path, err := s.keep("statement.pdf", document.Body)
	if err == nil {
		s.t.done("its statement is in %s", path)
	}

	return err
}

// keep writes a document into a folder for people to look at, and returns its path.
func (s *story) keep(name string, document []byte) (string, error) {
	dir := filepath.Join(filepath.Dir(s.World.BankFolder), "papers")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}

	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, document, 0o600); err != nil {
		return "", err
	}

	return one(path)
}
