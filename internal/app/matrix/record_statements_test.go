//go:build !nosandbox

package matrix

import (
	"context"
	"math/big"

	"github.com/stretchr/testify/require"

	"slipway/internal/core/money"
	"slipway/internal/payments/ledger"
	"slipway/internal/platform/db"
)

// charged is a transaction that has come to its end and has cost a fee, of which some was given back.
func (s *stage) charged(o *tenant) string {
	id := s.draft(o)

	post := func(key string, units int64) {
		fee := money.FromUnits(money.Asset{Code: "USDC", Decimals: 6}, big.NewInt(units))
		require.NoError(s.t, s.app.DB.Write(context.Background(), func(tx *db.Tx) error {
			return ledger.Post(tx, ledger.Journal{
				Key:          key + "/" + id,
				Kind:         key,
				Organisation: o.id,
				Transaction:  id,
				Postings: []ledger.Posting{
					{
						Account: ledger.WalletAccount("net_dev", o.payer.Address.Hex()),
						Amount:  fee.Neg(),
					}, {Account: ledger.IncomeAccount("NETWORK", "net_dev"), Amount: fee},
				},
			})
		}))
	}

	post("charged", 500_000)
	post("returned", -200_000)
	s.exec(
		`UPDATE transactions
			SET status = 'COMPLETED', settlement_status = 'SETTLED', version = version + 1
			WHERE id = ?`,
		id,
	)

	return id
}
