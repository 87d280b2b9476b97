package transaction

import (
	"context"
	"io"
	"net/http"

	"slipway/internal/platform/web"
)

type exportIn struct {
	filterIn

	Format  string   `query:"format" enum:"CSV,EXCEL,EXCEL_DECIMAL_COMMA" default:"CSV" doc:"CSV: commas and decimal points (RFC 4180); EXCEL: with the mark by which Excel knows UTF-8; EXCEL_DECIMAL_COMMA: for systems with a decimal comma, with semicolons between cells"`
	Columns []string `query:"columns[]" enum:"date,acceptedOn,endedOn,type,payee,account,purpose,reference,amount,currency,token,tokenAmount,rate,fee,debit,status,statusInfo,hash,endToEndId,uetr,network,wallet,payable,transaction,payment" doc:"the columns, in their order; all when left out"`
}

func exportOperation() web.Operation {
	op := read("/transactions/export", "exportPayments", "Export payments as a table, a row for each")
	op.Description = "All payments of the transactions that match, one row each, for a spreadsheet or a bookkeeping " +
		"program. Days are of UTC: date of the draft, acceptedOn, endedOn. rate is fiat for one token. fee and debit " +
		"are tokens; those of a transaction's rows add up to those of the transaction: what belongs to no payment alone " +
		"stands in its first row. debit is what leaves the wallet for the row, before anything comes back; a deposit " +
		"takes nothing. hash is that of the tokens' way to the payees, to the platform, or of a deposit to the wallet. " +
		"Cells are made inert, as those of lists are."
	op.Answers = map[string]any{"text/csv": nil}

	return op
}

func (s *Service) httpExport(ctx context.Context, in *exportIn) (*web.Stream, error) {
	list := listIn{Paging: web.Paging{Limit: web.MaxLimit}, filterIn: in.filterIn}

	page, err := s.httpList(ctx, &list)
	if err != nil {
		return nil, err
	}

	return &web.Stream{
		ContentType: "text/csv; charset=utf-8; header=present",
		Header:      http.Header{"Content-Disposition": {`attachment; filename="payments.csv"`}},
		Write: func(w io.Writer) error {
			out := web.NewTable(w, web.TableFormat(in.Format))
			columns := columnsOf(in.Columns)

			if err := out.Row(namesOf(columns)); err != nil {
				return err
			}

			for {
				for i := range page.Results {
					if err := writePayments(out, &page.Results[i], columns); err != nil {
						return err
					}
				}

				if err := out.Flush(); err != nil || !page.Follow(&list.Paging) {
					return err
				}

				if page, err = s.httpList(ctx, &list); err != nil {
					return err
				}
			}
		},
	}, nil
}

// writePayments writes a row for each payment of a transaction.
func writePayments(out *web.Table, v *View, columns []tableColumn) error {
	cells := make([]string, len(columns))

	for n := range v.Payments {
		r := tableRow{v, &v.Payments[n], n}
		for i, c := range columns {
			cells[i] = c.cell(&r)
		}

		if err := out.Row(cells); err != nil {
			return err
		}
	}

	return nil
}

// columnsOf returns the columns of these names, in their order; all if there are none.
func columnsOf(names []string) []tableColumn {
	if len(names) == 0 {
		return tableColumns
	}

	var out []tableColumn

	for _, name := range names {
		for _, c := range tableColumns {
			if c.name == name {
				out = append(out, c)
			}
		}
	}

	return out
}

func namesOf(columns []tableColumn) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.name
	}

	return out
}
