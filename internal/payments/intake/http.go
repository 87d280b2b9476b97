package intake

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"slipway/internal/core/caller"
	"slipway/internal/core/fault"
	"slipway/internal/core/money"
	"slipway/internal/identity/organisation"
	"slipway/internal/platform/db"
	"slipway/internal/platform/web"
)

// What is said of a table, in the query: the body is the file.
type options struct {
	Columns []string `query:"columns[]" maxItems:"60" maxLength:"32" doc:"what each column says, from the first on; - for one that says nothing. Left out: they are recognised by their headings and their cells"`
	Header  *bool    `query:"header" doc:"the first row names the columns; left out: it does if it names one that is known"`
	Without []string `query:"without[]" maxItems:"500" pattern:"^[1-9][0-9]{0,6}$" patternDescription:"is the number of a line" doc:"lines that are left out"`
}

type checkIn struct {
	options
	Body web.Upload
}

type takeIn struct {
	options
	Token         string `query:"token" enum:"USDT,USDC,DAI" doc:"token that payments are paid with"`
	WalletAddress string `query:"walletAddress" maxLength:"64" doc:"paying wallet, as of POST /transactions"`
	Network       string `query:"network" maxLength:"64" doc:"network identifier; may be left out when the wallet is stored on one network only"`
	Body          web.Upload
}

// TableView is a table that was looked at.
type TableView struct {
	Columns []ColumnView `json:"columns" nullable:"false" doc:"from the first on"`
	Header  bool         `json:"header" doc:"the first row names the columns"`
	Rows    []RowView    `json:"rows" nullable:"false" doc:"in their order, those that are left out too"`
	Totals  TotalsView   `json:"totals"`
}

// ColumnView is one column.
type ColumnView struct {
	Heading string `json:"heading,omitempty" doc:"as the file has it" example:"Name"`
	Column  string `json:"column" doc:"what it says; - says nothing" example:"name"`
}

// RowView is one row with what it makes.
type RowView struct {
	Line        int         `json:"line" doc:"in the file, from 1" example:"2"`
	Cells       []string    `json:"cells" nullable:"false" doc:"as the file has them" example:"[\"Keller Consulting\"]"`
	Makes       []string    `json:"makes" nullable:"false" enum:"RECEIVER,BANK_ACCOUNT,PAYMENT" doc:"nothing: the payee is known, or the row is left out"`
	Name        string      `json:"name,omitempty" doc:"of the payee, as it is known or will be"`
	OtherName   string      `json:"otherName,omitempty" doc:"what the table calls the payee, where whoever has the account is called otherwise: compare" example:"Keller Consulting"`
	Receiver    string      `json:"receiver,omitempty" doc:"identifier of the payee, if it is known"`
	BankAccount string      `json:"bankAccount,omitempty" doc:"identifier of the account, if it is known"`
	Amount      string      `json:"amount,omitempty" doc:"of the payment; left out where the row has no amount"`
	Currency    string      `json:"currencyIsoCode,omitempty"`
	Transaction string      `json:"transaction,omitempty" doc:"identifier of the transaction that has the payment already, or now" example:"txn_06f2k8s0m4x3v7q9"`
	Faults      []FaultView `json:"faults" nullable:"false" doc:"what is wrong with the row"`
}

// FaultView is one thing that is wrong with a row.
type FaultView struct {
	Column  string `json:"column" doc:"where it is" example:"iban"`
	Code    string `json:"code" doc:"stable name" example:"REQUIRED"`
	Message string `json:"message" example:"is required."`
}

// TotalsView counts.
type TotalsView struct {
	Receivers    int `json:"receivers" doc:"that are made" example:"30"`
	BankAccounts int `json:"bankAccounts" doc:"that are made" example:"30"`
	Payments     int `json:"payments" doc:"that are made" example:"45"`
	Transactions int `json:"transactions" doc:"of at most 30 payments each, that are made" example:"2"`
	MadeBefore   int `json:"madeBefore" doc:"payments that were taken in before, and are not made again" example:"0"`
	Faulty       int `json:"faulty" doc:"rows with something wrong" example:"0"`
}

// TakenView is what became of a table.
type TakenView struct {
	Transactions []string   `json:"transactions" nullable:"false" doc:"identifiers of the drafts that were made" example:"[\"txn_06f2k8s0m4x3v7q9\"]"`
	Rows         []RowView  `json:"rows" nullable:"false" doc:"as they are now"`
	Totals       TotalsView `json:"totals"`
}

// Routes registers the operations.
func (s *Service) Routes(api *web.API) {
	op := func(method, path, id, summary, description string) web.Operation {
		return web.Operation{
			Method:      method,
			Path:        path,
			ID:          id,
			Summary:     summary,
			Description: description,
			Tag:         "imports",
			Access:      web.Tenant,
			Roles:       organisation.Writers(),
			Upload:      &web.UploadRule{MaxBytes: MaxBytes},
			Codes:       []fault.Code{fault.BodyTooLarge},
		}
	}

	check := op(
		"POST",
		"/imports/check",
		"checkImport",
		"Look at a table of payees and payments",
		"Reads a table (CSV with commas, semicolons or tabs, XLSX, or a payment file pain.001; at most 500 rows) and says "+
			"of each row what it would make and what is wrong with it. It changes nothing.",
	)
	check.NoIdempotency = true
	web.Register(api, check, s.check)

	take := op(
		"POST",
		"/imports",
		"takeImport",
		"Take in a table of payees and payments",
		"Makes the payees that are not known, under the organisation's rules about payees, and drafts of 30 payments "+
			"each. Refused as a whole if anything is wrong in a row that is not left out. To take in the same table again "+
			"makes nothing twice.",
	)
	take.Status = 201
	take.Codes = append(take.Codes, fault.OrgNotApproved, fault.Overloaded)
	web.Register(api, take, s.take)

	web.Register(api, web.Operation{
		Method:  "GET",
		Path:    "/imports/template",
		ID:      "readImportTemplate",
		Summary: "A table with the headings that are known",
		Tag:     "imports",
		Access:  web.Tenant,
		Answers: map[string]any{"text/csv": nil},
	}, s.template)
}

// read returns the table of a request, and what is said of it.
func (in options) read(body web.Upload) (Table, Options, error) {
	var l fault.List

	o := Options{Header: in.Header, Without: map[int]bool{}}

	for _, name := range in.Columns {
		column := Column(name)
		if column != Ignored && !slices.Contains(Columns(), column) {
			l.AddParameter("query", "columns[]", fault.NotInEnum, "has no column %q.", name)
		} else if column != Ignored && slices.Contains(o.Columns, column) {
			l.AddParameter("query", "columns[]", fault.NotAllowed, "has the column %s twice.", name)
		}

		o.Columns = append(o.Columns, column)
	}

	for _, line := range in.Without {
		n, _ := strconv.Atoi(line) // its form was checked
		o.Without[n] = true
	}

	content, err := io.ReadAll(body.File)
	if err != nil {
		return Table{}, o, err
	}

	if err := l.Err(); err != nil {
		return Table{}, o, err
	}

	t, err := Read(content, o)

	return t, o, err
}

func (s *Service) check(ctx context.Context, in *checkIn) (*TableView, error) {
	t, o, err := in.read(in.Body)
	if err != nil {
		return nil, err
	}

	entries, err := s.Check(ctx, s.DB, caller.Of(ctx).Organisation, t, o.Without)
	if err != nil {
		return nil, err
	}

	view := &TableView{
		Header:  t.Heads != nil,
		Columns: []ColumnView{},
		Rows:    rowViews(entries),
		Totals:  planned(entries),
	}

	for i, c := range t.Columns {
		v := ColumnView{Column: string(c)}
		if i < len(t.Heads) {
			v.Heading = t.Heads[i]
		}

		view.Columns = append(view.Columns, v)
	}

	return view, nil
}

func (s *Service) take(ctx context.Context, in *takeIn) (*TakenView, error) {
	t, o, err := in.read(in.Body)
	if err != nil {
		return nil, err
	}

	order := Order{Token: in.Token, Wallet: in.WalletAddress, Network: in.Network}

	return web.Once(ctx, 201, takenView, func(done func(*db.Tx, Taken) error) error {
		return s.Take(ctx, t, o, order, done)
	})
}

// template answers with the headings alone, between semicolons, which spreadsheets of all countries divide.
func (s *Service) template(context.Context, *struct{}) (*web.Raw, error) {
	var heads []string
	for _, c := range Columns() {
		heads = append(heads, string(c))
	}

	return &web.Raw{ContentType: "text/csv; charset=utf-8", Body: []byte(strings.Join(heads, ";") + "\r\n")}, nil
}

func rowViews(entries []Entry) []RowView {
	out := []RowView{}
	for _, e := range entries {
		out = append(out, rowView(e))
	}

	return out
}

func rowView(e Entry) RowView {
	v := RowView{
		Line:        e.Line,
		Cells:       e.Cells,
		Makes:       []string{},
		Name:        e.Receiver.Name(),
		OtherName:   e.OtherName,
		Receiver:    e.Receiver.ID,
		BankAccount: e.Account.ID,
		Faults:      []FaultView{},
	}
	if e.Out {
		return v
	}

	if e.NewReceiver() {
		v.Makes = append(v.Makes, "RECEIVER")
	}

	if e.NewAccount() {
		v.Makes = append(v.Makes, "BANK_ACCOUNT")
	}

	if p := e.Payment; p != nil {
		v.Currency = e.Account.Currency
		if money.CheckForm(p.Amount) == nil {
			v.Amount = p.Amount
		}

		v.Transaction = p.Made

		if p.Made == "" {
			v.Makes = append(v.Makes, "PAYMENT")
		}
	}

	for _, f := range e.Faults {
		v.Faults = append(v.Faults, FaultView{f.Pointer, string(f.Code), f.Message})
	}

	return v
}

// planned counts what a table would make, without its faulty rows.
func planned(entries []Entry) (out TotalsView) {
	for _, e := range entries {
		switch {
		case e.Out:
			continue
		case len(e.Faults) > 0:
			out.Faulty++
			continue
		}

		if e.NewReceiver() {
			out.Receivers++
		}

		if e.NewAccount() {
			out.BankAccounts++
		}

		switch {
		case e.Payment == nil:
		case e.Payment.Made != "":
			out.MadeBefore++
		default:
			out.Payments++
		}
	}

	out.Transactions = (out.Payments + ofOne - 1) / ofOne

	return out
}

func takenView(t Taken) TakenView {
	v := TakenView{
		Transactions: append([]string{}, t.Transactions...),
		Rows:         []RowView{},
		Totals: TotalsView{
			Receivers:    t.Receivers,
			BankAccounts: t.Accounts,
			Payments:     t.Payments,
			Transactions: len(t.Transactions),
		},
	}

	for _, e := range t.Entries {
		row := rowView(e)
		row.Makes = []string{}
		v.Rows = append(v.Rows, row)

		if e.Payment != nil && !slices.Contains(t.Transactions, e.Payment.Made) {
			v.Totals.MadeBefore++
		}
	}

	return v
}
