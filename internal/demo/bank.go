//go:build !nosandbox

package demo

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// account is a bank account to pay to. The numbers are examples: nobody has them.
type account struct {
	currency string
	amount   string
	whose    string
	body     object
}

// accounts returns one account in each of five currencies.
func (s *story) accounts() []*account {
	return []*account{
		{
			currency: "EUR",
			amount:   "1250.50",
			whose:    "Alice",
			body:     object{"bankCountry": "DE", "iban": "DE89370400440532013000", "bicSwift": "COBADEFFXXX"},
		},
		{
			currency: "GBP",
			amount:   "800.00",
			whose:    "Bob",
			body:     object{"bankCountry": "GB", "accountNumber": "31926819", "sortCode": "601613"},
		},
		{
			currency: "USD",
			amount:   "2399.99",
			whose:    "Bob",
			body: object{
				"bankCountry":   "US",
				"accountNumber": "1234567100",
				"routingNumber": "021000021",
				"accountType":   "CHECKING",
			},
		},
		{
			currency: "INR",
			amount:   "95000.00",
			whose:    "Bob",
			body:     object{"bankCountry": "IN", "accountNumber": "50100012345100", "ifscCode": "HDFC0000123"},
		},
		{
			currency: "AED",
			amount:   "3670.00",
			whose:    "Alice",
			body: object{
				"bankCountry":   "AE",
				"accountNumber": "AE070331234567890123456",
				"bicSwift":      "EBILAEADXXX",
			},
		},
	}
}

// receiverOf returns the receiver whose account it is.
func (s *story) receiverOf(a *account) string {
	if a.whose == "Alice" {
		return s.aliceID
	}

	return s.bobID
}

// payOut pays tokens out to five bank accounts in five currencies.
func (s *story) payOut(ctx context.Context) error {
	s.t.heading("Tokens become money on five bank accounts")
	list := s.accounts()

	payments := make([]object, len(list))
	for i, a := range list {
		a.body["receiver"] = s.receiverOf(a)
		a.body["currency"] = a.currency

		var got record
		if err := s.c.Call(ctx, "POST", "/bank-accounts", a.body, &got); err != nil {
			return fmt.Errorf("store %s account: %w", a.currency, err)
		}

		payments[i] = object{
			"type":            "FIAT",
			"receiver":        s.receiverOf(a),
			"bankAccount":     got.ID,
			"amount":          a.amount,
			"currencyIsoCode": a.currency,
			"reason":          fmt.Sprintf("Invoice 2026-%d", 201+i),
		}
	}

	s.t.done("bank accounts of Alice and Bob in EUR, GBP, USD, INR and AED are stored and checked")

	t, err := s.accepted(ctx, object{
		"type":          "FIAT",
		"token":         "USDC",
		"walletAddress": s.payer.Address.Hex(),
		"payments":      payments,
	})
	if err != nil {
		return err
	}

	if err := s.followOne(ctx, &t, "waiting for chain, market and bank"); err != nil {
		return err
	}

	s.fiat = append(s.fiat, t)

	return s.payouts(t)
}

// payouts prints what each payment cost and how it left.
func (s *story) payouts(t transactionAnswer) error {
	var rows [][]string
	for _, p := range t.Payments {
		at := t.atBank(p)
		if p.Status != "COMPLETED" || at.EndToEndID == "" {
			return fmt.Errorf("payment of %s %s is %s, at the bank %q", p.Amount, p.Currency, p.Status, at.Status)
		}

		rows = append(rows, []string{p.Amount, p.Currency, at.Rail, p.TokenAmount, at.Status, at.EndToEndID})
	}

	s.t.table([]string{"paid>", "in", "rail", "USDC>", "at the bank", "endToEndId"}, rows)
	s.t.done("%s USDC were taken: the payments at the locked rates, and the fees%s", t.Totals.TokenDebit, feesOf(t))

	return nil
}

// feesOf returns the sums of the fees by type, in words.
func feesOf(t transactionAnswer) string {
	sums := map[string]*big.Rat{}

	order := []string{}
	for _, f := range t.Fees {
		r, ok := new(big.Rat).SetString(f.Amount)
		if !ok {
			continue
		}

		if sums[f.Type] == nil {
			sums[f.Type] = new(big.Rat)
			order = append(order, f.Type)
		}

		sums[f.Type].Add(sums[f.Type], r)
	}

	out := ""
	for _, kind := range order {
		out += fmt.Sprintf(", %s %s", kind, sums[kind].FloatString(6))
	}

	return out
}

// deposit turns money on a bank account into tokens in the wallet.
func (s *story) deposit(ctx context.Context) error {
	s.t.heading("A bank deposit becomes tokens")

	body := object{
		"type":           "ONRAMP",
		"token":          "USDC",
		"walletAddress":  s.payer.Address.Hex(),
		"amountCurrency": "EUR",
		"payments":       []object{{"type": "ONRAMP", "receiver": s.self, "amount": "2500.00"}},
	}
	if err := s.c.Call(ctx, "POST", "/transactions", body, &s.onramp); err != nil {
		return fmt.Errorf("create on-ramp: %w", err)
	}

	at := "/transactions/" + s.onramp.ID
	if err := s.c.Call(ctx, "POST", at+"/submit", object{"sender": organisationName}, &s.onramp); err != nil {
		return fmt.Errorf("submit on-ramp: %w", err)
	}

	var d struct {
		Bank      string `json:"bankName"`
		IBAN      string `json:"iban"`
		Reference string `json:"reference"`
		Amount    string `json:"amount"`
		Currency  string `json:"currencyIsoCode"`
	}
	if err := s.c.Call(ctx, "GET", at+"/bank-details", nil, &d); err != nil {
		return fmt.Errorf("bank details: %w", err)
	}

	s.t.done("%s: send %s %s to %s with the reference %s", s.onramp.Status, d.Amount, d.Currency, d.IBAN, d.Reference)

	if err := s.c.Call(ctx, "POST", "/sandbox/deposits", object{
		"reference":  d.Reference,
		"amount":     d.Amount,
		"currency":   d.Currency,
		"senderName": organisationName,
	}, nil); err != nil {
		return fmt.Errorf("deposit: %w", err)
	}

	s.t.done("the bank books the deposit and advises it (camt.054)")

	if err := s.followOne(ctx, &s.onramp, "waiting for bank, market and chain"); err != nil {
		return err
	}

	s.t.done("%s USDC are in the wallet", s.onramp.Totals.TokenCredit)

	return nil
}

// endOfDay has the bank close its day, and compares three books: the bank's own, its statement as we have read it, and
// our ledger.
func (s *story) endOfDay(ctx context.Context) error {
	s.t.heading("The bank closes its day; its books, its statements and the ledger")

	if err := s.c.Call(ctx, "POST", "/sandbox/bank", object{"op": "statement"}, nil); err != nil {
		return fmt.Errorf("end of day: %w", err)
	}

	used := map[string]bool{"EUR": true}
	for _, t := range s.fiat {
		for _, p := range t.Payments {
			used[p.Currency] = true
		}
	}

	var rows [][]string
	for _, h := range s.World.Bank.Accounts() {
		if !used[h.Currency] {
			continue
		}

		row, err := s.compare(ctx, h.ID, money.Asset{Code: h.Currency, Decimals: 2}, h.Opening)
		if err != nil {
			return err
		}

		rows = append(rows, row)
	}

	s.t.table([]string{"account", "opening>", "closing (camt.053)>", "bank's own books>", "ledger>"}, rows)

	return s.executions(ctx)
}

// compare waits for an account's statement and returns a row of its figures, or an error if they differ.
func (s *story) compare(ctx context.Context, house string, asset money.Asset, opened string) ([]string, error) {
	opening, err := money.Parse(asset, opened)
	if err != nil {
		return nil, err
	}

	units, err := s.World.Bank.Balance(ctx, house)
	if err != nil {
		return nil, err
	}

	own := money.FromUnits(asset, units)

	var said money.Amount
	s.t.doing("waiting for the statement of " + house)
	err = s.until(ctx, 20*time.Second, func() (bool, error) {
		b, err := s.Bank.LatestBalance(ctx, s.DB, house)
		if errors.Is(err, db.ErrNone) {
			return false, nil
		}

		said = b.Amount

		return err == nil && said.Cmp(own) == 0, err
	})
	s.t.still()

	if err != nil {
		return nil, fmt.Errorf("the statement of %s says %s, the bank's books %s: %w", house, said, own, err)
	}

	book, err := ledger.BalanceOf(ctx, s.DB, ledger.BankAccount(house), asset)
	if err != nil {
		return nil, err
	}

	if opening.Add(book).Cmp(own) != 0 {
		return nil, fmt.Errorf("on %s the ledger has moved %s from %s, but the bank has %s", house, book, opening, own)
	}

	return []string{house, opening.String(), said.String(), own.String(), book.String()}, nil
}

// executions makes sure that the bank has executed each payment once, with the amount that was ordered, and nothing
// else.
func (s *story) executions(ctx context.Context) error {
	list, err := s.World.Bank.Payments(ctx)
	if err != nil {
		return err
	}

	ordered := map[string]string{}
	for _, t := range s.fiat {
		for _, p := range t.Payments {
			ordered[t.atBank(p).EndToEndID] = p.Amount + " " + p.Currency
		}
	}

	for _, p := range list {
		if got := p.Amount + " " + p.Currency; ordered[p.EndToEndID] != got || p.Executed != 1 {
			const differs = "the bank has executed %s of %s %d times, ordered was %q"
			return fmt.Errorf(differs, got, p.EndToEndID, p.Executed, ordered[p.EndToEndID])
		}

		delete(ordered, p.EndToEndID)
	}

	if len(ordered) > 0 {
		return fmt.Errorf("the bank has not executed %v", ordered)
	}

	wrong, err := s.World.Bank.Check(ctx)
	if err != nil || len(wrong) > 0 {
		return errors.Join(err, fmt.Errorf("the bank's books: %v", wrong))
	}

	s.t.done("the bank has executed each of the %d payments once, and its own books are sound", len(list))

	return nil
}

// files prints where the files are that went to the bank and came from it.
func (s *story) files(ctx context.Context) error {
	s.t.heading("Bank files, left to look at")

	out, err := s.Bank.Files(ctx, s.DB, "", "", 100)
	if err != nil {
		return err
	}

	var rows [][]string
	for i := len(out) - 1; i >= 0; i-- {
		f := out[i]

		path, err := one(filepath.Join(s.World.BankFolder, "archive", "*_"+f.Name))
		if err != nil {
			return err
		}

		rows = append(rows, []string{"to the bank", "pain.001", fmt.Sprintf("%s, sum %s", f.Rail, f.ControlSum), path})
	}

	in, err := s.Bank.Inbox(ctx, s.DB, "", "", 100)
	if err != nil {
		return err
	}

	for i := len(in) - 1; i >= 0; i-- {
		f := in[i]

		outbox := filepath.Join(s.World.BankFolder, "outbox") // a file is moved once it was read

		path, err := one(filepath.Join(outbox, f.Name), filepath.Join(outbox, "done", f.Name))
		if err != nil {
			return err
		}

		what := map[string]string{"pain.002": "status report", "camt.054": "advice", "camt.053": "statement"}[f.Kind]
		rows = append(rows, []string{"from the bank", f.Kind, what, path})
	}

	s.t.table([]string{"file", "message", "what it is", "where it lies"}, rows)

	return nil
}

// one returns the only file that matches the first pattern that any file matches, relative to the folder where the demo
// was started if that is shorter.
func one(patterns ...string) (string, error) {
	var (
		found []string
		err   error
	)
	for _, pattern := range patterns {
		if found, err = filepath.Glob(pattern); err != nil || len(found) > 0 {
			break
		}
	}

	if err != nil || len(found) != 1 {
		return "", errors.Join(err, fmt.Errorf("%d files %s, not one", len(found), strings.Join(patterns, " or ")))
	}

	here, err := os.Getwd()
	if err != nil {
		return found[0], nil
	}

	if near, err := filepath.Rel(here, found[0]); err == nil && len(near) < len(found[0]) {
		return near, nil
	}

	return found[0], nil
}
