//go:build !nosandbox

package chain_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"slipway/internal/platform/db"
	"slipway/internal/platform/db/dbtest"
	"slipway/internal/rails/chain"
	"slipway/internal/rails/chain/devchain"
)

// BenchmarkOneSignerFillsBlocks plans sends of about 730,000 gas, with thirty new storage slots and thirty logs each
// as a payment batch has, and reports how much of the gas of one-second blocks they use up while the queue is not
// empty.
func BenchmarkOneSignerFillsBlocks(b *testing.B) {
	b.Run("sqlite", func(b *testing.B) { fillBlocks(b, dbtest.SQLite(b)) })
	b.Run("postgres", func(b *testing.B) { fillBlocks(b, dbtest.Postgres(b)) })
}

func fillBlocks(b *testing.B, d *db.DB) {
	const sends, gasOfBlock = 800, 60_000_000
	key := chain.NewKeySigner(keyOf(1))
	contract := common.HexToAddress("0xc0de")
	ch, err := devchain.Start(devchain.Config{
		Mode:   devchain.Periodic,
		Period: time.Second,
		Alloc:  map[common.Address]*big.Int{key.Address(): new(big.Int).Mul(ether, big.NewInt(100000))},
		Code: map[common.Address][]byte{
			contract: common.FromHex("601e5b60018160003501558060406000a160019003806002570000"),
		},
	})
	require.NoError(b, err)
	b.Cleanup(func() { _ = ch.Close() })
	r := chain.New(chain.Config{DB: d, Observer: books{}})
	require.NoError(b, r.AddNetwork(context.Background(), chain.Network{
		ID:              network,
		ChainID:         ch.ChainID(),
		URLs:            []string{ch.URL()},
		Signer:          key,
		Finality:        chain.Finality{Depth: 2},
		MaxFeePerGasWei: big.NewInt(100_000 * gwei),
		Poll:            50 * time.Millisecond,
	}))
	ctx, cancel := context.WithCancel(context.Background())

	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()

	defer func() { cancel(); <-done }() //nolint:errcheck // what is measured is over
	b.ResetTimer()
	start := time.Now()
	require.NoError(b, d.Write(ctx, func(tx *db.Tx) error {
		for i := range sends {
			s := chain.Send{
				Key:     fmt.Sprint("bench/", i),
				Network: network,
				To:      contract,
				Data:    common.BigToHash(big.NewInt(int64(i+1) << 32)).Bytes(),
			}

			if err := r.Plan(tx, s); err != nil {
				return err
			}
		}

		return nil
	}))
	b.ReportMetric(float64(time.Since(start).Milliseconds()), "ms-to-plan")

	for ch.Nonce(key.Address()) < sends && time.Since(start) < time.Minute {
		<-time.After(20 * time.Millisecond)
	}

	mined := time.Since(start)
	used := uint64(0)
	blocks := 0

	first := uint64(0)
	for n := uint64(1); n <= ch.Head().Number.Uint64(); n++ {
		if g := ch.Block(n).GasUsed(); g > 0 {
			if first == 0 {
				first = n
			}

			used += g
			blocks = int(n-first) + 1
		}
	}

	b.ReportMetric(float64(sends)/mined.Seconds(), "sends/s")
	b.ReportMetric(100*float64(used)/float64(blocks)/gasOfBlock, "%-of-block-gas")
	b.ReportMetric(float64(used)/sends, "gas/send")

	for time.Since(start) < 90*time.Second {
		if h, err := r.Health(ctx); err == nil && h[0].Counters.Final == sends {
			break
		}

		<-time.After(50 * time.Millisecond)
	}

	b.ReportMetric(time.Since(start).Seconds(), "s-to-final")
}
