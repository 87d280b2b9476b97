package chart_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/chart"
	"slipway/internal/payments/chart/charttest"
	"slipway/internal/payments/effect"
	"slipway/internal/payments/ledger"
)

var update = flag.Bool("update", false, "write docs/reference/journals.md anew")

const journalsPage = "../../../docs/reference/journals.md"

// sums returns what a journal changes of each account and asset, without what it leaves as it was.
func sums(postings []ledger.Posting) map[string]string {
	all := map[string]*big.Int{}

	for _, p := range postings {
		at := string(p.Account) + " " + p.Amount.Asset().Code
		if all[at] == nil {
			all[at] = new(big.Int)
		}

		all[at].Add(all[at], p.Amount.Units())
	}

	out := map[string]string{}

	for at, units := range all {
		if units.Sign() != 0 {
			out[at] = units.String()
		}
	}

	return out
}

func TestEveryEventHasAnExample(t *testing.T) {
	var named []string
	for _, e := range charttest.Examples() {
		named = append(named, e.Name())
	}

	require.ElementsMatch(t, events(t), slices.Compact(slices.Sorted(slices.Values(named))))
}

// events returns the names of the package's events.
func events(t *testing.T) []string {
	t.Helper()

	var out []string

	files, err := filepath.Glob("*.go")
	require.NoError(t, err)

	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)

		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "Journal" {
				out = append(out, f.Recv.List[0].Type.(*ast.Ident).Name)
			}
		}
	}

	return out
}

func TestEveryEventBalances(t *testing.T) {
	for _, e := range charttest.Examples() {
		t.Run(e.Name(), func(t *testing.T) {
			j := e.Event.Journal()
			require.NotEmpty(t, j.Key)
			require.NotEmpty(t, j.Kind)

			total := map[string]*big.Int{}

			for _, p := range j.Postings {
				require.NotEmpty(t, p.Account)
				require.NotZero(t, p.Amount.Sign(), "nothing is posted of nothing")

				code := p.Amount.Asset().Code
				if total[code] == nil {
					total[code] = new(big.Int)
				}

				total[code].Add(total[code], p.Amount.Units())
			}

			for code, sum := range total {
				require.Zero(t, sum.Sign(), "%s is off by %s", code, sum)
			}
		})
	}
}

// I11: what the house has is booked in pairs, beside what belongs to the customer.
func TestTheHousesOwnAccountsBalanceByThemselves(t *testing.T) {
	for _, e := range charttest.Examples() {
		total := map[string]*big.Int{}

		for _, p := range e.Event.Journal().Postings {
			if code := p.Amount.Asset().Code; ledger.House(string(p.Account)) {
				if total[code] == nil {
					total[code] = new(big.Int)
				}

				total[code].Add(total[code], p.Amount.Units())
			}
		}

		for code, sum := range total {
			require.Zero(t, sum.Sign(), "%s: %s is off by %s", e.Name(), code, sum)
		}
	}
}

func TestAnOppositeUndoesItsEvent(t *testing.T) {
	undone := 0

	for _, e := range charttest.Examples() {
		if e.Undo == nil {
			continue
		}

		undone++
		first := e.Undo.Journal()
		second := e.Event.Journal()
		require.NotEqual(t, first.Key, second.Key, e.Name())
		require.Equal(t, first.Organisation, second.Organisation, e.Name())
		require.Equal(t, first.Transaction, second.Transaction, e.Name())
		require.Empty(t, sums(slices.Concat(first.Postings, second.Postings)), e.Name())
	}

	require.Equal(t, 11, undone)
}

// What is sold of a debit, earned with it and refunded later is the whole debit, at every step.
func TestARefusedPayoutGivesBackWhatItHadCost(t *testing.T) {
	var converted, refused []ledger.Posting

	for _, e := range charttest.Examples() {
		switch e.Name() {
		case "Converted":
			converted = e.Event.Journal().Postings
		case "PayoutRefused":
			refused = e.Event.Journal().Postings
		}
	}

	require.Empty(t, sums(slices.Concat(converted, refused)), "one payment, and its fees are all of them")
}

func TestTwoEventsOfOneEffectHaveTheSameKey(t *testing.T) {
	keys := map[string]string{}

	for _, e := range charttest.Examples() {
		j := e.Event.Journal()
		require.Equal(t, j.Key, e.Event.Journal().Key)

		// each of these is the only one that its record can have
		either := []string{
			"DepositMatched", "DepositsSuspended", // where a deposit goes
			"Converted", "DepositConverted", // by the transaction's type
			"Returned",                       // how it arrived
			"DebitBooked", "DepositReversed", // what a debit is
		}
		if other, ok := keys[j.Key]; ok {
			require.Contains(t, either, e.Name())
			require.Contains(t, either, other)
		}

		keys[j.Key] = e.Name()
	}
}

func TestAJournalTellsItsEvent(t *testing.T) {
	shapes := map[string]string{}

	for _, e := range charttest.Examples() {
		shape := charttest.Shape(e.Event.Journal())
		if other, ok := shapes[shape]; ok {
			require.Equal(t, other, e.Name(), shape)
		}

		shapes[shape] = e.Name()
	}
}

func TestTheStockFollowsOnlyWhatItHasServed(t *testing.T) {
	usdc := money.Asset{Code: "USDC", Decimals: 6}
	sale := func(currency string) chart.Sale {
		return chart.Sale{
			Rail:   "SEPA",
			Tokens: money.FromUnits(usdc, big.NewInt(5)),
			Fiat:   money.FromUnits(money.Asset{Code: currency, Decimals: 2}, big.NewInt(4)),
		}
	}
	e := chart.Converted{
		Trade: chart.Trade{Network: "n", Token: "USDC", Stock: []string{"EUR"}},
		Sales: []chart.Sale{sale("EUR"), sale("CHF")},
	}

	got := sums(e.Journal().Postings)
	require.Equal(t, "5", got["stock/n USDC"])
	require.Equal(t, "-4", got["stock/EUR EUR"])
	require.Equal(t, "-5", got["trade/n USDC"])
	require.Equal(t, "4", got["trade/EUR EUR"])
	require.NotContains(t, got, "stock/CHF CHF")
}

// A token may have any name: what covers an exchange follows from the currency, not from how an account is written.
func TestATokenMayHaveAnyName(t *testing.T) {
	token := money.Asset{Code: "USD-C", Decimals: 6}
	e := chart.Converted{
		Trade: chart.Trade{Network: "n", Token: token.Code, Stock: []string{"EUR"}},
		Sales: []chart.Sale{{
			Rail:   "SEPA",
			Tokens: money.FromUnits(token, big.NewInt(5)),
			Fiat:   money.FromUnits(money.Asset{Code: "EUR", Decimals: 2}, big.NewInt(4)),
		}},
	}

	got := sums(e.Journal().Postings)
	require.Equal(t, "5", got["stock/n USD-C"])
	require.Equal(t, "-4", got["stock/EUR EUR"])

	e.Stock = nil
	got = sums(e.Journal().Postings)
	require.Equal(t, "-5", got["open/USD-C-EUR USD-C"])
	require.Equal(t, "5", got["covered/USD-C-EUR USD-C"])
}

// Whoever wants to know what the book can contain reads this package, and nothing else.
func TestNothingElsePosts(t *testing.T) {
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || name == "chart" || name == "ledger" || name == "apptest" {
				return filepath.SkipDir
			}

			return nil
		}

		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}

		text, err := os.ReadFile(path)
		for _, word := range []string{"ledger.Post(", "ledger.Posting", "ledger.Journal{"} {
			require.False(t, strings.Contains(string(text), word), "%s has %s", path, word)
		}

		return err
	})
	require.NoError(t, err)
}

func TestJournalsPageFresh(t *testing.T) {
	page := pageOf()

	if *update {
		require.NoError(t, os.WriteFile(journalsPage, []byte(page), 0o644))
	}

	text, err := os.ReadFile(journalsPage)
	require.NoError(t, err)
	require.Equal(t, page, string(text), "%s is stale: go test ./internal/payments/chart -update", journalsPage)
}

func pageOf() string {
	var b strings.Builder

	b.WriteString("# Journals\n\nEverything that the book can contain, written from the chart of events " +
		"(`internal/payments/chart`) by a test. Each\nevent is one journal, which sums to zero in every asset. A plus " +
		"is what a place has, a minus what was taken from it.\nThe accounts of the house's own (treasury, bank, position, " +
		"stock, trade and so on) stand beside those of the customer.\n\n## What is done outside\n\nAn effect has one key " +
		"for ever, so it happens once, by whatever process and from whatever back-up it is made again.\n\n" +
		"| Key | What it does | Who does it | How its outcome is known |\n|---|---|---|---|\n")

	for _, w := range effect.Words() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", w.Form, w.Does, w.By, w.Proof)
	}

	b.WriteString("\n## What is posted\n")

	for _, e := range charttest.Examples() {
		j := e.Event.Journal()
		fmt.Fprintf(&b, "\n### %s\n\n%s. Kind `%s`, key `%s`", e.Name(), capital(e.When), j.Kind, j.Key)

		switch {
		case e.From != "" && e.To != "":
			fmt.Fprintf(&b, "; from %s to %s", e.From, e.To)
		case e.From != "":
			fmt.Fprintf(&b, "; in %s", e.From)
		}

		if e.Undo != nil {
			fmt.Fprintf(&b, ". It is the exact opposite of %s", charttest.Example{Event: e.Undo}.Name())
		}

		b.WriteString(".\n\n| Account | Amount | | Memo |\n|---|---:|---|---|\n")

		for _, p := range j.Postings {
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Account, p.Amount, p.Amount.Asset().Code, p.Memo)
		}
	}

	return b.String()
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
