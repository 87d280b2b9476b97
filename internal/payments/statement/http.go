package statement

import (
	"context"
	"net/http"
	"time"

	"github.com/go-json-experiment/json"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/platform/web"
)

type (
	makeIn struct {
		ID     string `path:"id"`
		Accept string `header:"Accept" maxLength:"1000" doc:"application/pdf: the document itself; else a link to it"`
	}
	periodIn struct {
		Period string `path:"period" maxLength:"7" example:"2026-12" doc:"the month"`
	}
	monthIn struct {
		periodIn
		Accept string `header:"Accept" maxLength:"1000" doc:"application/pdf: the document itself; else a link to it"`
	}
	followIn struct {
		Link string `path:"link" maxLength:"300"`
	}
)

// LinkView is the address from which a document can be fetched.
type LinkView struct {
	URL       string    `json:"url" doc:"good until expiresAt, for whoever has it"`
	ExpiresAt time.Time `json:"expiresAt"`
	SHA256    string    `json:"sha256" doc:"of the file, in hexadecimal digits"`
	FileName  string    `json:"fileName"`
}

// pdfType is the content type of documents.
const pdfType = "application/pdf"

// Routes registers the operations of documents.
func (s *Service) Routes(api *web.API) {
	op := func(path, id, summary, description string, codes ...fault.Code) web.Operation {
		return web.Operation{
			Method:        "POST",
			Path:          path,
			ID:            id,
			Summary:       summary,
			Tag:           "transactions",
			Access:        web.Tenant,
			Codes:         codes,
			NoIdempotency: true,
			Answers:       map[string]any{"application/json": LinkView{}, pdfType: nil},
			Description: description + "\n\nAnswers the PDF document to `Accept: application/pdf`, else `{url, " +
				"expiresAt, sha256, fileName}`: a link that is good for ten minutes.",
		}
	}

	st := op(
		"/transactions/{id}/statement",
		"makeStatement",
		"Make a statement of a transaction",
		"What the transaction is now: payments, price, fees, what the banks and chains say, and what the ledger "+
			"says. Of an ONRAMP transaction that waits for its deposit also how to pay it, with a QR code where the "+
			"payer's banking app can read one.",
	)

	st.Scope = "transactions:read" // it changes nothing

	web.Register(api, st, func(ctx context.Context, in *makeIn) (*web.Raw, error) {
		file := web.Prefers(in.Accept, pdfType)
		d, err := s.Statement(ctx, in.ID, !file)
		return s.answer(d, file, err)
	})

	web.Register(
		api,
		op(
			"/transactions/{id}/invoice",
			"makeInvoice",
			"Make the invoice for the fees of a transaction",
			"Once for a transaction that has come to its end; every further call gives the same invoice. That of a "+
				"transaction without fees is over nothing.",
			fault.InvoiceTooEarly,
			fault.InvoiceNoCountry,
			fault.InvoiceNoIssuer,
		),
		func(ctx context.Context, in *makeIn) (*web.Raw, error) {
			d, err := s.Invoice(ctx, in.ID)
			return s.answer(d, web.Prefers(in.Accept, pdfType), err)
		},
	)

	web.Register(
		api,
		op(
			"/transactions/{id}/credit-note",
			"makeCreditNote",
			"Make the credit note for the fees of a transaction that were given back",
			"Once for a transaction that has come to its end; every further call gives the same one. It names the "+
				"invoice that it corrects, which is made if it was not before.",
			fault.NothingGivenBack,
			fault.InvoiceTooEarly,
			fault.InvoiceNoCountry,
			fault.InvoiceNoIssuer,
		),
		func(ctx context.Context, in *makeIn) (*web.Raw, error) {
			d, err := s.CreditNote(ctx, in.ID)
			return s.answer(d, web.Prefers(in.Accept, pdfType), err)
		},
	)

	collective := op(
		"/bookkeeping/periods/{period}/invoice",
		"makeCollectiveInvoice",
		"Make the collective invoice for the fees of a month",
		"All fees that the organisation's book has in a month that is over, with a line for each transaction, and one "+
			"below zero for what was given back of it; beyond 1,000 lines there is one for each day. Every further call "+
			"gives the same invoice. Where more was given back than charged it is a credit note. It takes the place of "+
			"the invoices and credit notes for single transactions.",
		fault.PeriodNotOver,
		fault.FormatInvalid,
		fault.NoFees,
		fault.RateUnavailable,
		fault.InvoiceNoCountry,
		fault.InvoiceNoIssuer,
	)
	collective.Tag = "books"

	web.Register(api, collective, func(ctx context.Context, in *monthIn) (*web.Raw, error) {
		d, err := s.Collective(ctx, caller.Of(ctx).Organisation, in.Period)
		return s.answer(d, web.Prefers(in.Accept, pdfType), err)
	})

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/bookkeeping/periods/{period}/statement",
		ID:      "readStatementOfMonth",
		Tag:     "books",
		Access:  web.Tenant,
		Summary: "Read the statements of the organisation's wallets in a month as PDF",
		Description: "Of each token in a wallet the balances, and every movement with what it was and what it is worth. " +
			"The balances are those of what went through this service. Of a month that is not over it has what is " +
			"there; programs take `GET /bookkeeping/statement`.",
		Codes:   []fault.Code{fault.FormatInvalid, fault.RateUnavailable, fault.BookkeepingEmpty, fault.PeriodTooLarge},
		Answers: map[string]any{pdfType: nil},
	}, func(ctx context.Context, in *periodIn) (*web.Raw, error) {
		d, err := s.Wallets(ctx, caller.Of(ctx).Organisation, in.Period)
		return s.answer(d, true, err)
	})

	web.Register(api, web.Operation{
		Method:      "GET",
		Path:        "/downloads/{link}",
		ID:          "download",
		Tag:         "transactions",
		Access:      web.Public,
		PerSource:   s.Downloads,
		Summary:     "Fetch a document by its link",
		Description: "The link says by itself what it opens, and is good for ten minutes.",
		Codes:       []fault.Code{fault.DownloadInvalid, fault.DownloadOutdated},
		Answers:     map[string]any{pdfType: nil},
	}, func(ctx context.Context, in *followIn) (*web.Raw, error) {
		d, err := s.Follow(ctx, in.Link)
		return s.answer(d, true, err)
	})
}

// answer returns the file, or a link to it.
func (s *Service) answer(d Document, file bool, err error) (*web.Raw, error) {
	if err != nil {
		return nil, err
	}

	if file {
		return &web.Raw{
			ContentType: pdfType,
			Body:        d.PDF,
			Header: http.Header{
				"Content-Disposition":     {`attachment; filename="` + d.Name + `"`},
				"Content-Security-Policy": {"sandbox; default-src 'none'"}, "X-Robots-Tag": {"noindex"},
			},
		}, nil
	}

	l := s.link(d)
	body, err := json.Marshal(LinkView{URL: l.URL, ExpiresAt: l.ExpiresAt, SHA256: d.SHA256(), FileName: d.Name})

	return &web.Raw{ContentType: "application/json", Body: body}, err
}
