//go:build !nosandbox

package demo

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
)

// audit reads the chain and the books for itself, and compares them with what was asked for.
func (s *story) audit(ctx context.Context) error {
	s.times()

	if err := s.onChain(ctx); err != nil {
		return err
	}

	if err := s.balances(ctx); err != nil {
		return err
	}

	return s.books(ctx)
}

// times prints when each transaction came to each status.
func (s *story) times() {
	s.t.heading("What happened, in times")

	var rows [][]string

	for _, t := range s.all() {
		last := time.Time{}

		for i, x := range t.Timeline {
			if i > 0 && x.Status == t.Timeline[i-1].Status && x.Settlement == t.Timeline[i-1].Settlement {
				continue // one payment of several went on
			}

			since := ""
			if i > 0 {
				since = fmt.Sprintf("+%.2fs", x.At.Sub(last).Seconds())
			}

			last = x.At
			rows = append(rows, []string{t.title(), x.Status, x.Settlement, x.At.Local().Format("15:04:05.000"), since})
		}
	}

	s.t.table([]string{"transaction", "status", "settlement", "at", "step>"}, rows)
}

// onChain prints the transaction's only send on the chain, and what it cost.
func (s *story) onChain(ctx context.Context) error {
	s.t.heading("On the chain")

	var rows [][]string
	for _, t := range s.all() {
		if len(t.Chain) != 1 {
			return fmt.Errorf("transaction %s has %d sends, not one", t.ID, len(t.Chain))
		}

		x := t.Chain[0]

		r, err := s.chain.TransactionReceipt(ctx, common.HexToHash(x.TxHash))
		if err != nil {
			return fmt.Errorf("receipt of %s: %w", x.TxHash, err)
		}

		legs := uint64(1) // to or from the treasury
		if t.Type == "CRYPTO" {
			legs = uint64(len(t.Payments))
		}

		row := []string{t.title(), x.TxHash, fmt.Sprint(r.BlockNumber), fmt.Sprint(legs), fmt.Sprint(r.GasUsed / legs)}
		rows = append(rows, row)
	}

	s.t.table([]string{"transaction", "hash", "block>", "payments>", "gas a payment>"}, rows)

	return nil
}

// books prints every posting and verifies the ledger.
func (s *story) books(ctx context.Context) error {
	s.t.heading("Ledger postings")

	for _, t := range s.all() {
		lines, err := ledger.OfTransaction(ctx, s.DB, t.ID)
		if err != nil {
			return err
		}

		s.t.table([]string{t.title(), "account", "amount>", "asset"}, s.postings(lines))
		fmt.Fprintln(s.Out)
	}

	if _, err := ledger.Seal(ctx, s.DB, nil); err != nil {
		return err
	}

	r, err := ledger.Verify(ctx, s.DB, ledger.Proof{})
	if err != nil {
		return err
	}

	if len(r.Faults) > 0 || len(r.Open) > 0 || r.Journals == 0 {
		return fmt.Errorf("ledger verify: %d journals, faults %v, open %v", r.Journals, r.Faults, r.Open)
	}

	s.t.heading("Ledger verify")

	s.t.done("%d journals with %d postings sum to zero, the chain of hashes is unbroken, nothing is left in clearing",
		r.Journals, r.Postings)

	return nil
}

// postings returns a table's rows of ledger lines. Lines of one journal on one account are added up.
func (s *story) postings(lines []ledger.Line) [][]string {
	var (
		rows [][]string
		sums []*big.Int
	)

	at := map[string]int{}
	for _, l := range lines {
		key := l.Kind + " " + l.Account + " " + l.Asset

		i, seen := at[key]
		if !seen {
			i = len(rows)
			at[key] = i

			rows = append(rows, []string{l.Kind, abbreviated(l.Account), "", l.Asset})
			sums = append(sums, new(big.Int))
		}

		units, _ := new(big.Int).SetString(l.Units, 10)
		sums[i].Add(sums[i], units)
	}

	for i, sum := range sums {
		rows[i][2] = money.Format(sum, s.decimalsOf(rows[i][3]))
	}

	return rows
}

// decimalsOf returns the decimals of an asset of the story: a token, gas money, or money at the bank.
func (s *story) decimalsOf(asset string) int {
	switch decimals := s.World.Token(asset).Decimals; {
	case decimals > 0:
		return decimals
	case asset == "ETH":
		return 18
	}

	return 2
}

// abbreviated returns an account's name with short identifiers, so that a table fits a terminal.
func abbreviated(account string) string {
	parts := strings.Split(account, "/")
	for i, p := range parts {
		if len(p) > 20 {
			parts[i] = p[:8] + "…" + p[len(p)-4:]
		}
	}

	return strings.Join(parts, "/")
}
