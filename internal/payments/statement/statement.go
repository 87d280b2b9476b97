// Package statement makes PDF documents for people: statements of what a transaction is and has cost, and the
// operator's invoices and credit notes for fees.
//
// It promises that every amount is exact, and sums are sums of what stands above them. A statement contains nothing
// that the caller could not read from the transaction itself. An invoice is made once for a transaction, a credit note
// once for what was given back of it, and a collective invoice once for a month. Their numbers have no gaps within a
// year, and their figures never change. A fee is in one collective invoice at most. A link to a document is valid for
// ten minutes, for whoever holds it, and reveals nothing by itself. It does not promise that later versions render an
// old invoice with the same bytes. VAT is computed by the operator's settings; it does not promise that they are right
// for a customer.
//
// A document is made in two steps: content (types that are stored as JSON) from the transaction, then pages from the
// content alone.
//
// Read in this order: statement.go (the content of a statement), content.go (how it is made from a transaction),
// books.go (what the ledger shows), deposit.go, invoice.go, month.go (collective invoices), home.go (values and VAT),
// figures.go, sums.go (the totals below payments), words.go, render.go, render_invoice.go (pages), wallets.go
// (statements of a month), service.go, store.go, link.go, http.go.
package statement

import "time"

// Amount is a number of an asset, as the money package writes it; it may be negative.
type Amount struct {
	Value string `json:"value"`
	Asset string `json:"asset"`
}

// Party is a name with the lines of an address and further identification.
type Party struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines,omitempty"`
}

// Statement is the content of a statement.
type Statement struct {
	Mark          string    `json:"mark,omitempty"` // above every page
	Issuer        Party     `json:"issuer"`
	Customer      Party     `json:"customer"`
	Brand         string    `json:"brand,omitempty"`  // by which the customer is known
	Colour        string    `json:"colour,omitempty"` // of the customer's brand, #rrggbb
	Logo          string    `json:"logo,omitempty"`   // SHA-256 of its logo
	Transaction   string    `json:"transaction"`
	Type          string    `json:"type"`
	Status        string    `json:"status"`
	Settlement    string    `json:"settlement"`
	Info          string    `json:"info,omitempty"`
	Token         string    `json:"token"`
	Network       string    `json:"network"`
	WalletAddress string    `json:"walletAddress"`
	Reference     string    `json:"reference,omitempty"`
	Sender        string    `json:"sender,omitempty"`
	CreatedAt     time.Time `json:"createdAt"`
	SubmittedAt   time.Time `json:"submittedAt,omitzero"`
	AcceptedAt    time.Time `json:"acceptedAt,omitzero"`
	EndedAt       time.Time `json:"endedAt,omitzero"`
	MadeAt        time.Time `json:"madeAt"`
	Rates         []Rate    `json:"rates,omitempty"`
	Payments      []Payment `json:"payments"`
	// of the price: each total is the sum of all lines above it that are no totals
	Totals   []Sum    `json:"totals,omitempty"`
	Booked   []Sum    `json:"booked,omitempty"` // by account: for each asset they sum to zero
	Sends    []Send   `json:"sends,omitempty"`
	Deposits []Order  `json:"deposits,omitempty"` // ONRAMP: what has arrived at the bank
	Return   *Return  `json:"return,omitempty"`
	Steps    []Step   `json:"steps"`
	Deposit  *Deposit `json:"deposit,omitempty"` // ONRAMP: what is still to be paid, and how
}

// Payment is one payment of the transaction.
type Payment struct {
	ID          string   `json:"id"`
	Receiver    string   `json:"receiver"`
	Destination []string `json:"destination"`
	Reason      string   `json:"reason,omitempty"`
	Reference   string   `json:"reference,omitempty"` // FIAT: the creditor reference that it carries
	Amount      Amount   `json:"amount"`
	Rate        string   `json:"rate,omitempty"`
	FeesOption  string   `json:"feesOption,omitempty"`
	Tokens      *Amount  `json:"tokens,omitempty"` // FIAT: what it costs without fees; ONRAMP: what was delivered
	Fees        *Amount  `json:"fees,omitempty"`   // those of this payment alone
	Status      string   `json:"status"`
	Info        string   `json:"info,omitempty"`
	Orders      []Order  `json:"orders,omitempty"`
}

// Order is an instruction to a bank, or a deposit at it.
type Order struct {
	Rail       string `json:"rail"`
	EndToEndID string `json:"endToEndId,omitempty"`
	UETR       string `json:"uetr,omitempty"`
	Reference  string `json:"reference,omitempty"` // the bank's, or the file that carried it
	Status     string `json:"status"`
	Info       string `json:"info,omitempty"`
}

// Rate is the value of one token in a currency.
type Rate struct {
	Token    string    `json:"token"`
	Currency string    `json:"currency"`
	Rate     string    `json:"rate"`
	AsOf     time.Time `json:"asOf"`
	Source   string    `json:"source"`
}

// Sum is a line of a sum. Total marks the line that ends it.
type Sum struct {
	Label  string `json:"label"`
	Amount Amount `json:"amount"`
	Total  bool   `json:"total,omitempty"`
}

// Send is a transaction on a chain.
type Send struct {
	Network string `json:"network"`
	Hash    string `json:"hash"`
	Block   int64  `json:"block,omitempty"`
	Status  string `json:"status"`
}

// Return is the last money that a bank has sent back.
type Return struct {
	Payment    string    `json:"payment"`
	Amount     Amount    `json:"amount"`
	Deducted   Amount    `json:"deducted"`
	Reason     string    `json:"reason"`
	ReceivedAt time.Time `json:"receivedAt"`
}

// Step is when the transaction reached a state.
type Step struct {
	At         time.Time `json:"at"`
	Status     string    `json:"status"`
	Settlement string    `json:"settlement"`
	Info       string    `json:"info,omitempty"`
}

// Deposit is what the payer of an ONRAMP transaction needs. Code is the text of the QR code for banking apps; empty:
// none can be made.
type Deposit struct {
	Facts        [][2]string `json:"facts"` // label and value
	Instructions string      `json:"instructions"`
	Code         string      `json:"code,omitempty"`
	Swiss        bool        `json:"swiss,omitempty"` // a Swiss QR-bill; else the European Payments Council's
}
