//go:build !nosandbox

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/payments/reconcile"
	"slipway/internal/platform/db"
	"slipway/internal/platform/jobs"
	"slipway/internal/rails/bank"
	"slipway/internal/rails/rates"
	"slipway/internal/schema"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/iso20022/sample"
)

const (
	statementEntries = 100_000 // about 96 MB
	statementPayouts = statementEntries / 10
	payoutFile       = 10_000
)

// banking measures what stands between Slipway and banks: statements read and booked, payment files written, quotes.
func (b *bench) banking(ctx context.Context) error {
	say("banking")
	if err := b.parsing(ctx); err != nil {
		return fmt.Errorf("read a statement: %w", err)
	}
	if err := b.quoting(); err != nil {
		return fmt.Errorf("quote: %w", err)
	}
	statement := filepath.Join(b.dir, "statement.xml")
	if err := writeStatement(statement); err != nil {
		return err
	}
	for _, database := range []string{"sqlite", "postgres"} {
		if !wanted(b.On, database) || database == "postgres" && b.Postgres == "" {
			continue
		}
		if err := b.importing(ctx, database, statement); err != nil {
			return fmt.Errorf("import on %s: %w", database, err)
		}
	}
	return nil
}

// counter takes a statement and keeps only its size.
type counter struct{ entries int }

func (c *counter) Statement(camt.Header) error { return nil }
func (c *counter) Entry(camt.Entry) error      { c.entries++; return nil }
func (c *counter) End(camt.Totals) error       { return nil }

// parsing reads the same file with the statement reader and with encoding/xml, turn and turn about.
func (b *bench) parsing(ctx context.Context) error {
	file, err := io.ReadAll(sample.Statement(statementEntries, false))
	if err != nil {
		return err
	}
	ours := func(context.Context, int) (outcome, error) {
		var c counter
		begin := time.Now()
		if err := camt.Read(bytes.NewReader(file), iso20022.Limits{}, &c); err != nil {
			return outcome{}, err
		}
		if c.entries != statementEntries {
			return outcome{}, fmt.Errorf("read %d entries", c.entries)
		}
		return outcome{perSecond: statementEntries / time.Since(begin).Seconds()}, nil
	}
	theirs := func(context.Context, int) (outcome, error) {
		begin := time.Now()
		n, err := sample.Yardstick(bytes.NewReader(file))
		if err == nil && n != statementEntries {
			err = fmt.Errorf("read %d entries", n)
		}
		return outcome{perSecond: statementEntries / time.Since(begin).Seconds()}, err
	}
	f := figure{name: fmt.Sprintf("camt.053 of %d entries (%d MB) read as a stream", statementEntries, len(file)>>20), must: 10, goal: 18, yardName: "encoding/xml", unit: "entries/s"}
	if err := b.interleaved(ctx, f, theirs, ours); err != nil {
		return err
	}
	return b.parseMemory(ctx)
}

// parseMemory is what reading adds to the memory of a process that does nothing else, for a larger file too.
func (b *bench) parseMemory(ctx context.Context) error {
	for _, entries := range []int{statementEntries, 5 * statementEntries / 2} {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		out, err := exec.CommandContext(ctx, self, "parse", "--entries", strconv.Itoa(entries)).Output()
		if err != nil {
			return err
		}
		mb, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			return err
		}
		f := figure{name: fmt.Sprintf("memory over idle while %d entries are read", entries), must: 32, goal: 32, below: true, unit: "MB", yardName: "-", ratios: []float64{mb}}
		f.ours = f.ratios
		b.report.add(f)
	}
	return nil
}

// parseCommand reads a made statement and prints how much its process has grown, in MB.
type parseCommand struct {
	Entries int `required:""`
}

// Run reads the statement as it is made; none of it is held.
func (c *parseCommand) Run() error {
	before := memoryOf(os.Getpid(), "VmHWM")
	var n counter
	if err := camt.Read(sample.Statement(c.Entries, false), iso20022.Limits{}, &n); err != nil {
		return err
	}
	if n.entries != c.Entries {
		return fmt.Errorf("read %d entries", n.entries)
	}
	fmt.Println(strconv.FormatFloat(memoryOf(os.Getpid(), "VmHWM")-before, 'f', 2, 64))
	return nil
}

// quoting prices 30 payments in five currencies with every fee.
func (b *bench) quoting() error {
	currencies := []string{"EUR", "GBP", "USD", "INR", "AED"}
	prices := map[quote.Pair]rates.Rate{}
	now := time.Now()
	for i, c := range currencies {
		prices[quote.Pair{Base: "USDC", Quote: c}] = rates.Rate{Base: "USDC", Quote: c, Value: big.NewRat(int64(9_137+811*i), 10_000), AsOf: now, Source: "bench"}
	}
	in := quote.Request{Kind: quote.Fiat, Token: money.Asset{Code: "USDC", Decimals: 6}}
	for i := range 30 {
		in.Lines = append(in.Lines, quote.LineRequest{Position: i, Currency: money.Asset{Code: currencies[i%5], Decimals: 2}, FiatUnits: big.NewInt(123_456 + int64(i)), Rail: "SWIFT", Charges: quote.OUR})
	}
	usd := money.Asset{Code: "USD", Decimals: 2}
	fees := quote.Fees{Tolerance: big.NewRat(1, 100), Schedule: quote.Schedule{Commission: big.NewRat(1, 200), NetworkUSD: money.FromUnits(usd, big.NewInt(50)),
		Banking: map[string]quote.BankFees{"SWIFT": {Own: money.FromUnits(usd, big.NewInt(500)), OnTheWay: money.FromUnits(usd, big.NewInt(1500))}}}}
	f := figure{name: "quote and fees for 30 payments", must: 1, goal: 1, below: true, unit: "ms", yardName: "-", load: loadAverage()}
	const times = 200
	for range b.Rounds {
		begin := time.Now()
		for range times {
			if _, err := quote.Make(in, prices, fees); err != nil {
				return err
			}
		}
		f.ratios = append(f.ratios, time.Since(begin).Seconds()*1000/times)
	}
	f.ours = f.ratios
	b.report.add(f)
	return nil
}

// house is the account that the measured statement is of.
var house = bank.HouseAccount{ID: "eur", Currency: "EUR", Country: "DE", IBAN: "DE89370400440532013000", BIC: "COBADEFFXXX", Holder: "Slipway GmbH", HolderTown: "Berlin",
	BankName: "Bank", Rails: []string{"SEPA"}}

// payout is one of those that the statement books.
func payout(n int) bank.Payout {
	return bank.Payout{Key: fmt.Sprintf("transaction/txn_bench/payout/%d", n), Object: "txn_bench", From: house.ID, Rail: "SEPA", Charges: "SHA",
		Amount: money.FromUnits(bank.Asset("EUR"), big.NewInt(1000)), Creditor: bank.Party{Name: "Jörg Müller", Town: "Wien", Country: "AT"},
		Account: bank.AccountIDs{IBAN: "AT611904300234573201", Country: "AT"}, Remittance: fmt.Sprintf("Invoice %d", n)}
}

// importing writes a payment file and then books a statement, beside the same rows inserted and matched in bare SQL.
func (b *bench) importing(ctx context.Context, database, statement string) error {
	written := figure{name: fmt.Sprintf("pain.001 of %d payments written, checked and stored, %s", payoutFile, database), must: 1, goal: 1, below: true, unit: "s", yardName: "-", load: loadAverage()}
	whole := figure{name: fmt.Sprintf("import of %d entries: parse, store, match, post, %s", statementEntries, database), must: 2, goal: 1.25, below: true, unit: "s",
		yardName: "bulk INSERT and match, s", load: loadAverage()}
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
		whole.ours, whole.yard = append(whole.ours, took.Seconds()), append(whole.yard, bare.Seconds())
		whole.ratios = append(whole.ratios, took.Seconds()/bare.Seconds())
	}
	written.ours = written.ratios
	b.report.add(written)
	b.report.add(whole)
	return nil
}

// imported runs the rail's own way: payouts planned, a file written and handed over, the statement imported.
func (b *bench) imported(ctx context.Context, database, statement string) (file, took time.Duration, rows [][]any, err error) {
	d, drop, err := b.open(ctx, database)
	if err != nil {
		return 0, 0, nil, err
	}
	defer func() { err = errors.Join(err, drop()) }()
	writer, sender, err := b.plannedRail(ctx, d)
	if err != nil {
		return 0, 0, nil, err
	}
	begin := time.Now()
	if err := writer.Work(ctx); err != nil {
		return 0, 0, nil, err
	}
	file = time.Since(begin)
	for range 2 { // hands it over, then tells of its payouts
		if err := sender.Work(ctx); err != nil {
			return 0, 0, nil, err
		}
	}
	in, err := os.Open(statement)
	if err != nil {
		return 0, 0, nil, err
	}
	defer in.Close()
	begin = time.Now()
	report, err := sender.Import(ctx, "statement.xml", in, nil)
	took = time.Since(begin)
	if err == nil && (report.Outcome != bank.Imported || report.Matched != statementPayouts) {
		err = fmt.Errorf("%s, %d payouts booked: %s", report.Outcome, report.Matched, report.Reason)
	}
	if err != nil {
		return 0, 0, nil, err
	}
	rows, err = storedEntries(ctx, d)
	return file, took, rows, err
}

// open makes a database with the service's schema.
func (b *bench) open(ctx context.Context, database string) (*db.DB, func() error, error) {
	address, err := b.fresh(ctx, database)
	if err != nil {
		return nil, nil, err
	}
	d, err := db.Open(ctx, db.Config{URL: address})
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

// plannedRail plans the payouts, and gives two rails on the same rows: one that has no way to the bank and so only writes files, and one
// that hands them over.
func (b *bench) plannedRail(ctx context.Context, d *db.DB) (writer, sender *bank.Rail, err error) {
	dir, err := os.MkdirTemp(b.dir, "bank-")
	if err != nil {
		return nil, nil, err
	}
	ch, err := bank.NewFolder(filepath.Join(dir, "to-bank"), filepath.Join(dir, "from-bank"))
	if err != nil {
		return nil, nil, err
	}
	keeper := &bookkeeper{deposits: reconcile.New(reconcile.Deps{DB: d, Jobs: jobs.New(d, slog.New(slog.DiscardHandler), jobs.Config{})})}
	config := bank.Config{DB: d, Observer: keeper, Accounts: []bank.HouseAccount{house}, Archive: filepath.Join(dir, "archive")}
	if writer, err = bank.New(config); err != nil {
		return nil, nil, err
	}
	config.Channel = ch
	if sender, err = bank.New(config); err != nil {
		return nil, nil, err
	}
	for from := 0; from < statementPayouts; from += 500 {
		if err := d.Write(ctx, func(tx *db.Tx) error {
			for i := from; i < from+500; i++ {
				if err := writer.Plan(tx, payout(i)); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return nil, nil, err
		}
	}
	return writer, sender, nil
}

// writeStatement writes a camt.053 of which one entry in ten is the debit of a payout.
func writeStatement(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(f, 1<<20)
	cents := func(i int) int64 {
		if i%10 == 0 {
			return -1000
		}
		return int64(1000 + i)
	}
	var sum int64
	for i := range statementEntries {
		sum += cents(i)
	}
	fmt.Fprintf(out, `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId><CreDtTm>2026-11-20T20:00:00</CreDtTm></GrpHdr><Stmt><Id>S</Id><CreDtTm>2026-11-20T20:00:00</CreDtTm><Acct><Id><IBAN>%s</IBAN></Id><Ccy>EUR</Ccy></Acct>`, house.IBAN)
	for _, side := range []struct {
		kind  string
		cents int64
	}{{"OPBD", 0}, {"CLBD", sum}} {
		amount, sign := euros(side.cents)
		fmt.Fprintf(out, `<Bal><Tp><CdOrPrtry><Cd>%s</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">%s</Amt><CdtDbtInd>%s</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`, side.kind, amount, sign)
	}
	for i := range statementEntries {
		amount, sign := euros(cents(i))
		reference, party := fmt.Sprintf("CUSTOMER-REFERENCE-%08d", i), "Dbtr"
		if i%10 == 0 {
			reference, party = bank.EndToEndID(payout(i/10).Key), "Cdtr"
		}
		fmt.Fprintf(out, `<Ntry><NtryRef>%[1]d</NtryRef><Amt Ccy="EUR">%[2]s</Amt><CdtDbtInd>%[3]s</CdtDbtInd><RvslInd>false</RvslInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt><ValDt><Dt>2026-11-20</Dt></ValDt>`+
			`<AcctSvcrRef>2026112000%08[1]d</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd><NtryDtls><TxDtls><Refs>`+
			`<AcctSvcrRef>2026112000%08[1]d</AcctSvcrRef><InstrId>INSTR-%08[1]d</InstrId><EndToEndId>%[4]s</EndToEndId></Refs><Amt Ccy="EUR">%[2]s</Amt><CdtDbtInd>%[3]s</CdtDbtInd>`+
			`<RltdPties><%[5]s><Pty><Nm>Customer Number %[1]d Aktiengesellschaft</Nm></Pty></%[5]s><%[5]sAcct><Id><IBAN>AT611904300234573201</IBAN></Id></%[5]sAcct></RltdPties>`+
			`<RltdAgts><DbtrAgt><FinInstnId><BICFI>BKAUATWWXXX</BICFI></FinInstnId></DbtrAgt></RltdAgts><RmtInf><Ustrd>Invoice %[1]d of 20 November 2026, customer number %[1]d</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`+"\n",
			i, amount, sign, reference, party)
	}
	_, err = out.WriteString("</Stmt></BkToCstmrStmt></Document>")
	return errors.Join(err, out.Flush(), f.Close())
}

// euros gives an amount as a statement writes it.
func euros(cents int64) (amount, sign string) {
	sign = "CRDT"
	if cents < 0 {
		cents, sign = -cents, "DBIT"
	}
	return fmt.Sprintf("%d.%02d", cents/100, cents%100), sign
}
