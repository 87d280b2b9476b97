package statement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"slipway/internal/identity/brand"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/paper"
)

// Render returns a statement as a PDF document of A4 pages. logo is the picture that the content names, or nil where it
// is not kept any more. The same content and logo give the same bytes.
func Render(st Statement, logo *paper.Picture) ([]byte, error) {
	p := page{
		Sheet: paper.New(paper.Info{
			Title:  "Statement of transaction " + st.Transaction,
			Made:   st.MadeAt,
			Footer: "Made " + when(st.MadeAt),
			Mark:   st.Mark,
			Brand:  st.Brand,
			Logo:   logo,
			Colour: colourOf(st.Colour),
		}),
		st: st,
		f:  figures{},
	}
	p.measure()

	title := "Statement of transaction"
	if st.Status == string(transaction.StatusDraft) {
		title = "Draft of a transaction"
	}

	p.Title(title, issuerLines(st.Issuer)...)
	p.head()

	if err := p.deposit(); err != nil {
		return nil, err
	}

	p.payments()
	p.totals()
	p.returned()
	p.sends()
	p.booked()
	p.steps()

	return p.Bytes()
}

// page is a statement being rendered.
type page struct {
	*paper.Sheet
	st Statement
	f  figures
}

// measure determines how many decimals each asset needs.
func (p page) measure() {
	for _, x := range p.st.Payments {
		p.f.see(x.Amount)

		for _, a := range []*Amount{x.Tokens, x.Fees} {
			if a != nil {
				p.f.see(*a)
			}
		}
	}

	for _, x := range slices.Concat(p.st.Totals, p.st.Booked) {
		p.f.see(x.Amount)
	}

	if r := p.st.Return; r != nil {
		p.f.see(r.Amount, r.Deducted)
	}
}

// colourOf returns a brand's colour, or black.
func colourOf(colour string) [3]int {
	red, green, blue := brand.Channels(colour)

	return [3]int{red, green, blue}
}

func issuerLines(issuer Party) []string {
	if issuer.Name == "" {
		return nil
	}

	return append([]string{issuer.Name}, issuer.Lines...)
}

// kindWords and statusWords explain the interface's words in plain language.
var (
	kindWords = map[string]string{
		"CRYPTO": "Tokens to wallets",
		"FIAT":   "Tokens to bank accounts",
		"ONRAMP": "Deposit into tokens",
	}
	statusWords = map[string]string{
		"DRAFT":                "Nothing is decided: it can be changed, and nothing has been paid.",
		"WAITING_ACCEPTANCE":   "It cannot be changed any more and waits for acceptance. Nothing has been paid.",
		"PROCESSING":           "It is being carried out. It is not final yet.",
		"RELEASED":             "Value is under way. It is not final yet.",
		"COMPLETED":            "It has come to its end.",
		"FAILED":               "It has come to its end, and nothing was paid.",
		"REJECTED_BY_PLATFORM": "It was refused in review. Nothing was paid.",
	}
)

func (p page) head() {
	st := p.st

	status := statusWords[st.Status]
	if st.Status == "WAITING_ACCEPTANCE" && st.Type == "ONRAMP" {
		status = "It cannot be changed any more and waits for the deposit."
		if st.Deposit == nil {
			status = "A deposit has come; the tokens are not delivered yet."
		}
	}

	var rates []string
	for _, r := range st.Rates {
		rates = append(
			rates,
			fmt.Sprintf("1 %s = %s %s", r.Token, r.Rate, r.Currency),
			"as of "+when(r.AsOf)+" · "+r.Source,
		)
	}

	rate := paper.Fact{Label: "Rate"}
	if len(rates) > 0 {
		rate.Value = rates[0]
		rate.Small = rates[1:]
	}

	p.Facts([]paper.Fact{
		{Label: "For", Value: st.Customer.Name, Small: st.Customer.Lines},
		{Label: "Type", Value: word(kindWords, st.Type)},
		{Label: "Status", Value: word(statusNames, st.Status), Small: []string{status, p.outcome(), st.Info}},
		{Label: "Settlement", Value: settlementWord(st.Type, st.Settlement)},
	}, []paper.Fact{
		{Label: "Created", Value: when(st.CreatedAt)},
		{Label: "Submitted", Value: when(st.SubmittedAt)},
		{Label: "Accepted", Value: when(st.AcceptedAt)},
		{Label: "Ended", Value: when(st.EndedAt)},
		{Label: "Network", Value: st.Network},
		{Label: "Reference", Value: st.Reference},
		{Label: "Sender", Value: st.Sender},
		rate,
	})
	p.Facts([]paper.Fact{
		{Label: "Transaction", Value: st.Transaction},
		{Label: walletWords(st.Type), Value: st.WalletAddress},
	})
}

func walletWords(kind string) string {
	if kind == "ONRAMP" {
		return "Paid out to"
	}

	return "Paid from"
}

// outcome returns how many payments of an ended transaction had which outcome, if they differ.
func (p page) outcome() string {
	counts, order := p.counts()
	if len(order) < 2 {
		return ""
	}

	var parts []string
	for _, s := range order {
		parts = append(parts, strconv.Itoa(counts[s])+" "+strings.ToLower(word(paymentNames, s)))
	}

	return fmt.Sprintf("Of %d payments: %s.", len(p.st.Payments), strings.Join(parts, ", "))
}

// counts returns how many payments are in each state, and the states in the order of first appearance.
func (p page) counts() (counts map[string]int, order []string) {
	counts = map[string]int{}
	for _, x := range p.st.Payments {
		if counts[x.Status]++; counts[x.Status] == 1 {
			order = append(order, x.Status)
		}
	}

	return counts, order
}

func (p page) deposit() error {
	d := p.st.Deposit
	if d == nil {
		return nil
	}

	p.Heading("To be paid")

	facts := []paper.Fact{{Label: "Amount", Value: p.f.with(p.st.Payments[0].Amount)}}
	for _, x := range d.Facts {
		facts = append(facts, paper.Fact{Label: x[0], Value: x[1]})
	}

	facts = append(facts, paper.Fact{Label: "How", Small: []string{d.Instructions}})
	if d.Code == "" {
		p.Facts(facts)
		return nil
	}

	symbol := paper.Symbol{Payload: d.Code, Caption: "Payment code for banking apps (EPC, SEPA credit transfer)"}
	if d.Swiss {
		symbol.Caption = "Swiss QR code for banking apps"
		symbol.Cross = true
	}

	return p.FactsBeside(symbol, facts)
}

func (p page) payments() {
	switch p.st.Type {
	case "FIAT":
		p.Heading("Payments")
		p.fiat()
	case "ONRAMP":
		p.Heading("Delivery")
		p.onramp()
	default:
		p.Heading("Payments")
		p.crypto()
	}
}

// below returns the lines under a payment: destination, purpose, and the instruction to the bank.
func (p page) below(x Payment) []string {
	out := []string{strings.Join(x.Destination, " · ")}
	if x.Reason != "" {
		out = append(out, "Reason: "+x.Reason)
	}

	if x.Reference != "" {
		out = append(out, "Reference: "+x.Reference)
	}

	terms := []string{x.ID}
	if x.FeesOption != "" {
		terms = append(terms, "banks' fees "+x.FeesOption)
	}

	if x.Rate != "" && x.Tokens != nil {
		terms = append(terms, "1 "+p.st.Token+" = "+x.Rate+" "+x.Amount.Asset)
	}

	out = append(out, strings.Join(terms, " · "))
	for _, o := range x.Orders {
		out = append(out, o.text())
	}

	if x.Info != "" {
		out = append(out, "Note: "+x.Info)
	}

	return out
}

// text returns an instruction in one line.
func (o Order) text() string {
	parts := []string{strings.ReplaceAll(o.Rail, "_", " "), spelled(o.Status)}
	info := o.Info

	if o.Rail == "DEPOSIT" {
		parts[0] = "Deposit"
		info = spelled(o.Info) // a code; of a payout it is the bank's text
	}

	reference := o.Reference
	if o.EndToEndID != "" {
		reference = "" // for a payout it is the name of a file
	}

	for _, x := range [][2]string{
		{"end-to-end", o.EndToEndID},
		{"UETR", o.UETR},
		{"bank reference", reference},
		{"", info},
	} {
		if x[1] != "" {
			parts = append(parts, strings.TrimSpace(x[0]+" "+x[1]))
		}
	}

	return strings.Join(parts, " · ")
}

func number(i int) paper.Cell { return paper.C(strconv.Itoa(i + 1)) }

func (p page) crypto() {
	t := paper.Table{Columns: []paper.Column{
		{Title: "#", Fit: true, Right: true},
		{Title: "Receiver"},
		{Title: "Amount", Fit: true, Right: true},
		{Fit: true},
		{Title: "Status", Fit: true},
	}}
	for i, x := range p.st.Payments {
		t.Rows = append(t.Rows, paper.Row{
			Below: p.below(x),
			Cells: []paper.Cell{
				number(i), paper.C(x.Receiver), paper.C(p.f.show(x.Amount)), paper.C(x.Amount.Asset),
				paper.C(word(paymentNames, x.Status)),
			},
		})
	}

	for _, s := range p.sums() {
		t.Rows = append(t.Rows, paper.Row{
			Strong: s.strong,
			Cells:  []paper.Cell{{}, paper.C(s.label), paper.C(p.f.show(s.amount)), paper.C(s.amount.Asset), {}},
		})
	}

	p.Table(t)
}

func (p page) fiat() {
	token := p.st.Token

	t := paper.Table{Columns: []paper.Column{
		{Title: "#", Fit: true, Right: true},
		{Title: "Receiver"},
		{Title: "Amount", Fit: true, Right: true},
		{Fit: true},
		{Title: "Cost without fees, " + token, Fit: true, Right: true},
		{Title: "Own fees, " + token, Fit: true, Right: true},
		{Title: "Status", Fit: true},
	}}
	for i, x := range p.st.Payments {
		t.Rows = append(t.Rows, paper.Row{
			Below: p.below(x),
			Cells: []paper.Cell{
				number(i), paper.C(x.Receiver), paper.C(p.f.show(x.Amount)), paper.C(x.Amount.Asset),
				paper.C(p.optional(x.Tokens)), paper.C(p.optional(x.Fees)), paper.C(word(paymentNames, x.Status)),
			},
		})
	}

	for _, s := range p.sums() {
		t.Rows = append(t.Rows, paper.Row{
			Strong: s.strong,
			Cells: []paper.Cell{
				{},
				paper.C(s.label), paper.C(p.f.show(s.amount)), paper.C(s.amount.Asset),
				paper.C(p.optional(s.tokens)), paper.C(p.optional(s.fees)),
				{},
			},
		})
	}

	p.Table(t)
}

func (p page) onramp() {
	t := paper.Table{Columns: []paper.Column{
		{Title: "Receiver"},
		{Title: "Deposit", Fit: true, Right: true},
		{Fit: true},
		{Title: "Delivered", Fit: true, Right: true},
		{Fit: true},
		{Title: "Status", Fit: true},
	}}
	for _, x := range p.st.Payments {
		below := p.below(x)
		for _, o := range p.st.Deposits {
			below = append(below, o.text())
		}

		delivered := p.optional(x.Tokens)

		token := ""
		if delivered != "" {
			token = p.st.Token
		}

		t.Rows = append(t.Rows, paper.Row{
			Below: below,
			Cells: []paper.Cell{
				paper.C(x.Receiver), paper.C(p.f.show(x.Amount)), paper.C(x.Amount.Asset), paper.C(delivered),
				paper.C(token), paper.C(word(paymentNames, x.Status)),
			},
		})
	}

	p.Table(t)
}

func (p page) optional(a *Amount) string {
	if a == nil {
		return ""
	}

	return p.f.show(*a)
}

func (p page) totals() {
	if len(p.st.Totals) == 0 {
		return
	}

	p.Heading("Price")
	p.sumTable("What it is made of", p.st.Totals)
}

func (p page) booked() {
	if len(p.st.Booked) == 0 {
		return
	}

	p.Heading("In the books")
	p.sumTable("What was taken from (−) and came to (+)", p.st.Booked)
}

func (p page) sumTable(title string, sums []Sum) {
	t := paper.Table{Columns: []paper.Column{{Title: title}, {Title: "Amount", Fit: true, Right: true}, {Fit: true}}}
	for _, s := range sums {
		t.Rows = append(t.Rows, paper.Row{
			Strong: s.Total,
			Cells:  []paper.Cell{paper.C(s.Label), paper.C(p.f.show(s.Amount)), paper.C(s.Amount.Asset)},
		})
	}

	p.Table(t)
}

func (p page) returned() {
	r := p.st.Return
	if r == nil {
		return
	}

	p.Heading("Sent back by the bank")
	p.Facts([]paper.Fact{{Label: "Payment", Value: r.Payment}, {Label: "Reason", Value: r.Reason}},
		[]paper.Fact{
			{Label: "Received", Value: when(r.ReceivedAt)},
			{Label: "Amount", Value: p.f.with(r.Amount)},
			{Label: "Deducted", Value: p.f.with(r.Deducted)},
		})
}

func (p page) sends() {
	if len(p.st.Sends) == 0 {
		return
	}

	p.Heading("On the chain")

	t := paper.Table{Columns: []paper.Column{
		{Title: "Transaction hash"},
		{Title: "Block", Fit: true, Right: true},
		{Title: "Status", Fit: true},
	}}
	for _, s := range p.st.Sends {
		block := ""
		if s.Block > 0 {
			block = strconv.FormatInt(s.Block, 10)
		}

		t.Rows = append(t.Rows, paper.Row{Cells: []paper.Cell{
			paper.C(s.Hash),
			paper.C(block),
			paper.C(spelled(s.Status)),
		}})
	}

	p.Table(t)
}

func (p page) steps() {
	p.Heading("History")

	t := paper.Table{Columns: []paper.Column{
		{Title: "Time", Fit: true},
		{Title: "Status", Fit: true},
		{Title: "Settlement", Fit: true},
		{Title: "Note"},
	}}
	for _, s := range p.st.Steps {
		t.Rows = append(t.Rows, paper.Row{Cells: []paper.Cell{
			paper.C(when(s.At)),
			paper.C(word(statusNames, s.Status)),
			paper.C(settlementWord(p.st.Type, s.Settlement)),
			paper.C("", s.Info),
		}})
	}

	p.Table(t)
}
