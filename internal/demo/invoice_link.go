//go:build !nosandbox

package demo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"

	"slipway/internal/app/apiclient"
	"slipway/internal/platform/paper"
)

// freelancer has no account; she hands her invoice in by a link that is mailed to her.
const (
	freelancer     = "Mara Okafor"
	freelancerMail = "mara@okafor.example"
)

// invoiceByLink asks a freelancer for her invoice: she has no account, only the link in her mail.
func (s *story) invoiceByLink(ctx context.Context) (made payableAnswer, err error) {
	link, token, err := s.mailLink(ctx)
	if err != nil {
		return made, err
	}

	s.t.done("a link goes to %s by mail; she has no account, and needs none", freelancerMail)

	guest := apiclient.New(s.API) // no credentials but the token
	if err := s.handIn(ctx, guest, token); err != nil {
		return made, err
	}

	s.t.done("she says who she is, where to pay, and hands in her invoice of 1200.00 EUR")

	if err := s.c.Call(ctx, "POST", "/payables/create-invoice-payable", object{"tokenId": link}, &made); err != nil {
		return made, fmt.Errorf("payable of the link: %w", err)
	}

	var still struct {
		Valid bool `json:"valid"`
	}
	if err := guest.Call(ctx, "POST", "/payables/validate-invoice-token", object{"token": token}, &still); err != nil {
		return made, fmt.Errorf("validate her link: %w", err)
	}

	if still.Valid {
		return made, errors.New("her link should be closed, and is valid")
	}

	s.t.done("Ada takes it over: %s %s %s; the link is closed", made.Amount, made.Currency, made.Status)

	return made, nil
}

var fragment = regexp.MustCompile(`/i#([A-Za-z0-9_-]+)`)

// mailLink has a link mailed to her, and returns the link's identifier and the token from the mail.
func (s *story) mailLink(ctx context.Context) (id, token string, err error) {
	var link struct {
		TokenID string `json:"tokenId"`
	}
	if err := s.c.Call(ctx, "POST", "/payables/generate-invoice-link", object{
		"isExistingReceiver": false,
		"email":              freelancerMail,
	}, &link); err != nil {
		return "", "", fmt.Errorf("invoice link: %w", err)
	}

	var mails struct {
		Results []struct {
			Text string `json:"text"`
		} `json:"results"`
	}
	if err := s.c.Call(ctx, "GET", "/sandbox/mails?recipient="+freelancerMail, nil, &mails); err != nil {
		return "", "", fmt.Errorf("her mailbox: %w", err)
	}

	if len(mails.Results) != 1 || fragment.FindStringSubmatch(mails.Results[0].Text) == nil {
		return "", "", fmt.Errorf("%d mails to her, none with a link", len(mails.Results))
	}

	return link.TokenID, fragment.FindStringSubmatch(mails.Results[0].Text)[1], nil
}

// handIn enters who she is and where to pay, and hands in her invoice.
func (s *story) handIn(ctx context.Context, guest *apiclient.Client, token string) error {
	if err := guest.Call(ctx, "POST", "/payables/create-invoice-receiver", object{
		"token":          token,
		"type":           "INDIVIDUAL",
		"email":          freelancerMail,
		"firstName":      "Mara",
		"lastName":       "Okafor",
		"countryIsoCode": "DE",
		"address":        object{"addressLine1": "Hafenstrasse 4", "postCode": "10115", "city": "Berlin"},
	}, nil); err != nil {
		return fmt.Errorf("%s enters who she is: %w", freelancer, err)
	}

	if err := guest.Call(ctx, "POST", "/payables/create-invoice-bank-account", object{
		"token":       token,
		"bankCountry": "DE",
		"currency":    "EUR",
		"iban":        "DE44500105175407324931",
		"bicSwift":    "INGDDEFFXXX",
	}, nil); err != nil {
		return fmt.Errorf("%s enters where to pay: %w", freelancer, err)
	}

	key, err := s.uploadInvoice(ctx, guest, token)
	if err != nil {
		return err
	}

	if err := guest.Call(ctx, "POST", "/payables/submit-invoice", object{
		"token":              token,
		"amount":             "1200.00",
		"currencyIsoCode":    "EUR",
		"invoiceNumber":      "MO-2026-7",
		"reason":             "Illustrations for the annual report",
		"documentStorageKey": key,
	}, nil); err != nil {
		return fmt.Errorf("%s submits her invoice: %w", freelancer, err)
	}

	return nil
}

// uploadInvoice stores her invoice as a document and returns its key.
func (s *story) uploadInvoice(ctx context.Context, guest *apiclient.Client, token string) (key string, err error) {
	invoice := paper.New(paper.Info{Title: "Invoice", Footer: freelancer})
	invoice.Title("Invoice MO-2026-7", freelancer, "4 Harbour Street", "Berlin")
	invoice.Paragraph("Illustrations for the annual report: EUR 1,200.00. Thank you.")

	document, err := invoice.Bytes()
	if err != nil {
		return "", err
	}

	path, err := s.keep("invoice-MO-2026-7.pdf", document)
	if err != nil {
		return "", err
	}

	var stored struct {
		Key string `json:"documentStorageKey"`
	}

	link := apiclient.Header{Name: "Slipway-Invoice-Token", Value: token}
	if err := guest.Upload(ctx, "/payables/upload-invoice", filepath.Base(path), document, &stored, link); err != nil {
		return "", fmt.Errorf("%s uploads her file: %w", freelancer, err)
	}

	return stored.Key, nil
}
