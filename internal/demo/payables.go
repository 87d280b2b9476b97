//go:build !nosandbox

package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"

	"slipway/internal/platform/paper"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/qrbill"
)

// The two who send invoices.
const (
	printer    = "Druckerei Lehmann AG" // on paper, with a QR bill
	freelancer = "Mara Okafor"          // by a link that is mailed to her
	herMail    = "mara@okafor.example"
)

type payableAnswer struct {
	ID       string `json:"_id"`
	Name     string `json:"name"`
	Status   string `json:"status"`
	Amount   string `json:"amount"`
	Currency string `json:"currencyIsoCode"`
	Origin   string `json:"origin"`
	Payment  *struct {
		Transaction string `json:"transactionId"`
		Status      string `json:"status"`
	} `json:"payment"`
}

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
	if err := s.c.call(ctx, "POST", "/payables/approve", object{
		"ids":     ids,
		"comment": "goods received",
	}, nil); err != nil {
		return fmt.Errorf("approve: %w", err)
	}

	var batch transactionAnswer
	if err := s.c.call(ctx, "POST", "/transactions/payables", object{
		"payableIds": ids,
		"token":      "USDC",
	}, &batch); err != nil {
		return fmt.Errorf("batch: %w", err)
	}

	var no *refusal
	if err := s.c.call(ctx, "POST", "/transactions/payables", object{
		"payableIds": ids[:1],
		"token":      "USDC",
	}, nil); !errors.As(err, &no) {
		//nolint:errorlint // it may be nil
		return fmt.Errorf("an invoice in a second batch should be refused, but: %v", err)
	}

	s.t.done("approved; one transaction takes both, and a second one is refused: %d %s", no.Status, no.Code)

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

	var rows [][]string
	for _, id := range ids {
		var p payableAnswer
		if err := s.c.call(ctx, "GET", "/payables/"+id, nil, &p); err != nil {
			return fmt.Errorf("payable: %w", err)
		}

		if p.Status != "PAID" || p.Payment == nil || p.Payment.Transaction != batch.ID {
			return fmt.Errorf("the invoice of %s is %s", p.Name, p.Status)
		}

		rows = append(rows, []string{p.Name, p.Origin, p.Amount, p.Currency, p.Status})
	}

	s.t.table([]string{"invoice", "came by", "amount>", "in", "status"}, rows)

	return s.statement(ctx, batch)
}

// invoiceOnPaper is a supplier's invoice with a QR bill, read by its code.
func (s *story) invoiceOnPaper(ctx context.Context) (made payableAnswer, err error) {
	const account = "CH5030999000020261121" // nobody's: 30999 is the number of no bank

	var r, b record
	if err := s.c.call(ctx, "POST", "/receivers", object{
		"type":           "COMPANY",
		"email":          "rechnung@lehmann.example",
		"legalName":      printer,
		"countryIsoCode": "CH",
		"address":        object{"addressLine1": "Gerbergasse 14", "postCode": "4001", "city": "Basel"},
	}, &r); err != nil {
		return made, fmt.Errorf("create receiver: %w", err)
	}

	if err := s.c.call(ctx, "POST", "/bank-accounts", object{
		"receiver":    r.ID,
		"bankCountry": "CH",
		"currency":    "CHF",
		"iban":        account,
		"bicSwift":    "SLWYCHZ0XXX",
	}, &b); err != nil {
		return made, fmt.Errorf("store the printer's account: %w", err)
	}

	document, err := qrBill(account)
	if err != nil {
		return made, err
	}

	path, err := s.keep("invoice-4711.pdf", document)
	if err != nil {
		return made, err
	}

	var stored struct {
		Key string `json:"documentStorageKey"`
	}
	if err := s.upload(ctx, "/payables/upload", "", path, document, &stored); err != nil {
		return made, fmt.Errorf("upload: %w", err)
	}

	s.t.doing("the PDF is drawn and its QR code read")

	var read struct {
		Amount    string `json:"amount"`
		Currency  string `json:"currency"`
		Reference string `json:"reference"`
		Prefill   object `json:"prefill"`
	}
	err = s.c.call(ctx, "POST", "/payables/extract-qr-bill-info", object{"documentStorageKey": stored.Key}, &read)
	s.t.still()

	if err != nil {
		return made, fmt.Errorf("read the QR bill: %w", err)
	}

	if read.Prefill["bankAccount"] != b.ID || read.Prefill["receiver"] != r.ID {
		return made, fmt.Errorf("the bill's account was not found: %v", read.Prefill)
	}

	s.t.done(
		"%s sends paper; its QR code says %s %s, reference %s, and whose account it is",
		printer,
		read.Amount,
		read.Currency,
		read.Reference,
	)

	if err := s.c.call(ctx, "POST", "/payables", read.Prefill, &made); err != nil {
		return made, fmt.Errorf("payable of the QR bill: %w", err)
	}

	return made, nil
}

// qrBill is the printer's invoice.
func qrBill(account string) ([]byte, error) {
	number, err := iban.Parse(account)
	if err != nil {
		return nil, err
	}

	bill := qrbill.Bill{
		Account:       number,
		Amount:        "480.00",
		Currency:      "CHF",
		ReferenceType: qrbill.QRR,
		Reference:     "202600000000000000000008718",
		Message:       "Letterheads, 2000 sheets",
		Creditor: qrbill.Address{
			Type:     qrbill.Structured,
			Name:     printer,
			Street:   "Gerbergasse",
			Number:   "14",
			PostCode: "4001",
			Town:     "Basel",
			Country:  "CH",
		},
	}

	payload, err := bill.Payload()
	if err != nil {
		return nil, err
	}

	sheet := paper.New(paper.Info{Title: "Invoice", Footer: printer})
	sheet.Title("Invoice 4711", printer, "Gerbergasse 14", "4001 Basel")
	sheet.Heading("Please pay within 30 days")

	if err := sheet.FactsBeside(paper.Symbol{Payload: payload, Caption: "Swiss QR bill", Cross: true}, []paper.Fact{
		{Label: "For", Value: bill.Message},
		{Label: "To pay", Value: "CHF 480.00"},
		{Label: "Account", Value: account},
		{Label: "Reference", Value: bill.Reference},
	}); err != nil {
		return nil, err
	}

	return sheet.Bytes()
}

var fragment = regexp.MustCompile(`/i#([A-Za-z0-9_-]+)`)

// invoiceByLink asks a freelancer for her invoice: she has no account, only the link in her mail.
func (s *story) invoiceByLink(ctx context.Context) (made payableAnswer, err error) {
	var link struct {
		TokenID string `json:"tokenId"`
	}
	if err := s.c.call(ctx, "POST", "/payables/generate-invoice-link", object{
		"isExistingReceiver": false,
		"email":              herMail,
	}, &link); err != nil {
		return made, fmt.Errorf("invoice link: %w", err)
	}

	var mails struct {
		Results []struct {
			Text string `json:"text"`
		} `json:"results"`
	}
	if err := s.c.call(ctx, "GET", "/sandbox/mails?recipient="+herMail, nil, &mails); err != nil {
		return made, fmt.Errorf("her mailbox: %w", err)
	}

	if len(mails.Results) != 1 || fragment.FindStringSubmatch(mails.Results[0].Text) == nil {
		return made, fmt.Errorf("%d mails to her, none with a link", len(mails.Results))
	}

	token := fragment.FindStringSubmatch(mails.Results[0].Text)[1]
	s.t.done("a link goes to %s by mail; she has no account, and needs none", herMail)
	guest := newClient(s.API) // nobody: no credentials but the token
	invoice := paper.New(paper.Info{Title: "Invoice", Footer: freelancer})
	invoice.Title("Invoice MO-2026-7", freelancer, "4 Harbour Street", "Berlin")
	invoice.Paragraph("Illustrations for the annual report: EUR 1,200.00. Thank you.")

	document, err := invoice.Bytes()
	if err != nil {
		return made, err
	}

	path, err := s.keep("invoice-MO-2026-7.pdf", document)
	if err != nil {
		return made, err
	}

	var file struct {
		Key string `json:"documentStorageKey"`
	}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"who she is", func() error {
			return guest.call(ctx, "POST", "/payables/create-invoice-receiver", object{
				"token":          token,
				"type":           "INDIVIDUAL",
				"email":          herMail,
				"firstName":      "Mara",
				"lastName":       "Okafor",
				"countryIsoCode": "DE",
				"address":        object{"addressLine1": "Hafenstrasse 4", "postCode": "10115", "city": "Berlin"},
			}, nil)
		}},
		{"where to pay", func() error {
			return guest.call(ctx, "POST", "/payables/create-invoice-bank-account", object{
				"token":       token,
				"bankCountry": "DE",
				"currency":    "EUR",
				"iban":        "DE44500105175407324931",
				"bicSwift":    "INGDDEFFXXX",
			}, nil)
		}},
		{"her file", func() error {
			return s.uploadTo(ctx, guest, "/payables/upload-invoice", token, path, document, &file)
		}},
		{"her invoice", func() error {
			return guest.call(ctx, "POST", "/payables/submit-invoice", object{
				"token":              token,
				"amount":             "1200.00",
				"currencyIsoCode":    "EUR",
				"invoiceNumber":      "MO-2026-7",
				"reason":             "Illustrations for the annual report",
				"documentStorageKey": file.Key,
			}, nil)
		}},
	} {
		if err := step.do(); err != nil {
			return made, fmt.Errorf("%s says %s: %w", freelancer, step.what, err)
		}
	}

	s.t.done("she says who she is, where to pay, and hands in her invoice of 1200.00 EUR")

	if err := s.c.call(
		ctx,
		"POST",
		"/payables/create-invoice-payable",
		object{"tokenId": link.TokenID},
		&made,
	); err != nil {
		return made, fmt.Errorf("payable of the link: %w", err)
	}

	var still struct {
		Valid bool `json:"valid"`
	}
	if err := guest.call(ctx, "POST", "/payables/validate-invoice-token", object{"token": token}, &still); err != nil ||
		still.Valid {
		return made, fmt.Errorf("her link should be closed: valid=%v %w", still.Valid, err)
	}

	s.t.done("Ada takes it over: %s %s %s; the link is closed", made.Amount, made.Currency, made.Status)

	return made, nil
}

// statement keeps the batch's statement as a PDF.
func (s *story) statement(ctx context.Context, t transactionAnswer) error {
	var at struct {
		URL string `json:"url"`
	}
	if err := s.c.call(ctx, "POST", "/transactions/"+t.ID+"/statement", nil, &at); err != nil {
		return fmt.Errorf("statement: %w", err)
	}

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.URL, nil)
	if err != nil {
		return err
	}

	res, err := s.c.http.Do(req) // the link is enough
	if err != nil {
		return err
	}
	defer res.Body.Close()

	document, err := io.ReadAll(io.LimitReader(res.Body, 4<<20))
	if err != nil {
		return err
	}

	if res.StatusCode != http.StatusOK || !bytes.HasPrefix(document, []byte("%PDF-")) {
		return fmt.Errorf("statement: status %d, %d bytes", res.StatusCode, len(document))
	}

	path, err := s.keep("statement.pdf", document)
	if err == nil {
		s.t.done("its statement is in %s", path)
	}

	return err
}

// keep leaves a document to look at, and says where.
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

func (s *story) upload(ctx context.Context, path, token, file string, document []byte, out any) error {
	return s.uploadTo(ctx, s.c, path, token, file, document, out)
}

// uploadTo sends a file as a browser does.
func (s *story) uploadTo(ctx context.Context, c *client, path, token, file string, document []byte, out any) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)

	part, err := form.CreateFormFile("file", filepath.Base(file))
	if err != nil {
		return err
	}

	if _, err := part.Write(document); err != nil {
		return err
	}

	if err := form.Close(); err != nil {
		return err
	}

	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, &body)
	if err != nil {
		return err
	}

	req.Header.Set("Content-Type", form.FormDataContentType())

	if token != "" {
		req.Header.Set("Slipway-Invoice-Token", token)
	}

	return c.do(req, out)
}
