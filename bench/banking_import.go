//go:build !nosandbox

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/identity/approval"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
	"slipway/internal/payments/settlement"
	"slipway/internal/payments/transaction"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/platform/secret"
	"slipway/internal/rails/bank"
	"slipway/internal/schema"
)

// house is the account that the measured statement is of.
var house = bank.HouseAccount{
	ID:         "eur",
	Currency:   "EUR",
	Country:    "DE",
	IBAN:       "DE89370400440532013000",
	BIC:        "COBADEFFXXX",
	Holder:     "Slipway GmbH",
	HolderTown: "Berlin",
	BankName:   "Bank",
	Rails:      []string{"SEPA"},
}

// payout is one of those that the statement books.
func payout(n int) bank.Payout {
	return bank.Payout{
		Key:        effect.PayoutOf("txn_bench", n).String(),
		Object:     "txn_bench",
		From:       house.ID,
		Rail:       "SEPA",
		Charges:    "SHA",
		Amount:     money.FromUnits(bank.Asset("EUR"), big.NewInt(1000)),
		Creditor:   bank.Party{Name: "Jörg Müller", Town: "Wien", Country: "AT"},
		Account:    bank.AccountIDs{IBAN: "AT611904300234573201", Country: "AT"},
		Remittance: fmt.Sprintf("Invoice %d", n),
	}
}

// importing writes a payment file and then takes a statement in, beside the same rows inserted, matched and posted in
// bare SQL.
func (b *bench) importing(ctx context.Context, database, statement string) error {
	written := figure{
		name:     fmt.Sprintf("pain.001 of %d payments written, checked and stored, %s", payoutFile, database),
		must:     1,
		goal:     1,
		below:    true,
		unit:     "s",
		yardName: "-",
		load:     loadAverage(),
	}

	whole := figure{
		name:     fmt.Sprintf("import of %d entries: parse, store, match, post, %s", statementEntries, database),
		must:     2,
		goal:     1.25,
		below:    true,
		unit:     "s",
		yardName: "bulk INSERT, match and post, s",
		load:     loadAverage(),
	}
	for range min(b.Rounds, 3) {
		file, took, rows, err := b.imported(ctx, database, statement)
		if err != nil {
			return err
		}

		bare, err := b.bareImport(ctx, database, rows)
		if err != nil {
			return fmt.Errorf("yardstick: %w", err)
		}

		written.ratios = append(written.ratios, file.Seconds())
		whole.ours = append(whole.ours, took.Seconds())
		whole.yard = append(whole.yard, bare.Seconds())
		whole.ratios = append(whole.ratios, took.Seconds()/bare.Seconds())
	}

	written.ours = written.ratios
	b.report.add(written)
	b.report.add(whole)

	return nil
}

// imported runs the service's own way: payouts planned, a file written and handed over, the statement imported, its
// deposits matched.
func (b *bench) imported(
	ctx context.Context,
	database, statement string,
) (file, took time.Duration, rows [][]any, err error) {
	d, drop, err := b.open(ctx, database)
	if err != nil {
		return 0, 0, nil, err
	}

	defer func() { err = errors.Join(err, drop()) }()

	desk, err := b.prepare(ctx, d)
	if err != nil {
		return 0, 0, nil, err
	}

	begin := time.Now()

	if err := desk.writer.Work(ctx); err != nil {
		return 0, 0, nil, err
	}

	file = time.Since(begin)

	for range 2 { // hands it over, then tells of its payouts
		if err := desk.sender.Work(ctx); err != nil {
			return 0, 0, nil, err
		}
	}

	if took, err = desk.take(ctx, statement); err != nil {
		return 0, 0, nil, err
	}

	if err := desk.check(ctx, d); err != nil {
		return 0, 0, nil, err
	}

	rows, err = storedEntries(ctx, d)

	return file, took, rows, err
}

// take imports the statement and matches what it brings while more of it is booked, as the service does: each write
// that stores deposits demands the job that matches them.
func (k *desk) take(ctx context.Context, statement string) (time.Duration, error) {
	in, err := os.Open(statement)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	begin := time.Now()

	demand := make(chan struct{}, 1)
	matching := make(chan error, 1)

	go func() {
		var err error
		for range demand {
			err = errors.Join(err, k.Deposits.Match(ctx))
		}

		matching <- errors.Join(err, k.Deposits.Match(ctx)) // what the last write stored
	}()

	report, err := k.sender.Import(ctx, "statement.xml", in, func(int64, int) {
		select {
		case demand <- struct{}{}:
		default: // demanded already
		}
	})

	close(demand)
	matched := <-matching

	took := time.Since(begin)

	if err == nil && (report.Outcome != bank.Imported || report.Matched != statementPayouts) {
		err = fmt.Errorf("%s, %d payouts booked: %s", report.Outcome, report.Matched, report.Reason)
	}

	return took, errors.Join(err, matched)
}

// check looks whether every deposit is where it belongs, and whether the book is sound and agrees.
func (k *desk) check(ctx context.Context, d *db.DB) error {
	matched, err := db.Value[int64](ctx, d, countMatched)
	if err != nil {
		return err
	}

	rest, err := db.Value[int64](ctx, d, countSuspense)
	if err != nil {
		return err
	}

	if matched != statementDeposits || rest != statementEntries-statementPayouts-statementDeposits {
		return fmt.Errorf("%d deposits are matched, %d in suspense", matched, rest)
	}

	for {
		if n, err := ledger.Seal(ctx, d, nil); err != nil || n == 0 {
			break
		}
	}

	book, err := ledger.Verify(ctx, d, ledger.Proof{})
	if err == nil && (len(book.Faults) > 0 || book.Unsealed > 0) {
		err = fmt.Errorf("the book is not sound: %d journals without a link, %v", book.Unsealed, book.Faults)
	}

	if err != nil {
		return err
	}

	have, err := ledger.BalanceOf(ctx, d, ledger.BankAccount(house.ID), bank.Asset(house.Currency))
	if err == nil && have.Units().Int64() != statementSum() {
		err = fmt.Errorf("the book has %s on the house's account", have)
	}

	return err
}

// keyring seals what an import stores, as the service's does.
func keyring() *secret.Keyring {
	keys, err := secret.ParseKeyring(secret.NewKey("bench"))
	if err != nil {
		panic(err) // it was made a moment ago
	}

	return keys
}

// open makes a database with the service's schema.
func (b *bench) open(ctx context.Context, database string) (*db.DB, func() error, error) {
	address, err := b.fresh(ctx, database)
	if err != nil {
		return nil, nil, err
	}

	d, err := db.Open(ctx, db.Config{URL: address, Keys: keyring()})
	if err != nil {
		return nil, nil, err
	}

	drop := func() error {
		err := d.Close()
		b.drop(ctx, address)
		return err
	}
	if _, err := d.Migrate(ctx, schema.Files()); err != nil {
		return nil, nil, errors.Join(err, drop())
	}

	return d, drop, nil
}

// desk is what takes part in an import: two rails on the same rows (one that has no way to the bank and so only
// writes files, and one that hands them over), and settlement, which they tell. A payout here is of no transaction:
// its booking is posted, and that is all; what is of the payment's transaction and not of the statement is left out.
type desk struct {
	*settlement.Service
	writer, sender *bank.Rail
}

// HandedOver has nothing to do here.
func (*desk) HandedOver(context.Context, *db.Tx, bank.Payout) error { return nil }

// Booked posts that a payout left the house's account.
func (*desk) Booked(_ context.Context, tx *db.Tx, p bank.Payout, e bank.Entry) error {
	key, _ := effect.Parse(p.Key)

	return chart.Post(tx, chart.PayoutBooked{
		Payout: chart.Payout{
			Of:      chart.Of{Organisation: "org_bench", Transaction: p.Object},
			Key:     key,
			Rail:    p.Rail,
			Payment: p.Object,
			Amount:  p.Amount,
		},
		Receiver: "rcv_bench",
		Booked:   chart.Booking{House: p.From, Amount: e.Amount, Memo: p.EndToEndID},
	})
}

// openDesk makes a desk that keeps its files in a folder.
func openDesk(d *db.DB, dir string) (*desk, error) {
	ch, err := bank.NewFolder(filepath.Join(dir, "to-bank"), filepath.Join(dir, "from-bank"))
	if err != nil {
		return nil, err
	}

	log := slog.New(slog.DiscardHandler)
	k := &desk{Service: settlement.New(settlement.Deps{
		DB:           d,
		Transactions: transaction.New(transaction.Deps{DB: d}),
		Approvals:    approval.New(approval.Deps{DB: d}),
		Jobs:         jobs.New(d, log, jobs.Config{}),
		Log:          log,
	})}

	config := bank.Config{
		DB:       d,
		Observer: k,
		Read:     settlement.Read(d),
		Accounts: []bank.HouseAccount{house},
		Archive:  filepath.Join(dir, "archive"),
	}
	if k.writer, err = bank.New(config); err != nil {
		return nil, err
	}

	config.Channel = ch
	k.sender, err = bank.New(config)

	return k, err
}

// prepare plans the payouts and submits the on-ramps that the statement is about.
func (b *bench) prepare(ctx context.Context, d *db.DB) (*desk, error) {
	dir, err := os.MkdirTemp(b.dir, "bank-")
	if err != nil {
		return nil, err
	}

	k, err := openDesk(d, dir)
	if err != nil {
		return nil, err
	}

	if err := d.Write(ctx, insertDepositors); err != nil {
		return nil, err
	}

	const at = 500
	for from := 0; from < max(statementPayouts, statementDeposits); from += at {
		if err := d.Write(ctx, func(tx *db.Tx) error {
			// What the payouts were converted from stands on the clearing account already.
			amount := money.FromUnits(bank.Asset("EUR"), big.NewInt(1000*at))
			if err := ledger.Post(tx, ledger.Journal{
				Key:  fmt.Sprintf("bench/converted/%d", from),
				Kind: "convert",
				Postings: []ledger.Posting{
					{
						Account: ledger.BankClearing("SEPA"),
						Amount:  amount,
					}, {Account: ledger.FxAccount("USDC", "EUR"), Amount: amount.Neg()},
				},
			}); err != nil {
				return err
			}

			for i := from; i < from+at; i++ {
				if err := k.writer.Plan(tx, payout(i)); err != nil {
					return err
				}

				await(tx, i)
			}

			return nil
		}); err != nil {
			return nil, err
		}
	}

	return k, nil
}

var (
	insertAwaited = db.InsertInto("transactions", bareTransaction)
	insertItem    = db.InsertInto("payments", barePayment)
	insertTerms   = db.InsertInto(
		"transaction_terms",
		"transaction_id, currency, decimals, fiat_units, reference, house, sender, expires_at",
	)
)

// depositors is how many organisations the on-ramps belong to.
const depositors = 100

func depositor(n int) string { return fmt.Sprintf("org_bench%05d", n%depositors) }

var insertDepositor = db.InsertInto(
	"organisations",
	"id, organisation_type, name, reference_code, onboarding_status, created_by, version, created_at, updated_at",
)

// insertDepositors stores the organisations, each under the name by which the bank tells of its deposits.
func insertDepositors(tx *db.Tx) error {
	now := db.Micros(tx.Now)
	for n := range depositors {
		tx.Insert(
			insertDepositor,
			depositor(n),
			"COMPANY",
			customer(depositEntry(n)),
			depositor(n),
			"APPROVED",
			"usr_bench",
			int64(1),
			now,
			now,
		)
	}

	return nil
}

// await stores an on-ramp that waits for the deposit of one entry.
func await(tx *db.Tx, n int) {
	now := db.Micros(tx.Now)

	told := must(json.Marshal(transaction.DepositAccount{
		ID:       house.ID,
		Currency: house.Currency,
		Country:  house.Country,
		IBAN:     house.IBAN,
		Rail:     "SEPA",
	}))

	name := fmt.Sprintf("txn_bench%08d", n)
	entry := depositEntry(n)

	tx.Insert(
		insertAwaited,
		name,
		depositor(n),
		int64(n+1),
		string(transaction.TypeOnramp),
		string(transaction.StatusWaiting),
		string(transaction.SettlementAwaiting),
		"USDC",
		int64(6),
		"net_bench",
		"wal_bench",
		"0x00000000000000000000000000000000000000aa",
		"0",
		"",
		"usr_bench",
		now,
		now,
		int64(3),
	)

	tx.Insert(
		insertItem,
		name,
		int64(0),
		"0",
		"on-ramp",
		"rcv_bench",
		bareSnapshot,
		"0x00000000000000000000000000000000000000aa",
		"EOA",
		"net_bench",
		now,
	)

	tx.Insert(
		insertTerms,
		name,
		"EUR",
		int64(2),
		fmt.Sprint(cents(entry)),
		depositReference(n),
		string(told),
		customer(entry),
		db.Micros(tx.Now.AddDate(1, 0, 0)),
	)
}

func must(raw []byte, err error) []byte {
	if err != nil {
		panic(err) // of a struct of texts
	}

	return raw
}
