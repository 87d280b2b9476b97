//go:build !nosandbox

package demo

import (
	"context"
	"fmt"
	"path/filepath"

	"slipway/internal/platform/paper"
	"slipway/internal/standards/iban"
	"slipway/internal/standards/qrbill"
)

const (
	printer        = "Druckerei Lehmann AG"  // sends paper with a QR bill
	printerAccount = "CH5030999000020261121" // nobody's: 30999 is the number of no bank
)

// invoiceOnPaper takes in a supplier's invoice that has a QR bill: the code says what to pay, and to whom.
func (s *story) invoiceOnPaper(ctx context.Context) (made payableAnswer, err error) {
	receiver, account, err := s.storePrinter(ctx)
	if err != nil {
		return made, err
	}

	key, err := s.uploadBill(ctx)
	if err != nil {
		return made, err
	}

	s.t.doing("the PDF is drawn and its QR code read")

	var read struct {
		Amount    string `json:"amount"`
		Currency  string `json:"currency"`
		Reference string `json:"reference"`
		Prefill   object `json:"prefill"`
	}
	err = s.c.Call(ctx, "POST", "/payables/extract-qr-bill-info", object{"documentStorageKey": key}, &read)
	s.t.still()

	if err != nil {
		return made, fmt.Errorf("read the QR bill: %w", err)
	}

	if read.Prefill["bankAccount"] != account || read.Prefill["receiver"] != receiver {
		return made, fmt.Errorf("the bill's account was not found: %v", read.Prefill)
	}

	const done = "%s sends paper; its QR code says %s %s, reference %s, and whose account it is"
	s.t.done(done, printer, read.Amount, read.Currency, read.Reference)

	if err := s.c.Call(ctx, "POST", "/payables", read.Prefill, &made); err != nil {
		return made, fmt.Errorf("payable of the QR bill: %w", err)
	}

	return made, nil
}

// storePrinter stores the supplier and its bank account, and returns their identifiers.
func (s *story) storePrinter(ctx context.Context) (receiver, account string, err error) {
	receiver, err = s.newReceiver(ctx, object{
		"type":           "COMPANY",
		"email":          "rechnung@lehmann.example",
		"legalName":      printer,
		"countryIsoCode": "CH",
		"address":        object{"addressLine1": "Gerbergasse 14", "postCode": "4001", "city": "Basel"},
	})
	if err != nil {
		return "", "", err
	}

	var made record
	if err := s.c.Call(ctx, "POST", "/bank-accounts", object{
		"receiver":    receiver,
		"bankCountry": "CH",
		"currency":    "CHF",
		"iban":        printerAccount,
		"bicSwift":    "SLWYCHZ0XXX",
	}, &made); err != nil {
		return "", "", fmt.Errorf("store the printer's account: %w", err)
	}

	return receiver, made.ID, nil
}

// uploadBill stores the bill as a document and returns its key.
func (s *story) uploadBill(ctx context.Context) (key string, err error) {
	document, err := qrBill(printerAccount)
	if err != nil {
		return "", err
	}

	path, err := s.keep("invoice-4711.pdf", document)
	if err != nil {
		return "", err
	}

	var stored struct {
		Key string `json:"documentStorageKey"`
	}
	if err := s.c.Upload(ctx, "/payables/upload", filepath.Base(path), document, &stored); err != nil {
		return "", fmt.Errorf("upload: %w", err)
	}

	return stored.Key, nil
}

// qrBill returns the printer's invoice as a PDF.
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

	err = sheet.FactsBeside(paper.Symbol{Payload: payload, Caption: "Swiss QR bill", Cross: true}, []paper.Fact{
		{Label: "For", Value: bill.Message},
		{Label: "To pay", Value: "CHF 480.00"},
		{Label: "Account", Value: account},
		{Label: "Reference", Value: bill.Reference},
	})
	if err != nil {
		return nil, err
	}

	return sheet.Bytes()
}
