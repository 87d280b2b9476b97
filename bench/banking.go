//go:build !nosandbox

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"slipway/internal/core/money"
	"slipway/internal/payments/quote"
	"slipway/internal/platform/observe"
	"slipway/internal/rails/rates"
	"slipway/internal/standards/iso20022"
	"slipway/internal/standards/iso20022/camt"
	"slipway/internal/standards/iso20022/sample"
)

const (
	statementEntries  = 100_000               // about 96 MB
	statementPayouts  = statementEntries / 10 // entries that are the debit of a payout
	statementDeposits = statementEntries / 10 // entries that are the deposit of an on-ramp which waits for it
	payoutFile        = 10_000
)

// banking measures what stands between Slipway and banks: statements read and booked, payment files written, quotes.
func (b *bench) banking(ctx context.Context) error {
	say("banking")
	observe.EaseCollection() // as serve does, and slipway bank

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

// Statement does nothing.
func (c *counter) Statement(camt.Header) error { return nil }

// Entry counts.
func (c *counter) Entry(camt.Entry) error { c.entries++; return nil }

// End does nothing.
func (c *counter) End(camt.Totals) error { return nil }

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

	f := figure{
		name:     fmt.Sprintf("camt.053 of %d entries (%d MB) read as a stream", statementEntries, len(file)>>20),
		must:     10,
		goal:     18,
		yardName: "encoding/xml",
		unit:     "entries/s",
	}
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

		f := figure{
			name:     fmt.Sprintf("memory over idle while %d entries are read", entries),
			must:     32,
			goal:     32,
			below:    true,
			unit:     "MB",
			yardName: "-",
			ratios:   []float64{mb},
		}
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
		prices[quote.Pair{
			Base:  "USDC",
			Quote: c,
		}] = rates.Rate{
			Base:   "USDC",
			Quote:  c,
			Value:  big.NewRat(int64(9_137+811*i), 10_000),
			AsOf:   now,
			Source: "bench",
		}
	}

	in := quote.Request{Kind: quote.Fiat, Token: money.Asset{Code: "USDC", Decimals: 6}}
	for i := range 30 {
		in.Lines = append(in.Lines, quote.LineRequest{
			Position:  i,
			Currency:  money.Asset{Code: currencies[i%5], Decimals: 2},
			FiatUnits: big.NewInt(123_456 + int64(i)),
			Rail:      "SWIFT",
			Charges:   quote.OUR,
		})
	}

	usd := money.Asset{Code: "USD", Decimals: 2}
	fees := quote.Fees{
		Tolerance: big.NewRat(1, 100),
		Schedule: quote.Schedule{
			Commission: big.NewRat(1, 200), NetworkUSD: money.FromUnits(usd, big.NewInt(50)),
			Banking: map[string]quote.BankFees{"SWIFT": {
				Own:      money.FromUnits(usd, big.NewInt(500)),
				OnTheWay: money.FromUnits(usd, big.NewInt(1500)),
			}},
		},
	}
	f := figure{
		name:     "quote and fees for 30 payments",
		must:     1,
		goal:     1,
		below:    true,
		unit:     "ms",
		yardName: "-",
		load:     loadAverage(),
	}

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
