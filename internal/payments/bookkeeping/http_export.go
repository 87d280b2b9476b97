package bookkeeping

import (
	"context"
	"net/http"
	"time"

	"slipway/internal/core/day"
	"slipway/internal/core/fault"
	"slipway/internal/platform/web"
)

type exportIn struct {
	period

	Format    string `query:"format" enum:"datev,xero,quickbooks,hledger,beancount" doc:"the program that the file is for"`
	Adviser   int    `query:"datevAdviser" minimum:"0" maximum:"9999999" example:"1001" doc:"number of the tax adviser, from 1001; DATEV demands it"`
	Client    int    `query:"datevClient" minimum:"0" maximum:"99999" example:"456" doc:"number of the adviser's client, from 1; DATEV demands it"`
	YearStart string `query:"yearStart" maxLength:"40" example:"2026-01-01" doc:"first day of the business year, for DATEV; else 1 January of the first day's year"`
}

// exportRoutes registers the operation of exports.
func (s *Service) exportRoutes(api *web.API) {
	op := web.Operation{
		Method:  "GET",
		Path:    "/bookkeeping/export",
		ID:      "exportBookkeeping",
		Summary: "Export the organisation's book for a bookkeeping program",
		Description: "The lines of GET /bookkeeping/entries in the file that a program imports: DATEV (EXTF 700, batch of " +
			"bookings), Xero (manual journals) and QuickBooks Online (journal entries) in ZIP archives of files that are " +
			"as long as the program takes them, hledger (ledger reads it too) and beancount.\n\nEach journal keeps its " +
			"identifier, and the same period gives the same bytes as long as nothing was booked into it.",
		Tag:     "books",
		Access:  web.Tenant,
		Codes:   []fault.Code{fault.RateUnavailable, fault.BookkeepingUnfit},
		Answers: exportAnswers(),
	}
	web.Register(api, op, s.export(false))
}

// exportAnswers are the content types of exports.
func exportAnswers() map[string]any {
	return map[string]any{"text/csv": nil, "text/plain": nil, "application/zip": nil}
}

// order returns what is asked for, or one refusal with everything that is wrong.
func (in *exportIn) order() (Order, error) {
	from, to, err := in.required()
	if err != nil {
		return Order{}, err
	}

	o := Order{
		Format:    Format(in.Format),
		From:      from,
		To:        to,
		Adviser:   in.Adviser,
		Client:    in.Client,
		YearStart: time.Date(from.Year(), time.January, 1, 0, 0, 0, 0, time.UTC),
	}

	var l fault.List

	if _, ok := shapeOf(o.Format); !ok {
		l.AddParameter("query", "format", fault.Required, "is required.")
	}

	if o.Format == DATEV {
		o.checkDATEV(&l, in.YearStart)
	}

	return o, l.Err()
}

// checkDATEV adds what DATEV does not take of an order.
func (o *Order) checkDATEV(l *fault.List, yearStart string) {
	if o.Adviser < 1001 {
		l.AddParameter(
			"query",
			"datevAdviser",
			fault.OutOfRange,
			"must be 1001 to 9999999: the number of the tax adviser.",
		)
	}

	if o.Client < 1 {
		l.AddParameter(
			"query",
			"datevClient",
			fault.OutOfRange,
			"must be 1 to 99999: the number of the adviser's client.",
		)
	}

	if yearStart != "" {
		start, err := day.Parse(yearStart)
		if err != nil {
			l.AddParameter("query", "yearStart", fault.FormatInvalid, "must be a date such as 2026-01-01.")
			return
		}

		o.YearStart = start
	}

	if o.From.Before(o.YearStart) || !o.To.Before(o.YearStart.AddDate(1, 0, 0)) || o.From.Year() != o.To.Year() {
		l.AddParameter("query", "to", fault.NotAllowed,
			"must be in the calendar year and in the business year of the first day: a batch of DATEV has one year.")
	}
}

func (s *Service) export(house bool) func(context.Context, *exportIn) (*web.Stream, error) {
	return func(ctx context.Context, in *exportIn) (*web.Stream, error) {
		o, err := in.order()
		if err != nil {
			return nil, err
		}

		o.House = house

		write, err := s.Export(ctx, o)
		if err != nil {
			return nil, err
		}

		f, _ := shapeOf(o.Format)
		name := f.prefix + o.From.Format(time.DateOnly) + "_" + o.To.Format(time.DateOnly) + f.suffix

		return &web.Stream{
			ContentType: f.contentType,
			Header:      http.Header{"Content-Disposition": {`attachment; filename="` + name + `"`}},
			Write:       write,
		}, nil
	}
}
