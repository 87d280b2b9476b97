//go:build !nosandbox

package demo

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"slipway/internal/core/money"
)

// holder is a party whose balances the auditor reads.
type holder struct {
	name    string
	address common.Address
}

func (s *story) holders() []holder {
	return []holder{
		{"Muster's wallet", s.payer.Address},
		{"Alice's wallet", s.alice.Address},
		{"inline address", s.street},
		{"house treasury", s.World.Treasury.Address},
	}
}

// noteBalances keeps everybody's balances before the first payment.
func (s *story) noteBalances(ctx context.Context) error {
	for _, t := range s.World.Tokens {
		for _, h := range s.holders() {
			b, err := s.World.Balance(ctx, t, h.address)
			if err != nil {
				return err
			}

			s.before[t.Code+h.address.Hex()] = b
		}
	}

	return nil
}

// balances compares every balance on the chain with what was to be paid.
func (s *story) balances(ctx context.Context) error {
	s.t.heading("Balances on the chain")

	want, err := s.expectedBalances()
	if err != nil {
		return err
	}

	var (
		rows  [][]string
		wrong []string
	)

	for _, token := range []string{"USDC", "DAI"} {
		t := s.World.Token(token)

		for _, h := range s.holders() {
			key := token + h.address.Hex()

			now, err := s.World.Balance(ctx, t, h.address)
			if err != nil {
				return err
			}

			if now.Cmp(want[key]) != 0 {
				const differs = "%s holds %s base units of %s, not %s"
				wrong = append(wrong, fmt.Sprintf(differs, h.name, now, token, want[key]))
			}

			rows = append(rows, []string{
				h.name,
				token,
				money.Format(s.before[key], t.Decimals),
				money.Format(now, t.Decimals),
				money.Format(new(big.Int).Sub(now, s.before[key]), t.Decimals),
			})
		}
	}

	s.t.table([]string{"who", "token", "before>", "after>", "difference>"}, rows)

	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}

	return nil
}

// expectedBalances returns the balances that all payments of the story lead to.
func (s *story) expectedBalances() (map[string]*big.Int, error) {
	want := map[string]*big.Int{}
	for k, b := range s.before {
		want[k] = new(big.Int).Set(b)
	}

	for _, t := range s.paid {
		token := s.World.Token(t.Token)

		for _, p := range t.Payments {
			a, err := money.Parse(money.Asset{Code: t.Token, Decimals: token.Decimals}, p.Amount)
			if err != nil {
				return nil, err
			}

			move(want, t.Token+s.payer.Address.Hex(), new(big.Int).Neg(a.Units()))
			move(want, t.Token+common.HexToAddress(p.WalletAddress).Hex(), a.Units())
		}
	}

	return want, s.throughTreasury(want)
}

// throughTreasury adds what the paying wallet sent to the house's treasury, and what came from there.
func (s *story) throughTreasury(want map[string]*big.Int) error {
	usdc := money.Asset{Code: "USDC", Decimals: s.World.Token("USDC").Decimals}

	credit, err := money.Parse(usdc, s.onramp.Totals.TokenCredit)
	if err != nil {
		return err
	}

	in := credit.Neg().Units()
	for _, t := range s.fiat {
		debit, err := money.Parse(usdc, t.Totals.TokenDebit)
		if err != nil {
			return err
		}

		in = new(big.Int).Add(in, debit.Units())
	}

	move(want, "USDC"+s.World.Treasury.Address.Hex(), in)
	move(want, "USDC"+s.payer.Address.Hex(), new(big.Int).Neg(in))

	return nil
}

// move adds to one balance.
func move(m map[string]*big.Int, key string, by *big.Int) {
	if m[key] == nil {
		m[key] = new(big.Int)
	}

	m[key].Add(m[key], by)
}
