package intake

import (
	"bytes"
	"errors"
	"strings"

	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/pain"
	"slipway/internal/standards/sheet"
)

// orderColumns are the columns of a payment file (pain.001) that is read as a table. It has no e-mail addresses, which
// new payees need: their column is there to be filled in.
var orderColumns = []Column{
	Name,
	Email,
	Street,
	PostCode,
	City,
	Country,
	IBAN,
	AccountNumber,
	BIC,
	SortCode,
	RoutingNumber,
	IFSC,
	Currency,
	Amount,
	Reason,
	Reference,
	Key,
}

// isOrders reports whether a file is XML: no table begins with <.
func isOrders(content []byte) bool {
	content = bytes.TrimPrefix(content, []byte("\ufeff"))

	return bytes.HasPrefix(bytes.TrimSpace(content), []byte("<"))
}

// orders reads a payment file as a table: a row for each payment, and a first row that names the columns.
func orders(content []byte) (rows []sheet.Row, err error) {
	rows = append(rows, sheet.Row{Line: 1})
	for _, c := range orderColumns {
		rows[0].Cells = append(rows[0].Cells, string(c))
	}

	err = pain.Read001(bytes.NewReader(content), iso20022.Limits{Bytes: MaxBytes}, func(o pain.Order) error {
		if len(rows) > MaxRows {
			return sheet.ErrRows
		}

		rows = append(rows, sheet.Row{Line: len(rows) + 1, Cells: orderCells(o)})

		return nil
	})
	if err == nil && len(rows) == 1 {
		err = errors.New("the payment file has no payment")
	}

	return rows, err
}

// orderCells returns the cells of a payment. Its key is what its file and its writer call it, if it has a name.
func orderCells(o pain.Order) (cells []string) {
	p := o.Payee
	said := map[Column]string{
		Name:          p.Name,
		Street:        strings.TrimSpace(p.Street + " " + p.Building),
		PostCode:      p.PostCode,
		City:          p.Town,
		Country:       p.Country,
		IBAN:          p.IBAN,
		AccountNumber: p.Number,
		BIC:           p.BIC,
		Currency:      o.Amount.Currency,
		Amount:        o.Amount.Value,
		Reason:        p.Remittance,
		Reference:     p.Reference,
	}

	if said[Street] == "" {
		said[Street], _, _ = strings.Cut(p.Lines, "\n")
	}

	if said[Reason] == "" {
		said[Reason] = p.Reference
	}

	if iso20022.Provided(o.EndToEndID) != "" {
		said[Key] = o.MsgID + "/" + o.EndToEndID
	}

	switch p.Clearing {
	case "GBDSC":
		said[SortCode] = p.Member
	case "USABA":
		said[RoutingNumber] = p.Member
	case "INFSC":
		said[IFSC] = p.Member
	}

	for _, c := range orderColumns {
		cells = append(cells, said[c])
	}

	return cells
}
